// BodyShare: the bytes of one body among those that the server holds for all.
//
// Only the reactor grows shares; any thread may end one. The counter outlives its shares.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>

namespace candor::serve {

class BodyShare {
 public:
  BodyShare(std::atomic<std::size_t>& held, std::size_t most) : held_(held), most_(most) {}
  ~BodyShare() { held_ -= bytes_; }
  BodyShare(const BodyShare&) = delete;
  BodyShare& operator=(const BodyShare&) = delete;

  // False, and nothing taken: all shares together would exceed the most.
  bool Grow(std::size_t bytes) {
    if (bytes > most_ - std::min(held_.load(), most_)) return false;
    held_ += bytes;
    bytes_ += bytes;
    return true;
  }

 private:
  std::atomic<std::size_t>& held_;
  const std::size_t most_;
  std::size_t bytes_ = 0;
};

}  // namespace candor::serve
