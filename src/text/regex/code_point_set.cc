// Unions and complements of ranges.
#include "text/regex/code_point_set.h"

#include <algorithm>

namespace candor::text {

CodePointSet CodePointSet::Range(std::uint32_t first, std::uint32_t last) {
  CodePointSet out;
  out.ranges_.push_back({first, last});
  return out;
}

CodePointSet CodePointSet::Of(ClassMask mask) {
  struct Run {
    CodePointRange range;
    ClassMask category;
  };
  static const std::vector<Run> runs = [] {
    std::vector<Run> out;
    for (std::uint32_t c = 0; c <= kLast; ++c) {
      const ClassMask category = ClassOf(c);
      if (out.empty() || out.back().category != category) out.push_back({{c, c}, category});
      out.back().range.last = c;
    }
    return out;
  }();
  CodePointSet out;
  for (const Run& run : runs) {
    if ((run.category & mask) == 0) continue;
    if (out.ranges_.empty() || out.ranges_.back().last + 1 != run.range.first) {
      out.ranges_.push_back(run.range);
    } else {
      out.ranges_.back().last = run.range.last;
    }
  }
  return out;
}

void CodePointSet::Add(const CodePointSet& other) {
  ranges_.insert(ranges_.end(), other.ranges_.begin(), other.ranges_.end());
  std::sort(ranges_.begin(), ranges_.end(),
            [](const CodePointRange& a, const CodePointRange& b) { return a.first < b.first; });
  std::vector<CodePointRange> out;
  for (const CodePointRange& range : ranges_) {
    if (out.empty() || out.back().last + 1 < range.first) {
      out.push_back(range);
    } else {
      out.back().last = std::max(out.back().last, range.last);
    }
  }
  ranges_ = std::move(out);
}

CodePointSet CodePointSet::Complement() const {
  CodePointSet out;
  std::uint32_t next = 0;
  for (const CodePointRange& range : ranges_) {
    if (next < range.first) out.ranges_.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= kLast) out.ranges_.push_back({next, kLast});
  return out;
}

void CodePointSet::Intersect(const CodePointSet& other) {
  CodePointSet outside = Complement();
  outside.Add(other.Complement());
  *this = outside.Complement();
}

bool CodePointSet::Has(std::uint32_t c) const {
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), c,
                                      [](std::uint32_t v, const CodePointRange& r) { return v < r.first; });
  return after != ranges_.begin() && c <= (after - 1)->last;
}

bool CodePointSet::operator==(const CodePointSet& other) const {
  return std::equal(ranges_.begin(), ranges_.end(), other.ranges_.begin(), other.ranges_.end(),
                    [](const CodePointRange& a, const CodePointRange& b) {
                      return a.first == b.first && a.last == b.last;
                    });
}

}  // namespace candor::text
