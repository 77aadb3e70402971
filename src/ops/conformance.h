// The suite that every backend passes: each operation against the reference loops, over sizes around every
// vector width, on misaligned and strided rows, in place where that is allowed, with every epilogue.
//
// Differences are held against bounds derived from the operands themselves: for a sum of k products in any
// order |error| <= gamma(k) * sum |a||b| with gamma(k) = k u / (1 - k u), u = 2^-24 (Higham), carried through
// what follows the sum to first order. Reports through GoogleTest; test programs only.
#pragma once
#include <array>

#include "ops/backend.h"

namespace candor {

// The largest difference / bound seen for each operation; a test writes it beside its expectation. Above 1 is
// a failure and has been reported as one.
using ConformanceRatios = std::array<double, kOpCount>;

ConformanceRatios CheckConformance(const Backend& backend);

}  // namespace candor
