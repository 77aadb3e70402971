// Directory and File: a package's folder, opened once. Every later path is resolved beneath it.
//
// Paths are relative and normalised; `..`, absolute paths, NUL, links that leave the folder and anything that
// is not a regular file are refused (path_escape). One kind of link may leave: the Hugging Face cache layout,
// where snapshots/REV/FILE points into blobs/ of the same model's store.
// A File keeps its descriptor and its identity (device, inode, size, modification and change times), so a
// swap, a write or a truncation between check and use is seen (SPEC ART-05, ART-12). Files are read, never
// mapped (docs/decisions/0002-read-not-map.md). Thread-safe.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.h"

namespace candor::io {

struct FileIdentity {
  std::uint64_t device = 0, inode = 0, size = 0;
  std::int64_t modified_ns = 0, changed_ns = 0;
  bool operator==(const FileIdentity&) const = default;
};

class File final : public ByteSource {
 public:
  ~File() override;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const std::string& path() const { return path_; }  // relative to the package
  std::uint64_t size() const override { return identity_.size; }
  const FileIdentity& identity() const { return identity_; }
  Result<void> Read(std::uint64_t offset, std::span<std::byte> out) const override;
  Result<std::string> ReadAll(
      std::uint64_t limit) const;  // above the limit: artifact_too_large, nothing read
  // The descriptor still has the identity it was opened with; else artifact_stale.
  Result<void> CheckUnchanged() const;

  // Made by Directory::OpenFile; takes over the descriptor.
  class Key {
    friend class Directory;
    Key() = default;
  };
  File(Key, int fd, std::string path, FileIdentity identity)
      : fd_(fd), path_(std::move(path)), identity_(identity) {}

 private:
  int fd_;
  std::string path_;
  FileIdentity identity_;
};

class Directory {
 public:
  static Result<std::shared_ptr<const Directory>> Open(const std::string& path);
  class Key {
    friend class Directory;
    Key() = default;
  };
  explicit Directory(Key) {}  // by Open only
  ~Directory();
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  // artifact_missing when nothing is there, path_escape as above. `referrer` is who asked for the path, for
  // the message ("model.safetensors.index.json:/weight_map/…"); may be empty.
  Result<std::shared_ptr<const File>> OpenFile(std::string_view relative, const Where& referrer = {}) const;
  bool Has(std::string_view relative) const;  // a regular file that OpenFile would open
  // What OpenFile would find, without opening it.
  Result<FileIdentity> Identify(std::string_view relative, const Where& referrer = {}) const;
  // Everything below the folder but folders and hidden entries, relative, sorted. More than `limit` of them:
  // artifact_too_large. Links to folders are listed, not followed.
  Result<std::vector<std::string>> List(std::size_t limit) const;

 private:
  struct Place;
  Result<Place> Resolve(std::string_view relative, const Where& referrer) const;

  int root_fd_ = -1, store_fd_ = -1;
  std::string root_, store_;  // real paths; store_ is the cache's blobs folder, empty outside a cache
};

}  // namespace candor::io
