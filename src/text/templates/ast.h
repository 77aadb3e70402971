// A parsed template: statements and expressions, with the slots that names live in.
//
// Names are resolved before anything runs, by jinja2's rules (scopes.h). Immutable once parsed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "text/templates/value.h"

namespace candor::text::jinja {

// A variable: `hops` functions outwards, then the place there. A macro, the body of {% generation %} and the
// filter of a loop are functions of their own.
struct Slot {
  std::uint32_t hops = 0, index = 0;
};

enum class Operator : std::uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kFloorDivide,
  kModulo,
  kPower,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kIn,
  kNotIn,
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

struct Expr {
  enum class Kind : std::uint8_t {
    kConst,      // value
    kName,       // text, slot
    kTuple,      // parts
    kList,       // parts
    kDict,       // key, value, key, value ...
    kAttribute,  // parts[0].text
    kItem,       // parts[0][parts[1]]
    kSlice,      // parts[0][parts[1]:parts[2]:parts[3]], an absent bound is null
    kCall,       // parts[0](parts[1] ...), named
    kFilter,     // parts[0] | text(parts[1] ...), named; parts[0] is null in {% set x | f %}
    kTest,       // parts[0] is text(parts[1] ...), named
    kNot,
    kNegative,
    kPositive,
    kBinary,   // operators[0]
    kCompare,  // parts[i] operators[i] parts[i + 1] ...
    kConcat,
    kAnd,
    kOr,
    kIf,               // parts[0] if parts[1] else parts[2]; parts[2] may be null
    kAttributeTarget,  // {% set text.more = ... %}, slot
  };
  Kind kind = Kind::kConst;
  std::int64_t line = 0;
  std::size_t begin = 0, end = 0;  // in the source
  std::size_t depth = 1;           // levels of expressions from here down
  std::string text = {}, more = {};
  Value value = {};
  std::vector<ExprPtr> parts = {};
  std::vector<std::pair<std::string, ExprPtr>> named = {};
  std::vector<Operator> operators = {};
  Slot slot = {};
};

// What a scope does to its own names when it begins.
struct Load {
  enum class From : std::uint8_t { kContext, kOuter, kNothing };
  From from = From::kNothing;
  std::uint32_t index = 0;  // of the own name, in the function the scope belongs to
  std::string name = {};    // kContext
  Slot outer = {};          // kOuter
};
struct Scope {
  std::vector<Load> loads;
  std::vector<std::uint32_t> leaves;  // names that are gone when the scope ends
};

struct Stmt;
using Body = std::vector<std::unique_ptr<Stmt>>;

struct Stmt {
  enum class Kind : std::uint8_t {
    kText,        // text
    kOutput,      // expr
    kIf,          // branches, then orelse
    kFor,         // target, expr, test, body, orelse
    kSet,         // target, expr
    kSetBlock,    // target, body, filter or null
    kMacro,       // text, slot, parameters
    kGeneration,  // body
    kBreak,
    kContinue,
  };
  Kind kind = Kind::kText;
  std::int64_t line = 0;
  std::size_t begin = 0, end = 0;  // of the tag in the source
  std::string text = {};
  ExprPtr target = {}, expr = {}, test = {}, filter = {};
  std::vector<std::pair<ExprPtr, Body>> branches = {};
  Body body = {}, orelse = {};
  std::vector<std::pair<ExprPtr, ExprPtr>> parameters = {};  // name, default or null

  // What scopes.h finds out.
  Slot slot = {};                             // of a macro's name
  bool uses_loop = false;                     // the body of kFor asks for `loop`
  std::uint32_t loop = 0;                     // its place
  std::size_t slots = 0;                      // of the function that a macro, a generation or a test is
  std::vector<std::uint32_t> arguments = {};  // places of a macro's parameters
  ExprPtr test_target = {};                   // the target again, in the function of `test`
  Scope scope = {}, else_scope = {}, test_scope = {};
};

struct Program {
  std::string source;  // normalised
  Body body;
  Scope scope;
  std::size_t slots = 0;
  std::vector<std::string> reads;  // names asked of the context, sorted
};

}  // namespace candor::text::jinja
