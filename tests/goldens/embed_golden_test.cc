// Every golden package through the public API, from folder to vector: agreement with the reference library,
// the envelope that follows from it, and the bits that every table and thread count must give.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <set>

#include "base/sha256.h"
#include "candor/engine.h"
#include "golden.h"
#include "head_golden.h"
#include "io/json.h"
#include "late_interaction_golden.h"
#include "models_page.h"
#include "plan/envelope.h"
#include "sparse_golden.h"
#include "text/test_goldens.h"
#include "token_golden.h"

namespace candor::goldens {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<Engine> NewEngine(const std::string& isa = "", std::size_t threads = 2) {
  Result<std::shared_ptr<Engine>> engine = Engine::New({.threads = threads, .isa = isa});
  if (!engine) return nullptr;  // a table this machine lacks
  return *engine;
}

std::shared_ptr<const Embedder> Open(const Engine& engine, const Golden& golden) {
  ModelOptions options{.path = golden.package, .allow_unqualified = true};
  if (NeedsPooling(golden)) options.pooling = "mean";
  Planned<std::shared_ptr<const Embedder>> model = engine.OpenEmbedder(options);
  if (!model) {
    for (const Error& e : model.error()) ADD_FAILURE() << golden.name << ": " << Message(e);
    return nullptr;
  }
  return *model;
}

// All items' vectors in order; empty after a failure.
std::vector<float> Vectors(const Embedder& model, const Golden& golden,
                           std::optional<std::size_t> dimensions = {}) {
  const std::size_t width = dimensions.value_or(golden.dimension);
  std::vector<float> out(golden.items.size() * width);
  for (Asked& asked : Requests(golden)) {
    asked.request.dimensions = dimensions;
    const Result<EmbedReply> reply = model.Embed(asked.request);
    if (!reply) {
      ADD_FAILURE() << golden.name << ": " << Message(reply.error());
      return {};
    }
    EXPECT_TRUE(reply->receipt.as_planned) << reply->receipt.difference;
    EXPECT_EQ(reply->embeddings.dimensions, width) << golden.name;
    for (std::size_t i = 0; i < asked.items.size(); ++i) {
      const Item& item = golden.items[asked.items[i]];
      EXPECT_FALSE(reply->items[i].error) << golden.name << ": " << Message(*reply->items[i].error);
      EXPECT_EQ(reply->items[i].tokens, item.ids.size()) << golden.name << ": " << item.text;
      EXPECT_EQ(reply->items[i].total, item.tokens_before_truncation) << golden.name << ": " << item.text;
      std::copy_n(reply->embeddings.values.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                  out.begin() + static_cast<std::ptrdiff_t>(asked.items[i] * width));
    }
  }
  return out;
}

double LargestDifference(const std::vector<float>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < b.size(); ++i)
    most = std::max(most, std::abs(static_cast<double>(a[i]) - b[i]));
  return most;
}

std::vector<std::string> CasesWith(bool (*has)(const Golden&)) {
  std::vector<std::string> names = CaseNames();
  std::erase_if(names, [has](const std::string& name) { return !has(Load(name)); });
  return names;
}

class GoldenTest : public ::testing::TestWithParam<std::string> {};

// AC-E 4, 5, 7; TSK-05..09; COV-01. Largest seen, relative L2: 5.6e-7 of 1.8e-6 tiny, 9.3e-7 of 2.5e-6
// MiniLM, whose largest single difference is 3.8e-7.
TEST_P(GoldenTest, VectorsAreTheReferences) {
  const Golden golden = Load(GetParam());
  const auto engine = NewEngine();
  const auto model = Open(*engine, golden);
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->info().max_length, LengthOf(golden));
  if (!golden.similarity.empty()) {
    EXPECT_EQ(model->info().similarity, golden.similarity);
  }
  const std::vector<float> got = Vectors(*model, golden);
  ASSERT_EQ(got.size(), golden.embeddings.values.size());
  const double distance = RelativeL2({got.begin(), got.end()}, golden.embeddings.values);
  std::printf("%-20s relative L2 %.2e, bound %.2e, largest difference %.2e\n", golden.name.c_str(), distance,
              Bound(golden.delta), LargestDifference(got, golden.embeddings.values));
  EXPECT_LE(distance, Bound(golden.delta)) << golden.name;
  if (IsReal(golden.name)) {
    EXPECT_LE(LargestDifference(got, golden.embeddings.values), 1e-5);
  }
}

