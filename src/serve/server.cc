// Server: what stands between HTTP and the routes. Finds the row, admits its work to the queue, counts.
#include "candor/server.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "serve/http.h"
#include "serve/routes.h"
#include "serve/work_queue.h"

namespace candor {
namespace {

using serve::HttpReply;
using serve::HttpRequest;
using serve::HttpResponse;
using serve::Route;
using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// One request in a gauge.
class InFlight {
 public:
  explicit InFlight(std::atomic<std::size_t>& gauge) : gauge_(gauge) { ++gauge_; }
  ~InFlight() { End(); }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;
  void End() {
    if (!std::exchange(ended_, true)) --gauge_;
  }

 private:
  std::atomic<std::size_t>& gauge_;
  bool ended_ = false;
};

Error Refusal(Code code, Where where, std::string found, std::string allowed) {
  return {.code = code,
          .where = std::move(where),
          .found = std::move(found),
          .allowed = std::move(allowed),
          .phase = Phase::kRequest};
}

Result<std::vector<ServedModel>> Named(std::vector<ServedModel> models) {
  if (models.empty()) {
    return Refusal(Code::kUnsupportedOption, Where::Option("models"), "none", "at least one model");
  }
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (models[i].name.empty()) models[i].name = models[i].embedder->info().name;
    for (std::size_t j = 0; j < i; ++j) {
      if (models[j].name != models[i].name) continue;
      return Refusal(Code::kUnsupportedOption, Where::Option("models"), "\"" + models[i].name + "\" twice",
                     "a different name for each model");
    }
  }
  return models;
}

}  // namespace

struct Server::State : serve::HttpHandler {
  State(const ServerOptions& options, std::unique_ptr<serve::HttpServer> server)
      : http(std::move(server)), queue(options.workers, options.queue) {}

  void Handle(HttpRequest request, HttpReply reply) override;
  HttpResponse Refuse(int status, const Error& error) override;
  HttpResponse Work(const Route& route, const HttpRequest& request, Clock::time_point admitted);
  serve::Gauges ReadGauges() const;

  // In this order: workers use the service and reply through http, so the queue goes first.
  std::unique_ptr<serve::HttpServer> http;
  serve::Service service;
  std::atomic<std::size_t> in_flight{0};
  serve::WorkQueue queue;
};

void Server::State::Handle(HttpRequest request, HttpReply reply) {
  const auto start = Clock::now();
  std::string allowed;
  const Route* route = serve::FindRoute(request.method, request.path, allowed);
  // Nothing a client sends becomes a label: an unknown path is counted as such.
  const std::string_view label = route != nullptr ? route->path : "unknown";
  // Shared by whoever may answer: the request is in flight until it is answered or nobody can answer it.
  auto counted = std::make_shared<InFlight>(in_flight);
  const auto answer = [this, start, label, counted, reply = std::move(reply)](HttpResponse response) {
    service.metrics.CountRequest(label, response.status, SecondsSince(start));
    counted->End();
    reply(std::move(response));
  };
  if (route == nullptr) {
    if (allowed.empty()) {
      std::string paths;
      for (const Route& row : serve::Routes()) paths += (paths.empty() ? "" : ", ") + std::string(row.path);
      answer(serve::ErrorResponse(
          Refusal(Code::kInvalidInput, Where::Field("path"), request.path, std::move(paths)), 404));
      return;
    }
    HttpResponse response = serve::ErrorResponse(
        Refusal(Code::kInvalidInput, Where::Field("method"), request.method, allowed), 405);
    response.headers.emplace_back("Allow", std::move(allowed));
    answer(std::move(response));
    return;
  }
  if (!route->queued) {
    answer(route->answer(service, request));
    return;
  }
  if (http->stopping()) {
    answer(serve::ErrorResponse(
        Refusal(Code::kNotReady, Where::Field("server"), "shutting down", "another server, or a later try")));
    return;
  }
  // Shared, because a std::function must be copyable and a request should not be.
  auto shared = std::make_shared<const HttpRequest>(std::move(request));
  const bool taken = queue.Submit([this, route, shared = std::move(shared), answer, start]() mutable {
    HttpResponse response = Work(*route, *shared, start);
    shared.reset();  // a client that has its answer has its part of held_body_bytes back
    answer(std::move(response));
  });
  if (taken) return;
  service.metrics.CountOverload();
  answer(serve::ErrorResponse(Refusal(Code::kOverloaded, Where::Field("server"),
                                      std::to_string(queue.waiting()) + " requests waiting",
                                      "a request when others have finished")));
}

