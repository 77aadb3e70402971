#include "apps/vector_output.h"

#include <limits>

#include "apps/embed_run.h"
#include "apps/file_output.h"
#include "apps/lines.h"
#include "apps/npy.h"
#include "apps/table.h"

namespace candor::apps {
namespace {

using File = std::unique_ptr<FileOutput>;

class JsonLinesOutput final : public VectorOutput {
 public:
  explicit JsonLinesOutput(File file) : file_(std::move(file)) {}
  Result<void> Write(std::span<const Item> items, const EmbedReply& reply,
                     std::span<const Error* const> errors) override {
    for (std::size_t i = 0; i < items.size(); ++i) {
      CANDOR_CHECKED(file_->Write(errors[i] != nullptr
                                      ? ErrorLine(items[i], *errors[i])
                                      : EmbedLine(items[i], reply.embeddings, i, reply.items[i])));
    }
    return file_->Flush();
  }
  Result<void> Commit() override { return file_->Commit(); }

 private:
  File file_;
};

// An item without a vector is a row of NaN: zeros would pass for an answer. Whole numbers have none, so there
// such an item ends the run.
class NpyOutput final : public VectorOutput {
 public:
  NpyOutput(File file, std::size_t rows) : file_(std::move(file)), rows_(rows) {}
  Result<void> Write(std::span<const Item> items, const EmbedReply& reply,
                     std::span<const Error* const> errors) override {
    if (reply.embeddings.type != VectorType::kFloat32) return WriteBytes(items, reply.embeddings, errors);
    std::string bytes = started_ ? "" : NpyHeader(rows_, reply.embeddings.dimensions);
    started_ = true;
    const std::vector<float> nothing(reply.embeddings.dimensions, std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < items.size(); ++i) {
      AppendNpyRow(bytes, errors[i] != nullptr ? std::span<const float>(nothing) : Row(reply.embeddings, i));
    }
    return file_->Write(bytes);
  }
  Result<void> Commit() override { return file_->Commit(); }

 private:
  Result<void> WriteBytes(std::span<const Item> items, const Embeddings& all,
                          std::span<const Error* const> errors) {
    for (std::size_t i = 0; i < items.size(); ++i)
      if (errors[i] != nullptr) return Placed(items[i], *errors[i]);
    const std::size_t width = all.bytes.size() / items.size();
    std::string bytes = started_ ? "" : NpyHeader(rows_, width, IsSigned(all.type) ? "|i1" : "|u1");
    started_ = true;
    bytes.append(reinterpret_cast<const char*>(all.bytes.data()), all.bytes.size());
    return file_->Write(bytes);
  }

  File file_;
  std::size_t rows_;
  bool started_ = false;
};

class TableOutput final : public VectorOutput {
 public:
  explicit TableOutput(File file) : file_(std::move(file)) {
    table_.Column("#", Table::Align::kRight).Column("tokens", Table::Align::kRight).Column("text");
    table_.Column("vector");
  }
  Result<void> Write(std::span<const Item> items, const EmbedReply& reply,
                     std::span<const Error* const> errors) override {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const ItemReport& report = reply.items[i];
      const std::string cut = report.total > report.tokens ? " of " + std::to_string(report.total) : "";
      table_.Row({std::to_string(++count_), errors[i] != nullptr ? "-" : std::to_string(report.tokens) + cut,
                  Shown(items[i]),
                  errors[i] != nullptr ? "error: " + std::string(Info(errors[i]->code).name)
                                       : Start(reply.embeddings, i)});
    }
    return {};
  }
  Result<void> Commit() override {
    CANDOR_CHECKED(file_->Write(table_.Text()));
    return file_->Commit();
  }

 private:
  static std::string Shown(const Item& item) {
    const auto* text = std::get_if<std::string>(&item.content);
    return text == nullptr ? "(token ids)" : OneLine(*text, 40);
  }
  static std::string Start(const Embeddings& all, std::size_t index) {
    constexpr std::size_t kShown = 4;
    std::vector<std::string> numbers;
    if (all.type == VectorType::kFloat32)
      for (const float value : Row(all, index)) numbers.push_back(Fixed(static_cast<double>(value), 4));
    else
      for (const std::int32_t value : Numbers(all, index)) numbers.push_back(std::to_string(value));
    std::string text = "[";
    for (std::size_t i = 0; i < numbers.size() && i < kShown; ++i) text += (i > 0 ? " " : "") + numbers[i];
    return text + (numbers.size() > kShown ? " …] " : "] ") + std::to_string(numbers.size()) + " numbers";
  }

  File file_;
  Table table_;
  std::size_t count_ = 0;
};

}  // namespace

Result<std::unique_ptr<VectorOutput>> OpenVectorOutput(const Context& context, std::size_t rows) {
  const std::string path = context.options.output.value_or("-");
  CANDOR_TRY(File file, FileOutput::Open(path, "output", context.console));
  std::unique_ptr<VectorOutput> output;
  if (path.ends_with(".npy")) {
    output = std::make_unique<NpyOutput>(std::move(file), rows);
  } else if (context.WantsText()) {
    output = std::make_unique<TableOutput>(std::move(file));
  } else {
    output = std::make_unique<JsonLinesOutput>(std::move(file));
  }
  return output;
}

}  // namespace candor::apps
