// The keys of Metaspace, which is a pre-tokenizer and a decoder.
#pragma once
#include <cstdint>
#include <string>

#include "text/reader.h"

namespace candor::text {

struct MetaspaceKeys {
  enum class Prepend : std::uint8_t { kAlways, kFirst, kNever };
  std::string replacement;  // one character
  Prepend prepend = Prepend::kAlways;
  bool split = true;
};
// Old files say add_prefix_space for prepend_scheme, and str_rep beside replacement, which nobody reads.
MetaspaceKeys ReadMetaspaceKeys(const package::Config& config, Problems& problems);

}  // namespace candor::text
