#include "base/check.h"

namespace candor {

void CheckFailed(const char* condition, const char* words, const char* file, int line) {
  throw InternalError(condition, words, file, line);
}

}  // namespace candor
