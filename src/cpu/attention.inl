// Attention of one head over one sequence, written once over a vector type V. A block of query rows meets the
// keys in its sight: scores and the mixed values are products like any other (one chain each, over the head's
// columns and over the keys), softmax sums run in sixteen lanes. Blocks change no bits. Included inside a
// namespace after gemm.inl.

constexpr std::size_t kScoreFloats =
    kScratchFloats / 2;  // of scratch: a block of score rows; the rest packs keys
constexpr std::size_t kMostQueries = 64;

// Scores of kRows query rows with kVectors * V::kWidth keys of one packed panel.
template <std::size_t kRows, std::size_t kVectors>
__attribute__((noinline)) void ScoreTile(const float* q, std::size_t ldq, const float* keys, std::size_t dim,
                                         float scale, float* scores, std::size_t lds) {
  V acc[kRows][kVectors];
  Clear(acc);
  const Stream<float> stream{keys, kPanelWidth, 0, 0, nullptr, 0};
  Accumulate<kRows, kVectors, kVectors, Mode::kPlain>(q, ldq, stream, dim, acc);
  const V factor = V::Set(scale);
  CANDOR_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    CANDOR_UNROLL
    for (std::size_t j = 0; j < kVectors; ++j) (acc[i][j] * factor).Store(scores + i * lds + j * V::kWidth);
  }
}

