// Making values within the budget, and Python's items and slices of them.
#include <algorithm>
#include <limits>

#include "base/utf8.h"
#include "text/templates/python.h"

namespace candor::text::jinja {
namespace {

Done CheckDepth(std::size_t depth) {
  if (depth <= kValueDepth + 1) return {};
  return TooMuch("lists inside of each other", "at most " + std::to_string(kValueDepth) + " levels");
}

template <class T>
Done CheckMade(const std::vector<T>& items, Budget& budget) {
  CANDOR_CHECKED(CheckDepth(Depth(items)));
  return budget.Make(items.size() * sizeof(T) + 64);
}

// A bound of a slice, nullopt when it is left out.
Result<std::optional<std::int64_t>, Failure> BoundOf(const Value* value) {
  using Answer = Result<std::optional<std::int64_t>, Failure>;
  if (value == nullptr || value->Is(Kind::kNone)) return Answer(std::nullopt);
  if (!value->is_whole())
    return Wrong("a slice from or to a " + std::string(TypeName(*value)), "whole numbers as bounds");
  return Answer(value->whole());
}

// The places of a slice, by Python's rules for a sequence of that length.
struct Places {
  std::int64_t start, step, count;
};
Places PlacesOf(std::int64_t length, std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
                std::int64_t step) {
  const std::int64_t low = step < 0 ? -1 : 0, high = step < 0 ? length - 1 : length;
  const auto place = [&](std::int64_t at) {
    if (at < 0) at = at < -length ? low : at + length;
    return std::clamp(at, low, high);
  };
  const std::int64_t from = start ? place(*start) : step < 0 ? high : low;
  const std::int64_t to = stop ? place(*stop) : step < 0 ? low : high;
  std::int64_t count = 0;
  if (step > 0 && from < to) count = (to - from - 1) / step + 1;
  if (step < 0 && to < from) count = (from - to - 1) / -step + 1;
  return {from, step, count};
}

Got SliceText(const Value& value, const Places& places, Budget& budget) {
  const std::string& text = value.text();
  CANDOR_CHECKED(budget.Look(text.size()));
  const auto at = [&](std::int64_t i) { return static_cast<std::size_t>(places.start + i * places.step); };
  std::string out;
  if (places.step == 1) {
    out = value.ascii() ? text.substr(at(0), static_cast<std::size_t>(places.count))
                        : SliceUtf8(text, at(0), at(places.count));
  } else if (value.ascii()) {
    for (std::int64_t i = 0; i < places.count; ++i) out += text[at(i)];
  } else {
    const std::u32string points = DecodeAllUtf8(text);
    for (std::int64_t i = 0; i < places.count; ++i) AppendUtf8(out, points[at(i)]);
  }
  return MakeString(std::move(out), budget);
}

}  // namespace

Got MakeString(std::string text, Budget& budget) {
  CANDOR_CHECKED(budget.Make(text.size() + 64));
  return Value::String(std::move(text));
}
Got MakeList(std::vector<Value> items, Budget& budget) {
  CANDOR_CHECKED(CheckMade(items, budget));
  return Value::List(std::move(items));
}
Got MakeTuple(std::vector<Value> items, Budget& budget) {
  CANDOR_CHECKED(CheckMade(items, budget));
  return Value::Tuple(std::move(items));
}

Got MakeDict(std::vector<std::pair<Value, Value>> members, Budget& budget) {
  std::vector<std::pair<Value, Value>> out;
  for (auto& [key, value] : members) {
    CANDOR_TRY(const bool usable, IsKey(key));
    if (!usable) return Wrong("a " + std::string(TypeName(key)) + " as a key", "a text or a number");
    bool replaced = false;
    for (auto& [own, old] : out) {
      CANDOR_TRY(const bool same, Equal(own, key, budget));
      if (!same) continue;
      old = value;
      replaced = true;
      break;
    }
    if (!replaced) out.emplace_back(std::move(key), std::move(value));
  }
  CANDOR_CHECKED(CheckMade(out, budget));
  return Value::Dict(std::move(out));
}

Value MakeRange(std::int64_t start, std::int64_t stop, std::int64_t step) {
  auto range = std::make_shared<Range>();
  range->start = start;
  range->stop = stop;
  range->step = step;
  const auto distance = static_cast<__int128>(stop) - start;
  if ((distance > 0) == (step > 0) && distance != 0) {
    const __int128 size = step > 0 ? step : -static_cast<__int128>(step);
    const __int128 count = ((distance > 0 ? distance : -distance) - 1) / size + 1;
    range->count =
        static_cast<std::int64_t>(std::min<__int128>(count, std::numeric_limits<std::int64_t>::max()));
  }
  return Value::Of(Kind::kRange, std::move(range));
}

Got MakeGenerator(std::vector<Value> items, std::optional<Failure> failure) {
  CANDOR_CHECKED(CheckDepth(Depth(items)));
  auto generator = std::make_shared<Generator>(std::move(items));
  generator->failure = std::move(failure);
  return Value::Of(Kind::kGenerator, std::move(generator));
}

Result<std::vector<Value>, Failure> ItemsOf(const Value& value, Budget& budget) {
  if (!IsIterable(value))
    return Wrong("a " + std::string(TypeName(value)) + " has no items", "a list, a dictionary or a text");
  if (value.Is(Kind::kLoop)) return Unsupported("the items of a loop", "the items of a list");
  if (value.is_sequence()) {
    CANDOR_CHECKED(budget.Make(value.items().size() * sizeof(Value)));
    return value.items();
  }
  std::vector<Value> out;
  Cursor cursor(value);
  while (true) {
    CANDOR_CHECKED(budget.Make(sizeof(Value) + 64));
    CANDOR_TRY(std::optional<Value> item, cursor.Next());
    if (!item) return out;
    out.push_back(std::move(*item));
  }
}

std::optional<Value> ItemAt(const Value& value, std::int64_t index) {
  const auto length = static_cast<std::int64_t>(LengthOf(value).value_or(0));
  if (index < 0) index += length;
  if (index < 0 || index >= length) return std::nullopt;
  const auto at = static_cast<std::size_t>(index);
  if (value.is_sequence()) return value.items()[at];
  if (value.Is(Kind::kRange)) {
    const Range& range = As<Range>(value);
    return Value::Int(range.start + index * range.step);
  }
  if (!value.is_string()) return std::nullopt;
  if (value.ascii()) return Value::String(std::string(1, value.text()[at]));
  return Value::String(std::string(SliceUtf8(value.text(), at, at + 1)));
}

Got SliceOf(const Value& value, const Value* start, const Value* stop, const Value* step, Budget& budget) {
  if (value.is_undefined()) return Wrong(value.text());
  if (value.Is(Kind::kRange)) return Unsupported("a slice of a range", "a slice of a list or a text");
  if (!value.is_sequence() && !value.is_string())
    return Wrong("a slice of a " + std::string(TypeName(value)), "a slice of a list or a text");
  CANDOR_TRY(const auto from, BoundOf(start));
  CANDOR_TRY(const auto to, BoundOf(stop));
  CANDOR_TRY(const auto by, BoundOf(step));
  if (by == 0) return Wrong("a slice with steps of 0", "steps that move");
  const std::int64_t stride = std::clamp(by.value_or(1), -(std::int64_t{1} << 40), std::int64_t{1} << 40);
  const Places places = PlacesOf(static_cast<std::int64_t>(*LengthOf(value)), from, to, stride);
  if (value.is_string()) return SliceText(value, places, budget);
  std::vector<Value> out;
  for (std::int64_t i = 0; i < places.count; ++i)
    out.push_back(value.items()[static_cast<std::size_t>(places.start + i * places.step)]);
  return value.Is(Kind::kList) ? MakeList(std::move(out), budget) : MakeTuple(std::move(out), budget);
}

}  // namespace candor::text::jinja
