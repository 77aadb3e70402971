// Filters that make texts and numbers.
#include <algorithm>
#include <cmath>

#include "text/templates/filters.h"
#include "text/templates/python.h"
#include "text/templates/python_text.h"

namespace candor::text::jinja {
namespace {

constexpr std::string_view kNames[] = {"abs",     "capitalize", "float", "indent", "int",  "lower",
                                       "replace", "string",     "title", "tojson", "trim", "upper"};

Got OfText(Interpreter& run, std::optional<std::string> text) {
  if (!text) return Unsupported("letters beyond ASCII, whose case needs Python's tables", "ASCII");
  return MakeString(std::move(*text), run.budget());
}

Got Absolute(const Value& on) {
  if (on.is_undefined()) return Wrong("abs of what is undefined: " + on.text(), "a number");
  if (!on.is_number()) return Wrong("abs of a " + std::string(TypeName(on)), "a number");
  if (on.Is(Kind::kFloat)) return Value::Float(std::abs(on.real()));
  return on.whole() < 0 ? Negative(on) : Positive(on);
}

Got ToWhole(const Value& on, const Value& fallback) {
  if (on.is_undefined()) return Wrong(on.text());
  if (on.is_whole()) return Value::Int(on.whole());
  double real = 0;
  if (on.is_string()) {
    if (!std::ranges::all_of(on.text(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
      return Unsupported("a number beyond ASCII", "digits from 0 to 9");
    const ReadNumber whole = ReadWhole(on.text());
    if (whole.overflows) return Unsupported("a whole number beyond 64 bits", "whole numbers of 64 bits");
    if (whole.whole) return Value::Int(*whole.whole);
    const ReadNumber read = ReadReal(on.text());
    if (read.overflows) return Unsupported("a number that is not finite", "numbers that are finite");
    if (!read.real) return fallback;
    real = *read.real;
  } else if (on.Is(Kind::kFloat)) {
    real = on.real();
  } else {
    return fallback;
  }
  if (std::abs(real) >= 0x1p63)
    return Unsupported("a whole number beyond 64 bits", "whole numbers of 64 bits");
  return Value::Int(static_cast<std::int64_t>(std::trunc(real)));
}

Got ToReal(const Value& on, const Value& fallback) {
  if (on.is_undefined()) return Wrong(on.text());
  if (on.is_number()) return Value::Float(on.real());
  if (!on.is_string()) return fallback;
  if (!std::ranges::all_of(on.text(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
    return Unsupported("a number beyond ASCII", "digits from 0 to 9");
  const ReadNumber read = ReadReal(on.text());
  if (read.overflows) return Unsupported("a number that is not finite", "numbers that are finite");
  return read.real ? Value::Float(*read.real) : fallback;
}

// The unit of one level: a text, or as many blanks as a number says.
Result<std::string, Failure> Unit(const Value& width, Budget& budget) {
  if (width.is_string()) return width.text();
  if (!width.is_whole())
    return Wrong("indentation by a " + std::string(TypeName(width)), "a number or a text");
  const std::int64_t blanks = std::max<std::int64_t>(0, width.whole());
  CANDOR_CHECKED(budget.Make(static_cast<std::uint64_t>(blanks)));
  return std::string(static_cast<std::size_t>(blanks), ' ');
}

Got Indent(Interpreter& run, const Value& on, const Bound& bound) {
  if (on.is_undefined()) return Wrong(on.text());
  if (!on.is_string()) return Wrong("indentation of a " + std::string(TypeName(on)), "a text");
  const Value four = Value::Int(4);
  CANDOR_TRY(const std::string unit, Unit(bound.Find(0) ? *bound.Find(0) : four, run.budget()));
  const bool first = bound.Find(1) != nullptr && Truth(*bound.Find(1));
  const bool blank = bound.Find(2) != nullptr && Truth(*bound.Find(2));
  const std::string text = on.text() + '\n';
  const auto lines = SplitLines(text, false);
  CANDOR_CHECKED(run.budget().Make(lines.size() * (unit.size() + 1) + text.size() + lines.size() * 16));
  std::string out = first ? unit : "";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) {
      out += '\n';
      if (blank || !lines[i].empty()) out += unit;
    }
    out += lines[i];
  }
  return MakeString(std::move(out), run.budget());
}

Got ToJson(Interpreter& run, const Value& on, const Bound& bound) {
  JsonStyle style;
  if (const Value* ascii = bound.Find(0)) style.ascii = Truth(*ascii);
  if (const Value* indent = bound.Find(1); indent != nullptr && !indent->Is(Kind::kNone)) {
    CANDOR_TRY(style.indent, Unit(*indent, run.budget()));
    style.item_separator = ",";
  }
  if (const Value* separators = bound.Find(2); separators != nullptr && !separators->Is(Kind::kNone)) {
    if (!separators->is_sequence() || separators->items().size() != 2 ||
        !separators->items()[0].is_string() || !separators->items()[1].is_string())
      return Unsupported("separators that are no two texts", "two texts");
    style.item_separator = separators->items()[0].text();
    style.key_separator = separators->items()[1].text();
  }
  if (const Value* sort = bound.Find(3)) style.sort_keys = Truth(*sort);
  std::string out;
  CANDOR_CHECKED(AppendJson(on, style, out, run.budget()));
  return MakeString(std::move(out), run.budget());
}

Got ReplaceAll(Interpreter& run, const std::string& text, const Bound& bound) {
  std::int64_t count = -1;
  if (const Value* limit = bound.Find(2); limit != nullptr && !limit->Is(Kind::kNone)) {
    if (!limit->is_whole())
      return Wrong("replacing a " + std::string(TypeName(*limit)) + " times", "a whole number");
    count = limit->whole();
  }
  CANDOR_TRY(const Value old, Text(*bound.Find(0), run.budget()));
  CANDOR_TRY(const Value with, Text(*bound.Find(1), run.budget()));
  CANDOR_CHECKED(run.budget().Make(ReplacedSize(text, old.text(), with.text(), count)));
  return Value::String(Replace(text, old.text(), with.text(), count));
}

}  // namespace

bool IsTextFilter(std::string_view name) { return std::ranges::find(kNames, name) != std::end(kNames); }

Got FilterText(Interpreter& run, std::string_view name, const Value& on, const Bound& bound) {
  if (name == "abs") return Absolute(on);
  if (name == "float") return ToReal(on, bound.Find(0) ? *bound.Find(0) : Value::Float(0));
  if (name == "indent") return Indent(run, on, bound);
  if (name == "int") return ToWhole(on, bound.Find(0) ? *bound.Find(0) : Value::Int(0));
  if (name == "tojson") return ToJson(run, on, bound);
  CANDOR_TRY(const Value text, Text(on, run.budget()));
  CANDOR_CHECKED(run.budget().Look(text.text().size()));
  if (name == "string") return text;
  if (name == "capitalize") return OfText(run, Capitalize(text.text()));
  if (name == "lower") return OfText(run, Lower(text.text()));
  if (name == "title") return OfText(run, TitleFilter(text.text()));
  if (name == "upper") return OfText(run, Upper(text.text()));
  if (name == "replace") return ReplaceAll(run, text.text(), bound);
  const Value* const chars = bound.Find(0);  // trim
  const bool given = chars != nullptr && !chars->Is(Kind::kNone);
  if (given && !chars->is_string())
    return Wrong("trimming a " + std::string(TypeName(*chars)), "a text of characters");
  if (given) CANDOR_CHECKED(run.budget().Step(text.text().size() * (1 + chars->text().size() / 64) / 64));
  const std::string_view rest = Strip(text.text(), given ? &chars->text() : nullptr, true, true);
  if (rest.size() == text.text().size()) return text;
  return MakeString(std::string(rest), run.budget());
}

}  // namespace candor::text::jinja
