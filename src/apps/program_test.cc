// The whole program over a fake engine: streams and exit codes of CLI.md.
#include "apps/program.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "apps/fake_engine.h"
#include "apps/verbs.h"

namespace candor::apps {
namespace {

struct Ran {
  int code = -1;
  std::string out, err;
};

std::string Drain(std::FILE* file) {
  std::string text;
  std::rewind(file);
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  std::fclose(file);
  return text;
}

Ran Candor(std::vector<std::string> arguments, bool terminal = false, const char* isa = "scalar") {
  std::FILE* out = std::tmpfile();
  std::FILE* err = std::tmpfile();
  Ran ran;
  ran.code = RunProgram(arguments,
                        {.console = Console(out, err, terminal, terminal),
                         .environment = {.isa = isa, .no_colour = true},
                         .new_engine = [](const EngineOptions& options) -> Result<std::shared_ptr<Engine>> {
                           if (options.isa == "mmx") {
                             return Error{Code::kDevicePlanRejected, Where::Option("isa"), "mmx", "scalar"};
                           }
                           return std::shared_ptr<Engine>(std::make_shared<FakeEngine>(options));
                         },
                         .started = std::chrono::steady_clock::now()});
  ran.out = Drain(out);
  ran.err = Drain(err);
  return ran;
}

bool Has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Program, HelpListsBuiltVerbsOnly) {
  const Ran help = Candor({"--help"});
  EXPECT_EQ(help.code, 0);
  for (const Verb& verb : Verbs()) EXPECT_TRUE(Has(help.out, "\n  " + std::string(verb.name))) << verb.name;
  for (const char* verb : {"decide", "qualify", "pull", "models"}) {
    EXPECT_FALSE(Has(help.out, std::string("\n  ") + verb)) << verb;
    const Ran ran = Candor({verb, "model"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(Has(ran.err, "\"" + std::string(verb) + "\"")) << ran.err;
  }
  const Ran none = Candor({});
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.out, "");
  EXPECT_TRUE(Has(none.err, "candor VERB MODEL"));
  const Ran embed = Candor({"embed", "--help"});
  EXPECT_EQ(embed.code, 0);
  EXPECT_TRUE(Has(embed.out, "--dimensions"));
  EXPECT_EQ(Candor({"help", "embed"}).out, embed.out);
  EXPECT_EQ(Candor({"help", "nothing"}).code, 2);
  EXPECT_TRUE(Has(help.out, "CANDOR_ISA"));
}

TEST(Program, EmbedAnswersInOrderAndFailsInPlace) {
  const Ran good = Candor({"embed", "m", "--text", "abc", ""});
  EXPECT_EQ(good.code, 0);
  EXPECT_EQ(good.out, "{\"embedding\":[3,1],\"tokens\":3}\n{\"embedding\":[0,1],\"tokens\":0}\n");
  EXPECT_EQ(good.err, "");
  const Ran mixed = Candor({"embed", "m", "--text", "abc", "fail", "longer than 8"});
  EXPECT_EQ(mixed.code, 1);
  EXPECT_EQ(mixed.out.find("{\"embedding\":[3,1],\"tokens\":3}\n{\"error\":{\"code\":\"input_too_large\""),
            0u)
      << mixed.out;
  EXPECT_TRUE(
      Has(mixed.out, "{\"embedding\":[13,1],\"tokens\":8,\"truncated\":{\"tokens\":13,\"kept\":8}}\n"));
  EXPECT_TRUE(Has(mixed.err, "input_too_large")) << mixed.err;
  EXPECT_TRUE(Has(mixed.err, "1 of 3 texts were truncated to 8 tokens")) << mixed.err;
  const Ran quiet = Candor({"embed", "m", "--text", "longer than 8", "--quiet"});
  EXPECT_EQ(quiet.code, 0);
  EXPECT_EQ(quiet.err, "");
}

TEST(Program, EmbedRefusals) {
  EXPECT_EQ(Candor({"embed", "m", "--text", "a", "--dimensions", "3"}).code, 2);
  EXPECT_EQ(Candor({"embed", "m", "--text", "a", "--dimensions", "1"}).out,
            "{\"embedding\":[1],\"tokens\":1}\n");
  const Ran missing = Candor({"embed", "missing", "--text", "a"});
  EXPECT_EQ(missing.code, 3);
  EXPECT_EQ(missing.out, "");
  EXPECT_TRUE(Has(missing.err, "artifact_missing") && Has(missing.err, "component_missing")) << missing.err;
  EXPECT_EQ(Candor({"embed", "unqualified", "--text", "a"}).code, 3);
  EXPECT_EQ(Candor({"embed", "unqualified", "--text", "a", "--allow-unqualified"}).code, 0);
  const Ran broken = Candor({"embed", "m", "--text", "broken"});
  EXPECT_EQ(broken.code, 70);
  EXPECT_EQ(broken.out, "");
  EXPECT_EQ(Candor({"embed", "m", "--input", "/dev/null"}).code, 2);
}

TEST(Program, FilesInAndOut) {
  std::string folder = testing::TempDir() + "/candor_program_XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const auto read = [&](const std::string& name) {
    std::ifstream file(folder + '/' + name, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  std::ofstream(folder + "/in.jsonl")
      << "{\"text\":\"ab\",\"id\":\"k\"}\n{\"ids\":[5,6,7]}\n{\"ids\":[-1]}\n";
  const Ran lines = Candor({"embed", "m", "--input", folder + "/in.jsonl", "--output", folder + "/out.jsonl",
                            "--receipt", folder + "/receipt.json", "-v"});
  EXPECT_EQ(lines.code, 1);
  EXPECT_EQ(lines.out, "");
  EXPECT_EQ(read("out.jsonl")
                .find("{\"id\":\"k\",\"embedding\":[2,1],\"tokens\":2}\n{\"embedding\":[3,2],\"tokens\":3}\n"
                      "{\"error\":{\"code\":\"invalid_input\""),
            0u)
      << read("out.jsonl");
  EXPECT_TRUE(Has(lines.err, "plan")) << lines.err;
  EXPECT_TRUE(Has(read("receipt.json"), "\"plan\"")) << read("receipt.json");
  const Ran array = Candor({"embed", "m", "--input", folder + "/in.jsonl", "--output", folder + "/out.npy"});
  EXPECT_EQ(array.code, 1);
  const std::string npy = read("out.npy");
  ASSERT_EQ(npy.size(), 128u + 3 * 2 * 4);
  EXPECT_TRUE(Has(npy, "'shape': (3, 2)"));
  EXPECT_EQ(npy.substr(128, 16), std::string("\0\0\0\x40\0\0\x80\x3f\0\0\x40\x40\0\0\0\x40", 16));
  EXPECT_EQ(npy.substr(144), std::string("\0\0\xc0\x7f\0\0\xc0\x7f", 8));  // NaN, not zeros
  const Ran refused =
      Candor({"embed", "missing", "--input", folder + "/in.jsonl", "--output", folder + "/none.jsonl"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_FALSE(std::filesystem::exists(folder + "/none.jsonl"));
  std::ofstream(folder + "/bad.jsonl") << "{\"text\":\"ab\"}\n{\"text\":\"ab\",\"x\":1}\n";
  const Ran wrong = Candor({"embed", "m", "--input", folder + "/bad.jsonl"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.out, "");  // before any answer
  EXPECT_TRUE(Has(wrong.err, "line 2")) << wrong.err;
  std::filesystem::remove_all(folder);
}

TEST(Program, SlicesAreOneRun) {
  const std::string path = testing::TempDir() + "/candor_many.txt";
  {
    std::ofstream file(path);
    for (int i = 0; i < 9000; ++i) file << std::string(static_cast<std::size_t>(i % 7), 'x') << '\n';
  }
  const Ran ran = Candor({"embed", "m", "--input", path});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 9000);
  std::size_t at = 0;
  for (int i = 0; i < 9000; ++i) {
    const std::string expected =
        "{\"embedding\":[" + std::to_string(i % 7) + ",1],\"tokens\":" + std::to_string(i % 7) + "}\n";
    ASSERT_EQ(ran.out.compare(at, expected.size(), expected), 0) << i;
    at += expected.size();
  }
  std::filesystem::remove(path);
}

TEST(Program, Similarity) {
  const Ran ran = Candor({"similarity", "m", "--text", "abc", "a", "ab"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "{\"similarity\":[3,6]}\n");
  const Ran people = Candor({"similarity", "m", "--text", "abc", "a", "ab", "--format", "text"});
  EXPECT_EQ(people.out, "abc\n  6.0000  ab\n  3.0000  a\n");
  const Ran failed = Candor({"similarity", "m", "--text", "abc", "fail"});
  EXPECT_EQ(failed.code, 1);
  EXPECT_EQ(failed.out.find("{\"error\":{\"code\":\"input_too_large\""), 0u) << failed.out;
  const Ran alone = Candor({"similarity", "m", "--text", "abc"});
  EXPECT_EQ(alone.code, 1);
  EXPECT_TRUE(Has(alone.out, "\"empty_input\"")) << alone.out;
}

TEST(Program, Tokenize) {
  const Ran ran = Candor({"tokenize", "m", "--text", "ab", "fail"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(
      ran.out.find("{\"ids\":[2],\"type_ids\":[0],\"offsets\":[[0,2]],\"tokens\":[\"ab\"]}\n{\"error\":"), 0u)
      << ran.out;
  EXPECT_EQ(Candor({"tokenize", "missing", "--text", "a"}).code, 3);
}

TEST(Program, QuestionsInTextAndJson) {
  const Ran json = Candor({"plan", "m", "--json"});
  EXPECT_EQ(json.code, 0);
  EXPECT_EQ(json.out, "{\"decision\":\"eligible\"}\n");
  EXPECT_EQ(Candor({"plan", "m"}).out, "decision  eligible\n");
  const Ran refused = Candor({"plan", "missing", "--json"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_EQ(refused.out.find("{\"refused\":true,\"problems\":[{\"code\":\"artifact_missing\""), 0u)
      << refused.out;
  EXPECT_TRUE(Has(refused.out, "component_missing") && Has(refused.err, "component_missing"));
  const Ran unqualified = Candor({"plan", "unqualified"});
  EXPECT_EQ(unqualified.code, 3);
  EXPECT_EQ(unqualified.out, "");
  EXPECT_TRUE(Has(unqualified.err, "unqualified_case"));
  EXPECT_EQ(Candor({"plan", "unqualified", "--allow-unqualified"}).code, 0);
  const Ran why = Candor({"why-not", "unqualified", "--json", "--option", "a=b"});
  EXPECT_EQ(why.code, 0);
  EXPECT_EQ(why.out, "{\"possible\":false,\"asked\":1}\n");
  EXPECT_TRUE(Has(Candor({"why-not", "unqualified"}).out, "because config.json:/hidden_act"));
  EXPECT_EQ(Candor({"why-not", "missing"}).code, 3);
  EXPECT_EQ(Candor({"inspect", "m", "--json"}).code, 0);
  EXPECT_TRUE(Has(Candor({"inspect", "m"}).out, "files (1)"));
  EXPECT_EQ(Candor({"inspect", "missing"}).code, 3);
}

TEST(Program, VersionShowsTheForcedTable) {
  EXPECT_EQ(Candor({"version", "--json"}).out, "{\"product\":\"candor\",\"isa\":\"scalar\"}\n");
  const Ran text = Candor({"--version"});
  EXPECT_EQ(text.code, 0);
  EXPECT_EQ(text.out.find(VersionText()), 0u);
}

TEST(Program, WrongLineWithJsonRefusesOnBothStreams) {
  const Ran ran = Candor({"plan", "m", "--nope", "--json"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(Has(ran.out, R"("where":{"option":"nope"})")) << ran.out;
  EXPECT_TRUE(Has(ran.err, "nope: "));
  const Ran log = Candor({"embed", "m", "--nope", "--log-json"});
  EXPECT_EQ(log.code, 2);
  EXPECT_EQ(log.err.find("{\"level\":\"error\",\"message\":"), 0u) << log.err;
}

// ERR: whatever a verb throws is an exit code and a sentence, and a refusal where JSON was asked for.
TEST(Program, WhatIsThrownIsAnswered) {
  const Ran memory = Candor({"inspect", "no memory", "--json"});
  EXPECT_EQ(memory.code, 4);
  EXPECT_EQ(memory.out.find("{\"refused\":true,\"problems\":[{\"code\":\"insufficient_memory\""), 0u)
      << memory.out;
  EXPECT_TRUE(Has(memory.err, "insufficient_memory"));
  const Ran defect = Candor({"inspect", "defect"});
  EXPECT_EQ(defect.code, 70);
  EXPECT_EQ(defect.out, "");
  EXPECT_TRUE(Has(defect.err, "a fake defect") && Has(defect.err, "fake_engine.h:")) << defect.err;
}

TEST(Program, AForcedTableThatIsNotThereIsNamedAsTheVariable) {
  const Ran ran = Candor({"version", "--json"}, false, "mmx");
  EXPECT_EQ(ran.code, 3);
  EXPECT_TRUE(Has(ran.out, R"("where":{"option":"CANDOR_ISA"})")) << ran.out;
}

TEST(Program, ATerminalGetsTablesAndABar) {
  const Ran ran = Candor({"embed", "m", "--text", "abc"}, true);
  EXPECT_TRUE(Has(ran.out, "vector") && Has(ran.out, "[3.0000 1.0000]")) << ran.out;
  EXPECT_TRUE(Has(ran.err, "1 of 1"));
  EXPECT_EQ(Candor({"embed", "m", "--text", "abc", "--quiet"}, true).err, "");
  EXPECT_EQ(Candor({"embed", "m", "--text", "abc", "--format", "json"}, true).out,
            "{\"embedding\":[3,1],\"tokens\":3}\n");
}

}  // namespace
}  // namespace candor::apps
