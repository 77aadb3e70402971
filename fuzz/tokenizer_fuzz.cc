// Any text through a real WordPiece tokenizer: valid UTF-8 gets ids of the vocabulary and offsets inside the
// text, in order; anything else is refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "base/utf8.h"
#include "package/package.h"
#include "text/tokenizer.h"

namespace {

std::shared_ptr<const candor::text::Tokenizer> Read() {
  const auto package = candor::package::Package::Open(CANDOR_SOURCE_DIR "/goldens/bert/classic/package");
  if (!package) std::abort();
  const auto tokenizer =
      candor::text::Tokenizer::Read(**package, std::make_shared<candor::package::ReadLog>());
  if (!tokenizer) std::abort();
  return *tokenizer;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto tokenizer = Read();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool valid = candor::IsUtf8(text);
  const auto encoding = tokenizer->Encode(text, {.max_length = 64});
  if (encoding.has_value() != valid) std::abort();
  if (!valid) return 0;
  const std::size_t characters = candor::CountUtf8(text);
  const std::size_t n = encoding->ids.size();
  if (n > 64 || n > encoding->total || encoding->offsets.size() != n || encoding->type_ids.size() != n)
    std::abort();
  for (std::size_t i = 0; i < n; ++i) {
    const auto id = encoding->ids[i];
    const auto& offset = encoding->offsets[i];
    if (id < 0 || static_cast<std::size_t>(id) >= tokenizer->facts().vocabulary) std::abort();
    if (offset.begin < 0 || offset.end < offset.begin || static_cast<std::size_t>(offset.end) > characters)
      std::abort();
  }
  return 0;
}
