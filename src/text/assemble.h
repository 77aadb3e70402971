// What is left of the texts, and the special tokens around it, as one encoding: the last step of encoding.
//
// Pure functions.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "text/blanks.h"
#include "text/post_processors/template.h"
#include "text/tokenizer.h"

namespace candor::text {

// One text as tokens, before truncation. All but the ids are there only if they are needed.
struct Tokens {
  std::vector<std::int32_t> ids;
  std::vector<Offset> offsets;
  std::vector<Blanks> blanks;  // when the post-processor trims offsets
  std::vector<std::string> names;
};

// Tokens [begin, begin + count) of a text stay.
struct Kept {
  std::size_t begin = 0, count = 0;
};

Encoding Assemble(std::span<const TemplatePart> parts, std::span<const Tokens> texts,
                  std::span<const Kept> kept, const EncodeOptions& options);

}  // namespace candor::text
