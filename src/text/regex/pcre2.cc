// PCRE2 over the numbers of classes, one place after another, with a bound on the work.
//
// PCRE2 counts what one attempt goes back, not what it reads, and an attempt may read to the end of the text:
// its own limits leave a text quadratic. So each attempt sees a window of the text and may go back a few
// times; PCRE2 says when it wanted more of either, and then gets it. An attempt costs at most the product,
// small ones are free, and the sum over a text is bounded by a budget that grows with the text.
#include "text/regex/pcre2.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <bitset>
#include <string>

#include "text/limits.h"

namespace candor::text {
namespace {

template <auto kFree>
struct Freed {
  template <class T>
  void operator()(T* p) const {
    kFree(p);
  }
};
using Code = std::unique_ptr<pcre2_code, Freed<pcre2_code_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Freed<pcre2_match_data_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Freed<pcre2_match_context_free>>;
using JitStack = std::unique_ptr<pcre2_jit_stack, Freed<pcre2_jit_stack_free>>;

Code Compile(const std::string& pattern, std::uint32_t options) {
  int error = 0;
  PCRE2_SIZE place = 0;
  return Code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                            options | PCRE2_NEVER_UTF, &error, &place, nullptr));
}

// Which classes a match may begin with.
struct First {
  std::bitset<256> classes;
  bool may_be_empty = true;
};
First FirstOf(const pcre2_code* code) {
  First out;
  std::uint32_t empty = 1, kind = 0, unit = 0;
  const std::uint8_t* bits = nullptr;
  pcre2_pattern_info(code, PCRE2_INFO_MATCHEMPTY, &empty);
  pcre2_pattern_info(code, PCRE2_INFO_FIRSTCODETYPE, &kind);
  pcre2_pattern_info(code, PCRE2_INFO_FIRSTCODEUNIT, &unit);
  pcre2_pattern_info(code, PCRE2_INFO_FIRSTBITMAP, &bits);
  out.may_be_empty = empty != 0;
  for (std::size_t i = 0; i < out.classes.size(); ++i) {
    out.classes[i] = out.may_be_empty || (kind == 1         ? unit == i
                                          : bits != nullptr ? (bits[i / 8] >> (i % 8) & 1) != 0
                                                            : true);
  }
  return out;
}

// One pass over one text.
class Search {
 public:
  Search(const pcre2_code* code, const First& first, std::string_view classes)
      : code_(code),
        first_(first),
        classes_(classes),
        data_(pcre2_match_data_create(1, nullptr)),
        context_(pcre2_match_context_create(nullptr)),
        budget_(kBase + kPerCharacter * classes.size()) {}

  // From `from` on: 1 and the bounds, 0 when there is none, -1 when it would take too long.
  int Next(std::size_t from, std::size_t& begin, std::size_t& end) {
    for (begin = from; begin <= classes_.size(); ++begin) {
      if (begin == classes_.size() ? !first_.may_be_empty
                                   : !first_.classes[static_cast<unsigned char>(classes_[begin])]) {
        continue;
      }
      const int found = At(begin, end);
      if (found != 0) return found;
    }
    return 0;
  }

 private:
  static constexpr std::size_t kBase = 1'000'000'000, kPerCharacter = 2000;
  static constexpr std::size_t kWindow = 64;
  static constexpr std::uint32_t kSteps = 32;

  int At(std::size_t begin, std::size_t& end) {
    if (data_ == nullptr || context_ == nullptr) return -1;
    std::size_t window = kWindow;
    std::uint32_t steps = kSteps;
    for (bool small = true;; small = false) {
      const std::size_t seen = std::min(window, classes_.size() - begin);
      if (!small) {
        const std::size_t cost = seen * steps;
        if (cost > budget_) return -1;
        budget_ -= cost;
      }
      const bool whole = begin + seen == classes_.size();
      pcre2_set_match_limit(context_.get(), steps);
      const int found = pcre2_match(code_, reinterpret_cast<PCRE2_SPTR>(classes_.data()), begin + seen, begin,
                                    whole ? 0 : PCRE2_PARTIAL_HARD, data_.get(), context_.get());
      if (found >= 0) {
        end = pcre2_get_ovector_pointer(data_.get())[1];
        return 1;
      }
      switch (found) {
        case PCRE2_ERROR_NOMATCH:
          return 0;
        case PCRE2_ERROR_PARTIAL:
          window *= 4;
          break;
        case PCRE2_ERROR_MATCHLIMIT:
          if (steps >= kMaxRegexSteps) return -1;
          steps = std::min<std::uint32_t>(steps * 4, kMaxRegexSteps);
          break;
        case PCRE2_ERROR_JIT_STACKLIMIT:
          if (stack_ != nullptr) return -1;
          stack_.reset(pcre2_jit_stack_create(std::size_t{1} << 16, std::size_t{64} << 20, nullptr));
          if (stack_ == nullptr) return -1;
          pcre2_jit_stack_assign(context_.get(), nullptr, stack_.get());
          break;
        default:
          return -1;
      }
    }
  }

  const pcre2_code* code_;
  const First& first_;
  std::string_view classes_;
  MatchData data_;
  MatchContext context_;
  JitStack stack_;
  std::size_t budget_;
};

class Pcre2 final : public Regex {
 public:
  Pcre2(Code code, First first, ClassMap classes)
      : code_(std::move(code)), first_(first), classes_(std::move(classes)) {}

  TextLimit ForEachMatch(std::string_view text, MatchSink take) const override {
    if (text.empty()) return TextLimit::kNone;  // the library never looks at an empty text
    std::string classes;
    classes.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
      const CodePoint point = CodePointAt(text, at);
      classes.push_back(static_cast<char>(classes_.Of(point.value)));
      at += point.bytes;
    }
    std::size_t byte = 0, point = 0;  // the same place of the text
    const auto byte_of = [&](std::size_t place) {
      if (classes.size() == text.size()) return place;
      for (; point < place; ++point) byte += CodePointAt(text, byte).bytes;
      return byte;
    };
    Search search(code_.get(), first_, classes);
    constexpr std::size_t kNowhere = std::string::npos;
    std::size_t begin = 0, end = 0, last_end = kNowhere;
    for (std::size_t from = 0;;) {
      const int found = search.Next(from, begin, end);
      if (found < 0) return TextLimit::kRegexSteps;
      if (found == 0) return TextLimit::kNone;
      if (begin == end && end == last_end) {
        from = end + 1;
        if (from > classes.size()) return TextLimit::kNone;
        continue;
      }
      from = last_end = end;
      const std::size_t first = byte_of(begin);
      take(first, byte_of(end));
    }
  }
  std::size_t ShortestMatch() const override { return first_.may_be_empty ? 0 : 1; }

 private:
  Code code_;
  First first_;
  ClassMap classes_;
};

}  // namespace

RegexPtr MakePcre2(Translation translation) {
  const Code anywhere = Compile(translation.pattern, 0);
  Code code = Compile(translation.pattern, PCRE2_ANCHORED);
  if (anywhere == nullptr || code == nullptr) return nullptr;
  // Without the compiler of machine code, which some systems forbid, PCRE2 interprets: the same matches.
  pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE | PCRE2_JIT_PARTIAL_HARD);
  return std::make_unique<Pcre2>(std::move(code), FirstOf(anywhere.get()), std::move(translation.classes));
}

}  // namespace candor::text
