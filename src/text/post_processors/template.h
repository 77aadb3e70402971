// Template: what a post-processor makes of one text or of two, as data: which tokens stand in what order.
//
// A post-processor of the file is a step on lists of parts; all of them are run once, when the file is read,
// for every case. Immutable; any number of threads.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "text/reader.h"

namespace candor::text {

// Blanks at the ends of tokens are taken out of their offsets. The one blank that add_prefix_space put in
// front of the first token is no part of the text and stays; `at_front` is whether the text begins its list.
struct OffsetTrim {
  bool add_prefix_space = false, at_front = false;
};

struct TemplatePart {
  std::int32_t text = -1;  // 0 the first text, 1 the second, -1 special tokens
  std::vector<std::int32_t> ids = {};
  std::vector<std::string> tokens = {};  // of the special tokens
  std::int32_t type_id = 0;
  bool special = false;                // what the mask says
  std::vector<OffsetTrim> trims = {};  // of the text, one after the other
};
inline constexpr std::size_t kMaxTemplateParts = 4096;
using PartList = std::vector<TemplatePart>;

struct Template {
  // Without special tokens and with them.
  PartList single[2] = {{{.text = 0}}, {{.text = 0}}};
  PartList pair[2] = {{{.text = 0}, {.text = 1, .type_id = 1}}, {{.text = 0}, {.text = 1, .type_id = 1}}};
  // Special tokens as truncation counts them, for one text and for two: what the steps say, not what they do.
  std::size_t added[2] = {0, 0};
  bool Trims() const;
};

class PostProcessor {
 public:
  virtual ~PostProcessor() = default;
  virtual std::size_t Added(bool pair) const = 0;
  // A list for each text, to begin with. False where the library stops the process.
  virtual bool Apply(std::vector<PartList>& lists, bool add_special) const = 0;
};
using PostProcessorPtr = std::unique_ptr<const PostProcessor>;

Template ReadPostProcessor(const package::Config& config, Problems& problems);

PostProcessorPtr ReadPostProcessorStep(const package::Config& config, Problems& problems);
PostProcessorPtr ReadTemplateProcessing(const package::Config& config, Problems& problems);
PostProcessorPtr ReadBertProcessing(const package::Config& config, Problems& problems);
PostProcessorPtr ReadRobertaProcessing(const package::Config& config, Problems& problems);
PostProcessorPtr ReadByteLevelProcessing(const package::Config& config, Problems& problems);
PostProcessorPtr ReadPostProcessorSequence(const package::Config& config, Problems& problems);

// A special token's id as the file writes it, and ["[SEP]", 102].
std::int32_t ReadTokenId(const io::Json& value, const Where& place, Problems& problems);
TemplatePart ReadNamedToken(const package::Config& config, std::string_view key, Problems& problems);

void TrimOffsets(std::vector<PartList>& lists, bool add_prefix_space);

}  // namespace candor::text
