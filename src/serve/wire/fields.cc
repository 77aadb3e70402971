#include "serve/wire/fields.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace candor::serve {
namespace {

// A request has no business being deep: the deepest field of any dialect is a list of lists in an object.
constexpr std::size_t kDepth = 32;

std::string Element(std::string_view field, std::size_t index) {
  return std::string(field) + "[" + std::to_string(index) + "]";
}

std::string KindOf(const io::Json& value) {
  if (value.is_array() && value.items().empty()) return "an empty list";
  if (value.is_integer()) return value.Dump();
  return std::string(value.KindName());
}

Result<TokenIds> ReadIds(const io::Json& list, const std::string& field) {
  TokenIds ids;
  ids.reserve(list.items().size());
  for (std::size_t i = 0; i < list.items().size(); ++i) {
    const io::Json& id = list.items()[i];
    const bool fits = id.kind() == io::Json::Kind::kInt && id.as_int() >= 0 &&
                      id.as_int() <= std::numeric_limits<std::int32_t>::max();
    if (!fits) return FieldError(Code::kInvalidInput, Element(field, i), KindOf(id), "a token id");
    ids.push_back(static_cast<std::int32_t>(id.as_int()));
  }
  if (ids.empty()) return FieldError(Code::kEmptyInput, field, "an empty list", "at least one token id");
  return ids;
}

}  // namespace

Error FieldError(Code code, std::string field, std::string found, std::string allowed) {
  return {.code = code,
          .where = Where::Field(std::move(field)),
          .found = std::move(found),
          .allowed = std::move(allowed),
          .phase = Phase::kRequest};
}

// `found` of the reader's error says at which byte, so the place needs no more than the body's name.
Error BodyError(Error reader) {
  if (reader.code == Code::kArtifactTooLarge) {
    reader.code = Code::kInputTooLarge;
  } else if (reader.code != Code::kInsufficientMemory) {
    reader.code = Code::kInvalidInput;
  }
  return FieldError(reader.code, "body", std::move(reader.found), std::move(reader.allowed));
}

Result<Fields> Fields::Parse(std::string_view body, const WireLimits& limits) {
  auto parsed = io::ParseJson(
      body, "body", {.bytes = limits.body_bytes, .depth = kDepth, .string_bytes = limits.body_bytes});
  if (!parsed) return BodyError(parsed.error());
  if (!parsed->is_object()) {
    return FieldError(Code::kInvalidInput, "body", std::string(parsed->KindName()), "a JSON object");
  }
  return Fields(std::move(parsed).value(), limits);
}

const io::Json* Fields::Take(std::string_view key) {
  seen_.emplace_back(key);
  const io::Json* value = object_.Find(key);
  return value != nullptr && value->is_null() ? nullptr : value;
}

Result<std::optional<std::string>> Fields::String(std::string_view key) {
  const io::Json* value = Take(key);
  if (value == nullptr) return std::optional<std::string>();
  if (!value->is_string()) {
    return FieldError(Code::kInvalidInput, std::string(key), KindOf(*value), "a string");
  }
  return std::optional<std::string>(value->as_string());
}

Result<std::optional<std::size_t>> Fields::PositiveCount(std::string_view key) {
  const io::Json* value = Take(key);
  if (value == nullptr) return std::optional<std::size_t>();
  if (value->kind() != io::Json::Kind::kInt || value->as_int() < 1) {
    return FieldError(Code::kInvalidInput, std::string(key), KindOf(*value), "an integer of at least 1");
  }
  return std::optional<std::size_t>(static_cast<std::size_t>(value->as_int()));
}

Result<std::vector<Content>> Fields::Inputs(std::string_view key) {
  const std::string field(key);
  const io::Json* value = Take(key);
  const std::string forms = "a string, a list of strings, a list of token ids, or a list of such lists";
  if (value == nullptr) {
    const io::Json* null = object_.Find(key);
    return FieldError(Code::kInvalidInput, field, null == nullptr ? "nothing" : "null", forms);
  }
  std::vector<Content> inputs;
  if (value->is_string()) {
    inputs.emplace_back(std::string(value->as_string()));
    return inputs;
  }
  if (!value->is_array()) return FieldError(Code::kInvalidInput, field, KindOf(*value), forms);
  const auto list = value->items();
  const std::string count = "1 to " + std::to_string(limits_.items) + " inputs";
  if (list.empty()) return FieldError(Code::kEmptyInput, field, "an empty list", count);
  if (list[0].is_number()) {
    CANDOR_TRY(TokenIds ids, ReadIds(*value, field));
    inputs.emplace_back(std::move(ids));
    return inputs;
  }
  if (list.size() > limits_.items) {
    return FieldError(Code::kInputTooLarge, field, std::to_string(list.size()) + " inputs", count);
  }
  inputs.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].is_string()) {
      inputs.emplace_back(std::string(list[i].as_string()));
    } else if (list[i].is_array()) {
      CANDOR_TRY(TokenIds ids, ReadIds(list[i], Element(field, i)));
      inputs.emplace_back(std::move(ids));
    } else {
      return FieldError(Code::kInvalidInput, Element(field, i), KindOf(list[i]),
                        "a string or a list of token ids");
    }
  }
  return inputs;
}

Result<void> Fields::NoOthers() const {
  for (const io::JsonMember& member : object_.members()) {
    if (std::find(seen_.begin(), seen_.end(), member.key) != seen_.end()) continue;
    std::string known;
    for (const std::string& key : seen_) known += (known.empty() ? "" : ", ") + key;
    return FieldError(Code::kUnsupportedOption, std::string(member.key),
                      "a field that this route does not have", known);
  }
  return {};
}

std::optional<Error> FailedItem(const std::vector<ItemReport>& items, std::string_view field) {
  std::optional<Error> failed;
  std::size_t more = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].error) continue;
    if (failed) {
      ++more;
      continue;
    }
    failed = items[i].error;
    failed->where = Where::Field(Element(field, i));
  }
  if (failed && more > 0) failed->found += " (and " + std::to_string(more) + " more inputs failed)";
  return failed;
}

}  // namespace candor::serve
