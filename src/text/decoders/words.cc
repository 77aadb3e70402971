// WordPiece, BPEDecoder, CTC and Metaspace: where a word begins, and the blanks between words.
#include <algorithm>

#include "text/decoders/decoder.h"
#include "text/pre_tokenizers/metaspace.h"

namespace candor::text {
namespace {

// Blanks before punctuation and English short forms, in the library's order.
std::string CleanedUp(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kRules[] = {
      {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
      {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  for (const auto& [from, to] : kRules) {
    if (text.find(from) != std::string::npos) text = Replaced(text, from, to);
  }
  return text;
}

class WordPiece final : public Decoder {
 public:
  WordPiece(std::string prefix, bool cleanup) : prefix_(std::move(prefix)), cleanup_(cleanup) {}
  Result<void> Apply(std::vector<std::string>& tokens) const override {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      std::string& token = tokens[i];
      if (i > 0) {
        if (token.starts_with(prefix_)) {
          token.erase(0, prefix_.size());
        } else {
          token.insert(token.begin(), ' ');
        }
      }
      if (cleanup_) token = CleanedUp(std::move(token));
      CANDOR_CHECKED(CheckSize(token, bytes));
    }
    return {};
  }

 private:
  std::string prefix_;
  bool cleanup_;
};

class Bpe final : public Decoder {
 public:
  explicit Bpe(std::string suffix) : suffix_(std::move(suffix)) {}
  Result<void> Apply(std::vector<std::string>& tokens) const override {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      tokens[i] = Replaced(tokens[i], suffix_, i + 1 == tokens.size() ? "" : " ");
      CANDOR_CHECKED(CheckSize(tokens[i], bytes));
    }
    return {};
  }

 private:
  std::string suffix_;
};

class Ctc final : public Decoder {
 public:
  Ctc(std::string pad, std::string delimiter, bool cleanup)
      : pad_(std::move(pad)), delimiter_(std::move(delimiter)), cleanup_(cleanup) {}
  Result<void> Apply(std::vector<std::string>& tokens) const override {
    tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
    std::size_t bytes = 0;
    for (std::string& token : tokens) {
      token = Replaced(token, pad_, "");
      if (cleanup_) token = Replaced(CleanedUp(std::move(token)), delimiter_, " ");
      CANDOR_CHECKED(CheckSize(token, bytes));
    }
    std::erase_if(tokens, [](const std::string& token) { return token.empty(); });
    return {};
  }

 private:
  std::string pad_, delimiter_;
  bool cleanup_;
};

class Metaspace final : public Decoder {
 public:
  explicit Metaspace(MetaspaceKeys keys) : keys_(std::move(keys)) {}
  Result<void> Apply(std::vector<std::string>& tokens) const override {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool drop = i == 0 && keys_.prepend != MetaspaceKeys::Prepend::kNever;
      tokens[i] = Replaced(tokens[i], keys_.replacement, drop ? "" : " ");
      CANDOR_CHECKED(CheckSize(tokens[i], bytes));
    }
    return {};
  }

 private:
  MetaspaceKeys keys_;
};

}  // namespace

DecoderPtr ReadWordPieceDecoder(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"prefix", "cleanup"}, problems);
  std::string prefix = RequiredText(config, "prefix", problems);
  return std::make_unique<WordPiece>(std::move(prefix), RequiredFlag(config, "cleanup", problems));
}

DecoderPtr ReadBpeDecoder(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"suffix"}, problems);
  return std::make_unique<Bpe>(RequiredText(config, "suffix", problems));
}

DecoderPtr ReadCtcDecoder(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"pad_token", "word_delimiter_token", "cleanup"}, problems);
  std::string pad = RequiredText(config, "pad_token", problems);
  std::string delimiter = RequiredText(config, "word_delimiter_token", problems);
  return std::make_unique<Ctc>(std::move(pad), std::move(delimiter),
                               RequiredFlag(config, "cleanup", problems));
}

DecoderPtr ReadMetaspaceDecoder(const package::Config& config, Problems& problems) {
  return std::make_unique<Metaspace>(ReadMetaspaceKeys(config, problems));
}

}  // namespace candor::text
