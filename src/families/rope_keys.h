// Rotary positions in config.json, in both generations of spelling. Frequencies of a type that has no golden
// are refused.
#pragma once
#include <cstddef>

#include "ops/rope.h"
#include "package/config.h"

namespace candor::families {

// `rope` is {"rope_theta": t, "rope_type": "default"}: the object `rope_parameters`, or one of its objects
// per kind of layer. A theta that it leaves out is `fallback_theta`.
Rope ReadRope(const package::Config& rope, double fallback_theta, std::size_t pairs, Problems& problems);

// `rope_parameters` of layers of several kinds is an object of such objects: another key in it is refused.
void CheckRopeKinds(const package::Config& config, Problems& problems);

// A base written at the top level ("rope_theta", "global_rope_theta"): at least 1.
double ReadTheta(const package::Config& config, std::string_view key, double fallback, Problems& problems);

// Half of the columns of a head of `width` / `heads` columns, which must be even.
std::size_t ReadPairs(const package::Config& config, std::string_view heads_key, std::size_t width,
                      std::size_t heads, Problems& problems);

}  // namespace candor::families
