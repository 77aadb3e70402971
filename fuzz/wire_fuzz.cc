// Any bytes as the body of a request in each wire dialect: what is accepted is within the limits, what is
// refused is the caller's input and makes a whole error body.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

#include "io/json.h"
#include "serve/wire/openai.h"

namespace {

using namespace candor;

void Openai(std::string_view body, const serve::WireLimits& limits) {
  const auto call = serve::openai::ParseEmbeddings(body, limits);
  if (!call) {
    const serve::openai::Status status = serve::openai::WriteError(call.error());
    if (status.code != 400 || call.error().found.empty() || call.error().allowed.empty()) std::abort();
    if (!io::ParseJson(status.body, "reply")) std::abort();
    return;
  }
  const EmbedRequest& request = call->request;
  if (request.inputs.empty() || request.inputs.size() > limits.items || request.dimensions == 0u)
    std::abort();
  EmbedReply reply;
  reply.embeddings.dimensions = 1;
  for (const Content& input : request.inputs) {
    const bool empty = std::visit([](const auto& content) { return content.empty(); }, input);
    if (empty) std::abort();
    reply.embeddings.values.push_back(0.5f);
    reply.items.emplace_back();
  }
  if (!io::ParseJson(serve::openai::WriteEmbeddings(*call, reply, call->model), "reply")) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  Openai(body, {.body_bytes = 1u << 16, .items = 8});
  return 0;
}
