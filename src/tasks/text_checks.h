// What a package's tokenizer and its model must agree on, whatever the task. Internal to the room.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "model/input_rule.h"
#include "tasks/text_rules.h"
#include "text/tokenizer.h"

namespace candor::tasks {

// Every id and token type that a text can become must have a row. Vocabulary and added tokens are known by
// their largest id; what the template adds is seen in a text. `file` is the tokenizer's.
void CheckRows(const text::Tokenizer& tokenizer, const std::string& file, const InputRule& input,
               Problems& problems);

// The package's limit, and the one that was asked for, must leave room and be such as kernels take.
void CheckLimit(const text::Tokenizer& tokenizer, const Limit& package, std::optional<std::size_t> asked,
                Problems& problems);

}  // namespace candor::tasks
