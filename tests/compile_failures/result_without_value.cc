// must fail: no match for|invalid operands|no viable
#include "candor/result.h"

candor::Result<int> Read();

// A Result is not its value: it must be looked at first.
int F() {
  auto read = Read();
#ifdef CANDOR_MUST_FAIL
  return read + 1;
#else
  return read ? *read + 1 : 0;
#endif
}
