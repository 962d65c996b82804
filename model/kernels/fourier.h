/* Fourier mixing that is causal and bounded, in the place of attention: what decoder
 * and trainer share.
 *
 * FNet (Lee-Thorp et al. 2022, eq. 1-3) mixes a sequence of n tokens by the real part
 * of a Fourier transform over its d dimensions and then over its n places: the weight
 * of token j in the result at t is exp(-2 pi i t j / n). Every token sees every other
 * one, so nothing can be decoded token by token. Here places are counted round a
 * circle of W steps, and t sees the W last tokens, itself included:
 *
 *   [c, s][j] = the transform of token j: c_a = sum_b x_b cos(2 pi a b / d), s_a with sin
 *   y[t] = sum over t - W < j <= t of (cos w(t j) c[j] - sin w(t j) s[j]) / sqrt(W d)
 *   w(t j) = 2 pi ((t mod W) (j mod W) mod W) / W
 *
 * which is FNet's own matrix of size W, its rows in turn, the future cut off. No
 * weights; W d products for a token. */
#ifndef MODEL_FOURIER_H
#define MODEL_FOURIER_H

#include <stdint.h>

/* The largest d: nothing in a file bounds the d^2 numbers that it asks for. */
enum { FOURIER_MAX_WIDTH = 2048 };

/* waves [2d, d]: a product with them gives c and s of a token, over sqrt(W d).
 * circle [2, W]: the cosines and sines of a turn in W steps. */
void fourier_fill(float *waves, float *circle, int d, int w);

/* The first of the W tokens that t sees. */
static inline int fourier_first(int t, int w)
{
    return t < w ? 0 : t - w + 1;
}

/* Where in the circle t and j meet. */
static inline int fourier_step(int t, int j, int w)
{
    return (int)((int64_t)(t % w) * (j % w) % w);
}

#endif
