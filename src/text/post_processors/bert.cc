// BertProcessing: cls A sep, and cls A sep B sep with type 1 from B on.
#include <string>

#include "text/post_processors/template.h"

namespace candor::text {
namespace {

// ["[SEP]", 102]
std::int32_t ReadNamedId(const package::Config& config, std::string_view key, Problems& problems) {
  const io::Json* value = config.Raw(key);
  if (value == nullptr || !value->is_array() || value->items().size() != 2 ||
      !value->items()[0].is_string()) {
    problems.push_back({Code::kInvalidPackageSchema, config.At(key),
                        value == nullptr ? "nothing" : value->Dump(), "[token, id]", Phase::kProcessing});
    return 0;
  }
  return ReadTokenId(value->items()[1], config.At(key), problems);
}

}  // namespace

Template ReadBertProcessing(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"sep", "cls"}, problems);
  const TemplatePart cls = {-1, {ReadNamedId(config, "cls", problems)}, 0};
  const TemplatePart sep = {-1, {ReadNamedId(config, "sep", problems)}, 0};
  const TemplatePart first = {0, {}, 0}, second = {1, {}, 1}, last = {-1, sep.ids, 1};
  return {{cls, first, sep}, {cls, first, sep, second, last}};
}

}  // namespace candor::text
