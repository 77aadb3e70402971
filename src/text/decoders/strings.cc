// Fuse, Strip, Replace and Sequence: what acts on tokens as mere strings.
#include "text/decoders/decoder.h"
#include "text/limits.h"
#include "text/regex/regex.h"

namespace candor::text {
namespace {

class Fuse final : public Decoder {
 public:
  Result<void> Apply(std::vector<std::string>& tokens) const override {
    tokens.assign(1, Joined(tokens, ""));
    return {};
  }
};

class Strip final : public Decoder {
 public:
  Strip(std::string content, std::size_t start, std::size_t stop)
      : content_(std::move(content)), start_(start), stop_(stop) {}
  Result<void> Apply(std::vector<std::string>& tokens) const override {
    for (std::string& token : tokens) {
      const std::size_t size = content_.size();
      std::size_t begin = 0, end = token.size();
      for (std::size_t i = 0; i < start_ && token.compare(begin, size, content_) == 0; ++i) begin += size;
      std::size_t i = 0;
      for (; i < stop_ && end >= size && token.compare(end - size, size, content_) == 0; ++i) end -= size;
      // There is no character left to look at, or one is asked for from both sides.
      if ((i < stop_ && end == 0) || begin > end) {
        return Error{.code = Code::kInvalidInput,
                     .found = "a token of nothing but what Strip takes from its ends",
                     .allowed = "tokens that the library decodes"};
      }
      token = token.substr(begin, end - begin);
    }
    return {};
  }

 private:
  std::string content_;  // one character
  std::size_t start_, stop_;
};

class Replace final : public Decoder {
 public:
  Replace(RegexPtr pattern, std::string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}
  Result<void> Apply(std::vector<std::string>& tokens) const override {
    std::size_t bytes = 0;
    for (std::string& token : tokens) {
      std::string out;
      std::size_t done = 0;
      const TextLimit limit = pattern_->ForEachMatch(token, [&](std::size_t begin, std::size_t end) {
        if (out.size() > kMaxTextBytes) return;
        out.append(token, done, begin - done);
        out += content_;
        done = end;
      });
      if (limit != TextLimit::kNone) {
        return Error{.code = Code::kInputTooLarge,
                     .found = "a token that a regular expression of the decoder takes too long on",
                     .allowed = "at most " + std::to_string(kMaxRegexSteps) + " steps at one place"};
      }
      out.append(token, done);
      token = std::move(out);
      CANDOR_CHECKED(CheckSize(token, bytes));
    }
    return {};
  }

 private:
  RegexPtr pattern_;
  std::string content_;
};

class Sequence final : public Decoder {
 public:
  explicit Sequence(std::vector<DecoderPtr> steps) : steps_(std::move(steps)) {}
  Result<void> Apply(std::vector<std::string>& tokens) const override {
    for (const DecoderPtr& step : steps_) CANDOR_CHECKED(step->Apply(tokens));
    return {};
  }

 private:
  std::vector<DecoderPtr> steps_;
};

}  // namespace

DecoderPtr ReadFuseDecoder(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {}, problems);
  return std::make_unique<Fuse>();
}

DecoderPtr ReadStripDecoder(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"content", "start", "stop"}, problems);
  std::string content = RequiredCharacter(config, "content", problems);
  for (const std::string_view key : {"start", "stop"}) {
    if (!config.Has(key)) RefuseAbsent(config, key, "a number of characters", problems);
  }
  const std::size_t start = config.Size("start", 0, problems);
  return std::make_unique<Strip>(std::move(content), start, config.Size("stop", 0, problems));
}

DecoderPtr ReadReplaceDecoder(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"pattern", "content"}, problems);
  std::string content = RequiredText(config, "content", problems);
  return std::make_unique<Replace>(ReadPattern(config, "pattern", problems), std::move(content));
}

DecoderPtr ReadDecoderSequence(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"decoders"}, problems);
  if (!config.Has("decoders")) RefuseAbsent(config, "decoders", "a list of decoders", problems);
  std::vector<DecoderPtr> steps;
  for (const package::Config& item : config.Items("decoders", problems)) {
    if (DecoderPtr step = ReadDecoder(item, problems)) steps.push_back(std::move(step));
  }
  return std::make_unique<Sequence>(std::move(steps));
}

}  // namespace candor::text