// API-03: cut first, then normalised again where the recipe normalises.
class CutGoldenTest : public ::testing::TestWithParam<std::string> {};

TEST_P(CutGoldenTest, VectorsAreTheReferences) {
  const Golden golden = Load(GetParam());
  const auto model = Open(*NewEngine(), golden);
  ASSERT_NE(model, nullptr);
  const std::vector<float> got = Vectors(*model, golden, golden.cut->dimensions);
  ASSERT_EQ(got.size(), golden.cut->embeddings.values.size());
  EXPECT_LE(RelativeL2({got.begin(), got.end()}, golden.cut->embeddings.values), Bound(golden.cut->delta));
}

INSTANTIATE_TEST_SUITE_P(Cases, CutGoldenTest,
                         ::testing::ValuesIn(CasesWith([](const Golden& g) { return g.cut.has_value(); })),
                         [](const auto& param) { return TestName(param.param); });

// How far a score may be off. All rows together are within e = Bound * (norm of all rows), so each of two
// rows u and v is; the score follows from the triangle inequality. Normalising at most doubles a row's
// relative error. To this comes the rounding of n products and sums in f32, 2^-24 each.
double ScoreTolerance(const std::string& function, double e, double u, double v, std::size_t n,
                      double score) {
  const auto width = static_cast<double>(n);
  const double rounding = (width + 4) * std::ldexp(1, -24);
  if (function == "cosine") return 2 * e / u + 2 * e / v + 4 * e * e / (u * v) + rounding;
  if (function == "dot") return e * (u + v) + e * e + rounding * u * v;
  if (function == "euclidean") return 2 * e + rounding * std::abs(score);
  if (function == "manhattan") return 2 * e * std::sqrt(width) + rounding * std::abs(score);
  ADD_FAILURE() << "no tolerance for " << function;
  return 0;
}

double Norm(const double* values, std::size_t n) {
  return std::sqrt(std::inner_product(values, values + n, values, 0.0));
}

// TSK-10: the package's own similarity function, every item against every item. Largest seen: 0.028 of the
// tolerance.
class SimilarityGoldenTest : public ::testing::TestWithParam<std::string> {};

TEST_P(SimilarityGoldenTest, ScoresAreTheReferences) {
  const Golden golden = Load(GetParam());
  const auto model = Open(*NewEngine(), golden);
  ASSERT_NE(model, nullptr);
  const std::size_t n = golden.items.size(), width = golden.dimension;
  const Embeddings many{width, model->info().normalized, golden.similarity, model->info().space,
                        Vectors(*model, golden)};
  ASSERT_EQ(many.values.size(), n * width);
  ASSERT_EQ(golden.similarity_matrix.values.size(), n * n);
  const double* rows = golden.embeddings.values.data();
  const double e = Bound(golden.delta) * Norm(rows, n * width);
  double share = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Embeddings one = many;
    const auto begin = many.values.begin() + static_cast<std::ptrdiff_t>(i * width);
    one.values.assign(begin, begin + static_cast<std::ptrdiff_t>(width));
    const Result<std::vector<float>> scores = model->Similarity(one, many);
    ASSERT_TRUE(scores) << Message(scores.error());
    for (std::size_t j = 0; j < n; ++j) {
      const double expected = golden.similarity_matrix.values[i * n + j];
      const double tolerance = ScoreTolerance(golden.similarity, e, Norm(rows + i * width, width),
                                              Norm(rows + j * width, width), width, expected);
      EXPECT_NEAR((*scores)[j], expected, tolerance) << golden.name << " items " << i << " and " << j;
      share = std::max(share, std::abs(static_cast<double>((*scores)[j]) - expected) / tolerance);
    }
  }
  std::printf("%-20s %s, largest difference %.3f of the tolerance\n", golden.name.c_str(),
              golden.similarity.c_str(), share);
}

