// Backend: one machine kind (native CPU, LibTorch on a GPU) as the planner and the loader see it.
//
// Thread-safe and stateless apart from its device. The planner asks it which kernel it would use for each
// planned step; the loader has it prepare weights; every session gets one Ops from it, which the backend must
// outlive.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "candor/result.h"
#include "ops/ops.h"
#include "ops/trace.h"

namespace candor {

// What the caller asked the numbers to be. Families and tasks never see it.
//   kF32    f32 operands and activations
//   kBf16   bf16 operands of products; activations bf16 on a device, f32 on the CPU
//   kInt8   weights int8 per output row, activations int8 per row, measured when used (W8A8)
// Norms, softmax, pooling, heads and accumulators stay f32 in all three.
enum class Profile : std::uint8_t { kF32, kBf16, kInt8 };

// The backend's answer for one step. The name is what the receipt will show if nothing goes wrong.
struct KernelChoice {
  std::string kernel;  // "cpu.avx512.gemm_f32"
  Precision precision = Precision::kF32;
  std::size_t scratch_bytes = 0;  // beyond the workspace, per session; steps share it
};

// Memory of the backend's kind; freed with the object.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual std::byte* address() const = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;  // "cpu"
  virtual std::string machine() const = 0;    // printed in plans: kernel table, instruction sets, device
  virtual DType activation(Profile profile) const = 0;
  virtual Space space() const = 0;

  // Planning. Empty: this backend cannot run the step in this profile, and the plan fails saying so.
  virtual std::optional<KernelChoice> Choose(const Step& step, Profile profile) const = 0;
  // Of all but the source's reader: the type in which the weight will be held, and its bytes.
  virtual DType PreparedType(const WeightSource& source, Profile profile) const = 0;
  virtual std::size_t PreparedBytes(const WeightSource& source, Profile profile) const = 0;

  // Loading. Rows are pulled from the source; what comes back is in the backend's own layout. A value that is
  // not finite is non_finite_parameter. Thread-safe: the loader prepares several slots at once.
  virtual Result<std::unique_ptr<const PreparedWeight>> Prepare(const WeightSource& source,
                                                                Profile profile) const = 0;
  virtual Result<std::unique_ptr<Memory>> Allocate(std::size_t bytes) const = 0;

  // Running. One per session, used by one thread at a time; shares this backend's threads or streams.
  virtual std::unique_ptr<Ops> NewOps() const = 0;
};

}  // namespace candor
