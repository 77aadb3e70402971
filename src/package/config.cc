#include "package/config.h"

#include <utility>

#include "base/check.h"

namespace candor::package {
namespace {

constexpr std::string_view kRule = "config/v1";

std::string Short(const io::Json& value) {
  std::string text = value.Dump();
  if (text.size() > 80) text = text.substr(0, 77) + "...";
  return text;
}

// An object or list that was looked into counts member by member; any other value counts as a whole.
void CollectUnread(const io::Json& value, const std::string& file, const std::string& pointer,
                   const ReadLog& log, std::vector<std::string>& unread) {
  const auto visit = [&](const io::Json& child, const std::string& place) {
    if (log.WasRead(file, place)) return;
    if (log.ReadBelow(file, place)) {
      CollectUnread(child, file, place, log, unread);
    } else {
      unread.push_back(place);
    }
  };
  if (value.is_object()) {
    for (const io::JsonMember& member : value.members()) {
      visit(member.value, pointer + "/" + io::EscapePointer(member.key));
    }
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.items().size(); ++i)
      visit(value.items()[i], pointer + "/" + std::to_string(i));
  }
}

}  // namespace

Config::Config(std::shared_ptr<const io::Json> document, const io::Json* root, std::string file,
               std::string pointer, std::shared_ptr<ReadLog> log)
    : document_(std::move(document)),
      root_(root),
      file_(std::move(file)),
      pointer_(std::move(pointer)),
      log_(std::move(log)) {
  CANDOR_CHECK(document_ != nullptr && root_ != nullptr && log_ != nullptr,
               "a config has a document and a log");
}

const std::string& Config::file() const { return file_; }

Where Config::At(std::string_view key) const {
  const std::string name = io::EscapePointer(key);
  std::string pointer;
  pointer.reserve(pointer_.size() + 1 + name.size());
  pointer.append(pointer_).append(1, '/').append(name);
  return Where::At(file_, std::move(pointer));
}

bool Config::Has(std::string_view key) const {
  const io::Json* value = root_->Find(key);
  if (value == nullptr) return false;
  // Whoever asks takes null for absent, and with that its meaning is known.
  if (value->is_null()) log_->MarkRead(file_, At(key).pointer);
  return !value->is_null();
}

const io::Json* Config::Raw(std::string_view key) const {
  log_->MarkRead(file_, At(key).pointer);
  return Has(key) ? root_->Find(key) : nullptr;
}

std::string Config::Shown(std::string_view key) const {
  log_->MarkRead(file_, At(key).pointer);
  const io::Json* value = root_->Find(key);
  return value == nullptr ? "absent" : value->Dump();
}

// One typed look-up: `take` gives the value or says by nullopt that type or range is wrong.
template <class T, class Take>
T Config::LookUp(std::string_view key, T fallback, const std::string& fallback_text, std::string_view allowed,
                 Problems& problems, const Take& take) const {
  const Where place = At(key);
  const bool first = log_->MarkRead(file_, place.pointer);
  const io::Json* value = root_->Find(key);
  if (value == nullptr || value->is_null()) {
    if (first) log_->Add({std::string(key), fallback_text, "registry_mapping", {}, {}, "default"});
    return fallback;
  }
  std::optional<T> taken = take(*value);
  if (!taken) {
    problems.push_back(
        {Code::kInvalidPackageSchema, place, Short(*value), std::string(allowed), Phase::kConfig});
    return fallback;
  }
  if (first) {
    log_->Add({std::string(key), value->is_string() ? std::string(value->as_string()) : Short(*value),
               "config_field", file_, place.pointer, std::string(kRule)});
  }
  return std::move(*taken);
}

std::string Config::Text(std::string_view key, std::string_view fallback, Problems& problems) const {
  return LookUp<std::string>(key, std::string(fallback), std::string(fallback), "a string", problems,
                             [](const io::Json& value) -> std::optional<std::string> {
                               if (!value.is_string()) return std::nullopt;
                               return std::string(value.as_string());
                             });
}

bool Config::Flag(std::string_view key, bool fallback, Problems& problems) const {
  return LookUp<bool>(key, fallback, fallback ? "true" : "false", "true or false", problems,
                      [](const io::Json& value) -> std::optional<bool> {
                        if (!value.is_bool()) return std::nullopt;
                        return value.as_bool();
                      });
}

