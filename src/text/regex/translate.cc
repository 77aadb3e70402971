// The grammar, and the division of all code points into what the pattern tells apart.
#include "text/regex/translate.h"

#include <algorithm>
#include <map>
#include <utility>

#include "text/regex/parse_class.h"

namespace candor::text {
namespace {

constexpr std::string_view kAllowed =
    "alternatives, groups, look-around, greedy, lazy and possessive repeats, sets of code points";

// A piece of the translated pattern: text as it stands, or the number of a set.
struct Item {
  std::string text;
  int set = -1;
};

// Everything up to the end of a group, whose flags it ends.
struct Group {
  std::size_t begin = 0;  // its first item
  bool ignore_case = false, dot_all = false;
  bool look = false, look_behind = false;
  bool empty_before = false,
       empty = true;  // whether an alternative before, and this one so far, may match nothing
};

class Parser {
 public:
  explicit Parser(std::string_view pattern) : reader_{pattern, 0, {}} { open_.emplace_back(); }

  bool Run() {
    if (reader_.Take("(?i)")) open_.back().ignore_case = true;
    while (!reader_.done()) {
      if (!Next()) return false;
    }
    return open_.size() == 1 || Fail("a group that does not end");
  }
  const std::string& found() const { return reader_.found; }
  const std::vector<Item>& items() const { return items_; }
  const std::vector<CodePointSet>& sets() const { return sets_; }

 private:
  enum class Target : std::uint8_t { kNone, kItem, kAssertion, kRepeated };

  bool Fail(std::string what) {
    reader_.Fail(std::move(what));
    return false;
  }

  bool Next() {
    const char32_t before = std::exchange(literal_, 0);
    switch (reader_.in[reader_.at]) {
      case '|':
        ++reader_.at;
        items_.push_back({"|"});
        open_.back().empty_before |= open_.back().empty;
        open_.back().empty = true;
        target_ = Target::kNone;
        return true;
      case '(':
        return Open();
      case ')':
        return Close();
      case '*':
      case '+':
      case '?':
      case '{':
        return Repeat();
      case '[': {
        ++reader_.at;
        const auto set = ReadBracket(reader_, open_.back().ignore_case);
        return set && One(*set);
      }
      case '.':
        ++reader_.at;
        return One(open_.back().dot_all ? CodePointSet::Range(0, CodePointSet::kLast)
                                        : CodePointSet::One('\n').Complement());
      case '^':
        ++reader_.at;
        return Assert({"(?:\\A|(?<=", "\n", ")(?!\\z))"});
      case '$':
        ++reader_.at;
        return Assert({"(?:\\z|(?=", "\n", "))"});
      case '\\':
        ++reader_.at;
        return Escape(before);
      default:
        return Literal(reader_.TakePoint(), before);
    }
  }

  bool Escape(char32_t before) {
    if (reader_.Take("A")) return Assert({"\\A"});
    if (reader_.Take("z")) return Assert({"\\z"});
    if (reader_.Take("Z")) return Assert({"(?:\\z|(?=", "\n", "\\z))"});
    if (reader_.Take("b")) return Assert({"(?:(?<=", "w", ")(?!", "w", ")|(?<!", "w", ")(?=", "w", "))"});
    if (reader_.Take("B")) return Assert({"(?:(?<=", "w", ")(?=", "w", ")|(?<!", "w", ")(?!", "w", "))"});
    const auto escaped = ReadEscape(reader_, false);
    if (!escaped) return false;
    return escaped->one ? Literal(*escaped->one, before) : One(escaped->set);
  }

  // An assertion in pieces; "\n" stands for a line end, "w" for a character of words.
  bool Assert(std::initializer_list<std::string_view> pieces) {
    if (open_.back().look_behind) return Fail("an anchor in a look-behind");
    for (const std::string_view piece : pieces) {
      if (piece == "\n") {
        Put(CodePointSet::One('\n'));
      } else if (piece == "w") {
        Put(CodePointSet(NamedRanges("wordalone")));
      } else {
        items_.push_back({std::string(piece)});
      }
    }
    target_ = Target::kAssertion;
    return true;
  }

  bool Literal(char32_t c, char32_t before) {
    literal_ = c;
    if (!open_.back().ignore_case) return One(CodePointSet::One(c));
    const auto set = IgnoringCase(c);
    if (!set) return Fail("ignoring case of a letter beyond ASCII");
    // These pairs are also one letter there: sharp s and the ligatures.
    const auto small = [](char32_t x) { return static_cast<char>(x >= 'A' && x <= 'Z' ? x + 32 : x); };
    for (const std::string_view pair : {"ss", "ff", "fi", "fl", "st"}) {
      if (before != 0 && pair[0] == small(before) && pair[1] == small(c)) {
        return Fail("ignoring case of \"" + std::string(pair) + "\"");
      }
    }
    return One(*set);
  }

