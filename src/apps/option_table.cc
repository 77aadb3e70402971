// The table of options: names, help, and how each value is checked. In the order the help shows them.
#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>

#include "apps/options.h"

namespace candor::apps {
namespace {

using Set = Result<void>;

Error Wrong(const char* option, const std::string& found, std::string allowed) {
  return {Code::kUnsupportedOption, Where::Option(option), '"' + found + '"', std::move(allowed)};
}

template <class Number>
Result<Number> ReadNumber(const char* option, std::string_view text, Number low, Number high) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) {
    return Wrong(option, std::string(text),
                 "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

template <class Number, class Target>
Set Store(const char* option, const std::string& text, Number low, Number high, Target& target) {
  CANDOR_TRY(const Number value, ReadNumber<Number>(option, text, low, high));
  target = value;
  return {};
}

Set Choice(const char* option, const std::string& value, std::initializer_list<std::string_view> allowed,
           std::string& target) {
  std::string names;
  for (const std::string_view name : allowed) {
    if (name == value) {
      target = value;
      return {};
    }
    names += names.empty() ? "" : ", ";
    names += name;
  }
  return Wrong(option, value, names);
}

template <class Target>
Set NotEmpty(const char* option, const std::string& value, Target& target) {
  if (value.empty()) return Wrong(option, value, "not empty");
  target = value;
  return {};
}

constexpr std::size_t kMaxCount = 1u << 30;

Set SetShape(Options& o, const std::string& v) {
  const std::size_t cross = v.find('x');
  const std::string allowed = "COUNTxLENGTH, as 32x128";
  if (cross == std::string::npos) return Wrong("shape", v, allowed);
  const auto count = ReadNumber<std::size_t>("shape", std::string_view(v).substr(0, cross), 1, 1u << 20);
  const auto length = ReadNumber<std::size_t>("shape", std::string_view(v).substr(cross + 1), 1, 1u << 20);
  if (!count || !length) return Wrong("shape", v, allowed);
  o.shape = Shape{count.value(), length.value()};
  return {};
}

Set SetAsked(Options& o, const std::string& v) {
  const std::size_t equals = v.find('=');
  if (equals == std::string::npos || equals == 0) return Wrong("option", v, "NAME=VALUE");
  o.asked.emplace_back(v.substr(0, equals), v.substr(equals + 1));
  return {};
}

Set SetOutput(Options& o, const std::string& v) {
  if (v.ends_with(".parquet")) return Wrong("output", v, "a name that ends in .npy or .jsonl");
  return NotEmpty("output", v, o.output);
}

Set SetLinesOutput(Options& o, const std::string& v) {
  for (const std::string_view ending : {".npy", ".parquet"}) {
    if (!v.ends_with(ending)) continue;
    return Wrong("output", v, "a name that ends in .jsonl: " + o.verb + " gives no vectors");
  }
  return NotEmpty("output", v, o.output);
}

Set SetVectorType(Options& o, const std::string& v) {
  constexpr std::string_view kNames[] = {"float32", "int8", "uint8", "binary",
                                         "ubinary"};  // as in VectorType
  std::string name;
  CANDOR_CHECKED(Choice("embedding-type", v, {kNames[0], kNames[1], kNames[2], kNames[3], kNames[4]}, name));
  o.type = static_cast<VectorType>(std::ranges::find(kNames, name) - std::begin(kNames));
  return {};
}

Set SetAggregation(Options& o, const std::string& v) {
  constexpr std::string_view kNames[] = {"none", "simple", "first", "average", "max"};  // as in Aggregation
  std::string name;
  CANDOR_CHECKED(Choice("aggregate", v, {kNames[0], kNames[1], kNames[2], kNames[3], kNames[4]}, name));
  o.aggregation = static_cast<Aggregation>(std::ranges::find(kNames, name) - std::begin(kNames));
  return {};
}

Set SetEmbedding(Options& o, const std::string& v) {
  std::string task;
  CANDOR_CHECKED(Choice("task", v, {"dense", "sparse", "tokens"}, task));
  o.model.task = task == "dense" ? "embed" : "embed-" + task;
  return {};
}

using O = Options;
using V = const std::string;

const OptionRow kRows[] = {
    {kInputOptions, "--text", "TEXT", "texts to answer, instead of a file", true,
     [](O& o, V& v) -> Set {
       o.texts.push_back(v);
       return {};
     }},
    {kInputOptions, "--input", "FILE", "JSON Lines, or plain text where the name ends in .txt; - reads stdin",
     false, [](O& o, V& v) { return NotEmpty("input", v, o.input); }},
    {kInputOptions, "--input-format", "FORMAT", "jsonl or text, whatever the name", false,
     [](O& o, V& v) {
       return Choice("input-format", v, {"jsonl", "text"}, o.input_format);
     }},
    {kVectorOutputOptions, "--output", "FILE", "instead of stdout; .npy writes a float32 array", false,
     SetOutput},
    {kOutputOptions, "--output", "FILE", "instead of stdout", false, SetLinesOutput},
    {kFormatOption, "--format", "FORMAT", "json (default unless stdout is a terminal) or text", false,
     [](O& o, V& v) {
       return Choice("format", v, {"json", "text"}, o.format);
     }},
    {kJsonOption, "--json", nullptr, "answer and refusals as JSON on stdout", false,
     [](O& o, V&) -> Set {
       o.json = true;
       return {};
     }},
    {kTaskOptions, "--task", "TASK", "the task that is asked about (default embed)", false,
     [](O& o, V& v) -> Set {
       CANDOR_CHECKED(NotEmpty("task", v, o.model.task));
       // As embed spells them.
       if (v == "dense") o.model.task = "embed";
       if (v == "sparse" || v == "tokens") o.model.task = "embed-" + v;
       return {};
     }},
    {kEmbedTaskOptions, "--task", "TASK", "dense (default), sparse, or tokens: a vector for each token",
     false, SetEmbedding},
    {kScoredTaskOption, "--task", "TASK",
     "dense, sparse, or tokens: the embeddings to score by (default: what the package declares)", false,
     [](O& o, V& v) -> Set {
       CANDOR_CHECKED(SetEmbedding(o, v));
       o.scored_task = o.model.task;
       return {};
     }},
    {kClassifyTaskOptions, "--task", "TASK", "texts (default), or tokens: a label for each token", false,
     [](O& o, V& v) -> Set {
       std::string task;
       CANDOR_CHECKED(Choice("task", v, {"texts", "tokens"}, task));
       o.model.task = task == "texts" ? "classify" : "classify-tokens";
       return {};
     }},
    {kTaskOptions, "--device", "DEVICE", "the device that is asked about (default cpu)", false,
     [](O& o, V& v) { return NotEmpty("device", v, o.model.device); }},
    {kQuestionOptions, "--option", "NAME=VALUE", "an option that is asked about", true, SetAsked},
    {kRecipeOptions, "--precision", "PROFILE", "numeric profile: f32, f32-split, bf16, int8", false,
     [](O& o, V& v) {
       return Choice("precision", v, {"f32", "f32-split", "bf16", "int8"}, o.model.precision);
     }},
    {kModelOptions, "--threads", "N", "threads (default: the CPUs this process may use)", false,
     [](O& o, V& v) { return Store<std::size_t>("threads", v, 1, 1024, o.threads); }},
    {kRecipeOptions, "--max-batch-tokens", "N", "rows of one batch (default: the plan's)", false,
     [](O& o, V& v) {
       return Store<std::size_t>("max-batch-tokens", v, 1, kMaxCount, o.model.max_batch_tokens);
     }},
    {kRecipeOptions, "--pooling", "MODE", "decides where the package has no module manifest", false,
     [](O& o, V& v) { return NotEmpty("pooling", v, o.model.pooling); }},
    {kRecipeOptions, "--no-normalize", nullptr, "asserts that the package does not normalise", false,
     [](O& o, V&) -> Set {
       o.model.no_normalize = true;
       return {};
     }},
    {kLengthOption, "--max-length", "N", "tokens of one text, at most the model's limit", false,
     [](O& o, V& v) { return Store<std::size_t>("max-length", v, 1, kMaxCount, o.model.max_length); }},
    {kRecipeOptions, "--allow-unqualified", nullptr, "run outside the qualified envelope", false,
     [](O& o, V&) -> Set {
       o.model.allow_unqualified = true;
       return {};
     }},
    {kTextOptions, "--prompt-name", "NAME", "a prompt of the package", false,
     [](O& o, V& v) -> Set {
       o.text.prompt_name = v;
       return {};
     }},
    {kTextOptions, "--role", "ROLE", "query or document, where the package treats the two differently", false,
     [](O& o, V& v) -> Set {
       std::string role;
       CANDOR_CHECKED(Choice("role", v, {"query", "document"}, role));
       o.text.role = role == "query" ? TextRole::kQuery : TextRole::kDocument;
       return {};
     }},
    {kTextOptions, "--prompt", "TEXT", "a literal prompt", false,
     [](O& o, V& v) -> Set {
       o.text.prompt = v;
       return {};
     }},
    {kTextOptions, "--truncate", nullptr, "cut long texts (default), counted in the result", false,
     [](O&, V&) -> Set { return {}; }},
    {kTextOptions, "--no-truncate", nullptr, "a long text is an error", false,
     [](O& o, V&) -> Set {
       o.text.truncate = false;
       return {};
     }},
    {kTextOptions, "--truncate-side", "SIDE", "left or right (default: the tokenizer's)", false,
     [](O& o, V& v) -> Set {
       std::string side;
       CANDOR_CHECKED(Choice("truncate-side", v, {"left", "right"}, side));
       o.text.truncate_left = side == "left";
       return {};
     }},
    {kTextOptions, "--split-special-tokens", nullptr,
     "text that spells a special token is ordinary text (default: it becomes the token)", false,
     [](O& o, V&) -> Set {
       o.text.split_special_tokens = true;
       return {};
     }},
    {kVectorOptions, "--dimensions", "D", "cut vectors to D, normalised again where the package normalises",
     false, [](O& o, V& v) { return Store<std::size_t>("dimensions", v, 1, kMaxCount, o.dimensions); }},
    {kVectorOptions, "--adapter", "NAME", "an adapter of the model (default: its own weights alone)", false,
     [](O& o, V& v) { return NotEmpty("adapter", v, o.adapter); }},
    {kEmbedTaskOptions, "--embedding-type", "TYPE",
     "numbers of dense vectors: float32 (default), int8, uint8, binary, ubinary", false, SetVectorType},
    {kEmbedTaskOptions, "--ranges", "FILE",
     "of int8 and uint8: JSON, [[least of each dimension], [most of each]]", false,
     [](O& o, V& v) { return NotEmpty("ranges", v, o.ranges); }},
    {kEmbedTaskOptions, "--max-active-dims", "N", "only the N largest values of a sparse vector stay", false,
     [](O& o, V& v) { return Store<std::size_t>("max-active-dims", v, 1, kMaxCount, o.max_active); }},
    {kClassifyTaskOptions, "--aggregate", "HOW",
     "spans of tokens: none (default), simple, first, average, max", false, SetAggregation},
    {kRankOptions, "--top-n", "N", "also the indices of the N best documents, best first", false,
     [](O& o, V& v) { return Store<std::size_t>("top-n", v, 1, kMaxCount, o.top_n); }},
    {kBenchOptions, "--shape", "NxL", "N sequences of L random ids instead of texts", false, SetShape},
    {kReceiptOptions, "--receipt", "FILE", "the receipt of the whole run", false,
     [](O& o, V& v) { return NotEmpty("receipt", v, o.receipt); }},
    {kReceiptOptions, "-v,--verbose", nullptr, "the receipt's short form on stderr", false,
     [](O& o, V&) -> Set {
       o.verbose = true;
       return {};
     }},
    {kServeOptions, "--host", "ADDRESS", "address to listen on (default 127.0.0.1)", false,
     [](O& o, V& v) { return NotEmpty("host", v, o.host); }},
    {kServeOptions, "--port", "P", "port to listen on (default 8080; 0: any free one)", false,
     [](O& o, V& v) { return Store<std::uint16_t>("port", v, 0, 65535, o.port); }},
    {kServeOptions, "--workers", "N", "requests computed at a time (default 2)", false,
     [](O& o, V& v) { return Store<std::size_t>("workers", v, 1, 256, o.workers); }},
    {kServeOptions, "--queue", "N", "requests that may wait; more are refused (default 64)", false,
     [](O& o, V& v) { return Store<std::size_t>("queue", v, 1, 1u << 16, o.queue); }},
    {kServeOptions, "--name", "NAME", "what requests call the model (default: the package's name)", false,
     [](O& o, V& v) { return NotEmpty("name", v, o.served_name); }},
    {kConsoleOptions, "--quiet", nullptr, "no progress bar and no notes on stderr", false,
     [](O& o, V&) -> Set {
       o.quiet = true;
       return {};
     }},
    {kConsoleOptions, "--log-json", nullptr, "messages on stderr as JSON Lines", false,
     [](O& o, V&) -> Set {
       o.log_json = true;
       return {};
     }},
};

Error Contradiction(const char* option, const char* other) {
  return {Code::kUnsupportedOption, Where::Option(option), std::string("with ") + other, "one of the two"};
}

}  // namespace

std::span<const OptionRow> OptionTable() { return kRows; }

namespace {

// Options that only one kind of vector has.
Result<void> CheckVectorOptions(const Options& o) {
  if (o.model.task == "embed")
    return o.max_active ? Contradiction("max-active-dims", "--task dense") : Result<void>();
  const bool sparse = o.model.task == "embed-sparse";
  const char* const task = sparse ? "--task sparse" : "--task tokens";
  if (o.dimensions) return Contradiction("dimensions", task);
  if (o.adapter) return Contradiction("adapter", task);
  if (o.model.no_normalize) return Contradiction("no-normalize", task);
  if (o.type != VectorType::kFloat32 || o.ranges) return Contradiction("embedding-type", task);
  if (o.max_active && !sparse) return Contradiction("max-active-dims", task);
  if (o.output && o.output->ends_with(".npy"))
    return Error{Code::kUnsupportedOption, Where::Option("output"), *o.output,
                 "a name that ends in .jsonl: only dense vectors fit an array"};
  return {};
}

}  // namespace

Result<void> CheckTogether(const Options& o) {
  if (o.input && !o.texts.empty()) return Contradiction("text", "--input");
  if (!o.input_format.empty() && !o.texts.empty()) return Contradiction("text", "--input-format");
  if (o.text.prompt && o.text.prompt_name) return Contradiction("prompt", "--prompt-name");
  if (!o.text.truncate && o.text.truncate_left) return Contradiction("no-truncate", "--truncate-side");
  if (o.json && o.format == "text") return Contradiction("json", "--format text");
  if (o.shape && (o.input || !o.texts.empty())) return Contradiction("shape", "texts");
  // Random ids are no text: nothing to prompt, nothing to cut.
  if (o.shape && (o.text.prompt || o.text.prompt_name || !o.text.truncate || o.text.truncate_left ||
                  o.text.split_special_tokens)) {
    return Contradiction("shape", "options of texts");
  }
  if (o.output && o.output->ends_with(".npy") && o.format == "text") {
    return Contradiction("output", "--format text");
  }
  if (o.aggregation != Aggregation::kNone && o.model.task != "classify-tokens")
    return Contradiction("aggregate", "--task texts");
  if (o.verb == "embed" || o.scored_task) CANDOR_CHECKED(CheckVectorOptions(o));
  if (o.receipt && *o.receipt == "-") {
    return Error{Code::kUnsupportedOption, Where::Option("receipt"), "\"-\"", "the name of a file"};
  }
  // The one written last would take the other's place.
  if (o.receipt && o.output && *o.receipt == *o.output)
    return Contradiction("receipt", "--output of the same name");
  return {};
}

}  // namespace candor::apps
