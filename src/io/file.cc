// io::File: one opened file and its identity.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/checked.h"
#include "io/directory.h"
#include "io/identity.h"

namespace candor::io {

FileIdentity IdentityOf(const struct stat& status) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  return {.device = static_cast<std::uint64_t>(status.st_dev),
          .inode = static_cast<std::uint64_t>(status.st_ino),
          .size = static_cast<std::uint64_t>(status.st_size),
          .modified_ns = status.st_mtim.tv_sec * kSecond + status.st_mtim.tv_nsec,
          .changed_ns = status.st_ctim.tv_sec * kSecond + status.st_ctim.tv_nsec};
}

std::string ErrnoWords(int number) { return std::generic_category().message(number); }

File::~File() { ::close(fd_); }

Result<void> File::Read(std::uint64_t offset, std::span<std::byte> out) const {
  const auto stale = [&](std::uint64_t end) {
    return Error{Code::kArtifactStale, Where::At(path_), "the file ends at byte " + std::to_string(end),
                 std::to_string(size()) + " bytes, as when it was opened", Phase::kLoad};
  };
  if (!RangeFits<std::uint64_t>(offset, out.size(), size())) {
    return Error{Code::kInternalInvariant, Where::At(path_),
                 "a read of " + std::to_string(out.size()) + " bytes at " + std::to_string(offset),
                 "a range inside " + std::to_string(size()) + " bytes", Phase::kLoad};
  }
  while (!out.empty()) {
    const ::ssize_t got = ::pread(fd_, out.data(), out.size(), static_cast<::off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return Error{Code::kArtifactStale, Where::At(path_), "a read error: " + ErrnoWords(errno),
                   "readable bytes", Phase::kLoad};
    }
    if (got == 0) return stale(offset);
    out = out.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
  return {};
}

Result<std::string> File::ReadAll(std::uint64_t limit) const {
  if (size() > limit) {
    return Error{Code::kArtifactTooLarge, Where::At(path_), std::to_string(size()) + " bytes",
                 "at most " + std::to_string(limit) + " bytes", Phase::kInspect};
  }
  std::string text(size(), '\0');
  CANDOR_CHECKED(Read(0, std::as_writable_bytes(std::span(text))));
  return text;
}

Result<void> File::CheckUnchanged() const {
  struct stat status = {};
  if (::fstat(fd_, &status) == 0 && IdentityOf(status) == identity_) return {};
  const FileIdentity now = IdentityOf(status);
  const bool resized = now.size != identity_.size;
  return Error{
      Code::kArtifactStale, Where::At(path_),
      resized ? std::to_string(now.size) + " bytes" : "written, replaced or removed since it was opened",
      resized ? std::to_string(identity_.size) + " bytes, as when it was opened"
              : "the file as it was opened",
      Phase::kLoad};
}

}  // namespace candor::io
