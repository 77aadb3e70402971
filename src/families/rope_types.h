// Rotary positions of every type that transformers' decoders share, in both generations of spelling:
// `rope_parameters`, or `rope_scaling` and `rope_theta`. Reference: transformers 5.24,
// modeling_rope_utils.py; tables are rounded to f32 where they are there.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "ops/rope.h"
#include "package/config.h"

namespace candor::families {

struct RopeFacts {
  double theta = 10000;                              // of the class, where config.json says none
  std::size_t pairs = 0;                             // of a head
  std::size_t max_length = 0;                        // max_position_embeddings
  double part = 1;                                   // partial_rotary_factor, where the family has read it
  std::span<const std::string_view> more_keys = {};  // of the object, which the family reads itself
  std::string_view theta_key = "rope_theta";         // at the top level
};

// default, linear, dynamic, yarn, longrope or llama3, whichever the package says; logged as the choice
// "rope_type". A rope_scaling that is there stands in the place of rope_parameters in the reference; here the
// two must say the same, as must a theta and an original length that are written twice.
Rope ReadRopeOfAnyType(const package::Config& config, const RopeFacts& facts, Problems& problems);

// The rotation that one object says: that of some layers.
Rope ReadRopeOfObject(const package::Config& config, const package::Config& own, const RopeFacts& facts,
                      Problems& problems);

// The object that says it: rope_scaling, rope_parameters, or none.
std::optional<package::Config> RopeObject(const package::Config& config, Problems& problems);

}  // namespace candor::families
