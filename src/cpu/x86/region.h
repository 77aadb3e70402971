// CANDOR_ISA_BEGIN("avx2,fma") … CANDOR_ISA_END: code between them is compiled for those instruction sets.
//
// Regions instead of per-file flags: an inline function of a header compiled into two objects with different
// flags leaves one copy, chosen by link order, which crashes older machines. So includes come before the
// region, and everything inside stands in a namespace named for the ISA and an unnamed one. Lambdas and
// functions of the standard library stay out of a region.
#pragma once

#define CANDOR_PRAGMA(x) _Pragma(#x)
#if defined(__clang__)
#define CANDOR_ISA_BEGIN(features) \
  CANDOR_PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define CANDOR_ISA_END CANDOR_PRAGMA(clang attribute pop)
#define CANDOR_UNROLL CANDOR_PRAGMA(unroll)
#else
#define CANDOR_ISA_BEGIN(features) CANDOR_PRAGMA(GCC push_options) CANDOR_PRAGMA(GCC target(features))
#define CANDOR_ISA_END CANDOR_PRAGMA(GCC pop_options)
// What keeps a tile's accumulators in registers at -O2.
#define CANDOR_UNROLL CANDOR_PRAGMA(GCC unroll 32)
#endif

#define CANDOR_INLINE inline __attribute__((always_inline))
