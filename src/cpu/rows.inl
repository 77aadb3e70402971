// Everything that works on rows, written once over a vector type V: norms, sums, functions, packing.
// Reductions run in sixteen lanes joined by one tree, whatever V's width. Included inside a namespace.

CANDOR_INLINE Lanes ZeroLanes() {
  Lanes lanes;
  for (std::size_t p = 0; p < Lanes::kParts; ++p) lanes.part[p] = V::Set(0.0f);
  return lanes;
}

CANDOR_INLINE std::size_t Left(std::size_t cols, std::size_t at) { return at < cols ? cols - at : 0; }

inline float RowSum(const float* x, std::size_t cols) {
  Lanes sum = ZeroLanes();
  for (std::size_t c = 0; c < cols; c += 16)
    for (std::size_t p = 0; p < Lanes::kParts; ++p) {
      const std::size_t at = c + p * V::kWidth;
      sum.part[p] = sum.part[p] + V::Load(x + at, Left(cols, at));
    }
  return JoinSum(sum);
}

// Sum of (x - centre)^2.
inline float RowSquares(const float* x, std::size_t cols, float centre) {
  Lanes sum = ZeroLanes();
  const V m = V::Set(centre);
  for (std::size_t c = 0; c < cols; c += 16)
    for (std::size_t p = 0; p < Lanes::kParts; ++p) {
      const std::size_t at = c + p * V::kWidth, left = Left(cols, at);
      const V d = Merge(V::Load(x + at, left) - m, V::Set(0.0f), left);
      sum.part[p] = Fma(d, d, sum.part[p]);
    }
  return JoinSum(sum);
}

inline void Norm(const NormArgs& a) {
  const float n = static_cast<float>(a.cols);
  for (std::size_t r = 0; r < a.rows; ++r) {
    const float* const x = a.in.Row(r);
    float* const y = a.out.Row(r);
    const float mean = a.centred ? RowSum(x, a.cols) / n : 0.0f;
    const float variance = RowSquares(x, a.cols, mean) / n;
    const V m = V::Set(mean), inverse = V::Set(1.0f / __builtin_sqrtf(variance + a.eps));
    for (std::size_t c = 0; c < a.cols; c += V::kWidth) {
      const std::size_t left = a.cols - c;
      V v = (V::Load(x + c, left) - m) * inverse;
      if (a.scale != nullptr) v = v * V::Load(a.scale + c, left);
      if (a.shift != nullptr) v = v + V::Load(a.shift + c, left);
      v.Store(y + c, left);
    }
  }
}

inline void NormL2(const NormArgs& a) {
  for (std::size_t r = 0; r < a.rows; ++r) {
    const float* const x = a.in.Row(r);
    float* const y = a.out.Row(r);
    const float length = __builtin_sqrtf(RowSquares(x, a.cols, 0.0f));
    const V divisor = V::Set(length > 1e-12f ? length : 1e-12f);
    for (std::size_t c = 0; c < a.cols; c += V::kWidth)
      (V::Load(x + c, a.cols - c) / divisor).Store(y + c, a.cols - c);
  }
}

template <Activation kActivation>
void ActivateRows(ConstRows in, std::size_t rows, std::size_t cols, Rows out) {
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < cols; c += V::kWidth)
      Apply<kActivation>(V::Load(in.Row(r) + c, cols - c)).Store(out.Row(r) + c, cols - c);
}

inline void Activate(Activation activation, ConstRows in, std::size_t rows, std::size_t cols, Rows out) {
  CANDOR_ON_ACTIVATION(activation, ActivateRows, in, rows, cols, out)
}

template <Activation kActivation>
void GateRows(ConstRows in, std::size_t rows, std::size_t cols, Rows out) {
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < cols; c += V::kWidth) {
      const std::size_t left = cols - c;
      const float* const x = in.Row(r) + c;
      (Apply<kActivation>(V::Load(x, left)) * V::Load(x + cols, left)).Store(out.Row(r) + c, left);
    }
}

inline void Gate(Activation activation, ConstRows in, std::size_t rows, std::size_t cols, Rows out) {
  CANDOR_ON_ACTIVATION(activation, GateRows, in, rows, cols, out)
}

