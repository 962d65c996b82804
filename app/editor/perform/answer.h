/* Playing together: the user plays a phrase, the model answers in time with as many
 * bars, and listens again. The transport keeps running. What both play waits as one
 * take (app/document/proposals.h); the score changes only when that is accepted.
 *
 *   LISTENS  records the user. The model reads the part that can no longer change, so that
 *            little is left to read at the end.
 *   WRITES   the model continues the music from one tick to another. Each note
 *            goes to the player as it comes (midi/transport/scheduled_note.h).
 *
 * The answer is requested a little before it is due, where that is known. If the model is
 * not ahead of the playhead, the transport waits: at the answer's beginning, in its first
 * bar at a beat, and then at a bar line. A key struck during an answer ends it. A part of
 * struct session; ui thread. */
#ifndef APP_ANSWER_H
#define APP_ANSWER_H

#include "midi/transport/live.h"

struct session;

enum answer_when { ANSWER_ONCE, ANSWER_BEAT, ANSWER_BAR };

struct answer_options {
    int bars;     /* of a turn; 0: free, it ends with a pause */
    double pause; /* beats; ends a free turn */
    /* The first note of an answer: at once, on a beat, on a bar. */
    enum answer_when when;
    int track; /* the track that answers, from 0; -1: the played track */
};

enum answer_turn { ANSWER_OFF, ANSWER_LISTENS, ANSWER_WRITES };

/* Only tests look into it. The recorder has what the user plays, in ticks; notes that have ended
 * and gestures are the take's. */
struct answer {
    struct answer_options options;
    enum answer_turn turn;

    int64_t from;               /* where the first turn began */
    int64_t turn_from, turn_to; /* this turn; `to` where it has bars */
    bool is_struck;             /* a key was struck in this turn; */
    int64_t phrase_from,
        phrase_to;           /* ticks from the first key down to the last key up */
    double key_ms, key_tick; /* the latest key; 0 ms: none yet */
    int64_t read_to; /* the model was given the music that begins before this tick, */
    size_t n_read;   /* so many notes of the take */

    /* The answer, in ticks; context_from: where the model's context begins. */
    int64_t begin, end, context_from;
    int bars, style;
    bool is_written;  /* the model has written all of it */
    int64_t frontier; /* how far the model has come */
    /* Its notes are the last waiting ghosts of the take, with ids from first_id on. The player
     * has the first n_scheduled of them, if */
    uint64_t first_id;
    size_t n_scheduled;
    bool is_heard; /* the track is audible: not muted, and no other is solo */

    double asked_ms; /* when it was requested; 0: its lead is known */
    double lead_ms;  /* how long the first note is expected to take */
};

bool answer_is_on(const struct session *s);
/* Ends playing together. false: it was not on. */
bool answer_stop(struct session *s);
/* Takes one event that the user played. Call while it is on. */
void answer_take(struct session *s, const struct live_event *e);
/* Returns whether the next notes must not wait for a frame. */
bool answer_is_urgent(const struct session *s);
/* Call after the history moved away from the state `from`: all parts follow. false: went
 * back to `from`, because takes would be lost for good; the user was told. */
bool history_arrive(struct session *s, uint64_t from);

#endif
