#include "apps/input.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>

#include "apps/raw_member.h"
#include "base/utf8.h"
#include "io/json.h"

namespace candor::apps {
namespace {

using io::Json;
constexpr std::size_t kLineBytes = 32u << 20;  // as one request body of the server
constexpr std::size_t kLineDepth = 32;
constexpr std::size_t kReportedProblems = 20;

Error WrongLine(std::int64_t line, std::string field, std::string found, std::string allowed) {
  return {Code::kInvalidInput, Where::Line(line, std::move(field)), std::move(found), std::move(allowed)};
}

// The document's error with the line in place of the file.
Error FromJsonError(const Error& error, std::int64_t line) {
  std::string field = error.where.pointer.empty() ? "" : error.where.pointer.substr(1);
  const Code code = error.code == Code::kArtifactTooLarge ? Code::kInputTooLarge : Code::kInvalidInput;
  return {code, Where::Line(line, std::move(field)), error.found, error.allowed};
}

std::string_view AllowedKeys(LineForm form) {
  switch (form) {
    case LineForm::kText:
      return "text or ids, and id";
    case LineForm::kTextPair:
      return "text, pair, id";
    case LineForm::kDocuments:
      return "text or query, documents, id";
  }
  return {};
}

// One line's reader: takes members one by one and remembers the first thing that is wrong.
class LineReader {
 public:
  LineReader(std::int64_t line, LineForm form) : form_(form) { item_.line = line; }

  Result<Item> Read(const Json& json) {
    if (!json.is_object()) {
      return WrongLine(item_.line, "", std::string(json.KindName()), "an object");
    }
    for (const io::JsonMember& member : json.members())
      CANDOR_CHECKED(Take(std::string(member.key), member.value));
    if (!has_content_) return WrongLine(item_.line, MainKey(), "none", std::string(AllowedKeys(form_)));
    if (form_ == LineForm::kDocuments && !has_documents_) {
      return WrongLine(item_.line, "documents", "none", "a list of strings");
    }
    return std::move(item_);
  }

 private:
  const char* MainKey() const { return "text"; }

  Result<void> Take(const std::string& key, const Json& value) {
    if (key == "id") {
      item_.id = value.Dump();
      return {};
    }
    const bool documents = form_ == LineForm::kDocuments;
    if (key == "text" || (documents && key == "query")) return TakeText(key, value);
    if (key == "ids" && form_ == LineForm::kText) return TakeIds(value);
    if (key == "pair" && form_ == LineForm::kTextPair) {
      if (!value.is_string()) return WrongType(key, value, "a string");
      item_.pair = std::string(value.as_string());
      return {};
    }
    if (key == "documents" && documents) return TakeDocuments(value);
    return WrongLine(item_.line, key, "an unknown key", std::string(AllowedKeys(form_)));
  }

  Result<void> TakeText(const std::string& key, const Json& value) {
    CANDOR_CHECKED(Once(key));
    if (!value.is_string()) return WrongType(key, value, "a string");
    item_.content = std::string(value.as_string());
    return {};
  }

  Result<void> TakeIds(const Json& value) {
    CANDOR_CHECKED(Once("ids"));
    if (!value.is_array()) return WrongType("ids", value, "a list of token ids");
    TokenIds ids;
    for (const Json& id : value.items()) {
      if (!id.is_integer()) return WrongType("ids", id, "whole numbers");
      const bool fits = id.kind() == Json::Kind::kInt && id.as_int() >= 0 &&
                        id.as_int() <= std::numeric_limits<std::int32_t>::max();
      if (!fits && !item_.error) {
        item_.error = WrongLine(item_.line, "ids", id.Dump(), "ids of the vocabulary");
      }
      ids.push_back(fits ? static_cast<std::int32_t>(id.as_int()) : 0);
    }
    item_.content = std::move(ids);
    return {};
  }

  Result<void> TakeDocuments(const Json& value) {
    has_documents_ = true;
    if (!value.is_array()) return WrongType("documents", value, "a list of strings");
    for (const Json& document : value.items()) {
      if (!document.is_string()) return WrongType("documents", document, "strings");
      item_.documents.emplace_back(document.as_string());
    }
    if (item_.documents.empty()) {
      item_.error = Error{Code::kEmptyInput, Where::Line(item_.line, "documents"), "an empty list",
                          "at least one text"};
    }
    return {};
  }

  Result<void> Once(const std::string& key) {
    if (has_content_) return WrongLine(item_.line, key, "a second input in one line", "one");
    has_content_ = true;
    return {};
  }
  Error WrongType(const std::string& key, const Json& value, std::string allowed) const {
    return WrongLine(item_.line, key, std::string(value.KindName()), std::move(allowed));
  }

