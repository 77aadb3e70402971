// ChatContext: the variables that transformers gives a chat template for a conversation
// (apply_chat_template).
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "candor/result.h"
#include "text/templates/value.h"

namespace candor::text::jinja {

// {"role": role, "content": content}
Value Message(std::string role, std::string content);

struct Chat {
  std::vector<Value> messages;                                     // dictionaries
  std::vector<std::pair<std::string, Value>> special_tokens = {};  // "bos_token" and its text
  std::vector<std::pair<std::string, Value>> variables = {};  // more of the caller's; stronger than tokens
  Value tools = Value::None(), documents = Value::None();     // lists of dictionaries
  bool add_generation_prompt = false;
};
// Messages lose what is null in them, and a reasoning text stands under both names that templates read.
// Refused: no message, a message that is no dictionary.
Result<Value> ChatContext(const Chat& chat);

}  // namespace candor::text::jinja
