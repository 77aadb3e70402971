// The only user of the generated classes, and the rules GB3 to GB13.
#include "text/graphemes.h"

namespace candor::text {
namespace {

#include "text/graphemes_data.inc"

// Beside the class: Indic_Conjunct_Break is Linker, is Extend.
constexpr std::uint8_t kClassMask = 15, kLinker = 16, kConjunctExtend = 32;

std::uint8_t ValueOf(char32_t c) {
  return c > 0x10ffff ? std::uint8_t{0} : kValues[kBlockOf[c / kBlock] * kBlock + c % kBlock];
}

bool IsControl(GraphemeClass c) {
  return c == GraphemeClass::kControl || c == GraphemeClass::kCR || c == GraphemeClass::kLF;
}

}  // namespace

bool GraphemeBreaker::Cuts(GraphemeClass after) const {
  using enum GraphemeClass;
  if (IsControl(before_)) return !(before_ == kCR && after == kLF);
  switch (after) {
    case kCR:
    case kLF:
    case kControl:
      return true;
    case kExtend:
    case kZWJ:
    case kSpacingMark:
      return false;
    default:
      break;
  }
  if (before_ == kPrepend) return false;
  switch (after) {
    case kL:
    case kLV:
    case kLVT:
      return before_ != kL;
    case kV:
      return before_ != kL && before_ != kLV && before_ != kV;
    case kT:
      return before_ != kLV && before_ != kV && before_ != kLVT && before_ != kT;
    case kInCBConsonant:
      return conjunct_ != Conjunct::kLinked;
    case kExtendedPictographic:
      return emoji_ != Emoji::kJoined;
    case kRegionalIndicator:
      return !odd_indicators_;
    default:
      return true;
  }
}

bool GraphemeBreaker::StartsWith(char32_t c) {
  using enum GraphemeClass;
  const std::uint8_t value = ValueOf(c);
  if (value == 0) {
    const bool cuts = before_ != kPrepend;
    *this = {};
    before_ = kAny;
    return cuts;
  }
  const auto after = static_cast<GraphemeClass>(value & kClassMask);
  const bool cuts = Cuts(after);
  before_ = after;
  odd_indicators_ = after == kRegionalIndicator && !odd_indicators_;
  if ((value & kLinker) != 0) {
    if (conjunct_ == Conjunct::kConsonant) conjunct_ = Conjunct::kLinked;
  } else if ((value & kConjunctExtend) == 0) {
    conjunct_ = after == kInCBConsonant ? Conjunct::kConsonant : Conjunct::kNone;
  }
  if (after == kExtendedPictographic) {
    emoji_ = Emoji::kPictograph;
  } else if (emoji_ != Emoji::kPictograph || after != kExtend) {
    emoji_ = emoji_ == Emoji::kPictograph && after == kZWJ ? Emoji::kJoined : Emoji::kNone;
  }
  return cuts;
}

}  // namespace candor::text
