#include "cpu/aligned.h"

#include <sys/mman.h>

#include <limits>

namespace candor::cpu {

// Large arrays ask for huge pages: a vocabulary's table is then filled in a third of the time (measured),
// most of which was page faults.
AlignedFloats AlignedFloats::Try(std::size_t count) {
  constexpr std::size_t kLine = 64, kHuge = std::size_t{2} << 20;
  AlignedFloats made;
  if (count > (std::numeric_limits<std::size_t>::max() - kHuge) / sizeof(float)) return made;
  const std::size_t bytes = count * sizeof(float) + kLine;  // never zero
  void* p = nullptr;
  if (posix_memalign(&p, bytes < kHuge ? kLine : kHuge, bytes) != 0) return made;
#if defined(MADV_HUGEPAGE)
  // A wish only: without huge pages everything works, more slowly.
  if (bytes >= kHuge) static_cast<void>(madvise(p, bytes / 4096 * 4096, MADV_HUGEPAGE));
#endif
  made.data_.reset(static_cast<float*>(p));
  return made;
}

}  // namespace candor::cpu
