// Options: the command line as values. options.cc is the only home of the parsing library; which options
// exist stands in option_table.cc, which verbs in verbs.cc. Pure functions; nothing here reads a file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "candor/engine.h"
#include "candor/result.h"
#include "candor/types.h"

namespace candor::apps {

// The options that verbs share, by what they are about. A verb names the groups it takes.
enum OptionGroup : unsigned {
  kModelOptions = 1u << 0,   // threads
  kRecipeOptions = 1u << 1,  // what a plan depends on
  kTextOptions = 1u << 2,    // how a text becomes ids
  kVectorOptions = 1u << 3,  // dimensions, adapter
  kInputOptions = 1u << 4,
  kOutputOptions = 1u << 5,
  kFormatOption = 1u << 6,
  kReceiptOptions = 1u << 7,
  kJsonOption = 1u << 8,
  kTaskOptions = 1u << 9,  // verbs that ask about any task
  kQuestionOptions = 1u << 10,
  kBenchOptions = 1u << 11,
  kServeOptions = 1u << 12,
  kConsoleOptions = 1u << 13,
  kModelArgument = 1u << 14,        // the verb takes MODEL
  kLengthOption = 1u << 15,         // how many tokens of a text
  kRankOptions = 1u << 17,          // top-n
  kEmbedTaskOptions = 1u << 18,     // what embed embeds, and sparse vectors' own
  kClassifyTaskOptions = 1u << 19,  // what classify labels, and tokens' own
  kScoredTaskOption = 1u << 20,     // by which of the embeddings similarity scores
  kVectorOutputOptions = 1u << 16,  // kOutputOptions of a verb whose answer fits an array
};

struct Shape {
  std::size_t count = 0, length = 0;
};

struct Options {
  std::string verb;
  ModelOptions model;
  std::optional<std::string> scored_task;  // of similarity; else the one that the package declares
  TextOptions text;
  std::optional<std::size_t> dimensions;
  std::optional<std::string> adapter;
  VectorType type = VectorType::kFloat32;
  std::optional<std::string> ranges;  // a file
  std::optional<std::size_t> max_active;
  std::optional<std::size_t> top_n;
  Aggregation aggregation = Aggregation::kNone;
  std::size_t threads = 0;

  std::optional<std::string> input;  // "-" is standard input
  std::string input_format;          // "", jsonl, text
  std::vector<std::string> texts;

  std::optional<std::string> output;  // "-" is standard output
  std::string format;                 // "", json, text
  bool json = false;
  std::optional<std::string> receipt;
  bool verbose = false, quiet = false, log_json = false;

  std::vector<std::pair<std::string, std::string>> asked;  // why-not --option NAME=VALUE
  std::optional<Shape> shape;

  std::string host = "127.0.0.1";
  std::uint16_t port = 8080;
  std::optional<std::size_t> workers, queue;
  std::string served_name;
};

// One option. `set` checks and stores one value; flags get "". Refusals name it as requests and plans do,
// without dashes.
struct OptionRow {
  unsigned groups;
  const char* names;  // "-v,--verbose": the last one names it in messages
  const char* value;  // what stands for the value in the help; null: a flag
  const char* help;
  bool repeats;  // more than one value is meant
  Result<void> (*set)(Options& options, const std::string& value);
};
std::span<const OptionRow> OptionTable();
// What single options cannot see: options that contradict each other.
Result<void> CheckTogether(const Options& options);

struct ParsedLine {
  Options options;
  std::string help;  // not empty: asked for; print it and stop
};
// `arguments` stand after the verb. Wrong options and values: unsupported_option or invalid_input, naming it.
Result<ParsedLine> ParseOptions(std::string_view verb, std::string_view summary, unsigned groups,
                                std::span<const std::string> arguments);

}  // namespace candor::apps
