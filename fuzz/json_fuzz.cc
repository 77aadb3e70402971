// Any bytes through the JSON reader: what it accepts is written and read back to the same text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "io/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto json = candor::io::ParseJson(text, "fuzz.json", {.bytes = 1u << 20, .depth = 64});
  if (!json) {
    if (json.error().where.file != "fuzz.json" || json.error().found.empty()) std::abort();
    return 0;
  }
  const std::string once = json->Dump();
  const auto again = candor::io::ParseJson(once, "fuzz.json", {.bytes = 8u << 20, .depth = 64});
  if (!again || again->Dump() != once) std::abort();
  return 0;
}
