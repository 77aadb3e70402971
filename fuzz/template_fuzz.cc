// Any bytes as a chat template: refused with problems, or a template that renders or is refused, within small
// limits.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/utf8.h"
#include "text/templates/chat.h"
#include "text/templates/template.h"

using candor::text::jinja::Value;

namespace {

Value Context() {
  const auto json = candor::io::ParseJson(
      R"({"s":"A caf\u00e9, {x} 12","n":-3,"f":2.5,"l":[1,"b",null,[true]],"d":{"a":{"b":[]},"items":2},"e":""})",
      "fuzz");
  auto chat = candor::text::jinja::ChatContext({.messages = {candor::text::jinja::Message("user", " q\n"),
                                                             candor::text::jinja::Message("document", "d")},
                                                .special_tokens = {{"bos_token", Value::String("<s>")}},
                                                .variables = {{"v", *Value::FromJson(*json, "fuzz")}},
                                                .add_generation_prompt = true});
  return *chat;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Value context = Context();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto chat = candor::text::jinja::Template::Parse(text, candor::Where::At("template"));
  if (!chat) {
    if (chat.error().empty()) std::abort();
    for (const candor::Error& error : chat.error())
      if (error.found.empty() || error.allowed.empty() || !candor::IsUtf8(error.found)) std::abort();
    return 0;
  }
  const auto answer = (*chat)->Render(
      context, {.limits = {.steps = 20'000, .output_bytes = 1u << 16, .made_bytes = 1u << 20, .depth = 100}});
  if (answer) {
    if (answer->size() > 1u << 16 || !candor::IsUtf8(*answer)) std::abort();
  } else if (answer.error().found.empty() || answer.error().where.line < 1 ||
             !candor::IsUtf8(answer.error().found)) {
    std::abort();
  }
  return 0;
}
