#include "model/input_rule.h"

#include <numeric>

namespace candor {

void FillPositions(const InputRule& rule, std::span<const std::int32_t> tokens,
                   std::span<std::int32_t> positions) {
  if (!rule.padding) return std::iota(positions.begin(), positions.end(), 0);
  std::int32_t last = *rule.padding;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    positions[i] = tokens[i] == *rule.padding ? *rule.padding : ++last;
}

}  // namespace candor
