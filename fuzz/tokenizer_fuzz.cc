// Any text through small tokenizers of every component (seeds/tokenizer_json) and a real WordPiece one: valid
// UTF-8 gets ids of the vocabulary and offsets inside the text, the same twice and without offsets, or is too
// much for a limit; anything else is refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "package/package.h"
#include "package/test_folder.h"
#include "text/tokenizer.h"

namespace {

using candor::text::Tokenizer;
using TokenizerPtr = std::shared_ptr<const Tokenizer>;
namespace fs = std::filesystem;

TokenizerPtr Read(const fs::path& folder) {
  const auto package = candor::package::Package::Open(folder.string());
  if (!package) std::abort();
  const auto tokenizer = Tokenizer::Read(**package, std::make_shared<candor::package::ReadLog>());
  if (!tokenizer) std::abort();
  return *tokenizer;
}

std::vector<TokenizerPtr> ReadAll() {
  std::vector<TokenizerPtr> all = {Read(CANDOR_SOURCE_DIR "/goldens/bert/classic/package")};
  for (const auto& file : fs::directory_iterator(CANDOR_SOURCE_DIR "/fuzz/seeds/tokenizer_json")) {
    const candor::package::TestFolder folder("fuzz");
    fs::copy_file(file.path(), fs::path(folder.path()) / "tokenizer.json");
    all.push_back(Read(folder.path()));
  }
  return all;
}

void Check(const Tokenizer& tokenizer, std::string_view text, bool valid) {
  const auto encoding = tokenizer.Encode(text, {.max_length = 64});
  if (!encoding) {
    if (valid && encoding.error().code == candor::Code::kInternalInvariant) std::abort();
    return;
  }
  if (!valid) std::abort();
  const std::size_t characters = candor::CountUtf8(text), n = encoding->ids.size();
  if (n > 64 || n > encoding->total || encoding->offsets.size() != n || encoding->type_ids.size() != n)
    std::abort();
  for (std::size_t i = 0; i < n; ++i) {
    const auto id = encoding->ids[i];
    const auto& offset = encoding->offsets[i];
    if (id < 0 || static_cast<std::size_t>(id) >= tokenizer.facts().vocabulary) std::abort();
    if (offset.begin < 0 || offset.end < offset.begin || static_cast<std::size_t>(offset.end) > characters)
      std::abort();
  }
  const auto again = tokenizer.Encode(text, {.max_length = 64, .offsets = false});
  if (!again || again->ids != encoding->ids || again->total != encoding->total || !again->offsets.empty())
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<TokenizerPtr> tokenizers = ReadAll();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool valid = candor::IsUtf8(text);
  for (const TokenizerPtr& tokenizer : tokenizers) Check(*tokenizer, text, valid);
  return 0;
}
