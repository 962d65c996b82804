/* Loops whose sums stay in registers only when nothing is left of the loop. */
#ifndef MODEL_UNROLLED_H
#define MODEL_UNROLLED_H

#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration takes none
#define FOR_UNROLLED(i, n) UNROLL for (int i = 0; (i) < (n); (i)++)

#endif
