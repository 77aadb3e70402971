#include "serve/http.h"

// One thread runs the reactor, and what others post to it passes a mutex: the library's own fences order
// nothing more, and the thread sanitizer cannot see them.
#define BOOST_ASIO_DISABLE_FENCED_BLOCK

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <csignal>
#include <list>
#include <optional>

namespace candor::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Tcp = asio::ip::tcp;
using Ec = boost::system::error_code;
constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
constexpr auto kForever = asio::steady_timer::time_point::max();

// A body over the limit is read on and thrown away up to this many limits more, so that the client gets its
// 413 and may go on using the connection; beyond, the connection is closed after the answer.
constexpr std::size_t kDiscardedLimits = 1;
constexpr std::size_t kChunk = 64u << 10;

// One request between the reactor and whoever answers it. Only the reactor touches it, except for `gone`.
struct Pending {
  explicit Pending(asio::io_context& io) : event(io, kForever) {}
  asio::steady_timer event;
  std::optional<HttpResponse> response;
  bool over = false;
  std::shared_ptr<std::atomic<bool>> gone = std::make_shared<std::atomic<bool>>(false);
};

struct Session {
  explicit Session(Tcp::socket socket) : stream(std::move(socket)) {}
  beast::tcp_stream stream;
  beast::flat_buffer buffer;
  bool idle = true;  // between requests, with nothing of the next one read
  std::shared_ptr<Pending> pending;

  // Nothing was admitted, and nothing that was sent waits to be read.
  bool Quiet() {
    Ec ignored;
    return idle && stream.socket().available(ignored) == 0;
  }
  void Close() {
    Ec ignored;
    stream.socket().close(ignored);
    if (pending == nullptr) return;
    pending->gone->store(true);
    pending->over = true;
    pending->event.cancel();
  }
};

enum class Body : std::uint8_t { kWhole, kTooLarge, kFarTooLarge, kBroken };

Error BadRequest(Code code, std::string found, std::string allowed) {
  return {.code = code,
          .where = Where::Field("request"),
          .found = std::move(found),
          .allowed = std::move(allowed),
          .phase = Phase::kRequest};
}

}  // namespace

struct HttpServer::State {
  explicit State(HttpOptions o) : options(std::move(o)) {}

  HttpOptions options;
  asio::io_context io{1};
  Tcp::acceptor acceptor{io};
  asio::signal_set signals{io};
  asio::steady_timer drain{io};
  asio::steady_timer slot{io, kForever};  // cancelled whenever a connection ends
  std::list<Session> sessions;
  std::atomic<std::size_t> count{0};
  std::atomic<bool> stopping{false};
  std::uint16_t port = 0;  // kept: the acceptor forgets it when it is closed
  HttpHandler* handler = nullptr;
  bool cut = false;

  asio::awaitable<void> Accept();
  asio::awaitable<void> Serve(std::list<Session>::iterator session);
  asio::awaitable<void> ServeRequests(Session& session);
  asio::awaitable<Body> ReadBody(Session& session, http::request_parser<http::buffer_body>& parser,
                                 std::string& body);
  asio::awaitable<std::optional<HttpResponse>> Answer(Session& session, HttpRequest request);
  asio::awaitable<bool> Write(Session& session, HttpResponse response, unsigned version, bool keep_alive,
                              bool head);
  asio::awaitable<void> Linger(Session& session);
  void WatchForHangUp(Session& session);
  void AwaitSignal();
  void BeginStop();
  void CutOff();
};

