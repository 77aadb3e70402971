// Extended grapheme clusters (UAX 29) as the library sees them: the crate unicode-segmentation's rules and
// age.
//
// The classes are generated (tools/make_grapheme_tables.py). A value; one thread at a time.
#pragma once
#include <cstdint>

namespace candor::text {

// Grapheme_Cluster_Break, with Extended_Pictographic and the consonants of Indic_Conjunct_Break.
enum class GraphemeClass : std::uint8_t {
  kAny,
  kCR,
  kControl,
  kExtend,
  kExtendedPictographic,
  kInCBConsonant,
  kL,
  kLF,
  kLV,
  kLVT,
  kPrepend,
  kRegionalIndicator,
  kSpacingMark,
  kT,
  kV,
  kZWJ,
};

// Is told a text's characters from front to back; what the rules look back at is kept as state.
class GraphemeBreaker {
 public:
  // Whether a cluster starts with `c`; true for the first character.
  bool StartsWith(char32_t c);

 private:
  enum class Conjunct : std::uint8_t { kNone, kConsonant, kLinked };
  enum class Emoji : std::uint8_t { kNone, kPictograph, kJoined };
  bool Cuts(GraphemeClass after) const;

  GraphemeClass before_ = GraphemeClass::kControl;  // behind which everything starts a cluster
  Conjunct conjunct_ = Conjunct::kNone;  // what precedes: a consonant and its marks, a linker among them
  Emoji emoji_ = Emoji::kNone;           // a pictograph and its marks, then a joiner
  bool odd_indicators_ = false;          // an odd number of regional indicators
};

}  // namespace candor::text
