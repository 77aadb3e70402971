// Any bytes as tokenizer.json: refused with problems, or a tokenizer that encodes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "package/package.h"
#include "text/tokenizer.h"

namespace {

namespace fs = std::filesystem;

// A folder that goes with the program.
struct Folder {
  Folder() : path((fs::temp_directory_path() / "candor-fuzz-XXXXXX").string()) {
    if (mkdtemp(path.data()) == nullptr) std::abort();
  }
  ~Folder() { fs::remove_all(path); }
  std::string path;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  {
    std::ofstream out(folder.path + "/tokenizer.json", std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  const auto package = candor::package::Package::Open(folder.path);
  if (!package) std::abort();
  const auto tokenizer =
      candor::text::Tokenizer::Read(**package, std::make_shared<candor::package::ReadLog>());
  if (!tokenizer) {
    if (tokenizer.error().empty()) std::abort();
    return 0;
  }
  for (const std::string_view text :
       {"", "the ab  caf\xc3\xa9 <m> [SEP] 12-3", "\xe4\xbd\xa0\xe5\xa5\xbd a\xcc\x81 b\n"}) {
    const auto encoding = (*tokenizer)->Encode(text);
    if (!encoding) continue;
    for (const std::int32_t id : encoding->ids) (*tokenizer)->TokenOf(id);
  }
  return 0;
}
