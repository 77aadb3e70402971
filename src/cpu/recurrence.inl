// Kernels of layers that carry a state along a sequence, over a vector type V. Columns are apart, so they may
// be split as one likes; along the rows every number is one chain in their order. Included inside a namespace
// after rows.inl.

template <Activation kActivation>
void GateByRows(ConstRows gate, std::size_t parts, ConstRows in, std::size_t rows, std::size_t cols,
                Rows out) {
  const std::size_t width = cols / parts;
  for (std::size_t r = 0; r < rows; ++r) {
    const float *const g = gate.Row(r), *const x = in.Row(r);
    float* const y = out.Row(r);
    if (width == 1) {
      for (std::size_t c = 0; c < cols; c += V::kWidth)
        (Apply<kActivation>(V::Load(g + c, cols - c)) * V::Load(x + c, cols - c)).Store(y + c, cols - c);
      continue;
    }
    for (std::size_t p = 0; p < parts; ++p) {
      const V by = Apply<kActivation>(V::Set(g[p]));
      for (std::size_t c = 0; c < width; c += V::kWidth) {
        const std::size_t at = p * width + c, left = width - c;
        (by * V::Load(x + at, left)).Store(y + at, left);
      }
    }
  }
}

inline void GateBy(Activation activation, ConstRows gate, std::size_t parts, ConstRows in, std::size_t rows,
                   std::size_t cols, Rows out) {
  CANDOR_ON_ACTIVATION(activation, GateByRows, gate, parts, in, rows, cols, out)
}

inline void Convolve(const ConvolveArgs& a) {
  const std::size_t before = a.taps - 1;
  for (std::size_t r = 0; r < a.rows; ++r)
    for (std::size_t c = 0; c < a.cols; c += V::kWidth) {
      const std::size_t left = a.cols - c;
      V sum = V::Set(0.0f);
      for (std::size_t t = 0; t < a.taps; ++t) {
        if (r + t < before && a.before.data == nullptr) continue;
        const float* const x = r + t < before ? a.before.Row(r + t) : a.in.Row(r + t - before);
        sum = Fma(V::Load(a.weight.Row(t) + c, left), V::Load(x + c, left), sum);
      }
      sum.Store(a.out.Row(r) + c, left);
    }
}

constexpr std::size_t kDeltaParts = kDeltaColumns / V::kWidth;

// A line of the state fades and is added to what the state says of the key.
CANDOR_INLINE void Fade(float* line, V keep, float key, V* known) {
#pragma GCC unroll 32
  for (std::size_t p = 0; p < kDeltaParts; ++p) {
    const V kept = V::Load(line + p * V::kWidth) * keep;
    kept.Store(line + p * V::kWidth);
    known[p] = Fma(V::Set(key), kept, known[p]);
  }
}

// A line takes what is new and is added to what the state says of the query.
CANDOR_INLINE void Learn(float* line, const V* news, float key, float query, V* answer) {
#pragma GCC unroll 32
  for (std::size_t p = 0; p < kDeltaParts; ++p) {
    const V now = Fma(V::Set(key), news[p], V::Load(line + p * V::kWidth));
    now.Store(line + p * V::kWidth);
    answer[p] = Fma(V::Set(query), now, answer[p]);
  }
}

// Twice over the state for each row. Sums over the key's columns are two chains, of even and of odd ones.
inline void Delta(const DeltaArgs& a) {
  const V zero = V::Set(0.0f), rate = Exp(V::Set(a.log_rate)), key_scale = V::Set(a.key_scale),
          query_scale = V::Set(a.query_scale);
  for (std::size_t r = 0; r < a.rows; ++r) {
    const float *const q = a.q.Row(r), *const k = a.k.Row(r), *const v = a.v.Row(r);
    const V keep = Exp(zero - rate * V::Set(*a.step.Row(r))), beta = V::Set(*a.beta.Row(r));
    V even[kDeltaParts], odd[kDeltaParts], news[kDeltaParts];
    for (std::size_t p = 0; p < kDeltaParts; ++p) even[p] = odd[p] = zero;
    std::size_t i = 0;
    float* line = a.state;
    for (; i + 2 <= a.key; i += 2, line += 2 * kDeltaColumns) {
      Fade(line, keep, k[i], even);
      Fade(line + kDeltaColumns, keep, k[i + 1], odd);
    }
    if (i < a.key) Fade(line, keep, k[i], even);
    for (std::size_t p = 0; p < kDeltaParts; ++p) {
      const V known = key_scale * (even[p] + odd[p]);
      news[p] = key_scale * (beta * (V::Load(v + p * V::kWidth, Left(a.cols, p * V::kWidth)) - known));
      even[p] = odd[p] = zero;
    }
    line = a.state;
    for (i = 0; i + 2 <= a.key; i += 2, line += 2 * kDeltaColumns) {
      Learn(line, news, k[i], q[i], even);
      Learn(line + kDeltaColumns, news, k[i + 1], q[i + 1], odd);
    }
    if (i < a.key) Learn(line, news, k[i], q[i], even);
    float* const out = a.out.Row(r);
    for (std::size_t p = 0; p < kDeltaParts; ++p) {
      const std::size_t left = Left(a.cols, p * V::kWidth);
      if (left != 0) (query_scale * (even[p] + odd[p])).Store(out + p * V::kWidth, left);
    }
  }
}
