// The functions that every template has.
#include <array>

#include "text/templates/interpreter.h"
#include "text/templates/python.h"

namespace candor::text::jinja {
namespace {

constexpr std::pair<std::string_view, Global> kGlobals[] = {{"dict", Global::kDict},
                                                            {"namespace", Global::kNamespace},
                                                            {"raise_exception", Global::kRaiseException},
                                                            {"range", Global::kRange},
                                                            {"strftime_now", Global::kStrftimeNow}};

constexpr std::int64_t kLongestRange = 100'000;  // jinja2's MAX_RANGE

Got RangeOf(const Arguments& arguments) {
  const auto& given = arguments.positional;
  if (!arguments.named.empty() || given.empty() || given.size() > 3)
    return Wrong("range with other arguments", "one to three whole numbers");
  std::int64_t bounds[3] = {0, 0, 1};
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].is_undefined()) return Wrong(given[i].text());
    if (!given[i].is_whole()) return Wrong("range of a " + std::string(TypeName(given[i])), "whole numbers");
    bounds[given.size() == 1 ? 1 : i] = given[i].whole();
  }
  if (bounds[2] == 0) return Wrong("range with steps of 0", "steps that move");
  Value range = MakeRange(bounds[0], bounds[1], bounds[2]);
  if (As<Range>(range).count > kLongestRange)
    return Wrong("a range of more items", "at most " + std::to_string(kLongestRange));
  return range;
}

std::string Padded(int value, std::size_t digits) {
  std::string text = std::to_string(value);
  return text.size() < digits ? std::string(digits - text.size(), '0') + text : text;
}

int DayOfYear(const Moment& m) {
  constexpr int kBefore[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  const bool leap = (m.year % 4 == 0 && m.year % 100 != 0) || m.year % 400 == 0;
  return kBefore[m.month - 1] + m.day + (leap && m.month > 2 ? 1 : 0);
}
int Weekday(const Moment& m) {  // 0 is Sunday
  const int y = m.year - 1;
  return (y * 365 + y / 4 - y / 100 + y / 400 + DayOfYear(m)) % 7;
}

Got Strftime(Interpreter& run, const Arguments& arguments) {
  if (arguments.positional.size() != 1 || !arguments.named.empty() || !arguments.positional[0].is_string())
    return Wrong("strftime_now with other arguments", "one text");
  if (!run.options().now)
    return Unsupported("strftime_now, whose answer depends on the day",
                       "a template with a fixed date, or a date");
  const Moment& m = *run.options().now;
  if (m.month < 1 || m.month > 12 || m.year < 1000 || m.year > 9999)
    return Unsupported("a date out of range", "years from 1000 to 9999");
  constexpr std::string_view kMonths[] = {"January",   "February", "March",    "April",
                                          "May",       "June",     "July",     "August",
                                          "September", "October",  "November", "December"};
  constexpr std::string_view kDays[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                        "Thursday", "Friday", "Saturday"};
  const std::string_view month = kMonths[m.month - 1], day = kDays[Weekday(m)];
  const int hour12 = m.hour % 12 == 0 ? 12 : m.hour % 12;
  const std::string& format = arguments.positional[0].text();
  CANDOR_CHECKED(run.budget().Make(format.size() * 16));
  std::string out;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    const char letter = ++i < format.size() ? format[i] : '\0';
    switch (letter) {
      case 'A':
        out += day;
        break;
      case 'a':
        out += day.substr(0, 3);
        break;
      case 'B':
        out += month;
        break;
      case 'b':
      case 'h':
        out += month.substr(0, 3);
        break;
      case 'Y':
        out += std::to_string(m.year);
        break;
      case 'y':
        out += Padded(m.year % 100, 2);
        break;
      case 'm':
        out += Padded(m.month, 2);
        break;
      case 'd':
        out += Padded(m.day, 2);
        break;
      case 'H':
        out += Padded(m.hour, 2);
        break;
      case 'I':
        out += Padded(hour12, 2);
        break;
      case 'p':
        out += m.hour < 12 ? "AM" : "PM";
        break;
      case 'M':
        out += Padded(m.minute, 2);
        break;
      case 'S':
        out += Padded(m.second, 2);
        break;
      case 'j':
        out += Padded(DayOfYear(m), 3);
        break;
      case 'F':
        out += std::to_string(m.year) + '-' + Padded(m.month, 2) + '-' + Padded(m.day, 2);
        break;
      case '%':
        out += '%';
        break;
      default:
        return Unsupported("the date format %" + (letter == '\0' ? std::string() : std::string(1, letter)),
                           "%a %A %b %B %d %F %H %I %j %m %M %p %S %y %Y");
    }
  }
  return MakeString(std::move(out), run.budget());
}

}  // namespace

