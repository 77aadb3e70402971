// The door: where what was thrown below becomes a value. An allocation that failed is insufficient_memory, a
// broken promise of ours internal_invariant; no exception leaves the library (DESIGN section 7).
#pragma once
#include <new>
#include <string>

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

template <class Answer, class E, class Call>
Result<Answer, E> AtTheDoor(Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return AsRefusal<E>(
        {Code::kInsufficientMemory, {}, "an allocation failed", "memory for the request", Phase::kRun});
  } catch (const InternalError& e) {
    return AsRefusal<E>({Code::kInternalInvariant, {}, e.condition(), e.what(), Phase::kRun});
  }
}

}  // namespace candor::engine
