#include "apps/file_output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "apps/context.h"

namespace candor::apps {
namespace {

constexpr ::mode_t kMode = 0666;  // as a shell's redirection; the umask narrows it

std::string FolderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

// A file without a name, so that a killed process leaves nothing behind; -1 where the file system has none.
int OpenNameless(const std::string& folder) {
  return ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kMode);
}

std::string TemporaryName(const std::string& path) { return path + ".partial-" + std::to_string(::getpid()); }

}  // namespace

Result<std::unique_ptr<FileOutput>> FileOutput::Open(const std::string& path, const char* option,
                                                     const Console& console) {
  std::unique_ptr<FileOutput> output(
      new FileOutput(console, option));  // lint: allow raw-new because make_unique cannot reach it
  if (path == "-") return output;
  struct ::stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  int file = -1;
  if (exists && !S_ISREG(status.st_mode)) {
    file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    output->path_ = path;
    file = OpenNameless(FolderOf(path));
    if (file < 0) {
      output->temporary_ = TemporaryName(path);
      file = ::open(output->temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
      if (file < 0) output->temporary_.clear();
    }
  }
  if (file < 0) return WriteFailure(option, errno);
  output->file_ = ::fdopen(file, "wb");
  if (output->file_ == nullptr) {
    const int reason = errno;
    ::close(file);
    return WriteFailure(option, reason);
  }
  return output;
}

FileOutput::~FileOutput() {
  if (file_ != nullptr) std::fclose(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<void> FileOutput::Write(std::string_view bytes) {
  if (file_ == nullptr) {
    if (console_.Print(bytes)) return {};
  } else if (std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size()) {
    return {};
  }
  return WriteFailure(option_, errno);
}

Result<void> FileOutput::Flush() {
  if (file_ == nullptr ? console_.Flush() : std::fflush(file_) == 0) return {};
  return WriteFailure(option_, errno);
}

Result<void> FileOutput::Commit() {
  CANDOR_CHECKED(Flush());
  if (path_.empty()) return {};
  if (temporary_.empty()) {
    const std::string name = "/proc/self/fd/" + std::to_string(::fileno(file_));
    const std::string beside = TemporaryName(path_);
    if (::linkat(AT_FDCWD, name.c_str(), AT_FDCWD, beside.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      return WriteFailure(option_, errno);
    }
    temporary_ = beside;
  }
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return WriteFailure(option_, errno);
  temporary_.clear();
  path_.clear();
  return {};
}

}  // namespace candor::apps
