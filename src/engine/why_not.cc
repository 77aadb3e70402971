#include "engine/why_not.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <string_view>

#include "io/json.h"
#include "tasks/registry.h"

namespace candor::engine {
namespace {

Error Unsupported(std::string option, std::string found, std::string allowed) {
  return {Code::kUnsupportedOption, Where::Option(std::move(option)), std::move(found), std::move(allowed),
          Phase::kRequest};
}

// What an option is asked of: the plan, or a request under it.
struct Asked {
  ModelOptions model;
  EmbedRequest request{.inputs = {std::string()}};
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

// The options of embed beside task, precision and device, which the question names itself.
struct OptionRow {
  std::string_view name, allowed;
  bool (*take)(const std::string& value, Asked& asked);
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
    {"dimensions", kNumber,
     [](const std::string& v, Asked& a) { return TakeNumber(v, a.request.dimensions); }},
    {"prompt-name", "",
     [](const std::string& v, Asked& a) { return TakeText(v, a.request.text.prompt_name); }},
    {"prompt", "", [](const std::string& v, Asked& a) { return TakeText(v, a.request.text.prompt); }},
    {"truncate", kFlag, [](const std::string& v, Asked& a) { return TakeFlag(v, a.request.text.truncate); }},
    {"truncate-side", "left, right",
     [](const std::string& v, Asked& a) {
       return TakeFlag(v, a.request.text.truncate_left, "left", "right");
     }},
    // Any number of threads gives the same answer: the plan does not have it.
    {"threads", kNumber,
     [](const std::string& v, Asked&) {
       std::size_t threads = 0;
       return TakeNumber(v, threads);
     }},
};

std::string OptionNames() {
  std::string out;
  for (const OptionRow& row : kOptions) out += (out.empty() ? "" : ", ") + std::string(row.name);
  return out;
}

Asked Take(const WhyNotQuestion& question, Problems& problems) {
  Asked asked{.model = question.model};
  std::set<std::string_view> names;
  for (const auto& [name, value] : question.options) {
    const auto* row = std::ranges::find(kOptions, name, &OptionRow::name);
    if (row == std::end(kOptions))
      problems.push_back(Unsupported(name, value, OptionNames()));
    else if (!names.insert(name).second)
      problems.push_back(Unsupported(name, value + ", after another value", "one value"));
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
    const Result<tasks::Laid> laid =
        draft->task->Lay(tasks::SmallestRequest(asked.model.task, asked.request));
    if (!laid) answer.blockers.push_back(laid.error());
    if (!asked.model.allow_unqualified) add(plan::Unqualified(draft->plan));
  }
  answer.decision = Decide(answer.blockers);
  answer.possible = answer.blockers.empty();
  answer.json = ToJson(question, answer, draft ? &draft->plan : nullptr);
  return answer;
}

}  // namespace candor::engine
