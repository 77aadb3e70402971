#include "serve/routes.h"

#include <array>
#include <utility>

#include "io/json.h"
#include "serve/embeddings.h"
#include "serve/wire/openai.h"

namespace candor::serve {
namespace {

// Liveness and readiness in one, since the port opens only when every model has been probed.
HttpResponse Health(Service& service, const HttpRequest&) {
  const bool ready = service.gauges().ready;
  io::JsonWriter json;
  json.BeginObject().Member("status", ready ? "ok" : "draining").Key("models").BeginArray();
  for (const std::string& name : service.names) json.String(name);
  json.EndArray().EndObject();
  return {.status = ready ? 200 : 503, .body = json.Take()};
}

HttpResponse MetricsPage(Service& service, const HttpRequest&) {
  return {.content_type = "text/plain; version=0.0.4; charset=utf-8",
          .body = service.metrics.Text(service.gauges())};
}

HttpResponse Models(Service& service, const HttpRequest&) {
  return {.body = openai::WriteModels(service.names)};
}

constexpr std::array kRoutes = {
    Route{"POST", "/v1/embeddings", true, OpenaiEmbeddings},
    Route{"GET", "/v1/models", false, Models},
    Route{"GET", "/health", false, Health},
    Route{"GET", "/metrics", false, MetricsPage},
};

}  // namespace

const ServedModel* Service::Find(std::string_view name) const {
  if (name.empty() || models.size() == 1) return models.data();
  for (const ServedModel& model : models) {
    if (model.name == name) return &model;
  }
  return nullptr;
}

std::span<const Route> Routes() { return kRoutes; }

const Route* FindRoute(std::string_view method, std::string_view path, std::string& allowed) {
  for (const Route& route : kRoutes) {
    if (route.path != path) continue;
    if (route.method == method) return &route;
    allowed += (allowed.empty() ? "" : ", ") + std::string(route.method);
  }
  return nullptr;
}

HttpResponse ErrorResponse(const Error& error, int status) {
  openai::Status written = status == 0 ? openai::WriteError(error) : openai::WriteError(error, status);
  HttpResponse response{.status = written.code, .body = std::move(written.body)};
  // Resource errors are over when others have finished; nobody knows when, so soon.
  if (Info(error.code).class_name == "resource") response.headers.emplace_back("Retry-After", "1");
  return response;
}

}  // namespace candor::serve
