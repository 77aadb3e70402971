// The interpreter's statements.
#include "base/check.h"
#include "text/templates/interpreter.h"
#include "text/templates/python.h"

namespace candor::text::jinja {

// A level of nesting while it stands.
class Interpreter::Depth {
 public:
  explicit Depth(Budget& budget) : budget_(budget) {}
  ~Depth() { budget_.Leave(); }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  Budget& budget_;
};

Result<std::string, Failure> Interpreter::Run() {
  root_.slots.resize(program_.slots);
  Begin(program_.scope);
  CANDOR_TRY(const Flow flow, Execute(program_.body));
  CANDOR_CHECK(flow == Flow::kNext, "break and continue stand in loops");
  return std::move(output_);
}

Value Interpreter::Named(const std::string& name) const {
  if (const Value* given = FindKey(context_, name)) return *given;
  if (const auto global = FindGlobal(name))
    return Value::Of(Kind::kFunction, std::make_shared<Function>(*global));
  return {};
}

void Interpreter::Begin(const Scope& scope) {
  for (const Load& load : scope.loads) {
    Value& slot = now_->slots[load.index];
    if (load.from == Load::From::kContext) {
      slot = Named(load.name);
    } else {
      slot = load.from == Load::From::kOuter ? At(load.outer) : Value();
    }
  }
}
void Interpreter::End(const Scope& scope) {
  for (const std::uint32_t index : scope.leaves) now_->slots[index] = Value();
}

Value& Interpreter::At(Slot slot) {
  Activation* activation = now_;
  for (std::uint32_t i = 0; i < slot.hops; ++i) activation = activation->outer;
  return activation->slots[slot.index];
}

Done Interpreter::Write(std::string_view text) {
  CANDOR_CHECKED(budget_.Look(text.size()));
  if (out_->size() + text.size() > options_.limits.output_bytes)
    return TooMuch("more output", "at most " + std::to_string(options_.limits.output_bytes) + " bytes");
  out_->append(text);
  return {};
}

Interpreter::Ran Interpreter::Execute(const Body& body) {
  for (const auto& stmt : body) {
    CANDOR_TRY(const Flow flow, Place(*stmt, Execute(*stmt)));
    if (flow != Flow::kNext) return flow;
  }
  return Flow::kNext;
}

// What has no place yet happened to the statement itself.
Interpreter::Ran Interpreter::Place(const Stmt& stmt, Ran ran) const {
  if (ran || ran.error().line != 0) return ran;
  Failure failure = ran.error();
  failure.line = stmt.line;
  failure.begin = stmt.begin;
  failure.end = stmt.end;
  return failure;
}

Interpreter::Ran Interpreter::Execute(const Stmt& stmt) {
  CANDOR_CHECKED(budget_.Step());
  CANDOR_CHECKED(budget_.Enter());
  const Depth depth(budget_);
  switch (stmt.kind) {
    case Stmt::Kind::kText:
      CANDOR_CHECKED(Write(stmt.text));
      return Flow::kNext;
    case Stmt::Kind::kOutput: {
      CANDOR_TRY(const Value value, Evaluate(*stmt.expr));
      if (value.is_string()) {
        CANDOR_CHECKED(Write(value.text()));
        return Flow::kNext;
      }
      std::string text;
      CANDOR_CHECKED(AppendText(value, text, budget_));
      CANDOR_CHECKED(Write(text));
      return Flow::kNext;
    }
    case Stmt::Kind::kIf:
      return If(stmt);
    case Stmt::Kind::kFor:
      return For(stmt);
    case Stmt::Kind::kSet: {
      CANDOR_CHECKED(CheckTargets(*stmt.target));
      CANDOR_TRY(const Value value, Evaluate(*stmt.expr));
      CANDOR_CHECKED(Assign(*stmt.target, value, *now_));
      return Flow::kNext;
    }
    case Stmt::Kind::kSetBlock:
      return SetBlock(stmt);
    case Stmt::Kind::kMacro:
      At(stmt.slot) = Value::Of(Kind::kMacro, std::make_shared<MacroValue>(&stmt, now_));
      return Flow::kNext;
    case Stmt::Kind::kGeneration: {
      Activation own{std::vector<Value>(stmt.slots), now_};
      Activation* const before = now_;
      now_ = &own;
      Begin(stmt.scope);
      const Got text = Captured(stmt.body);
      now_ = before;
      if (!text) return text.error();
      CANDOR_CHECKED(Write(text->text()));
      return Flow::kNext;
    }
    case Stmt::Kind::kBreak:
      return Flow::kBreak;
    case Stmt::Kind::kContinue:
      return Flow::kContinue;
  }
  return Flow::kNext;
}

Interpreter::Ran Interpreter::If(const Stmt& stmt) {
  for (const auto& [test, body] : stmt.branches) {
    CANDOR_TRY(const Value value, Evaluate(*test));
    if (Truth(value)) return Execute(body);
  }
  return Execute(stmt.orelse);
}

Interpreter::Ran Interpreter::SetBlock(const Stmt& stmt) {
  Begin(stmt.scope);
  std::string text;
  std::string* const before = out_;
  out_ = &text;
  const Ran ran = Execute(stmt.body);
  out_ = before;
  if (!ran || *ran != Flow::kNext) return ran;
  CANDOR_TRY(Value value, MakeString(std::move(text), budget_));
  if (stmt.filter) {
    // From the innermost, whose value is the text.
    std::vector<const Expr*> chain;
    for (const Expr* filter = stmt.filter.get(); filter != nullptr; filter = filter->parts[0].get())
      chain.push_back(filter);
    for (; !chain.empty(); chain.pop_back()) {
      CANDOR_TRY(const Arguments arguments, ArgumentsOf(*chain.back()));
      CANDOR_TRY(value, Filter(chain.back()->text, value, arguments));
    }
  }
  CANDOR_CHECKED(CheckTargets(*stmt.target));
  CANDOR_CHECKED(Assign(*stmt.target, value, *now_));
  End(stmt.scope);
  return Flow::kNext;
}

Got Interpreter::Captured(const Body& body) {
  std::string text;
  std::string* const before = out_;
  out_ = &text;
  const Ran ran = Execute(body);
  out_ = before;
  if (!ran) return ran.error();
  return MakeString(std::move(text), budget_);
}

// jinja2 looks at these before it computes what they are set to.
Done Interpreter::CheckTargets(const Expr& target) {
  if (target.kind == Expr::Kind::kTuple)
    for (const ExprPtr& part : target.parts) CANDOR_CHECKED(CheckTargets(*part));
  if (target.kind != Expr::Kind::kAttributeTarget) return {};
  if (At(target.slot).Is(Kind::kDict))
    return Unsupported("a key of a dictionary that is set", "an attribute of a namespace");
  if (!At(target.slot).Is(Kind::kNamespace))
    return Wrong("an attribute of what is no namespace", "namespace()");
  return {};
}

Done Interpreter::Assign(const Expr& target, const Value& value, Activation& at) {
  if (target.kind == Expr::Kind::kName) {
    at.slots[target.slot.index] = value;  // what is set in a function is the function's own
    return {};
  }
  if (target.kind == Expr::Kind::kAttributeTarget) {
    if (target.more.starts_with('_'))
      return Wrong("an attribute of a namespace with an underscore in front", "other names");
    Attributes& attributes = *As<Namespace>(At(target.slot)).attributes;
    for (auto& [name, own] : attributes.members)
      if (name == target.more) {
        own = value;
        return {};
      }
    CANDOR_CHECKED(budget_.Make(sizeof(Value) + target.more.size()));
    attributes.members.emplace_back(target.more, value);
    return {};
  }
  CANDOR_TRY(const std::vector<Value> items, ItemsOf(value, budget_));
  if (items.size() != target.parts.size())
    return Wrong(
        std::to_string(items.size()) + " values for " + std::to_string(target.parts.size()) + " names",
        "as many as names");
  for (std::size_t i = 0; i < items.size(); ++i) CANDOR_CHECKED(Assign(*target.parts[i], items[i], at));
  return {};
}

Interpreter::Ran Interpreter::For(const Stmt& stmt) {
  CANDOR_TRY(const Value over, Evaluate(*stmt.expr));
  if (!IsIterable(over)) {
    Failure failure =
        Wrong("a " + std::string(TypeName(over)) + " has no items", "a list, a dictionary or a text");
    failure.line = stmt.expr->line;
    failure.begin = stmt.expr->begin;
    failure.end = stmt.expr->end;
    return failure;
  }
  if (over.Is(Kind::kLoop)) return Unsupported("a loop over a loop", "a loop over a list");
  const auto loop = std::make_shared<Loop>(over, &stmt);
  loop->around = now_;
  if (stmt.test) {
    loop->filter = {std::vector<Value>(stmt.slots), now_};
    Activation* const before = now_;
    now_ = &loop->filter;
    Begin(stmt.test_scope);
    now_ = before;
  }
  bool completed = false;  // a body ran to its end; jinja2's else asks for no more
  const Ran ran = ForBody(stmt, *loop, loop, completed);
  loop->around = nullptr;
  loop->filter.outer = nullptr;
  if (!ran) return ran;
  End(stmt.scope);
  if (stmt.orelse.empty() || completed) return Flow::kNext;
  Begin(stmt.else_scope);
  CANDOR_TRY(const Flow flow, Execute(stmt.orelse));
  if (flow == Flow::kNext) End(stmt.else_scope);
  return flow;
}

Interpreter::Ran Interpreter::ForBody(const Stmt& stmt, Loop& loop, const std::shared_ptr<Content>& shared,
                                      bool& completed) {
  while (true) {
    CANDOR_CHECKED(budget_.Step());
    CANDOR_TRY(const std::optional<Value> item, Advance(loop));
    if (!item) return Flow::kNext;
    CANDOR_CHECKED(Assign(*stmt.target, *item, *now_));
    if (stmt.uses_loop) now_->slots[stmt.loop] = Value::Of(Kind::kLoop, shared);
    Begin(stmt.scope);
    CANDOR_TRY(const Flow flow, Execute(stmt.body));
    if (flow == Flow::kBreak) return Flow::kNext;
    if (flow == Flow::kNext) completed = true;
  }
}

}  // namespace candor::text::jinja
