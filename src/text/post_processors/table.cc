// The post-processors that tokenizer.json may name.
#include "text/post_processors/template.h"

namespace candor::text {
namespace {

constexpr ComponentReader<Template> kTable[] = {
    {"BertProcessing", ReadBertProcessing},
    {"TemplateProcessing", ReadTemplateProcessing},
};

}  // namespace

Template ReadPostProcessor(const package::Config& config, Problems& problems) {
  return ReadByType<Template>(config, "post_processor", kTable, problems);
}

std::size_t SpecialCount(const std::vector<TemplatePart>& parts) {
  std::size_t count = 0;
  for (const TemplatePart& part : parts) count += part.ids.size();
  return count;
}

std::int32_t ReadTokenId(const io::Json& value, const Where& place, Problems& problems) {
  if (value.kind() == io::Json::Kind::kInt && value.as_int() >= 0 && value.as_int() < 0x7fffffff) {
    return static_cast<std::int32_t>(value.as_int());
  }
  problems.push_back({Code::kInvalidPackageSchema, place, value.Dump(), "a token id", Phase::kProcessing});
  return 0;
}

}  // namespace candor::text
