// The writing half of json.h. Numbers go through std::to_chars: fewest digits that read back, no locale.
#include <charconv>
#include <cmath>
#include <limits>

#include "base/utf8.h"
#include "io/json.h"

namespace candor::io {
namespace {

// 48 bytes hold any shortest double ("-2.2250738585072014e-308" has 24) and any 64-bit integer.
template <class T>
void AppendNumber(std::string& out, T value) {
  char digits[48];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.append(digits, end);
}

template <class T>
void AppendReal(std::string& out, T value) {
  if (value == 0 && std::signbit(value)) {
    out += "-0.0";  // readers take -0 for an integer, which has no sign
  } else if (std::isfinite(value)) {
    AppendNumber(out, value);
  } else {
    out += "null";
  }
}

void AppendEscape(std::string& out, unsigned char c) {
  constexpr char kHex[] = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
  }
}

bool Plain(unsigned char c) { return c >= 0x20 && c < 0x80 && c != '"' && c != '\\'; }

// File names may hold any bytes: what is not UTF-8 becomes U+FFFD, so that the output is always JSON.
void AppendQuoted(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    while (at < text.size() && Plain(static_cast<unsigned char>(text[at]))) ++at;
    out.append(text, begin, at - begin);
    if (at == text.size()) break;
    const auto c = static_cast<unsigned char>(text[at]);
    if (c < 0x80) {
      AppendEscape(out, c);
      ++at;
      continue;
    }
    const CodePoint point = DecodeUtf8(text, at);
    if (point.value == kInvalidCodePoint) {
      AppendUtf8(out, 0xfffd);
    } else {
      out.append(text, at, point.bytes);
    }
    at += point.bytes;
  }
  out += '"';
}

}  // namespace

void JsonWriter::NewLine() {
  if (!pretty_) return;
  out_ += '\n';
  out_.append(2 * has_items_.size(), ' ');
}

void JsonWriter::Separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_items_.empty()) return;
  if (has_items_.back()) out_ += ',';
  has_items_.back() = true;
  NewLine();
}

JsonWriter& JsonWriter::BeginObject() {
  Separate();
  out_ += '{';
  has_items_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::EndObject() {
  const bool any = has_items_.back();
  has_items_.pop_back();
  if (any) NewLine();
  out_ += '}';
  return *this;
}

JsonWriter& JsonWriter::BeginArray() {
  Separate();
  out_ += '[';
  has_items_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::EndArray() {
  const bool any = has_items_.back();
  has_items_.pop_back();
  if (any) NewLine();
  out_ += ']';
  return *this;
}

JsonWriter& JsonWriter::Key(std::string_view key) {
  Separate();
  AppendQuoted(out_, key);
  out_ += pretty_ ? ": " : ":";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::String(std::string_view text) {
  Separate();
  AppendQuoted(out_, text);
  return *this;
}

JsonWriter& JsonWriter::Bool(bool value) { return Raw(value ? "true" : "false"); }

JsonWriter& JsonWriter::Int(std::int64_t value) {
  Separate();
  AppendNumber(out_, value);
  return *this;
}

JsonWriter& JsonWriter::Uint(std::uint64_t value) {
  Separate();
  AppendNumber(out_, value);
  return *this;
}

JsonWriter& JsonWriter::Float(float value) {
  Separate();
  AppendReal(out_, value);
  return *this;
}

JsonWriter& JsonWriter::Double(double value) {
  Separate();
  AppendReal(out_, value);
  return *this;
}

JsonWriter& JsonWriter::Null() { return Raw("null"); }

JsonWriter& JsonWriter::Raw(std::string_view json) {
  Separate();
  out_ += json;
  return *this;
}

JsonWriter& JsonWriter::Value(const Json& value) {
  switch (value.kind()) {
    case Json::Kind::kNull:
      return Null();
    case Json::Kind::kBool:
      return Bool(value.as_bool());
    case Json::Kind::kInt:
      return Int(value.as_int());
    case Json::Kind::kUint:
      return Uint(value.as_uint());
    case Json::Kind::kReal:
      return Double(value.as_real());
    case Json::Kind::kString:
      return String(value.as_string());
    case Json::Kind::kArray:
      BeginArray();
      for (const Json& item : value.items()) Value(item);
      return EndArray();
    case Json::Kind::kObject:
      break;
  }
  BeginObject();
  for (const JsonMember& member : value.members()) Key(member.key).Value(member.value);
  return EndObject();
}

// One value a line would make a vector of 384 numbers unreadable: arrays of numbers stay on one line.
JsonWriter& JsonWriter::Floats(std::span<const float> values) {
  Separate();
  out_ += '[';
  const std::size_t start = out_.size();
  out_.reserve(start + values.size() * 14);
  for (const float value : values) {
    if (out_.size() != start) out_ += ',';
    AppendReal(out_, value);
  }
  out_ += ']';
  return *this;
}

}  // namespace candor::io
