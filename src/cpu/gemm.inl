// The f32 product, written once over a vector type V and the type W that the weights are held in. Each output
// is one chain of fused multiply-adds along the inner dimension, from zero; rows and columns are split
// freely, the chain never is. So a row's bits depend on nothing but the row, and are the same on every table.
// Included inside a namespace; needs kPanelVectors (vectors of a packed panel) and kTileRows.

constexpr std::size_t kPanelWidth = kPanelVectors * V::kWidth;
constexpr std::size_t kLonePanels = 12 / kPanelVectors;  // panels side by side for one row: enough chains

// The right side of a product: w[k][j] in groups of vectors, `step` floats between two k, `group` between two
// groups; both are counted in values. `ahead` is prefetched into L2 as the loop goes, if any.
template <class W>
struct Stream {
  const W* w;
  std::size_t step, group;
  std::size_t columns;  // that may be read, when masked
  const char* ahead;
  std::size_t ahead_step;
};
enum class Mode { kPrefetch, kPlain, kMasked };

template <std::size_t kRows, std::size_t kVectors>
CANDOR_INLINE void Clear(V (&acc)[kRows][kVectors]) {
  CANDOR_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    CANDOR_UNROLL
    for (std::size_t j = 0; j < kVectors; ++j) acc[i][j] = V::Set(0.0f);
  }
}

// acc[i][j] += sum over k of a[i][k] * w[k][j], one chain.
template <std::size_t kRows, std::size_t kVectors, std::size_t kGroup, Mode kMode, class W>
CANDOR_INLINE void Accumulate(const float* a, std::size_t lda, const Stream<W>& stream, std::size_t inner,
                              V (&acc)[kRows][kVectors]) {
  const W* w = stream.w;
  const char* ahead = stream.ahead;
  const std::size_t step = stream.step, group = stream.group, ahead_step = stream.ahead_step;
  for (std::size_t s = 0; s < inner; ++s, w += step, ++a) {
    if constexpr (kMode == Mode::kPrefetch) {
      __builtin_prefetch(ahead, 0, 2);
      ahead += ahead_step;
    }
    V b[kVectors];
    CANDOR_UNROLL
    for (std::size_t j = 0; j < kVectors; ++j) {
      if constexpr (kMode == Mode::kMasked)
        b[j] = V::Load(w + j * V::kWidth, stream.columns - j * V::kWidth);
      else
        b[j] = V::Load(w + (j / kGroup) * group + (j % kGroup) * V::kWidth);
    }
    CANDOR_UNROLL
    for (std::size_t i = 0; i < kRows; ++i) {
      const V x = V::Set(a[i * lda]);
      CANDOR_UNROLL
      for (std::size_t j = 0; j < kVectors; ++j) acc[i][j] = Fma(x, b[j], acc[i][j]);
    }
  }
}

// An activation takes registers of its own: a second pass over the tile, still in L1.
template <Activation kActivation>
void ApplyTile(const float* tile, std::size_t rows, std::size_t width, std::size_t columns, bool accumulate,
               float* out, std::size_t ldo) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; j += V::kWidth) {
      V y = Apply<kActivation>(V::Load(tile + i * width + j));
      if (accumulate) y = V::Load(out + i * ldo + j, columns - j) + y;
      y.Store(out + i * ldo + j, columns - j);
    }
}

inline void FinishTile(Activation activation, const float* tile, std::size_t rows, std::size_t width,
                       std::size_t columns, bool accumulate, float* out, std::size_t ldo) {
  CANDOR_ON_ACTIVATION(activation, ApplyTile, tile, rows, width, columns, accumulate, out, ldo)
}

