// Regex: where a pattern matches in a text, as the regular expressions of the tokenizers library (Oniguruma,
// Ruby syntax) find it.
//
// Patterns in wide use run on scanners written for them (scanners.cc has the table), all others on PCRE2 or
// are refused when they are read. Immutable; any number of threads.
#pragma once
#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>

#include "text/normalized.h"
#include "text/reader.h"

namespace candor::text {

// Whoever takes the matches: any callable with (begin, end), for the time of one call.
class MatchSink {
 public:
  template <class F, std::enable_if_t<!std::is_same_v<std::remove_cvref_t<F>, MatchSink>, int> = 0>
  MatchSink(F&& take)  // NOLINT: meant to convert
      : take_(const_cast<void*>(static_cast<const void*>(&take))),
        call_([](void* f, std::size_t begin, std::size_t end) {
          (*static_cast<std::remove_reference_t<F>*>(f))(begin, end);
        }) {}
  void operator()(std::size_t begin, std::size_t end) const { call_(take_, begin, end); }

 private:
  void* take_;
  void (*call_)(void*, std::size_t, std::size_t);
};

class Regex {
 public:
  virtual ~Regex() = default;
  // Every match from front to back as bytes [begin, end) of `text`, which is UTF-8; they do not overlap. A
  // match may be empty, but not where the one before it ended. Anchors and look-behind see this text only. In
  // linear time, or else answers the limit that was exceeded, after some of the matches.
  virtual TextLimit ForEachMatch(std::string_view text, MatchSink take) const = 0;
  // No match has fewer bytes; 0 where one may be empty.
  virtual std::size_t ShortestMatch() const { return 1; }
};
using RegexPtr = std::unique_ptr<const Regex>;

// The pattern at `key` of `config`: {"String": what is looked for as it stands} or {"Regex": an expression}.
// A problem and nothing where it cannot be reproduced.
RegexPtr ReadPattern(const package::Config& config, std::string_view key, Problems& problems);
// The expression that ByteLevel splits with.
const Regex& Gpt2Regex();

}  // namespace candor::text
