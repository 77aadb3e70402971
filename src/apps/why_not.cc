// candor why-not: one question answered. The answer is a success whatever it says.
#include "apps/input.h"
#include "apps/text_view.h"
#include "apps/verbs.h"

namespace candor::apps {

int RunWhyNot(const Context& context) {
  WhyNotQuestion question{.model = context.options.model, .options = context.options.asked};
  for (auto& [name, value] : question.options) {  // as embed's --ranges: the name of a file
    if (name != "ranges") continue;
    const auto text = ReadFileOf("ranges", value);
    if (!text) return Refuse(context, {text.error()});
    value = text.value();
  }
  const auto engine = context.OpenEngine();
  if (!engine) return Refuse(context, {engine.error()});
  const auto answer = engine.value()->WhyNot(question);
  if (!answer) return Refuse(context, answer.error());
  if (context.options.json) return PrintAnswer(context, answer.value().json);
  std::string text = TextView(answer.value().json);
  for (const Error& blocker : answer.value().blockers) text += "because " + Message(blocker) + '\n';
  return PrintAnswer(context, text);
}

}  // namespace candor::apps
