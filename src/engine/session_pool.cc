#include "engine/session_pool.h"

#include <chrono>

namespace candor::engine {

SessionPool::SessionPool(std::shared_ptr<const LoadedModel> model, std::size_t most)
    : model_(std::move(model)), most_(most) {
  free_.reserve(most_);  // so that Return never allocates: it runs in a destructor
}

Result<SessionPool::Lease> SessionPool::Take() {
  using Clock = std::chrono::steady_clock;
  double waited = 0;
  {
    const MutexLock held(lock_);
    if (free_.empty() && opened_ >= most_) {
      const Clock::time_point start = Clock::now();
      while (free_.empty() && opened_ >= most_) returned_.Wait(lock_);
      waited = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    }
    if (!free_.empty()) {
      std::unique_ptr<Session> session = std::move(free_.back());
      free_.pop_back();
      return Lease(*this, std::move(session), waited);
    }
    ++opened_;
  }
  // A session that does not come to be, by an error or by an exception, leaves its place to the next.
  class Place {
   public:
    explicit Place(SessionPool& pool) : pool_(&pool) {}
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() {
      if (pool_ != nullptr) pool_->GiveUpPlace();
    }
    void Keep() { pool_ = nullptr; }

   private:
    SessionPool* pool_;
  } place(*this);
  CANDOR_TRY(std::unique_ptr<Session> opened, Session::Open(*model_));
  place.Keep();
  return Lease(*this, std::move(opened), waited);
}

void SessionPool::Return(std::unique_ptr<Session> session) noexcept {
  {
    const MutexLock held(lock_);
    free_.push_back(std::move(session));
  }
  returned_.NotifyOne();
}

void SessionPool::GiveUpPlace() noexcept {
  {
    const MutexLock held(lock_);
    --opened_;
  }
  returned_.NotifyOne();
}

}  // namespace candor::engine
