// The tiny encoder (SPEC section 18): Linear(4,3), ReLU, Linear(3,2), unit rows. A family that only this test
// program knows, on the product's own reader, declarations, matching and operations, so that each step of
// loading can be seen on 380 bytes. Its features are hand-made numbers and mean nothing.
//
// A loaded encoder is immutable; Run may be called by any number of threads. At most `permits` calls run at
// once, a further one is told overloaded before it does anything (TNY-10).
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "candor/result.h"
#include "io/byte_source.h"
#include "ops/reference.h"

namespace candor::tiny {

struct Policy {
  std::string schema = "tiny/v1";  // the manifest's word: tiny/v2 has an optional projection.scale
  std::string device = "cpu";
  bool allow_cpu_fallback = false;
  std::uint64_t bytes = 4096;  // of a checkpoint
  std::string sha256 = {};     // expected digest of the original bytes; empty: any
  int permits = 2;
};

// SPEC R8 and R9, as far as they apply.
struct CheckpointReceipt {
  std::string sha256, format = "safetensors";
  std::uint64_t bytes = 0;
  std::vector<std::pair<std::string, std::vector<std::size_t>>> parameters;  // in name order
  std::size_t values = 0;
};
struct DeviceReceipt {
  std::string requested, selected;
  bool used_cpu_fallback = false;
};

struct Reply {
  std::vector<float> hidden, embeddings;  // [rows, 3] and [rows, 2]
  DeviceReceipt device;
};

class Encoder {
 public:
  // In the order of TNY-03: schema and policy, byte limit, device, parsing, names, shapes, types, finiteness,
  // digest, then building. The first stage that finds problems answers with all of its own.
  static Planned<std::unique_ptr<Encoder>> Load(std::shared_ptr<const io::ByteSource> source,
                                                const Policy& policy);

  // Rows of four numbers, one to eight of them (TNY-06).
  Result<Reply> Run(const std::vector<std::vector<float>>& rows) const;

  const CheckpointReceipt& checkpoint() const { return checkpoint_; }

  // Takes one of the permits until it is destroyed; what Run does inside.
  class Permit {
   public:
    explicit Permit(const Encoder& encoder) : encoder_(encoder), taken_(--encoder.free_ >= 0) {}
    ~Permit() { ++encoder_.free_; }
    Permit(const Permit&) = delete;
    Permit& operator=(const Permit&) = delete;
    bool taken() const { return taken_; }

   private:
    const Encoder& encoder_;
    bool taken_;
  };

 private:
  Encoder() = default;
  Linear encoder_, projection_;
  Weight scale_;
  std::vector<float> scale_values_;
  std::vector<std::unique_ptr<const PreparedWeight>> prepared_;
  CheckpointReceipt checkpoint_;
  DeviceReceipt device_;
  mutable std::atomic<int> free_{0};
};

}  // namespace candor::tiny