// Ends by itself: when stopped, the acceptor is closed.
asio::awaitable<void> HttpServer::State::Accept() {
  while (!stopping) {
    if (sessions.size() >= options.connections) {
      slot.expires_at(kForever);
      static_cast<void>(co_await slot.async_wait(kAwait));
      continue;
    }
    auto [ec, socket] = co_await acceptor.async_accept(kAwait);
    if (stopping) co_return;
    if (ec) {
      // Out of descriptors: the connections that are there go on; look again shortly.
      slot.expires_after(std::chrono::milliseconds(100));
      static_cast<void>(co_await slot.async_wait(kAwait));
      continue;
    }
    Ec ignored;
    socket.set_option(Tcp::no_delay(true), ignored);
    sessions.emplace_back(std::move(socket));
    count = sessions.size();
    asio::co_spawn(io, Serve(std::prev(sessions.end())), asio::detached);
  }
}

asio::awaitable<void> HttpServer::State::Serve(std::list<Session>::iterator session) {
  try {
    co_await ServeRequests(*session);
  } catch (const std::exception&) {
    // Out of memory while reading one request: this connection ends, the others go on.
  }
  session->Close();
  sessions.erase(session);
  count = sessions.size();
  slot.cancel();
  if (stopping && sessions.empty()) drain.cancel();
}

asio::awaitable<void> HttpServer::State::ServeRequests(Session& session) {
  auto& stream = session.stream;
  for (;;) {
    http::request_parser<http::buffer_body> parser;
    parser.header_limit(static_cast<std::uint32_t>(options.header_bytes));
    parser.body_limit(boost::none);  // ReadBody counts
    session.idle = session.buffer.size() == 0;
    if (stopping && session.Quiet()) co_return;  // stopped while the last answer was on its way
    stream.expires_after(options.idle_timeout);
    auto [ec, got] = co_await http::async_read_header(stream, session.buffer, parser, kAwait);
    session.idle = false;
    if (ec == http::error::header_limit) {
      const Error error =
          BadRequest(Code::kInputTooLarge, "a longer header",
                     "a header of at most " + std::to_string(options.header_bytes) + " bytes");
      co_await Write(session, handler->Refuse(431, error), 11, false, false);
      co_return co_await Linger(session);
    }
    if (ec) {
      // The library's own category is about what was sent; everything else is the connection's end.
      const bool damaged = ec.category() == http::make_error_code(http::error::bad_value).category();
      if (!damaged || ec == http::error::end_of_stream || ec == http::error::partial_message) co_return;
      const Error error = BadRequest(Code::kInvalidInput, ec.message(), "an HTTP/1.1 request");
      co_await Write(session, handler->Refuse(400, error), 11, false, false);
      co_return co_await Linger(session);
    }
    const auto length = parser.content_length();
    const std::string limit = "a body of at most " + std::to_string(options.body_bytes) + " bytes";
    const std::string size = length ? std::to_string(*length) + " bytes" : "more bytes";
    const unsigned version = parser.get().version();
    if (beast::iequals(parser.get()[http::field::expect], "100-continue")) {
      if (length && *length > options.body_bytes) {
        const Error error = BadRequest(Code::kInputTooLarge, size, limit);
        co_await Write(session, handler->Refuse(413, error), version, false, false);
        co_return;
      }
      http::response<http::empty_body> go_on(http::status::continue_, version);
      auto [failed, sent] = co_await http::async_write(stream, go_on, kAwait);
      if (failed) co_return;
    }
    HttpRequest request;
    const Body body = co_await ReadBody(session, parser, request.body);
    if (body == Body::kBroken) co_return;
    const auto& head = parser.get();
    const bool wants_more = parser.keep_alive();
    const bool is_head = head.method() == http::verb::head;
    std::optional<HttpResponse> response;
    if (body == Body::kWhole) {
      const std::string target(head.target());
      const std::size_t mark = std::min(target.find('?'), target.size());
      request.method = is_head ? "GET" : std::string(head.method_string());
      request.path = target.substr(0, mark);
      request.query = target.substr(std::min(mark + 1, target.size()));
      response = co_await Answer(session, std::move(request));
      if (!response) co_return;
    } else {
      response = handler->Refuse(413, BadRequest(Code::kInputTooLarge, size, limit));
    }
    const bool keep_alive = wants_more && body != Body::kFarTooLarge && !stopping;
    const bool written = co_await Write(session, *std::move(response), version, keep_alive, is_head);
    if (written && body == Body::kFarTooLarge) co_await Linger(session);
    if (!written || !keep_alive) co_return;
  }
}

