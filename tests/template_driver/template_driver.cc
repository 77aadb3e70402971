// template_driver: reads JSON Lines, renders templates. For comparisons only.
//
// {"template": text, "context": {…}} is answered with {"text": …}, or with the code, line and sentence of the
// first problem. The moment of strftime_now is 26 July 2024, 9:05:07.
#include <iostream>
#include <string>

#include "io/json.h"
#include "text/templates/template.h"

namespace {

using namespace candor;
using text::jinja::Template;
using text::jinja::Value;

std::string Refused(const Error& error) {
  io::JsonWriter out;
  out.BeginObject().Member("code", Info(error.code).name).Key("line").Int(error.where.line);
  out.Member("found", error.found).Member("allowed", error.allowed);
  return out.EndObject().Take();
}

std::string Answer(const io::Json& request) {
  const auto chat = Template::Parse(request.Find("template")->as_string(), Where::At("template"));
  if (!chat) return Refused(chat.error()[0]);
  const auto context = Value::FromJson(*request.Find("context"), "context");
  if (!context) return Refused(context.error());
  const auto text = (*chat)->Render(
      *context,
      {.now = text::jinja::Moment{.year = 2024, .month = 7, .day = 26, .hour = 9, .minute = 5, .second = 7}});
  if (!text) return Refused(text.error());
  io::JsonWriter out;
  return out.BeginObject().Member("text", *text).EndObject().Take();
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto request = io::ParseJson(line, "request");
    if (!request) {
      std::cerr << Message(request.error()) << '\n';
      return 1;
    }
    std::cout << Answer(*request) << '\n' << std::flush;
  }
}
