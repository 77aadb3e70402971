// Package::DigestMemo: the digests of one package, computed once. Internal to the room.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "package/package.h"

namespace candor::package {

struct Package::DigestMemo {
  using Files = std::vector<std::pair<std::string, std::string>>;
  Mutex lock;
  std::optional<Result<Files>> files CANDOR_GUARDED_BY(lock);  // path to "sha256:..."
};

}  // namespace candor::package
