// Python's operations on values: truth, equality, order, arithmetic, texts of values, slices.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "text/templates/ast.h"
#include "text/templates/budget.h"
#include "text/templates/objects.h"

namespace candor::text::jinja {

bool Truth(const Value& value);
Result<bool, Failure> Equal(const Value& a, const Value& b, Budget& budget);
enum class Order : std::uint8_t { kLess, kEqual, kGreater };
Result<Order, Failure> Compare(const Value& a, const Value& b, Budget& budget);
Result<bool, Failure> Contains(const Value& in, const Value& what, Budget& budget);
Result<bool, Failure> CompareBy(Operator op, const Value& a, const Value& b, Budget& budget);
Got Arithmetic(Operator op, const Value& a, const Value& b, Budget& budget);
Got Negative(const Value& a);
Got Positive(const Value& a);

// Whether Python could use it as a key; of what remains out of scope, the failure.
Result<bool, Failure> IsKey(const Value& value);
const Value* FindKey(const Value& dict, std::string_view key);
Result<const Value*, Failure> FindKey(const Value& dict, const Value& key, Budget& budget);

// str(value) appended, and the value as it stands inside of a list.
Done AppendText(const Value& value, std::string& out, Budget& budget);
Done AppendRepr(const Value& value, std::string& out, Budget& budget);
Got Text(const Value& value, Budget& budget);  // str(value)
std::string FloatText(double value);

Got MakeString(std::string text, Budget& budget);
Got MakeList(std::vector<Value> items, Budget& budget);
Got MakeTuple(std::vector<Value> items, Budget& budget);
// A later key replaces the value of an equal one and keeps its place.
Got MakeDict(std::vector<std::pair<Value, Value>> members, Budget& budget);
Value MakeRange(std::int64_t start, std::int64_t stop, std::int64_t step);
Got MakeGenerator(std::vector<Value> items, std::optional<Failure> failure);

// All (or all further) items.
Result<std::vector<Value>, Failure> ItemsOf(const Value& value, Budget& budget);
// The item at a whole number's place, counted from the end when negative; nothing when there is none.
std::optional<Value> ItemAt(const Value& value, std::int64_t index);
Got SliceOf(const Value& value, const Value* start, const Value* stop, const Value* step, Budget& budget);

// json.dumps as transformers calls it.
struct JsonStyle {
  bool ascii = false, sort_keys = false;
  std::optional<std::string> indent;
  std::string item_separator = ", ", key_separator = ": ";
};
Done AppendJson(const Value& value, const JsonStyle& style, std::string& out, Budget& budget);

}  // namespace candor::text::jinja