INSTANTIATE_TEST_SUITE_P(Cases, SimilarityGoldenTest, ::testing::ValuesIn(CasesWith([](const Golden& g) {
                           return !g.similarity_matrix.values.empty();
                         })),
                         [](const auto& param) { return TestName(param.param); });

std::string BitsOf(const std::vector<float>& values) {
  return Sha256Hex({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
}

// The scalar table takes a second for each text of the real model; eight of them say as much as all.
Golden ForBits(const std::string& name) {
  Golden golden = Load(name);
  if (golden.items.size() > 16) golden.items.resize(8);
  return golden;
}

fs::path BitsFile() { return fs::path(CANDOR_SOURCE_DIR) / "goldens" / "bits.txt"; }

std::map<std::string, std::string> ReadBits() {
  std::map<std::string, std::string> out;
  std::ifstream in(BitsFile());
  for (std::string name, bits; in >> name >> bits;) out[name] = bits;
  return out;
}

// BAT-03, BR-044, DESIGN section 10: in f32 one file of bits serves every x86 table and every thread count.
// The file guards against change; what the numbers should be is the tests' above.
TEST_P(GoldenTest, BitsAreOneForEveryTableAndThreadCount) {
  const Golden golden = ForBits(GetParam());
  const std::map<std::string, std::string> bits = ReadBits();
  ASSERT_TRUE(bits.contains(golden.name)) << "no line in goldens/bits.txt; goldens_test --write makes them";
  std::size_t tables = 0;
  for (const char* isa : {"scalar", "avx2", "avx512"}) {
    for (const std::size_t threads : {1u, 2u, 3u}) {
      const auto engine = NewEngine(isa, threads);
      if (engine == nullptr) continue;
      ++tables;
      const auto model = Open(*engine, golden);
      ASSERT_NE(model, nullptr);
      EXPECT_EQ(BitsOf(Vectors(*model, golden)), bits.at(golden.name))
          << golden.name << " " << isa << " " << threads;
    }
  }
  EXPECT_GE(tables, 1u);
}

// BAT-03: alone, in company, in reverse: the same bits.
TEST_P(GoldenTest, CompanyAndOrderChangeNothing) {
  const Golden golden = Load(GetParam());
  const auto model = Open(*NewEngine(), golden);
  ASSERT_NE(model, nullptr);
  const std::size_t width = golden.dimension;
  for (const Asked& asked : Requests(golden)) {
    const Result<EmbedReply> together = model->Embed(asked.request);
    ASSERT_TRUE(together);
    EmbedRequest backwards = asked.request;
    std::reverse(backwards.inputs.begin(), backwards.inputs.end());
    const Result<EmbedReply> reversed = model->Embed(backwards);
    ASSERT_TRUE(reversed);
    const std::size_t n = asked.items.size();
    for (std::size_t i = 0; i < n; ++i) {
      EmbedRequest single = asked.request;
      single.inputs = {asked.request.inputs[i]};
      const Result<EmbedReply> alone = model->Embed(single);
      ASSERT_TRUE(alone);
      const float* row = together->embeddings.values.data() + i * width;
      EXPECT_EQ(std::memcmp(row, alone->embeddings.values.data(), width * sizeof(float)), 0)
          << golden.name << i;
      EXPECT_EQ(
          std::memcmp(row, reversed->embeddings.values.data() + (n - 1 - i) * width, width * sizeof(float)),
          0)
          << golden.name << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenTest, ::testing::ValuesIn(CaseNames()),
                         [](const auto& param) { return TestName(param.param); });

// What a passing golden proves, as rows of the envelope.
void Prove(const std::string& json, std::set<std::string>& rows) {
  const Result<io::Json> plan = io::ParseJson(json, "plan");
  ASSERT_TRUE(plan);
  const auto text = [&](const char* key) { return plan->Find(key)->as_string(); };
  for (const io::Json& choice : plan->Find("choices")->items()) {
    // Tokenizers are proved by goldens of their own.
    if (choice.as_string().starts_with("tokenizer.")) continue;
    rows.insert(plan::EnvelopeRow(text("family"), text("profile"), text("device"), choice.as_string()));
  }
}

std::set<std::string> ProvenRows() {
  std::set<std::string> rows;
  const auto engine = NewEngine();
  for (const std::string& name : CaseNames()) {
    const Golden golden = Load(name);
    if (IsReal(golden.name)) continue;  // not on every machine, and the tiny ones cover its choices
    const auto model = Open(*engine, golden);
    if (model == nullptr) continue;
    const std::vector<float> got = Vectors(*model, golden);
    if (got.size() == golden.embeddings.values.size() &&
        RelativeL2({got.begin(), got.end()}, golden.embeddings.values) <= Bound(golden.delta))
      Prove(model->PlanJson(false).value(), rows);
  }
  for (const std::string& plan : ProvenHeadPlans()) Prove(plan, rows);
  for (const std::string& plan : ProvenLatePlans()) Prove(plan, rows);
  for (const std::string& plan : ProvenTokenPlans()) Prove(plan, rows);
  for (const std::string& plan : ProvenSparsePlans()) Prove(plan, rows);
  const auto prove = [&](const text::ComparedGolden& golden) {
    if (golden.difference.empty()) rows.insert(golden.choices.begin(), golden.choices.end());
  };
  text::CompareTokenizerGoldens(prove);
  text::CompareFormatGoldens(prove);
  return rows;
}

// CAP-05: the list built in is the list that the goldens prove, no more and no less.
TEST(Envelope, IsWhatTheGoldensProve) {
  const auto built = plan::BuiltInEnvelope().rows;
  EXPECT_EQ(std::set<std::string>(built.begin(), built.end()), ProvenRows())
      << "goldens_test --write makes src/plan/envelope.inc again";
}

fs::path ModelsPage() { return fs::path(CANDOR_SOURCE_DIR) / "docs" / "models.md"; }

std::string ReadText(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// FAM-03, FAM-13: the page says what the registry has and the goldens prove.
TEST(ModelsPage, IsTheRegistryAndItsGoldens) {
  const auto built = plan::BuiltInEnvelope().rows;
  const std::string page = ReadText(ModelsPage());
  EXPECT_EQ(page, WithTable(page, ModelsTable({built.begin(), built.end()})))
      << "goldens_test --write makes docs/models.md again";
}

// CAP-05, QUA-15: the real package is inside it. No such test where there is no such package.
class RealPackage : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RealPackage);

TEST_P(RealPackage, IsInTheEnvelope) {
  const auto answer = NewEngine()->Plan({.path = Load(GetParam()).package});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->decision, "eligible");
}

INSTANTIATE_TEST_SUITE_P(Cases, RealPackage,
                         ::testing::ValuesIn(CasesWith([](const Golden& g) { return IsReal(g.name); })),
                         [](const auto& param) { return TestName(param.param); });

}  // namespace

// Makes the derived files again, from the goldens that pass; what fails is said and left out.
int Write() {
  const fs::path source = CANDOR_SOURCE_DIR;
  const std::set<std::string> rows = ProvenRows();
  std::map<std::string, std::string> bits = ReadBits();
  // A package that is not here keeps its line; one that no longer is a case does not.
  const std::vector<std::string> names = CaseNames();
  std::erase_if(bits, [&](const auto& line) {
    return !IsReal(line.first) && std::ranges::find(names, line.first) == names.end();
  });
  for (const std::string& name : names) {
    const Golden golden = ForBits(name);
    if (const auto model = Open(*NewEngine(), golden)) bits[name] = BitsOf(Vectors(*model, golden));
  }
  std::ofstream envelope(source / "src" / "plan" / "envelope.inc");
  envelope << "// Generated from the goldens by goldens_test --write; do not edit.\n";
  for (const std::string& row : rows) envelope << '"' << row << "\",\n";
  const std::string page = WithTable(ReadText(ModelsPage()), ModelsTable(rows));
  std::ofstream(ModelsPage(), std::ios::binary) << page;
  std::ofstream out(BitsFile());
  for (const auto& [name, value] : bits) out << name << ' ' << value << '\n';
  return ::testing::Test::HasFailure() ? 1 : 0;
}

}  // namespace candor::goldens

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (argc == 2 && std::string(argv[1]) == "--write") return candor::goldens::Write();
  return RUN_ALL_TESTS();
}
