/* The constants of Fourier mixing. See fourier.h. */
#include "model/fourier.h"

#include <math.h>
#include <stddef.h>

static const double TURN = 2 * 3.14159265358979323846;

void fourier_fill(float *waves, float *circle, int d, int w)
{
    const double scale = 1.0 / sqrt((double)w * d);
    for (int a = 0; a < d; a++)
        for (int b = 0; b < d; b++) {
            double angle = TURN * (double)((int64_t)a * b % d) / d;
            waves[(size_t)a * (size_t)d + (size_t)b] = (float)(cos(angle) * scale);
            waves[(size_t)(d + a) * (size_t)d + (size_t)b] =
                (float)(sin(angle) * scale);
        }
    for (int i = 0; i < w; i++) {
        circle[i] = (float)cos(TURN * i / w);
        circle[w + i] = (float)sin(TURN * i / w);
    }
}