// out = (weights * values) / sum, for kVectors vectors of value columns. The values may be in two places: the
// first call leaves its sums in out, and the second goes on with them.
struct MixCall {
  const float* weights;
  std::size_t ldw;
  const float* inverse;  // null: more follows
  const float* v;
  std::size_t ldv, columns, keys;
  float* out;
  std::size_t ldo;
  bool begin;  // out holds nothing yet
};
template <std::size_t kRows, std::size_t kVectors, Mode kMode>
__attribute__((noinline)) void MixTile(const MixCall& c) {
  V acc[kRows][kVectors];
  Clear(acc);
  if (!c.begin) {
    for (std::size_t i = 0; i < kRows; ++i)
      for (std::size_t j = 0; j < kVectors; ++j)
        acc[i][j] = V::Load(c.out + i * c.ldo + j * V::kWidth, c.columns - j * V::kWidth);
  }
  const Stream<float> stream{c.v, c.ldv, 0, c.columns, nullptr, 0};
  Accumulate<kRows, kVectors, kVectors, kMode>(c.weights, c.ldw, stream, c.keys, acc);
  CANDOR_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    CANDOR_UNROLL
    for (std::size_t j = 0; j < kVectors; ++j) {
      const V y = c.inverse == nullptr ? acc[i][j] : acc[i][j] * V::Set(c.inverse[i]);
      if constexpr (kMode == Mode::kMasked)
        y.Store(c.out + i * c.ldo + j * V::kWidth, c.columns - j * V::kWidth);
      else
        y.Store(c.out + i * c.ldo + j * V::kWidth);
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
    MixTile<kRows, kVectors, Mode::kPlain>(c);
  } else {
    MixTile<kRows, kVectors, Mode::kMasked>(c);
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

// Keys [first, last) as panels of kPanelWidth keys, zeros past the last up to a whole vector. The panel in
// which a prefix ends is filled from both places.
inline void PackKeys(const AttentionHead& a, std::size_t first, std::size_t last, float* panels) {
  for (std::size_t key = first; key < last; key += kPanelWidth, panels += a.dim * kPanelWidth) {
    const std::size_t count = last - key < kPanelWidth ? last - key : kPanelWidth;
    const std::size_t fill = (count + V::kWidth - 1) / V::kWidth * V::kWidth;
    const std::size_t known = key >= a.known ? 0 : a.known - key < count ? a.known - key : count;
    if (known != 0) PackColumns({a.known_k.Row(key), a.known_k.stride}, known, a.dim, fill, panels);
    if (known == 0)
      PackColumns({a.k.Row(key), a.k.stride}, count, a.dim, fill, panels);
    else if (known < count)
      PackColumns({a.k.Row(key + known), a.k.stride}, count - known, a.dim, 0, panels + known);
  }
}

// Rows [first, last) of a table of relative positions as panels.
inline void PackTable(ConstRows table, std::size_t dim, std::size_t first, std::size_t last, float* panels) {
  for (std::size_t row = first; row < last; row += kPanelWidth, panels += dim * kPanelWidth) {
    const std::size_t count = last - row < kPanelWidth ? last - row : kPanelWidth;
    PackColumns({table.Row(row), table.stride}, count, dim, (count + V::kWidth - 1) / V::kWidth * V::kWidth,
                panels);
  }
}

// Both tables of a head, as far as a sequence reaches, and room for a tile of each.
struct Positions {
  std::size_t first, last;  // rows that are packed
  float *keys, *queries, *key_tile, *query_tile;
};
constexpr std::size_t kTileKeys = 64;
constexpr std::size_t kTileStride = kPositionTileFloats / kTileKeys;
// A tile of 64 queries and 64 keys meets at most 127 rows, and starts with a panel.
static_assert(127 + 2 * kPanelWidth <= kTileStride && kMostQueries <= kTileKeys);

inline Positions PackPositions(const AttentionHead& a) {
  float* const at = a.scratch + kScratchFloats + kBiasFloats;
  Positions p{0,
              0,
              at,
              at + kPackedTableFloats,
              at + 2 * kPackedTableFloats,
              at + 2 * kPackedTableFloats + kPositionTileFloats};
  if (a.bucket == nullptr) return p;
  const auto reach = static_cast<std::ptrdiff_t>(a.length) - 1;
  p.first = static_cast<std::size_t>(a.bucket[-reach]),
  p.last = static_cast<std::size_t>(a.bucket[reach]) + 1;
  if (a.position_keys.data != nullptr) PackTable(a.position_keys, a.dim, p.first, p.last, p.keys);
  if (a.position_queries.data != nullptr) PackTable(a.position_queries, a.dim, p.first, p.last, p.queries);
  return p;
}

// scale * rows . table[b] for b from `b0`, the start of a panel, to `b1`.
inline void PositionTile(const AttentionHead& a, ConstRows rows, std::size_t count, const float* panels,
                         std::size_t b0, std::size_t b1, float* tile) {
  const std::size_t tiles = (count + kTileRows - 1) / kTileRows;
  for (std::size_t b = b0; b < b1; b += kPanelWidth) {
    const std::size_t left = b1 - b < kPanelWidth ? b1 - b : kPanelWidth;
    for (std::size_t t = 0; t < tiles; ++t) {
      const std::size_t r = count * t / tiles, some = count * (t + 1) / tiles - r;
      RunScore<kTileRows, kPanelVectors>({rows.Row(r), rows.stride, panels + b * a.dim, a.dim, a.scale,
                                          tile + r * kTileStride + (b - b0), kTileStride},
                                         some, (left + V::kWidth - 1) / V::kWidth);
    }
  }
}

// Adds both terms to the scores of `rows` queries from q0 on with keys [k0, k1), whose column 0 is `scores`.
inline void AddPositions(const AttentionHead& a, const Positions& p, std::size_t q0, std::size_t rows,
                         std::size_t k0, std::size_t k1, float* scores, std::size_t lds) {
  const auto row_of = [&](std::size_t q, std::size_t k) {
    return static_cast<std::size_t>(
               a.bucket[static_cast<std::ptrdiff_t>(k) - static_cast<std::ptrdiff_t>(q)]) -
           p.first;
  };
  const std::size_t b0 = row_of(q0 + rows - 1, k0) / kPanelWidth * kPanelWidth, b1 = row_of(q0, k1 - 1) + 1;
  if (a.position_keys.data != nullptr) {
    PositionTile(a, {a.q.Row(q0), a.q.stride}, rows, p.keys, b0, b1, p.key_tile);
    for (std::size_t r = 0; r < rows; ++r) {
      const float* const tile = p.key_tile + r * kTileStride;
      for (std::size_t k = k0; k < k1; ++k) scores[r * lds + k - k0] += tile[row_of(q0 + r, k) - b0];
    }
  }
  if (a.position_queries.data != nullptr) {
    PositionTile(a, {a.k.Row(k0), a.k.stride}, k1 - k0, p.queries, b0, b1, p.query_tile);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t k = k0; k < k1; ++k)
        scores[r * lds + k - k0] += p.query_tile[(k - k0) * kTileStride + row_of(q0 + r, k) - b0];
  }
}

// The keys that a block of queries meets: from a whole panel and a whole group of sixteen lanes, so that a
// key is in the same lane of every sum whichever block it is met in.
constexpr std::size_t kKeyStep = kPanelWidth % 16 == 0 ? kPanelWidth : 16 * kPanelWidth;
struct KeyRange {
  std::size_t first, last;
};
inline KeyRange KeysOf(const AttentionHead& a, std::size_t q0, std::size_t rows) {
  const std::size_t most = q0 + rows - 1,
                    end = a.length - 1 - most > a.behind ? most + a.behind + 1 : a.length;
  return {q0 > a.before ? (q0 - a.before) / kKeyStep * kKeyStep : 0, end < a.keys ? end : a.keys};
}
// Whether nothing is in the sight of a query.
inline bool Blind(const AttentionHead& a, std::size_t q) {
  return a.keys == 0 || (q >= a.keys && q - a.keys >= a.before);
}

// Scores of `rows` queries from q0 on, key range.first being column 0: biases added, and what is out of sight
// lowered to where the exponential is zero. `line` has room for a bias per distance.
inline void Adjust(const AttentionHead& a, std::size_t q0, std::size_t rows, KeyRange range, float* scores,
                   std::size_t lds, float* line) {
  const std::size_t keys = range.last - range.first;
  if (a.bias.data != nullptr) {
    // Place 0 of the line is the distance from the last query to the first key.
    const std::size_t least = a.reach + range.first - (q0 + rows - 1);
    for (std::size_t i = 0; i < keys + rows - 1; ++i) line[i] = *a.bias.Row(least + i);
    for (std::size_t r = 0; r < rows; ++r) {
      float* const x = scores + r * lds;
      const float* const bias = line + (rows - 1 - r);
      for (std::size_t c = 0; c < keys; c += V::kWidth) {
        const std::size_t left = keys - c;
        (V::Load(x + c, left) + V::Load(bias + c, left)).Store(x + c, left);
      }
    }
  }
  if (a.before >= a.length && a.behind >= a.length) return;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t q = q0 + r, from = q > a.before + range.first ? q - a.before - range.first : 0,
                      to = q + a.behind + 1 - range.first;
    float* const x = scores + r * lds;
    if (Blind(a, q)) continue;
    for (std::size_t c = 0; c < from; ++c) x[c] = -__builtin_inff();
    for (std::size_t c = to; c < keys; ++c) x[c] = -__builtin_inff();
  }
}

