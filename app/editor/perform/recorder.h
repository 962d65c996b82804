/* Recording: MIDI keyboards, the recording in progress, and the two modes in which the
 * computer's keys are a keyboard. UI thread.
 *
 *   PLAY (q)    letters sound, and are recorded as a MIDI keyboard is
 *   STEP (Q)    played notes go in at the cursor, a chord at a time
 *
 * A channel of the keyboard plays the armed track of that channel; where there is none,
 * the active track if it is armed or no track is; else the first that is armed. */
#ifndef APP_RECORDER_H
#define APP_RECORDER_H

#include "midi/base/clock.h"
#include "midi/record/record.h"
#include "tui/view/view.h"

struct kept_recording; /* app/document/store_session.h */
struct session;

enum { RECORDER_PASSES = 99 }; /* of a loop that are kept */

/* `:record free`. */
struct free_take {
    bool has_begun;
    double first_ms;         /* of clock_now_ms(): when the first note was played */
    struct live_event pedal; /* the last pedal before that note; zero: none */
};

/* Shared by recorder.c and answer.c; only tests look into it, too. */
struct recorder {
    enum record_mode mode;

    bool is_on; /* a recording, and not a take that is played together */
    struct free_take free;
    struct recording recording; /* of the input, also while playing together */
    struct record_span span;
    uint64_t arrangement; /* of tracks, when it began (struct history_state) */
    int targets[16];      /* tracks, by the keyboard's channel */
    unsigned pass;
    double tick;          /* of the playhead at the last look */
    struct ghost *drafts; /* [n_drafts] notes of this pass, as a frame shows them */
    size_t n_drafts, cap_drafts;

    /* What the store has already (record_keep): number of notes and events, and how many of
     * the notes are held. The next part has the notes from n_final_notes on, since those before
     * do not change any more, and the events from n_final_events on. */
    size_t n_kept_notes, n_kept_events, n_kept_held, n_final_notes, n_final_events;
    uint64_t kept_moves; /* autosave's n_moves: another store has nothing of it */

    uint64_t passes[RECORDER_PASSES]; /* states of the history */
    int n_passes;                     /* passes of the last recording in a loop */

    uint64_t routed; /* hash of what the player's routes were made for; 0: none are */
};

/* -- for other parts -- */

bool recorder_is_on(const struct session *s);
/* Begins a recording at a tick: it takes the input from now on; the player gets the music, and
 * clicks. Call once recorder_is_on or answer_is_on is true. */
void recorder_begin(struct session *s, int64_t from);
/* Takes the input that waits: into the recording, the take or the chord of STEP. */
void recorder_take_input(struct session *s);
/* Stops the transport, after recorder_is_on and answer_is_on have become false. */
void recorder_end(struct session *s);
/* Receives the input that the mode needs from now on. */
void recorder_follow_mode(struct session *s);
/* Stores the track that each channel of the keyboard records onto; -1: none. Returns a
 * bit for each of the first 64 tracks. */
uint64_t recorder_targets(const struct session *s, int targets[16]);

/* Ends the recording and adds it to the piece, or ends playing together. false: neither was on. */
bool record_stop(struct session *s);
/* Adds the unfinished recording of an earlier run to the piece. Takes *r's contents. */
void record_bring_back(struct session *s, struct kept_recording *r);
/* Returns the track that this channel of a keyboard plays; -1: there are no tracks. */
int recorder_target(const struct session *s, int channel);
/* Whether `:record free` is on or waits for a note. */
bool free_take_is_on(const struct session *s);

/* piano.c: what is played on the computer's keys, and the chord of STEP. */

void piano_tick(struct session *s);
void piano_release(struct session *s); /* all its keys go up */
/* Follows which keys of a keyboard are held; in STEP they become a chord. */
void step_take(struct session *s, const struct live_event *e);
void step_forget(struct session *s); /* forgets these keys */

/* Tells the player whether to click now, recording or not (play.c). */
void session_send_clicks(const struct session *s);

#endif
