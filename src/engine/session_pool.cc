#include "engine/session_pool.h"

namespace candor::engine {

Result<SessionPool::Lease> SessionPool::Take() {
  std::unique_lock held(lock_);
  returned_.wait(held, [&] { return !free_.empty() || opened_ < most_; });
  if (!free_.empty()) {
    std::unique_ptr<Session> session = std::move(free_.back());
    free_.pop_back();
    return Lease(*this, std::move(session));
  }
  ++opened_;
  held.unlock();
  Result<std::unique_ptr<Session>> opened = Session::Open(*model_);
  if (!opened) {
    held.lock();
    --opened_;
    returned_.notify_one();
    return opened.error();
  }
  return Lease(*this, std::move(opened).value());
}

void SessionPool::Return(std::unique_ptr<Session> session) {
  {
    const std::scoped_lock held(lock_);
    free_.push_back(std::move(session));
  }
  returned_.notify_one();
}

}  // namespace candor::engine
