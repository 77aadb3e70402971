// candor why-not: one question answered. The answer is a success whatever it says.
#include "apps/text_view.h"
#include "apps/verbs.h"

namespace candor::apps {

int RunWhyNot(const Context& context) {
  const auto engine = context.OpenEngine();
  if (!engine) return Refuse(context, {engine.error()});
  const auto answer =
      engine.value()->WhyNot({.model = context.options.model, .options = context.options.asked});
  if (!answer) return Refuse(context, answer.error());
  if (context.options.json) return PrintAnswer(context, answer.value().json);
  std::string text = TextView(answer.value().json);
  for (const Error& blocker : answer.value().blockers) text += "because " + Message(blocker) + '\n';
  return PrintAnswer(context, text);
}

}  // namespace candor::apps
