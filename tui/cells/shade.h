/* Shows weights as colours or glyphs: weights are scaled to shades of 0..1, and a shade
 * is a colour, or a glyph where there is no colour.
 *
 * The colours are viridis (van der Walt and Smith 2015): even in lightness and readable
 * for colour-blind eyes. Light themes reverse it, so that more weight is always further
 * from the ground. With 16 colours there are five steps of growing luminance. Pure
 * functions. */
#ifndef TUI_SHADE_H
#define TUI_SHADE_H

#include "tui/cells/theme.h"

enum shade_scale { SHADE_LINEAR, SHADE_LOG, SHADE_RANK, SHADE_SCALES };

const char *shade_scale_name(enum shade_scale scale); /* "log" */

/* Shades of n weights, relative to the largest: linear, logarithmic over three decades,
 * or by rank. A negative weight means none and gets -1. Rank needs memory; without it
 * the scale is linear. Weights, and their shades, are `step` bytes apart, so they can be fields of
 * structs; `shades` may be `weights`. Returns the largest weight, at least 0. */
float shade_weights(enum shade_scale scale, const float *weights, float *shades,
                    size_t n, size_t step);

uint32_t shade_viridis(double shade); /* 0xRRGGBB, dark to light */
/* The background colour for a shade on this terminal; the default colour in mono. */
uint32_t shade_colour(const struct theme *t, double shade);
/* The glyph for a shade, from blank to dense, for terminals without colour. */
uint32_t shade_glyph(const struct theme *t, double shade);
/* Whether this theme shows shades as colours, not as glyphs. */
static inline bool shade_is_colour(const struct theme *t)
{
    return t->depth != DEPTH_MONO;
}

#endif
