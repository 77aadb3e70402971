// What stands behind `is`.
#include "text/templates/interpreter.h"
#include "text/templates/python.h"
#include "text/templates/python_text.h"

namespace candor::text::jinja {
namespace {

using Passes = Result<bool, Failure>;

// `is odd`, `is even`, `is divisibleby`: the rest of a division.
Passes HasRest(const Value& on, const Value& by, std::int64_t wanted, Budget& budget) {
  CANDOR_TRY(const Value rest, Arithmetic(Operator::kModulo, on, by, budget));
  return Equal(rest, Value::Int(wanted), budget);
}

Passes InCase(const Value& on, bool lower, Budget& budget) {
  CANDOR_TRY(const Value text, Text(on, budget));
  const auto answer = lower ? IsLower(text.text()) : IsUpper(text.text());
  if (!answer) return Unsupported("letters beyond ASCII, whose case needs Python's tables", "ASCII");
  return *answer;
}

Passes SameAs(const Value& on, const Value& other) {
  if (on.kind() != other.kind()) return false;
  if (on.Is(Kind::kNone)) return true;
  if (on.Is(Kind::kBool)) return on.whole() == other.whole();
  return Unsupported("whether two values are one in memory", "none, true and false; == for others");
}

std::optional<Operator> ComparisonOf(std::string_view name) {
  if (name == "eq" || name == "==" || name == "equalto") return Operator::kEqual;
  if (name == "ne" || name == "!=") return Operator::kNotEqual;
  if (name == "lt" || name == "<" || name == "lessthan") return Operator::kLess;
  if (name == "le" || name == "<=") return Operator::kLessEqual;
  if (name == "gt" || name == ">" || name == "greaterthan") return Operator::kGreater;
  if (name == "ge" || name == ">=") return Operator::kGreaterEqual;
  if (name == "in") return Operator::kIn;
  return std::nullopt;
}

bool IsCallable(const Value& on) {
  return on.Is(Kind::kMacro) || on.Is(Kind::kMethod) || on.Is(Kind::kFunction) || on.Is(Kind::kLoop) ||
         on.is_undefined();
}

}  // namespace

Result<bool, Failure> Interpreter::Test(std::string_view name, const Value& on, const Arguments& arguments) {
  const Signature* const signature = FindTest(name);
  if (signature == nullptr) return Unsupported("no test \"" + std::string(name) + "\" here", AllTests());
  CANDOR_TRY(const Bound bound, Bind(*signature, arguments));
  if (const auto op = ComparisonOf(name)) return CompareBy(*op, on, *bound.Find(0), budget_);
  const bool whole = on.is_whole(), boolean = on.Is(Kind::kBool);
  if (name == "defined") return !on.is_undefined();
  if (name == "undefined") return on.is_undefined();
  if (name == "none") return on.Is(Kind::kNone);
  if (name == "boolean") return boolean;
  if (name == "true") return boolean && on.whole() != 0;
  if (name == "false") return boolean && on.whole() == 0;
  if (name == "integer") return whole && !boolean;
  if (name == "float") return on.Is(Kind::kFloat);
  if (name == "number") return on.is_number();
  if (name == "string") return on.is_string();
  if (name == "mapping") return on.Is(Kind::kDict);
  if (name == "iterable") return IsIterable(on);
  if (name == "callable") return IsCallable(on);
  if (name == "sequence") return LengthOf(on).has_value() && !on.Is(Kind::kView);
  if (name == "odd") return HasRest(on, Value::Int(2), 1, budget_);
  if (name == "even") return HasRest(on, Value::Int(2), 0, budget_);
  if (name == "divisibleby") return HasRest(on, *bound.Find(0), 0, budget_);
  if (name == "sameas") return SameAs(on, *bound.Find(0));
  return InCase(on, name == "lower", budget_);
}

}  // namespace candor::text::jinja