// The whole body has the idle timeout to arrive: counted from piece to piece, a client that sends a byte a
// minute would hold its connection for ever.
asio::awaitable<Body> HttpServer::State::ReadBody(Session& session,
                                                  http::request_parser<http::buffer_body>& parser,
                                                  std::string& body) {
  session.stream.expires_after(options.idle_timeout);
  if (const auto length = parser.content_length()) {
    if (*length > options.body_bytes * (1 + kDiscardedLimits)) co_return Body::kFarTooLarge;
    body.reserve(std::min<std::size_t>(*length, options.body_bytes));
  }
  std::vector<char> chunk(kChunk);
  std::size_t size = 0;
  while (!parser.is_done()) {
    auto& target = parser.get().body();
    target.data = chunk.data();
    target.size = chunk.size();
    target.more = true;
    auto [ec, ignored] = co_await http::async_read(session.stream, session.buffer, parser, kAwait);
    if (ec && ec != http::error::need_buffer) co_return Body::kBroken;
    const std::size_t got = chunk.size() - parser.get().body().size;
    size += got;
    if (size <= options.body_bytes) {
      body.append(chunk.data(), got);
    } else if (size > options.body_bytes * (1 + kDiscardedLimits)) {
      co_return Body::kFarTooLarge;
    }
  }
  co_return size <= options.body_bytes ? Body::kWhole : Body::kTooLarge;
}

asio::awaitable<std::optional<HttpResponse>> HttpServer::State::Answer(Session& session,
                                                                       HttpRequest request) {
  auto pending = std::make_shared<Pending>(io);
  session.pending = pending;
  request.gone = pending->gone;
  session.stream.expires_never();
  WatchForHangUp(session);
  handler->Handle(std::move(request), [this, pending](HttpResponse response) {
    // Back to the reactor: a reply may come from a worker, or at once from within Handle.
    asio::post(io, [pending, answer = std::move(response)]() mutable {
      if (pending->response || pending->over) return;
      pending->response = std::move(answer);
      pending->event.cancel();
    });
  });
  while (!pending->response && !pending->over) static_cast<void>(co_await pending->event.async_wait(kAwait));
  pending->over = true;
  session.pending.reset();
  Ec ignored;
  if (session.stream.socket().is_open()) session.stream.socket().cancel(ignored);  // the watch
  co_return std::move(pending->response);
}

// A client that closed its side while it waits has gone, or has said all it had to say; both look alike here.
// So the work is skipped only where it has not begun, and an answer that is ready is still sent.
void HttpServer::State::WatchForHangUp(Session& session) {
  session.stream.socket().async_wait(Tcp::socket::wait_read,
                                     [pending = session.pending, &socket = session.stream.socket()](Ec ec) {
                                       if (ec || pending->over) return;
                                       std::array<char, 1> byte{};
                                       const auto peek = Tcp::socket::message_peek;
                                       socket.receive(asio::buffer(byte), peek, ec);
                                       if (ec) pending->gone->store(true);
                                     });
}

asio::awaitable<bool> HttpServer::State::Write(Session& session, HttpResponse response, unsigned version,
                                               bool keep_alive, bool head) {
  http::response<http::string_body> out(static_cast<http::status>(response.status), version);
  out.set(http::field::server, "candor");
  out.set(http::field::content_type, response.content_type);
  for (const auto& [name, value] : response.headers) out.set(name, value);
  out.keep_alive(keep_alive);
  out.body() = std::move(response.body);
  out.prepare_payload();
  session.stream.expires_after(options.idle_timeout);
  http::response_serializer<http::string_body> serializer(out);
  if (head) {
    serializer.split(true);
    auto [ec, sent] = co_await http::async_write_header(session.stream, serializer, kAwait);
    co_return !ec;
  }
  auto [ec, sent] = co_await http::async_write(session.stream, serializer, kAwait);
  co_return !ec;
}

