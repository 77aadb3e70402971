#include "text/templates/python.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/utf8.h"
#include "text/templates/python_text.h"

namespace candor::text::jinja {
namespace {

// Values whose equality or text in Python depends on where they lie in memory, or that we do not compare.
Failure NoText(const Value& value) {
  return Unsupported("the text of a " + std::string(TypeName(value)),
                     "texts, numbers, lists and dictionaries");
}

Failure BadPair(std::string_view sign, const Value& a, const Value& b) {
  for (const Value* side : {&a, &b})
    if (side->is_undefined()) return Wrong(side->text());
  return Wrong(std::string(sign) + " between " + std::string(TypeName(a)) + " and " +
               std::string(TypeName(b)));
}

std::optional<Order> CompareNumbers(const Value& a, const Value& b) {
  if (a.is_whole() && b.is_whole()) {
    if (a.whole() == b.whole()) return Order::kEqual;
    return a.whole() < b.whole() ? Order::kLess : Order::kGreater;
  }
  // A long double holds every whole number of 64 bits, so nothing is rounded.
  const auto wide = [](const Value& v) {
    return v.is_whole() ? static_cast<long double>(v.whole()) : static_cast<long double>(v.real());
  };
  if (wide(a) == wide(b)) return Order::kEqual;
  return wide(a) < wide(b) ? Order::kLess : Order::kGreater;
}

Order OfSigns(std::strong_ordering order) {
  return order < 0 ? Order::kLess : order > 0 ? Order::kGreater : Order::kEqual;
}

Result<bool, Failure> EqualItems(const std::vector<Value>& a, const std::vector<Value>& b, Budget& budget) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    CANDOR_TRY(const bool same, Equal(a[i], b[i], budget));
    if (!same) return false;
  }
  return true;
}

Result<bool, Failure> EqualDicts(const Value& a, const Value& b, Budget& budget) {
  if (a.members().size() != b.members().size()) return false;
  for (const auto& [key, value] : a.members()) {
    CANDOR_TRY(const Value* other, FindKey(b, key, budget));
    if (other == nullptr) return false;
    CANDOR_TRY(const bool same, Equal(value, *other, budget));
    if (!same) return false;
  }
  return true;
}

}  // namespace

bool Truth(const Value& value) {
  switch (value.kind()) {
    case Kind::kMissing:
    case Kind::kUndefined:
    case Kind::kNone:
      return false;
    case Kind::kBool:
    case Kind::kInt:
      return value.whole() != 0;
    case Kind::kFloat:
      return value.real() != 0;
    default:
      return LengthOf(value).value_or(1) != 0;
  }
}

Result<bool, Failure> Equal(const Value& a, const Value& b, Budget& budget) {
  CANDOR_CHECKED(budget.Step());
  if (a.is_number() && b.is_number()) return CompareNumbers(a, b) == Order::kEqual;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::kUndefined:
    case Kind::kNone:
      return true;
    case Kind::kString:
      CANDOR_CHECKED(budget.Look(std::min(a.text().size(), b.text().size())));
      return a.text() == b.text();
    case Kind::kList:
    case Kind::kTuple:
      return EqualItems(a.items(), b.items(), budget);
    case Kind::kDict:
      return EqualDicts(a, b, budget);
    case Kind::kNamespace:
      return As<Namespace>(a).attributes == As<Namespace>(b).attributes;
    case Kind::kMacro:
    case Kind::kLoop:
      if (a.content() == b.content()) return true;
      [[fallthrough]];
    default:
      return Unsupported("comparing a " + std::string(TypeName(a)) + " with another", "values that are data");
  }
}

Result<Order, Failure> Compare(const Value& a, const Value& b, Budget& budget) {
  CANDOR_CHECKED(budget.Step());
  if (a.is_number() && b.is_number()) return *CompareNumbers(a, b);
  if (a.is_string() && b.is_string()) {
    CANDOR_CHECKED(budget.Look(std::min(a.text().size(), b.text().size())));
    return OfSigns(a.text().compare(b.text()) <=> 0);
  }
  if (!a.is_sequence() || a.kind() != b.kind()) return BadPair("an order", a, b);
  const std::size_t common = std::min(a.items().size(), b.items().size());
  for (std::size_t i = 0; i < common; ++i) {
    CANDOR_TRY(const bool same, Equal(a.items()[i], b.items()[i], budget));
    if (!same) return Compare(a.items()[i], b.items()[i], budget);
  }
  return OfSigns(a.items().size() <=> b.items().size());
}