  bool One(const CodePointSet& set) {
    begin_ = items_.size();
    before_ = open_.back().empty;
    open_.back().empty = item_empty_ = false;
    Put(set);
    target_ = Target::kItem;
    return true;
  }

  void Put(const CodePointSet& set) {
    auto same = std::find(sets_.begin(), sets_.end(), set);
    if (same == sets_.end()) same = sets_.insert(same, set);
    items_.push_back({{}, static_cast<int>(same - sets_.begin())});
  }

  bool Open() {
    constexpr std::size_t kDeepest = 64;
    if (open_.size() == kDeepest) return Fail("groups 64 deep");
    if (open_.back().look_behind) return Fail("a group in a look-behind");
    Group group{
        .begin = items_.size(), .ignore_case = open_.back().ignore_case, .dot_all = open_.back().dot_all};
    ++reader_.at;
    std::string text = "(?:";  // without references to them, groups need no numbers
    if (reader_.Take("?")) {
      const auto letter = [this](std::size_t i) {
        return reader_.at + i < reader_.in.size() ? reader_.in[reader_.at + i] : '\0';
      };
      if (reader_.Take(":")) {
      } else if (reader_.Take(">")) {
        text = "(?>";
      } else if (reader_.Take("=") || reader_.Take("!")) {
        text = std::string("(?") + reader_.in[reader_.at - 1];
        group.look = true;
      } else if (reader_.Take("<=") || reader_.Take("<!")) {
        text = std::string("(?<") + reader_.in[reader_.at - 1];
        group.look = group.look_behind = true;
      } else if (reader_.Take("i:")) {
        group.ignore_case = true;
      } else if (reader_.Take("-i:")) {
        group.ignore_case = false;
      } else if (reader_.Take("m:")) {
        group.dot_all = true;
      } else if (letter(0) == '<' && ((letter(1) | 32) >= 'a' && (letter(1) | 32) <= 'z')) {
        const std::size_t end = reader_.in.find('>', reader_.at);
        if (end == std::string_view::npos) return Fail("a group's name that does not end");
        reader_.at = end + 1;
      } else {
        return Fail("the group (?" + std::string(1, letter(0)));
      }
    }
    items_.push_back({std::move(text)});
    open_.push_back(group);
    target_ = Target::kNone;
    return true;
  }

  bool Close() {
    if (open_.size() == 1) return Fail("a ) without its (");
    ++reader_.at;
    const Group group = open_.back();
    open_.pop_back();
    items_.push_back({")"});
    begin_ = group.begin;
    before_ = open_.back().empty;
    item_empty_ = group.look || group.empty || group.empty_before;
    if (!item_empty_) open_.back().empty = false;
    target_ = group.look ? Target::kAssertion : Target::kItem;
    return true;
  }

  bool Number(int& out) {
    constexpr int kMost = 1000;
    int digits = 0;
    for (out = 0; !reader_.done() && reader_.in[reader_.at] >= '0' && reader_.in[reader_.at] <= '9';
         ++digits) {
      out = std::min(out * 10 + (reader_.in[reader_.at++] - '0'), kMost + 1);
    }
    return digits > 0 && out <= kMost;
  }

  bool Repeat() {
    if (open_.back().look_behind) return Fail("a repeat in a look-behind");
    switch (target_) {
      case Target::kNone:
        return Fail("a repeat of nothing");
      case Target::kAssertion:
        return Fail("a repeat of an assertion");
      case Target::kRepeated:
        return Fail("a repeat of a repeat");
      case Target::kItem:
        break;
    }
    constexpr int kNoEnd = -1;
    int least = 0, most = kNoEnd;
    const char kind = reader_.in[reader_.at++];
    std::string text(1, kind);
    if (kind == '?') most = 1;
    if (kind == '+') least = 1;
    if (kind == '{') {
      if (!reader_.Starts(",") && !Number(least)) return Fail("a { that begins no repeat of up to 1000");
      most = least;
      if (reader_.Take(",")) {
        const bool open = reader_.Starts("}");
        const bool from = reader_.in[reader_.at - 2] != '{';
        if (open ? !from : !Number(most)) return Fail("a { that begins no repeat of up to 1000");
        if (open) most = kNoEnd;
      }
      if (!reader_.Take("}")) return Fail("a { that begins no repeat of up to 1000");
      if (most != kNoEnd && most < least) return Fail("a repeat that ends before it begins");
      text = "{" + std::to_string(least) + "," + (most == kNoEnd ? "" : std::to_string(most)) + "}";
    }
    // What may be empty ends its repeats in another way here and there.
    if (item_empty_ && most != 1 && most != 0) return Fail("a repeat of what may be empty");
    if (reader_.Take("?")) {
      if (kind == '{' && least == most) return Fail("{n}?");
      text += "?";
    } else if (reader_.Take("+")) {
      if (kind == '{') {  // not possessive there, but repeated again
        if (least == 0 || item_empty_) return Fail("a repeat of what may be empty");
        items_.insert(items_.begin() + static_cast<std::ptrdiff_t>(begin_), {"(?:"});
        text += ")+";
      } else {
        text += "+";
      }
    }
    if (least == 0) open_.back().empty = before_;
    items_.push_back({std::move(text)});
    target_ = Target::kRepeated;
    return true;
  }

