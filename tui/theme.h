/* Every colour on the screen, chosen once for the terminal it is on.
 *
 * With 256 colours or more the roll paints its own ground, dark or light; with
 * 16 or none it keeps the terminal's, and says with glyphs and attributes what
 * colour cannot. Tracks are from the Okabe-Ito set (Color Universal Design,
 * 2008); amber is what can be acted on. Pure functions. */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include "midi/score.h"
#include "tui/cells.h"

enum depth { DEPTH_MONO, DEPTH_16, DEPTH_256, DEPTH_TRUE };

/* How loudly a track's notes are drawn. */
enum presence { PRESENCE_ACTIVE, PRESENCE_OTHER, PRESENCE_MUTED };

struct theme {
    enum depth depth;
    bool light, ascii;
    uint32_t row_white, row_black; /* the roll's ground by key */
    uint32_t line_beat, line_bar;
    uint32_t text, quiet, faint; /* three strengths of ink */
    uint32_t bar, panel;         /* ground of the top bar; of ruler, lanes, status */
    uint32_t accent, on_accent;
    uint32_t error, playhead, selected;
    uint32_t key_white, key_c, key_black, key_line, key_text;
};

struct theme theme_for(enum depth depth, bool light, bool ascii);

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

/* Nearest of the 6x6x6 cube and the grey ramp, 16..255. */
int theme_nearest_256(uint32_t rgb);

#endif
