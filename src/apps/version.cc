// candor version: what this build is and what it found on this machine.
#include "apps/text_view.h"
#include "apps/verbs.h"

namespace candor::apps {

int RunVersion(const Context& context) {
  const auto engine = context.OpenEngine();
  if (!engine) return Refuse(context, {engine.error()});
  const std::string json = engine.value()->VersionJson();
  return PrintAnswer(context, context.options.json ? json : VersionText() + "\n\n" + TextView(json));
}

}  // namespace candor::apps
