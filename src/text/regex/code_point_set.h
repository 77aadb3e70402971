// CodePointSet: a set of code points as ranges, in order and apart. A value.
#pragma once
#include <span>
#include <vector>

#include "text/regex/classes.h"

namespace candor::text {

class CodePointSet {
 public:
  static constexpr std::uint32_t kLast = 0x10ffff;

  CodePointSet() = default;
  explicit CodePointSet(std::span<const CodePointRange> ranges) : ranges_(ranges.begin(), ranges.end()) {}
  static CodePointSet One(std::uint32_t c) { return Range(c, c); }
  static CodePointSet Range(std::uint32_t first, std::uint32_t last);
  static CodePointSet Of(ClassMask mask);  // general categories

  void Add(const CodePointSet& other);
  CodePointSet Complement() const;
  void Intersect(const CodePointSet& other);
  bool ascii() const { return ranges_.empty() || ranges_.back().last < 128; }
  bool Has(std::uint32_t c) const;
  std::span<const CodePointRange> ranges() const { return ranges_; }
  bool operator==(const CodePointSet& other) const;

 private:
  std::vector<CodePointRange> ranges_;
};

}  // namespace candor::text
