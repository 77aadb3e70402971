#include "engine/why_not.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <string_view>

#include "io/json.h"
#include "io/two_lists.h"
#include "tasks/aggregate.h"
#include "tasks/quantize.h"
#include "tasks/registry.h"
#include "tasks/text_rules.h"

namespace candor::engine {
namespace {

Error Unsupported(std::string option, std::string found, std::string allowed) {
  return {Code::kUnsupportedOption, Where::Option(std::move(option)), std::move(found), std::move(allowed),
          Phase::kRequest};
}

// What an option is asked of: the plan, or a request under it.
struct Asked {
  ModelOptions model;
  Request request = tasks::SmallestRequest(model.task);
  TextOptions& text() {
    return std::visit([](auto& r) -> TextOptions& { return r.text; }, request);
  }
};

template <class Target>
bool TakeNumber(const std::string& value, Target& target) {
  std::size_t n = 0;
  const char* const end = value.data() + value.size();
  const auto r = std::from_chars(value.data(), end, n);
  if (r.ec != std::errc() || r.ptr != end || n == 0) return false;
  target = n;
  return true;
}
template <class Target>
bool TakeFlag(const std::string& value, Target& target, std::string_view yes = "true",
              std::string_view no = "false") {
  if (value == yes) target = true;
  if (value == no) target = false;
  return value == yes || value == no;
}
template <class Target>
bool TakeText(const std::string& value, Target& target) {
  target = value;
  return true;
}
// One of an enumeration's first values, by its name.
template <class Value, class Target>
bool TakeName(const std::string& value, Value last, Target& target) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (tasks::Name(static_cast<Value>(i)) != value) continue;
    target = static_cast<Value>(i);
    return true;
  }
  return false;
}
bool TakeRanges(const std::string& value, std::vector<float>& target) {
  auto ranges = io::ParseTwoLists(value, "ranges");
  if (ranges) target = std::move(ranges).value();
  return static_cast<bool>(ranges);
}
// Of requests of one task alone.
template <class OfTask>
bool Is(const Request& request) {
  return std::holds_alternative<OfTask>(request);
}
bool Any(const Request&) { return true; }

// The options beside task, precision and device, which the question names itself. `of` says which requests
// have it; `task` names theirs.
struct OptionRow {
  std::string_view name, allowed;
  bool (*take)(const std::string& value, Asked& asked);
  std::string_view task = {};
  bool (*of)(const Request& request) = Any;
};
constexpr std::string_view kNumber = "a whole number above 0", kFlag = "true, false";
const OptionRow kOptions[] = {
    {"pooling", "", [](const std::string& v, Asked& a) { return TakeText(v, a.model.pooling); }},
    {"no-normalize", kFlag, [](const std::string& v, Asked& a) { return TakeFlag(v, a.model.no_normalize); }},
    {"max-length", kNumber, [](const std::string& v, Asked& a) { return TakeNumber(v, a.model.max_length); }},
    {"max-batch-tokens", kNumber,
     [](const std::string& v, Asked& a) { return TakeNumber(v, a.model.max_batch_tokens); }},
    {"allow-unqualified", kFlag,
     [](const std::string& v, Asked& a) { return TakeFlag(v, a.model.allow_unqualified); }},
    {"prompt-name", "", [](const std::string& v, Asked& a) { return TakeText(v, a.text().prompt_name); }},
    {"prompt", "", [](const std::string& v, Asked& a) { return TakeText(v, a.text().prompt); }},
    {"role", "query, document",
     [](const std::string& v, Asked& a) { return TakeName(v, TextRole::kDocument, a.text().role); }},
    {"truncate", kFlag, [](const std::string& v, Asked& a) { return TakeFlag(v, a.text().truncate); }},
    {"truncate-side", "left, right",
     [](const std::string& v, Asked& a) { return TakeFlag(v, a.text().truncate_left, "left", "right"); }},
    {"split-special-tokens", kFlag,
     [](const std::string& v, Asked& a) { return TakeFlag(v, a.text().split_special_tokens); }},
    // Any number of threads gives the same answer: the plan does not have it.
    {"threads", kNumber,
     [](const std::string& v, Asked&) {
       std::size_t threads = 0;
       return TakeNumber(v, threads);
     }},
    {"dimensions", kNumber,
     [](const std::string& v, Asked& a) {
       return TakeNumber(v, std::get<EmbedRequest>(a.request).dimensions);
     },
     "embed", Is<EmbedRequest>},
    {"adapter", "",
     [](const std::string& v, Asked& a) { return TakeText(v, std::get<EmbedRequest>(a.request).adapter); },
     "embed", Is<EmbedRequest>},
    {"embedding-type", "float32, int8, uint8, binary, ubinary",
     [](const std::string& v, Asked& a) {
       return TakeName(v, VectorType::kUbinary, std::get<EmbedRequest>(a.request).type);
     },
     "embed", Is<EmbedRequest>},
    {"ranges", "JSON: [[least of each dimension], [most of each]]",
     [](const std::string& v, Asked& a) { return TakeRanges(v, std::get<EmbedRequest>(a.request).ranges); },
     "embed", Is<EmbedRequest>},
    {"max-active-dims", kNumber,
     [](const std::string& v, Asked& a) {
       return TakeNumber(v, std::get<SparseRequest>(a.request).max_active);
     },
     "embed-sparse", Is<SparseRequest>},
    {"aggregate", "none, simple, first, average, max",
     [](const std::string& v, Asked& a) {
       return TakeName(v, Aggregation::kMax, std::get<TokenClassifyRequest>(a.request).aggregation);
     },
     "classify-tokens", Is<TokenClassifyRequest>},
    // Which of the scores are named: none is computed otherwise.
    {"top-n", kNumber,
     [](const std::string& v, Asked&) {
       std::size_t n = 0;
       return TakeNumber(v, n);
     },
     "rerank", Is<RerankRequest>},
};

