/* Fills the constants of Fourier mixing. See fourier.h. */
#include "model/kernels/fourier.h"

#include <math.h>
#include <stddef.h>

static const double TURN = 2 * 3.14159265358979323846;

/* Writes the cosines, then the sines, of one turn in n steps, times `scale`. */
static void fill_turn(float *at, int n, double scale)
{
    for (int i = 0; i < n; i++) {
        at[i] = (float)(cos(TURN * i / n) * scale);
        at[n + i] = (float)(sin(TURN * i / n) * scale);
    }
}

void fourier_fill(float *waves, float *circle, int d, int w)
{
    float turn[2 * FOURIER_MAX_WIDTH];
    fill_turn(circle, w, 1.0);
    fill_turn(turn, d, 1.0 / sqrt((double)w * d));
    for (int a = 0; a < d; a++)
        for (int b = 0; b < d; b++) {
            int step = fourier_step(a, b, d);
            waves[(size_t)a * (size_t)d + (size_t)b] = turn[step];
            waves[(size_t)(d + a) * (size_t)d + (size_t)b] = turn[d + step];
        }
}
