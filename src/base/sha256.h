// Sha256: a streaming SHA-256. One object belongs to one thread at a time.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace candor {

class Sha256 {
 public:
  using Digest = std::array<std::uint8_t, 32>;
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  void Update(std::span<const std::byte> bytes);
  void Update(std::string_view text) { Update(std::as_bytes(std::span(text))); }
  Digest Finish();  // the object starts anew afterwards

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string Hex(std::span<const std::uint8_t> bytes);  // lower case
std::string Sha256Hex(std::string_view text);

}  // namespace candor
