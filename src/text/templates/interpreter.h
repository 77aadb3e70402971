// One render of a template: its variables, its output, what it may still do. Not thread-safe; lives for one
// call.
#pragma once
#include <deque>
#include <string>
#include <string_view>

#include "text/templates/ast.h"
#include "text/templates/budget.h"
#include "text/templates/names.h"
#include "text/templates/objects.h"
#include "text/templates/template.h"

namespace candor::text::jinja {

class Interpreter {
 public:
  Interpreter(const Program& program, const Value& context, const RenderOptions& options)
      : program_(program), context_(context), options_(options), budget_(options.limits) {}
  Result<std::string, Failure> Run();

  // What filters, tests and functions use.
  Budget& budget() { return budget_; }
  const RenderOptions& options() const { return options_; }
  Got Attribute(const Value& on, const std::string& name);  // on.name
  Got Item(const Value& on, const Value& key);              // on[key]
  Got Call(const Value& callee, const Arguments& arguments);
  Got Filter(std::string_view name, const Value& on, const Arguments& arguments);
  Result<bool, Failure> Test(std::string_view name, const Value& on, const Arguments& arguments);
  Got MakeNamespace(std::vector<std::pair<std::string, Value>> members);

 private:
  enum class Flow : std::uint8_t { kNext, kBreak, kContinue };
  using Ran = Result<Flow, Failure>;
  class Depth;

  // Statements.
  Ran Execute(const Body& body);
  Ran Execute(const Stmt& stmt);
  Ran Place(const Stmt& stmt, Ran ran) const;
  Done Write(std::string_view text);
  Ran If(const Stmt& stmt);
  Ran For(const Stmt& stmt);
  Ran ForBody(const Stmt& stmt, Loop& loop, const std::shared_ptr<Content>& shared, bool& completed);
  Ran SetBlock(const Stmt& stmt);
  Done Assign(const Expr& target, const Value& value, Activation& at);
  Done CheckTargets(const Expr& target);
  void Begin(const Scope& scope);
  void End(const Scope& scope);
  Value Named(const std::string& name) const;
  Got Captured(const Body& body);  // what a function's body writes

  // Loops.
  Result<std::optional<Value>, Failure> Pull(Loop& loop);     // the next item, of those that pass the test
  Result<std::optional<Value>, Failure> Advance(Loop& loop);  // the same, but for items looked at already
  Done Peek(Loop& loop);
  Result<std::int64_t, Failure> LoopLength(Loop& loop);
  Got LoopAttribute(const Value& on, const std::string& name);
  Got Rebuilt(const Expr& target, const Activation& at) const;

  // Expressions.
  Got Evaluate(const Expr& expr);
  Got EvaluateUnplaced(const Expr& expr);
  Got Compute(const Expr& expr);
  Got Comparison(const Expr& expr);
  Got Concatenation(const Expr& expr);
  Got DictOf(const Expr& expr);
  Result<std::vector<Value>, Failure> EvaluateAll(const Expr& expr);
  Result<Arguments, Failure> ArgumentsOf(const Expr& expr);
  Value& At(Slot slot);
  Got CallMacro(const MacroValue& macro, const Arguments& arguments);
  Got CallMethod(const Method& method, const Arguments& arguments);

  const Program& program_;
  const Value& context_;
  const RenderOptions& options_;
  Budget budget_;
  Activation root_;
  Activation* now_ = &root_;
  std::string output_;
  std::string* out_ = &output_;
  std::deque<Attributes> namespaces_;
};

// functions.cc: dict, namespace, raise_exception, range, strftime_now.
Got CallGlobal(Interpreter& run, Global global, const Arguments& arguments);
std::optional<Global> FindGlobal(std::string_view name);
// methods.cc
Got CallStringMethod(Interpreter& run, const Value& self, std::string_view name, const Arguments& arguments);
Got CallCollectionMethod(Interpreter& run, const Value& self, std::string_view name,
                         const Arguments& arguments);
// The pairs that Python's dict(...) makes of its arguments.
Result<std::vector<std::pair<Value, Value>>, Failure> PairsOf(Interpreter& run, const Arguments& arguments);

}  // namespace candor::text::jinja
