// The keys of ByteLevel, which is a pre-tokenizer, a post-processor and a decoder.
#pragma once
#include "text/reader.h"

namespace candor::text {

struct ByteLevelKeys {
  bool add_prefix_space = true, trim_offsets = true, use_regex = true;
};
ByteLevelKeys ReadByteLevelKeys(const package::Config& config, Problems& problems);

}  // namespace candor::text
