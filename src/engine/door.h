// The door: where what was thrown below becomes a value. An allocation that failed or is too large to try is
// insufficient_memory, a broken promise of ours internal_invariant with its file and line (DESIGN section 7).
#pragma once
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/check.h"
#include "candor/result.h"

namespace candor::engine {

template <class E>
E AsRefusal(Error error) {
  if constexpr (std::is_same_v<E, Problems>)
    return Problems{std::move(error)};
  else
    return error;
}

inline Error OutOfMemory() {
  return {Code::kInsufficientMemory, {}, "an allocation failed", "memory for the request", Phase::kRun};
}

// The file as the source tree names it: where it was built is nobody's business.
inline Error Defect(const InternalError& e) {
  std::string_view file = e.file();
  if (const std::size_t root = file.rfind("src/"); root != std::string_view::npos) file.remove_prefix(root);
  return {Code::kInternalInvariant,
          {},
          std::string(e.condition()) + " is false at " + std::string(file) + ":" + std::to_string(e.line()),
          e.what(),
          Phase::kRun};
}

template <class Answer, class E, class Call>
Result<Answer, E> AtTheDoor(Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return AsRefusal<E>(OutOfMemory());
  } catch (const std::length_error&) {
    return AsRefusal<E>(OutOfMemory());
  } catch (const InternalError& e) {
    return AsRefusal<E>(Defect(e));
  }
}

}  // namespace candor::engine
