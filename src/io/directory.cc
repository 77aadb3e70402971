// io::Directory: every path is walked component by component from an opened folder, links resolved by us.
//
// No system call here follows a link (O_NOFOLLOW, AT_SYMLINK_NOFOLLOW), so what was checked is what is
// opened. A link's target is taken apart lexically; that is exact, because the walk so far went through real
// folders.
#include "io/directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <optional>
#include <utility>

#include "io/identity.h"

namespace candor::io {
namespace {

constexpr int kMaxLinks = 16;
constexpr std::size_t kMaxComponents = 64;
constexpr std::string_view kTooDeep = "a path of more than 64 components";

// A descriptor that closes itself.
class Handle {
 public:
  explicit Handle(int fd = -1) : fd_(fd) {}
  ~Handle() {
    if (fd_ >= 0) ::close(fd_);
  }
  Handle(Handle&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

int OpenFolder(int at, const char* name) {
  return ::openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

std::vector<std::string> Split(std::string_view path) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    if (!part.empty() && part != ".") parts.emplace_back(part);
    at = end + 1;
  }
  return parts;
}

// An absolute path without `.` and `..`.
std::string Normalise(std::string_view path) {
  std::vector<std::string> kept;
  for (std::string& part : Split(path)) {
    if (part != "..") {
      kept.push_back(std::move(part));
    } else if (!kept.empty()) {
      kept.pop_back();
    }
  }
  std::string out;
  for (const std::string& part : kept) out += "/" + part;
  return out;
}

// The rest of `path` below `base`; absent when it is not below.
std::optional<std::string> Below(const std::string& path, const std::string& base) {
  if (base.empty() || !path.starts_with(base + "/")) return std::nullopt;
  return path.substr(base.size() + 1);
}

std::string_view TypeName(::mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "no regular file";
}

// models--OWNER--NAME/snapshots/REVISION[/…]: the blobs folder beside snapshots.
std::string StoreOf(const std::string& root) {
  const std::vector<std::string> parts = Split(root);
  std::string store;
  for (std::size_t i = 0; i + 2 < parts.size(); ++i) {
    store += "/" + parts[i];
    if (parts[i].starts_with("models--") && parts[i + 1] == "snapshots") return store + "/blobs";
  }
  return {};
}

}  // namespace

// Where a path ended: an opened folder, the last name in it and what stands there.
struct Directory::Place {
  Handle folder;
  std::string name;
  FileIdentity identity;
};

Directory::~Directory() {
  ::close(root_fd_);
  if (store_fd_ >= 0) ::close(store_fd_);
}

Result<std::shared_ptr<const Directory>> Directory::Open(const std::string& path) {
  const auto missing = [&](int number) {
    return Error{Code::kArtifactMissing, Where::At(path), ErrnoWords(number), "a folder that can be read",
                 Phase::kResolve};
  };
  if (path.find('\0') != std::string::npos) return missing(ENOENT);
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
  if (real == nullptr) return missing(errno);
  auto directory = std::make_shared<Directory>(Key());
  directory->root_ = real.get();
  directory->root_fd_ = OpenFolder(AT_FDCWD, real.get());
  if (directory->root_fd_ < 0) return missing(errno);
  if (std::string store = StoreOf(directory->root_); !store.empty()) {
    directory->store_fd_ = OpenFolder(AT_FDCWD, store.c_str());
    if (directory->store_fd_ >= 0) directory->store_ = std::move(store);
  }
  return std::shared_ptr<const Directory>(std::move(directory));
}

Result<Directory::Place> Directory::Resolve(std::string_view relative, const Where& referrer) const {
  const auto refuse = [&](Code code, std::string found, std::string allowed) {
    const std::string asked = ToString(referrer);
    if (!asked.empty()) found += ", named in " + asked;
    return Error{code, Where::At(std::string(relative)), std::move(found), std::move(allowed),
                 Phase::kResolve};
  };
  const auto escape = [&](std::string found) {
    return refuse(Code::kPathEscape, std::move(found), "a regular file inside the package");
  };
  if (relative.find('\0') != std::string_view::npos) return escape("a path with a NUL byte");
  if (relative.starts_with('/')) return escape("an absolute path");
  if (relative.find('\\') != std::string_view::npos) return escape("a path with a backslash");
  std::vector<std::string> parts = Split(relative);
  if (parts.empty()) return escape("an empty path");
  if (std::find(parts.begin(), parts.end(), "..") != parts.end()) return escape("a path with '..'");

  bool in_store = false;
  std::string link;  // the target of the last link followed, as written
  for (int links = 0; links <= kMaxLinks; ++links) {
    if (parts.size() > kMaxComponents) return escape(std::string(kTooDeep));
    Handle folder(OpenFolder(in_store ? store_fd_ : root_fd_, "."));
    std::string here = in_store ? store_ : root_;
    for (std::size_t i = 0;; ++i) {
      if (folder.get() < 0)
        return refuse(Code::kArtifactMissing, ErrnoWords(errno), "a file that can be read");
      struct stat status = {};
      const char* name = parts[i].c_str();
      if (::fstatat(folder.get(), name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        const bool gone = errno == ENOENT || errno == ENOTDIR;
        return refuse(Code::kArtifactMissing,
                      !gone          ? ErrnoWords(errno)
                      : link.empty() ? "nothing"
                                     : "a link whose target is missing: " + link,
                      "a file");
      }
      if (S_ISLNK(status.st_mode)) {
        link.assign(PATH_MAX, '\0');
        const ::ssize_t size = ::readlinkat(folder.get(), name, link.data(), link.size());
        if (size <= 0) return escape("a link that cannot be read");
        link.resize(static_cast<std::size_t>(size));
        std::string next = Normalise(link.starts_with('/') ? link : here + "/" + link);
        for (std::size_t rest = i + 1; rest < parts.size(); ++rest) next += "/" + parts[rest];
        const auto inside = Below(next, root_);
        const auto stored = Below(next, store_);
        if (!inside && !stored) return escape("a link to " + link + ", outside the package");
        in_store = !inside;
        parts = Split(inside ? *inside : *stored);
        break;
      }
      if (i + 1 == parts.size()) {
        if (!S_ISREG(status.st_mode)) return escape(std::string(TypeName(status.st_mode)));
        return Place{std::move(folder), parts[i], IdentityOf(status)};
      }
      if (!S_ISDIR(status.st_mode)) return refuse(Code::kArtifactMissing, "nothing", "a file");
      here += "/" + parts[i];
      folder = Handle(OpenFolder(folder.get(), name));
    }
  }
  return escape("more than 16 links");
}

Result<std::shared_ptr<const File>> Directory::OpenFile(std::string_view relative,
                                                        const Where& referrer) const {
  CANDOR_TRY(const Place place, Resolve(relative, referrer));
  // O_NONBLOCK: should a FIFO take the file's place after the check, opening it must not wait for a writer.
  Handle file(::openat(place.folder.get(), place.name.c_str(),
                       O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (file.get() < 0) {
    return Error{Code::kArtifactMissing, Where::At(std::string(relative)), ErrnoWords(errno),
                 "a file that can be read", Phase::kResolve};
  }
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      !(IdentityOf(status) == place.identity)) {
    return Error{Code::kArtifactStale, Where::At(std::string(relative)), "another file than a moment before",
                 "a file that nobody replaces", Phase::kResolve};
  }
  return std::shared_ptr<const File>(
      std::make_shared<File>(File::Key(), file.Release(), std::string(relative), place.identity));
}

bool Directory::Has(std::string_view relative) const { return Resolve(relative, {}).has_value(); }

Result<FileIdentity> Directory::Identify(std::string_view relative, const Where& referrer) const {
  CANDOR_TRY(const Place place, Resolve(relative, referrer));
  return place.identity;
}

Result<std::vector<std::string>> Directory::List(std::size_t limit) const {
  std::vector<std::string> files;
  std::vector<std::string> folders = {""};
  for (std::size_t next = 0; next < folders.size(); ++next) {
    const std::string folder = folders[next];
    Handle handle(OpenFolder(root_fd_, "."));
    for (const std::string& part : Split(folder)) handle = Handle(OpenFolder(handle.get(), part.c_str()));
    const int fd = handle.Release();
    const std::unique_ptr<::DIR, int (*)(::DIR*)> stream(fd < 0 ? nullptr : ::fdopendir(fd), ::closedir);
    if (stream == nullptr) {
      return Error{Code::kArtifactMissing, Where::At(folder), ErrnoWords(errno), "a folder that can be read",
                   Phase::kResolve};
    }
    while (const ::dirent* entry = ::readdir(stream.get())) {
      const std::string name = entry->d_name;
      if (name.starts_with('.')) continue;
      struct stat status = {};
      if (::fstatat(::dirfd(stream.get()), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
      std::string path = folder.empty() ? name : folder + "/" + name;
      // Nothing deeper could be opened by Resolve; and each folder is walked to from the root.
      if (static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')) >= kMaxComponents) {
        return Error{Code::kPathEscape, Where::At(std::move(path)), std::string(kTooDeep),
                     "a regular file inside the package", Phase::kResolve};
      }
      (S_ISDIR(status.st_mode) ? folders : files).push_back(std::move(path));
      if (files.size() + folders.size() > limit) {
        return Error{Code::kArtifactTooLarge, Where::At("."), "more than " + std::to_string(limit) + " files",
                     "at most " + std::to_string(limit) + " files and folders", Phase::kResolve};
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace candor::io
