// must fail: convert|conversion|no matching
#include "candor/result.h"

// A refusal is typed: prose alone is no error.
candor::Result<int> F() {
#ifdef CANDOR_MUST_FAIL
  return "went wrong";
#else
  return candor::Error{.code = candor::Code::kInvalidInput, .found = "went wrong"};
#endif
}
