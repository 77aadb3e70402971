// Template: what a post-processor does, as data: which texts and which special tokens stand in what order.
//
// Every post-processor read so far is one of these. Immutable; any number of threads.
#pragma once
#include <cstdint>
#include <vector>

#include "text/reader.h"

namespace candor::text {

struct TemplatePart {
  std::int32_t text = -1;         // 0 the first text, 1 the second, -1 special tokens
  std::vector<std::int32_t> ids;  // of the special tokens
  std::int32_t type_id = 0;
};

struct Template {
  std::vector<TemplatePart> single = {{0, {}, 0}};
  std::vector<TemplatePart> pair = {{0, {}, 0}, {1, {}, 1}};
};
std::size_t SpecialCount(const std::vector<TemplatePart>& parts);

Template ReadPostProcessor(const package::Config& config, Problems& problems);
Template ReadTemplateProcessing(const package::Config& config, Problems& problems);
Template ReadBertProcessing(const package::Config& config, Problems& problems);

// A special token's id as the file writes it.
std::int32_t ReadTokenId(const io::Json& value, const Where& place, Problems& problems);

}  // namespace candor::text