inline void Rotate(const RotateArgs& a) {
  for (std::size_t r = 0; r < a.rows; ++r)
    for (std::size_t h = 0; h < a.heads; ++h) {
      float* const x = a.x.Row(r) + h * a.dim;
      const float* const angles = a.angles.Row(r);
      for (std::size_t c = 0; c < a.pairs; c += V::kWidth) {
        const std::size_t left = a.pairs - c;
        const V first = V::Load(x + c, left), second = V::Load(x + a.pairs + c, left),
                cosine = V::Load(angles + c, left), sine = V::Load(angles + a.pairs + c, left);
        (first * cosine - second * sine).Store(x + c, left);
        (second * cosine + first * sine).Store(x + a.pairs + c, left);
      }
    }
}

inline void Combine(float alpha, ConstRows x, float beta, ConstRows y, std::size_t rows, std::size_t cols,
                    Rows out) {
  const V a = V::Set(alpha), b = V::Set(beta);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < cols; c += V::kWidth)
      Fma(b, V::Load(y.Row(r) + c, cols - c), a * V::Load(x.Row(r) + c, cols - c))
          .Store(out.Row(r) + c, cols - c);
}

// The best come first, each the largest of those behind the one before it in this order.
inline void Route(const RouteArgs& a) {
  for (std::size_t r = 0; r < a.rows; ++r) {
    float* const score = a.scores.Row(r);
    float* const weight = a.weights.Row(r);
    std::int32_t* const chosen = a.chosen + r * a.chosen_stride;
    for (std::size_t i = 0; i < a.top_k; ++i) {
      std::size_t best = a.experts;
      for (std::size_t e = 0; e < a.experts; ++e) {
        const std::size_t last = i == 0 ? a.experts : static_cast<std::size_t>(chosen[i - 1]);
        const bool behind = i == 0 || score[e] < score[last] || (score[e] == score[last] && e > last);
        if (behind && (best == a.experts || score[e] > score[best])) best = e;
      }
      chosen[i] = static_cast<std::int32_t>(best == a.experts ? i : best);  // no order among NaNs
    }
    const V most = V::Set(score[chosen[0]]);
    for (std::size_t c = 0; c < a.experts; c += V::kWidth)
      Exp(V::Load(score + c, a.experts - c) - most).Store(score + c, a.experts - c);
    float sum = RowSum(score, a.experts);
    for (std::size_t i = 0; i < a.top_k; ++i) weight[i] = score[chosen[i]];
    if (a.renormalise) sum = RowSum(weight, a.top_k);
    for (std::size_t i = 0; i < a.top_k; ++i) weight[i] = weight[i] / sum;
    for (std::size_t i = 0; a.expert_scale != nullptr && i < a.top_k; ++i)
      weight[i] = weight[i] * a.expert_scale[chosen[i]];
  }
}

CANDOR_INLINE V LoadHeld(const Held& values, std::size_t at, std::size_t n) {
  if (values.type == DType::kBf16) return V::Load(values.As<Bf16>() + at, n);
  if (values.type == DType::kF16) return V::Load(values.As<F16>() + at, n);
  return V::Load(values.As<float>() + at, n);
}

inline void Embed(const EmbedTable* tables, std::size_t count, std::size_t rows, std::size_t cols, Rows out) {
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < cols; c += V::kWidth) {
      V sum = V::Set(0.0f);
      for (std::size_t t = 0; t < count; ++t)
        sum =
            sum + LoadHeld(tables[t].values, static_cast<std::size_t>(tables[t].ids[r]) * cols + c, cols - c);
      sum.Store(out.Row(r) + c, cols - c);
    }
}