std::optional<Global> FindGlobal(std::string_view name) {
  for (const auto& [own, global] : kGlobals)
    if (own == name) return global;
  return std::nullopt;
}

Result<std::vector<std::pair<Value, Value>>, Failure> PairsOf(Interpreter& run, const Arguments& arguments) {
  std::vector<std::pair<Value, Value>> out;
  if (arguments.positional.size() > 1) return Wrong("several values for a dictionary", "one, and named ones");
  if (!arguments.positional.empty()) {
    const Value& from = arguments.positional[0];
    if (from.is_undefined()) return Unsupported("a dictionary of nothing: " + from.text(), "a dictionary");
    if (from.Is(Kind::kDict)) {
      out = from.members();
    } else {
      CANDOR_TRY(const std::vector<Value> items, ItemsOf(from, run.budget()));
      for (const Value& item : items) {
        CANDOR_TRY(std::vector<Value> pair, ItemsOf(item, run.budget()));
        if (pair.size() != 2) return Wrong("an item that is no pair", "pairs of a key and a value");
        out.emplace_back(std::move(pair[0]), std::move(pair[1]));
      }
    }
  }
  CANDOR_CHECKED(run.budget().Make((out.size() + arguments.named.size()) * sizeof(out[0])));
  for (const auto& [name, value] : arguments.named) out.emplace_back(Value::String(name), value);
  return out;
}

Got Interpreter::MakeNamespace(std::vector<std::pair<std::string, Value>> members) {
  CANDOR_CHECKED(budget_.Make(sizeof(Attributes) + members.size() * sizeof(members[0])));
  Attributes& own = namespaces_.emplace_back();
  own.members = std::move(members);
  return Value::Of(Kind::kNamespace, std::make_shared<Namespace>(&own));
}

Got CallGlobal(Interpreter& run, Global global, const Arguments& arguments) {
  switch (global) {
    case Global::kRange:
      return RangeOf(arguments);
    case Global::kStrftimeNow:
      return Strftime(run, arguments);
    case Global::kRaiseException: {
      const bool named = arguments.positional.empty() && arguments.named.size() == 1 &&
                         arguments.named[0].first == "message";
      if (!named && (arguments.positional.size() != 1 || !arguments.named.empty()))
        return Wrong("raise_exception with other arguments", "one message");
      std::string text;
      CANDOR_CHECKED(
          AppendText(named ? arguments.named[0].second : arguments.positional[0], text, run.budget()));
      return Wrong("the template refuses: " + text);
    }
    case Global::kDict: {
      CANDOR_TRY(auto pairs, PairsOf(run, arguments));
      return MakeDict(std::move(pairs), run.budget());
    }
    case Global::kNamespace: {
      CANDOR_TRY(auto pairs, PairsOf(run, arguments));
      CANDOR_TRY(const Value dict, MakeDict(std::move(pairs), run.budget()));
      std::vector<std::pair<std::string, Value>> members;
      for (const auto& [key, value] : dict.members()) {
        if (!key.is_string()) return Unsupported("an attribute that is no text", "texts as names");
        if (key.text().starts_with('_'))
          return Wrong("an attribute of a namespace with an underscore in front", "other names");
        members.emplace_back(key.text(), value);
      }
      return run.MakeNamespace(std::move(members));
    }
  }
  return Value::None();
}

}  // namespace candor::text::jinja
