// Methods of texts, lists, tuples and dictionaries.
#include <limits>

#include "base/utf8.h"
#include "text/templates/interpreter.h"
#include "text/templates/python.h"
#include "text/templates/python_text.h"

namespace candor::text::jinja {
namespace {

constexpr Signature kStringMethods[] = {
    {"capitalize"},
    {.name = "count", .parameters = {"sub", "start", "end"}, .required = 1, .positional = true},
    {.name = "endswith", .parameters = {"suffix", "start", "end"}, .required = 1, .positional = true},
    {.name = "find", .parameters = {"sub", "start", "end"}, .required = 1, .positional = true},
    {.name = "index", .parameters = {"sub", "start", "end"}, .required = 1, .positional = true},
    {"isalnum"},
    {"isalpha"},
    {"isdigit"},
    {"islower"},
    {"isspace"},
    {"isupper"},
    {.name = "join", .parameters = {"iterable"}, .required = 1, .positional = true},
    {"lower"},
    {.name = "lstrip", .parameters = {"chars"}, .positional = true},
    {.name = "removeprefix", .parameters = {"prefix"}, .required = 1, .positional = true},
    {.name = "removesuffix", .parameters = {"suffix"}, .required = 1, .positional = true},
    {.name = "replace", .parameters = {"old", "new", "count"}, .required = 2, .positional = true},
    {.name = "rfind", .parameters = {"sub", "start", "end"}, .required = 1, .positional = true},
    {"rsplit", {"sep", "maxsplit"}},
    {.name = "rstrip", .parameters = {"chars"}, .positional = true},
    {"split", {"sep", "maxsplit"}},
    {"splitlines", {"keepends"}},
    {.name = "startswith", .parameters = {"prefix", "start", "end"}, .required = 1, .positional = true},
    {.name = "strip", .parameters = {"chars"}, .positional = true},
    {"title"},
    {"upper"},
};

constexpr Signature kListMethods[] = {
    {"copy"},
    {.name = "count", .parameters = {"value"}, .required = 1, .positional = true},
    {.name = "index", .parameters = {"value", "start", "stop"}, .required = 1, .positional = true},
};

constexpr Signature kDictMethods[] = {
    {"copy"},   {.name = "get", .parameters = {"key", "default"}, .required = 1, .positional = true},
    {"items"},  {"keys"},
    {"values"},
};

const Signature* Find(std::span<const Signature> table, std::string_view name) {
  for (const Signature& row : table)
    if (row.name == name) return &row;
  return nullptr;
}

Failure NotHere(const Value& self, std::string_view name, std::span<const Signature> table) {
  std::string all;
  for (const Signature& row : table) all += (all.empty() ? "" : ", ") + std::string(row.name);
  return Unsupported("the method " + std::string(name) + " of a " + std::string(TypeName(self)),
                     std::move(all));
}

Failure BadArgument(const Value& value, std::string_view allowed) {
  if (value.is_undefined())
    return Wrong("an argument that is undefined: " + value.text(), std::string(allowed));
  return Wrong("a " + std::string(TypeName(value)) + " as an argument", std::string(allowed));
}
Failure BeyondAscii() {
  return Unsupported("letters beyond ASCII, whose case and kind need Python's tables", "ASCII");
}

template <class T>
Got Answer(Interpreter& run, std::optional<T> answer) {
  if (!answer) return BeyondAscii();
  if constexpr (std::is_same_v<T, bool>) {
    return Value::Bool(*answer);
  } else {
    return MakeString(std::move(*answer), run.budget());
  }
}

// The part of a text between two of its places, by the rules of a slice; nothing when it is empty by its
// order.
struct Window {
  std::size_t begin = 0, end = 0;  // bytes
  std::int64_t first = 0;          // the code point at `begin`
  bool none = false;
};
Result<Window, Failure> WindowOf(const Value& self, const Bound& bound) {
  const auto length = static_cast<std::int64_t>(self.length());
  std::int64_t places[2] = {0, length};
  for (std::size_t i = 0; i < 2; ++i) {
    const Value* const given = bound.Find(i + 1);
    if (given == nullptr || given->Is(Kind::kNone)) continue;
    if (!given->is_whole()) return BadArgument(*given, "whole numbers as places");
    places[i] = given->whole() < 0 ? std::max<std::int64_t>(0, given->whole() + length) : given->whole();
  }
  places[1] = std::min(places[1], length);
  if (places[0] > places[1]) return Window{.none = true};
  const std::string& text = self.text();
  const auto byte = [&](std::int64_t place) {
    return self.ascii() ? static_cast<std::size_t>(place)
                        : SliceUtf8(text, 0, static_cast<std::size_t>(place)).size();
  };
  return Window{byte(places[0]), byte(places[1]), places[0]};
}

Result<bool, Failure> Affix(const Value& self, const Bound& bound, bool front) {
  CANDOR_TRY(const Window window, WindowOf(self, bound));
  const std::string_view text = std::string_view(self.text()).substr(window.begin, window.end - window.begin);
  const Value& affix = *bound.Find(0);
  const auto fits = [&](const Value& one) {
    return !window.none && (front ? text.starts_with(one.text()) : text.ends_with(one.text()));
  };
  if (affix.is_string()) return fits(affix);
  if (!affix.Is(Kind::kTuple)) return BadArgument(affix, "a text or a tuple of texts");
  for (const Value& one : affix.items()) {
    if (!one.is_string()) return BadArgument(one, "a tuple of texts");
    if (fits(one)) return true;
  }
  return false;
}

// find, rfind, index and count.
Got Search(const Value& self, std::string_view name, const Bound& bound) {
  const Value& what = *bound.Find(0);
  if (!what.is_string()) return BadArgument(what, "a text");
  CANDOR_TRY(const Window window, WindowOf(self, bound));
  const std::string_view text = std::string_view(self.text()).substr(window.begin, window.end - window.begin);
  if (name == "count")
    return Value::Int(window.none ? 0 : static_cast<std::int64_t>(CountOf(text, what.text())));
  const std::size_t at = window.none       ? std::string_view::npos
                         : name == "rfind" ? text.rfind(what.text())
                                           : text.find(what.text());
  if (at != std::string_view::npos)
    return Value::Int(window.first + static_cast<std::int64_t>(CountUtf8(text.substr(0, at))));
  if (name == "index") return Wrong("substring not found", "a text that is in it");
  return Value::Int(-1);
}

Got Pieces(Interpreter& run, const std::vector<std::string_view>& pieces) {
  CANDOR_CHECKED(run.budget().Make(pieces.size() * 128));
  std::vector<Value> out;
  for (const std::string_view piece : pieces) {
    CANDOR_TRY(Value value, MakeString(std::string(piece), run.budget()));
    out.push_back(std::move(value));
  }
  return MakeList(std::move(out), run.budget());
}

Got SplitText(Interpreter& run, const Value& self, const Bound& bound, bool right) {
  std::int64_t most = -1;
  if (const Value* limit = bound.Find(1)) {
    if (!limit->is_whole()) return BadArgument(*limit, "a whole number");
    most = limit->whole();
  }
  const Value* const separator = bound.Find(0);
  if (separator == nullptr || separator->Is(Kind::kNone))
    return Pieces(run, SplitSpaces(self.text(), most, right));
  if (!separator->is_string()) return BadArgument(*separator, "a text");
  if (separator->text().empty()) return Wrong("an empty separator", "a text to split at");
  return Pieces(run, Split(self.text(), separator->text(), most, right));
}

Got StripText(Interpreter& run, const Value& self, std::string_view name, const Bound& bound) {
  const Value* const chars = bound.Find(0);
  const bool given = chars != nullptr && !chars->Is(Kind::kNone);
  if (given && !chars->is_string()) return BadArgument(*chars, "a text");
  if (given) CANDOR_CHECKED(run.budget().Step(self.text().size() * (1 + chars->text().size() / 64) / 64));
  const std::string_view text =
      Strip(self.text(), given ? &chars->text() : nullptr, name != "rstrip", name != "lstrip");
  if (text.size() == self.text().size()) return self;
  return MakeString(std::string(text), run.budget());
}

Got ReplaceText(Interpreter& run, const Value& self, const Bound& bound) {
  const Value &old = *bound.Find(0), &with = *bound.Find(1);
  if (!old.is_string()) return BadArgument(old, "a text");
  if (!with.is_string()) return BadArgument(with, "a text");
  std::int64_t count = -1;
  if (const Value* limit = bound.Find(2)) {
    if (!limit->is_whole()) return BadArgument(*limit, "a whole number");
    count = limit->whole();
  }
  CANDOR_CHECKED(run.budget().Make(ReplacedSize(self.text(), old.text(), with.text(), count)));
  return Value::String(Replace(self.text(), old.text(), with.text(), count));
}

Got JoinTexts(Interpreter& run, const Value& self, const Value& iterable) {
  CANDOR_TRY(const std::vector<Value> items, ItemsOf(iterable, run.budget()));
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is_string()) return BadArgument(items[i], "texts to join");
    CANDOR_CHECKED(run.budget().Make(self.text().size() + items[i].text().size()));
    if (i > 0) out += self.text();
    out += items[i].text();
  }
  return Value::String(std::move(out));
}

