/* What the painters of the inspector share. Internal to tui/. */
#ifndef TUI_INSPECT_PAINT_H
#define TUI_INSPECT_PAINT_H

#include "tui/view/inspect.h"
#include "tui/paint/paint.h"

/* Over the notes, which are grey while it is open; the strip under the roll. */
void paint_wash(const struct paint *p);
void paint_strip(const struct paint *p);
/* The panel beside the roll, and the page in its place. */
void paint_inspector(const struct paint *p);
/* Its parts. */
void paint_inspect_matrix(const struct paint *p, const struct inspect_places *at);
void paint_inspect_grid(const struct paint *p, const struct inspect_places *at);

/* Two shades, above and below, in one cell; negative: the panel's ground. Where half
 * blocks or colours are missing, the larger. */
void inspect_cell(const struct paint *p, int column, int row, float upper, float lower);

/* A note that the inspector is not about, or that cannot be seen from the chosen one. */
uint32_t inspect_grey(const struct paint *p);
enum { INSPECT_GREY_FILL = 0x2500 }; /* where there is no colour */

enum { INSPECT_LINE_BYTES = 160 };
/* "F♯4 alto 3.3": pitch, track and bar.beat. n: bytes of buf, which is returned. */
const char *inspect_note_name(const struct paint *p, const struct inspect_note *note,
                              char *buf, size_t n);
/* "layer 3  head 5", and so on; buf is returned. */
const char *inspect_head_title(const struct inspect_view *v, char *buf, size_t n);
/* "without bar 2: p 0.730 → 0.410"; buf is returned. */
const char *inspect_effect_words(const struct inspect_effect *e, char *buf, size_t n);
/* All that matters most in one line, for screens without a panel. */
const char *inspect_summary(const struct paint *p, char *buf, size_t n);

#endif
