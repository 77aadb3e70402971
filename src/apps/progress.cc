#include "apps/progress.h"

#include "apps/table.h"

namespace candor::apps {

Progress::Progress(const Console& console, std::size_t total)
    : console_(console), total_(total), started_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (drawn_) console_.DrawProgress("");
}

void Progress::Advance(std::size_t done) {
  constexpr std::size_t kWidth = 30;
  if (!console_.shows_progress() || total_ == 0) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  const std::size_t filled = kWidth * done / total_;
  std::string bar = "[" + std::string(filled, '#') + std::string(kWidth - filled, ' ') + "] " +
                    std::to_string(done) + " of " + std::to_string(total_);
  if (seconds > 0 && done > 0) bar += ", " + Fixed(static_cast<double>(done) / seconds, 0) + " a second";
  console_.DrawProgress(bar);
  drawn_ = true;
}

}  // namespace candor::apps
