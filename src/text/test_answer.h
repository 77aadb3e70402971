// For tests: one request to a tokenizer and its answer as one line, the form that tools/tokenizers compares.
//
// Request: {"a": text, "b": text?, "max": n?, "left": bool?, "truncation": "only_first" | "only_second"?,
// "add_special": bool?, "parse": bool?, "tokens": bool?, "text": bool?}; "hex" in place of "a" holds bytes
// that need not be UTF-8. Answer: [ids, type ids, [[begin, end]…], special, total], then with "tokens" their
// strings, with "text" the ids decoded, with special tokens and without; or {"error": sentence}. {"decode":
// [id…], "skip": bool?} asks for
// {"text": string}, {"table": true} for every token of the vocabulary in the order of ids.
#pragma once
#include <string>

#include "text/tokenizer.h"

namespace candor::text {

inline std::string BytesOf(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    out += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
  }
  return out;
}

inline EncodeOptions OptionsOf(const io::Json& request, EncodeOptions options) {
  if (const io::Json* max = request.Find("max")) options.max_length = max->as_uint();
  if (const io::Json* left = request.Find("left")) options.truncate_left = left->as_bool();
  if (const io::Json* added = request.Find("add_special")) options.add_special = added->as_bool();
  if (const io::Json* parse = request.Find("parse")) options.parse_special = parse->as_bool();
  if (const io::Json* tokens = request.Find("tokens")) options.tokens = tokens->as_bool();
  if (const io::Json* strategy = request.Find("truncation")) {
    using enum TruncationStrategy;
    const std::string_view name = strategy->as_string();
    options.truncation = name == "only_first"    ? kOnlyFirst
                         : name == "only_second" ? kOnlySecond
                                                 : kLongestFirst;
  }
  return options;
}

inline std::string TableOf(const Tokenizer& tokenizer) {
  io::JsonWriter out;
  out.BeginArray();
  for (std::size_t id = 0; id < tokenizer.facts().vocabulary; ++id) {
    out.String(tokenizer.TokenOf(static_cast<std::int32_t>(id)));
  }
  return out.EndArray().Take();
}

inline std::string TextOf(const Tokenizer& tokenizer, const io::Json& list, bool skip_special) {
  std::vector<std::int32_t> ids;
  for (const io::Json& id : list.items()) ids.push_back(static_cast<std::int32_t>(id.as_int()));
  const auto text = tokenizer.Decode(ids, skip_special);
  io::JsonWriter out;
  out.BeginObject();
  return out.Member(text ? "text" : "error", text ? *text : Message(text.error())).EndObject().Take();
}

inline std::string AnswerTo(const Tokenizer& tokenizer, const io::Json& request,
                            const EncodeOptions& unless_asked = {}) {
  if (request.Find("table") != nullptr) return TableOf(tokenizer);
  if (const io::Json* ids = request.Find("decode")) {
    const io::Json* skip = request.Find("skip");
    return TextOf(tokenizer, *ids, skip == nullptr || skip->as_bool());
  }
  const io::Json* hex = request.Find("hex");
  const std::string first =
      hex != nullptr ? BytesOf(hex->as_string()) : std::string(request.Find("a")->as_string());
  const io::Json* second = request.Find("b");
  const EncodeOptions options = OptionsOf(request, unless_asked);
  const auto encoding = second != nullptr ? tokenizer.EncodePair(first, second->as_string(), options)
                                          : tokenizer.Encode(first, options);
  io::JsonWriter out;
  if (!encoding) {
    return out.BeginObject().Member("error", Message(encoding.error())).EndObject().Take();
  }
  out.BeginArray().BeginArray();
  for (const auto id : encoding->ids) out.Int(id);
  out.EndArray().BeginArray();
  for (const auto type : encoding->type_ids) out.Int(type);
  out.EndArray().BeginArray();
  for (const auto offset : encoding->offsets) out.BeginArray().Int(offset.begin).Int(offset.end).EndArray();
  out.EndArray().BeginArray();
  for (const auto special : encoding->special) out.Int(special);
  out.EndArray().Uint(encoding->total);
  if (options.tokens) {
    out.BeginArray();
    for (const std::string& token : encoding->tokens) out.String(token);
    out.EndArray();
  }
  if (request.Find("text") != nullptr) {
    for (const bool skip_special : {false, true}) {
      const auto text = tokenizer.Decode(encoding->ids, skip_special);
      text ? out.String(*text) : out.Null();
    }
  }
  return out.EndArray().Take();
}

}  // namespace candor::text
