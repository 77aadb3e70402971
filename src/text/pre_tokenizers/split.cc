// Names of the behaviours.
#include "text/pre_tokenizers/split.h"

#include <iterator>

namespace candor::text {
namespace {

constexpr std::string_view kNames[] = {"Removed", "Isolated", "MergedWithPrevious", "MergedWithNext",
                                       "Contiguous"};

}  // namespace

Behavior ReadBehavior(const package::Config& config, std::string_view key, Problems& problems) {
  const std::string name = RequiredText(config, key, problems);
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    if (kNames[i] == name) return static_cast<Behavior>(i);
  }
  if (config.Has(key)) Refuse(config, key, name, Listed(kNames), problems);
  return Behavior::kIsolated;
}

}  // namespace candor::text
