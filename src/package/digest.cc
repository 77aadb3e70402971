// The closure's digest: one streaming pass over every file whose bytes decide answers (SPEC ART-02).
//
// The package digest is SHA-256 over one line per file, sorted by path: path, size, digest. Paths are
// relative, so a copy or a renamed folder has the same digest, and a link into a cache the same as the
// flattened file.
#include "package/digest.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "base/sha256.h"

namespace candor::package {
namespace {

// 256 KiB: large enough that the calls cost nothing, small enough to stay in the second-level cache between
// the read and the digest.
constexpr std::uint64_t kChunk = 256u << 10;

Result<std::string> DigestOf(const io::File& file, std::vector<std::byte>& buffer) {
  Sha256 hash;
  for (std::uint64_t at = 0; at < file.size(); at += kChunk) {
    const std::span<std::byte> part(buffer.data(),
                                    static_cast<std::size_t>(std::min(kChunk, file.size() - at)));
    CANDOR_CHECKED(file.Read(at, part));
    hash.Update(part);
  }
  CANDOR_CHECKED(file.CheckUnchanged());
  return "sha256:" + Hex(hash.Finish());
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> Package::FileDigests() const {
  const MutexLock held(digests_->lock);
  if (digests_->files) return *digests_->files;
  const auto compute = [&]() -> Result<DigestMemo::Files> {
    DigestMemo::Files digests;
    std::vector<std::byte> buffer(kChunk);
    for (const auto& [path, file] : open_) {
      CANDOR_TRY(std::string digest, DigestOf(*file, buffer));
      digests.emplace_back(path, std::move(digest));
    }
    return digests;
  };
  return digests_->files.emplace(compute());
}

Result<std::string> Package::Digest() const {
  CANDOR_TRY(const auto digests, FileDigests());
  Sha256 hash;
  for (const auto& [path, digest] : digests) {
    hash.Update(path);
    hash.Update(std::string_view("\0", 1));
    hash.Update(std::to_string(open_.find(path)->second->size()) + " " + digest + "\n");
  }
  return "sha256:" + Hex(hash.Finish());
}

Result<void> Package::CheckUnchanged() const {
  for (const auto& [path, file] : open_) CANDOR_CHECKED(file->CheckUnchanged());
  return {};
}

}  // namespace candor::package
