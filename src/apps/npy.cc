#include "apps/npy.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace candor::apps {

std::string NpyHeader(std::size_t rows, std::size_t columns, std::string_view type) {
  constexpr std::size_t kPrelude = 10;    // magic, version, length
  constexpr std::size_t kAlignment = 64;  // of the numbers after the header
  std::string dictionary = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (" +
                           std::to_string(rows) + ", " + std::to_string(columns) + "), }";
  const std::size_t used = kPrelude + dictionary.size() + 1;
  dictionary.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  dictionary += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dictionary.size() & 0xff);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

void AppendNpyRow(std::string& out, std::span<const float> row) {
  if constexpr (std::endian::native == std::endian::little) {
    out.append(reinterpret_cast<const char*>(row.data()), row.size_bytes());
  } else {
    for (const float value : row) {
      const auto bits = std::bit_cast<std::uint32_t>(value);
      for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>(bits >> shift & 0xff);
    }
  }
}

}  // namespace candor::apps
