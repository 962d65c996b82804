/* Where the panels are, for painters and the mouse, and what two of them hold. Pure, but
 * for which_key_wait. */
#ifndef TUI_PANELS_H
#define TUI_PANELS_H

#include "midi/edit/controllers.h"
#include "midi/edit/timeline_events.h"
#include "tui/keys/keys.h"
#include "tui/paint/list.h"

/* The undo tree at the roll's right: a line for each of n states, the newest first, and
 * the branches drawn at the left. chosen: index in the list. */
struct list_box history_list_box(const struct layout *l, size_t n, size_t chosen);
/* Tempos, meters, keys and markers at the roll's top right. */
struct list_box map_list_box(const struct layout *l, const struct timeline_events *all,
                             int chosen);
/* n takes in the room that layout_list_takes makes; without it there are no rows. shown:
 * index; -1: the original. */
struct list_box take_list_box(const struct layout *l, int n, int shown);

/* -- the list of tracks, and the line of tracks at the foot of tall screens -- */

enum track_mark { TRACK_MUTE, TRACK_SOLO, TRACK_ARM, TRACK_HIDE, TRACK_MARKS };

struct track_list {
    struct list_box box;
    int number, colour, name, marks;       /* the columns' starts */
    int n_name;                            /* width of the name */
    int instrument, channel, notes, level; /* 0: no room */
    int knobs, n_knobs;                    /* start and number of the mixer's columns */
};

/* `first` is clamped. */
struct track_list track_list_for(const struct layout *l, int n_tracks, int first);
/* The `first` nearest to this one that shows the track. */
int track_list_reveal(const struct layout *l, int n_tracks, int first, int track);
/* The mark at a column; TRACK_MARKS: none. */
enum track_mark track_list_mark_at(const struct track_list *t, int column);
/* The mixer's knob at a column; MIX_KNOBS: none. */
enum mix_knob track_list_knob_at(const struct track_list *t, int column);
/* The track at a column of the line; -1: none. active: the edited track. */
int track_line_at(const struct layout *l, const struct score *s, int active,
                  int column);

/* -- the steering panel -- */

struct steer_panel {
    struct list_box box;
    int value, n_value;   /* columns: start and width of the values, */
    int less, more;       /* arrows of the chosen line, */
    int slider, n_slider; /* start and width of sliders; width 0: no room */
};

struct steer_panel steer_panel_for(const struct layout *l, int n_lines, int chosen);

/* -- the command palette: matches of the typed words, best first
 * (app/editor/shell/palette.h finds them) -- */

struct palette_line {
    const char *text; /* untrusted */
    const char *keys; /* at the right; may be "" */
    const char *kind; /* "track", "file", ...; before the keys, quiet */
    uint64_t marks;   /* bit i: byte i of the text matches */
};

/* The lines in view. */
struct palette_view {
    const struct palette_line *lines;
    int n_lines;
    int first, n_found; /* first: index of lines[0] among the matches */
    int chosen;         /* index among the matches */
};

enum { PALETTE_MOST_LINES = 16 };

struct list_box palette_box(const struct layout *l, size_t n_found, size_t chosen);

/* -- the help page, MODE_HELP -- */

struct keymap; /* tui/keys/keymap.h */

/* Its contents: the keys in force (NULL: as built in) of one mode, or of all. */
struct help_page {
    const struct keymap *keymap;
    enum mode mode;
    bool all;
};
/* The largest scroll that shows something new. */
int help_max_scroll(const struct help_page *page, int columns, int rows);

/* -- the box of keys: when a command is half typed (a count, or the first of two keys)
 * and nothing follows for a moment, it lists the keys that may follow. The next key
 * closes it. -- */

enum { WHICH_KEY_PAUSE_MS = 400 };

/* What is half typed, and since when. Zero-initialise. */
struct which_key {
    int count;
    uint32_t prefix;
    int64_t since_ms;
};

/* Milliseconds until the box is due; 0: now; -1: nothing is half typed. now_ms is
 * monotonic. */
int which_key_wait(struct which_key *w, const struct keymap_state *typed,
                   int64_t now_ms);

/* Places a box of this size in the roll's bottom right corner, or in another corner
 * that leaves the cursor visible. */
struct region which_key_region(const struct layout *l, const struct view *v,
                               int columns, int rows);

#endif
