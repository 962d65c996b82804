/* What the painters of the inspector share. Internal to tui/. */
#ifndef TUI_INSPECT_PAINT_H
#define TUI_INSPECT_PAINT_H

#include "tui/view/inspect.h"
#include "tui/paint/paint.h"

/* Tints the notes on the roll, which are grey while the inspector is open; the strip
 * under the roll; the panel beside it, and the page in its place. */
painter paint_wash, paint_strip, paint_inspector;
/* Parts of paint_inspector. */
void paint_inspect_matrix(const struct paint *p, const struct inspect_places *at);
void paint_inspect_grid(const struct paint *p, const struct inspect_places *at);
/* Paints the legend of the colours at the right end of a row. Returns its columns; 0:
 * there is no room, or nothing has a colour. */
int paint_inspect_legend(const struct paint *p, const struct region *r);

/* Paints two shades, above and below, in one cell; negative: the panel's ground.
 * Without half blocks or colours it paints the larger. */
void inspect_cell(const struct paint *p, int column, int row, float upper, float lower);

/* The colour of a note that has no weight, and its glyph where there is no colour. */
uint32_t inspect_grey(const struct paint *p);
enum { INSPECT_GREY_FILL = 0x2500 };

enum { INSPECT_LINE_BYTES = 160 };
/* "F♯4 alto 3.3": pitch, track, bar.beat. n: bytes of buf, which is returned. */
const char *inspect_note_name(const struct paint *p, const struct inspect_note *note,
                              char *buf, size_t n);
/* "without bar 2: p 0.730 → 0.410". Returns buf. */
const char *inspect_effect_words(const struct inspect_effect *e, char *buf, size_t n);
/* The most important figures in one line, for screens without a panel. Returns buf. */
const char *inspect_summary(const struct paint *p, char *buf, size_t n);

#endif
