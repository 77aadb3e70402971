#include "text/templates/scopes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "base/check.h"

namespace candor::text::jinja {
namespace {

using Name = std::string_view;

// Names of one scope. A name's identity is its scope's level and itself.
struct Symbols {
  enum class From : std::uint8_t { kCaller, kOuter, kNothing, kParameter };
  struct Ref {
    From from;
    std::size_t outer = 0;  // kOuter: the level it is copied from
  };
  const Symbols* parent = nullptr;
  std::size_t level = 0;
  std::map<Name, Ref> refs = {};
  std::set<Name> stores = {};

  // The level that owns the name.
  const std::size_t* Find(Name name) const {
    for (const Symbols* s = this; s != nullptr; s = s->parent)
      if (s->refs.contains(name)) return &s->level;
    return nullptr;
  }
  const std::size_t* FindOutside(Name name) const { return parent == nullptr ? nullptr : parent->Find(name); }

  void Read(Name name) {
    if (Find(name) == nullptr) refs[name] = {From::kCaller};
  }
  void Store(Name name) {
    stores.insert(name);
    if (refs.contains(name)) return;
    const std::size_t* const outer = FindOutside(name);
    refs[name] = outer != nullptr ? Ref{From::kOuter, *outer} : Ref{From::kNothing};
  }
  void Parameter(Name name) {
    stores.insert(name);
    refs[name] = {From::kParameter};
  }
  // After branches of which one ran: what any of them sets may still be what it was before.
  void Join(const std::vector<Symbols>& branches) {
    std::set<Name> joined;
    for (const Symbols& branch : branches) joined.insert(branch.stores.begin(), branch.stores.end());
    for (const Name name : stores) joined.erase(name);
    for (const Symbols& branch : branches) {
      for (const auto& [name, ref] : branch.refs) refs[name] = ref;
      stores.insert(branch.stores.begin(), branch.stores.end());
    }
    for (const Name name : joined) {
      const std::size_t* const outer = FindOutside(name);
      refs[name] = outer != nullptr ? Ref{From::kOuter, *outer} : Ref{From::kCaller};
    }
  }
};

// What a scope's own code does to its names, in order.
class Analysis {
 public:
  explicit Analysis(Symbols& symbols) : symbols_(symbols) {}

  void Run(const Body& body) {
    for (const auto& stmt : body) Visit(*stmt);
  }
  void Target(const Expr& target, bool parameter) {
    if (target.kind == Expr::Kind::kTuple) {
      for (const ExprPtr& part : target.parts) Target(*part, parameter);
    } else if (target.kind == Expr::Kind::kAttributeTarget) {
      symbols_.Read(target.text);
    } else if (parameter) {
      symbols_.Parameter(target.text);
    } else {
      symbols_.Store(target.text);
    }
  }
  void Reads(const Expr& expr) {
    if (expr.kind == Expr::Kind::kName) symbols_.Read(expr.text);
    for (const ExprPtr& part : expr.parts)
      if (part) Reads(*part);
    for (const auto& [name, part] : expr.named) Reads(*part);
  }

 private:
  void Visit(const Stmt& stmt) {
    switch (stmt.kind) {
      case Stmt::Kind::kOutput:
      case Stmt::Kind::kFor:  // the body is a scope of its own
        return Reads(*stmt.expr);
      case Stmt::Kind::kSet:
        Reads(*stmt.expr);
        return Target(*stmt.target, false);
      case Stmt::Kind::kSetBlock:
        return Target(*stmt.target, false);
      case Stmt::Kind::kMacro:
        return symbols_.Store(stmt.text);
      case Stmt::Kind::kIf:
        return If(stmt);
      default:
        return;
    }
  }

  Symbols Branch(const std::function<void(Analysis&)>& run) {
    Symbols copy = symbols_;
    Analysis inner(copy);
    run(inner);
    return copy;
  }

  void If(const Stmt& stmt) {
    Reads(*stmt.branches[0].first);
    std::vector<Symbols> branches;
    branches.push_back(Branch([&](Analysis& inner) { inner.Run(stmt.branches[0].second); }));
    // Every elif is a statement with one branch, one behind the other.
    branches.push_back(Branch([&](Analysis& inner) {
      for (std::size_t i = 1; i < stmt.branches.size(); ++i) {
        inner.Reads(*stmt.branches[i].first);
        std::vector<Symbols> parts;
        parts.push_back(inner.Branch([&](Analysis& part) { part.Run(stmt.branches[i].second); }));
        inner.symbols_.Join(parts);
      }
    }));
    branches.push_back(Branch([&](Analysis& inner) { inner.Run(stmt.orelse); }));
    symbols_.Join(branches);
  }

