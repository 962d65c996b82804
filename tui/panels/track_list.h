/* Where the rows and columns of the list of tracks are. Pure. */
#ifndef TUI_TRACK_LIST_H
#define TUI_TRACK_LIST_H

#include "midi/edit/controllers.h"
#include "tui/paint/list.h"

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

#endif
