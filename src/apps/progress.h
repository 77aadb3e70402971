// Progress: a bar on standard error, only when it is a terminal; nothing otherwise.
#pragma once
#include <chrono>
#include <cstddef>

#include "apps/console.h"

namespace candor::apps {

class Progress {
 public:
  Progress(const Console& console, std::size_t total);
  ~Progress();                     // takes the bar away
  void Advance(std::size_t done);  // in all

 private:
  const Console& console_;
  std::size_t total_;
  std::chrono::steady_clock::time_point started_;
  bool drawn_ = false;
};

}  // namespace candor::apps
