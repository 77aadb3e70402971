// json.dumps of Python's standard library, for the filter tojson.
#include <algorithm>

#include "base/utf8.h"
#include "text/templates/python.h"

namespace candor::text::jinja {
namespace {

void AppendString(const std::string& text, bool ascii, std::string& out) {
  const auto escape = [&out](char32_t unit) {
    out += "\\u";
    for (int i = 3; i >= 0; --i) out += "0123456789abcdef"[unit >> (4 * i) & 15];
  };
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = DecodeUtf8(text, at);
    const char32_t c = point.value;
    constexpr std::string_view kNamed = "\"\\\n\r\t\f\b", kLetters = "\"\\nrtfb";
    const std::size_t named = c < 128 ? kNamed.find(static_cast<char>(c)) : std::string_view::npos;
    if (named != std::string_view::npos) {
      out += '\\';
      out += kLetters[named];
    } else if (c < 0x20 || (ascii && c > 0x7e && c < 0x10000)) {
      escape(c);
    } else if (ascii && c >= 0x10000) {
      escape(0xd800 + ((c - 0x10000) >> 10));
      escape(0xdc00 + ((c - 0x10000) & 0x3ff));
    } else {
      out += text.substr(at, point.bytes);
    }
    at += point.bytes;
  }
  out += '"';
}

class Writer {
 public:
  Writer(const JsonStyle& style, std::string& out, Budget& budget)
      : style_(style), out_(out), budget_(budget) {}

  Done Write(const Value& value) {
    CANDOR_CHECKED(budget_.Step());
    switch (value.kind()) {
      case Kind::kNone:
        out_ += "null";
        return {};
      case Kind::kBool:
        out_ += value.whole() != 0 ? "true" : "false";
        return {};
      case Kind::kInt:
      case Kind::kFloat:
        return AppendText(value, out_, budget_);
      case Kind::kString:
        CANDOR_CHECKED(budget_.Make(value.text().size()));
        AppendString(value.text(), style_.ascii, out_);
        return {};
      case Kind::kList:
      case Kind::kTuple:
        return List(value.items());
      case Kind::kDict:
        return Dict(value);
      default:
        return Wrong("JSON of a " + std::string(TypeName(value)), "texts, numbers, lists and dictionaries");
    }
  }

 private:
  Done NewLine() {
    if (!style_.indent) return {};
    CANDOR_CHECKED(budget_.Make(1 + style_.indent->size() * level_));
    out_ += '\n';
    for (std::size_t i = 0; i < level_; ++i) out_ += *style_.indent;
    return {};
  }

  Done List(const std::vector<Value>& items) {
    if (items.empty()) {
      out_ += "[]";
      return {};
    }
    out_ += '[';
    ++level_;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_ += style_.item_separator;
      CANDOR_CHECKED(NewLine());
      CANDOR_CHECKED(Write(items[i]));
    }
    --level_;
    CANDOR_CHECKED(NewLine());
    out_ += ']';
    return {};
  }

  Done Dict(const Value& value) {
    std::vector<const std::pair<Value, Value>*> members;
    for (const auto& member : value.members()) members.push_back(&member);
    if (members.empty()) {
      out_ += "{}";
      return {};
    }
    if (style_.sort_keys) {
      if (!std::ranges::all_of(members, [](const auto* m) { return m->first.is_string(); }))
        return Unsupported("sorting keys that are no texts", "texts as keys");
      std::ranges::stable_sort(members, {},
                               [](const auto* m) -> const std::string& { return m->first.text(); });
    }
    out_ += '{';
    ++level_;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i > 0) out_ += style_.item_separator;
      CANDOR_CHECKED(NewLine());
      CANDOR_CHECKED(Key(members[i]->first));
      out_ += style_.key_separator;
      CANDOR_CHECKED(Write(members[i]->second));
    }
    --level_;
    CANDOR_CHECKED(NewLine());
    out_ += '}';
    return {};
  }

  Done Key(const Value& key) {
    if (key.is_string()) return Write(key);
    if (key.Is(Kind::kTuple)) return Wrong("JSON of a tuple as a key", "texts and numbers as keys");
    out_ += '"';
    CANDOR_CHECKED(Write(key));
    out_ += '"';
    return {};
  }

  const JsonStyle& style_;
  std::string& out_;
  Budget& budget_;
  std::size_t level_ = 0;
};

}  // namespace

Done AppendJson(const Value& value, const JsonStyle& style, std::string& out, Budget& budget) {
  return Writer(style, out, budget).Write(value);
}

}  // namespace candor::text::jinja