std::string OptionNames(const Request& request) {
  std::string out;
  for (const OptionRow& row : kOptions)
    if (row.of(request)) out += (out.empty() ? "" : ", ") + std::string(row.name);
  return out;
}

Asked Take(const WhyNotQuestion& question, Problems& problems) {
  Asked asked{.model = question.model};
  std::set<std::string_view> names;
  for (const auto& [name, value] : question.options) {
    const auto* row = std::ranges::find(kOptions, name, &OptionRow::name);
    if (row == std::end(kOptions))
      problems.push_back(Unsupported(name, value, OptionNames(asked.request)));
    else if (!names.insert(name).second)
      problems.push_back(Unsupported(name, value + ", after another value", "one value"));
    else if (!row->of(asked.request))
      problems.push_back(Unsupported(name, value + ", with " + question.model.task,
                                     "none: an option of " + std::string(row->task) + " alone"));
    else if (!row->take(value, asked))
      problems.push_back(Unsupported(name, value, std::string(row->allowed)));
  }
  return asked;
}

// Damage leaves the question open; a missing feature answers it; missing evidence is neither (SPEC CAP-03).
std::string Decide(const Problems& blockers) {
  if (blockers.empty()) return "eligible";
  const auto is_class = [](const Error& e, std::string_view start) {
    return Info(e.code).class_name.starts_with(start);
  };
  if (std::ranges::any_of(blockers, [&](const Error& e) { return is_class(e, "artifact"); }))
    return "unknown";
  if (std::ranges::all_of(blockers, [](const Error& e) { return e.code == Code::kUnqualifiedCase; }))
    return "unqualified";
  return "unsupported";
}

std::string ToJson(const WhyNotQuestion& question, const WhyNotAnswer& answer, const plan::Plan* plan) {
  io::JsonWriter w;
  w.BeginObject().Member("schema", "candor.why-not/v1").Key("question").BeginObject();
  w.Member("task", question.model.task).Member("precision", question.model.precision);
  w.Member("device", question.model.device).Key("options").BeginObject();
  std::set<std::string_view> names;
  for (const auto& [name, value] : question.options)
    if (names.insert(name).second) w.Member(name, value);
  w.EndObject().EndObject();
  w.Member("decision", answer.decision).Member("possible", answer.possible).Key("blockers").BeginArray();
  for (const Error& e : answer.blockers) w.Raw(ErrorJson(e));
  w.EndArray().Key("evidence").BeginArray();
  if (plan != nullptr) {
    for (const package::Evidence& e : plan->evidence) {
      if (!e.choice) continue;
      w.BeginObject().Member("fact", e.fact).Member("value", e.value).Member("file", e.file);
      w.Member("pointer", e.pointer).EndObject();
    }
  }
  w.EndArray().EndObject();
  return w.Take();
}

}  // namespace

WhyNotAnswer AnswerWhyNot(std::shared_ptr<const package::Package> package, const WhyNotQuestion& question,
                          const plan::Machine& machine) {
  WhyNotAnswer answer;
  const Asked asked = Take(question, answer.blockers);
  Planned<plan::Draft> draft = plan::MakeDraft(std::move(package), asked.model, machine);
  const auto add = [&](const Problems& more) {
    answer.blockers.insert(answer.blockers.end(), more.begin(), more.end());
  };
  if (!draft) {
    add(draft.error());
  } else {
    const Result<tasks::Laid> laid = draft->task->Lay(asked.request);
    if (!laid) answer.blockers.push_back(laid.error());
    if (!asked.model.allow_unqualified) add(plan::Unqualified(draft->plan));
  }
  answer.decision = Decide(answer.blockers);
  answer.possible = answer.blockers.empty();
  answer.json = ToJson(question, answer, draft ? &draft->plan : nullptr);
  return answer;
}

}  // namespace candor::engine
