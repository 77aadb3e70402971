// The post-processors that tokenizer.json may name, and what they share.
#include "text/post_processors/template.h"
#include "text/pre_tokenizers/byte_level.h"

namespace candor::text {
namespace {

constexpr ComponentReader<PostProcessorPtr> kTable[] = {
    {"BertProcessing", ReadBertProcessing},         {"ByteLevel", ReadByteLevelProcessing},
    {"RobertaProcessing", ReadRobertaProcessing},   {"Sequence", ReadPostProcessorSequence},
    {"TemplateProcessing", ReadTemplateProcessing},
};

// Every text is written out once for each of its parts, and every request goes through all parts.
constexpr std::size_t kMaxTexts = 64, kMaxSpecials = 65536;

bool IsReasonable(const std::vector<PartList>& lists) {
  std::size_t texts = 0, parts = 0, specials = 0;
  for (const PartList& list : lists) {
    for (const TemplatePart& part : list) {
      texts += part.text >= 0;
      parts += 1 + part.trims.size();
      specials += part.ids.size();
    }
  }
  return texts <= kMaxTexts && parts <= kMaxTemplateParts && specials <= kMaxSpecials;
}

class Sequence final : public PostProcessor {
 public:
  explicit Sequence(std::vector<PostProcessorPtr> steps) : steps_(std::move(steps)) {}
  std::size_t Added(bool pair) const override {
    std::size_t count = 0;
    for (const PostProcessorPtr& step : steps_) count += step->Added(pair);
    return count;
  }
  bool Apply(std::vector<PartList>& lists, bool add_special) const override {
    for (const PostProcessorPtr& step : steps_) {
      if (!step->Apply(lists, add_special) || !IsReasonable(lists)) return false;
    }
    return true;
  }

 private:
  std::vector<PostProcessorPtr> steps_;
};

class ByteLevel final : public PostProcessor {
 public:
  explicit ByteLevel(const ByteLevelKeys& keys) : keys_(keys) {}
  std::size_t Added(bool) const override { return 0; }
  bool Apply(std::vector<PartList>& lists, bool) const override {
    if (keys_.trim_offsets) TrimOffsets(lists, keys_.add_prefix_space);
    return true;
  }

 private:
  ByteLevelKeys keys_;
};

}  // namespace

PostProcessorPtr ReadPostProcessorStep(const package::Config& config, Problems& problems) {
  return ReadByType<PostProcessorPtr>(config, "post_processor", kTable, problems);
}

PostProcessorPtr ReadByteLevelProcessing(const package::Config& config, Problems& problems) {
  return std::make_unique<ByteLevel>(ReadByteLevelKeys(config, problems));
}

PostProcessorPtr ReadPostProcessorSequence(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"processors"}, problems);
  if (!config.Has("processors")) RefuseAbsent(config, "processors", "a list of post-processors", problems);
  std::vector<PostProcessorPtr> steps;
  for (const package::Config& item : config.Items("processors", problems)) {
    if (PostProcessorPtr step = ReadPostProcessorStep(item, problems)) steps.push_back(std::move(step));
  }
  return std::make_unique<Sequence>(std::move(steps));
}

Template ReadPostProcessor(const package::Config& config, Problems& problems) {
  Template out;
  const std::size_t before = problems.size();
  const PostProcessorPtr step = ReadPostProcessorStep(config, problems);
  if (step == nullptr || problems.size() != before) return out;
  for (const bool pair : {false, true}) {
    PartList* const cases = pair ? out.pair : out.single;
    out.added[pair] = step->Added(pair);
    for (const bool add_special : {false, true}) {
      std::vector<PartList> lists;
      for (TemplatePart& part : cases[add_special]) lists.push_back({std::move(part)});
      if (!step->Apply(lists, add_special) || !IsReasonable(lists)) {
        Refuse(config, "type",
               "steps that the library cannot take one after the other, or with too many parts",
               "a TemplateProcessing only where one or two lists are left, 64 texts, 4096 parts", problems);
        return Template();
      }
      cases[add_special].clear();
      for (PartList& list : lists) {
        for (TemplatePart& part : list) cases[add_special].push_back(std::move(part));
      }
    }
  }
  return out;
}

bool Template::Trims() const {
  for (const PartList* parts : {&single[0], &single[1], &pair[0], &pair[1]}) {
    for (const TemplatePart& part : *parts) {
      if (!part.trims.empty()) return true;
    }
  }
  return false;
}

void TrimOffsets(std::vector<PartList>& lists, bool add_prefix_space) {
  for (PartList& list : lists) {
    for (TemplatePart& part : list) {
      // Special tokens stand at (0, 0), where there is nothing to take away.
      if (part.text >= 0) part.trims.push_back({add_prefix_space, &part == &list.front()});
    }
  }
}

std::int32_t ReadTokenId(const io::Json& value, const Where& place, Problems& problems) {
  if (value.kind() == io::Json::Kind::kInt && value.as_int() >= 0 && value.as_int() < 0x7fffffff) {
    return static_cast<std::int32_t>(value.as_int());
  }
  problems.push_back({Code::kInvalidPackageSchema, place, value.Dump(), "a token id", Phase::kProcessing});
  return 0;
}

}  // namespace candor::text
