#include "serve/http_refusals.h"

#include <utility>

namespace candor::serve {
namespace {

Refusal Refuse(int status, Code code, std::string found, std::string allowed) {
  return {.status = status,
          .error = {.code = code,
                    .where = Where::Field("request"),
                    .found = std::move(found),
                    .allowed = std::move(allowed),
                    .phase = Phase::kRequest}};
}

std::string AtMost(std::size_t most) { return "at most " + std::to_string(most) + " bytes"; }

}  // namespace

Refusal HeaderTooLarge(std::size_t most) {
  return Refuse(431, Code::kInputTooLarge, "a longer header", "a header of " + AtMost(most));
}

Refusal FramingTooLarge(std::size_t most) {
  return Refuse(431, Code::kInputTooLarge, "a longer chunk extension or trailer",
                "chunk extensions and trailers of " + AtMost(most));
}

Refusal BodyTooLarge(std::string found, std::size_t most) {
  return Refuse(413, Code::kInputTooLarge, std::move(found), "a body of " + AtMost(most));
}

Refusal NoRoomForBody(std::size_t held, std::size_t most) {
  return Refuse(503, Code::kOverloaded, std::to_string(held) + " bytes of other bodies",
                "bodies of " + AtMost(most) + " at a time");
}

Refusal NoMemoryForAnswer() {
  return Refuse(503, Code::kInsufficientMemory, "no memory left for the answer", "a smaller request");
}

Refusal NotHttp(std::string what) {
  return Refuse(400, Code::kInvalidInput, std::move(what), "an HTTP/1.1 request");
}

}  // namespace candor::serve
