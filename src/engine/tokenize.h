// One text or pair as ids with their tokens and offsets, under a model's length limit.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

#include "candor/types.h"
#include "text/tokenizer.h"

namespace candor::engine {

Result<TokenizedText> Tokenize(const text::Tokenizer& tokenizer, std::size_t limit, std::string_view text,
                               std::optional<std::string_view> pair, const TextOptions& options);

}  // namespace candor::engine
