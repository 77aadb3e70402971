// Filters that look at the items of a value, and the entry to all filters.
#include <algorithm>

#include "base/utf8.h"
#include "text/templates/filters.h"
#include "text/templates/python.h"
#include "text/templates/python_text.h"

namespace candor::text::jinja {
namespace {

using Items = std::vector<Value>;

bool Flag(const Bound& bound, std::size_t parameter) {
  return bound.Find(parameter) != nullptr && Truth(*bound.Find(parameter));
}
const Value* Given(const Bound& bound, std::size_t parameter) {
  const Value* const value = bound.Find(parameter);
  return value == nullptr || value->Is(Kind::kNone) ? nullptr : value;
}
bool CanReverse(const Value& value) { return LengthOf(value).has_value(); }

// Python's sorted: a stable merge of pairs of key and value.
Done MergeSort(std::vector<std::pair<Value, Value>>& items, Budget& budget) {
  CANDOR_CHECKED(budget.Make(items.size() * sizeof(items[0])));
  std::vector<std::pair<Value, Value>> other(items.size());
  for (std::size_t width = 1; width < items.size(); width *= 2) {
    for (std::size_t begin = 0; begin < items.size(); begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, items.size()),
                        end = std::min(begin + 2 * width, items.size());
      std::size_t left = begin, right = middle;
      for (std::size_t to = begin; to < end; ++to) {
        bool from_right = left == middle;
        if (left < middle && right < end) {
          CANDOR_TRY(const Order order, Compare(items[right].first, items[left].first, budget));
          from_right = order == Order::kLess;
        }
        other[to] = std::move(from_right ? items[right++] : items[left++]);
      }
    }
    items.swap(other);
  }
  return {};
}

Got Sorted(Interpreter& run, std::vector<std::pair<Value, Value>> keyed, bool reverse) {
  // Equal items keep their order even when the rest is reversed.
  if (reverse) std::ranges::reverse(keyed);
  CANDOR_CHECKED(MergeSort(keyed, run.budget()));
  if (reverse) std::ranges::reverse(keyed);
  Items out;
  for (auto& [key, value] : keyed) out.push_back(std::move(value));
  return MakeList(std::move(out), run.budget());
}

// Keys of sort's attributes: a list of what every comma-separated path leads to.
Got SortKey(Interpreter& run, const Value& item, const Value* attribute, bool case_sensitive) {
  Items key;
  std::vector<Value> paths;
  if (attribute != nullptr && attribute->is_string()) {
    for (const std::string_view path : Split(attribute->text(), ",", -1, false))
      paths.push_back(Value::String(std::string(path)));
  } else {
    paths.push_back(attribute != nullptr ? *attribute : Value::None());
  }
  for (const Value& path : paths) {
    CANDOR_TRY(const Value found, Follow(run, item, path, nullptr, false));
    CANDOR_TRY(Value part, IgnoreCase(run, found, case_sensitive));
    key.push_back(std::move(part));
  }
  return MakeList(std::move(key), run.budget());
}

Got Sort(Interpreter& run, const Value& on, const Bound& bound) {
  CANDOR_TRY(Items items, ItemsOf(on, run.budget()));
  std::vector<std::pair<Value, Value>> keyed;
  for (Value& item : items) {
    CANDOR_TRY(Value key, SortKey(run, item, Given(bound, 2), Flag(bound, 1)));
    keyed.emplace_back(std::move(key), std::move(item));
  }
  return Sorted(run, std::move(keyed), Flag(bound, 0));
}

Got DictSort(Interpreter& run, const Value& on, const Bound& bound) {
  const Value* const by = bound.Find(1);
  const bool by_value = by != nullptr && by->is_string() && by->text() == "value";
  if (by != nullptr && !by_value && !(by->is_string() && by->text() == "key"))
    return Wrong("sorting by something else", "\"key\" or \"value\"");
  if (on.is_undefined()) return Wrong(on.text());
  if (!on.Is(Kind::kDict)) return Wrong("dictsort of a " + std::string(TypeName(on)), "a dictionary");
  std::vector<std::pair<Value, Value>> keyed;
  for (const auto& [key, value] : on.members()) {
    CANDOR_TRY(Value sort_key, IgnoreCase(run, by_value ? value : key, Flag(bound, 0)));
    CANDOR_TRY(Value pair, MakeTuple({key, value}, run.budget()));
    keyed.emplace_back(std::move(sort_key), std::move(pair));
  }
  return Sorted(run, std::move(keyed), Flag(bound, 2));
}

Got Extreme(Interpreter& run, const Value& on, const Bound& bound, Order wanted) {
  CANDOR_TRY(const Items items, ItemsOf(on, run.budget()));
  if (items.empty()) return Value::Undefined("No aggregated item, sequence was empty.");
  std::optional<Value> best_key;
  const Value* best = nullptr;
  for (const Value& item : items) {
    CANDOR_TRY(const Value found,
               Follow(run, item, Given(bound, 1) ? *Given(bound, 1) : Value::None(), nullptr, false));
    CANDOR_TRY(const Value key, IgnoreCase(run, found, Flag(bound, 0)));
    if (best != nullptr) {
      CANDOR_TRY(const Order order, Compare(key, *best_key, run.budget()));
      if (order != wanted) continue;
    }
    best_key = key;
    best = &item;
  }
  return *best;
}

Got Unique(Interpreter& run, const Value& on, const Bound& bound) {
  CANDOR_TRY(const Items items, ItemsOf(on, run.budget()));
  Items keys, out;
  for (const Value& item : items) {
    const auto step = [&]() -> Result<bool, Failure> {
      CANDOR_TRY(const Value found,
                 Follow(run, item, Given(bound, 1) ? *Given(bound, 1) : Value::None(), nullptr, true));
      CANDOR_TRY(Value key, IgnoreCase(run, found, Flag(bound, 0)));
      CANDOR_TRY(const bool usable, IsKey(key));
      if (!usable) return Wrong("unique of a " + std::string(TypeName(key)), "texts and numbers");
      for (const Value& own : keys) {
        CANDOR_TRY(const bool same, Equal(own, key, run.budget()));
        if (same) return false;
      }
      keys.push_back(std::move(key));
      return true;
    }();
    if (!step) return MakeGenerator(std::move(out), step.error());
    if (*step) out.push_back(item);
  }
  return MakeGenerator(std::move(out), std::nullopt);
}

Got JoinAll(Interpreter& run, const Value& on, const Bound& bound) {
  CANDOR_TRY(const Items items, ItemsOf(on, run.budget()));
  std::string separator;
  if (bound.Find(0)) CANDOR_CHECKED(AppendText(*bound.Find(0), separator, run.budget()));
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += separator;
    CANDOR_CHECKED(run.budget().Make(separator.size()));
    const Value* const path = Given(bound, 1);
    if (path != nullptr) {
      CANDOR_TRY(const Value found, Follow(run, items[i], *path, nullptr, false));
      CANDOR_CHECKED(AppendText(found, out, run.budget()));
    } else {
      CANDOR_CHECKED(AppendText(items[i], out, run.budget()));
    }
  }
  return MakeString(std::move(out), run.budget());
}

