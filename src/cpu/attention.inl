// Attention of one head over one sequence, written once over a vector type V. A block of query rows meets all
// keys: scores and the mixed values are products like any other (one chain each, over the head's columns and
// over the keys), softmax sums run in sixteen lanes. Blocks change no bits. Included inside a namespace after
// gemm.inl.

constexpr std::size_t kScoreFloats =
    kScratchFloats / 2;  // of scratch: a block of score rows; the rest packs keys
constexpr std::size_t kMostQueries = 64;

// Scores of kRows query rows with kVectors * V::kWidth keys of one packed panel.
template <std::size_t kRows, std::size_t kVectors>
__attribute__((noinline)) void ScoreTile(const float* q, std::size_t ldq, const float* keys, std::size_t dim,
                                         float scale, float* scores, std::size_t lds) {
  V acc[kRows][kVectors];
  const Stream stream{keys, kPanelWidth, 0, 0, nullptr, 0};
  Accumulate<kRows, kVectors, kVectors, Mode::kPlain>(q, ldq, stream, dim, acc);
  const V factor = V::Set(scale);
  CANDOR_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    CANDOR_UNROLL
    for (std::size_t j = 0; j < kVectors; ++j) (acc[i][j] * factor).Store(scores + i * lds + j * V::kWidth);
  }
}

// out = (weights * values) / sum, for kVectors vectors of value columns.
template <std::size_t kRows, std::size_t kVectors, Mode kMode>
__attribute__((noinline)) void MixTile(const float* weights, std::size_t ldw, const float* inverse,
                                       const float* v, std::size_t ldv, std::size_t columns, std::size_t keys,
                                       float* out, std::size_t ldo) {
  V acc[kRows][kVectors];
  const Stream stream{v, ldv, 0, columns, nullptr, 0};
  Accumulate<kRows, kVectors, kVectors, kMode>(weights, ldw, stream, keys, acc);
  CANDOR_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    CANDOR_UNROLL
    for (std::size_t j = 0; j < kVectors; ++j) {
      const V y = acc[i][j] * V::Set(inverse[i]);
      if constexpr (kMode == Mode::kMasked)
        y.Store(out + i * ldo + j * V::kWidth, columns - j * V::kWidth);
      else
        y.Store(out + i * ldo + j * V::kWidth);
    }
  }
}

struct ScoreCall {
  const float* q;
  std::size_t ldq;
  const float* keys;
  std::size_t dim;
  float scale;
  float* scores;
  std::size_t lds;
};
struct MixCall {
  const float* weights;
  std::size_t ldw;
  const float* inverse;
  const float* v;
  std::size_t ldv, columns, keys;
  float* out;
  std::size_t ldo;
};

// The tile of the wanted size, at most kRows by kVectors.
template <std::size_t kRows, std::size_t kVectors>
void RunScore(const ScoreCall& c, std::size_t rows, std::size_t vectors) {
  if constexpr (kRows == 0 || kVectors == 0) {
    return;
  } else if (vectors < kVectors) {
    RunScore<kRows, kVectors - 1>(c, rows, vectors);
  } else if (rows < kRows) {
    RunScore<kRows - 1, kVectors>(c, rows, vectors);
  } else {
    ScoreTile<kRows, kVectors>(c.q, c.ldq, c.keys, c.dim, c.scale, c.scores, c.lds);
  }
}
template <std::size_t kRows, std::size_t kVectors>
void RunMix(const MixCall& c, std::size_t rows, std::size_t vectors) {
  if constexpr (kRows == 0 || kVectors == 0) {
    return;
  } else if (vectors < kVectors) {
    RunMix<kRows, kVectors - 1>(c, rows, vectors);
  } else if (rows < kRows) {
    RunMix<kRows - 1, kVectors>(c, rows, vectors);
  } else if (c.columns >= kVectors * V::kWidth) {
    MixTile<kRows, kVectors, Mode::kPlain>(c.weights, c.ldw, c.inverse, c.v, c.ldv, c.columns, c.keys, c.out,
                                           c.ldo);
  } else {
    MixTile<kRows, kVectors, Mode::kMasked>(c.weights, c.ldw, c.inverse, c.v, c.ldv, c.columns, c.keys, c.out,
                                            c.ldo);
  }
}

