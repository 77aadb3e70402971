// One float: what the vector types of x86/ do in each lane. Included inside a namespace.
struct V {
  static constexpr std::size_t kWidth = 1;
  float v;
  static CANDOR_INLINE V Set(float x) { return {x}; }
  static CANDOR_INLINE V Load(const float* p) { return {*p}; }
  static CANDOR_INLINE V Load(const float* p, std::size_t n) { return {n != 0 ? *p : 0.0f}; }
  static CANDOR_INLINE V Load(const Bf16* p) { return {FromBits(std::uint32_t{p->bits} << 16)}; }
  // Exponent and fraction as those of an f32, whose bias is 112 higher: the product is exact.
  static CANDOR_INLINE V Load(const F16* p) {
    const float size = FromBits((p->bits & 0x7fffu) << 13) * 0x1p112f;
    return {__builtin_copysignf(size, FromBits(std::uint32_t{p->bits} << 16))};
  }
  template <class Bits>
  static CANDOR_INLINE V Load(const Bits* p, std::size_t n) {
    return n != 0 ? Load(p) : V{0.0f};
  }
  CANDOR_INLINE void Store(float* p) const { *p = v; }
  CANDOR_INLINE void Store(float* p, std::size_t n) const {
    if (n != 0) *p = v;
  }
  // Of values that have so few bits.
  CANDOR_INLINE void Store(Bf16* p) const { p->bits = static_cast<std::uint16_t>(ToBits(v) >> 16); }
  CANDOR_INLINE void Store(F16* p) const {
    const std::uint32_t size = ToBits(__builtin_fabsf(v) * 0x1p-112f) >> 13;
    p->bits = static_cast<std::uint16_t>((ToBits(v) >> 16 & 0x8000u) | size);
  }
  static CANDOR_INLINE float FromBits(std::uint32_t bits) {
    float x = 0;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
  }
  static CANDOR_INLINE std::uint32_t ToBits(float x) {
    std::uint32_t bits = 0;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
  }
};
CANDOR_INLINE V operator+(V a, V b) { return {a.v + b.v}; }
CANDOR_INLINE V operator-(V a, V b) { return {a.v - b.v}; }
CANDOR_INLINE V operator*(V a, V b) { return {a.v * b.v}; }
CANDOR_INLINE V operator/(V a, V b) { return {a.v / b.v}; }
CANDOR_INLINE V Fma(V a, V b, V c) { return {__builtin_fmaf(a.v, b.v, c.v)}; }
// The second operand where they cannot be ordered, as the x86 instructions do.
CANDOR_INLINE V Min(V a, V b) { return {a.v < b.v ? a.v : b.v}; }
CANDOR_INLINE V Max(V a, V b) { return {a.v > b.v ? a.v : b.v}; }
CANDOR_INLINE V Abs(V a) { return {__builtin_fabsf(a.v)}; }
CANDOR_INLINE V Sqrt(V a) { return {__builtin_sqrtf(a.v)}; }
CANDOR_INLINE V Round(V a) { return {__builtin_nearbyintf(a.v)}; }  // to nearest even
// a * 2^n, rounded once.
CANDOR_INLINE V Scale(V a, V n) {
  const int whole = n.v == n.v ? static_cast<int>(n.v) : 0;  // a NaN stays one through `a`
  return {__builtin_ldexpf(a.v, whole)};
}
// The exponent of a normal positive number: 0 for 1 to 2.
CANDOR_INLINE V Exponent(V a) {
  return {static_cast<float>(static_cast<std::int32_t>(V::ToBits(a.v) >> 23) - 127)};
}
CANDOR_INLINE V SelectGreater(V a, V b, V yes, V no) { return a.v > b.v ? yes : no; }
CANDOR_INLINE V CopySign(V a, V sign) { return {__builtin_copysignf(a.v, sign.v)}; }  // of a non-negative a
// The first n lanes of a, the others of b.
CANDOR_INLINE V Merge(V a, V b, std::size_t n) { return n != 0 ? a : b; }

// The sixteen lanes of a reduction, joined by halving: i with i + 8, then + 4, + 2, + 1.
struct Lanes {
  static constexpr std::size_t kParts = 16;
  V part[kParts];
};
CANDOR_INLINE float JoinSum(Lanes lanes) {
  for (std::size_t half = 8; half != 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) lanes.part[i] = lanes.part[i] + lanes.part[i + half];
  return lanes.part[0].v;
}
CANDOR_INLINE float JoinMax(Lanes lanes) {
  for (std::size_t half = 8; half != 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) lanes.part[i] = Max(lanes.part[i], lanes.part[i + half]);
  return lanes.part[0].v;
}
