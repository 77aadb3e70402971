// FakeEmbedder: an embedder for tests of the server, which does what the texts say. Thread-safe.
#pragma once
#include <atomic>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "candor/engine.h"

namespace candor::serve {

// A text's row is (its length, its first byte). Texts that begin with '!' steer: "!fail" is an item error,
// "!stop" a request error, "!memory" runs out of memory, "!hold" waits until Open.
class FakeEmbedder final : public Embedder {
 public:
  explicit FakeEmbedder(std::string name) { info_.name = std::move(name); }

  Result<EmbedReply> Embed(const EmbedRequest& request) const override {
    ++calls;
    EmbedReply reply;
    reply.embeddings.dimensions = 2;
    reply.receipt.plan = "plan-1";
    reply.receipt.execution = "run-" + std::to_string(calls);
    reply.receipt.items = request.inputs.size();
    for (const Content& input : request.inputs) {
      const auto* text = std::get_if<std::string>(&input);
      const std::string words = text != nullptr ? *text : "ids";
      ItemReport item{.tokens = words.size(), .total = words.size()};
      if (words == "!stop") return Error{.code = Code::kRuntimeFailure, .found = "a broken fake"};
      if (words == "!memory") throw std::bad_alloc();  // lint: allow throws because a real allocation does
      if (words == "!fail") item.error = Error{.code = Code::kInputTooLarge, .found = "9", .allowed = "8"};
      if (words == "!hold") Hold();
      reply.embeddings.values.push_back(static_cast<float>(words.size()));
      reply.embeddings.values.push_back(static_cast<float>(words.front()));
      reply.items.push_back(std::move(item));
    }
    return reply;
  }
  const ModelInfo& info() const override { return info_; }
  Result<std::string> PlanJson(bool) const override { return std::string("{}"); }
  Result<std::vector<float>> Similarity(const Embeddings&, const Embeddings&) const override {
    return std::vector<float>();
  }

  void Open() {
    const MutexLock held(lock_);
    open_ = true;
    changed_.NotifyAll();
  }
  void AwaitHeld(int count) {
    const MutexLock held(lock_);
    while (held_ < count) changed_.Wait(lock_);
  }

  mutable std::atomic<int> calls{0};

 private:
  void Hold() const {
    const MutexLock held(lock_);
    ++held_;
    changed_.NotifyAll();
    while (!open_) changed_.Wait(lock_);
  }
  ModelInfo info_;
  mutable Mutex lock_;
  mutable CondVar changed_;
  mutable int held_ CANDOR_GUARDED_BY(lock_) = 0;
  bool open_ CANDOR_GUARDED_BY(lock_) = false;
};

}  // namespace candor::serve
