// Reading one component of tokenizer.json: a visible table from type names to readers, and strict keys.
#pragma once
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "package/config.h"

namespace candor::text {

// One row of a folder's table.
template <class T>
struct ComponentReader {
  std::string_view type;
  T (*read)(const package::Config& config, Problems& problems);
  // Keys that the library lets be null, with a space between them. Any other that is written as null is
  // refused, as there: a reader may take null for absent.
  std::string_view may_be_null = {};
};

// unsupported_processor_recipe at `key` of `config`, unless that place has a problem already.
void Refuse(const package::Config& config, std::string_view key, std::string found, std::string allowed,
            Problems& problems);
// A problem for every key outside `known`: no key is without effect until proven so. `type` is known.
void RefuseOtherKeys(const package::Config& config, std::initializer_list<std::string_view> known,
                     Problems& problems);
// A problem for every key that is null and not in `may_be_null`, unless one of those from `before` on has its
// place.
void RefuseNulls(const package::Config& config, std::string_view may_be_null, std::size_t before,
                 Problems& problems);
// A flag that the library requires to be written.
bool RequiredFlag(const package::Config& config, std::string_view key, Problems& problems);
std::string RequiredText(const package::Config& config, std::string_view key, Problems& problems);
// A string of one character that the library requires to be written; a blank in its place after a problem.
std::string RequiredCharacter(const package::Config& config, std::string_view key, Problems& problems);
void RefuseAbsent(const package::Config& config, std::string_view key, std::string allowed,
                  Problems& problems);

// A value of the file for messages, cut where it is long.
std::string Quoted(const package::Config& config, std::string_view key);
// "A, B, C", for messages.
std::string Listed(std::span<const std::string_view> names);

template <class T>
T ReadRow(const package::Config& config, const ComponentReader<T>& row, Problems& problems) {
  const std::size_t before = problems.size();
  T made = row.read(config, problems);
  RefuseNulls(config, row.may_be_null, before, problems);
  return made;
}

// The component of the type that `config` names; T{} and a problem when the table has none. `kind`
// ("normalizer") makes it a choice that a golden must cover: "tokenizer.normalizer=NFC"; none is named for
// what encoding does not use.
template <class T>
T ReadByType(const package::Config& config, std::string_view kind, std::span<const ComponentReader<T>> table,
             Problems& problems) {
  const std::string type = RequiredText(config, "type", problems);
  std::vector<std::string_view> names;
  for (const ComponentReader<T>& row : table) {
    if (row.type == type) {
      if (!kind.empty()) config.Choice("tokenizer." + std::string(kind), type, "type");
      return ReadRow(config, row, problems);
    }
    names.push_back(row.type);
  }
  Refuse(config, "type", type, Listed(names), problems);
  return T{};
}

}  // namespace candor::text