// kRows rows by kCount panels, of which number `panel` is at `w`.
template <std::size_t kRows, std::size_t kCount, class W>
__attribute__((noinline)) void Tile(const GemmArgs& g, std::size_t row, std::size_t panel, const W* w,
                                    const char* ahead, std::size_t ahead_step) {
  constexpr std::size_t kVectors = kPanelVectors * kCount, kWidth = kVectors * V::kWidth;
  V acc[kRows][kVectors];
  Clear(acc);
  const Stream<W> stream{w, kPanelWidth, g.inner * kPanelWidth, 0, ahead, ahead_step};
  Accumulate<kRows, kVectors, kPanelVectors, Mode::kPrefetch>(g.in.Row(row), g.in.stride, stream, g.inner,
                                                              acc);
  const std::size_t at = panel * kPanelWidth, left = g.outer - at, columns = left < kWidth ? left : kWidth;
  if (g.bias != nullptr) {
    CANDOR_UNROLL
    for (std::size_t j = 0; j < kVectors; ++j) {
      const V b = V::Load(g.bias + at + j * V::kWidth);
      CANDOR_UNROLL
      for (std::size_t i = 0; i < kRows; ++i) acc[i][j] = acc[i][j] + b;
    }
  }
  float* const out = g.out.Row(row) + at;
  if (g.activation == Activation::kNone && columns == kWidth) {
    CANDOR_UNROLL
    for (std::size_t i = 0; i < kRows; ++i) {
      CANDOR_UNROLL
      for (std::size_t j = 0; j < kVectors; ++j) {
        float* const y = out + i * g.out.stride + j * V::kWidth;
        (g.accumulate ? V::Load(y) + acc[i][j] : acc[i][j]).Store(y);
      }
    }
    return;
  }
  alignas(64) float tile[kRows * kWidth];
  CANDOR_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    CANDOR_UNROLL
    for (std::size_t j = 0; j < kVectors; ++j) acc[i][j].Store(tile + i * kWidth + j * V::kWidth);
  }
  FinishTile(g.activation, tile, kRows, kWidth, columns, g.accumulate, out, g.out.stride);
}

template <std::size_t kRows, class W>
CANDOR_INLINE void TileOfRows(const GemmArgs& g, std::size_t count, std::size_t row, std::size_t panel,
                              const W* w, const char* ahead, std::size_t ahead_step) {
  if constexpr (kRows > 0) {
    if (count == kRows)
      Tile<kRows, 1>(g, row, panel, w, ahead, ahead_step);
    else
      TileOfRows<kRows - 1>(g, count, row, panel, w, ahead, ahead_step);
  }
}

template <class W>
void Widen(const W* values, std::size_t count, float* out) {
  for (std::size_t i = 0; i < count; i += V::kWidth) V::Load(values + i).Store(out + i);
}

// Row tiles are made as equal as can be (9 rows are 5 + 4). One tile prefetches 4 KB ahead; of several, each
// fetches its share of the next panel. One or two rows take panels side by side. A panel that several tiles
// read is widened once for them all.
template <class W>
void GemmOf(const GemmArgs& g) {
  const std::size_t tiles = (g.rows + kTileRows - 1) / kTileRows, panel_values = g.inner * kPanelWidth;
  constexpr std::size_t kLine = kPanelWidth * sizeof(W);
  constexpr bool kWidens = !std::is_same_v<W, float>;
  const bool once = kWidens && tiles > 1 && panel_values <= kWidenedFloats;
  for (std::size_t p = g.first; p < g.last;) {
    const W* const panel = g.panels.As<W>() + p * panel_values;
    const char* const ahead = reinterpret_cast<const char*>(panel);
    if (g.rows == 1 && g.last - p >= kLonePanels) {
      Tile<1, kLonePanels>(g, 0, p, panel, ahead + 2048, kLine);
      p += kLonePanels;
    } else if (g.rows == 2 && g.last - p >= kLonePanels / 2) {
      Tile<2, kLonePanels / 2>(g, 0, p, panel, ahead + 2048, kLine);
      p += kLonePanels / 2;
    } else {
      if constexpr (kWidens)
        if (once) Widen(panel, panel_values, g.widened);
      for (std::size_t t = 0; t < tiles; ++t) {
        const std::size_t row = g.rows * t / tiles, count = g.rows * (t + 1) / tiles - row;
        const std::size_t share = tiles == 1 ? 4096 : (panel_values + panel_values * t / tiles) * sizeof(W);
        const std::size_t step = (kLine + tiles - 1) / tiles;
        if (once)
          TileOfRows<kTileRows, float>(g, count, row, p, g.widened, ahead + share, step);
        else
          TileOfRows<kTileRows>(g, count, row, p, panel, ahead + share, step);
      }
      ++p;
    }
  }
}

inline void Gemm(const GemmArgs& g) {
  if (g.panels.type == DType::kBf16)
    GemmOf<Bf16>(g);
  else if (g.panels.type == DType::kF16)
    GemmOf<F16>(g);
  else
    GemmOf<float>(g);
}