Got Sum(Interpreter& run, const Value& on, const Bound& bound) {
  CANDOR_TRY(const Items items, ItemsOf(on, run.budget()));
  Value total = bound.Find(1) ? *bound.Find(1) : Value::Int(0);
  if (total.is_string()) return Wrong("a sum of texts", "join");
  for (const Value& item : items) {
    Value value = item;
    if (Given(bound, 0)) {
      CANDOR_TRY(value, Follow(run, item, *Given(bound, 0), nullptr, false));
    }
    CANDOR_TRY(total, Arithmetic(Operator::kAdd, total, value, run.budget()));
  }
  return total;
}

Got Reverse(Interpreter& run, const Value& on) {
  if (on.is_string()) {
    const Value back = Value::Int(-1);
    return SliceOf(on, nullptr, nullptr, &back, run.budget());
  }
  CANDOR_TRY(Items items, ItemsOf(on, run.budget()));
  std::ranges::reverse(items);
  return CanReverse(on) ? MakeGenerator(std::move(items), std::nullopt)
                        : MakeList(std::move(items), run.budget());
}

Got FirstOf(const Value& on) {
  if (!IsIterable(on) || on.Is(Kind::kLoop))
    return Wrong("first of a " + std::string(TypeName(on)), "a list, a dictionary or a text");
  CANDOR_TRY(std::optional<Value> item, Cursor(on).Next());
  return item ? std::move(*item) : Value::Undefined("No first item, sequence was empty.");
}

