// The routes: which path is which function, and what a function may use.
//
// A route is a row of one table. Queued routes run on a worker and may take their time; the others answer on
// the reactor thread and must be quick. Handlers hold no state: everything is in Service, which outlives
// them.
#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "candor/engine.h"
#include "candor/server.h"
#include "serve/http.h"
#include "serve/metrics.h"
#include "serve/wire/fields.h"

namespace candor::serve {

struct Service {
  std::vector<ServedModel> models;  // named, not empty
  std::vector<std::string> names;   // of the models, in order
  WireLimits limits;
  Metrics metrics;
  std::function<Gauges()> gauges;

  // The model that a request names. With one model every name is accepted, as the peers do: the reply says
  // which one answered. With several, a name that is not served finds nothing.
  const ServedModel* Find(std::string_view name) const;
};

struct Route {
  std::string_view method, path;
  bool queued;
  HttpResponse (*answer)(Service& service, const HttpRequest& request);
};

std::span<const Route> Routes();
// Null: the path is not served by this method; `allowed` then lists the methods that it has, if any.
const Route* FindRoute(std::string_view method, std::string_view path, std::string& allowed);

// Errors that belong to no dialect's handler: overload, unknown paths, a body over the limit. They take the
// shape that most clients read, `{"error":{...}}`. Status 0: the one of the error table.
HttpResponse ErrorResponse(const Error& error, int status = 0);

}  // namespace candor::serve
