// Fields: one JSON request object, read field by field with exact refusals. Shared by every wire dialect.
//
// A dialect asks for the fields that it knows; NoOthers then refuses what is left, so that nothing a client
// sent is ignored silently. A null counts as absent. One thread.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "candor/result.h"
#include "candor/types.h"
#include "io/json.h"

namespace candor::serve {

struct WireLimits {
  std::size_t body_bytes = 32u << 20;
  std::size_t items = 2048;
};

class Fields {
 public:
  static Result<Fields> Parse(std::string_view body, const WireLimits& limits);

  Result<std::optional<std::string>> String(std::string_view key);
  Result<std::optional<std::size_t>> PositiveCount(std::string_view key);
  // text | [text] | [id] | [[id]] and lists that mix texts and id lists; [id] is one input. Never empty.
  Result<std::vector<Content>> Inputs(std::string_view key);
  // For a field that is accepted and has no meaning here.
  void Ignore(std::string_view key) { seen_.emplace_back(key); }
  Result<void> NoOthers() const;

 private:
  Fields(io::Json object, const WireLimits& limits) : object_(std::move(object)), limits_(limits) {}
  const io::Json* Take(std::string_view key);

  io::Json object_;
  WireLimits limits_;
  std::vector<std::string> seen_;
};

// The refusal of a field, with its place.
Error FieldError(Code code, std::string field, std::string found, std::string allowed);

// What the JSON reader says of a body, as a refusal of the request. The reader speaks of packages; here the
// same damage is the caller's to correct. Memory that ran out stays what it is.
Error BodyError(Error reader);

// The first input that failed, as an error of the whole request that names it by its place in `field`, with
// the number of the others; empty when all were answered. For dialects that have no place for an item's
// error.
std::optional<Error> FailedItem(const std::vector<ItemReport>& items, std::string_view field);

}  // namespace candor::serve
