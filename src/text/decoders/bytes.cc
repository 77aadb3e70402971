// ByteLevel and ByteFallback: tokens that spell bytes, and what becomes of bytes that are no text.
#include "base/utf8.h"
#include "text/byte_alphabet.h"
#include "text/decoders/decoder.h"
#include "text/pre_tokenizers/byte_level.h"

namespace candor::text {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// Bytes of the longest start of a character at `at`, which is no whole one; at least 1.
std::size_t BrokenBytes(std::string_view bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u;
  };
  const unsigned lead = byte(0);
  unsigned low = 0x80, high = 0xbf;
  if (lead < 0xe0 || lead > 0xf4) return 1;  // two bytes: the second is what is missing
  if (lead == 0xe0) low = 0xa0;
  if (lead == 0xed) high = 0x9f;
  if (lead == 0xf0) low = 0x90;
  if (lead == 0xf4) high = 0x8f;
  if (byte(1) < low || byte(1) > high) return 1;
  if (lead < 0xf0 || (byte(2) & 0xc0) != 0x80) return 2;
  return 3;
}

// One U+FFFD for each start of a character that does not go on.
std::string Lossy(std::string_view bytes) {
  std::string out;
  while (true) {
    const std::size_t good = FirstInvalidUtf8(bytes);
    out += bytes.substr(0, good);
    if (good == bytes.size()) return out;
    out += kReplacement;
    bytes.remove_prefix(good + BrokenBytes(bytes, good));
  }
}

class ByteLevel final : public Decoder {
 public:
  Result<void> Apply(std::vector<std::string>& tokens) const override {
    std::string bytes;
    for (const std::string& token : tokens) {
      const std::size_t before = bytes.size();
      for (std::size_t at = 0; at < token.size();) {
        const CodePoint point = DecodeUtf8(token, at);
        const auto byte = ByteOf(point.value);
        if (!byte) {  // a token that is not spelt so stands as it is
          bytes.resize(before);
          bytes += token;
          break;
        }
        bytes += static_cast<char>(*byte);
        at += point.bytes;
      }
    }
    tokens.assign(1, Lossy(bytes));
    std::size_t size = 0;
    return CheckSize(tokens[0], size);
  }
};

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// "<0x0A>"; the library's number parser takes a plus sign for the first digit.
int FallbackByte(std::string_view token) {
  if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>') return -1;
  const int high = token[3] == '+' ? 0 : HexDigit(token[3]), low = HexDigit(token[4]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

class ByteFallback final : public Decoder {
 public:
  Result<void> Apply(std::vector<std::string>& tokens) const override {
    std::vector<std::string> out;
    std::string bytes;
    const auto flush = [&] {
      if (bytes.empty()) return;
      if (IsUtf8(bytes)) {
        out.push_back(bytes);
      } else {
        out.insert(out.end(), bytes.size(), std::string(kReplacement));
      }
      bytes.clear();
    };
    for (std::string& token : tokens) {
      if (const int byte = FallbackByte(token); byte >= 0) {
        bytes += static_cast<char>(byte);
      } else {
        flush();
        out.push_back(std::move(token));
      }
    }
    flush();
    tokens = std::move(out);
    return {};
  }
};

}  // namespace

DecoderPtr ReadByteLevelDecoder(const package::Config& config, Problems& problems) {
  ReadByteLevelKeys(config, problems);  // which act on encoding alone
  return std::make_unique<ByteLevel>();
}

DecoderPtr ReadByteFallbackDecoder(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {}, problems);
  return std::make_unique<ByteFallback>();
}

}  // namespace candor::text
