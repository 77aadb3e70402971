// What the engine's tests share: a draft of a golden package on any backend, and hand-made Works.
#pragma once
#include <functional>
#include <string>

#include "families/registry.h"
#include "plan/dry_pass.h"
#include "plan/planner.h"

namespace candor::engine {

inline const std::string kPackage = std::string(CANDOR_SOURCE_DIR) + "/goldens/bert/classic/package";

inline void InOrder(std::size_t count, const std::function<void(std::size_t)>& fn) {
  for (std::size_t i = 0; i < count; ++i) fn(i);
}

// A package that gives no draft ends the test with the variant's exception.
inline plan::Draft DraftFor(const Backend& backend, const std::string& path = kPackage,
                            const std::string& task = "embed") {
  auto package = package::Package::Open(path);
  auto draft =
      plan::MakeDraft(std::move(package).value(), {.path = path, .task = task, .allow_unqualified = true},
                      {backend, families::Families(), "candor test"});
  return std::move(draft).value();
}

inline tasks::Work WorkOf(std::vector<std::int32_t> tokens) {
  tasks::Work w;
  w.segments.resize(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) w.positions.push_back(static_cast<std::int32_t>(i));
  w.sequences = {{.begin = 0, .end = static_cast<std::int32_t>(tokens.size())}};
  w.runs = w.sequences;
  w.tokens = std::move(tokens);
  return w;
}

}  // namespace candor::engine
