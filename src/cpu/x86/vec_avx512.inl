// Sixteen floats; included inside an AVX-512 region. The operations of vec_scalar.inl, bit for bit.

// The plain forms of several intrinsics warn of an uninitialised value in GCC 12; maskz with all lanes is the
// same instruction.
constexpr __mmask16 kAll = 0xffff;

struct V {
  static constexpr std::size_t kWidth = 16;
  __m512 v;
  static CANDOR_INLINE __mmask16 Mask(std::size_t n) {
    return n >= 16 ? kAll : static_cast<__mmask16>((1u << n) - 1u);
  }
  static CANDOR_INLINE V Set(float x) { return {_mm512_set1_ps(x)}; }
  static CANDOR_INLINE V Load(const float* p) { return {_mm512_loadu_ps(p)}; }
  static CANDOR_INLINE V Load(const float* p, std::size_t n) { return {_mm512_maskz_loadu_ps(Mask(n), p)}; }
  static CANDOR_INLINE V Load(const Bf16* p) { return Widened<Bf16>(Bits(p)); }
  static CANDOR_INLINE V Load(const F16* p) { return Widened<F16>(Bits(p)); }
  template <class W>
  static CANDOR_INLINE V Load(const W* p, std::size_t n) {
    return Widened<W>(_mm256_maskz_loadu_epi16(Mask(n), p));
  }
  CANDOR_INLINE void Store(Bf16* p) const {
    const __m512i high = _mm512_maskz_srli_epi32(kAll, _mm512_castps_si512(v), 16);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_maskz_cvtepi32_epi16(kAll, high));
  }
  CANDOR_INLINE void Store(F16* p) const {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_maskz_cvtps_ph(kAll, v, 0));
  }
  CANDOR_INLINE void Store(float* p) const { _mm512_storeu_ps(p, v); }
  CANDOR_INLINE void Store(float* p, std::size_t n) const { _mm512_mask_storeu_ps(p, Mask(n), v); }

  static CANDOR_INLINE __m256i Bits(const void* p) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(p));
  }
  template <class W>
  static CANDOR_INLINE V Widened(__m256i bits) {
    if constexpr (std::is_same_v<W, F16>)
      return {_mm512_maskz_cvtph_ps(kAll, bits)};
    else
      return {
          _mm512_castsi512_ps(_mm512_maskz_slli_epi32(kAll, _mm512_maskz_cvtepu16_epi32(kAll, bits), 16))};
  }
};
CANDOR_INLINE V operator+(V a, V b) { return {_mm512_add_ps(a.v, b.v)}; }
CANDOR_INLINE V operator-(V a, V b) { return {_mm512_sub_ps(a.v, b.v)}; }
CANDOR_INLINE V operator*(V a, V b) { return {_mm512_mul_ps(a.v, b.v)}; }
CANDOR_INLINE V operator/(V a, V b) { return {_mm512_div_ps(a.v, b.v)}; }
CANDOR_INLINE V Fma(V a, V b, V c) { return {_mm512_fmadd_ps(a.v, b.v, c.v)}; }
CANDOR_INLINE V Min(V a, V b) { return {_mm512_maskz_min_ps(kAll, a.v, b.v)}; }
CANDOR_INLINE V Max(V a, V b) { return {_mm512_maskz_max_ps(kAll, a.v, b.v)}; }
CANDOR_INLINE V Abs(V a) { return {_mm512_abs_ps(a.v)}; }
CANDOR_INLINE V Sqrt(V a) { return {_mm512_maskz_sqrt_ps(kAll, a.v)}; }
CANDOR_INLINE V Round(V a) { return {_mm512_maskz_roundscale_ps(kAll, a.v, 8)}; }
CANDOR_INLINE V Scale(V a, V n) { return {_mm512_maskz_scalef_ps(kAll, a.v, n.v)}; }
CANDOR_INLINE V Exponent(V a) { return {_mm512_maskz_getexp_ps(kAll, a.v)}; }
CANDOR_INLINE V SelectGreater(V a, V b, V yes, V no) {
  return {_mm512_mask_blend_ps(_mm512_cmp_ps_mask(a.v, b.v, _CMP_GT_OQ), no.v, yes.v)};
}
CANDOR_INLINE V CopySign(V a, V sign) {
  return {_mm512_or_ps(a.v, _mm512_and_ps(sign.v, _mm512_set1_ps(-0.0f)))};
}
CANDOR_INLINE V Merge(V a, V b, std::size_t n) { return {_mm512_mask_mov_ps(b.v, V::Mask(n), a.v)}; }

// The sixteen lanes of a reduction, joined by halving: i with i + 8, then + 4, + 2, + 1.
struct Lanes {
  static constexpr std::size_t kParts = 1;
  V part[kParts];
};
CANDOR_INLINE __m256 LowerHalf(__m512 v) { return _mm512_maskz_extractf32x8_ps(0xff, v, 0); }
CANDOR_INLINE __m256 UpperHalf(__m512 v) { return _mm512_maskz_extractf32x8_ps(0xff, v, 1); }
CANDOR_INLINE float JoinSum(const Lanes& lanes) {
  const __m256 a = _mm256_add_ps(LowerHalf(lanes.part[0].v), UpperHalf(lanes.part[0].v));
  const __m128 b = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  const __m128 c = _mm_add_ps(b, _mm_movehl_ps(b, b));
  return _mm_cvtss_f32(_mm_add_ss(c, _mm_shuffle_ps(c, c, 1)));
}
CANDOR_INLINE float JoinMax(const Lanes& lanes) {
  const __m256 a = _mm256_max_ps(LowerHalf(lanes.part[0].v), UpperHalf(lanes.part[0].v));
  const __m128 b = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  const __m128 c = _mm_max_ps(b, _mm_movehl_ps(b, b));
  return _mm_cvtss_f32(_mm_max_ss(c, _mm_shuffle_ps(c, c, 1)));
}
