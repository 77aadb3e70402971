// BertProcessing and RobertaProcessing: cls A sep, and then B sep with type 1, or sep B sep with type 0.
#include "text/post_processors/template.h"

namespace candor::text {
namespace {

void Put(PartList& list, bool front, TemplatePart part, std::int32_t type_id) {
  part.type_id = type_id;
  list.insert(front ? list.begin() : list.end(), std::move(part));
}

class ClsSep : public PostProcessor {
 public:
  ClsSep(TemplatePart cls, TemplatePart sep) : cls_(std::move(cls)), sep_(std::move(sep)) {}

 protected:
  // What other steps marked as special is so no longer.
  static void Unmark(PartList& list) {
    for (TemplatePart& part : list) part.special = false;
  }
  TemplatePart cls_, sep_;
};

class Bert final : public ClsSep {
 public:
  using ClsSep::ClsSep;
  std::size_t Added(bool pair) const override { return pair ? 3 : 2; }
  bool Apply(std::vector<PartList>& lists, bool add_special) const override {
    if (!add_special) return true;
    for (PartList& list : lists) {
      const bool first = &list == &lists.front();
      Unmark(list);
      if (first) Put(list, true, cls_, 0);
      Put(list, false, sep_, first ? 0 : 1);
    }
    return true;
  }
};

class Roberta final : public ClsSep {
 public:
  Roberta(TemplatePart cls, TemplatePart sep, bool trim_offsets, bool add_prefix_space)
      : ClsSep(std::move(cls), std::move(sep)),
        trim_offsets_(trim_offsets),
        add_prefix_space_(add_prefix_space) {}
  std::size_t Added(bool pair) const override { return pair ? 4 : 2; }
  bool Apply(std::vector<PartList>& lists, bool add_special) const override {
    if (trim_offsets_) TrimOffsets(lists, add_prefix_space_);
    for (PartList& list : lists) {
      for (TemplatePart& part : list) part.type_id = 0;
      if (!add_special) continue;
      Unmark(list);
      Put(list, true, &list == &lists.front() ? cls_ : sep_, 0);
      Put(list, false, sep_, 0);
    }
    return true;
  }

 private:
  bool trim_offsets_, add_prefix_space_;
};

}  // namespace

TemplatePart ReadNamedToken(const package::Config& config, std::string_view key, Problems& problems) {
  const io::Json* value = config.Raw(key);
  if (value == nullptr || !value->is_array() || value->items().size() != 2 ||
      !value->items()[0].is_string()) {
    problems.push_back({Code::kInvalidPackageSchema, config.At(key),
                        value == nullptr ? "nothing" : value->Dump(), "[token, id]", Phase::kProcessing});
    return {};
  }
  return {.ids = {ReadTokenId(value->items()[1], config.At(key), problems)},
          .tokens = {std::string(value->items()[0].as_string())},
          .special = true};
}

PostProcessorPtr ReadBertProcessing(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"sep", "cls"}, problems);
  TemplatePart cls = ReadNamedToken(config, "cls", problems);
  return std::make_unique<Bert>(std::move(cls), ReadNamedToken(config, "sep", problems));
}

PostProcessorPtr ReadRobertaProcessing(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"sep", "cls", "trim_offsets", "add_prefix_space"}, problems);
  TemplatePart cls = ReadNamedToken(config, "cls", problems);
  TemplatePart sep = ReadNamedToken(config, "sep", problems);
  const bool trim_offsets = RequiredFlag(config, "trim_offsets", problems);
  const bool add_prefix_space = RequiredFlag(config, "add_prefix_space", problems);
  return std::make_unique<Roberta>(std::move(cls), std::move(sep), trim_offsets, add_prefix_space);
}

}  // namespace candor::text
