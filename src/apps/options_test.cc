// Options: every value arrives as it was given; a wrong line is named with place, found, allowed.
#include "apps/options.h"

#include <gtest/gtest.h>

#include "apps/verbs.h"
#include "candor/server.h"

namespace candor::apps {
namespace {

Result<ParsedLine> Parse(std::string_view verb, std::vector<std::string> arguments) {
  for (const Verb& v : Verbs()) {
    if (v.name == verb) return ParseOptions(v.name, v.summary, v.groups, arguments);
  }
  return Error{};
}

Options Parsed(std::string_view verb, std::vector<std::string> arguments) {
  auto parsed = Parse(verb, std::move(arguments));
  EXPECT_TRUE(parsed) << (parsed ? "" : Message(parsed.error()));
  return parsed ? parsed.value().options : Options{};
}

TEST(Options, EveryOptionOfEmbedArrives) {
  const Options o =
      Parsed("embed",
             {"folder",  "--input",    "a.jsonl",        "--input-format",     "text",   "--output",
              "b.npy",   "--format",   "json",           "--precision",        "bf16",   "--threads",
              "3",       "--prompt",   "query: ",        "--truncate-side",    "left",   "--max-batch-tokens",
              "512",     "--pooling",  "mean",           "--max-length",       "64",     "--dimensions",
              "128",     "--adapter",  "passage",        "--receipt",          "r.json", "-v",
              "--quiet", "--log-json", "--no-normalize", "--allow-unqualified"});
  EXPECT_EQ(o.verb, "embed");
  EXPECT_EQ(o.model.path, "folder");
  EXPECT_EQ(o.input, "a.jsonl");
  EXPECT_EQ(o.input_format, "text");
  EXPECT_EQ(o.output, "b.npy");
  EXPECT_EQ(o.format, "json");
  EXPECT_EQ(o.model.precision, "bf16");
  EXPECT_EQ(o.threads, 3u);
  EXPECT_EQ(o.text.prompt, "query: ");
  EXPECT_EQ(o.text.truncate_left, true);
  EXPECT_EQ(o.model.max_batch_tokens, 512u);
  EXPECT_EQ(o.model.pooling, "mean");
  EXPECT_EQ(o.model.max_length, 64u);
  EXPECT_EQ(o.dimensions, 128u);
  EXPECT_EQ(o.adapter, "passage");
  EXPECT_EQ(o.receipt, "r.json");
  EXPECT_TRUE(o.verbose && o.quiet && o.log_json && o.model.no_normalize && o.model.allow_unqualified);
  EXPECT_FALSE(Parsed("embed", {"folder", "--no-truncate"}).text.truncate);
  EXPECT_EQ(Parsed("embed", {"folder", "--prompt-name", "query"}).text.prompt_name, "query");
}

TEST(Options, DefaultsAreTheContracts) {
  const Options o = Parsed("embed", {"folder"});
  EXPECT_EQ(o.model.precision, "f32");
  EXPECT_EQ(o.model.task, "embed");
  EXPECT_TRUE(o.text.truncate);
  EXPECT_FALSE(o.model.allow_unqualified);
  EXPECT_EQ(o.threads, 0u);
}

// The parsing library would take these apart.
TEST(Options, TextsArriveAsTheyAre) {
  const std::vector<std::string> texts = {"[MASK]", "[a,b]", "",    "-5 degrees", "- dash",
                                          "{}",     "@0",    "a=b", "%%"};
  std::vector<std::string> arguments = {"folder", "--text"};
  arguments.insert(arguments.end(), texts.begin(), texts.end());
  EXPECT_EQ(Parsed("embed", arguments).texts, texts);
  const Options o = Parsed("embed", {"--text", "one", "--text=-v", "--text=--two=2", "[folder]"});
  EXPECT_EQ(o.texts, (std::vector<std::string>{"one", "-v", "--two=2"}));
  EXPECT_EQ(o.model.path, "[folder]");
  EXPECT_EQ(Parsed("embed", {"--text", "a", "b", "--quiet", "--", "-folder"}).model.path, "-folder");
}

struct Wrong {
  std::string_view verb;
  std::vector<std::string> arguments;
  Code code;
  std::string option, found, allowed;  // allowed "*": not compared
};

TEST(Options, WrongLinesAreNamedWithFoundAndAllowed) {
  const Wrong cases[] = {
      {"embed", {}, Code::kInvalidInput, "MODEL", "none", "candor embed MODEL [options]"},
      {"embed", {""}, Code::kInvalidInput, "MODEL", "an empty name", "a folder"},
      {"embed", {"m", "--nope"}, Code::kUnsupportedOption, "nope", "not an option of this verb", "*"},
      {"embed", {"--nope", "3", "m"}, Code::kUnsupportedOption, "nope", "not an option of this verb", "*"},
      {"embed", {"--nope"}, Code::kUnsupportedOption, "nope", "not an option of this verb", "*"},
      {"embed",
       {"m", "--thread", "3"},
       Code::kUnsupportedOption,
       "thread",
       "not an option of this verb",
       "*"},
      {"embed", {"m", "--json"}, Code::kUnsupportedOption, "json", "not an option of this verb", "*"},
      {"embed",
       {"m", "--task", "rerank"},
       Code::kUnsupportedOption,
       "task",
       "\"rerank\"",
       "dense, sparse, tokens"},
      {"similarity",
       {"m", "--task", "rerank"},
       Code::kUnsupportedOption,
       "task",
       "\"rerank\"",
       "dense, sparse, tokens"},
      {"similarity",
       {"m", "--task", "tokens", "--adapter", "a"},
       Code::kUnsupportedOption,
       "adapter",
       "with --task tokens",
       "one of the two"},
      {"similarity",
       {"m", "--max-active-dims", "8"},
       Code::kUnsupportedOption,
       "max-active-dims",
       "not an option of this verb",
       "*"},
      {"embed",
       {"m", "--task", "sparse", "--dimensions", "8"},
       Code::kUnsupportedOption,
       "dimensions",
       "with --task sparse",
       "one of the two"},
      {"embed",
       {"m", "--task", "tokens", "--max-active-dims", "8"},
       Code::kUnsupportedOption,
       "max-active-dims",
       "with --task tokens",
       "one of the two"},
      {"embed",
       {"m", "--max-active-dims", "8"},
       Code::kUnsupportedOption,
       "max-active-dims",
       "with --task dense",
       "one of the two"},
      {"embed",
       {"m", "--task", "tokens", "--output", "a.npy"},
       Code::kUnsupportedOption,
       "output",
       "a.npy",
       "a name that ends in .jsonl: only dense vectors fit an array"},
      {"classify",
       {"m", "--aggregate", "max"},
       Code::kUnsupportedOption,
       "aggregate",
       "with --task texts",
       "one of the two"},
      {"embed", {"m", "--role", "other"}, Code::kUnsupportedOption, "role", "\"other\"", "query, document"},
      {"version",
       {"--threads", "3"},
       Code::kUnsupportedOption,
       "threads",
       "not an option of this verb",
       "--json --quiet --log-json"},
      {"embed",
       {"m", "again"},
       Code::kInvalidInput,
       "",
       "an argument too many: \"again\"",
       "options, each with its value"},
      {"embed", {"m", "--threads"}, Code::kUnsupportedOption, "threads", "no value", "a value after it"},
      {"embed",
       {"m", "--threads", "0"},
       Code::kUnsupportedOption,
       "threads",
       "\"0\"",
       "a whole number from 1 to 1024"},
      {"embed",
       {"m", "--threads", "-1"},
       Code::kUnsupportedOption,
       "threads",
       "\"-1\"",
       "a whole number from 1 to 1024"},
      {"embed",
       {"m", "--threads", "2x"},
       Code::kUnsupportedOption,
       "threads",
       "\"2x\"",
       "a whole number from 1 to 1024"},
      {"embed",
       {"m", "--threads", "99999999999999999999"},
       Code::kUnsupportedOption,
       "threads",
       "\"99999999999999999999\"",
       "a whole number from 1 to 1024"},
      {"embed",
       {"m", "--threads", "1", "--threads", "2"},
       Code::kUnsupportedOption,
       "threads",
       "2 values",
       "one value"},
      {"embed",
       {"m", "--precision", "f64"},
       Code::kUnsupportedOption,
       "precision",
       "\"f64\"",
       "f32, f32-split, bf16, int8"},
      {"embed", {"m", "--format", "csv"}, Code::kUnsupportedOption, "format", "\"csv\"", "json, text"},
      {"embed",
       {"m", "--dimensions", "0"},
       Code::kUnsupportedOption,
       "dimensions",
       "\"0\"",
       "a whole number from 1 to 1073741824"},
      {"embed",
       {"m", "--truncate-side", "both"},
       Code::kUnsupportedOption,
       "truncate-side",
       "\"both\"",
       "left, right"},
      {"embed",
       {"m", "--output", "x.parquet"},
       Code::kUnsupportedOption,
       "output",
       "\"x.parquet\"",
       "a name that ends in .npy or .jsonl"},
      {"tokenize",
       {"m", "--output", "x.npy"},
       Code::kUnsupportedOption,
       "output",
       "\"x.npy\"",
       "a name that ends in .jsonl: tokenize gives no vectors"},
      {"similarity",
       {"m", "--output", "x.parquet"},
       Code::kUnsupportedOption,
       "output",
       "\"x.parquet\"",
       "a name that ends in .jsonl: similarity gives no vectors"},
      {"tokenize",
       {"m", "--precision", "f32"},
       Code::kUnsupportedOption,
       "precision",
       "not an option of this verb",
       "*"},
      {"tokenize",
       {"m", "--pooling", "cls"},
       Code::kUnsupportedOption,
       "pooling",
       "not an option of this verb",
       "*"},
      {"tokenize",
       {"m", "--no-normalize"},
       Code::kUnsupportedOption,
       "no-normalize",
       "not an option of this verb",
       "*"},
      {"tokenize",
       {"m", "--max-batch-tokens", "9"},
       Code::kUnsupportedOption,
       "max-batch-tokens",
       "not an option of this verb",
       "*"},
      {"bench",
       {"m", "--shape", "2x8", "--prompt", "a"},
       Code::kUnsupportedOption,
       "shape",
       "with options of texts",
       "one of the two"},
      {"bench",
       {"m", "--shape", "2x8", "--prompt-name", "a"},
       Code::kUnsupportedOption,
       "shape",
       "with options of texts",
       "one of the two"},
      {"bench",
       {"m", "--shape", "2x8", "--no-truncate"},
       Code::kUnsupportedOption,
       "shape",
       "with options of texts",
       "one of the two"},
      {"embed", {"m", "--input", ""}, Code::kUnsupportedOption, "input", "\"\"", "not empty"},
      {"embed",
       {"m", "--text", "a", "--input", "b"},
       Code::kUnsupportedOption,
       "text",
       "with --input",
       "one of the two"},
      {"embed",
       {"m", "--prompt", "a", "--prompt-name", "b"},
       Code::kUnsupportedOption,
       "prompt",
       "with --prompt-name",
       "one of the two"},
      {"embed",
       {"m", "--truncate", "--no-truncate"},
       Code::kUnsupportedOption,
       "truncate",
       "with --no-truncate",
       "one of the two"},
      {"embed",
       {"m", "--no-truncate", "--truncate-side", "left"},
       Code::kUnsupportedOption,
       "no-truncate",
       "with --truncate-side",
       "one of the two"},
      {"embed", {"m", "--receipt", "-"}, Code::kUnsupportedOption, "receipt", "\"-\"", "the name of a file"},
      {"bench",
       {"m", "--shape", "32"},
       Code::kUnsupportedOption,
       "shape",
       "\"32\"",
       "COUNTxLENGTH, as 32x128"},
      {"bench",
       {"m", "--shape", "0x8"},
       Code::kUnsupportedOption,
       "shape",
       "\"0x8\"",
       "COUNTxLENGTH, as 32x128"},
      {"bench",
       {"m", "--shape", "2x8", "--text", "a"},
       Code::kUnsupportedOption,
       "shape",
       "with texts",
       "one of the two"},
      {"serve",
       {"m", "--port", "65536"},
       Code::kUnsupportedOption,
       "port",
       "\"65536\"",
       "a whole number from 0 to 65535"},
      {"why-not", {"m", "--option", "x"}, Code::kUnsupportedOption, "option", "\"x\"", "NAME=VALUE"},
  };
  for (const Wrong& wrong : cases) {
    std::string line(wrong.verb);
    for (const std::string& argument : wrong.arguments) line += ' ' + argument;
    SCOPED_TRACE(line);
    const auto parsed = Parse(wrong.verb, wrong.arguments);
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().code, wrong.code);
    EXPECT_EQ(parsed.error().where.option, wrong.option);
    EXPECT_EQ(parsed.error().found, wrong.found);
    if (wrong.allowed != "*") {
      EXPECT_EQ(parsed.error().allowed, wrong.allowed);
    }
    EXPECT_FALSE(parsed.error().allowed.empty());
    EXPECT_EQ(Info(parsed.error().code).exit_code, 2);
  }
}

TEST(Options, QuestionsAndShapes) {
  const Options o = Parsed("why-not", {"m", "--task", "rerank", "--device", "cuda:0", "--precision", "int8",
                                       "--option", "pooling=cls", "--option", "a=", "--json"});
  EXPECT_EQ(o.model.task, "rerank");
  EXPECT_EQ(o.model.device, "cuda:0");
  EXPECT_EQ(o.model.precision, "int8");
  EXPECT_EQ(o.asked, (std::vector<std::pair<std::string, std::string>>{{"pooling", "cls"}, {"a", ""}}));
  EXPECT_TRUE(o.json);
  const Options bench = Parsed("bench", {"m", "--shape", "32x128"});
  ASSERT_TRUE(bench.shape);
  EXPECT_EQ(bench.shape->count, 32u);
  EXPECT_EQ(bench.shape->length, 128u);
  const Options serve =
      Parsed("serve", {"m", "--port", "0", "--host", "::1", "--workers", "4", "--queue", "9"});
  EXPECT_EQ(serve.port, 0);
  EXPECT_EQ(serve.host, "::1");
  EXPECT_EQ(serve.workers, 4u);
  EXPECT_EQ(serve.queue, 9u);
}

TEST(Options, Tasks) {
  EXPECT_EQ(Parsed("embed", {"m", "--task", "dense"}).model.task, "embed");
  EXPECT_EQ(Parsed("embed", {"m", "--task", "sparse"}).model.task, "embed-sparse");
  EXPECT_EQ(Parsed("embed", {"m", "--task", "tokens"}).model.task, "embed-tokens");
  EXPECT_EQ(Parsed("why-not", {"m", "--task", "sparse"}).model.task, "embed-sparse");
  EXPECT_EQ(Parsed("similarity", {"m", "--task", "dense"}).scored_task, "embed");
  EXPECT_EQ(Parsed("similarity", {"m", "--task", "tokens"}).scored_task, "embed-tokens");
  EXPECT_EQ(Parsed("similarity", {"m"}).scored_task, std::nullopt);
  const Options o = Parsed("classify", {"m", "--task", "tokens", "--aggregate", "average"});
  EXPECT_EQ(o.model.task, "classify-tokens");
  EXPECT_EQ(o.aggregation, Aggregation::kAverage);
  EXPECT_EQ(Parsed("embed", {"m", "--role", "document"}).text.role, TextRole::kDocument);
}

TEST(Options, HelpListsTheVerbsOptionsAndNoOther) {
  const auto parsed = Parse("embed", {"--help"});
  ASSERT_TRUE(parsed);
  EXPECT_NE(parsed.value().help.find("--dimensions"), std::string::npos);
  EXPECT_NE(parsed.value().help.find("MODEL"), std::string::npos);
  EXPECT_EQ(parsed.value().help.find("--shape"), std::string::npos);
  EXPECT_EQ(parsed.value().help.find("--aggregate"), std::string::npos);
  EXPECT_NE(parsed.value().help.find(".npy"), std::string::npos);
  EXPECT_EQ(Parse("tokenize", {"--help"}).value().help.find(".npy"), std::string::npos);
}

TEST(Options, HelpShowsTheServersDefaults) {
  const std::string help = Parse("serve", {"--help"}).value().help;
  const ServerOptions server;
  for (const std::size_t value : {std::size_t{server.port}, server.workers, server.queue}) {
    EXPECT_NE(help.find("default " + std::to_string(value)), std::string::npos) << value << '\n' << help;
  }
}

}  // namespace
}  // namespace candor::apps
