// The oracle's rotary positions and attention.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/reference_rows.h"

namespace candor {

using reference::Doubles;
using reference::Kernel;
using reference::U;
using reference::V;

// The angle is rounded to f32, as the references round it; the rest is exact.
void ReferenceOps::Angles(const Index& positions, const Sequences& sequences, const Rope& rope, Matrix out) {
  receipt_.Note(Op::kAngles, Kernel(Op::kAngles));
  std::vector<float> frequency(rope.pairs());
  for (const Sequence& s : sequences.host) {
    FrequenciesOf(rope, U(s.length()), frequency.data());
    for (std::int32_t r = s.begin; r < s.end; ++r) {
      const float scale = ScaleAt(rope, positions.host[U(r)]);
      for (std::size_t i = 0; i < frequency.size(); ++i) {
        const float angle = static_cast<float>(positions.host[U(r)]) * frequency[i];
        V(out)(U(r), i) = static_cast<float>(std::cos(static_cast<double>(angle))) * scale;
        V(out)(U(r), frequency.size() + i) = static_cast<float>(std::sin(static_cast<double>(angle))) * scale;
      }
    }
  }
}

void ReferenceOps::Rotate(Matrix x, std::size_t heads, Matrix angles) {
  receipt_.Note(Op::kRotate, Kernel(Op::kRotate));
  const std::size_t d = x.cols() / heads, pairs = angles.cols() / 2;
  for (std::size_t r = 0; r < x.rows(); ++r)
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t i = 0; i < pairs; ++i) {
        float &first = V(x)(r, h * d + i), &second = V(x)(r, h * d + pairs + i);
        const double cosine = static_cast<double>(V(angles)(r, i)),
                     sine = static_cast<double>(V(angles)(r, pairs + i)), a = static_cast<double>(first),
                     b = static_cast<double>(second);
        first = static_cast<float>(a * cosine - b * sine);
        second = static_cast<float>(b * cosine + a * sine);
      }
}

void ReferenceOps::Attention(const AttentionArgs& a) {
  receipt_.Note(Op::kAttention, Kernel(Op::kAttention));
  const std::size_t d = a.q.cols() / a.heads, group = a.kv_heads == 0 ? 1 : a.heads / a.kv_heads,
                    reach = a.distance_bias.rows() / 2;
  for (const Sequence& s : a.sequences.host) {
    // Rows are counted from the start of the prefix.
    const Sequence before = a.sequences.PrefixOf(s);
    const std::size_t known = U(before.length()), rows = known + U(s.length()), count = known + U(s.keys());
    const auto at = [&](std::size_t i) { return i < known ? U(before.begin) + i : U(s.begin) + i - known; };
    for (std::size_t i = known; i < rows; ++i) {
      for (std::size_t h = 0; h < a.heads; ++h) {
        const std::span<const float> q = V(a.q).Row(at(i)).subspan(h * d, d);
        const std::size_t key_head = h / group * d;
        Doubles score(count, 0.0);
        for (std::size_t j = 0; j < count; ++j) {
          const std::size_t far = i < j ? j - i : i - j;
          if (far > U(a.radius) || (a.causal && j > i)) {
            score[j] = -std::numeric_limits<double>::infinity();
            continue;
          }
          for (std::size_t c = 0; c < d; ++c)
            score[j] += static_cast<double>(q[c]) * static_cast<double>(V(a.k)(at(j), key_head + c));
          score[j] *= static_cast<double>(a.scale);
          if (a.softcap != 0) {
            const double cap = static_cast<double>(a.softcap);
            score[j] = cap * std::tanh(score[j] / cap);
          }
          if (!a.distance_bias.empty()) score[j] += static_cast<double>(V(a.distance_bias)(reach + j - i, h));
          if (a.buckets.empty()) continue;
          const std::size_t b = U(a.buckets.host[a.buckets.size() / 2 + j - i]);
          double terms = 0;
          for (std::size_t c = h * d; c < h * d + d; ++c) {
            if (!a.position_keys.empty())
              terms += static_cast<double>(V(a.q)(at(i), c)) * static_cast<double>(V(a.position_keys)(b, c));
            if (!a.position_queries.empty())
              terms +=
                  static_cast<double>(V(a.k)(at(j), c)) * static_cast<double>(V(a.position_queries)(b, c));
          }
          score[j] += terms * static_cast<double>(a.scale);
        }
        const double top = count == 0 ? 0 : *std::ranges::max_element(score);
        double sum = 0;
        for (double& x : score)
          sum += (x = x == -std::numeric_limits<double>::infinity() ? 0 : std::exp(x - top));
        for (std::size_t c = 0; c < d; ++c) {
          double y = 0;
          for (std::size_t j = 0; j < count; ++j)
            y += score[j] * static_cast<double>(V(a.v)(at(j), key_head + c));
          V(a.out)(at(i), h * d + c) = sum == 0 ? 0.0f : static_cast<float>(y / sum);
        }
      }
    }
  }
}

}  // namespace candor
