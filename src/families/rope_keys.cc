#include "families/rope_keys.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "families/shared_keys.h"

namespace candor::families {

double ReadTheta(const package::Config& config, std::string_view key, double fallback, Problems& problems) {
  RefuseNulls(config, {key}, problems);
  const double theta = config.Real(key, fallback, problems);
  if (std::isfinite(theta) && theta >= 1) return theta;
  problems.push_back({Code::kUnsupportedConfigVariant, config.At(key), config.Shown(key),
                      "a number of at least 1", Phase::kConfig});
  return fallback;
}

Rope ReadRope(const package::Config& rope, double fallback_theta, std::size_t pairs, Problems& problems) {
  const std::string_view type_key = Spelling(rope, "rope_type", "type", problems);
  const std::string type = rope.Text(type_key, "default", problems);
  if (type != "default") {
    problems.push_back({Code::kUnsupportedConfigVariant, rope.At(type_key), type, "default", Phase::kConfig});
  }
  for (const std::string& key : rope.Keys()) {
    if (key == "rope_theta" || key == "rope_type" || key == "type" || !rope.Has(key)) continue;
    problems.push_back({Code::kUnsupportedConfigVariant, rope.At(key), rope.Shown(key),
                        "rope_theta, rope_type", Phase::kConfig});
  }
  const double theta = ReadTheta(rope, "rope_theta", fallback_theta, problems);
  rope.Choice("rope_type", type, type_key);
  return {Frequencies(theta, pairs)};
}

void CheckRopeKinds(const package::Config& config, Problems& problems) {
  const std::optional<package::Config> all = config.Inside("rope_parameters", problems);
  if (!all) return;
  for (const std::string& key : all->Keys()) {
    if (key == kFullAttention || key == kSlidingAttention) continue;
    problems.push_back({Code::kUnsupportedConfigVariant, all->At(key), all->Shown(key),
                        std::string(kFullAttention) + ", " + std::string(kSlidingAttention), Phase::kConfig});
  }
}

std::size_t ReadPairs(const package::Config& config, std::string_view heads_key, std::size_t width,
                      std::size_t heads, Problems& problems) {
  const std::size_t columns = width / heads;
  if (columns % 2 != 0) {
    problems.push_back({Code::kUnsupportedConfigVariant, config.At(heads_key),
                        std::to_string(heads) + ", heads of " + std::to_string(columns) + " columns",
                        "heads of an even number of columns, which turn in pairs", Phase::kConfig});
  }
  return columns / 2;
}

}  // namespace candor::families
