// The interpreter's expressions.
#include <algorithm>

#include "text/templates/interpreter.h"
#include "text/templates/python.h"

namespace candor::text::jinja {

static bool IsConstant(const Expr& expr) {
  if (expr.kind == Expr::Kind::kName || expr.kind == Expr::Kind::kCall) return false;
  const auto constant = [](const ExprPtr& part) { return !part || IsConstant(*part); };
  return std::ranges::all_of(expr.parts, constant) &&
         std::ranges::all_of(expr.named, [&](const auto& argument) { return constant(argument.second); });
}

Got Interpreter::Evaluate(const Expr& expr) {
  Got got = EvaluateUnplaced(expr);
  if (got || got.error().line != 0) return got;
  Failure failure = got.error();
  failure.line = expr.line;
  failure.begin = expr.begin;
  failure.end = expr.end;
  return failure;
}

Got Interpreter::EvaluateUnplaced(const Expr& expr) {
  using Node = Expr::Kind;
  CANDOR_CHECKED(budget_.Step());
  if (expr.kind == Node::kConst) return expr.value;
  if (expr.kind == Node::kName) {
    const Value& value = At(expr.slot);
    if (value.Is(Kind::kMissing)) return Value::Undefined('\'' + expr.text + "' is undefined");
    return value;
  }
  CANDOR_CHECKED(budget_.Enter());
  Got got = Compute(expr);
  budget_.Leave();
  return got;
}

Got Interpreter::Compute(const Expr& expr) {
  using Node = Expr::Kind;
  const auto part = [&](std::size_t i) { return Evaluate(*expr.parts[i]); };
  switch (expr.kind) {
    case Node::kTuple: {
      CANDOR_TRY(std::vector<Value> items, EvaluateAll(expr));
      return MakeTuple(std::move(items), budget_);
    }
    case Node::kList: {
      CANDOR_TRY(std::vector<Value> items, EvaluateAll(expr));
      return MakeList(std::move(items), budget_);
    }
    case Node::kDict:
      return DictOf(expr);
    case Node::kAttribute: {
      CANDOR_TRY(const Value on, part(0));
      return Attribute(on, expr.text);
    }
    case Node::kItem: {
      CANDOR_TRY(const Value on, part(0));
      CANDOR_TRY(const Value key, part(1));
      return Item(on, key);
    }
    case Node::kSlice: {
      CANDOR_TRY(const Value on, part(0));
      Value bounds[3];
      for (std::size_t i = 0; i < 3; ++i)
        if (expr.parts[i + 1]) {
          CANDOR_TRY(bounds[i], part(i + 1));
        }
      const auto bound = [&](std::size_t i) { return expr.parts[i + 1] ? &bounds[i] : nullptr; };
      Got slice = SliceOf(on, bound(0), bound(1), bound(2), budget_);
      // jinja2 computes what is constant ahead, by rules under which such a slice is undefined.
      if (!slice && slice.error().code == Code::kInvalidInput && IsConstant(expr))
        return Unsupported(slice.error().what, slice.error().allowed);
      return slice;
    }
    case Node::kCall: {
      CANDOR_TRY(const Value callee, part(0));
      CANDOR_TRY(const Arguments arguments, ArgumentsOf(expr));
      return Call(callee, arguments);
    }
    case Node::kFilter: {
      CANDOR_TRY(const Value on, part(0));
      CANDOR_TRY(const Arguments arguments, ArgumentsOf(expr));
      return Filter(expr.text, on, arguments);
    }
    case Node::kTest: {
      CANDOR_TRY(const Value on, part(0));
      CANDOR_TRY(const Arguments arguments, ArgumentsOf(expr));
      CANDOR_TRY(const bool passes, Test(expr.text, on, arguments));
      return Value::Bool(passes);
    }
    case Node::kNot: {
      CANDOR_TRY(const Value on, part(0));
      return Value::Bool(!Truth(on));
    }
    case Node::kNegative: {
      CANDOR_TRY(const Value on, part(0));
      return Negative(on);
    }
    case Node::kPositive: {
      CANDOR_TRY(const Value on, part(0));
      return Positive(on);
    }
    case Node::kBinary: {
      CANDOR_TRY(const Value left, part(0));
      CANDOR_TRY(const Value right, part(1));
      return Arithmetic(expr.operators[0], left, right, budget_);
    }
    case Node::kCompare:
      return Comparison(expr);
    case Node::kConcat:
      return Concatenation(expr);
    case Node::kAnd:
    case Node::kOr: {
      CANDOR_TRY(Value left, part(0));
      if (Truth(left) == (expr.kind == Node::kOr)) return left;
      return part(1);
    }
    case Node::kIf: {
      CANDOR_TRY(const Value test, part(1));
      if (Truth(test)) return part(0);
      if (expr.parts[2]) return part(2);
      return Value::Undefined("the inline if-expression evaluated to false and no else section was defined.");
    }
    default:
      return Value::None();  // constants and names are not computed, targets not evaluated
  }
}

Result<std::vector<Value>, Failure> Interpreter::EvaluateAll(const Expr& expr) {
  std::vector<Value> out;
  out.reserve(expr.parts.size());
  for (const ExprPtr& part : expr.parts) {
    CANDOR_TRY(Value value, Evaluate(*part));
    out.push_back(std::move(value));
  }
  return out;
}

Result<Arguments, Failure> Interpreter::ArgumentsOf(const Expr& expr) {
  Arguments out;
  for (std::size_t i = 1; i < expr.parts.size(); ++i) {
    CANDOR_TRY(Value value, Evaluate(*expr.parts[i]));
    out.positional.push_back(std::move(value));
  }
  for (const auto& [name, part] : expr.named) {
    CANDOR_TRY(Value value, Evaluate(*part));
    out.named.emplace_back(name, std::move(value));
  }
  return out;
}

Got Interpreter::DictOf(const Expr& expr) {
  std::vector<std::pair<Value, Value>> members;
  for (std::size_t i = 0; i < expr.parts.size(); i += 2) {
    CANDOR_TRY(Value key, Evaluate(*expr.parts[i]));
    CANDOR_TRY(Value value, Evaluate(*expr.parts[i + 1]));
    members.emplace_back(std::move(key), std::move(value));
  }
  return MakeDict(std::move(members), budget_);
}

Got Interpreter::Comparison(const Expr& expr) {
  CANDOR_TRY(Value left, Evaluate(*expr.parts[0]));
  for (std::size_t i = 0; i < expr.operators.size(); ++i) {
    CANDOR_TRY(Value right, Evaluate(*expr.parts[i + 1]));
    CANDOR_TRY(const bool holds, CompareBy(expr.operators[i], left, right, budget_));
    if (!holds) return Value::Bool(false);
    left = std::move(right);
  }
  return Value::Bool(true);
}

Got Interpreter::Concatenation(const Expr& expr) {
  CANDOR_TRY(const std::vector<Value> parts, EvaluateAll(expr));
  std::string text;
  for (const Value& part : parts) CANDOR_CHECKED(AppendText(part, text, budget_));
  return MakeString(std::move(text), budget_);
}

Got Interpreter::Call(const Value& callee, const Arguments& arguments) {
  switch (callee.kind()) {
    case Kind::kFunction:
      return CallGlobal(*this, As<Function>(callee).global, arguments);
    case Kind::kMethod:
      return CallMethod(As<Method>(callee), arguments);
    case Kind::kMacro:
      return CallMacro(As<MacroValue>(callee), arguments);
    case Kind::kUndefined:
      return Wrong(callee.text());
    case Kind::kLoop:
      return Wrong("a loop that is not recursive is called", "a macro or a function");
    default:
      return Wrong("a " + std::string(TypeName(callee)) + " is called", "a macro or a function");
  }
}

Got Interpreter::CallMethod(const Method& method, const Arguments& arguments) {
  if (!method.self.Is(Kind::kLoop)) {
    return method.self.is_string() ? CallStringMethod(*this, method.self, method.name, arguments)
                                   : CallCollectionMethod(*this, method.self, method.name, arguments);
  }
  Loop& loop = As<Loop>(method.self);
  if (!arguments.named.empty()) return Wrong("an argument by name", "arguments one by one");
  if (method.name == "cycle") {
    if (arguments.positional.empty()) return Wrong("no items for cycling given", "items");
    return arguments.positional[static_cast<std::size_t>(loop.index0) % arguments.positional.size()];
  }
  for (const Value& value : arguments.positional)
    if (value.kind() > Kind::kString)
      return Unsupported("changed() of a " + std::string(TypeName(value)), "texts and numbers");
  bool changed = !loop.changed || loop.changed->size() != arguments.positional.size();
  for (std::size_t i = 0; !changed && i < arguments.positional.size(); ++i) {
    CANDOR_TRY(const bool same, Equal((*loop.changed)[i], arguments.positional[i], budget_));
    changed = !same;
  }
  if (changed) loop.changed = arguments.positional;
  return Value::Bool(changed);
}

Got Interpreter::CallMacro(const MacroValue& macro, const Arguments& arguments) {
  const Stmt& stmt = *macro.macro;
  const auto& parameters = stmt.parameters;
  if (arguments.positional.size() > parameters.size())
    return Wrong(
        "macro '" + stmt.text + "' takes not more than " + std::to_string(parameters.size()) + " argument(s)",
        "the parameters it has");
  Activation own{std::vector<Value>(stmt.slots), macro.closure};
  for (std::size_t i = 0; i < arguments.positional.size(); ++i)
    own.slots[stmt.arguments[i]] = arguments.positional[i];
  for (const auto& [name, value] : arguments.named) {
    std::size_t i = arguments.positional.size();
    while (i < parameters.size() && parameters[i].first->text != name) ++i;
    if (i == parameters.size())
      return Wrong("macro '" + stmt.text + "' takes no keyword argument '" + name + "'",
                   "the parameters it has");
    own.slots[stmt.arguments[i]] = value;
  }
  CANDOR_CHECKED(budget_.Enter());
  Activation* const before = now_;
  now_ = &own;
  Begin(stmt.scope);
  Got result = [&]() -> Got {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      Value& slot = own.slots[stmt.arguments[i]];
      if (!slot.Is(Kind::kMissing)) continue;
      const auto& [name, fallback] = parameters[i];
      if (fallback) {
        CANDOR_TRY(slot, Evaluate(*fallback));
      } else {
        slot = Value::Undefined("parameter '" + name->text + "' was not provided");
      }
    }
    return Captured(stmt.body);
  }();
  now_ = before;
  budget_.Leave();
  return result;
}

}  // namespace candor::text::jinja
