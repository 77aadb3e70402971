// Shared by file.cc and directory.cc: a stat result as a FileIdentity, an errno as words.
#pragma once
#include <string>

#include "io/directory.h"

struct stat;

namespace candor::io {

FileIdentity IdentityOf(const struct stat& status);
std::string ErrnoWords(int number);

}  // namespace candor::io
