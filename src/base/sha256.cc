#include "base/sha256.h"

#include <openssl/evp.h>

#include "base/check.h"

namespace candor {

struct Sha256::State {
  State() : context(EVP_MD_CTX_new()) { CANDOR_CHECK(context != nullptr, "no digest context"); }
  ~State() { EVP_MD_CTX_free(context); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  void Start() {
    CANDOR_CHECK(EVP_DigestInit_ex(context, EVP_sha256(), nullptr) == 1, "SHA-256 is not available");
  }
  EVP_MD_CTX* context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) { state_->Start(); }
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::Update(std::span<const std::byte> bytes) {
  CANDOR_CHECK(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1, "SHA-256 update failed");
}

Sha256::Digest Sha256::Finish() {
  Digest digest{};
  unsigned int size = 0;
  CANDOR_CHECK(EVP_DigestFinal_ex(state_->context, digest.data(), &size) == 1, "SHA-256 final failed");
  CANDOR_CHECK(size == digest.size(), "SHA-256 has 32 bytes");
  state_->Start();
  return digest;
}

std::string Hex(std::span<const std::uint8_t> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

std::string Sha256Hex(std::string_view text) {
  Sha256 hash;
  hash.Update(text);
  return Hex(hash.Finish());
}

}  // namespace candor