  LineForm form_;
  Item item_;
  bool has_content_ = false, has_documents_ = false;
};

// Calls `take(line, number)` for each line; the last one needs no line break.
template <class Take>
void ForEachLine(std::string_view input, const Take& take) {
  std::int64_t number = 0;
  while (!input.empty()) {
    const std::size_t end = input.find('\n');
    std::string_view line = input.substr(0, end);
    input.remove_prefix(end == std::string_view::npos ? input.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    take(line, ++number);
  }
}

Result<Item> ParseJsonLine(std::string_view line, std::int64_t number, LineForm form) {
  const std::size_t damage = FirstInvalidUtf8(line);
  if (damage != line.size()) {
    return WrongLine(number, "", "a byte at " + std::to_string(damage) + " that is not UTF-8", "UTF-8");
  }
  if (line.find_first_not_of(" \t") == std::string_view::npos) {
    return WrongLine(number, "", "an empty line", "one JSON object a line");
  }
  const io::JsonLimits limits{.bytes = kLineBytes, .depth = kLineDepth, .string_bytes = kLineBytes};
  const auto json = io::ParseJson(line, "line", limits);
  if (!json) return FromJsonError(json.error(), number);
  CANDOR_TRY(Item item, LineReader(number, form).Read(json.value()));
  if (const std::string_view raw = RawMember(line, "id"); !raw.empty()) item.id = raw;
  return item;
}

std::vector<Item> FromTexts(std::vector<std::string> texts, LineForm form, bool numbered) {
  std::vector<Item> items;
  if (form != LineForm::kDocuments) {
    for (std::string& text : texts) {
      Item item;
      item.line = numbered ? static_cast<std::int64_t>(items.size()) + 1 : 0;
      item.content = std::move(text);
      items.push_back(std::move(item));
    }
    return items;
  }
  if (texts.empty()) return items;
  Item item;
  item.content = std::move(texts.front());
  item.documents.assign(std::make_move_iterator(texts.begin() + 1), std::make_move_iterator(texts.end()));
  if (item.documents.empty()) {
    item.error = Error{Code::kEmptyInput, Where::Option(numbered ? "input" : "text"), "one text",
                       "one text and those to compare it with"};
  }
  items.push_back(std::move(item));
  return items;
}

Result<std::string> ReadStream(std::FILE* stream, const std::string& name, const char* option) {
  std::string bytes;
  char buffer[1 << 16];
  std::size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof buffer, stream)) > 0) bytes.append(buffer, count);
  if (std::ferror(stream) != 0) {
    return Error{Code::kInvalidInput, Where::Option(option), name + ": " + std::strerror(errno),
                 "a file that can be read"};
  }
  return bytes;
}

}  // namespace

Result<std::string> ReadFileOf(const char* option, const std::string& name) {
  if (name == "-") return ReadStream(stdin, "standard input", option);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rbe"), &std::fclose);
  if (file == nullptr) {
    return Error{Code::kInvalidInput, Where::Option(option), name + ": " + std::strerror(errno),
                 "a file that can be read"};
  }
  return ReadStream(file.get(), name, option);
}

namespace {

Planned<std::vector<Item>> Parse(const Options& options, const std::string& name, LineForm form) {
  const auto bytes = ReadFileOf("input", name);
  if (!bytes) return Problems{bytes.error()};
  const bool text = options.input_format.empty() ? name.ends_with(".txt") : options.input_format == "text";
  return text ? ParseTextLines(bytes.value(), form) : ParseJsonLines(bytes.value(), form);
}

Planned<std::vector<Item>> FromArguments(const Options& options, LineForm form) {
  Problems problems;
  for (const std::string& text : options.texts) {
    const std::size_t damage = FirstInvalidUtf8(text);
    if (damage == text.size()) continue;
    problems.push_back({Code::kInvalidInput, Where::Option("text"),
                        "a byte at " + std::to_string(damage) + " that is not UTF-8", "UTF-8"});
  }
  if (!problems.empty()) return problems;
  return FromTexts(options.texts, form, false);
}

}  // namespace

Planned<std::vector<Item>> ParseJsonLines(std::string_view input, LineForm form) {
  std::vector<Item> items;
  Problems problems;
  ForEachLine(input, [&](std::string_view line, std::int64_t number) {
    if (problems.size() >= kReportedProblems) return;
    auto item = ParseJsonLine(line, number, form);
    if (item) {
      items.push_back(std::move(item).value());
    } else {
      problems.push_back(item.error());
    }
  });
  if (!problems.empty()) return problems;
  return items;
}

Planned<std::vector<Item>> ParseTextLines(std::string_view input, LineForm form) {
  std::vector<std::string> texts;
  Problems problems;
  ForEachLine(input, [&](std::string_view line, std::int64_t number) {
    const std::size_t damage = FirstInvalidUtf8(line);
    if (damage == line.size()) {
      texts.emplace_back(line);
    } else if (problems.size() < kReportedProblems) {
      problems.push_back(
          WrongLine(number, "", "a byte at " + std::to_string(damage) + " that is not UTF-8", "UTF-8"));
    }
  });
  if (!problems.empty()) return problems;
  return FromTexts(std::move(texts), form, true);
}

Planned<std::vector<Item>> ReadItems(const Options& options, LineForm form, bool stdin_is_terminal) {
  if (!options.input && options.texts.empty() && stdin_is_terminal) {
    return Problems{{Code::kEmptyInput, Where::Option("input"), "none",
                     "--input FILE, --text TEXT, or lines on standard input"}};
  }
  auto items = options.texts.empty() ? Parse(options, options.input.value_or("-"), form)
                                     : FromArguments(options, form);
  if (items && items.value().empty()) {
    return Problems{{Code::kEmptyInput, Where::Option("input"), "no item", "at least one"}};
  }
  return items;
}

}  // namespace candor::apps
