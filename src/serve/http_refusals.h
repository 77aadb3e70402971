// What is said to a client whose bytes never became a request, with the status that HTTP has for it. Pure.
#pragma once
#include <cstddef>
#include <string>

#include "candor/result.h"

namespace candor::serve {

struct Refusal {
  int status;
  Error error;
};

Refusal HeaderTooLarge(std::size_t most);
Refusal FramingTooLarge(std::size_t most);  // chunk extensions and trailers
Refusal BodyTooLarge(std::string found, std::size_t most);
Refusal NoRoomForBody(std::size_t held, std::size_t most);
Refusal NoMemoryForAnswer();
Refusal NotHttp(std::string what);

}  // namespace candor::serve
