// Python's operators on numbers, texts and lists.
#include <cmath>

#include "base/utf8.h"
#include "text/templates/python.h"

namespace candor::text::jinja {
namespace {

Failure NoOperator(std::string_view sign, const Value& a, const Value& b) {
  for (const Value* side : {&a, &b})
    if (side->is_undefined()) return Wrong(side->text());
  return Wrong(std::string(sign) + " of " + std::string(TypeName(a)) + " and " + std::string(TypeName(b)),
               "values that it takes");
}
Failure TooLong() { return Unsupported("a whole number beyond 64 bits", "whole numbers of 64 bits"); }
Got Finite(double value) {
  if (!std::isfinite(value)) return Unsupported("a number that is not finite", "numbers that are finite");
  return Value::Float(value);
}

std::string_view SignOf(Operator op) {
  constexpr std::string_view kSigns[] = {"+", "-", "*", "/", "//", "%", "**"};
  return kSigns[static_cast<std::size_t>(op)];
}

// Python rounds towards minus infinity, and the rest has the sign of the divisor.
std::int64_t FloorDivide(std::int64_t a, std::int64_t b) {
  return a / b - ((a % b != 0) && ((a % b < 0) != (b < 0)));
}
std::int64_t FloorModulo(std::int64_t a, std::int64_t b) {
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Got DivideWhole(Operator op, std::int64_t a, std::int64_t b) {
  if (b == 0) return Wrong("division by zero", "a divisor that is not 0");
  if (op == Operator::kDivide) {
    // The quotient of two doubles is Python's where both are exact.
    constexpr std::int64_t kExact = std::int64_t{1} << 53;
    if (a > kExact || a < -kExact || b > kExact || b < -kExact) return TooLong();
    return Value::Float(static_cast<double>(a) / static_cast<double>(b));
  }
  if (b == -1) return op == Operator::kModulo ? Got(Value::Int(0)) : Negative(Value::Int(a));
  return Value::Int(op == Operator::kModulo ? FloorModulo(a, b) : FloorDivide(a, b));
}

Got PowerWhole(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) {
    if (base == 0) return Wrong("0 to a negative power", "a base that is not 0");
    return Finite(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  }
  std::int64_t out = 1;
  while (exponent > 0) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(out, base, &out)) return TooLong();
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) return TooLong();
  }
  return Value::Int(out);
}

Got Whole(Operator op, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  switch (op) {
    case Operator::kAdd:
      return __builtin_add_overflow(a, b, &out) ? Got(TooLong()) : Got(Value::Int(out));
    case Operator::kSubtract:
      return __builtin_sub_overflow(a, b, &out) ? Got(TooLong()) : Got(Value::Int(out));
    case Operator::kMultiply:
      return __builtin_mul_overflow(a, b, &out) ? Got(TooLong()) : Got(Value::Int(out));
    case Operator::kPower:
      return PowerWhole(a, b);
    default:
      return DivideWhole(op, a, b);
  }
}

// float_divmod of CPython.
void DivMod(double a, double b, double& quotient, double& rest) {
  rest = std::fmod(a, b);
  double div = (a - rest) / b;
  if (rest != 0) {
    if ((b < 0) != (rest < 0)) {
      rest += b;
      div -= 1;
    }
  } else {
    rest = std::copysign(0.0, b);
  }
  if (div != 0) {
    quotient = std::floor(div);
    if (div - quotient > 0.5) quotient += 1;
  } else {
    quotient = std::copysign(0.0, a / b);
  }
}

Got Real(Operator op, double a, double b) {
  switch (op) {
    case Operator::kAdd:
      return Finite(a + b);
    case Operator::kSubtract:
      return Finite(a - b);
    case Operator::kMultiply:
      return Finite(a * b);
    case Operator::kPower:
      if (a == 0 && b < 0) return Wrong("0 to a negative power", "a base that is not 0");
      if (a < 0 && b != std::floor(b)) return Unsupported("a power that is complex", "real numbers");
      return Finite(std::pow(a, b));
    default:
      break;
  }
  if (b == 0) return Wrong("division by zero", "a divisor that is not 0");
  if (op == Operator::kDivide) return Finite(a / b);
  double quotient = 0, rest = 0;
  DivMod(a, b, quotient, rest);
  return Finite(op == Operator::kModulo ? rest : quotient);
}

Got Repeat(const Value& what, std::int64_t times, Budget& budget) {
  const auto count = static_cast<std::uint64_t>(times < 0 ? 0 : times);
  const std::uint64_t size = what.is_string() ? what.text().size() : what.items().size() * sizeof(Value);
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = ~std::uint64_t{0} >> 1;
  CANDOR_CHECKED(budget.Make(bytes));
  if (size == 0 || count == 0) {
    if (what.is_string()) return Value::String("");
    return what.Is(Kind::kList) ? Value::List({}) : Value::Tuple({});
  }
  if (what.is_string()) {
    std::string out;
    out.reserve(bytes);
    for (std::uint64_t i = 0; i < count; ++i) out += what.text();
    return Value::String(std::move(out));
  }
  std::vector<Value> out;
  out.reserve(count * what.items().size());
  for (std::uint64_t i = 0; i < count; ++i) out.insert(out.end(), what.items().begin(), what.items().end());
  return what.Is(Kind::kList) ? Value::List(std::move(out)) : Value::Tuple(std::move(out));
}

Got Join(const Value& a, const Value& b, Budget& budget) {
  if (a.is_string()) {
    CANDOR_CHECKED(budget.Make(a.text().size() + b.text().size()));
    return Value::String(a.text() + b.text());
  }
  CANDOR_CHECKED(budget.Make((a.items().size() + b.items().size()) * sizeof(Value)));
  std::vector<Value> out = a.items();
  out.insert(out.end(), b.items().begin(), b.items().end());
  return a.Is(Kind::kList) ? Value::List(std::move(out)) : Value::Tuple(std::move(out));
}

bool Repeats(const Value& value) { return value.is_string() || value.is_sequence(); }

}  // namespace

Got Arithmetic(Operator op, const Value& a, const Value& b, Budget& budget) {
  if (a.is_whole() && b.is_whole()) return Whole(op, a.whole(), b.whole());
  if (a.is_number() && b.is_number()) return Real(op, a.real(), b.real());
  if (op == Operator::kAdd && a.kind() == b.kind() && Repeats(a)) return Join(a, b, budget);
  if (op == Operator::kMultiply && Repeats(a) && b.is_whole()) return Repeat(a, b.whole(), budget);
  if (op == Operator::kMultiply && a.is_whole() && Repeats(b)) return Repeat(b, a.whole(), budget);
  if (op == Operator::kModulo && a.is_string())
    return Unsupported("formatting with %", "texts joined with ~");
  return NoOperator(SignOf(op), a, b);
}

Got Negative(const Value& a) {
  if (a.Is(Kind::kFloat)) return Value::Float(-a.real());
  if (a.is_undefined()) return Wrong(a.text());
  if (!a.is_whole()) return Wrong("- of a " + std::string(TypeName(a)), "a number");
  std::int64_t out = 0;
  if (__builtin_sub_overflow(std::int64_t{0}, a.whole(), &out)) return TooLong();
  return Value::Int(out);
}

Got Positive(const Value& a) {
  if (a.Is(Kind::kFloat)) return a;
  if (a.is_undefined()) return Wrong(a.text());
  if (!a.is_whole()) return Wrong("+ of a " + std::string(TypeName(a)), "a number");
  return Value::Int(a.whole());
}

}  // namespace candor::text::jinja
