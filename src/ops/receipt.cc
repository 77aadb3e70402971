// Names of operations, and the counting of what ran.
#include "ops/receipt.h"

#include "base/check.h"

namespace candor {

std::string_view Name(Op op) {
  static constexpr std::array<std::string_view, kOpCount> kNames{
      "embed",  "gather",       "unfold",  "normalize",         "normalize_l2", "activate", "combine",
      "angles", "rotate",       "project", "feed_forward",      "route",        "experts",  "attention",
      "pool",   "project_pool", "gate",    "short_convolution", "gated_delta"};
  return kNames[static_cast<std::size_t>(op)];
}

std::string_view Name(Precision) { return "f32"; }

void OpsReceipt::Note(Op op, std::string_view kernel, Precision precision) {
  for (std::size_t i = 0; i < size_; ++i) {
    if (rows_[i].op == op && rows_[i].kernel == kernel && rows_[i].precision == precision) {
      ++rows_[i].calls;
      return;
    }
  }
  CANDOR_CHECK(size_ < rows_.size(), "more kernels than receipt rows");
  rows_[size_++] = {op, precision, kernel, 1};
}

}  // namespace candor
