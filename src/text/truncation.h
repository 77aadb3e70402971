// Truncation: how many tokens of each text stay, as the library's "longest_first" decides it. Pure functions.
#pragma once
#include <cstddef>
#include <optional>
#include <utility>

namespace candor::text {

// Tokens to keep of the first and the second text so that both together are at most `room`. The shorter text
// keeps its tokens while the longer gives up its own; with more than half the room each, both get half, and
// the odd one goes to the text that was longer (the second when they are equal).
std::pair<std::size_t, std::size_t> LongestFirst(std::size_t first, std::optional<std::size_t> second,
                                                 std::size_t room);

}  // namespace candor::text