double Config::Real(std::string_view key, double fallback, Problems& problems) const {
  io::JsonWriter text;
  text.Double(fallback);
  return LookUp<double>(key, fallback, text.text(), "a number", problems,
                        [](const io::Json& value) -> std::optional<double> {
                          if (!value.is_number()) return std::nullopt;
                          return value.as_real();
                        });
}

std::size_t Config::Size(std::string_view key, std::size_t fallback, Problems& problems, std::size_t low,
                         std::size_t high) const {
  const std::string allowed = "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
  return LookUp<std::size_t>(key, fallback, std::to_string(fallback), allowed, problems,
                             [&](const io::Json& value) -> std::optional<std::size_t> {
                               if (!value.is_integer()) return std::nullopt;
                               if (value.kind() == io::Json::Kind::kInt && value.as_int() < 0)
                                 return std::nullopt;
                               if (value.as_uint() < low || value.as_uint() > high) return std::nullopt;
                               return static_cast<std::size_t>(value.as_uint());
                             });
}

std::vector<std::string> Config::Texts(std::string_view key, Problems& problems) const {
  using Strings = std::vector<std::string>;
  return LookUp<Strings>(key, {}, "[]", "a string or a list of strings", problems,
                         [](const io::Json& value) -> std::optional<Strings> {
                           if (value.is_string()) return Strings{std::string(value.as_string())};
                           if (!value.is_array()) return std::nullopt;
                           Strings texts;
                           for (const io::Json& item : value.items()) {
                             if (!item.is_string()) return std::nullopt;
                             texts.emplace_back(item.as_string());
                           }
                           return texts;
                         });
}

std::optional<Config> Config::Inside(std::string_view key, Problems& problems) const {
  const Where place = At(key);
  if (!Has(key)) {
    log_->MarkRead(file_, place.pointer);
    return std::nullopt;
  }
  const io::Json* value = root_->Find(key);
  if (!value->is_object()) {
    log_->MarkRead(file_, place.pointer);
    problems.push_back({Code::kInvalidPackageSchema, place, Short(*value), "an object", Phase::kConfig});
    return std::nullopt;
  }
  if (value->members().empty()) log_->MarkRead(file_, place.pointer);
  return Config(document_, value, file_, place.pointer, log_);
}

std::vector<Config> Config::Items(std::string_view key, Problems& problems) const {
  const Where place = At(key);
  std::vector<Config> items;
  if (!Has(key)) {
    log_->MarkRead(file_, place.pointer);
    return items;
  }
  const io::Json* list = root_->Find(key);
  if (!list->is_array()) {
    log_->MarkRead(file_, place.pointer);
    problems.push_back(
        {Code::kInvalidPackageSchema, place, Short(*list), "a list of objects", Phase::kConfig});
    return items;
  }
  if (list->items().empty()) log_->MarkRead(file_, place.pointer);
  for (std::size_t i = 0; i < list->items().size(); ++i) {
    const std::string pointer = place.pointer + "/" + std::to_string(i);
    const io::Json& item = list->items()[i];
    if (item.is_object()) {
      if (item.members().empty()) log_->MarkRead(file_, pointer);
      items.push_back(Config(document_, &item, file_, pointer, log_));
    } else {
      log_->MarkRead(file_, pointer);
      problems.push_back(
          {Code::kInvalidPackageSchema, Where::At(file_, pointer), Short(item), "an object", Phase::kConfig});
    }
  }
  return items;
}

std::vector<std::string> Config::Keys() const {
  std::vector<std::string> keys;
  if (!root_->is_object()) return keys;
  for (const io::JsonMember& member : root_->members()) keys.emplace_back(member.key);
  return keys;
}

std::string_view Config::FirstOf(std::initializer_list<std::string_view> keys) const {
  for (const std::string_view key : keys) {
    if (Has(key)) return key;
  }
  return *keys.begin();
}

void Config::Ignore(std::string_view key, std::string_view rule) const {
  log_->Ignore(file_, At(key).pointer, std::string(rule));
}

std::vector<std::string> Config::Unread() const {
  std::vector<std::string> unread;
  CollectUnread(*document_, file_, {}, *log_, unread);
  return unread;
}

void Config::Choice(std::string_view fact, std::string_view value, std::string_view key) const {
  log_->Choice(fact, value, file_, At(key).pointer, kRule);
}

}  // namespace candor::package
