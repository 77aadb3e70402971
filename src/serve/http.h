// HttpServer: HTTP/1.1 on one reactor thread; the only place that knows the HTTP library.
//
// The server owns the sockets. Run blocks and is the reactor; Stop and every HttpReply may come from any
// thread. Requests arrive whole, within limits; what is damaged or too large is answered here in the
// handler's words.
#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "candor/result.h"

namespace candor::serve {

struct HttpRequest {
  std::string method = {}, path = {}, query = {}, body = {};
  // Set once the client has hung up: what has not begun need not begin.
  std::shared_ptr<const std::atomic<bool>> gone = nullptr;
  std::shared_ptr<void> share = nullptr;  // the body's part of held_body_bytes, for as long as it lives

  void SetTarget(const std::string& target) {
    const std::size_t mark = target.find('?');
    path = target.substr(0, mark);
    query = mark == std::string::npos ? "" : target.substr(mark + 1);
  }
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
};

// Sends the answer; only the first call counts. Released without a call, the client gets a 503.
using HttpReply = std::function<void(HttpResponse)>;

class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  // On the reactor thread: must not block. Answers now or later.
  virtual void Handle(HttpRequest request, HttpReply reply) = 0;
  // The answer to what never became a request.
  virtual HttpResponse Refuse(int status, const Error& error) = 0;
};

struct HttpOptions {
  std::string host;
  std::uint16_t port = 0;
  std::size_t connections = 1024, body_bytes = 0, header_bytes = 0, held_body_bytes = 0;
  std::chrono::milliseconds idle_timeout{}, drain_timeout{};
  bool stop_on_signals = false;
};

class HttpServer {
 public:
  static Result<std::unique_ptr<HttpServer>> Listen(const HttpOptions& options);
  ~HttpServer();

  std::uint16_t port() const;
  std::size_t connections() const;
  // Until stopped and drained. False when whole requests were cut off, by the drain timeout or by a second
  // Stop.
  bool Run(HttpHandler& handler);
  void Stop();
  bool stopping() const;

 private:
  struct State;

 public:
  explicit HttpServer(std::unique_ptr<State> state);  // for Listen: nobody else can name a State

 private:
  std::unique_ptr<State> state_;
};

}  // namespace candor::serve
