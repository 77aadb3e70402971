// candor plan: the validated load plan, or every reason why there is none.
#include "apps/text_view.h"
#include "apps/verbs.h"

namespace candor::apps {

int RunPlan(const Context& context) {
  const auto engine = context.OpenEngine();
  if (!engine) return Refuse(context, {engine.error()});
  const auto plan = engine.value()->Plan(context.options.model);
  if (!plan) return Refuse(context, plan.error());
  const PlanAnswer& answer = plan.value();
  if (!answer.blockers.empty() && !context.options.model.allow_unqualified)
    return Refuse(context, answer.blockers);
  return PrintAnswer(context, context.options.json ? answer.json : TextView(answer.json));
}

}  // namespace candor::apps
