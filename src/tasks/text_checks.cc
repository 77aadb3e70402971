#include "tasks/text_checks.h"

#include <algorithm>

#include "tensor/batch.h"

namespace candor::tasks {
namespace {

void Mismatch(Where where, std::string found, std::string allowed, Problems& problems) {
  problems.push_back({Code::kPreprocessingContractMismatch, std::move(where), std::move(found),
                      std::move(allowed), Phase::kProcessing});
}

}  // namespace

void CheckRows(const text::Tokenizer& tokenizer, const std::string& file, const InputRule& input,
               Problems& problems) {
  const std::string rows = "ids below " + std::to_string(input.vocabulary) + ", the rows of the token table";
  const std::size_t vocabulary = tokenizer.facts().vocabulary;
  if (vocabulary > input.vocabulary) {
    const std::string token(tokenizer.TokenOf(static_cast<std::int32_t>(vocabulary - 1)));
    Mismatch(Where::At(file), "id " + std::to_string(vocabulary - 1) + " of \"" + token + "\"", rows,
             problems);
  }
  const Result<text::Encoding> encoded = tokenizer.Encode("a");
  if (!encoded) return;
  const Where where = Where::At(file, "/post_processor");
  for (std::size_t i = 0; i < encoded->ids.size(); ++i) {
    const std::int64_t id = encoded->ids[i], type = encoded->type_ids[i];
    const auto outside = [](std::int64_t value, std::size_t count) {
      return value < 0 || static_cast<std::size_t>(value) >= count;
    };
    if (encoded->special[i] != 0 && outside(id, input.vocabulary))
      return Mismatch(where, "id " + std::to_string(id), rows, problems);
    if (input.segments != 0 && outside(type, input.segments)) {
      return Mismatch(where, "token type " + std::to_string(type),
                      "token types below " + std::to_string(input.segments), problems);
    }
  }
}

void CheckLimit(const text::Tokenizer& tokenizer, const Limit& package, std::optional<std::size_t> asked,
                Problems& problems) {
  const std::size_t least = LeastLength(tokenizer);
  if (!asked && package.tokens > kLongestSequence) {
    problems.push_back({Code::kUnsupportedProcessorRecipe, package.where,
                        "texts of " + std::to_string(package.tokens) + " tokens",
                        "at most " + std::to_string(kLongestSequence) + "; --max-length cuts texts earlier",
                        Phase::kProcessing});
  } else if (package.tokens < least) {
    problems.push_back({Code::kUnsupportedProcessorRecipe, package.where,
                        "a limit of " + std::to_string(package.tokens) + " tokens",
                        "room for the special tokens, " + std::to_string(least), Phase::kProcessing});
  } else if (asked) {
    const std::size_t most = std::min(package.tokens, kLongestSequence);
    if (const auto fits = CheckMaxLength(*asked, tokenizer, most); !fits) problems.push_back(fits.error());
  }
}

}  // namespace candor::tasks
