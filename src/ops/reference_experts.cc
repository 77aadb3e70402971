// The oracle's experts: which a row meets, and what they make of it together.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/reference_rows.h"

namespace candor {

using reference::D;
using reference::Data;
using reference::Doubles;
using reference::FeedForwardRow;
using reference::Finish;
using reference::Kernel;
using reference::Multiply;
using reference::NormedRow;
using reference::Read;
using reference::U;
using reference::V;

void ReferenceOps::Route(Matrix in, const Router& router, const Routing& out) {
  receipt_.Note(Op::kRoute, Kernel(Op::kRoute));
  for (std::size_t r = 0; r < in.rows(); ++r) {
    const Doubles score = Multiply(Read(V(in).Row(r)), router.gate);
    std::vector<std::int32_t> order(score.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order,
                             [&](std::int32_t a, std::int32_t b) { return score[U(a)] > score[U(b)]; });
    const auto size = [&](std::int32_t e) { return std::exp(score[U(e)] - score[U(order[0])]); };
    double sum = 0;
    for (std::size_t i = 0; i < (router.renormalise ? router.top_k : order.size()); ++i)
      sum += size(order[i]);
    for (std::size_t i = 0; i < router.top_k; ++i) {
      HostView<std::int32_t>(out.experts)(r, i) = order[i];
      V(out.weights)
      (r, i) = static_cast<float>(size(order[i]) / sum *
                                  (router.expert_scale ? D(Data(router.expert_scale)[U(order[i])]) : 1.0));
    }
  }
}

void ReferenceOps::Experts(Matrix in, const ExpertSet& set, const Routing& routing, Matrix out,
                           const Epilogue& epilogue) {
  receipt_.Note(Op::kExperts, Kernel(Op::kExperts));
  for (std::size_t r = 0; r < in.rows(); ++r) {
    const Doubles x = Read(V(in).Row(r));
    Doubles p(out.cols(), 0.0);
    for (std::size_t c = 0; set.shared_bias && c < p.size(); ++c) p[c] = D(Data(set.shared_bias)[c]);
    for (std::size_t i = 0; i < routing.experts.cols(); ++i) {
      const std::int32_t expert = HostView<std::int32_t>(routing.experts)(r, i);
      const Doubles y = FeedForwardRow(x, set.experts[U(expert)]);
      for (std::size_t c = 0; c < p.size(); ++c) p[c] += D(V(routing.weights)(r, i)) * y[c];
    }
    Finish(std::move(p), epilogue, V(out).Row(r), NormedRow(epilogue, r));
  }
}

}  // namespace candor