Got Without(Interpreter& run, const Value& self, const Value& affix, bool front) {
  if (!affix.is_string()) return BadArgument(affix, "a text");
  std::string_view text = self.text();
  if (affix.text().empty() || !(front ? text.starts_with(affix.text()) : text.ends_with(affix.text())))
    return self;
  front ? text.remove_prefix(affix.text().size()) : text.remove_suffix(affix.text().size());
  return MakeString(std::string(text), run.budget());
}

Got IndexOf(Interpreter& run, const Value& self, const Value& what, bool count) {
  std::int64_t found = 0;
  for (std::size_t i = 0; i < self.items().size(); ++i) {
    CANDOR_TRY(const bool same, Equal(self.items()[i], what, run.budget()));
    if (same && !count) return Value::Int(static_cast<std::int64_t>(i));
    if (same) ++found;
  }
  if (count) return Value::Int(found);
  return Wrong("the value is not in the list", "a value that is in it");
}

}  // namespace

Got CallStringMethod(Interpreter& run, const Value& self, std::string_view name, const Arguments& arguments) {
  const Signature* const signature = Find(kStringMethods, name);
  if (signature == nullptr) return NotHere(self, name, kStringMethods);
  CANDOR_TRY(const Bound bound, Bind(*signature, arguments));
  CANDOR_CHECKED(run.budget().Look(self.text().size()));
  const std::string& text = self.text();
  if (name == "capitalize") return Answer(run, Capitalize(text));
  if (name == "lower") return Answer(run, Lower(text));
  if (name == "title") return Answer(run, Title(text));
  if (name == "upper") return Answer(run, Upper(text));
  if (name == "isalnum") return Answer(run, IsLettersOrDigits(text));
  if (name == "isalpha") return Answer(run, IsLetters(text));
  if (name == "isdigit") return Answer(run, IsDigits(text));
  if (name == "islower") return Answer(run, IsLower(text));
  if (name == "isupper") return Answer(run, IsUpper(text));
  if (name == "isspace") return Value::Bool(IsSpaces(text));
  if (name == "join") return JoinTexts(run, self, *bound.Find(0));
  if (name == "removeprefix" || name == "removesuffix")
    return Without(run, self, *bound.Find(0), name == "removeprefix");
  if (name == "replace") return ReplaceText(run, self, bound);
  if (name == "split" || name == "rsplit") return SplitText(run, self, bound, name == "rsplit");
  if (name == "splitlines") {
    const Value* const keep = bound.Find(0);
    if (keep != nullptr && !keep->is_whole()) return BadArgument(*keep, "true or false");
    return Pieces(run, SplitLines(text, keep != nullptr && Truth(*keep)));
  }
  if (name.ends_with("strip")) return StripText(run, self, name, bound);
  if (name == "startswith" || name == "endswith") {
    CANDOR_TRY(const bool fits, Affix(self, bound, name == "startswith"));
    return Value::Bool(fits);
  }
  return Search(self, name, bound);
}

