// The reactor: one thread, a coroutine for each connection. Long because no header may name the HTTP
// library's types, so that all which touches a socket stands here.
#include "serve/http.h"

// One thread runs the reactor, and what others post to it passes a mutex: the library's own fences order
// nothing more, and the thread sanitizer cannot see them.
#define BOOST_ASIO_DISABLE_FENCED_BLOCK

#include <poll.h>

#include <algorithm>
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

#include "serve/http_budget.h"
#include "serve/http_refusals.h"

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
// Once stopped, what has not arrived whole has this long to do so; it was not admitted, and nobody waits for
// it.
constexpr std::chrono::milliseconds kLastWords(1000);
// A connection that was used this recently is not closed to make room for a new one.
constexpr std::chrono::milliseconds kLeastIdle(1000);

// One request between the reactor and whoever answers it. Only the reactor touches it, except for the
// atomics.
struct Pending {
  explicit Pending(asio::io_context& io) : event(io, kForever) {}
  asio::steady_timer event;
  std::optional<HttpResponse> response;
  bool over = false;
  std::atomic<bool> dropped{false};
  std::shared_ptr<std::atomic<bool>> gone = std::make_shared<std::atomic<bool>>(false);
};

// What an HttpReply holds. When its last copy goes and no answer was sent, the request must not wait for
// ever; a flag, because to send the reactor word takes memory, which may be just what is missing.
struct Promise {
  explicit Promise(std::shared_ptr<Pending> p) : pending(std::move(p)) {}
  ~Promise() {
    if (!kept) pending->dropped = true;
  }
  const std::shared_ptr<Pending> pending;
  std::atomic<bool> kept{false};
};

enum class Stage : std::uint8_t {
  kIdle,      // between requests, with nothing of the next one parsed
  kReading,   // or refusing what was read
  kAdmitted,  // until the answer is written
};

struct Session {
  Session(Tcp::socket socket, std::size_t most) : stream(std::move(socket)), buffer(most) {}
  beast::tcp_stream stream;
  beast::flat_buffer buffer;
  Stage stage = Stage::kIdle;
  std::chrono::steady_clock::time_point idle_since = std::chrono::steady_clock::now();
  std::shared_ptr<Pending> pending;

  // Nothing was admitted, and nothing that was sent waits to be read.
  bool Quiet() {
    Ec ignored;
    return stage == Stage::kIdle && stream.socket().is_open() && stream.socket().available(ignored) == 0;
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

enum class Body : std::uint8_t { kWhole, kTooLarge, kFarTooLarge, kNoRoom, kBadFraming, kBroken };

}  // namespace

struct HttpServer::State {
  explicit State(HttpOptions o) : options(std::move(o)) {}

  HttpOptions options;
  asio::io_context io{1};
  Tcp::acceptor acceptor{io};
  asio::signal_set signals{io};
  asio::steady_timer drain{io};
  asio::steady_timer last_words{io};
  asio::steady_timer slot{io, kForever};  // cancelled whenever a connection ends or becomes idle
  std::list<Session> sessions;
  std::atomic<std::size_t> count{0};
  std::atomic<std::size_t> held{0};  // bytes of bodies
  std::atomic<bool> stopping{false};
  std::uint16_t port = 0;  // kept: the acceptor forgets it when it is closed
  HttpHandler* handler = nullptr;
  bool cut = false;

