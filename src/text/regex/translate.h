// Translation: a regular expression in Oniguruma's Ruby syntax as one over bytes that PCRE2 understands.
//
// The code points that a pattern cannot tell apart are one class, numbered from 0 to 255, and the translated
// pattern matches the text of those numbers. So PCRE2 needs no idea of Unicode, which it would have from
// another version, and tests a set by one look-up. What is not sure to mean the same is refused. Pure
// functions.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "candor/result.h"

namespace candor::text {

// From a code point to the number of its class.
struct ClassMap {
  static constexpr std::uint32_t kBlock = 128;
  std::array<std::uint8_t, kBlock> ascii{};
  std::vector<std::uint16_t> block_of;  // by code point / kBlock
  std::vector<std::array<std::uint8_t, kBlock>> blocks;
  std::uint8_t Of(char32_t c) const {
    return c < kBlock ? ascii[c] : blocks[block_of[c / kBlock]][c % kBlock];
  }
};

struct Translation {
  std::string pattern;
  ClassMap classes;
};

// What of a pattern is not supported, and what is.
struct PatternRefusal {
  std::string found, allowed;
};

Result<Translation, PatternRefusal> Translate(std::string_view pattern);

}  // namespace candor::text