// For answers to half-read requests. Closing with unread input makes the kernel reset the connection, and the
// client may lose the answer: say that we are done, then read on for a moment.
asio::awaitable<void> HttpServer::State::Linger(Session& session) {
  constexpr std::chrono::seconds kPatience(2);
  constexpr std::size_t kMost = 4u << 20;
  Ec ignored;
  session.stream.socket().shutdown(Tcp::socket::shutdown_send, ignored);
  session.stream.expires_after(kPatience);
  std::vector<char> chunk(kChunk);
  for (std::size_t total = 0; total < kMost;) {
    auto [ec, got] = co_await session.stream.async_read_some(asio::buffer(chunk), kAwait);
    if (ec) co_return;
    total += got;
  }
}

void HttpServer::State::AwaitSignal() {
  signals.async_wait([this](Ec ec, int) {
    if (ec) return;
    BeginStop();
    AwaitSignal();
  });
}

void HttpServer::State::BeginStop() {
  if (stopping.exchange(true)) return CutOff();
  Ec ignored;
  acceptor.close(ignored);
  slot.cancel();
  for (Session& session : sessions) {
    // A request that already lies in the socket is still read, so that its client gets an answer.
    if (session.Quiet()) session.Close();
  }
  drain.expires_after(options.drain_timeout);
  drain.async_wait([this](Ec ec) {
    if (!ec) CutOff();
    signals.cancel(ec);
  });
  if (sessions.empty()) drain.cancel();
}

void HttpServer::State::CutOff() {
  cut = cut || !sessions.empty();
  for (Session& session : sessions) session.Close();
}

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::Listen(const HttpOptions& options) {
  Ec ec;
  const auto refusal = [&ec](const char* option, std::string found, std::string allowed) {
    return Error{.code = Code::kUnsupportedOption,
                 .where = Where::Option(option),
                 .found = std::move(found) + (ec ? " (" + ec.message() + ")" : ""),
                 .allowed = std::move(allowed),
                 .phase = Phase::kRequest};
  };
  const auto address = asio::ip::make_address(options.host, ec);
  if (ec) return refusal("--host", options.host, "an IPv4 or IPv6 address");
  auto state = std::make_unique<State>(options);
  const Tcp::endpoint endpoint(address, options.port);
  Tcp::acceptor& acceptor = state->acceptor;
  acceptor.open(endpoint.protocol(), ec);
  if (!ec) acceptor.set_option(Tcp::acceptor::reuse_address(true), ec);
  if (!ec) acceptor.bind(endpoint, ec);
  if (!ec) acceptor.listen(asio::socket_base::max_listen_connections, ec);
  if (ec) {
    return refusal("--port", options.host + " port " + std::to_string(options.port),
                   "an address and a port that are free");
  }
  if (options.stop_on_signals) {
    for (const int signal : {SIGTERM, SIGINT}) {
      state->signals.add(signal, ec);
      if (ec) return refusal("stop_on_signals", std::to_string(signal), "signals that can be caught");
    }
  }
  state->port = acceptor.local_endpoint(ec).port();
  return std::make_unique<HttpServer>(std::move(state));
}

std::uint16_t HttpServer::port() const { return state_->port; }
std::size_t HttpServer::connections() const { return state_->count; }
bool HttpServer::stopping() const { return state_->stopping; }

bool HttpServer::Run(HttpHandler& handler) {
  state_->handler = &handler;
  if (state_->options.stop_on_signals) state_->AwaitSignal();
  asio::co_spawn(state_->io, state_->Accept(), asio::detached);
  state_->io.run();
  return !state_->cut;
}

void HttpServer::Stop() {
  asio::post(state_->io, [state = state_.get()] { state->BeginStop(); });
}

}  // namespace candor::serve