Result<bool, Failure> CompareBy(Operator op, const Value& a, const Value& b, Budget& budget) {
  if (op == Operator::kEqual || op == Operator::kNotEqual) {
    CANDOR_TRY(const bool same, Equal(a, b, budget));
    return same == (op == Operator::kEqual);
  }
  if (op == Operator::kIn || op == Operator::kNotIn) {
    CANDOR_TRY(const bool inside, Contains(b, a, budget));
    return inside == (op == Operator::kIn);
  }
  CANDOR_TRY(const Order order, Compare(a, b, budget));
  switch (op) {
    case Operator::kLess:
      return order == Order::kLess;
    case Operator::kLessEqual:
      return order != Order::kGreater;
    case Operator::kGreater:
      return order == Order::kGreater;
    default:
      return order != Order::kLess;
  }
}

Result<bool, Failure> Contains(const Value& in, const Value& what, Budget& budget) {
  if (in.is_string()) {
    if (!what.is_string())
      return Wrong("a text is asked for a " + std::string(TypeName(what)), "a text in a text");
    CANDOR_CHECKED(budget.Look(in.text().size()));
    return in.text().find(what.text()) != std::string::npos;
  }
  if (in.Is(Kind::kDict)) {
    CANDOR_TRY(const bool key, IsKey(what));
    if (!key) return Wrong("a " + std::string(TypeName(what)) + " as a key", "a text or a number");
    CANDOR_TRY(const Value* found, FindKey(in, what, budget));
    return found != nullptr;
  }
  if (in.Is(Kind::kLoop)) return Unsupported("in a loop", "in a list");
  if (!IsIterable(in))
    return Wrong("nothing can be in a " + std::string(TypeName(in)), "a list, a dictionary or a text");
  Cursor cursor(in);
  while (true) {
    CANDOR_TRY(const std::optional<Value> item, cursor.Next());
    if (!item) return false;
    CANDOR_TRY(const bool same, Equal(*item, what, budget));
    if (same) return true;
  }
}

Result<bool, Failure> IsKey(const Value& value) {
  if (value.Is(Kind::kTuple)) {
    for (const Value& item : value.items()) {
      CANDOR_TRY(const bool key, IsKey(item));
      if (!key) return false;
    }
    return true;
  }
  if (value.Is(Kind::kNone) || value.is_number() || value.is_string() || value.is_undefined()) return true;
  if (value.Is(Kind::kList) || value.Is(Kind::kDict)) return false;
  return Unsupported("a " + std::string(TypeName(value)) + " as a key", "a text or a number");
}

const Value* FindKey(const Value& dict, std::string_view key) {
  for (const auto& [own, value] : dict.members())
    if (own.is_string() && own.text() == key) return &value;
  return nullptr;
}

Result<const Value*, Failure> FindKey(const Value& dict, const Value& key, Budget& budget) {
  for (const auto& [own, value] : dict.members()) {
    CANDOR_TRY(const bool same, Equal(own, key, budget));
    if (same) return &value;
  }
  return static_cast<const Value*>(nullptr);
}

std::string FloatText(double value) {
  // The shortest digits, set as Python sets them: plain from 1e-4 to 1e16.
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific).ptr;
  const std::string_view text(digits, static_cast<std::size_t>(end - digits));
  const std::size_t e = text.find('e');
  const bool negative = text[0] == '-';
  std::string mantissa(text.substr(negative ? 1 : 0, e - (negative ? 1 : 0)));
  std::erase(mantissa, '.');
  int exponent = 0;
  const char* first = digits + e + 1;
  std::from_chars(*first == '+' ? first + 1 : first, end, exponent);
  std::string out = negative ? "-" : "";
  if (exponent < -4 || exponent >= 16) {
    out += mantissa[0];
    if (mantissa.size() > 1) out += '.' + mantissa.substr(1);
    out += exponent < 0 ? "e-" : "e+";
    if (std::abs(exponent) < 10) out += '0';
    return out + std::to_string(std::abs(exponent));
  }
  if (exponent < 0) return out + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + mantissa;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (mantissa.size() <= whole) return out + mantissa + std::string(whole - mantissa.size(), '0') + ".0";
  return out + mantissa.substr(0, whole) + '.' + mantissa.substr(whole);
}