// Each column is one chain over the rows, in their order.
inline void Pool(const PoolArgs& a) {
  if (a.rows == 0) {
    for (std::size_t c = 0; c < a.cols; c += V::kWidth) V::Set(0.0f).Store(a.out + c, a.cols - c);
    return;
  }
  const float n = static_cast<float>(a.rows);
  const float first = static_cast<float>(a.skipped + 1), last = static_cast<float>(a.skipped + a.rows);
  float divisor = 1.0f;
  if (a.pooling == Pooling::kMean) divisor = n;
  if (a.pooling == Pooling::kMeanSqrtLength) divisor = __builtin_sqrtf(n);
  if (a.pooling == Pooling::kWeightedMean) divisor = (first + last) * 0.5f * n;
  for (std::size_t c = 0; c < a.cols; c += V::kWidth) {
    const std::size_t left = a.cols - c;
    const std::size_t from = a.pooling == Pooling::kLast ? a.rows - 1 : 0;
    V y = V::Load(a.in.Row(from) + c, left);
    if (a.pooling == Pooling::kMax) {
      // Max takes the number beside a NaN, so what is not finite is summed apart: x * 0 is NaN exactly then.
      V odd = y * V::Set(0.0f);
      for (std::size_t r = 1; r < a.rows; ++r) {
        const V x = V::Load(a.in.Row(r) + c, left);
        y = Max(x, y), odd = Fma(x, V::Set(0.0f), odd);
      }
      y = y + odd;
    } else if (a.pooling == Pooling::kWeightedMean) {
      y = y * V::Set(first);
      for (std::size_t r = 1; r < a.rows; ++r)
        y = Fma(V::Load(a.in.Row(r) + c, left), V::Set(static_cast<float>(a.skipped + r + 1)), y);
    } else if (a.pooling == Pooling::kMean || a.pooling == Pooling::kMeanSqrtLength) {
      for (std::size_t r = 1; r < a.rows; ++r) y = y + V::Load(a.in.Row(r) + c, left);
    }
    if (divisor != 1.0f) y = y / V::Set(divisor);
    y.Store(a.out + c, left);
  }
}

// As the largest of Pool, and in pieces.
inline void Fold(const FoldArgs& a) {
  const std::size_t first = a.begin ? 1 : 0;
  for (std::size_t c = 0; c < a.cols; c += V::kWidth) {
    const std::size_t left = a.cols - c;
    V y = V::Load(a.begin ? a.in.Row(0) + c : a.out + c, left);
    if (a.reduce == Reduce::kMax) {
      V odd = y * V::Set(0.0f);
      for (std::size_t r = first; r < a.rows; ++r) {
        const V x = V::Load(a.in.Row(r) + c, left);
        y = Max(x, y), odd = Fma(x, V::Set(0.0f), odd);
      }
      y = y + odd;
    } else {
      for (std::size_t r = first; r < a.rows; ++r) y = y + V::Load(a.in.Row(r) + c, left);
    }
    y.Store(a.out + c, left);
  }
}

// rows <= kPanelWidth rows become the columns of one panel; columns past them, up to `fill`, are zeros. The
// zeros go in as whole vectors and first: as single floats they become a call of memset for every line.
CANDOR_INLINE void PackColumns(ConstRows in, std::size_t rows, std::size_t cols, std::size_t fill,
                               float* panel) {
  for (std::size_t c = 0; c < cols; ++c, panel += kPanelWidth) {
    for (std::size_t r = rows / V::kWidth * V::kWidth; r < fill; r += V::kWidth)
      V::Set(0.0f).Store(panel + r);
    for (std::size_t r = 0; r < rows; ++r) panel[r] = in.data[r * in.stride + c];
  }
}

inline void Pack(ConstRows in, std::size_t rows, std::size_t cols, float* panel) {
  PackColumns(in, rows, cols, kPanelWidth, panel);
}

template <class W>
void NarrowTo(const float* values, std::size_t count, W* out) {
  std::size_t i = 0;
  for (; i + V::kWidth <= count; i += V::kWidth) V::Load(values + i).Store(out + i);
  if (i == count) return;
  W some[V::kWidth];
  V::Load(values + i, count - i).Store(some);
  __builtin_memcpy(out + i, some, (count - i) * sizeof(W));
}

inline void Narrow(const float* values, std::size_t count, DType type, std::byte* out) {
  if (type == DType::kBf16)
    NarrowTo(values, count, reinterpret_cast<Bf16*>(out));
  else if (type == DType::kF16)
    NarrowTo(values, count, reinterpret_cast<F16*>(out));
  else
    __builtin_memcpy(out, values, count * sizeof(float));
}

// x * 0 is NaN exactly for infinities and NaNs.
inline bool Finite(const float* values, std::size_t count) {
  V sum[4] = {V::Set(0.0f), V::Set(0.0f), V::Set(0.0f), V::Set(0.0f)};
  for (std::size_t c = 0; c < count; c += 4 * V::kWidth)
    for (std::size_t p = 0; p < 4; ++p) {
      const std::size_t at = c + p * V::kWidth;
      sum[p] = Fma(V::Load(values + at, Left(count, at)), V::Set(0.0f), sum[p]);
    }
  float lanes[V::kWidth];
  ((sum[0] + sum[1]) + (sum[2] + sum[3])).Store(lanes);
  for (std::size_t i = 0; i < V::kWidth; ++i)
    if (!(lanes[i] == 0.0f)) return false;
  return true;
}
