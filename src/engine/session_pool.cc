#include "engine/session_pool.h"

namespace candor::engine {

Result<SessionPool::Lease> SessionPool::Take() {
  {
    const MutexLock held(lock_);
    while (free_.empty() && opened_ >= most_) returned_.Wait(lock_);
    if (!free_.empty()) {
      std::unique_ptr<Session> session = std::move(free_.back());
      free_.pop_back();
      return Lease(*this, std::move(session));
    }
    ++opened_;
  }
  Result<std::unique_ptr<Session>> opened = Session::Open(*model_);
  if (!opened) {
    {
      const MutexLock held(lock_);
      --opened_;
    }
    returned_.NotifyOne();
    return opened.error();
  }
  return Lease(*this, std::move(opened).value());
}

void SessionPool::Return(std::unique_ptr<Session> session) {
  {
    const MutexLock held(lock_);
    free_.push_back(std::move(session));
  }
  returned_.NotifyOne();
}

}  // namespace candor::engine
