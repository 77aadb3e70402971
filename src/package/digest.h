// Package::DigestMemo: the digests of one package, computed once. Internal to the room.
#pragma once
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "package/package.h"

namespace candor::package {

struct Package::DigestMemo {
  using Files = std::vector<std::pair<std::string, std::string>>;
  std::mutex mutex;
  std::optional<Result<Files>> files;  // path to "sha256:..."; guarded by mutex
};

}  // namespace candor::package