  Symbols& symbols_;
};

// The variables of one function.
struct Function {
  std::map<std::pair<std::size_t, Name>, std::uint32_t> slots = {};
  std::uint32_t SlotOf(std::size_t level, Name name) {
    return slots.try_emplace({level, name}, static_cast<std::uint32_t>(slots.size())).first->second;
  }
};

struct Frame {
  Symbols symbols;
  Function* function;
  Frame* parent;
};

class Resolver {
 public:
  Resolver(Program& program, std::vector<Failure>& outside) : program_(program), outside_(outside) {}

  void Run() {
    Function root;
    Frame frame{{}, &root, nullptr};
    Analysis(frame.symbols).Run(program_.body);
    program_.scope = ScopeOf(frame);
    Statements(program_.body, frame);
    program_.slots = root.slots.size();
    program_.reads.assign(reads_.begin(), reads_.end());
  }

 private:
  static Frame Inner(Frame& frame, Function* function = nullptr) {
    Frame out{{}, function != nullptr ? function : frame.function, &frame};
    out.symbols.parent = &frame.symbols;
    out.symbols.level = frame.symbols.level + 1;
    return out;
  }

  static Slot SlotAt(Frame& frame, std::size_t level, Name name) {
    Slot out;
    for (Frame* f = &frame;; f = f->parent) {
      if (f->symbols.level == level) {
        out.index = f->function->SlotOf(level, name);
        return out;
      }
      if (f->parent->function != f->function) ++out.hops;
    }
  }
  static Slot SlotOf(Frame& frame, Name name) {
    const std::size_t* const level = frame.symbols.Find(name);
    CANDOR_CHECK(level != nullptr, "every name was analysed");
    return SlotAt(frame, *level, name);
  }

  Scope ScopeOf(Frame& frame) {
    Scope out;
    for (const auto& [name, ref] : frame.symbols.refs) {
      const std::uint32_t index = frame.function->SlotOf(frame.symbols.level, name);
      out.leaves.push_back(index);
      if (ref.from == Symbols::From::kParameter) continue;
      Load load{.index = index};
      if (ref.from == Symbols::From::kCaller) {
        load.from = Load::From::kContext;
        load.name = name;
        reads_.emplace(name);
      } else if (ref.from == Symbols::From::kOuter) {
        load.from = Load::From::kOuter;
        load.outer = SlotAt(frame, ref.outer, name);
      }
      out.loads.push_back(std::move(load));
    }
    return out;
  }

  void Names(Expr& expr, Frame& frame) {
    if (expr.kind == Expr::Kind::kName || expr.kind == Expr::Kind::kAttributeTarget)
      expr.slot = SlotOf(frame, expr.text);
    for (const ExprPtr& part : expr.parts)
      if (part) Names(*part, frame);
    for (const auto& [name, part] : expr.named) Names(*part, frame);
  }

  void Statements(Body& body, Frame& frame) {
    for (const auto& stmt : body) Statement(*stmt, frame);
  }

  void Statement(Stmt& stmt, Frame& frame) {
    switch (stmt.kind) {
      case Stmt::Kind::kOutput:
        return Names(*stmt.expr, frame);
      case Stmt::Kind::kSet:
        Names(*stmt.expr, frame);
        return Names(*stmt.target, frame);
      case Stmt::Kind::kSetBlock:
        return SetBlock(stmt, frame);
      case Stmt::Kind::kIf:
        for (auto& [test, body] : stmt.branches) {
          Names(*test, frame);
          Statements(body, frame);
        }
        return Statements(stmt.orelse, frame);
      case Stmt::Kind::kFor:
        return For(stmt, frame);
      case Stmt::Kind::kMacro:
        stmt.slot = SlotOf(frame, stmt.text);
        return Callable(stmt, frame);
      case Stmt::Kind::kGeneration:
        return Callable(stmt, frame);
      default:
        return;
    }
  }

  void SetBlock(Stmt& stmt, Frame& frame) {
    Frame inner = Inner(frame);
    Analysis(inner.symbols).Run(stmt.body);
    stmt.scope = ScopeOf(inner);
    Statements(stmt.body, inner);
    Names(*stmt.target, frame);
  }

