#include "text/templates/chat.h"

#include <algorithm>

namespace candor::text::jinja {
namespace {

using Members = std::vector<std::pair<Value, Value>>;

Error Refused(std::string found, std::string allowed) {
  return {Code::kInvalidInput, Where::Field("messages"), std::move(found), std::move(allowed),
          Phase::kRequest};
}

const Value* Find(const Members& members, std::string_view key) {
  const auto found = std::ranges::find_if(
      members, [&](const auto& member) { return member.first.is_string() && member.first.text() == key; });
  return found == members.end() ? nullptr : &found->second;
}

void Set(Members& members, std::string_view key, const Value& value) {
  for (auto& [own, old] : members)
    if (own.is_string() && own.text() == key) {
      old = value;
      return;
    }
  members.emplace_back(Value::String(std::string(key)), value);
}

Value Prepared(const Value& message) {
  Members out;
  for (const auto& member : message.members())
    if (!member.second.Is(Kind::kNone)) out.push_back(member);
  const Value* reasoning = nullptr;
  for (const std::string_view name : {"reasoning_content", "thinking", "reasoning"})
    if (reasoning == nullptr) reasoning = Find(out, name);
  if (reasoning == nullptr) return Value::Dict(std::move(out));
  // The older name stands in front with its own text, if it has one.
  const Value text = *reasoning, *const older = Find(out, "thinking");
  Members named = {{Value::String("thinking"), older != nullptr ? *older : text}};
  for (const auto& [key, value] : out)
    if (!key.is_string() || key.text() != "thinking") named.emplace_back(key, value);
  Set(named, "reasoning_content", text);
  return Value::Dict(std::move(named));
}

}  // namespace

Value Message(std::string role, std::string content) {
  return Value::Dict({{Value::String("role"), Value::String(std::move(role))},
                      {Value::String("content"), Value::String(std::move(content))}});
}

Result<Value> ChatContext(const Chat& chat) {
  if (chat.messages.empty()) return Refused("no message", "one at least");
  std::vector<Value> messages;
  for (const Value& message : chat.messages) {
    if (!message.Is(Kind::kDict))
      return Refused("a message that is a " + std::string(TypeName(message)),
                     "a dictionary for each message");
    messages.push_back(Prepared(message));
  }
  if (Depth(messages) > kValueDepth)
    return Refused("deeper nesting", "at most " + std::to_string(kValueDepth));
  Members context;
  for (const auto& [name, value] : chat.special_tokens) Set(context, name, value);
  for (const auto& [name, value] : chat.variables) Set(context, name, value);
  for (const std::string_view own : {"messages", "tools", "documents", "add_generation_prompt"})
    if (Find(context, own) != nullptr)
      return Refused("a variable " + std::string(own), "other names for variables and tokens");
  Set(context, "messages", Value::List(std::move(messages)));
  Set(context, "tools", chat.tools);
  Set(context, "documents", chat.documents);
  Set(context, "add_generation_prompt", Value::Bool(chat.add_generation_prompt));
  return Value::Dict(std::move(context));
}

}  // namespace candor::text::jinja
