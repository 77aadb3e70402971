// FileOutput: a place for answers. A file is written beside its name and appears there complete or not at
// all;
// "-" is standard output, and what is not a regular file (a pipe, a device) is written directly.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "apps/console.h"
#include "candor/result.h"

namespace candor::apps {

class FileOutput {
 public:
  // `option` names the place in errors ("--output"). The console must outlive the output.
  static Result<std::unique_ptr<FileOutput>> Open(const std::string& path, const char* option,
                                                  const Console& console);
  ~FileOutput();  // without Commit nothing is left behind
  FileOutput(const FileOutput&) = delete;
  FileOutput& operator=(const FileOutput&) = delete;

  Result<void> Write(std::string_view bytes);
  Result<void> Flush();  // what was written is with the reader, where there is one already
  Result<void> Commit();

 private:
  FileOutput(const Console& console, const char* option) : console_(console), option_(option) {}
  const Console& console_;
  const char* option_;
  std::string path_, temporary_;  // empty: written directly
  std::FILE* file_ = nullptr;     // null: standard output
};

}  // namespace candor::apps