// Scores that stay within the cap on either side.
inline void Cap(float softcap, std::size_t rows, std::size_t keys, float* scores, std::size_t lds) {
  const V cap = V::Set(softcap);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < keys; c += V::kWidth) {
      float* const x = scores + r * lds + c;
      (cap * Tanh(V::Load(x, keys - c) / cap)).Store(x, keys - c);
    }
}

inline void Attention(const AttentionHead& a) {
  // A block of queries meets at most `span` keys. Rows of scores are padded to whole panels and to whole
  // groups of sixteen lanes.
  const std::size_t seen = a.before + a.behind + kMostQueries + kKeyStep,
                    span = seen < a.length ? seen : a.length;
  const std::size_t padded = ((span + kPanelWidth - 1) / kPanelWidth * kPanelWidth + 15) / 16 * 16;
  std::size_t block = 16384 / padded;  // 64 KB of scores stay close; but at least a full tile where it fits
  if (block < kTileRows) block = kTileRows;
  if (block * padded > kScoreFloats) block = kScoreFloats / padded;
  if (block > kMostQueries) block = kMostQueries;
  std::size_t keys_at_once = (kScratchFloats - kScoreFloats) / a.dim / kPanelWidth * kPanelWidth;
  if (keys_at_once > a.keys) keys_at_once = a.keys;
  float* const scores = a.scratch;
  float* const panels = a.scratch + kScoreFloats;
  const Positions positions = PackPositions(a);
  const bool once = keys_at_once == a.keys;
  if (once) PackKeys(a, 0, a.keys, panels);
  const std::size_t vectors = (a.dim + V::kWidth - 1) / V::kWidth;
  const std::size_t groups = (vectors + kPanelVectors - 1) / kPanelVectors;

  for (std::size_t q0 = a.first; q0 < a.last; q0 += block) {
    const std::size_t rows = a.last - q0 < block ? a.last - q0 : block;
    const std::size_t tiles = (rows + kTileRows - 1) / kTileRows;
    const KeyRange range = KeysOf(a, q0, rows);
    if (range.first >= range.last) {
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < a.dim; ++c) a.out.Row(q0 + r)[c] = 0;
      continue;
    }
    for (std::size_t k0 = range.first; k0 < range.last; k0 += keys_at_once) {
      const std::size_t k1 = range.last - k0 < keys_at_once ? range.last : k0 + keys_at_once;
      const float* const packed = once ? panels + k0 * a.dim : panels;
      if (!once) PackKeys(a, k0, k1, panels);
      for (std::size_t k = k0; k < k1; k += kPanelWidth) {
        const std::size_t left = k1 - k < kPanelWidth ? k1 - k : kPanelWidth;
        for (std::size_t t = 0; t < tiles; ++t) {
          const std::size_t r = rows * t / tiles, count = rows * (t + 1) / tiles - r;
          RunScore<kTileRows, kPanelVectors>({a.q.Row(q0 + r), a.q.stride, packed + (k - k0) * a.dim, a.dim,
                                              a.scale, scores + r * padded + (k - range.first), padded},
                                             count, (left + V::kWidth - 1) / V::kWidth);
        }
      }
    }
    if (a.softcap != 0) Cap(a.softcap, rows, range.last - range.first, scores, padded);
    if (a.bucket != nullptr) {
      for (std::size_t k = range.first; k < range.last; k += kTileKeys) {
        const std::size_t last = range.last - k < kTileKeys ? range.last : k + kTileKeys;
        AddPositions(a, positions, q0, rows, k, last, scores + (k - range.first), padded);
      }
    }
    Adjust(a, q0, rows, range, scores, padded, a.scratch + kScratchFloats);
    const std::size_t keys = range.last - range.first;
    float inverse[kMostQueries];
    for (std::size_t r = 0; r < rows; ++r) {
      float* const x = scores + r * padded;
      inverse[r] = 0;
      if (!Blind(a, q0 + r))
        inverse[r] = 1.0f / SoftmaxRow(x, keys);
      else
        for (std::size_t c = 0; c < keys; ++c) x[c] = 0;
    }
    for (std::size_t g = 0; g < groups; ++g) {
      const std::size_t v0 = vectors * g / groups, count = vectors * (g + 1) / groups - v0,
                        at = v0 * V::kWidth;
      const std::size_t left = a.dim - at;
      for (std::size_t t = 0; t < tiles; ++t) {
        const std::size_t r = rows * t / tiles, some = rows * (t + 1) / tiles - r;
        MixCall mix{scores + r * padded,    padded,       inverse + r, nullptr, 0, left, keys,
                    a.out.Row(q0 + r) + at, a.out.stride, true};
        const std::size_t known = range.first >= a.known ? 0
                                  : a.known < range.last ? a.known - range.first
                                                         : keys;
        if (known != 0) {
          MixCall first = mix;
          first.v = a.known_v.Row(range.first) + at, first.ldv = a.known_v.stride, first.keys = known;
          if (known != keys) first.inverse = nullptr;
          RunMix<kTileRows, kPanelVectors>(first, some, count);
          mix.weights += known, mix.keys -= known, mix.begin = false;
        }
        if (mix.keys == 0) continue;
        mix.v = a.v.Row(range.first + known) + at, mix.ldv = a.v.stride;
        RunMix<kTileRows, kPanelVectors>(mix, some, count);
      }
    }
  }
}
