#include "engine/tokenize.h"

#include <string>
#include <utility>

#include "engine/door.h"
#include "tasks/text_rules.h"

namespace candor::engine {
namespace {

class TextTokenizerImpl final : public TextTokenizer {
 public:
  TextTokenizerImpl(std::shared_ptr<const text::Tokenizer> tokenizer, tasks::EmbedRecipe recipe,
                    std::size_t limit)
      : tokenizer_(std::move(tokenizer)), recipe_(std::move(recipe)), limit_(limit) {}

  Result<TokenizedText> Tokenize(std::string_view text, std::optional<std::string_view> pair,
                                 const TextOptions& options) const override {
    return AtTheDoor<TokenizedText, Error>([&] { return Answer(text, pair, options); });
  }

 private:
  Result<TokenizedText> Answer(std::string_view text, std::optional<std::string_view> pair,
                               const TextOptions& options) const;

  std::shared_ptr<const text::Tokenizer> tokenizer_;
  tasks::EmbedRecipe recipe_;
  std::size_t limit_;
};

Result<TokenizedText> TextTokenizerImpl::Answer(std::string_view text, std::optional<std::string_view> pair,
                                                const TextOptions& options) const {
  CANDOR_TRY(const tasks::TextLayout layout, tasks::LayOut(recipe_, options, *tokenizer_, limit_));
  const tasks::Prompt& prompt = layout.prompt;
  if (pair && !prompt.text.empty()) {
    return Error{Code::kUnsupportedOption, Where::Option("prompt"), prompt.name + " in front of a pair",
                 "one text, or an empty prompt"};
  }
  TokenizedText out;
  CANDOR_TRY(text::Encoding e, pair ? tokenizer_->EncodePair(text, *pair, layout.encode)
                                    : tasks::EncodeText(*tokenizer_, layout, text, out.total));
  if (pair) {
    CANDOR_CHECKED(tasks::CheckFits(e, layout));
    out.total = e.total;
  }
  for (const std::int32_t id : e.ids) out.tokens.emplace_back(tokenizer_->TokenOf(id));
  for (const text::Offset& o : e.offsets) out.offsets.emplace_back(o.begin, o.end);
  out.ids = std::move(e.ids), out.type_ids = std::move(e.type_ids);
  return out;
}

}  // namespace

std::shared_ptr<const TextTokenizer> MakeTextTokenizer(std::shared_ptr<const text::Tokenizer> tokenizer,
                                                       tasks::EmbedRecipe recipe, std::size_t limit) {
  return std::make_shared<TextTokenizerImpl>(std::move(tokenizer), std::move(recipe), limit);
}

}  // namespace candor::engine
