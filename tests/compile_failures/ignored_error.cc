// must fail: nodiscard|warn_unused_result
#include "candor/result.h"

candor::Error Find();

candor::Code F() {
#ifdef CANDOR_MUST_FAIL
  Find();
  return candor::Code::kInvalidInput;
#else
  return Find().code;
#endif
}
