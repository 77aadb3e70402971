#include "apps/lines.h"

#include <algorithm>

#include "candor/engine.h"
#include "io/json.h"

namespace candor::apps {
namespace {

// The object with the caller's id first, left open.
io::JsonWriter Begin(const Item& item) {
  io::JsonWriter writer;
  writer.BeginObject();
  if (!item.id.empty()) writer.Key("id").Raw(item.id);
  return writer;
}

std::string End(io::JsonWriter& writer) {
  writer.EndObject();
  return writer.Take() + '\n';
}

void AddCut(io::JsonWriter& writer, const Cut& cut) {
  if (cut.tokens <= cut.kept) return;
  writer.Key("truncated").BeginObject();
  writer.Key("tokens").Uint(cut.tokens).Key("kept").Uint(cut.kept).EndObject();
}

void AddInts(io::JsonWriter& writer, const char* key, std::span<const std::int32_t> values) {
  writer.Key(key).BeginArray();
  for (const std::int32_t value : values) writer.Int(value);
  writer.EndArray();
}

void AddOffsets(io::JsonWriter& writer, std::span<const std::pair<std::int32_t, std::int32_t>> offsets) {
  writer.Key("offsets").BeginArray();
  for (const auto& [start, end] : offsets) writer.BeginArray().Int(start).Int(end).EndArray();
  writer.EndArray();
}

void AddRows(io::JsonWriter& writer, const char* key, std::span<const float> values, std::size_t rows,
             std::size_t width) {
  writer.Key(key).BeginArray();
  for (std::size_t r = 0; r < rows; ++r) writer.Floats(values.subspan(r * width, width));
  writer.EndArray();
}

}  // namespace

bool IsSigned(VectorType type) { return type == VectorType::kInt8 || type == VectorType::kBinary; }

std::vector<std::int32_t> Numbers(const Embeddings& all, std::size_t row) {
  const bool packed = all.type == VectorType::kBinary || all.type == VectorType::kUbinary;
  const std::size_t width = packed ? (all.dimensions + 7) / 8 : all.dimensions;
  std::vector<std::int32_t> out;
  for (const std::uint8_t byte : std::span(all.bytes).subspan(row * width, width))
    out.push_back(IsSigned(all.type) ? static_cast<std::int8_t>(byte) : std::int32_t{byte});
  return out;
}

std::string EmbedLine(const Item& item, const Embeddings& all, std::size_t row, const ItemReport& report) {
  io::JsonWriter writer = Begin(item);
  if (all.type == VectorType::kFloat32)
    writer.Key("embedding").Floats(std::span(all.values).subspan(row * all.dimensions, all.dimensions));
  else
    AddInts(writer, "embedding", Numbers(all, row));
  writer.Key("tokens").Uint(report.tokens);
  AddCut(writer, {.tokens = report.total, .kept = report.tokens});
  return End(writer);
}

std::string SimilarityLine(const Item& item, std::span<const float> scores, const Cut& cut) {
  io::JsonWriter writer = Begin(item);
  writer.Key("similarity").Floats(scores);
  AddCut(writer, cut);
  return End(writer);
}

std::string ClassifyLine(const Item& item, const Classes& classes, std::size_t row,
                         const ItemReport& report) {
  io::JsonWriter writer = Begin(item);
  const std::size_t count = classes.labels.size();
  writer.Key("labels").BeginArray();
  for (std::size_t i = 0; i < count; ++i) {
    writer.BeginObject().Member("label", classes.labels[i]);
    writer.Key("score").Float(classes.scores[row * count + i]);
    writer.Key("logit").Float(classes.logits[row * count + i]).EndObject();
  }
  writer.EndArray();
  AddCut(writer, {.tokens = report.total, .kept = report.tokens});
  return End(writer);
}

std::string SparseLine(const Item& item, const SparseVector& vector, const ItemReport& report) {
  io::JsonWriter writer = Begin(item);
  AddInts(writer, "indices", vector.indices);
  writer.Key("values").Floats(vector.values);
  writer.Key("tokens").Uint(report.tokens);
  AddCut(writer, {.tokens = report.total, .kept = report.tokens});
  return End(writer);
}

std::string TokenVectorsLine(const Item& item, const MultiVectors& all, std::size_t text,
                             const ItemReport& report) {
  io::JsonWriter writer = Begin(item);
  const TokenVectors& vectors = all.texts[text];
  AddRows(writer, "embeddings", vectors.values, vectors.token_ids.size(), all.dimensions);
  AddInts(writer, "token_ids", vectors.token_ids);
  AddCut(writer, {.tokens = report.total, .kept = report.tokens});
  return End(writer);
}

std::size_t BestLabel(const TokenClasses& classes, const LabelledTokens& tokens, std::size_t token) {
  const std::size_t count = classes.labels.size();
  const auto row = std::span(tokens.scores).subspan(token * count, count);
  return static_cast<std::size_t>(std::ranges::max_element(row) - row.begin());
}

std::string TokenClassesLine(const Item& item, const TokenClasses& classes, std::size_t text,
                             Aggregation aggregation, const ItemReport& report) {
  io::JsonWriter writer = Begin(item);
  const LabelledTokens& tokens = classes.texts[text];
  AddInts(writer, "token_ids", tokens.token_ids);
  AddOffsets(writer, tokens.offsets);
  AddRows(writer, "logits", tokens.logits, tokens.token_ids.size(), classes.labels.size());
  writer.Key("labels").BeginArray();
  for (std::size_t i = 0; i < tokens.token_ids.size(); ++i)
    writer.String(classes.labels[BestLabel(classes, tokens, i)]);
  writer.EndArray();
  if (aggregation != Aggregation::kNone) {
    writer.Key("spans").BeginArray();
    for (const LabelledTokens::Span& span : tokens.spans) {
      writer.BeginObject().Member("label", span.label).Key("score").Float(span.score);
      writer.Key("offsets").BeginArray().Int(span.begin).Int(span.end).EndArray().EndObject();
    }
    writer.EndArray();
  }
  AddCut(writer, {.tokens = report.total, .kept = report.tokens});
  return End(writer);
}

std::string RerankLine(const Item& item, const Ranks& ranks, std::size_t top_n, const Cut& cut) {
  io::JsonWriter writer = Begin(item);
  writer.Key("scores").Floats(ranks.scores);
  writer.Key("activated").Floats(ranks.activated);
  if (top_n != 0) {
    const std::vector<std::size_t> order = Ranking(ranks);
    writer.Key("ranking").BeginArray();
    for (const std::size_t i : std::span(order).first(std::min(top_n, order.size()))) writer.Uint(i);
    writer.EndArray();
  }
  AddCut(writer, cut);
  return End(writer);
}

std::string TokenLine(const Item& item, const TokenizedText& text) {
  io::JsonWriter writer = Begin(item);
  AddInts(writer, "ids", text.ids);
  AddInts(writer, "type_ids", text.type_ids);
  AddOffsets(writer, text.offsets);
  writer.Key("tokens").BeginArray();
  for (const std::string& token : text.tokens) writer.String(token);
  writer.EndArray();
  AddCut(writer, {.tokens = text.total, .kept = text.ids.size()});
  return End(writer);
}

Error Placed(const Item& item, Error error) {
  if (error.where.line == 0 && error.where.option.empty()) error.where.line = item.line;
  return error;
}

std::string ErrorLine(const Item& item, const Error& error) {
  io::JsonWriter writer = Begin(item);
  writer.Key("error").Raw(ErrorJson(Placed(item, error)));
  return End(writer);
}

}  // namespace candor::apps