  void For(Stmt& stmt, Frame& frame) {
    Frame loop = Inner(frame), otherwise = Inner(frame);
    stmt.uses_loop = Mentions(stmt.body, "loop");
    if (stmt.uses_loop) loop.symbols.Parameter("loop");
    Analysis analysis(loop.symbols);
    analysis.Target(*stmt.target, true);
    analysis.Run(stmt.body);
    Names(*stmt.expr, frame);
    if (stmt.test) {
      // A function: the target and the names of the test are its own.
      Function function;
      Frame test = Inner(frame, &function);
      Analysis inner(test.symbols);
      inner.Target(*stmt.target, true);
      inner.Reads(*stmt.test);
      stmt.test_target = Copy(*stmt.target);
      Names(*stmt.test_target, test);
      Names(*stmt.test, test);
      stmt.test_scope = ScopeOf(test);
      stmt.slots = function.slots.size();
    }
    stmt.scope = ScopeOf(loop);
    Names(*stmt.target, loop);
    if (stmt.uses_loop) stmt.loop = SlotOf(loop, "loop").index;
    Statements(stmt.body, loop);
    if (stmt.orelse.empty()) return;
    Analysis(otherwise.symbols).Run(stmt.orelse);
    stmt.else_scope = ScopeOf(otherwise);
    Statements(stmt.orelse, otherwise);
  }

  static ExprPtr Copy(const Expr& target) {
    auto out = std::make_unique<Expr>();
    out->kind = target.kind;
    out->line = target.line;
    out->begin = target.begin;
    out->end = target.end;
    out->text = target.text;
    for (const ExprPtr& part : target.parts) out->parts.push_back(Copy(*part));
    return out;
  }

  // A macro, or a generation's body, which has no parameters.
  void Callable(Stmt& stmt, Frame& frame) {
    Function function;
    Frame inner = Inner(frame, &function);
    Analysis analysis(inner.symbols);
    for (const auto& [name, fallback] : stmt.parameters) analysis.Target(*name, true);
    for (const auto& [name, fallback] : stmt.parameters)
      if (fallback) analysis.Reads(*fallback);
    for (const Name special : {"caller", "kwargs", "varargs"}) {
      const bool own =
          std::ranges::any_of(stmt.parameters, [&](const auto& p) { return p.first->text == special; });
      if (!own && Mentions(stmt.body, special))
        outside_.push_back({Code::kUnsupportedProcessorRecipe,
                            "a macro that asks for " + std::string(special), "the parameters it names",
                            stmt.line, stmt.begin, stmt.end});
    }
    analysis.Run(stmt.body);
    for (const auto& [name, fallback] : stmt.parameters) {
      Names(*name, inner);
      stmt.arguments.push_back(name->slot.index);
      if (fallback) Names(*fallback, inner);
    }
    stmt.scope = ScopeOf(inner);
    Statements(stmt.body, inner);
    stmt.slots = function.slots.size();
  }

  // Whether the name is read anywhere inside.
  static bool Mentions(const Body& body, Name name) {
    return std::ranges::any_of(body, [&](const auto& stmt) { return Mentions(*stmt, name); });
  }
  static bool Mentions(const Stmt& stmt, Name name) {
    for (const ExprPtr* expr : {&stmt.target, &stmt.expr, &stmt.test, &stmt.filter})
      if (*expr && Mentions(**expr, name)) return true;
    for (const auto& [test, body] : stmt.branches)
      if (Mentions(*test, name) || Mentions(body, name)) return true;
    for (const auto& [parameter, fallback] : stmt.parameters)
      if (fallback && Mentions(*fallback, name)) return true;
    return Mentions(stmt.body, name) || Mentions(stmt.orelse, name);
  }
  static bool Mentions(const Expr& expr, Name name) {
    if (expr.kind == Expr::Kind::kName && expr.text == name) return true;
    for (const ExprPtr& part : expr.parts)
      if (part && Mentions(*part, name)) return true;
    for (const auto& [key, part] : expr.named)
      if (Mentions(*part, name)) return true;
    return false;
  }

  Program& program_;
  std::vector<Failure>& outside_;
  std::set<std::string> reads_;
};

}  // namespace

void ResolveNames(Program& program, std::vector<Failure>& outside) { Resolver(program, outside).Run(); }

}  // namespace candor::text::jinja
