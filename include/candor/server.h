// Server: open models behind HTTP.
//
// A Server owns its socket and its work threads; the thread in Run is its reactor. It shares the models.
// Listen, then Run, which blocks; Stop may come from any thread. Nothing here prints or exits.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "candor/engine.h"
#include "candor/result.h"

namespace candor {

// What requests may ask for by name. The first entry answers requests that name none.
struct ServedModel {
  std::string name;  // in requests, replies and metrics; empty: the model's own
  std::shared_ptr<const Embedder> embedder;
};

struct ServerOptions {
  std::string host = "127.0.0.1";  // an address, not a name: nothing is looked up
  std::uint16_t port = 8080;       // 0: any free one
  std::size_t workers = 2;         // requests computed at a time; each uses the engine's threads
  std::size_t queue = 64;          // admitted requests that wait for a worker; beyond: overloaded
  std::size_t connections = 1024;  // beyond: the one idle for longest is closed, or new ones wait
  std::size_t body_bytes = 32u << 20;
  std::size_t header_bytes = 16u << 10;
  std::size_t held_body_bytes = 256u << 20;         // of all requests at a time; no less than body_bytes
  std::size_t items = 2048;                         // inputs of one request
  std::chrono::milliseconds idle_timeout{60'000};   // for a request to start, and for each to arrive or leave
  std::chrono::milliseconds drain_timeout{30'000};  // for admitted requests after Stop
  bool stop_on_signals = false;                     // SIGTERM and SIGINT act as Stop while Run runs
};

class Server {
 public:
  // Binds and listens. unsupported_option names a host or port that cannot be had, or a duplicate model name.
  static Result<std::unique_ptr<Server>> Listen(std::vector<ServedModel> models,
                                                const ServerOptions& options = {});
  ~Server();

  std::uint16_t port() const;  // the one that is bound
  // Answers until stopped: no new connections, admitted requests are finished. drain_failed when some outlive
  // the drain timeout; they are then waited for without a limit before Run returns, because they use the
  // models.
  Result<void> Run();
  void Stop();

 private:
  struct State;

 public:
  explicit Server(std::unique_ptr<State> state);  // for Listen: nobody else can name a State

 private:
  std::unique_ptr<State> state_;
};

}  // namespace candor
