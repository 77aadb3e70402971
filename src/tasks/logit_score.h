// LogitScore: scores of a decoder that answers with a word. The reference is sentence-transformers 6.2's
// module of that name, or, for a causal class without modules.json, what it makes of it: the words yes and
// no.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "package/package.h"
#include "tasks/cross_encoder.h"
#include "text/tokenizer.h"

namespace candor::tasks {

// The score is the logit of a token, or that less the logit of another.
struct LogitTokens {
  std::size_t yes = 0;
  std::optional<std::size_t> no;
};

// What makes the scores of a package that ranks.
enum class ScoredBy : std::uint8_t { kClass, kModules, kNextWord };
ScoredBy HowScored(const package::Package& package, const package::Config& config);

// The tokens, which must be below `vocabulary` (0: not known). The package must be one of kNextWord. Without
// a `tokenizer`, which has problems of its own, words have no tokens.
std::optional<LogitTokens> ReadLogitTokens(const package::Package& package,
                                           const std::shared_ptr<package::ReadLog>& log,
                                           const package::Config& config, const text::Tokenizer* tokenizer,
                                           std::size_t vocabulary, Problems& problems);

std::string Description(const LogitTokens& tokens);

}  // namespace candor::tasks
