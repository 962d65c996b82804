/* Weights as the eye sees them: scaled to shades of 0..1, and shades as colours, or as
 * glyphs where there is no colour.
 *
 * The colours are viridis (van der Walt and Smith, 2015), which is even in lightness and
 * told apart by eyes without red, green or blue cones; on light grounds it is turned
 * round, so that more weight is always further from the ground. With 16 colours there are
 * five steps, monotone in luminance. Pure functions. */
#ifndef TUI_SHADE_H
#define TUI_SHADE_H

#include "tui/cells/theme.h"

enum shade_scale { SHADE_LINEAR, SHADE_LOG, SHADE_RANK, SHADE_SCALES };

const char *shade_scale_name(enum shade_scale scale); /* "log" */

/* Shades of n weights: of the largest, linearly or over three decades, or by their order.
 * A weight below zero is none, and its shade -1. Rank needs memory: without, linear.
 * shades may be weights. */
void shade_weights(enum shade_scale scale, const float *weights, size_t n,
                   float *shades);

uint32_t shade_viridis(double shade); /* 0xRRGGBB, dark to light */
/* As a ground on this terminal; in mono the default colour. */
uint32_t shade_colour(const struct theme *t, double shade);
/* Blank for 0, then ever denser; for terminals that have no colour. */
uint32_t shade_glyph(const struct theme *t, double shade);
/* Whether shades are colours here, and not glyphs. */
static inline bool shade_is_colour(const struct theme *t)
{
    return t->depth != DEPTH_MONO;
}

#endif
