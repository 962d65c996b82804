/* Where the panels are, for painters and the mouse. Pure functions. */
#ifndef TUI_PANELS_H
#define TUI_PANELS_H

#include "midi/edit/controllers.h"
#include "tui/keys/keys.h"
#include "tui/paint/list.h"

/* -- the list of tracks, and the line of tracks at the foot of tall screens -- */

enum track_mark { TRACK_MUTE, TRACK_SOLO, TRACK_ARM, TRACK_HIDE, TRACK_MARKS };

struct track_columns {
    int number, colour, name, marks;       /* the columns' starts */
    int n_name;                            /* width of the name */
    int instrument, channel, notes, level; /* 0: no room */
    int knobs, n_knobs;                    /* start and number of the mixer's columns */
};

struct track_columns track_columns_of(const struct list_box *b);
/* The mark at a column; TRACK_MARKS: none. */
enum track_mark track_mark_at(const struct track_columns *t, int column);
/* The mixer's knob at a column; MIX_KNOBS: none. */
enum mix_knob track_knob_at(const struct track_columns *t, int column);
/* Paint a track's line in the list, and the heading. */
void paint_track_row(const struct paint *p, const struct list_row *r, int track);
void paint_track_heading(const struct paint *p, const struct list_row *r);
/* The track at a column of the line; -1: none. active: the edited track. */
int track_line_at(const struct layout *l, const struct score *s, int active,
                  int column);

/* -- the steering panel -- */

struct steer_columns {
    int value, n_value;   /* columns: start and width of the values, */
    int less, more;       /* arrows of the chosen line, */
    int slider, n_slider; /* start and width of sliders; width 0: no room */
};

struct steer_columns steer_columns_of(const struct list_box *b);

/* -- the help page, MODE_HELP -- */

struct binding; /* tui/keys/bindings.h */

/* Its contents: the keys in force (NULL: as built in) of one mode, or of all. */
struct help_page {
    const struct binding *keymap;
    enum mode mode;
    bool all;
};
/* The largest scroll that shows something new. */
int help_max_scroll(const struct help_page *page, int columns, int rows);

/* -- the box of keys: when a command is half typed (a count, or the first of two keys)
 * and nothing follows for a moment, it lists the keys that may follow. The next key
 * closes it. -- */

enum { WHICH_KEY_PAUSE_MS = 400 };

/* Milliseconds until the box is due; 0: now; -1: nothing is half typed. now_ms is that of the
 * keys (midi/base/clock.h). */
int which_key_wait(const struct keymap_state *typed, double now_ms);

/* Places a box of this size in the roll's bottom right corner, or in another corner
 * that leaves the cursor visible. */
struct region box_in_corner(const struct layout *l, const struct view *v, int columns,
                            int rows);

#endif
