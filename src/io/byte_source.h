// ByteSource: a sequence of bytes that can be read at an offset, whoever holds it. Thread-safe.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "candor/result.h"

namespace candor::io {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::uint64_t size() const = 0;
  // Fills `out` from `offset`. Fewer bytes than asked (a file truncated after it was opened) are an error
  // (artifact_stale), never a short read.
  virtual Result<void> Read(std::uint64_t offset, std::span<std::byte> out) const = 0;
};

}  // namespace candor::io
