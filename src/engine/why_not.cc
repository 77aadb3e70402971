#include "engine/why_not.h"

#include <algorithm>
#include <charconv>

#include "io/json.h"

namespace candor::engine {
namespace {

Error Unsupported(std::string option, std::string found, std::string allowed) {
  return {Code::kUnsupportedOption, Where::Option(std::move(option)), std::move(found), std::move(allowed),
          Phase::kRequest};
}

// The question with its free options put where they belong; options of a request go into `request`.
class Options {
 public:
  Options(const WhyNotQuestion& question, Problems& problems) : model(question.model) {
    for (const auto& [name, value] : question.options) Take(name, value, problems);
  }
  ModelOptions model;
  EmbedRequest request{.inputs = {std::string()}};

 private:
  void Take(const std::string& name, const std::string& value, Problems& problems) {
    if (name == "pooling") {
      model.pooling = value;
    } else if (name == "no-normalize") {
      model.no_normalize = true;
    } else if (name == "max-length") {
      model.max_length = Number(name, value, problems);
    } else if (name == "max-batch-tokens") {
      model.max_batch_tokens = Number(name, value, problems);
    } else if (name == "dimensions") {
      request.dimensions = Number(name, value, problems);
    } else if (name == "prompt-name") {
      request.text.prompt_name = value;
    } else if (name == "prompt") {
      request.text.prompt = value;
    } else {
      problems.push_back(Unsupported(
          name, value,
          "pooling, no-normalize, max-length, max-batch-tokens, dimensions, prompt-name, prompt"));
    }
  }
  static std::size_t Number(const std::string& name, const std::string& value, Problems& problems) {
    std::size_t n = 0;
    const auto r = std::from_chars(value.data(), value.data() + value.size(), n);
    if (r.ec != std::errc() || r.ptr != value.data() + value.size())
      problems.push_back(Unsupported(name, value, "a whole number"));
    return n;
  }
};

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
  for (const auto& [name, value] : question.options) w.Member(name, value);
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
  Options options(question, answer.blockers);
  Planned<plan::Draft> draft = plan::MakeDraft(std::move(package), options.model, machine);
  const auto add = [&](const Problems& more) {
    answer.blockers.insert(answer.blockers.end(), more.begin(), more.end());
  };
  if (!draft) {
    add(draft.error());
  } else {
    const Result<tasks::Laid> laid = draft->task->Lay(Request(options.request));
    if (!laid) answer.blockers.push_back(laid.error());
    if (!options.model.allow_unqualified) add(plan::Unqualified(draft->plan));
  }
  answer.decision = Decide(answer.blockers);
  answer.possible = answer.blockers.empty();
  answer.json = ToJson(question, answer, draft ? &draft->plan : nullptr);
  return answer;
}

}  // namespace candor::engine
