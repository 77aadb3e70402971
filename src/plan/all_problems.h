// The problems of one answer: those of the package's files and those found on top of them, each fault once.
#pragma once
#include "package/package.h"

namespace candor::plan {

// `found` by options, family, task and matching, beside the package's own. By stage, then in the order found.
// A damaged file makes those after it find less; what only follows from such damage is left out.
Problems AllProblems(const package::Package& package, Problems found);

}  // namespace candor::plan