  PatternReader reader_;
  std::vector<Item> items_;
  std::vector<CodePointSet> sets_;
  std::vector<Group> open_;
  Target target_ = Target::kNone;  // what a repeat would repeat,
  std::size_t begin_ = 0;          // where its items begin,
  bool item_empty_ = false;        // whether it may match nothing,
  bool before_ = true;             // and whether all before it in its group may
  char32_t literal_ = 0;           // the character just before
};

// Members of each set by number of class, and the map; false when a byte does not number the classes.
bool Divide(const std::vector<CodePointSet>& sets, ClassMap& map,
            std::vector<std::vector<std::uint8_t>>& members) {
  constexpr std::size_t kMost = 256;
  struct Edge {
    std::uint32_t at;
    std::size_t set;
  };
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (const CodePointRange& range : sets[i].ranges()) {
      edges.push_back({range.first, i});
      edges.push_back({range.last + 1, i});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.at < b.at; });
  std::string in(sets.size(), '0');  // which sets the code points from here on belong to
  std::map<std::string, std::uint8_t> numbers;
  std::map<std::array<std::uint8_t, ClassMap::kBlock>, std::uint16_t> blocks;
  std::array<std::uint8_t, ClassMap::kBlock> block{};
  std::size_t edge = 0;
  std::uint8_t number = 0;
  for (std::uint32_t c = 0; c <= CodePointSet::kLast; ++c) {
    const bool changes = c == 0 || (edge < edges.size() && edges[edge].at == c);
    for (; edge < edges.size() && edges[edge].at == c; ++edge) {
      in[edges[edge].set] = static_cast<char>('0' + '1' - in[edges[edge].set]);
    }
    if (changes) {
      const auto found = numbers.find(in);
      if (found == numbers.end()) {
        if (numbers.size() == kMost) return false;
        number = static_cast<std::uint8_t>(numbers.size());
        numbers.emplace(in, number);
      } else {
        number = found->second;
      }
    }
    block[c % ClassMap::kBlock] = number;
    if (c % ClassMap::kBlock != ClassMap::kBlock - 1) continue;
    const auto [same, added] = blocks.emplace(block, static_cast<std::uint16_t>(map.blocks.size()));
    if (added) map.blocks.push_back(block);
    map.block_of.push_back(same->second);
  }
  map.ascii = map.blocks[map.block_of[0]];
  members.resize(sets.size());
  for (const auto& [which, of] : numbers) {
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if (which[i] == '1') members[i].push_back(of);
    }
  }
  for (auto& list : members) std::sort(list.begin(), list.end());
  return true;
}

std::string Bytes(const std::vector<std::uint8_t>& numbers) {
  constexpr char kHex[] = "0123456789abcdef";
  const auto byte = [&](int n) { return std::string("\\x") + kHex[n >> 4] + kHex[n & 15]; };
  if (numbers.empty()) return "[^\\x00-\\xff]";
  if (numbers.size() == 1) return byte(numbers[0]);
  std::string out = "[";
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    out += byte(numbers[i]);
    if (last > i) out += "-" + byte(numbers[last]);
    i = last + 1;
  }
  return out + "]";
}

}  // namespace

Result<Translation, PatternRefusal> Translate(std::string_view pattern) {
  constexpr std::size_t kMostBytes = 4096, kMostSets = 256;
  if (pattern.size() > kMostBytes) {
    return PatternRefusal{"a pattern of " + std::to_string(pattern.size()) + " bytes",
                          "at most " + std::to_string(kMostBytes)};
  }
  Parser parser(pattern);
  if (!parser.Run()) return PatternRefusal{parser.found(), std::string(kAllowed)};
  Translation out;
  std::vector<std::vector<std::uint8_t>> members;
  if (parser.sets().size() > kMostSets || !Divide(parser.sets(), out.classes, members)) {
    return PatternRefusal{"a pattern with more than 256 sets or classes of code points", "at most 256"};
  }
  for (const Item& item : parser.items()) {
    out.pattern += item.set < 0 ? item.text : Bytes(members[static_cast<std::size_t>(item.set)]);
  }
  return out;
}

}  // namespace candor::text
