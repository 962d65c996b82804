/* Playing together: the composer plays a phrase, the machine answers it in time for as
 * many bars, and listens again. The transport runs on all the while; what both have played
 * waits as one take (app/document/proposals.h), and nothing is in the score before that is accepted.
 *
 *   LISTENS  what is played is recorded and, as far as nothing earlier can come any more,
 *            given to the model to read, so that little is left to read at the end
 *   WRITES   the model continues the music from one tick to another; each note is handed to
 *            the player as it comes (midi/transport/cue.h), while later ones are being written
 *
 * The answer is asked for a little before it is due, where that is known. Where the model
 * is not ahead of the playhead the transport waits: at the answer's beginning, in its first
 * bar at a beat, and then at a bar line. A key that is struck while the machine answers
 * ends the answer. A part of struct session; ui thread. */
#ifndef APP_ANSWER_H
#define APP_ANSWER_H

#include "app/decoding/continuation.h"
#include "app/document/proposals.h"
#include "midi/record/record.h"
#include "tui/view/view.h"

struct session;

enum answer_when { ANSWER_ONCE, ANSWER_BEAT, ANSWER_BAR };

struct answer_wish {
    int bars;     /* of a turn; 0: free, it ends with a pause */
    double pause; /* that ends a free one, beats */
    enum answer_when
        when;  /* the first note of an answer: at once, on a beat, on a bar */
    int track; /* that answers, from 0; -1: the one that is played */
};

#define ANSWER_WISH_DEFAULT                                                            \
    ((struct answer_wish){.bars = 2, .pause = 1, .when = ANSWER_BEAT, .track = -1})

enum answer_turn { ANSWER_OFF, ANSWER_LISTENS, ANSWER_WRITES };

struct answer {
    struct answer_wish wish;
    enum answer_turn turn;
    char label[96], frame[40]; /* as they are shown */

    /* Of what is played, ticks; it waits with the take (app/editor/takes/played_take.h). */
    int targets[16];                /* tracks, by the keyboard's channel */
    int64_t from;                   /* where all began */
    int64_t turn_from, turn_to;     /* this turn; `to` where it has bars */
    bool is_struck;                 /* something was, in this turn: */
    int64_t phrase_from, phrase_to; /* from the first key down to the last up */
    double key_ms, key_tick;        /* the latest key; 0 ms: none yet */
    int64_t read_to;                /* what begins before was given to be read, */
    size_t n_read;                  /* so many notes */

    /* Of the answer, ticks; hear_from: what the model hears of it all. */
    int64_t begin, end, hear_from;
    int bars, style;
    uint64_t request;
    bool is_written;  /* the model is done with it */
    int64_t frontier; /* it has come so far */
    struct ghost *notes;
    size_t n, cap, n_cued; /* cued: the player has them, where */
    bool is_heard;         /* its track is neither muted nor beside one that is solo */

    double asked_ms; /* when it was asked for, 0: its lead is known, */
    double lead_ms;  /* and how long the first note is expected to take */
};

static inline bool answer_is_on(const struct answer *a)
{
    return a->turn != ANSWER_OFF;
}

/* act_answer.c. false: it was not on. */
bool answer_stop(struct session *s);

/* answer.c: the turns. take: what was played; tick: at each turn of the loop. */
void answer_take(struct session *s, const struct live_event *e);
void answer_tick(struct session *s);
int answer_patience_ms(const struct session *s); /* -1: nothing is due */
/* Whatever comes next is not to wait for a frame. */
bool answer_is_urgent(const struct answer *a);
void answer_begin_turn(struct session *s, int64_t at);
int answer_n_held(const struct session *s); /* keys that are down */
double answer_now_tick(const struct session *s);

/* answer_ask.c: what the model is given. read: as far as it is known by now; ask: for
 * begin..end, false: out of memory, which is said; choose_past: hear_from, for the turn
 * that begins; track: the one that answers. */
void answer_read(struct session *s);
bool answer_ask(struct session *s);
void answer_choose_past(struct session *s);
int answer_track(const struct session *s);

/* answer_follow.c: what it gives. follow: takes what has come; end: at that tick, wherever
 * it is; add_played: a note that was played has ended, and is a ghost from now on. */
void answer_follow(struct session *s);
void answer_end(struct session *s, int64_t tick);
void answer_add_played(struct session *s, const struct recorded_note *n);

/* answer_view.c */
void answer_view(struct session *s, struct view *v);

#endif
