// The OpenAI embeddings dialect: pure functions between bytes and requests or replies. No socket, no state.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "candor/engine.h"
#include "candor/result.h"
#include "candor/types.h"
#include "serve/wire/fields.h"

namespace candor::serve::openai {

struct EmbeddingsCall {
  std::string model = {};  // empty: none named
  EmbedRequest request = {};
  bool base64 = false;
};

// POST /v1/embeddings. An empty text is refused, as OpenAI does; a text over the model's limit is cut as the
// reference recipe cuts it, and marked in the reply.
Result<EmbeddingsCall> ParseEmbeddings(std::string_view body, const WireLimits& limits);
// Every item must have been answered (FailedItem). `model` is the name of the one that did.
std::string WriteEmbeddings(const EmbeddingsCall& call, const EmbedReply& reply, std::string_view model);

// GET /v1/models.
std::string WriteModels(std::span<const std::string> names);

struct Status {
  int code = 500;
  std::string body;
};
// {"error":{message,type,param,code,candor}}: `code` is ours, `candor` the whole problem. Every error of the
// input is a 400 in this dialect. `found` and the field's name are cut at 200 bytes.
Status WriteError(const Error& error);
// The same for what HTTP itself decided: an unknown path, a body over the limit.
Status WriteError(const Error& error, int status);
Error ModelNotFound(const std::string& model, std::span<const std::string> names);

}  // namespace candor::serve::openai
