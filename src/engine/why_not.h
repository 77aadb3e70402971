// why-not: one combination of package, task, device, precision and options, and everything that stands in its
// way (SPEC CAP-07, CAP-08). Plans, and lays out an empty text to ask the task about request options; loads
// nothing.
#pragma once
#include "candor/engine.h"
#include "plan/planner.h"

namespace candor::engine {

WhyNotAnswer AnswerWhyNot(std::shared_ptr<const package::Package> package, const WhyNotQuestion& question,
                          const plan::Machine& machine);

}  // namespace candor::engine