Got LastOf(Interpreter& run, const Value& on) {
  if (!CanReverse(on))
    return Wrong("last of a " + std::string(TypeName(on)), "a list, a dictionary or a text");
  if (on.is_string() || on.is_sequence()) {
    CANDOR_CHECKED(run.budget().Look(on.is_string() ? on.text().size() : 0));
    auto item = ItemAt(on, -1);
    return item ? std::move(*item) : Value::Undefined("No last item, sequence was empty.");
  }
  CANDOR_TRY(const Items items, ItemsOf(on, run.budget()));
  return items.empty() ? Value::Undefined("No last item, sequence was empty.") : items.back();
}

Got Pairs(const Value& on) {
  if (on.is_undefined()) return MakeGenerator({}, std::nullopt);
  // Only taking the first item asks what the value is.
  if (!on.Is(Kind::kDict))
    return MakeGenerator({}, Wrong("Can only get item pairs from a mapping.", "a dictionary"));
  Items pairs;
  for (const auto& [key, value] : on.members()) pairs.push_back(Value::Tuple({key, value}));
  return MakeGenerator(std::move(pairs), std::nullopt);
}

}  // namespace

Got IgnoreCase(Interpreter& run, const Value& value, bool case_sensitive) {
  if (case_sensitive || !value.is_string()) return value;
  auto lower = Lower(value.text());
  if (!lower) return Unsupported("letters whose small form needs Python's tables", "case_sensitive=true");
  return MakeString(std::move(*lower), run.budget());
}

Got Follow(Interpreter& run, const Value& from, const Value& path, const Value* fallback, bool lazy) {
  Value at = from;
  std::vector<Value> parts;
  if (path.is_string()) {
    for (const std::string_view part : Split(path.text(), ".", -1, false)) {
      const auto digits = IsDigits(part);
      if (!digits) return Unsupported("a path beyond ASCII", "names in ASCII");
      const ReadNumber number = *digits ? ReadWhole(part) : ReadNumber{};
      parts.push_back(number.whole ? Value::Int(*number.whole) : Value::String(std::string(part)));
    }
  } else if (!path.Is(Kind::kNone)) {
    parts.push_back(path);
  }
  for (const Value& part : parts) {
    // It may be set to something else before the reference, which computes these when they are taken, looks.
    if (lazy && at.Is(Kind::kNamespace))
      return Unsupported("a namespace inside of a generator", "a dictionary");
    CANDOR_TRY(at, run.Item(at, part));
    if (fallback != nullptr && at.is_undefined()) at = *fallback;
  }
  return at;
}

Got FilterList(Interpreter& run, std::string_view name, const Value& on, const Bound& bound) {
  if (name == "count" || name == "length") {
    const auto length = LengthOf(on);
    if (!length)
      return Wrong("the length of a " + std::string(TypeName(on)), "a list, a dictionary or a text");
    return Value::Int(static_cast<std::int64_t>(*length));
  }
  if (name == "default" || name == "d") {
    if (!on.is_undefined() && !(Flag(bound, 1) && !Truth(on))) return on;
    return bound.Find(0) ? *bound.Find(0) : Value::String("");
  }
  if (name == "dictsort") return DictSort(run, on, bound);
  if (name == "first") return FirstOf(on);
  if (name == "items") return Pairs(on);
  if (name == "join") return JoinAll(run, on, bound);
  if (name == "last") return LastOf(run, on);
  if (name == "list") {
    CANDOR_TRY(Items items, ItemsOf(on, run.budget()));
    return MakeList(std::move(items), run.budget());
  }
  if (name == "max") return Extreme(run, on, bound, Order::kGreater);
  if (name == "min") return Extreme(run, on, bound, Order::kLess);
  if (name == "reverse") return Reverse(run, on);
  if (name == "sort") return Sort(run, on, bound);
  if (name == "sum") return Sum(run, on, bound);
  if (name == "unique") return Unique(run, on, bound);
  return Unsupported("safe inside of an expression", "safe at the end of an output");
}

