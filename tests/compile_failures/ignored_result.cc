// must fail: nodiscard|warn_unused_result
#include "candor/result.h"

candor::Result<int> Read();
candor::Result<void> Check();

void F() {
#ifdef CANDOR_MUST_FAIL
  Check();
#else
  const auto checked = Check();
  static_cast<void>(checked.has_value());
#endif
}

int G() {
  auto read = Read();
  return read ? *read : 0;
}
