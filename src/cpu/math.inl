// Functions over a vector type V: the same polynomials in the same order on every table, so the same bits.
// Included inside a namespace after a vector type; it must not include anything itself. Polynomials are our
// own Chebyshev fits (the normal distribution's by iterated weights); errors against long double are measured
// in math_test.cc.

// exp(x), 1 ulp; 0 below -104, infinity above 88.73, NaN stays NaN.
CANDOR_INLINE V Exp(V x) {
  x = Min(V::Set(89.0f), Max(V::Set(-104.0f), x));
  const V n = Round(x * V::Set(1.44269504f));
  V f = Fma(n, V::Set(-0.693359375f), x);  // ln 2 in two parts, the first with few bits: exact
  f = Fma(n, V::Set(2.12194440e-4f), f);
  V p = Fma(V::Set(1.39261818e-3f), f, V::Set(8.36317763e-3f));
  p = Fma(p, f, V::Set(4.16665546e-2f));
  p = Fma(p, f, V::Set(1.66665770e-1f));
  p = Fma(p, f, V::Set(5.0e-1f));
  p = Fma(p, f, V::Set(1.0f));
  p = Fma(p, f, V::Set(1.0f));
  return Scale(p, n);
}

// exp(x) - 1 for x <= 0, without the cancellation near zero.
CANDOR_INLINE V ExpMinusOne(V x) {
  x = Max(V::Set(-30.0f), x);
  const V n = Round(x * V::Set(1.44269504f));
  V f = Fma(n, V::Set(-0.693359375f), x);
  f = Fma(n, V::Set(2.12194440e-4f), f);
  V p = Fma(V::Set(1.39261818e-3f), f, V::Set(8.36317763e-3f));
  p = Fma(p, f, V::Set(4.16665546e-2f));
  p = Fma(p, f, V::Set(1.66665770e-1f));
  p = Fma(p, f, V::Set(5.0e-1f));
  p = Fma(f * f, p, f);
  const V two_n = Scale(V::Set(1.0f), n);
  return Fma(p, two_n, two_n - V::Set(1.0f));
}

// 1 / (1 + exp(-x))
CANDOR_INLINE V Sigmoid(V x) { return V::Set(1.0f) / (V::Set(1.0f) + Exp(V::Set(0.0f) - x)); }

// (tanh(t) / t - 1) of s = t^2, for t <= 0.625.
CANDOR_INLINE V TanhSeries(V s) {
  V p = Fma(V::Set(-6.09671417e-3f), s, V::Set(2.09971790e-2f));
  p = Fma(p, s, V::Set(-5.38509096e-2f));
  p = Fma(p, s, V::Set(1.33327697e-1f));
  return Fma(p, s, V::Set(-3.33333289e-1f)) * s;
}

CANDOR_INLINE V Tanh(V x) {
  const V t = Abs(x), small = Fma(TanhSeries(t * t), t, t);
  const V large = V::Set(1.0f) - V::Set(2.0f) / (Exp(t + t) + V::Set(1.0f));
  return CopySign(SelectGreater(t, V::Set(0.625f), large, small), x);
}

// x - tanh(x), cancelling neither near zero (the series alone) nor after (t - 1 is exact up to 2).
CANDOR_INLINE V TanhShrink(V x) {
  const V t = Abs(x), small = V::Set(0.0f) - TanhSeries(t * t) * t;
  const V large = (t - V::Set(1.0f)) + V::Set(2.0f) / (Exp(t + t) + V::Set(1.0f));
  return CopySign(SelectGreater(t, V::Set(0.625f), large, small), x);
}

// log(1 + exp(-|x|)): with u the exponential, 2 atanh(s) of s = u / (2 + u) <= 1/3, whose series has no u to
// lose.
CANDOR_INLINE V LogOnePlusExp(V x) {
  const V u = Exp(V::Set(0.0f) - Abs(x)), s = u / (V::Set(2.0f) + u), w = s * s, twice = s + s;
  V q = Fma(V::Set(1.16121650e-1f), w, V::Set(1.08532876e-1f));
  q = Fma(q, w, V::Set(1.42961785e-1f));
  q = Fma(q, w, V::Set(1.99998528e-1f));
  q = Fma(q, w, V::Set(3.33333343e-1f));
  return Fma(twice * w, q, twice);
}

// log(1 + x) for x >= 0. With 1 + x = 2^n (1 + f) and f within [0, sqrt 2 - 1], or from sqrt 1/2 - 1 on where
// n is not 0, it is n log 2 + 2 atanh(f / (2 + f)); f is x itself near zero. Infinity stays what it is.
CANDOR_INLINE V LogOnePlus(V x) {
  const V one = V::Set(1.0f);
  const V n = Exponent(Min(V::Set(2e38f), one + x) * V::Set(1.41421356f)), back = V::Set(0.0f) - n;
  const V f = Scale(x, back) + (Scale(one, back) - one);
  const V s = f / (V::Set(2.0f) + f), w = s * s, twice = s + s;
  V q = Fma(V::Set(1.16121650e-1f), w, V::Set(1.08532876e-1f));
  q = Fma(q, w, V::Set(1.42961785e-1f));
  q = Fma(q, w, V::Set(1.99998528e-1f));
  q = Fma(q, w, V::Set(3.33333343e-1f));
  const V low = Fma(n, V::Set(-2.12194440e-4f), Fma(twice * w, q, twice));
  return SelectGreater(x, V::Set(3.40282347e38f), x, Fma(n, V::Set(0.693359375f), low));
}

// log(1 + exp(x)). torch returns x itself above 20, where the two differ by less than half an ulp.
CANDOR_INLINE V Softplus(V x) { return Max(V::Set(0.0f), x) + LogOnePlusExp(x); }

// The normal distribution function. With t = |x|, its tail at t is exp(g(t) - t^2/2) where g is smooth: one
// polynomial on [0, 6], constant after. One branch, no cancellation for negative x.
CANDOR_INLINE V NormalCdf(V x) {
  const V t = Abs(x), u = Min(V::Set(6.0f), t);
  V g = Fma(V::Set(1.34797684e-7f), u, V::Set(-3.25857868e-6f));
  g = Fma(g, u, V::Set(3.12439623e-5f));
  g = Fma(g, u, V::Set(-1.30859804e-4f));
  g = Fma(g, u, V::Set(-1.08078383e-4f));
  g = Fma(g, u, V::Set(4.92354905e-3f));
  g = Fma(g, u, V::Set(-3.64095368e-2f));
  g = Fma(g, u, V::Set(1.81708671e-1f));
  g = Fma(g, u, V::Set(-7.97886278e-1f));
  g = Fma(g, u, V::Set(-6.93147156e-1f));
  const V tail = Exp(Fma(V::Set(-0.5f) * t, t, g));
  return SelectGreater(x, V::Set(0.0f), V::Set(1.0f) - tail, tail);
}
