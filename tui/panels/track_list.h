/* The list of tracks, framed over the roll: where its rows and columns are. Pure. */
#ifndef TUI_TRACK_LIST_H
#define TUI_TRACK_LIST_H

#include "midi/edit/mix.h"
#include "tui/paint/list_box.h"

enum track_mark { TRACK_MUTE, TRACK_SOLO, TRACK_ARM, TRACK_HIDE, TRACK_MARKS };

struct track_list {
    struct list_box box;
    int number, colour, name, marks;       /* columns where these begin, */
    int n_name;                            /* and how wide the name is, */
    int instrument, channel, notes, level; /* 0: no room */
    int knobs, n_knobs; /* where the mixer's begin, and how many there is room for */
};

/* `first` is put in range. */
struct track_list track_list_for(const struct layout *l, int n_tracks, int first);
/* The `first` nearest to this one with which the track is in sight. */
int track_list_reveal(const struct layout *l, int n_tracks, int first, int track);
/* The mark in this column; TRACK_MARKS: none. */
enum track_mark track_list_mark_at(const struct track_list *t, int column);
/* The mixer's column there; MIX_KNOBS: none. */
enum mix_knob track_list_knob_at(const struct track_list *t, int column);

#endif
