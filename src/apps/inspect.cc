// candor inspect: the inventory of a package. Its problems are part of the answer, so finding some is no
// failure.
#include "apps/text_view.h"
#include "apps/verbs.h"

namespace candor::apps {

int RunInspect(const Context& context) {
  const auto engine = context.OpenEngine();
  if (!engine) return Refuse(context, {engine.error()});
  const auto json = engine.value()->InspectJson(context.options.model.path);
  if (!json) return Refuse(context, json.error());
  return PrintAnswer(context, context.options.json ? json.value() : TextView(json.value()));
}

}  // namespace candor::apps
