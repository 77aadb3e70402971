// Config: one JSON object of a package as typed look-ups that remember what was asked.
//
// Absent and wrong are different answers: a missing (or null) key takes the stated default, a key of the
// wrong type or range is a problem with file, pointer, found and allowed. Every look-up leaves evidence: the
// fact, its value and where it came from. Keys nobody asked for are listed by Unread(), so none is silently
// ignored. Cheap to copy (shared document); not thread-safe while reading.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "candor/result.h"
#include "io/json.h"
#include "package/evidence.h"

namespace candor::package {

class Config {
 public:
  // `root` must stay alive inside `document`. `pointer` is the place of `root` in the file.
  Config(std::shared_ptr<const io::Json> document, const io::Json* root, std::string file,
         std::string pointer, std::shared_ptr<ReadLog> log);

  const std::string& file() const;
  Where At(std::string_view key) const;  // file and pointer of a key of this object

  bool Has(std::string_view key) const;             // present and not null; only a null counts as read
  const io::Json* Raw(std::string_view key) const;  // null when absent; counts as read
  // The value for a message: its JSON, "null", or "absent"; counts as read.
  std::string Shown(std::string_view key) const;
  std::string Text(std::string_view key, std::string_view fallback, Problems& problems) const;
  bool Flag(std::string_view key, bool fallback, Problems& problems) const;
  double Real(std::string_view key, double fallback, Problems& problems) const;
  // A whole number in [low, high].
  std::size_t Size(std::string_view key, std::size_t fallback, Problems& problems, std::size_t low = 0,
                   std::size_t high = 0x7fffffff) const;
  std::vector<std::string> Texts(std::string_view key, Problems& problems) const;  // string or list of them
  std::optional<Config> Inside(std::string_view key, Problems& problems) const;    // an object member
  std::vector<Config> Items(std::string_view key, Problems& problems) const;       // a list of objects
  // All keys of this object, in file order.
  std::vector<std::string> Keys() const;

  // The first of several spellings that is present ("hidden_act", "activation").
  std::string_view FirstOf(std::initializer_list<std::string_view> keys) const;

  // Marks a key as seen and without effect on any number, for the reason given by a written rule.
  void Ignore(std::string_view key, std::string_view rule) const;
  // Keys of the whole file (nested ones as pointers) that nobody read or ignored.
  std::vector<std::string> Unread() const;
  // Adds evidence that is more than a look-up: a choice that decides which arithmetic runs.
  void Choice(std::string_view fact, std::string_view value, std::string_view key) const;
  ReadLog& log() const { return *log_; }
  const std::shared_ptr<ReadLog>& shared_log() const { return log_; }

 private:
  template <class T, class Take>
  T LookUp(std::string_view key, T fallback, const std::string& fallback_text, std::string_view allowed,
           Problems& problems, const Take& take) const;

  std::shared_ptr<const io::Json> document_;
  const io::Json* root_;
  std::string file_, pointer_;
  std::shared_ptr<ReadLog> log_;
};

}  // namespace candor::package
