// What a tokenizer file or a text may ask for before time and memory stop growing with its size alone.
#pragma once
#include <cstddef>

namespace candor::text {

// Of one text, given or normalised. Beyond it, offsets and the memory of the intermediate forms stop being
// reasonable.
inline constexpr std::size_t kMaxTextBytes = std::size_t{64} << 20;
// How many times longer a file's steps together may make a text: n of "a" to "aa" make it 2^n. This bounds
// the work that one byte of a request costs; memory is bounded by kMaxTextBytes, at which every step stops.
inline constexpr std::size_t kMaxGrowth = 64;
// Of an added token, and of the tokens that a WordPiece vocabulary is asked for: the bytes looked at again
// from every place of a text, which takes 2 s a megabyte at the worst found (400 tokens alike but at the
// end).
inline constexpr std::size_t kMaxMatchBytes = 512;
// Of a regular expression from one place of a text, as PCRE2 counts them (its match limit).
inline constexpr std::size_t kMaxRegexSteps = 1'000'000;

}  // namespace candor::text
