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

/* Makes `track` the active one, and moves the cursor to a pitch of its notes near it. */
void tracks_choose(struct session *s, int track);

/* Returns the chosen column of the mixer. */
enum mix_knob mix_chosen(const struct session *s);

/* instrument.c: instrument_typed is called after each letter of a typed line. instrument_step
 * moves in the list of matching instruments; false: no such line is being typed. */
void instrument_typed(struct session *s);
bool instrument_step(struct session *s, int by);
/* Adds a new name to a change that gives the active track that channel and program, if the old
 * name says no more than the old instrument. */
void tracks_follow_name(struct change *c, const struct session *s, int channel,
                        int program);
/* Writes ", like all 2 tracks of channel 1", or "" if no other track has the channel. Returns
 * buf. */
const char *tracks_sharing(const struct session *s, char buf[64]);

/* Handles a press on the line of tracks at the foot; false: it was elsewhere. */
bool tracks_press_line(struct session *s, const struct command *c);

#endif
