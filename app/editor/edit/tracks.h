/* What the actions on tracks as wholes share. */
#ifndef APP_TRACKS_H
#define APP_TRACKS_H

#include "app/editor/session/session.h"

/* The knob that was turned last, which may be turned on (act_mix.c). */
struct turned_knob {
    enum mix_knob knob;
    int track;
    uint64_t state; /* of the history, after that; 0: none was */
    double ms;      /* when, by live_now() */
};

/* The list of tracks, with its mixer. */
struct tracks_panel {
    enum mode from;     /* where it was opened */
    int first;          /* its first row, as far as there is room */
    enum mix_knob knob; /* that - and + turn */
    struct turned_knob turned;
};

/* The active track, to be changed; NULL, which is said: there is none. */
struct track *tracks_active(struct session *s);
/* Makes another the active one, in sight in the list. */
void tracks_choose(struct session *s, int track);

/* act_mix.c: the column of the mixer that is chosen in the list. */
enum mix_knob mix_chosen(const struct session *s);
/* At one of its columns: a press chooses that, of the active track, and the wheel turns it,
 * of the one there. false: it is not there. */
bool mix_press(struct session *s, const struct command *c);
bool mix_wheel(struct session *s, const struct command *c);

/* A press on the foot's line of tracks; false: it was not there. */
bool tracks_press_line(struct session *s, const struct command *c);
void tracks_show_chosen(struct session *s); /* scrolls the list to it */

#endif