HttpResponse Server::State::Work(const Route& route, const HttpRequest& request, Clock::time_point admitted) {
  service.metrics.CountWait(SecondsSince(admitted));
  if (request.gone->load()) {
    return serve::ErrorResponse(Refusal(Code::kExecutionAborted, Where::Field("client"), "hung up",
                                        "a client that waits for its answer"),
                                499);
  }
  // One of the three places that catch: a request too big for this machine, or a defect of ours that it
  // meets, must not end the others.
  try {
    return route.answer(service, request);
  } catch (const std::bad_alloc&) {
    return serve::ErrorResponse(
        Refusal(Code::kInsufficientMemory, Where::Field("request"), "no memory left", "a smaller request"));
  } catch (const std::exception& defect) {
    return serve::ErrorResponse({.code = Code::kInternalInvariant,
                                 .where = Where::Field("request"),
                                 .found = defect.what(),
                                 .allowed = "none: a defect, please report it",
                                 .phase = Phase::kRun});
  }
}

HttpResponse Server::State::Refuse(int status, const Error& error) {
  service.metrics.CountRequest("refused", status, 0);
  return serve::ErrorResponse(error, status);
}

serve::Gauges Server::State::ReadGauges() const {
  return {.connections = http->connections(),
          .in_flight = in_flight,
          .waiting = queue.waiting(),
          .running = queue.running(),
          .ready = !http->stopping()};
}

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::Listen(std::vector<ServedModel> models,
                                               const ServerOptions& options) {
  CANDOR_TRY(models, Named(std::move(models)));
  if (options.workers == 0) {
    return Refusal(Code::kUnsupportedOption, Where::Option("workers"), "0", "at least 1");
  }
  CANDOR_TRY(auto http, serve::HttpServer::Listen(
                            {.host = options.host,
                             .port = options.port,
                             .connections = options.connections,
                             .body_bytes = options.body_bytes,
                             .header_bytes = options.header_bytes,
                             .held_body_bytes = std::max(options.held_body_bytes, options.body_bytes),
                             .idle_timeout = options.idle_timeout,
                             .drain_timeout = options.drain_timeout,
                             .stop_on_signals = options.stop_on_signals}));
  auto state = std::make_unique<State>(options, std::move(http));
  serve::Service& service = state->service;
  service.limits = {.body_bytes = options.body_bytes, .items = options.items};
  service.gauges = [s = state.get()] { return s->ReadGauges(); };
  for (const ServedModel& model : models) {
    service.names.push_back(model.name);
    service.metrics.AddModel(model.name, model.embedder->info());
  }
  service.models = std::move(models);
  CANDOR_CHECKED(state->queue.Start());
  return std::make_unique<Server>(std::move(state));
}

std::uint16_t Server::port() const { return state_->http->port(); }

Result<void> Server::Run() {
  const bool drained = state_->http->Run(*state_);
  state_->queue.Stop();
  if (drained) return {};
  return Error{.code = Code::kDrainFailed,
               .where = Where::Option("drain_timeout"),
               .found = "requests that were cut off",
               .allowed = "all admitted requests answered in time",
               .phase = Phase::kRun};
}

void Server::Stop() { state_->http->Stop(); }

}  // namespace candor
