// The values that only exist while a template runs.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "text/templates/ast.h"
#include "text/templates/failure.h"

namespace candor::text::jinja {

// The variables of one call of a function.
struct Activation {
  std::vector<Value> slots;
  Activation* outer = nullptr;
};

struct Range final : Content {
  std::int64_t start = 0, stop = 0, step = 1;
  std::int64_t count = 0;
};

struct View final : Content {
  enum class Of : std::uint8_t { kKeys, kValues, kItems };
  View(Of what, Value dict) : Content(dict.depth()), of(what), dictionary(std::move(dict)) {}
  Of of;
  Value dictionary;
};

// Items that were computed ahead; what went wrong in computing is met where they end.
struct Generator final : Content {
  explicit Generator(std::vector<Value> given) : Content(Depth(given)), items(std::move(given)) {}
  std::vector<Value> items;
  std::size_t next = 0;
  std::optional<Failure> failure;
};

// Owned by the interpreter; values only refer to it, so that it may refer to itself.
struct Attributes {
  std::vector<std::pair<std::string, Value>> members;
};
struct Namespace final : Content {
  explicit Namespace(Attributes* own) : attributes(own) {}
  Attributes* attributes;
};

struct MacroValue final : Content {
  MacroValue(const Stmt* stmt, Activation* where) : macro(stmt), closure(where) {}
  const Stmt* macro;
  Activation* closure;  // of the template itself: it outlives every value
};

struct Method final : Content {
  Method(Value on, std::string called) : Content(on.depth()), self(std::move(on)), name(std::move(called)) {}
  Value self;
  std::string name;
};

enum class Global : std::uint8_t { kDict, kNamespace, kRaiseException, kRange, kStrftimeNow };
struct Function final : Content {
  explicit Function(Global which) : global(which) {}
  Global global;
};

template <class T>
T& As(const Value& value) {
  return static_cast<T&>(*value.content());
}

// One pass over something. A text, a dictionary and a view give their characters, keys and members.
class Cursor {
 public:
  explicit Cursor(Value over) : over_(std::move(over)) {}
  // Nothing when there is no more. The value must be iterable.
  Result<std::optional<Value>, Failure> Next();
  const Value& over() const { return over_; }

 private:
  Value over_;
  std::size_t at_ = 0;  // an item, or a byte of a text
};
bool IsIterable(const Value& value);
// Its length where Python's len answers one.
std::optional<std::size_t> LengthOf(const Value& value);

class Interpreter;
// jinja2's LoopContext.
struct Loop final : Content {
  Loop(const Value& iterable, const Stmt* stmt)
      : Content(iterable.depth() + 1), cursor(iterable), loop(stmt) {}
  Cursor cursor;
  const Stmt* loop;
  Activation* around = nullptr;  // only while the loop runs
  Activation filter;             // of its test
  std::int64_t index0 = -1;
  std::vector<Value> rest;  // items taken ahead for the length, last first
  bool drained = false;
  std::optional<std::int64_t> length;
  std::optional<Value> after;  // the next item, looked at already
  Value current, before;
  std::optional<std::vector<Value>> changed;
};

}  // namespace candor::text::jinja