Got CallCollectionMethod(Interpreter& run, const Value& self, std::string_view name,
                         const Arguments& arguments) {
  const bool dict = self.Is(Kind::kDict);
  const std::span<const Signature> table = dict ? std::span<const Signature>(kDictMethods) : kListMethods;
  const Signature* const signature = Find(table, name);
  if (signature == nullptr) return NotHere(self, name, table);
  CANDOR_TRY(const Bound bound, Bind(*signature, arguments));
  if (name == "copy") return self;
  if (!dict) {
    if (bound.Find(1) != nullptr) return Unsupported("index from a place", "index of a value");
    return IndexOf(run, self, *bound.Find(0), name == "count");
  }
  if (name == "get") {
    const Value& key = *bound.Find(0);
    CANDOR_TRY(const bool usable, IsKey(key));
    if (!usable) return BadArgument(key, "a text or a number as a key");
    CANDOR_TRY(const Value* value, FindKey(self, key, run.budget()));
    if (value != nullptr) return *value;
    return bound.Find(1) != nullptr ? *bound.Find(1) : Value::None();
  }
  const View::Of of = name == "keys"     ? View::Of::kKeys
                      : name == "values" ? View::Of::kValues
                                         : View::Of::kItems;
  return Value::Of(Kind::kView, std::make_shared<View>(of, self));
}

}  // namespace candor::text::jinja
