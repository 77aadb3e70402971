// Budget: what one render may still do. Not thread-safe; a render owns one.
#pragma once
#include <cstddef>
#include <cstdint>

#include "text/templates/failure.h"
#include "text/templates/limits.h"

namespace candor::text::jinja {

class Budget {
 public:
  explicit Budget(const RenderLimits& limits) : limits_(limits) {}

  Done Step(std::uint64_t steps = 1) {
    steps_ += steps;
    if (steps_ <= limits_.steps) return {};
    return TooMuch("more work", "at most " + std::to_string(limits_.steps) + " steps");
  }
  // A text that is looked at.
  Done Look(std::size_t bytes) { return Step(1 + bytes / 256); }
  // Bytes of a text or a list that is to be made: asked before.
  Done Make(std::uint64_t bytes) {
    made_ += bytes;
    if (made_ <= limits_.made_bytes && bytes <= limits_.made_bytes) return Step(1 + bytes / 256);
    return TooMuch("larger values", "at most " + std::to_string(limits_.made_bytes) + " bytes in all");
  }
  Done Enter() {
    if (++depth_ <= limits_.depth) return {};
    return TooMuch("deeper nesting", "at most " + std::to_string(limits_.depth) + " levels at once");
  }
  void Leave() { --depth_; }
  const RenderLimits& limits() const { return limits_; }

 private:
  RenderLimits limits_;
  std::uint64_t steps_ = 0, made_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace candor::text::jinja
