// TokenBlanks: how many blanks each token of a vocabulary begins and ends with, for post-processors that take
// them out of the offsets.
//
// Built once, then immutable; any number of threads.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/models/vocabulary.h"

namespace candor::text {

// Characters that are White_Space, or the byte alphabet's letter for a blank.
struct Blanks {
  std::int32_t leading = 0, trailing = 0;
  bool any() const { return (leading | trailing) != 0; }
};
Blanks CountBlanks(std::string_view token);

class TokenBlanks {
 public:
  explicit TokenBlanks(const Vocabulary& vocabulary);
  Blanks Of(std::int32_t id) const {
    const auto at = static_cast<std::size_t>(id);
    return at < by_id_.size() ? by_id_[at] : CountBlanks(vocabulary_.TokenOf(id));
  }

 private:
  const Vocabulary& vocabulary_;
  std::vector<Blanks> by_id_;  // ids far beyond the number of tokens are looked up
};

}  // namespace candor::text