namespace {

void AppendQuoted(const std::string& text, std::string& out) {
  const bool doubled = text.find('\'') != std::string::npos && text.find('"') == std::string::npos;
  const char quote = doubled ? '"' : '\'';
  const auto escape = [&out](char letter, char32_t value, int digits) {
    out += '\\';
    out += letter;
    for (int i = digits - 1; i >= 0; --i) out += "0123456789abcdef"[value >> (4 * i) & 15];
  };
  out += quote;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = DecodeUtf8(text, at);
    const char32_t c = point.value;
    if (c == static_cast<unsigned char>(quote) || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (IsPrintable(c)) {
      out += text.substr(at, point.bytes);
    } else if (c < 0x100) {
      escape('x', c, 2);
    } else if (c < 0x10000) {
      escape('u', c, 4);
    } else {
      escape('U', c, 8);
    }
    at += point.bytes;
  }
  out += quote;
}

Done AppendList(const Value& value, std::string& out, Budget& budget) {
  const bool list = value.Is(Kind::kList);
  out += list ? '[' : '(';
  for (std::size_t i = 0; i < value.items().size(); ++i) {
    if (i > 0) out += ", ";
    CANDOR_CHECKED(AppendRepr(value.items()[i], out, budget));
  }
  if (!list && value.items().size() == 1) out += ',';
  out += list ? ']' : ')';
  return {};
}

Done AppendDict(const Value& value, std::string& out, Budget& budget) {
  out += '{';
  bool first = true;
  for (const auto& [key, item] : value.members()) {
    if (!first) out += ", ";
    first = false;
    CANDOR_CHECKED(AppendRepr(key, out, budget));
    out += ": ";
    CANDOR_CHECKED(AppendRepr(item, out, budget));
  }
  out += '}';
  return {};
}

}  // namespace

Done AppendRepr(const Value& value, std::string& out, Budget& budget) {
  CANDOR_CHECKED(budget.Step());
  switch (value.kind()) {
    case Kind::kUndefined:
      out += "Undefined";
      return {};
    case Kind::kString:
      CANDOR_CHECKED(budget.Make(value.text().size()));
      AppendQuoted(value.text(), out);
      return {};
    case Kind::kList:
    case Kind::kTuple:
      return AppendList(value, out, budget);
    case Kind::kDict:
      return AppendDict(value, out, budget);
    default:
      return AppendText(value, out, budget);
  }
}

Done AppendText(const Value& value, std::string& out, Budget& budget) {
  CANDOR_CHECKED(budget.Step());
  switch (value.kind()) {
    case Kind::kUndefined:
      return {};
    case Kind::kNone:
      out += "None";
      return {};
    case Kind::kBool:
      out += value.whole() != 0 ? "True" : "False";
      return {};
    case Kind::kInt:
      out += std::to_string(value.whole());
      return {};
    case Kind::kFloat:
      out += FloatText(value.real());
      return {};
    case Kind::kString:
      CANDOR_CHECKED(budget.Make(value.text().size()));
      out += value.text();
      return {};
    case Kind::kList:
    case Kind::kTuple:
    case Kind::kDict:
      return AppendRepr(value, out, budget);
    case Kind::kRange: {
      const Range& range = As<Range>(value);
      out += "range(" + std::to_string(range.start) + ", " + std::to_string(range.stop);
      if (range.step != 1) out += ", " + std::to_string(range.step);
      out += ')';
      return {};
    }
    default:
      return NoText(value);
  }
}

Got Text(const Value& value, Budget& budget) {
  if (value.is_string()) return value;
  std::string out;
  CANDOR_CHECKED(AppendText(value, out, budget));
  return MakeString(std::move(out), budget);
}

}  // namespace candor::text::jinja
