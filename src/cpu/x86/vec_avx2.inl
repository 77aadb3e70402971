// Eight floats; included inside an AVX2 region. The operations of vec_scalar.inl, bit for bit.
struct V {
  static constexpr std::size_t kWidth = 8;
  __m256 v;
  static CANDOR_INLINE __m256i Mask(std::size_t n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n > 8 ? 8 : static_cast<int>(n)),
                              _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  static CANDOR_INLINE V Set(float x) { return {_mm256_set1_ps(x)}; }
  static CANDOR_INLINE V Load(const float* p) { return {_mm256_loadu_ps(p)}; }
  static CANDOR_INLINE V Load(const float* p, std::size_t n) { return {_mm256_maskload_ps(p, Mask(n))}; }
  static CANDOR_INLINE V Load(const Bf16* p) {
    return {_mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(Bits(p)), 16))};
  }
  static CANDOR_INLINE V Load(const F16* p) { return {_mm256_cvtph_ps(Bits(p))}; }
  // There are no masks for 16 bits.
  template <class W>
  static CANDOR_INLINE V Load(const W* p, std::size_t n) {
    if (n >= kWidth) return Load(p);
    W some[kWidth] = {};
    __builtin_memcpy(some, p, n * sizeof(W));
    return Load(some);
  }
  CANDOR_INLINE void Store(Bf16* p) const {
    const __m256i high = _mm256_srli_epi32(_mm256_castps_si256(v), 16);
    const __m256i pairs = _mm256_packus_epi32(high, high);  // within each half
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p),
                     _mm256_castsi256_si128(_mm256_permute4x64_epi64(pairs, 0x08)));
  }
  CANDOR_INLINE void Store(F16* p) const {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(v, 0));
  }
  CANDOR_INLINE void Store(float* p) const { _mm256_storeu_ps(p, v); }
  CANDOR_INLINE void Store(float* p, std::size_t n) const { _mm256_maskstore_ps(p, Mask(n), v); }
  static CANDOR_INLINE __m128i Bits(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
};
CANDOR_INLINE V operator+(V a, V b) { return {_mm256_add_ps(a.v, b.v)}; }
CANDOR_INLINE V operator-(V a, V b) { return {_mm256_sub_ps(a.v, b.v)}; }
CANDOR_INLINE V operator*(V a, V b) { return {_mm256_mul_ps(a.v, b.v)}; }
CANDOR_INLINE V operator/(V a, V b) { return {_mm256_div_ps(a.v, b.v)}; }
CANDOR_INLINE V Fma(V a, V b, V c) { return {_mm256_fmadd_ps(a.v, b.v, c.v)}; }
CANDOR_INLINE V Min(V a, V b) { return {_mm256_min_ps(a.v, b.v)}; }
CANDOR_INLINE V Max(V a, V b) { return {_mm256_max_ps(a.v, b.v)}; }
CANDOR_INLINE V Abs(V a) { return {_mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.v)}; }
CANDOR_INLINE V Sqrt(V a) { return {_mm256_sqrt_ps(a.v)}; }
CANDOR_INLINE V Round(V a) { return {_mm256_round_ps(a.v, 8)}; }
// In two steps, of which only the second can round: what scalef does at once, subnormal results included.
CANDOR_INLINE V PowerOfTwo(__m256i n) {
  return {_mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n, _mm256_set1_epi32(127)), 23))};
}
CANDOR_INLINE V Scale(V a, V n) {
  const __m256i whole = _mm256_cvtps_epi32(n.v), half = _mm256_srai_epi32(whole, 1);
  return a * PowerOfTwo(half) * PowerOfTwo(_mm256_sub_epi32(whole, half));
}
CANDOR_INLINE V Exponent(V a) {
  const __m256i biased = _mm256_srli_epi32(_mm256_castps_si256(a.v), 23);
  return {_mm256_cvtepi32_ps(_mm256_sub_epi32(biased, _mm256_set1_epi32(127)))};
}
CANDOR_INLINE V SelectGreater(V a, V b, V yes, V no) {
  return {_mm256_blendv_ps(no.v, yes.v, _mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ))};
}
CANDOR_INLINE V CopySign(V a, V sign) {
  return {_mm256_or_ps(a.v, _mm256_and_ps(sign.v, _mm256_set1_ps(-0.0f)))};
}
CANDOR_INLINE V Merge(V a, V b, std::size_t n) {
  return {_mm256_blendv_ps(b.v, a.v, _mm256_castsi256_ps(V::Mask(n)))};
}

// The sixteen lanes of a reduction, joined by halving: i with i + 8, then + 4, + 2, + 1.
struct Lanes {
  static constexpr std::size_t kParts = 2;
  V part[kParts];
};
CANDOR_INLINE float JoinSum(const Lanes& lanes) {
  const __m256 a = _mm256_add_ps(lanes.part[0].v, lanes.part[1].v);
  const __m128 b = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  const __m128 c = _mm_add_ps(b, _mm_movehl_ps(b, b));
  return _mm_cvtss_f32(_mm_add_ss(c, _mm_shuffle_ps(c, c, 1)));
}
CANDOR_INLINE float JoinMax(const Lanes& lanes) {
  const __m256 a = _mm256_max_ps(lanes.part[0].v, lanes.part[1].v);
  const __m128 b = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  const __m128 c = _mm_max_ps(b, _mm_movehl_ps(b, b));
  return _mm_cvtss_f32(_mm_max_ss(c, _mm_shuffle_ps(c, c, 1)));
}
