/* Causal, bounded Fourier mixing in place of attention; decoder and trainer share it.
 *
 * FNet (Lee-Thorp et al. 2022, eq. 1-3) mixes a sequence of n tokens by the real part
 * of a Fourier transform over its d dimensions and then over its n positions: token j
 * enters the result at t with weight exp(-2 pi i t j / n). Every token sees every other
 * one, so FNet cannot decode token by token. Here positions count round a circle of W
 * steps, and t sees the last W tokens, itself included:
 *
 *   [c, s][j] = the transform of token j: c_a = sum_b x_b cos(2 pi a b / d), s_a with sin
 *   y[t] = sum over t - W < j <= t of (cos w(t j) c[j] - sin w(t j) s[j]) / sqrt(W d)
 *   w(t j) = 2 pi ((t mod W) (j mod W) mod W) / W
 *
 * This is row t mod W of FNet's matrix of size W, without future tokens. It has no
 * weights. A token costs W d products. */
#ifndef MODEL_FOURIER_H
#define MODEL_FOURIER_H

#include <stdint.h>

/* The largest d. The tables need d^2 numbers, and no tensor in the file bounds that. */
enum { FOURIER_MAX_WIDTH = 2048 };

/* waves [2d, d]: waves times a token is its c and s over sqrt(W d).
 * circle [2, W]: cosines, then sines, of one turn in W steps. */
void fourier_fill(float *waves, float *circle, int d, int w);

/* The first of the W tokens that t sees. */
static inline int fourier_first(int t, int w)
{
    return t < w ? 0 : t - w + 1;
}

/* The column of the circle for t and j: (t mod W) (j mod W) mod W. */
static inline int fourier_step(int t, int j, int w)
{
    return (int)((int64_t)(t % w) * (j % w) % w);
}

#endif
