// Python's attributes and items as the sandbox shows them: a method of the type stands before a key of the
// name.
#include "text/templates/interpreter.h"
#include "text/templates/python.h"

namespace candor::text::jinja {
namespace {

Value NoAttribute(const Value& on, const std::string& name) {
  if (IsHidden(on, name))
    return Value::Undefined("access to attribute '" + name + "' of '" + std::string(TypeName(on)) +
                            "' object is unsafe.");
  return Value::Undefined('\'' + std::string(TypeName(on)) + " object' has no attribute '" + name + '\'');
}

}  // namespace

// An attribute of Python's own; kMissing when the type has none of the name.
static Got OwnAttribute(const Value& on, const std::string& name) {
  if (!HasPythonAttribute(on, name)) return Value();
  if (IsHidden(on, name)) return NoAttribute(on, name);
  if (on.is_string() || on.is_sequence() || on.Is(Kind::kDict))
    return Value::Of(Kind::kMethod, std::make_shared<Method>(on, name));
  return Unsupported("the attribute " + name + " of a " + std::string(TypeName(on)),
                     "attributes of the data");
}

static Value NamespaceAttribute(const Value& on, const std::string& name) {
  for (const auto& [own, value] : As<Namespace>(on).attributes->members)
    if (own == name) return value;
  return NoAttribute(on, name);
}

Got Interpreter::Attribute(const Value& on, const std::string& name) {
  if (on.is_undefined()) return Wrong(on.text());
  if (on.Is(Kind::kNamespace)) return NamespaceAttribute(on, name);
  if (on.Is(Kind::kLoop)) return LoopAttribute(on, name);
  if (on.Is(Kind::kMethod) || on.Is(Kind::kFunction))
    return Unsupported("an attribute of a " + std::string(TypeName(on)), "attributes of the data");
  CANDOR_TRY(Value own, OwnAttribute(on, name));
  if (!own.Is(Kind::kMissing)) return own;
  if (on.Is(Kind::kDict)) {
    CANDOR_CHECKED(budget_.Step(on.members().size()));
    if (const Value* value = FindKey(on, name)) return *value;
  }
  return NoAttribute(on, name);
}

Got Interpreter::Item(const Value& on, const Value& key) {
  if (on.is_undefined()) return Wrong(on.text());
  if (on.Is(Kind::kDict)) {
    CANDOR_TRY(const bool usable, IsKey(key));
    if (usable) {
      CANDOR_TRY(const Value* value, FindKey(on, key, budget_));
      if (value != nullptr) return *value;
    }
  } else if (key.is_whole()) {
    CANDOR_CHECKED(budget_.Look(on.is_string() && !on.ascii() ? on.text().size() : 0));
    if (auto item = ItemAt(on, key.whole())) return std::move(*item);
  }
  if (!key.is_string()) {
    return Value::Undefined(std::string(TypeName(on)) + " object has no such element");
  }
  const std::string& name = key.text();
  if (on.Is(Kind::kNamespace)) return NamespaceAttribute(on, name);
  if (on.Is(Kind::kLoop)) return LoopAttribute(on, name);
  if (on.Is(Kind::kMethod) || on.Is(Kind::kFunction))
    return Unsupported("an item of a " + std::string(TypeName(on)), "items of the data");
  CANDOR_TRY(Value own, OwnAttribute(on, name));
  return own.Is(Kind::kMissing) ? NoAttribute(on, name) : own;
}

}  // namespace candor::text::jinja
