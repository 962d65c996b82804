/* What the actions on whole tracks share. UI thread only. */
#ifndef APP_TRACKS_H
#define APP_TRACKS_H

#include "midi/base/clock.h"
#include "app/editor/session/session.h"

/* The knob that was turned last; turning it further joins the same step. */
struct turned_knob {
    enum mix_knob knob;
    int track;
    uint64_t state; /* of the history after that; 0: no knob was turned */
    double ms;      /* when, by clock_now_ms() */
};

/* The list of tracks, with its mixer. */
struct tracks_panel {
    enum mix_knob knob; /* that - and + turn */
    struct turned_knob turned;
};

static inline int tracks_count(const struct session *s)
{
    return (int)s->project.score->n_tracks;
}

/* The active track, to change what the session has of it. There is one. */
static inline struct track *tracks_active(struct session *s)
{
    return &s->project.score->tracks[s->view.track];
}
/* Makes `track` the active one; the cursor goes to notes of it that are in sight. */
void tracks_choose(struct session *s, int track);

/* The mixer column that is chosen in the list. */
enum mix_knob mix_chosen(const struct session *s);

/* instrument.c: call after each letter of a line. And moves in the list of matching
 * instruments; false: no such line is being typed. */
void instrument_typed(struct session *s);
bool instrument_step(struct session *s, int by);
/* Adds to a change that gives the active track that channel and program: its new name, if
 * the old one says no more than its instrument did. */
void tracks_follow_name(struct change *c, const struct session *s, int channel,
                        int program);
/* Writes ", as all 2 tracks of channel 1", or "" if the active one has its own. */
const char *tracks_sharing(const struct session *s, char buf[64]);

/* Handles a press on the line of tracks at the foot; false: it was elsewhere. */
bool tracks_press_line(struct session *s, const struct command *c);

#endif
