/* Every colour on the screen, chosen once for the terminal.
 *
 * With 256 colours or more the roll paints its own ground, dark or light. With 16 or
 * none it keeps the terminal's ground and uses glyphs and attributes where colours do
 * not suffice. Tracks use the Okabe-Ito set (Color Universal Design, 2008); amber marks
 * what one can act on. Text has a contrast of at least 4.5, shapes of 3 (WCAG 2.1).
 * Pure functions. */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include "midi/score/score.h"
#include "tui/cells/cells.h"

enum depth { DEPTH_MONO, DEPTH_16, DEPTH_256, DEPTH_TRUE };

/* How strongly a track's notes are painted. */
enum presence { PRESENCE_ACTIVE, PRESENCE_OTHER, PRESENCE_MUTED };

enum { THEME_NOTE_STEPS = 4 };

struct theme {
    enum depth depth;
    bool light, ascii;
    uint32_t row_white, row_black; /* the roll's ground for white and black keys */
    uint32_t line_beat, line_bar;
    uint32_t text, quiet, faint; /* three strengths of text; faint is for marks only */
    uint32_t bar, panel; /* ground of the top bar; ground of ruler, lanes, status */
    uint32_t accent, on_accent;
    uint32_t error, playhead, selected;
    uint32_t key_white, key_c, key_black, key_line, key_text;
    uint32_t tracks[TRACK_COLOURS];
    double least[TRACK_COLOURS]; /* least visible share of each track's colour */
    /* With 256 colours: a note's, by enum presence and loudness. */
    uint32_t notes[TRACK_COLOURS][PRESENCE_MUTED + 1][THEME_NOTE_STEPS];
};

enum { THEME_NAME_BYTES = 16 };
/* Names of themes: "auto" for 0, then the others; NULL past the last. */
const char *theme_name(int i);
bool theme_is_known(const char *name);
/* The theme for a terminal with so many colours and such a ground. "auto" and unknown names
 * give the dark or the light one. */
struct theme theme_by_name(const char *name, enum depth depth, bool light, bool ascii);

/* The colours a terminal has. n_colours is terminfo's; any string may be NULL. */
enum depth theme_depth(const char *term, const char *colorterm, const char *no_color,
                       int n_colours);

bool theme_paints(const struct theme *t); /* true: we paint RGB grounds */
/* (1 - share) a + share b. If one is no RGB colour: the nearer of the two. */
uint32_t theme_mix(uint32_t a, uint32_t b, double share);
/* "sky blue" for 0, up to TRACK_COLOURS - 1; NULL past them. The functions below repeat
 * the colours for higher tracks. */
const char *theme_track_name(int track);
uint32_t theme_track(const struct theme *t, int track);
uint32_t theme_note(const struct theme *t, int track, int velocity,
                    enum presence presence);
uint32_t theme_ink_on(const struct theme *t, uint32_t ground);
/* The colour, moved only as far as text on this ground needs to be legible. */
uint32_t theme_legible(const struct theme *t, uint32_t colour, uint32_t ground);
/* Contrast of two RGB colours, 1 to 21 (WCAG 2.1). */
double theme_contrast(uint32_t a, uint32_t b);

/* Attributes of a badge: bold, and reversed where there is no colour. */
static inline int theme_badge_attr(const struct theme *t)
{
    return ATTR_BOLD | (t->depth == DEPTH_MONO ? ATTR_REVERSE : 0);
}

/* The nearest of the 6x6x6 cube and the grey ramp, 16..255. */
int theme_nearest_256(uint32_t rgb);

#endif
