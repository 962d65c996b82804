/* Every colour on the screen, chosen once for the terminal it is on.
 *
 * With 256 colours or more the roll paints its own ground, dark or light; with
 * 16 or none it keeps the terminal's, and says with glyphs and attributes what
 * colour cannot. Tracks are from the Okabe-Ito set (Color Universal Design,
 * 2008); amber is what can be acted on. Text has a contrast of 4.5 and what is drawn of
 * 3, or more (WCAG 2.1). Pure functions. */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include "midi/score/score.h"
#include "tui/cells/cells.h"

enum depth { DEPTH_MONO, DEPTH_16, DEPTH_256, DEPTH_TRUE };

/* How loudly a track's notes are drawn. */
enum presence { PRESENCE_ACTIVE, PRESENCE_OTHER, PRESENCE_MUTED };

struct theme {
    enum depth depth;
    bool light, ascii;
    uint32_t row_white, row_black; /* the roll's ground by key */
    uint32_t line_beat, line_bar;
    uint32_t text, quiet, faint; /* three strengths of ink; the faint one is not read */
    uint32_t bar, panel;         /* ground of the top bar; of ruler, lanes, status */
    uint32_t accent, on_accent;
    uint32_t error, playhead, selected;
    uint32_t key_white, key_c, key_black, key_line, key_text;
    uint32_t tracks[TRACK_COLOURS];
    double least[TRACK_COLOURS]; /* share of it that is seen well on the ground */
};

struct theme theme_for(enum depth depth, bool light, bool ascii);

enum { THEME_NAME_BYTES = 16 };
/* "auto" for 0, then those that can be asked for by name; NULL past the last. */
const char *theme_name(int i);
bool theme_is_known(const char *name);
/* "auto", or a name that is not known: as theme_for has it. */
struct theme theme_by_name(const char *name, enum depth depth, bool light, bool ascii);

/* What the terminal can show. n_colours is terminfo's; any string may be NULL. */
enum depth theme_depth(const char *term, const char *colorterm, const char *no_color,
                       int n_colours);

bool theme_paints(const struct theme *t); /* true: RGB grounds of our own */
/* (1-share) a + share b; when either is no RGB colour, the nearer one. */
uint32_t theme_mix(uint32_t a, uint32_t b, double share);
/* Of 0..TRACK_COLOURS - 1, "sky blue" first; NULL past them. Where a track is asked for
 * below, they come again and again. */
const char *theme_track_name(int track);
uint32_t theme_track(const struct theme *t, int track);
uint32_t theme_note(const struct theme *t, int track, int velocity,
                    enum presence presence);
uint32_t theme_ink_on(const struct theme *t, uint32_t ground);
/* The colour as an ink that can be read on the ground: changed as little as that takes. */
uint32_t theme_legible(const struct theme *t, uint32_t colour, uint32_t ground);
/* Of two RGB colours, 1 to 21 (WCAG 2.1, relative luminance of sRGB). */
double theme_contrast(uint32_t a, uint32_t b);

/* Nearest of the 6x6x6 cube and the grey ramp, 16..255. */
int theme_nearest_256(uint32_t rgb);

#endif
