// The activations over a vector type V, each from the functions of math.inl. A NaN stays one, everywhere.
// Included inside a namespace after math.inl. One more: its line in Apply and in the switch, its limit in
// math_test.cc, its formula in ops/reference.cc.

CANDOR_INLINE V Gelu(V x) { return x * NormalCdf(x); }

// The tanh form: 0.5 (1 + tanh u) = sigmoid(2u), which does not cancel.
CANDOR_INLINE V GeluTanh(V x) {
  const V cube = Fma(V::Set(0.044715f) * x * x, x, x);
  return x * Sigmoid(cube * V::Set(1.59576912f));
}

// x tanh(log(1 + e)) with e = exp(x) is x n / (n + 2) with n = e (e + 2).
CANDOR_INLINE V Mish(V x) {
  const V e = Exp(Min(V::Set(20.0f), x)), n = e * (e + V::Set(2.0f));
  return x * (n / (n + V::Set(2.0f)));
}

CANDOR_INLINE V Hardsigmoid(V x) {
  return Min(V::Set(6.0f), Max(V::Set(0.0f), x + V::Set(3.0f))) / V::Set(6.0f);
}

CANDOR_INLINE V Selu(V x) {
  const V scale = V::Set(1.05070099f), scale_alpha = V::Set(1.75809934f), zero = V::Set(0.0f);
  return SelectGreater(x, zero, x * scale, ExpMinusOne(Min(zero, x)) * scale_alpha);
}

// The normal distribution with mean 0.707107 and deviation 0.282095.
CANDOR_INLINE V Laplace(V x) { return NormalCdf((x - V::Set(0.707107f)) / V::Set(0.282095f)); }

template <Activation kActivation>
CANDOR_INLINE V Apply(V x) {
  const V zero = V::Set(0.0f), one = V::Set(1.0f);
  if constexpr (kActivation == Activation::kRelu) return Max(zero, x);
  if constexpr (kActivation == Activation::kRelu6) return Min(V::Set(6.0f), Max(zero, x));
  if constexpr (kActivation == Activation::kRelu2) return Max(zero, x) * Max(zero, x);
  if constexpr (kActivation == Activation::kLeakyRelu) return SelectGreater(x, zero, x, x * V::Set(0.01f));
  if constexpr (kActivation == Activation::kElu) return SelectGreater(x, zero, x, ExpMinusOne(Min(zero, x)));
  if constexpr (kActivation == Activation::kHardtanh) return Min(one, Max(V::Set(-1.0f), x));
  if constexpr (kActivation == Activation::kGeluErf) return Gelu(x);
  if constexpr (kActivation == Activation::kGeluTanh) return GeluTanh(x);
  if constexpr (kActivation == Activation::kGelu10) return Min(V::Set(10.0f), Max(V::Set(-10.0f), Gelu(x)));
  if constexpr (kActivation == Activation::kQuickGelu) return x * Sigmoid(x * V::Set(1.702f));
  if constexpr (kActivation == Activation::kSilu) return x * Sigmoid(x);
  if constexpr (kActivation == Activation::kTanh) return Tanh(x);
  if constexpr (kActivation == Activation::kSigmoid) return Sigmoid(x);
  if constexpr (kActivation == Activation::kMish) return Mish(x);
  if constexpr (kActivation == Activation::kHardswish) return x * Hardsigmoid(x);
  if constexpr (kActivation == Activation::kHardsigmoid) return Hardsigmoid(x);
  if constexpr (kActivation == Activation::kHardshrink)  // the float after 0.5: a NaN is not below it
    return SelectGreater(V::Set(0.50000006f), Abs(x), zero, x);
  if constexpr (kActivation == Activation::kSoftshrink) return x - Min(V::Set(0.5f), Max(V::Set(-0.5f), x));
  if constexpr (kActivation == Activation::kTanhshrink) return TanhShrink(x);
  if constexpr (kActivation == Activation::kSoftplus) return Softplus(x);
  if constexpr (kActivation == Activation::kSqrtSoftplus) return Sqrt(Softplus(x));
  if constexpr (kActivation == Activation::kLogSigmoid) return Min(zero, x) - LogOnePlusExp(x);
  if constexpr (kActivation == Activation::kSoftsign) return x / (one + Abs(x));
  if constexpr (kActivation == Activation::kSelu) return Selu(x);
  if constexpr (kActivation == Activation::kLaplace) return Laplace(x);
  if constexpr (kActivation == Activation::kReluLog) return LogOnePlus(Max(zero, x));
  if constexpr (kActivation == Activation::kReluLogLog) return LogOnePlus(LogOnePlus(Max(zero, x)));
  return x;
}

