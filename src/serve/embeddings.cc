#include "serve/embeddings.h"

#include <chrono>
#include <utility>

#include "serve/wire/openai.h"

namespace candor::serve {
namespace {

// What every dialect shares: the run, its metrics, and the error of a request some of whose items failed.
Result<EmbedReply> Run(Service& service, const ServedModel& model, const EmbedRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  auto reply = model.embedder->Embed(request);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  service.metrics.CountInference(model.name, seconds, reply ? &reply->receipt : nullptr);
  return reply;
}

}  // namespace

HttpResponse OpenaiEmbeddings(Service& service, const HttpRequest& request) {
  const auto call = openai::ParseEmbeddings(request.body, service.limits);
  if (!call) return ErrorResponse(call.error());
  const ServedModel* model = service.Find(call->model);
  if (model == nullptr) return ErrorResponse(openai::ModelNotFound(call->model, service.names));
  const auto reply = Run(service, *model, call->request);
  if (!reply) return ErrorResponse(reply.error());
  HttpResponse response;
  if (const auto failed = FailedItem(reply->items, "input")) {
    response = ErrorResponse(*failed);
  } else {
    response.body = openai::WriteEmbeddings(*call, *reply, model->name);
  }
  response.headers.emplace_back("x-candor-plan", reply->receipt.plan);
  response.headers.emplace_back("x-candor-receipt", reply->receipt.execution);
  return response;
}

}  // namespace candor::serve
