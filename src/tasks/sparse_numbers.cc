#include "tasks/sparse_numbers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "tasks/chain.h"
#include "tasks/describe.h"

namespace candor::tasks {
namespace {

using Text = std::vector<std::pair<std::string, std::string>>;

Kept NotZero(std::span<const float> row) {
  Kept kept;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == 0) continue;
    kept.indices.push_back(static_cast<std::int32_t>(i));
    kept.values.push_back(row[i]);
  }
  return kept;
}

class WordScores final : public SparseNumbers {
 public:
  WordScores(Reduce reduce, Activation activation, HeadSpec head, std::size_t width)
      : reduce_(reduce), activation_(activation), head_(std::move(head), width) {}
  std::size_t dimensions() const override { return head_.out(); }
  std::string_view pooling() const override { return reduce_ == Reduce::kMax ? "max" : "sum"; }
  Text Describe() const override {
    Text out;
    for (const HeadStep& s : head_.spec().steps)
      out.emplace_back("Dense", s.dense + ", " + std::to_string(s.out));
    out.emplace_back(
        "SpladePooling",
        std::string(reduce_ == Reduce::kMax ? "largest" : "sum") + " over tokens of " +
            (activation_ == Activation::kReluLog ? "log(1 + relu(x))" : "log(1 + log(1 + relu(x)))"));
    return out;
  }
  void DeclareTensors(const Scope& root) override { head_.DeclareTensors(root); }
  void Compute(const Packed& packed, Matrix hidden, Matrix out, Ops& ops, Workspace& ws) const override {
    head_.ApplyReduced(hidden, packed.runs, activation_, reduce_, out, ops, ws);
  }
  Kept Keep(const Work&, View<const float> numbers) const override { return NotZero(numbers.Row(0)); }

 private:
  Reduce reduce_;
  Activation activation_;
  Head head_;
};

class TokenWeights final : public SparseNumbers {
 public:
  TokenWeights(std::string file, std::vector<std::int32_t> left_out, std::size_t vocabulary,
               std::size_t width)
      : file_(std::move(file)), left_out_(std::move(left_out)), vocabulary_(vocabulary), width_(width) {}
  std::size_t dimensions() const override { return vocabulary_; }
  std::string_view pooling() const override { return "max"; }
  Text Describe() const override {
    std::string ids;
    for (const std::int32_t id : left_out_) ids += (ids.empty() ? "" : ", ") + std::to_string(id);
    return {{"Dense", file_ + ", 1, ReLU"},
            {"TokenWeights", "largest over the tokens of a word, without the words " + ids}};
  }
  void DeclareTensors(const Scope& root) override { root.In(file_).Exact().Linear("", linear_, 1, width_); }
  std::size_t Rows(std::size_t rows, std::size_t) const override { return rows; }
  std::size_t Width() const override { return 1; }
  void Compute(const Packed&, Matrix hidden, Matrix out, Ops& ops, Workspace&) const override {
    ops.Project(hidden, linear_, out);  // what is not above zero falls later: a NaN must stay one
  }
  Kept Keep(const Work& work, View<const float> numbers) const override {
    std::vector<float> weights;
    for (std::size_t i = 0; i < numbers.rows; ++i) weights.push_back(numbers.Row(i).front());
    return FoldByWord(work.tokens, weights, left_out_);
  }

 private:
  std::string file_;
  std::vector<std::int32_t> left_out_;
  std::size_t vocabulary_, width_;
  Linear linear_;
};

