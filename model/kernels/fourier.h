/* Causal, bounded Fourier mixing, which takes the place of attention. The decoder and the
 * trainer share this file.
 *
 * FNet (Lee-Thorp et al. 2022, eq. 1-3) mixes a sequence of n tokens by taking the real
 * part of a Fourier transform over the d dimensions of each token and then over the n
 * positions. Token j enters the result at position t with the weight exp(-2 pi i t j /
 * n). So every token sees every other one, and FNet cannot decode token by token. Here
 * positions count round a circle of W steps, and position t sees the last W tokens,
 * itself included:
 *
 *   [c, s][j] = the transform of token j: c_a = sum_b x_b cos(2 pi a b / d), s_a with sin
 *   y[t] = sum over t - W < j <= t of (cos w(t j) c[j] - sin w(t j) s[j]) / sqrt(W d)
 *   w(t j) = 2 pi ((t mod W) (j mod W) mod W) / W
 *
 * This is row t mod W of FNet's matrix of size W, without the tokens after t. Fourier
 * mixing has no weights. It takes W d products per token. */
#ifndef MODEL_FOURIER_H
#define MODEL_FOURIER_H

#include <stdint.h>

/* The largest d. The tables need d^2 numbers, and no tensor of a model file bounds their
 * size. */
enum { FOURIER_MAX_WIDTH = 2048 };

/* Fills the constants. waves [2d, d]: its product with a token is the token's [c, s],
 * divided by sqrt(W d). circle [2, W]: the cosines, then the sines, of one turn in W
 * steps. */
void fourier_fill(float *waves, float *circle, int d, int w);

/* The first of the W tokens that position t sees. */
static inline int fourier_first(int t, int w)
{
    return t < w ? 0 : t - w + 1;
}

/* The column of the circle for positions t and j. */
static inline int fourier_step(int t, int j, int w)
{
    return (int)((int64_t)(t % w) * (j % w) % w);
}

#endif
