// Output: lines, NumPy arrays, and files that appear complete or not at all.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "apps/file_output.h"
#include "apps/lines.h"
#include "apps/npy.h"
#include "apps/ranges.h"

namespace candor::apps {
namespace {

Item Text(std::string text, std::string id = "") {
  Item item;
  item.line = 3;
  item.id = std::move(id);
  item.content = std::move(text);
  return item;
}

TEST(Lines, ShapesAndKeyOrder) {
  const float row[] = {0.1f, -1.0f, 1e-8f};
  const Embeddings all{.dimensions = 3, .values = {0, 0, 0, 0.1f, -1.0f, 1e-8f}};
  EXPECT_EQ(EmbedLine(Text("a"), all, 1, {.error = {}, .tokens = 3, .total = 3}),
            "{\"embedding\":[0.1,-1,1e-08],\"tokens\":3}\n");
  EXPECT_EQ(
      EmbedLine(Text("a", "[1]"), all, 1, {.error = {}, .tokens = 3, .total = 9}),
      "{\"id\":[1],\"embedding\":[0.1,-1,1e-08],\"tokens\":3,\"truncated\":{\"tokens\":9,\"kept\":3}}\n");
  EXPECT_EQ(SimilarityLine(Text("a", "7"), std::span(row, 2), {}), "{\"id\":7,\"similarity\":[0.1,-1]}\n");
  TokenizedText tokens{.ids = {101, 5},
                       .type_ids = {0, 1},
                       .offsets = {{0, 0}, {0, 2}},
                       .tokens = {"[CLS]", "\"é"},
                       .total = 4};
  EXPECT_EQ(TokenLine(Text("a"), tokens),
            "{\"ids\":[101,5],\"type_ids\":[0,1],\"offsets\":[[0,0],[0,2]],\"tokens\":[\"[CLS]\",\"\\\"é\"],"
            "\"truncated\":{\"tokens\":4,\"kept\":2}}\n");
}

TEST(Lines, WholeNumbers) {
  Embeddings all{.dimensions = 2, .type = VectorType::kInt8, .bytes = {0, 127, 128, 255}};
  const ItemReport report{.error = {}, .tokens = 3, .total = 3};
  EXPECT_EQ(EmbedLine(Text("a"), all, 1, report), "{\"embedding\":[-128,-1],\"tokens\":3}\n");
  all.type = VectorType::kUint8;
  EXPECT_EQ(EmbedLine(Text("a"), all, 1, report), "{\"embedding\":[128,255],\"tokens\":3}\n");
  all.type = VectorType::kBinary, all.dimensions = 9;
  EXPECT_EQ(EmbedLine(Text("a"), all, 0, report), "{\"embedding\":[0,127],\"tokens\":3}\n");
}

TEST(Lines, SparseAndTokens) {
  const ItemReport report{.error = {}, .tokens = 3, .total = 5};
  EXPECT_EQ(
      SparseLine(Text("a"), {{2, 7}, {0.5f, 1.25f}}, report),
      "{\"indices\":[2,7],\"values\":[0.5,1.25],\"tokens\":3,\"truncated\":{\"tokens\":5,\"kept\":3}}\n");
  const MultiVectors vectors{.dimensions = 2, .texts = {{}, {{5, 6}, {1, 2, 3, 4}}}};
  EXPECT_EQ(TokenVectorsLine(Text("a"), vectors, 1, {.error = {}, .tokens = 3, .total = 3}),
            "{\"embeddings\":[[1,2],[3,4]],\"token_ids\":[5,6]}\n");
  TokenClasses classes{.labels = {"O", "B"},
                       .texts = {{{5, 6}, {{0, 1}, {1, 3}}, {1, 2, 4, 3}, {0.3f, 0.7f, 0.7f, 0.3f}, {}}}};
  const ItemReport whole{.error = {}, .tokens = 2, .total = 2};
  EXPECT_EQ(
      TokenClassesLine(Text("a"), classes, 0, Aggregation::kNone, whole),
      "{\"token_ids\":[5,6],\"offsets\":[[0,1],[1,3]],\"logits\":[[1,2],[4,3]],\"labels\":[\"B\",\"O\"]}\n");
  classes.texts[0].spans = {{"B", 0.5f, 0, 1}};
  EXPECT_EQ(
      TokenClassesLine(Text("a"), classes, 0, Aggregation::kSimple, whole),
      "{\"token_ids\":[5,6],\"offsets\":[[0,1],[1,3]],\"logits\":[[1,2],[4,3]],\"labels\":[\"B\",\"O\"],"
      "\"spans\":[{\"label\":\"B\",\"score\":0.5,\"offsets\":[0,1]}]}\n");
}

TEST(Ranges, TwoListsOfAsManyNumbers) {
  const auto ranges = ParseRanges("[[-1,0.5],[1,2]]", "r.json");
  ASSERT_TRUE(ranges);
  EXPECT_EQ(*ranges, (std::vector<float>{-1, 0.5f, 1, 2}));
  for (const auto& [text, found] :
       {std::pair<std::string, std::string>{"[[1],[1,2]]", "r.json: lists of 1 and 2 numbers"},
        {"[[1]]", "r.json: 1 entries"},
        {"{}", "r.json: object"},
        {"[[\"a\"],[1]]", "r.json: \"a\" in the place of a number"},
        {"[1,2]", "r.json: integer in the place of a list"}}) {
    const auto wrong = ParseRanges(text, "r.json");
    ASSERT_FALSE(wrong) << text;
    EXPECT_EQ(wrong.error().where, Where::Option("ranges"));
    EXPECT_EQ(wrong.error().found, found);
  }
}

TEST(Lines, ErrorsStandInPlaceWithTheirLine) {
  const Error error{Code::kInputTooLarge, Where::Field("text"), "9 tokens", "at most 8"};
  const std::string line = ErrorLine(Text("a", "\"x\""), error);
  EXPECT_EQ(line.find(R"({"id":"x","error":{"code":"input_too_large")"), 0u) << line;
  EXPECT_NE(line.find(R"("line":3)"), std::string::npos) << line;
  EXPECT_EQ(Placed(Text("a"), Error{Code::kEmptyInput, Where::Option("text")}).where.line, 0);
}

// As numpy.save writes it: numpy 2.4, np.zeros((2, 3), '<f4').
TEST(Npy, HeaderIsNumPys) {
  const std::string header = NpyHeader(2, 3);
  const std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  EXPECT_EQ(header, std::string("\x93NUMPY\x01\x00v\x00", 10) + dictionary + std::string(58, ' ') + '\n');
  EXPECT_EQ(header.size(), 128u);
  for (const std::size_t rows : {1u, 10u, 999999u, 4000000000u})
    EXPECT_EQ(NpyHeader(rows, 384).size() % 64, 0u);
  std::string bytes;
  const float row[] = {1.0f, -2.0f};
  AppendNpyRow(bytes, row);
  EXPECT_EQ(bytes, std::string("\x00\x00\x80\x3f\x00\x00\x00\xc0", 8));
}

class FileOutputTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/candor_output_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string Path(const std::string& name) const { return folder_ + '/' + name; }
  std::size_t Entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  static std::string Read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string folder_;
  Console console_{stdout, stderr, false, false};
};

TEST_F(FileOutputTest, AppearsCompleteOrNotAtAll) {
  {
    const auto file = FileOutput::Open(Path("a.jsonl"), "--output", console_);
    ASSERT_TRUE(file);
    EXPECT_TRUE(file.value()->Write("half"));
    EXPECT_TRUE(file.value()->Flush());
    EXPECT_FALSE(std::filesystem::exists(Path("a.jsonl")));
  }
  EXPECT_EQ(Entries(), 0u);
  std::ofstream(Path("a.jsonl")) << "old";
  {
    const auto file = FileOutput::Open(Path("a.jsonl"), "--output", console_);
    ASSERT_TRUE(file);
    EXPECT_TRUE(file.value()->Write("new"));
    EXPECT_EQ(Read(Path("a.jsonl")), "old");
    EXPECT_TRUE(file.value()->Commit());
  }
  EXPECT_EQ(Read(Path("a.jsonl")), "new");
  EXPECT_EQ(Entries(), 1u);
}

TEST_F(FileOutputTest, DevicesAreWrittenDirectlyAndStay) {
  const auto file = FileOutput::Open("/dev/null", "--output", console_);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file.value()->Write("gone"));
  EXPECT_TRUE(file.value()->Commit());
  struct ::stat status {};
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
}

TEST_F(FileOutputTest, FailuresNameTheOption) {
  const auto nowhere = FileOutput::Open(Path("no/such/a.jsonl"), "receipt", console_);
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, Code::kInvalidInput);
  EXPECT_EQ(nowhere.error().where.option, "receipt");
  EXPECT_EQ(nowhere.error().found, "No such file or directory");
  const auto folder = FileOutput::Open(folder_, "--output", console_);
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().found, "Is a directory");
  const auto full = FileOutput::Open("/dev/full", "--output", console_);
  ASSERT_TRUE(full);
  EXPECT_TRUE(full.value()->Write("x"));
  const auto flushed = full.value()->Flush();
  ASSERT_FALSE(flushed);
  EXPECT_EQ(flushed.error().found, "No space left on device");
}

}  // namespace
}  // namespace candor::apps
