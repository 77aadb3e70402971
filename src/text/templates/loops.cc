// What the variable `loop` answers, by jinja2's LoopContext: items are taken ahead only where it asks for
// them.
#include <algorithm>

#include "text/templates/interpreter.h"
#include "text/templates/python.h"

namespace candor::text::jinja {
namespace {

using Pulled = Result<std::optional<Value>, Failure>;

}  // namespace

// What a loop with a test yields: the target again, as a tuple where it is one.
Got Interpreter::Rebuilt(const Expr& target, const Activation& at) const {
  if (target.kind != Expr::Kind::kTuple) return at.slots[target.slot.index];
  std::vector<Value> items;
  for (const ExprPtr& part : target.parts) {
    CANDOR_TRY(Value item, Rebuilt(*part, at));
    items.push_back(std::move(item));
  }
  return Value::Tuple(std::move(items));
}

Pulled Interpreter::Pull(Loop& loop) {
  if (loop.drained) {
    if (loop.rest.empty()) return Pulled(std::nullopt);
    Value next = std::move(loop.rest.back());
    loop.rest.pop_back();
    return Pulled(std::move(next));
  }
  const Stmt& stmt = *loop.loop;
  while (true) {
    CANDOR_CHECKED(budget_.Step());
    CANDOR_TRY(std::optional<Value> item, loop.cursor.Next());
    if (!item || !stmt.test) return item;
    CANDOR_CHECKED(Assign(*stmt.test_target, *item, loop.filter));
    Activation* const before = now_;
    now_ = &loop.filter;
    const Got passes = Evaluate(*stmt.test);
    now_ = before;
    if (!passes) return passes.error();
    if (!Truth(*passes)) continue;
    CANDOR_TRY(Value rebuilt, Rebuilt(*stmt.test_target, loop.filter));
    return Pulled(std::move(rebuilt));
  }
}

Pulled Interpreter::Advance(Loop& loop) {
  std::optional<Value> next;
  if (loop.after) {
    next = std::move(loop.after);
    loop.after.reset();
  } else {
    CANDOR_TRY(next, Pull(loop));
  }
  if (!next) return Pulled(std::nullopt);
  ++loop.index0;
  loop.before = std::move(loop.current);
  loop.current = *next;
  return Pulled(std::move(next));
}

Done Interpreter::Peek(Loop& loop) {
  if (loop.after) return {};
  CANDOR_TRY(loop.after, Pull(loop));
  return {};
}

Result<std::int64_t, Failure> Interpreter::LoopLength(Loop& loop) {
  if (loop.length) return *loop.length;
  const auto known = loop.loop->test ? std::nullopt : LengthOf(loop.cursor.over());
  if (known) {
    loop.length = static_cast<std::int64_t>(*known);
    return *loop.length;
  }
  std::vector<Value> rest;
  while (true) {
    CANDOR_CHECKED(budget_.Make(sizeof(Value)));
    CANDOR_TRY(std::optional<Value> item, Pull(loop));
    if (!item) break;
    rest.push_back(std::move(*item));
  }
  loop.length = static_cast<std::int64_t>(rest.size()) + loop.index0 + 1 + (loop.after ? 1 : 0);
  std::ranges::reverse(rest);
  loop.rest = std::move(rest);
  loop.drained = true;
  return *loop.length;
}

Got Interpreter::LoopAttribute(const Value& on, const std::string& name) {
  Loop& loop = As<Loop>(on);
  if (name == "index") return Value::Int(loop.index0 + 1);
  if (name == "index0") return Value::Int(loop.index0);
  if (name == "first") return Value::Bool(loop.index0 == 0);
  if (name == "depth") return Value::Int(1);
  if (name == "depth0") return Value::Int(0);
  if (name == "cycle" || name == "changed")
    return Value::Of(Kind::kMethod, std::make_shared<Method>(on, name));
  if (name == "previtem")
    return loop.index0 == 0 ? Value::Undefined("there is no previous item") : loop.before;
  if (name != "last" && name != "nextitem" && name != "length" && name != "revindex" && name != "revindex0")
    return Value::Undefined("'loop' has no attribute '" + name + "'");
  // The rest asks for items that a loop which is over cannot take any more.
  if (loop.around == nullptr) return Unsupported("a loop that is over", "its attributes inside of it");
  if (name == "last" || name == "nextitem") {
    CANDOR_CHECKED(Peek(loop));
    if (name == "last") return Value::Bool(!loop.after);
    return loop.after ? *loop.after : Value::Undefined("there is no next item");
  }
  CANDOR_TRY(const std::int64_t length, LoopLength(loop));
  if (name == "length") return Value::Int(length);
  return Value::Int(length - loop.index0 - (name == "revindex0" ? 1 : 0));
}

}  // namespace candor::text::jinja
