// Any bytes as tokenizer.json: refused with problems, or a tokenizer that encodes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "package/package.h"
#include "package/test_folder.h"
#include "text/tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const candor::package::TestFolder folder("fuzz");  // goes with the program
  folder.Write("tokenizer.json", {reinterpret_cast<const char*>(data), size});
  const auto package = candor::package::Package::Open(folder.path());
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
