#include "apps/receipt_text.h"

#include <numeric>

#include "apps/table.h"

namespace candor::apps {
namespace {

constexpr std::size_t kShownDigits = 19;  // "sha256:" and twelve digits

std::string Short(const std::string& digest) {
  return digest.size() <= kShownDigits ? digest : digest.substr(0, kShownDigits) + "…";
}

std::string Kernels(const Receipt& receipt) {
  std::string text;
  for (const KernelRun& run : receipt.kernels) {
    if (text.find(run.kernel) != std::string::npos) continue;
    text += (text.empty() ? "" : ", ") + run.kernel;
  }
  return text;
}

std::string Decision(const Receipt& receipt) {
  constexpr std::size_t kShown = 3;
  std::string text = receipt.decision;
  const auto& choices = receipt.unqualified;
  for (std::size_t i = 0; i < choices.size() && i < kShown; ++i) text += (i == 0 ? ": " : ", ") + choices[i];
  if (choices.size() > kShown) text += " and " + std::to_string(choices.size() - kShown) + " more";
  return text;
}

}  // namespace

std::string ReceiptText(const Receipt& r) {
  const std::size_t tokens = std::accumulate(r.tokens.begin(), r.tokens.end(), std::size_t{0});
  std::string items = std::to_string(r.items) + " (" + std::to_string(tokens) + " tokens)";
  if (r.failed > 0) items += ", " + std::to_string(r.failed) + " failed";
  if (!r.truncated.empty()) items += ", " + std::to_string(r.truncated.size()) + " truncated";
  Table table;
  table.Column("").Column("");
  table.Row({"receipt", r.product + ' ' + r.version + (r.commit.empty() ? "" : " (" + r.commit + ")")});
  table.Row({"plan", Short(r.plan) + ", " + Decision(r)});
  table.Row({"package", Short(r.package) + (r.digest_cached ? " (cached)" : "")});
  table.Row({"task", r.contract + ", family " + r.family + ", route " + r.route});
  table.Row(
      {"device", r.device_selected + ", profile " + r.profile + ", weights stored as " + r.stored_dtype});
  table.Row({"items", items});
  table.Row({"kernels", Kernels(r) + (r.as_planned ? "" : " (not as planned: " + r.difference + ")")});
  table.Row({"time", Fixed(r.timings.total, 1) + " ms: queue " + Fixed(r.timings.queue, 1) + ", preprocess " +
                         Fixed(r.timings.preprocess, 1) + ", compute " + Fixed(r.timings.compute, 1) +
                         ", finish " + Fixed(r.timings.finish, 1)});
  return table.Text();
}

}  // namespace candor::apps