  asio::awaitable<void> Accept();
  asio::awaitable<bool> AcceptOne();
  void MakeRoom();
  asio::awaitable<void> Serve(std::list<Session>::iterator session);
  asio::awaitable<void> ServeRequests(Session& session);
  asio::awaitable<Body> ReadBody(Session& session, http::request_parser<http::buffer_body>& parser,
                                 HttpRequest& request);
  asio::awaitable<std::optional<HttpResponse>> Answer(Session& session, HttpRequest request);
  asio::awaitable<bool> Write(Session& session, HttpResponse response, unsigned version, bool keep_alive,
                              bool head);
  asio::awaitable<void> Reject(Session& session, HttpResponse response);
  asio::awaitable<void> Linger(Session& session);
  HttpResponse Refused(const Refusal& refusal) { return handler->Refuse(refusal.status, refusal.error); }
  std::chrono::milliseconds patience() const {
    return stopping ? std::min(options.idle_timeout, kLastWords) : options.idle_timeout;
  }
  void WatchForHangUp(Session& session);
  void AwaitSignal();
  void BeginStop();
  void EndTimers() { drain.cancel(), last_words.cancel(); }
  void CutOff();
};

// Ends by itself: when stopped, the acceptor is closed.
asio::awaitable<void> HttpServer::State::Accept() {
  bool pause = false;
  while (!stopping) {
    try {
      if (pause) {
        slot.expires_after(
            std::chrono::milliseconds(100));  // out of descriptors or memory: look again shortly
        static_cast<void>(co_await slot.async_wait(kAwait));
      }
      pause = !co_await AcceptOne();
    } catch (const std::exception&) {
      pause = true;
    }
  }
}

// At the limit a new connection waits in the kernel until one of ours has ended, by itself or by MakeRoom.
asio::awaitable<bool> HttpServer::State::AcceptOne() {
  auto [failed] = co_await acceptor.async_wait(Tcp::acceptor::wait_read, kAwait);
  if (failed || stopping) co_return !failed;
  if (sessions.size() >= options.connections) {
    MakeRoom();
    static_cast<void>(co_await slot.async_wait(kAwait));
    co_return true;
  }
  auto [ec, socket] = co_await acceptor.async_accept(kAwait);
  if (ec || stopping) co_return !ec;
  Ec ignored;
  socket.set_option(Tcp::no_delay(true), ignored);
  sessions.emplace_back(std::move(socket), options.header_bytes + kChunk);
  count = sessions.size();
  try {
    asio::co_spawn(io, Serve(std::prev(sessions.end())), asio::detached);
  } catch (const std::exception&) {
    sessions.pop_back();
  }
  co_return true;
}

// Closes the connection that has been idle for longest, and otherwise says when to look again.
void HttpServer::State::MakeRoom() {
  Session* longest = nullptr;
  for (Session& session : sessions) {
    if (session.Quiet() && (longest == nullptr || session.idle_since < longest->idle_since))
      longest = &session;
  }
  slot.expires_at(longest == nullptr ? kForever : longest->idle_since + kLeastIdle);
  if (longest != nullptr && std::chrono::steady_clock::now() >= slot.expiry()) {
    slot.expires_at(kForever);
    longest->Close();
  }
}

asio::awaitable<void> HttpServer::State::Serve(std::list<Session>::iterator session) {
  try {
    co_await ServeRequests(*session);
  } catch (const std::exception&) {
    // Out of memory while reading one request: this connection ends, others go on.
  }
  session->Close();
  sessions.erase(session);
  count = sessions.size();
  slot.cancel();
  if (stopping && sessions.empty()) EndTimers();
}

asio::awaitable<void> HttpServer::State::ServeRequests(Session& session) {
  auto& stream = session.stream;
  for (;;) {
    http::request_parser<http::buffer_body> parser;
    parser.header_limit(static_cast<std::uint32_t>(options.header_bytes));
    parser.body_limit(boost::none);  // ReadBody counts
    session.stage = session.buffer.size() == 0 ? Stage::kIdle : Stage::kReading;
    session.idle_since = std::chrono::steady_clock::now();
    if (stopping && session.Quiet()) co_return;  // stopped while the last answer was on its way
    if (sessions.size() >= options.connections) slot.cancel();
    stream.expires_after(patience());
    auto [ec, got] = co_await http::async_read_header(stream, session.buffer, parser, kAwait);
    session.stage = Stage::kReading;
    if (ec == http::error::header_limit || ec == http::error::buffer_overflow) {
      HttpResponse refused = Refused(HeaderTooLarge(options.header_bytes));
      co_return co_await Reject(session, std::move(refused));
    }
    if (ec) {
      // The library's own category is about what was sent; everything else is the connection's end.
      const bool damaged = ec.category() == http::make_error_code(http::error::bad_value).category();
      if (!damaged || ec == http::error::end_of_stream || ec == http::error::partial_message) co_return;
      HttpResponse refused = Refused(NotHttp(ec.message()));
      co_return co_await Reject(session, std::move(refused));
    }
    const auto length = parser.content_length();
    const Refusal too_large =
        BodyTooLarge(length ? std::to_string(*length) + " bytes" : "more bytes", options.body_bytes);
    const unsigned version = parser.get().version();
    if (beast::iequals(parser.get()[http::field::expect], "100-continue")) {
      if (length && *length > options.body_bytes) {
        HttpResponse refused = Refused(too_large);
        co_return co_await Reject(session, std::move(refused));
      }
      http::response<http::empty_body> go_on(http::status::continue_, version);
      auto [failed, sent] = co_await http::async_write(stream, go_on, kAwait);
      if (failed) co_return;
    }
    HttpRequest request;
    const Body body = co_await ReadBody(session, parser, request);
    if (body == Body::kBroken) co_return;
    if (body == Body::kFarTooLarge || body == Body::kBadFraming) {
      HttpResponse refused = body == Body::kFarTooLarge ? Refused(too_large)
                                                        : Refused(FramingTooLarge(session.buffer.max_size()));
      co_return co_await Reject(session, std::move(refused));
    }
    const auto& head = parser.get();
    const bool wants_more = parser.keep_alive();
    const bool is_head = head.method() == http::verb::head;
    std::optional<HttpResponse> response;
    if (body == Body::kWhole) {
      request.method = is_head ? "GET" : std::string(head.method_string());
      request.SetTarget(std::string(head.target()));
      session.stage = Stage::kAdmitted;
      response = co_await Answer(session, std::move(request));
      if (!response) co_return;
    } else if (body == Body::kTooLarge) {
      response = Refused(too_large);
    } else {
      response = Refused(NoRoomForBody(held, options.held_body_bytes));
    }
    const bool keep_alive = wants_more && !stopping;
    const bool written = co_await Write(session, *std::move(response), version, keep_alive, is_head);
    if (!written || !keep_alive) co_return;
  }
}

// The whole body has the idle timeout to arrive: counted from piece to piece, a client that sends a byte a
// minute would hold its connection for ever. What is refused for its size is read all the same, up to a
// point.
asio::awaitable<Body> HttpServer::State::ReadBody(Session& session,
                                                  http::request_parser<http::buffer_body>& parser,
                                                  HttpRequest& request) {
  session.stream.expires_after(patience());
  auto share = std::make_shared<BodyShare>(held, options.held_body_bytes);
  if (const auto length = parser.content_length()) {
    if (*length > options.body_bytes * (1 + kDiscardedLimits)) co_return Body::kFarTooLarge;
    request.body.reserve(std::min<std::size_t>(*length, options.body_bytes));
  }
  Body outcome = Body::kWhole;
  std::vector<char> chunk(kChunk);
  std::size_t size = 0;
  while (!parser.is_done()) {
    auto& target = parser.get().body();
    target.data = chunk.data();
    target.size = chunk.size();
    target.more = true;
    auto [ec, ignored] = co_await http::async_read(session.stream, session.buffer, parser, kAwait);
    if (ec == http::error::buffer_overflow || ec == http::error::header_limit) co_return Body::kBadFraming;
    if (ec && ec != http::error::need_buffer) co_return Body::kBroken;
    const std::size_t got = chunk.size() - parser.get().body().size;
    size += got;
    if (size > options.body_bytes * (1 + kDiscardedLimits)) co_return Body::kFarTooLarge;
    if (size > options.body_bytes) {
      outcome = Body::kTooLarge;
    } else if (outcome == Body::kWhole && !share->Grow(got)) {
      outcome = Body::kNoRoom;
    }
    if (outcome == Body::kWhole) {
      request.body.append(chunk.data(), got);
    } else {
      share.reset();
      request.body = std::string();
    }
  }
  request.share = std::move(share);
  co_return outcome;
}

asio::awaitable<std::optional<HttpResponse>> HttpServer::State::Answer(Session& session,
                                                                       HttpRequest request) {
  auto pending = std::make_shared<Pending>(io);
  session.pending = pending;
  request.gone = pending->gone;
  session.stream.expires_never();
  WatchForHangUp(session);
  handler->Handle(std::move(request),
                  [this, promise = std::make_shared<Promise>(pending)](HttpResponse response) {
                    // Back to the reactor: a reply may come from a worker, or at once from within Handle.
                    asio::post(io, [pending = promise->pending, answer = std::move(response)]() mutable {
                      if (pending->response || pending->over) return;
                      pending->response = std::move(answer);
                      pending->event.cancel();
                    });
                    promise->kept = true;
                  });
  while (!pending->response && !pending->over) {
    if (pending->dropped) {
      pending->response = Refused(NoMemoryForAnswer());
      break;
    }
    pending->event.expires_after(std::chrono::seconds(1));  // to look whether it was dropped
    static_cast<void>(co_await pending->event.async_wait(kAwait));
  }
  pending->over = true;
  session.pending.reset();
  Ec ignored;
  if (session.stream.socket().is_open()) session.stream.socket().cancel(ignored);  // the watch
  co_return std::move(pending->response);
}

// A client that only ends what it sends may well wait for its answer, so an end alone says nothing; one that
// has reset the connection has gone.
void HttpServer::State::WatchForHangUp(Session& session) {
  session.stream.socket().async_wait(
      Tcp::socket::wait_error, [pending = session.pending, &socket = session.stream.socket()](Ec ec) {
        if (ec || pending->over) return;
        pollfd state{.fd = socket.native_handle(), .events = 0, .revents = 0};
        if (poll(&state, 1, 0) == 1 && (state.revents & (POLLERR | POLLHUP)) != 0) pending->gone->store(true);
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

// Responses come in as names, not as temporaries: GCC 12 destroys the latter twice around a co_await.
asio::awaitable<void> HttpServer::State::Reject(Session& session, HttpResponse response) {
  const bool written = co_await Write(session, std::move(response), 11, false, false);
  if (written) co_await Linger(session);
}

// For answers to half-read requests. Closing with unread input makes the kernel reset the connection, and the
// client may lose the answer: say that we are done, then read on for a moment.
asio::awaitable<void> HttpServer::State::Linger(Session& session) {
  Ec ignored;
  session.stream.socket().shutdown(Tcp::socket::shutdown_send, ignored);
  session.stream.expires_after(std::chrono::seconds(2));
  std::vector<char> chunk(kChunk);
  for (std::size_t total = 0; total < (4u << 20);) {
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
  last_words.expires_after(kLastWords);
  last_words.async_wait([this](Ec ec) {
    if (ec) return;
    for (Session& session : sessions) {
      if (session.stage != Stage::kAdmitted) session.Close();
    }
  });
  if (sessions.empty()) EndTimers();
}

void HttpServer::State::CutOff() {
  for (Session& session : sessions) {
    cut = cut || session.stage == Stage::kAdmitted;
    session.Close();
  }
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
  for (;;) try {
      state_->io.run();
      return !state_->cut;
    } catch (const std::exception&) {  // out of memory in one handler: the others go on
    }
}

void HttpServer::Stop() {
  asio::post(state_->io, [state = state_.get()] { state->BeginStop(); });
}

}  // namespace candor::serve
