// The filters, tests, functions and methods of the subset with the parameters they take.
//
// The tables are what a template is checked against when it is read and what calls are bound by when it runs.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/templates/failure.h"

namespace candor::text::jinja {

inline constexpr std::size_t kMostParameters = 4;

struct Signature {
  std::string_view name;
  std::string_view parameters[kMostParameters] = {};  // behind the value that is filtered or tested
  std::size_t required = 0;
  bool any = false;         // takes what comes (map, select, namespace); binds by itself
  bool positional = false;  // no parameter may be named
};

const Signature* FindFilter(std::string_view name);
const Signature* FindTest(std::string_view name);
std::string AllFilters();  // for messages: "abs, attr, ..."
std::string AllTests();

// What a call was given.
struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> named;
};
// The arguments by parameter; nullopt where none was given.
struct Bound {
  std::optional<Value> of[kMostParameters];
  const Value* Find(std::size_t parameter) const { return of[parameter] ? &*of[parameter] : nullptr; }
};
Result<Bound, Failure> Bind(const Signature& signature, const Arguments& arguments);
// The same for names and counts alone: what is wrong with such a call, empty when nothing.
std::string BadCall(const Signature& signature, std::size_t positional,
                    std::span<const std::string_view> named);

// Names that jinja2 gives every template and we do not.
bool IsForeignGlobal(std::string_view name);
// Tags that jinja2 knows and we do not.
bool IsForeignTag(std::string_view name);
// Whether Python's type has an attribute of this name, implemented here or not.
bool HasPythonAttribute(const Value& value, std::string_view name);
// Methods of Python's mutable types that the sandbox hides.
bool IsHidden(const Value& value, std::string_view name);

}  // namespace candor::text::jinja
