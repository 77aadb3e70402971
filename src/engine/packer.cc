#include "engine/packer.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace candor::engine {
namespace {

// Measured on MiniLM with two threads, batches of their own against sharing inside each operation: 2 x 64
// rows gained 1 to 3 %, 2 x 128 rows 6 %. Below, the threads share the operations.
constexpr std::size_t kRowsWorthABatch = 64;

// What all Works of a batch share.
std::pair<std::int32_t, std::size_t> Way(const tasks::Work& work) { return {work.adapter, work.route}; }
bool Same(const tasks::Work& a, const tasks::Work& b) { return Way(a) == Way(b); }

// A prefix is a sequence more, which pays from about so many rows on.
constexpr std::size_t kLeastShared = 16;

bool MayShare(const tasks::Work& w) {
  return w.sequences.size() == 1 && w.runs.size() == 1 && w.scored.empty() && w.sequences[0].unseen == 0;
}

// Rows at the start that are the same in both, and behind which each has one of its own.
std::size_t CommonRows(const tasks::Work& a, const tasks::Work& b) {
  std::size_t most = std::min(a.tokens.size(), b.tokens.size());
  if (most == 0) return 0;
  --most;
  for (const auto of : {&tasks::Work::tokens, &tasks::Work::segments, &tasks::Work::positions}) {
    const auto &x = a.*of, &y = b.*of;
    const auto end = x.begin() + static_cast<std::ptrdiff_t>(std::min({most, x.size(), y.size()}));
    if (!x.empty() || !y.empty())
      most = static_cast<std::size_t>(std::mismatch(x.begin(), end, y.begin()).first - x.begin());
  }
  return most;
}

// What Works that follow each other share, as long as each one more spares rows. In the order of their tokens
// those that share much are neighbours.
std::vector<Share> SharesOf(std::span<const tasks::Work> works, std::span<const std::size_t> order) {
  std::vector<Share> shares;
  for (std::size_t i = 0; i < order.size();) {
    const tasks::Work& first = works[order[i]];
    Share share{i, 1, 0};
    for (std::size_t j = i + 1; j < order.size() && Same(first, works[order[j]]); ++j) {
      if (!MayShare(first) || !MayShare(works[order[j]])) break;
      const Share longer{i, share.count + 1, CommonRows(first, works[order[j]])};
      if (longer.length < kLeastShared || longer.spared() < share.spared()) break;
      share = longer;
    }
    if (share.count > 1) shares.push_back(share);
    i += share.count;
  }
  return shares;
}

}  // namespace

std::vector<PackedBatch> Pack(std::span<const tasks::Work> works, const plan::Limits& limits,
                              std::size_t threads) {
  std::vector<std::size_t> order(works.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    if (!Same(works[a], works[b])) return Way(works[a]) < Way(works[b]);
    if (limits.shares_prefixes) return works[a].tokens < works[b].tokens;
    return works[a].tokens.size() > works[b].tokens.size();
  });
  const std::vector<Share> shares = limits.shares_prefixes ? SharesOf(works, order) : std::vector<Share>();
  // Batches are made equal in the rows that are a text's own: every batch has what it shares beside them.
  std::size_t total = 0;
  for (const tasks::Work& w : works) total += w.tokens.size();
  for (const Share& s : shares) total -= s.count * s.length;

  std::size_t batches = (total + limits.batch_tokens - 1) / limits.batch_tokens;
  batches = std::max(batches, std::min(threads, total / kRowsWorthABatch));
  if (batches > 1) batches = (batches + threads - 1) / threads * threads;
  const std::size_t target =
      std::min(limits.batch_tokens, std::max<std::size_t>(1, (total + std::max<std::size_t>(batches, 1) - 1) /
                                                                 std::max<std::size_t>(batches, 1)));
  std::vector<PackedBatch> out;
  std::size_t own = 0, rows = 0, sequences = 0;
  auto share = shares.begin();
  bool open = false;  // the last batch has the rows of `share`
  for (std::size_t k = 0; k < order.size(); ++k) {
    const tasks::Work& work = works[order[k]];
    if (share != shares.end() && k == share->first + share->count) ++share, open = false;
    const bool shared = share != shares.end() && k >= share->first;
    std::size_t r = work.tokens.size() - (shared && open ? share->length : 0),
                s = work.runs.size() + (shared && !open ? 1 : 0);
    const bool full =
        own >= target || rows + r > limits.max_batch_tokens || sequences + s > limits.max_sequences;
    if (out.empty() || full || !Same(works[out.back().works.front()], work)) {
      out.emplace_back();
      own = rows = sequences = 0;
      if (shared && open) r += share->length, ++s;
      open = false;
    }
    if (shared && !open) out.back().shares.push_back({out.back().works.size(), 0, share->length});
    if (shared) ++out.back().shares.back().count, open = true;
    out.back().works.push_back(order[k]);
    own += work.tokens.size() - (shared ? share->length : 0);
    rows += r, sequences += s;
  }
  // Nothing is shared by one.
  for (PackedBatch& batch : out) std::erase_if(batch.shares, [](const Share& s) { return s.count == 1; });
  return out;
}

}  // namespace candor::engine
