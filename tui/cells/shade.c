/* Viridis is interpolated between eleven of its colours, evenly spaced. */
#include "tui/cells/shade.h"
#include "midi/base/array.h"

#include <math.h>
#include <stdlib.h>

#define DECADES 3.0
#define ANSI(n) (COLOUR_ANSI + (n))

const char *shade_scale_name(enum shade_scale scale)
{
    static const char *const NAMES[SHADE_SCALES] = {"linear", "log", "rank"};
    return scale < SHADE_SCALES ? NAMES[scale] : "";
}

/* The i-th of floats that are `step` bytes apart. */
static float float_at(const float *list, size_t i, size_t step)
{
    return *(const float *)(const void *)((const char *)list + i * step);
}

static int compare_floats(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* How many of the n ascending values are below `weight`. */
static size_t n_below(const float *sorted, size_t n, float weight)
{
    size_t at;
    ARRAY_PASS(at, n, sorted[at] < weight);
    return at;
}

float shade_weights(enum shade_scale scale, const float *weights, float *shades,
                    size_t n, size_t step)
{
    float most = 0;
    for (size_t i = 0; i < n; i++)
        most = float_at(weights, i, step) > most ? float_at(weights, i, step) : most;
    /* The weights above zero, ascending. */
    size_t n_some = 0;
    float *sorted = scale == SHADE_RANK ? calloc(n + 1, sizeof *sorted) : NULL;
    for (size_t i = 0; sorted && i < n; i++)
        if (float_at(weights, i, step) > 0)
            sorted[n_some++] = float_at(weights, i, step);
    if (sorted)
        qsort(sorted, n_some, sizeof *sorted, compare_floats);
    /* Equal weights have equal ranks; the largest has 1. */
    const float ranks = sorted ? (float)n_below(sorted, n_some, most) + 1 : 0;
    for (size_t i = 0; i < n; i++) {
        const float weight = float_at(weights, i, step),
                    share = weight > 0 ? weight / most : weight;
        *(float *)(void *)((char *)shades + i * step) =
            weight < 0           ? -1
            : !(weight > 0)      ? 0
            : sorted             ? ((float)n_below(sorted, n_some, weight) + 1) / ranks
            : scale == SHADE_LOG ? (float)fmax(1 + log10((double)share) / DECADES, 0)
                                 : share;
    }
    free(sorted);
    return most;
}

uint32_t shade_viridis(double shade)
{
    static const uint32_t STOPS[] = {0x440154, 0x482576, 0x414487, 0x35608D,
                                     0x2A788E, 0x21908C, 0x22A884, 0x43BF71,
                                     0x7AD151, 0xBBDF27, 0xFDE725};
    enum { LAST = sizeof STOPS / sizeof *STOPS - 1 };
    double at = fmin(fmax(shade, 0), 1) * LAST;
    int i = at < LAST ? (int)at : LAST - 1;
    return theme_mix(STOPS[i], STOPS[i + 1], at - i);
}

uint32_t shade_colour(const struct theme *t, double shade)
{
    shade = fmin(fmax(shade, 0), 1);
    if (t->depth == DEPTH_MONO)
        return COLOUR_DEFAULT;
    if (t->depth == DEPTH_256) {
        /* Colours of the cube of 256 that follow viridis best: the nearest ones would
         * not grow evenly. */
        static const uint32_t CUBE[] = {0x5F005F, 0x5F00AF, 0x005FAF, 0x0087AF,
                                        0x00AF87, 0x00D787, 0x5FD75F, 0x87D75F,
                                        0xAFD75F, 0xD7D700, 0xFFD700, 0xFFFF00};
        enum { N = sizeof CUBE / sizeof *CUBE };
        int step = (int)((t->light ? 1 - shade : shade) * N);
        return CUBE[step < N ? step : N - 1];
    }
    if (t->depth == DEPTH_16) {
        static const uint32_t DARK[] = {ANSI(4), ANSI(6), ANSI(10), ANSI(11)};
        static const uint32_t LIGHT[] = {ANSI(6), ANSI(5), ANSI(4), ANSI(0)};
        enum { STEPS = sizeof DARK / sizeof *DARK };
        if (shade < 0.04)
            return COLOUR_DEFAULT;
        int step = (int)(shade * STEPS);
        return (t->light ? LIGHT : DARK)[step < STEPS ? step : STEPS - 1];
    }
    uint32_t colour = shade_viridis(t->light ? 1 - shade : shade);
    /* On light grounds the smallest shades fade into the ground. */
    return t->light && shade < 0.3 ? theme_mix(t->row_black, colour, 0.25 + shade * 2.5)
                                   : colour;
}

uint32_t shade_glyph(const struct theme *t, double shade)
{
    static const uint32_t SHADES[] = {' ', 0xB7, 0x2591, 0x2592, 0x2593, 0x2588};
    static const char LETTERS[] = " .:;=+x%#@";
    shade = fmin(fmax(shade, 0), 1);
    int n = t->ascii ? (int)sizeof LETTERS - 1 : (int)(sizeof SHADES / sizeof *SHADES);
    int step = shade > 0 ? 1 + (int)(shade * (n - 1)) : 0;
    step = step < n ? step : n - 1;
    return t->ascii ? (uint32_t)(unsigned char)LETTERS[step] : SHADES[step];
}
