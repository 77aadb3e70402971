// Truncation: how many tokens of each text stay. Pure functions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "candor/result.h"

namespace candor::text {

// The library's strategies. `kLongestFirst`: the shorter text keeps its tokens while the longer gives up its
// own; with more than half the room each, both get half, and the odd one goes to the text that was longer
// (the second when they are equal). The others cut one text alone, which must not lose all of it.
enum class TruncationStrategy : std::uint8_t { kLongestFirst, kOnlyFirst, kOnlySecond };

// Tokens to keep of the first and the second text so that both together are at most `room`. No room leaves
// nothing of either, by any strategy.
Result<std::pair<std::size_t, std::size_t>> Truncate(std::size_t first, std::optional<std::size_t> second,
                                                     std::size_t room, TruncationStrategy strategy);

}  // namespace candor::text