#define CANDOR_ON_ACTIVATION(activation, function, ...)        \
  switch (activation) {                                        \
    case Activation::kNone:                                    \
      return function<Activation::kNone>(__VA_ARGS__);         \
    case Activation::kRelu:                                    \
      return function<Activation::kRelu>(__VA_ARGS__);         \
    case Activation::kRelu6:                                   \
      return function<Activation::kRelu6>(__VA_ARGS__);        \
    case Activation::kRelu2:                                   \
      return function<Activation::kRelu2>(__VA_ARGS__);        \
    case Activation::kLeakyRelu:                               \
      return function<Activation::kLeakyRelu>(__VA_ARGS__);    \
    case Activation::kElu:                                     \
      return function<Activation::kElu>(__VA_ARGS__);          \
    case Activation::kHardtanh:                                \
      return function<Activation::kHardtanh>(__VA_ARGS__);     \
    case Activation::kGeluErf:                                 \
      return function<Activation::kGeluErf>(__VA_ARGS__);      \
    case Activation::kGeluTanh:                                \
      return function<Activation::kGeluTanh>(__VA_ARGS__);     \
    case Activation::kGelu10:                                  \
      return function<Activation::kGelu10>(__VA_ARGS__);       \
    case Activation::kQuickGelu:                               \
      return function<Activation::kQuickGelu>(__VA_ARGS__);    \
    case Activation::kSilu:                                    \
      return function<Activation::kSilu>(__VA_ARGS__);         \
    case Activation::kTanh:                                    \
      return function<Activation::kTanh>(__VA_ARGS__);         \
    case Activation::kSigmoid:                                 \
      return function<Activation::kSigmoid>(__VA_ARGS__);      \
    case Activation::kMish:                                    \
      return function<Activation::kMish>(__VA_ARGS__);         \
    case Activation::kHardswish:                               \
      return function<Activation::kHardswish>(__VA_ARGS__);    \
    case Activation::kHardsigmoid:                             \
      return function<Activation::kHardsigmoid>(__VA_ARGS__);  \
    case Activation::kHardshrink:                              \
      return function<Activation::kHardshrink>(__VA_ARGS__);   \
    case Activation::kSoftshrink:                              \
      return function<Activation::kSoftshrink>(__VA_ARGS__);   \
    case Activation::kTanhshrink:                              \
      return function<Activation::kTanhshrink>(__VA_ARGS__);   \
    case Activation::kSoftplus:                                \
      return function<Activation::kSoftplus>(__VA_ARGS__);     \
    case Activation::kSqrtSoftplus:                            \
      return function<Activation::kSqrtSoftplus>(__VA_ARGS__); \
    case Activation::kLogSigmoid:                              \
      return function<Activation::kLogSigmoid>(__VA_ARGS__);   \
    case Activation::kSoftsign:                                \
      return function<Activation::kSoftsign>(__VA_ARGS__);     \
    case Activation::kSelu:                                    \
      return function<Activation::kSelu>(__VA_ARGS__);         \
    case Activation::kLaplace:                                 \
      return function<Activation::kLaplace>(__VA_ARGS__);      \
    case Activation::kReluLog:                                 \
      return function<Activation::kReluLog>(__VA_ARGS__);      \
    case Activation::kReluLogLog:                              \
      return function<Activation::kReluLogLog>(__VA_ARGS__);   \
  }