class Codes final : public SparseNumbers {
 public:
  Codes(const EmbedRecipe& recipe, std::size_t width, std::size_t max_length)
      : codes_(*recipe.codes),
        pooling_(PoolingText(recipe)),
        text_(ChainText(recipe, max_length)),
        chain_(recipe.chain, width),
        pre_bias_(recipe.codes->in) {
    text_.erase(text_.begin());  // the encoder
    text_.emplace_back("SparseAutoEncoder", std::to_string(codes_.in) + " to " + std::to_string(codes_.out) +
                                                ", the " + std::to_string(codes_.most) +
                                                " largest, of equal ones those of lower indices, ReLU" +
                                                (codes_.normalizes ? ", normalised first" : ""));
  }
  std::size_t dimensions() const override { return codes_.out; }
  std::size_t Width() const override { return codes_.normalizes ? 2 * codes_.out + codes_.in : codes_.out; }
  std::string_view pooling() const override { return pooling_; }
  Text Describe() const override { return text_; }
  void DeclareTensors(const Scope& root) override {
    chain_.DeclareTensors(root);
    const Scope scope = root.In(codes_.folder).Exact();
    scope.Values("pre_bias", pre_bias_, codes_.in);
    // Two names of one tensor, of which the library stores the second.
    const Part second{"decoder.linear", codes_.out}, first{"encoder", codes_.out};
    scope.Stacked("encoder", linear_, codes_.in, Scope::Bias::kNone,
                  std::initializer_list<std::initializer_list<Part>>{{second}, {first}});
    scope.Vector("latent_bias", linear_.bias, codes_.out);
  }
  void Compute(const Packed& packed, Matrix hidden, Matrix out, Ops& ops, Workspace& ws) const override {
    const auto frame = ws.Mark();
    const std::size_t n = packed.runs.size();
    const Matrix x = ws.RowsF32(n, codes_.in), bias = ws.RowsF32(n, codes_.in);
    chain_.Apply(hidden, packed.runs, x, ops, ws);
    for (std::size_t i = 0; i < n; ++i) ops.Upload(pre_bias_, bias.Rows(i, 1));
    if (!codes_.normalizes) {
      ops.Combine(1.0f, x, -1.0f, bias, x);
      ops.Project(x, linear_, out);
      return;
    }
    // No norm that is built divides by that deviation. What one divides by instead is a factor of the row,
    // which the product passes on: it is made good on the host, out of x itself.
    ops.Combine(1.0f, x, 0.0f, x, out.Cols(2 * codes_.out, codes_.in));
    ops.Combine(-1.0f, bias, 0.0f, bias, bias);
    ops.Project(bias, linear_, out.Cols(codes_.out, codes_.out));
    ops.Normalize(x, {.kind = Norm::Kind::kLayer, .eps = kLayerEps}, x);
    ops.Project(x, {linear_.weight, {}}, out.Cols(0, codes_.out));
  }
  Kept Keep(const Work&, View<const float> numbers) const override {
    const std::span<const float> row = numbers.Row(0);
    const std::vector<float> rescaled = codes_.normalizes ? Rescaled(row) : std::vector<float>();
    Kept kept = NotZero(codes_.normalizes ? rescaled : row);
    std::size_t stay = 0;
    for (std::size_t i = 0; i < kept.values.size(); ++i) {
      if (kept.values[i] < 0) continue;
      kept.indices[stay] = kept.indices[i], kept.values[stay++] = kept.values[i];
    }
    kept.indices.resize(stay), kept.values.resize(stay);
    return kept;
  }

 private:
  static constexpr float kLayerEps = 1e-12f;

  // [W norm(x), latent_bias - W pre_bias, x] as what the library makes of x.
  std::vector<float> Rescaled(std::span<const float> row) const {
    const std::span<const float> x = row.last(codes_.in);
    const double n = static_cast<double>(codes_.in), mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
    double squares = 0;
    for (const double value : x) squares += (value - mean) * (value - mean);
    const double divided = std::sqrt(squares / n + double{kLayerEps});
    const double factor = divided / (std::sqrt(squares / (n - 1)) + 1e-5);
    std::vector<float> out(codes_.out);
    for (std::size_t i = 0; i < codes_.out; ++i)
      out[i] = static_cast<float>(factor * double{row[i]} + double{row[codes_.out + i]});
    return out;
  }

  AutoEncoder codes_;
  std::string pooling_;
  Text text_;
  ModuleChain chain_;
  Linear linear_;
  std::vector<float> pre_bias_;  // zeros until the package is loaded
};

}  // namespace

Kept FoldByWord(std::span<const std::int32_t> tokens, std::span<const float> weights,
                std::span<const std::int32_t> left_out) {
  std::map<std::int32_t, float> of_word;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const float weight = weights[i];
    if (weight <= 0 || std::ranges::find(left_out, tokens[i]) != left_out.end()) continue;
    const auto [at, fresh] = of_word.emplace(tokens[i], weight);
    if (std::isnan(weight) || weight > at->second) at->second = weight;  // a NaN is never replaced
  }
  Kept kept;
  for (const auto& [id, weight] : of_word) kept.indices.push_back(id), kept.values.push_back(weight);
  return kept;
}

std::unique_ptr<SparseNumbers> MakeWordScores(Reduce reduce, Activation activation, HeadSpec head,
                                              std::size_t width) {
  return std::make_unique<WordScores>(reduce, activation, std::move(head), width);
}

std::unique_ptr<SparseNumbers> MakeTokenWeights(std::string file, std::vector<std::int32_t> left_out,
                                                std::size_t vocabulary, std::size_t width) {
  return std::make_unique<TokenWeights>(std::move(file), std::move(left_out), vocabulary, width);
}

std::unique_ptr<SparseNumbers> MakeCodes(const EmbedRecipe& recipe, std::size_t width,
                                         std::size_t max_length) {
  return std::make_unique<Codes>(recipe, width, max_length);
}

}  // namespace candor::tasks