// map, select, reject, selectattr, rejectattr: computed at once, but what goes wrong is met where its item is
// taken.
Got FilterEach(Interpreter& run, std::string_view name, const Value& on, const Arguments& arguments) {
  if (!Truth(on)) return MakeGenerator({}, std::nullopt);
  const bool maps = name == "map", by_attribute = name.ends_with("attr"), keeps = name.starts_with("select");
  const auto named = [&](std::string_view parameter) -> const Value* {
    for (const auto& [own, value] : arguments.named)
      if (own == parameter) return &value;
    return nullptr;
  };
  const Value* const path = maps && arguments.positional.empty()            ? named("attribute")
                            : by_attribute && !arguments.positional.empty() ? &arguments.positional[0]
                                                                            : nullptr;
  const std::size_t skip = by_attribute ? 1 : 0;
  if (by_attribute && path == nullptr) return MakeGenerator({}, Wrong("no name of an attribute", "a name"));
  if (maps && path == nullptr && arguments.positional.empty())
    return MakeGenerator({}, Wrong("map without a filter", "the name of a filter, or attribute"));
  if (maps && path != nullptr && arguments.named.size() > (named("default") ? 2u : 1u))
    return MakeGenerator({}, Wrong("map with other arguments", "attribute and default"));
  Arguments rest;
  std::string inner;  // the filter or the test
  const bool has_inner = arguments.positional.size() > skip && !(maps && path != nullptr);
  if (has_inner) {
    if (!arguments.positional[skip].is_string())
      return MakeGenerator({}, Wrong("a name that is no text", "a name"));
    inner = arguments.positional[skip].text();
    rest.positional.assign(arguments.positional.begin() + static_cast<std::ptrdiff_t>(skip) + 1,
                           arguments.positional.end());
    rest.named = arguments.named;
  }
  const Value* const fallback =
      maps && named("default") && !named("default")->Is(Kind::kNone) ? named("default") : nullptr;
  if (!IsIterable(on) || on.Is(Kind::kLoop))
    return MakeGenerator({}, Wrong("a " + std::string(TypeName(on)) + " has no items", "a list"));
  Items out;
  Cursor cursor(on);
  const auto step = [&]() -> Result<bool, Failure> {
    CANDOR_CHECKED(run.budget().Make(sizeof(Value)));
    CANDOR_TRY(std::optional<Value> item, cursor.Next());
    if (!item) return false;
    Value value = *item;
    if (path != nullptr) {
      CANDOR_TRY(value, Follow(run, *item, *path, fallback, true));
    }
    if (maps) {
      if (has_inner) {
        CANDOR_TRY(value, run.Filter(inner, value, rest));
      }
      out.push_back(std::move(value));
      return true;
    }
    bool passes = Truth(value);
    if (has_inner) {
      CANDOR_TRY(passes, run.Test(inner, value, rest));
    }
    if (passes == keeps) out.push_back(std::move(*item));
    return true;
  };
  while (true) {
    const auto more = step();
    if (!more && more.error().code == Code::kInputTooLarge) return more.error();
    if (!more) return MakeGenerator(std::move(out), more.error());
    if (!*more) return MakeGenerator(std::move(out), std::nullopt);
  }
}

Got Interpreter::Filter(std::string_view name, const Value& on, const Arguments& arguments) {
  const Signature* const signature = FindFilter(name);
  if (signature == nullptr) return Unsupported("no filter \"" + std::string(name) + "\" here", AllFilters());
  CANDOR_CHECKED(budget_.Enter());
  Got got = [&]() -> Got {
    if (signature->any) return FilterEach(*this, name, on, arguments);
    CANDOR_TRY(const Bound bound, Bind(*signature, arguments));
    return IsTextFilter(name) ? FilterText(*this, name, on, bound) : FilterList(*this, name, on, bound);
  }();
  budget_.Leave();
  return got;
}

}  // namespace candor::text::jinja