// exp(x - max) in place; the sum.
inline float SoftmaxRow(float* x, std::size_t n) {
  const V lowest = V::Set(-__builtin_inff());
  Lanes top;
  for (std::size_t p = 0; p < Lanes::kParts; ++p) top.part[p] = lowest;
  for (std::size_t c = 0; c < n; c += 16)
    for (std::size_t p = 0; p < Lanes::kParts; ++p) {
      const std::size_t at = c + p * V::kWidth;
      top.part[p] = Max(Merge(V::Load(x + at), lowest, Left(n, at)), top.part[p]);
    }
  const V most = V::Set(JoinMax(top));
  Lanes sum = ZeroLanes();
  for (std::size_t c = 0; c < n; c += 16)
    for (std::size_t p = 0; p < Lanes::kParts; ++p) {
      const std::size_t at = c + p * V::kWidth;
      const V e = Exp(V::Load(x + at) - most);
      e.Store(x + at);
      sum.part[p] = sum.part[p] + Merge(e, V::Set(0.0f), Left(n, at));
    }
  return JoinSum(sum);
}

// Keys [first, last) as panels of kPanelWidth keys, zeros past the last up to a whole vector.
inline void PackKeys(const AttentionHead& a, std::size_t first, std::size_t last, float* panels) {
  for (std::size_t key = first; key < last; key += kPanelWidth, panels += a.dim * kPanelWidth) {
    const std::size_t count = last - key < kPanelWidth ? last - key : kPanelWidth;
    const std::size_t fill = (count + V::kWidth - 1) / V::kWidth * V::kWidth;
    PackColumns({a.k.Row(key), a.k.stride}, count, a.dim, fill, panels);
  }
}

inline void Attention(const AttentionHead& a) {
  // Rows of scores are padded to whole panels and to whole groups of sixteen lanes.
  const std::size_t padded = ((a.length + kPanelWidth - 1) / kPanelWidth * kPanelWidth + 15) / 16 * 16;
  std::size_t block = 16384 / padded;  // 64 KB of scores stay close; but at least a full tile where it fits
  if (block < kTileRows) block = kTileRows;
  if (block * padded > kScoreFloats) block = kScoreFloats / padded;
  if (block > kMostQueries) block = kMostQueries;
  std::size_t keys_at_once = (kScratchFloats - kScoreFloats) / a.dim / kPanelWidth * kPanelWidth;
  if (keys_at_once > a.length) keys_at_once = a.length;
  float* const scores = a.scratch;
  float* const panels = a.scratch + kScoreFloats;
  const bool once = keys_at_once == a.length;
  if (once) PackKeys(a, 0, a.length, panels);
  const std::size_t vectors = (a.dim + V::kWidth - 1) / V::kWidth;
  const std::size_t groups = (vectors + kPanelVectors - 1) / kPanelVectors;

  for (std::size_t q0 = a.first; q0 < a.last; q0 += block) {
    const std::size_t rows = a.last - q0 < block ? a.last - q0 : block;
    const std::size_t tiles = (rows + kTileRows - 1) / kTileRows;
    for (std::size_t k0 = 0; k0 < a.length; k0 += keys_at_once) {
      const std::size_t k1 = a.length - k0 < keys_at_once ? a.length : k0 + keys_at_once;
      if (!once) PackKeys(a, k0, k1, panels);
      for (std::size_t k = k0; k < k1; k += kPanelWidth) {
        const std::size_t left = k1 - k < kPanelWidth ? k1 - k : kPanelWidth;
        for (std::size_t t = 0; t < tiles; ++t) {
          const std::size_t r = rows * t / tiles, count = rows * (t + 1) / tiles - r;
          RunScore<kTileRows, kPanelVectors>({a.q.Row(q0 + r), a.q.stride, panels + (k - k0) * a.dim, a.dim,
                                              a.scale, scores + r * padded + k, padded},
                                             count, (left + V::kWidth - 1) / V::kWidth);
        }
      }
    }
    float inverse[kMostQueries];
    for (std::size_t r = 0; r < rows; ++r) inverse[r] = 1.0f / SoftmaxRow(scores + r * padded, a.length);
    for (std::size_t g = 0; g < groups; ++g) {
      const std::size_t v0 = vectors * g / groups, count = vectors * (g + 1) / groups - v0,
                        at = v0 * V::kWidth;
      const std::size_t left = a.dim - at;
      for (std::size_t t = 0; t < tiles; ++t) {
        const std::size_t r = rows * t / tiles, some = rows * (t + 1) / tiles - r;
        RunMix<kTileRows, kPanelVectors>({scores + r * padded, padded, inverse + r, a.v.data + at, a.v.stride,
                                          left, a.length, a.out.Row(q0 + r) + at, a.out.stride},
                                         some, count);
      }
    }
  }
}
