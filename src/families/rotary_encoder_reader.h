// The fields of RotaryEncoderSpec that every member reads from the same keys of config.json, and the rules of
// keys that its members share.
#pragma once
#include <cstddef>
#include <string_view>

#include "families/rotary_encoder.h"

namespace candor::families {

// Of a member's config class.
struct RotaryEncoderDefaults {
  std::size_t vocabulary, width, inner, layers, heads, max_length;
  double eps;
};

// Everything but what layers differ in: they are as many as there should be, and no more is said of them.
RotaryEncoderSpec ReadRotaryEncoder(const package::Config& config, const RotaryEncoderDefaults& defaults,
                                    Problems& problems);

inline constexpr NeutralKey kRotaryEncoderNeutral[] = {
    {"rope_scaling", "null"},
    {"partial_rotary_factor", "1 | null"},
    {"is_causal", "false | null"},
};

}  // namespace candor::families
