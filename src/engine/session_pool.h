// SessionPool: the sessions of one loaded model, opened when first needed, at most as many as may run at
// once. Thread-safe. Taking one blocks while all are in use; nothing waits for a session while it holds one.
#pragma once
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "engine/session.h"

namespace candor::engine {

class SessionPool {
 public:
  SessionPool(std::shared_ptr<const LoadedModel> model, std::size_t most);

  // Gives the session back when it goes out of scope.
  class Lease {
   public:
    Lease(SessionPool& pool, std::unique_ptr<Session> session, double waited)
        : pool_(&pool), session_(std::move(session)), waited_(waited) {}
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (session_ != nullptr) pool_->Return(std::move(session_));
    }
    double waited() const { return waited_; }  // milliseconds until one was free
    Session& operator*() const { return *session_; }
    Session* operator->() const { return session_.get(); }

   private:
    SessionPool* pool_;
    std::unique_ptr<Session> session_;
    double waited_;
  };
  Result<Lease> Take();
  const LoadedModel& model() const { return *model_; }

 private:
  void Return(std::unique_ptr<Session> session) noexcept;
  void GiveUpPlace() noexcept;

  std::shared_ptr<const LoadedModel> model_;
  std::size_t most_;
  Mutex lock_;
  CondVar returned_;
  std::vector<std::unique_ptr<Session>> free_ CANDOR_GUARDED_BY(lock_);
  std::size_t opened_ CANDOR_GUARDED_BY(lock_) = 0;
};

}  // namespace candor::engine
