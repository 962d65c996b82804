/* Playing into the piece: what the session knows of keyboards, of what is being recorded,
 * and of the two modes in which the computer's keys are one. A part of struct session.
 *
 *   PLAY (q)    letters sound, and are recorded as a MIDI keyboard is
 *   STEP (Q)    what is played is put at the cursor, a chord at a time
 *
 * A channel of the keyboard plays the armed track of that channel; where there is none, the
 * active track if it is armed or no track is; else the first that is armed. */
#ifndef APP_RECORDER_H
#define APP_RECORDER_H

#include "midi/ports/ports.h"
#include "midi/record/record.h"
#include "tui/view/view.h"

struct session;
struct session_options;

enum {
    PIANO_KEYS = 16,      /* that sound at once */
    RECORDER_PASSES = 99, /* of a loop that are kept */
    STEPS_KEPT = 256,     /* that Backspace takes back one after another */
};

/* The computer's keys as a piano. A terminal tells when a key goes down, and then that it
 * goes down again and again while it is held, but not when it goes up. So a note lasts for
 * a step of the grid, and as long as its key repeats, and a little. */
struct piano {
    int octave; /* of the lower row: 4 begins at C4 */
    struct piano_key {
        bool is_on;
        uint8_t pitch;
        double heard_ms, end_ms; /* the last time it came; when it will end */
    } keys[PIANO_KEYS];
};

/* Putting notes one step after another: a chord is what is struck until all is let go. */
struct stepping {
    uint8_t velocity[128]; /* of the chord; 0: it is not in it */
    bool held[128];
    int n_held, n_chord;
    struct put_step {
        uint64_t state; /* of the history, after it */
        int64_t tick, after;
    } put[STEPS_KEPT];
    int n_put;
};

/* `:record free` (free_take.c). */
struct free_take {
    bool has_begun;
    double first_ms;         /* of live_now(): when the first note was played */
    struct live_event pedal; /* the last that was trodden before that, and whether */
    bool pedal_is_down;      /* it still is */
};

struct recorder {
    enum record_mode mode;
    bool monitors; /* keyboards are heard */
    int wake_fd;

    struct ports *ports; /* NULL: neither keyboards nor instruments are looked for */
    unsigned n_input_changes, n_lost;
    bool was_lost, was_chosen; /* what comes of it is told, */
    double told_ms;            /* and when it was; 0: long ago */

    bool is_on;
    struct free_take free;
    struct recording recording;
    struct record_span span;
    uint64_t arrangement; /* of tracks, as session.arrangement */
    int targets[16];      /* tracks, by the keyboard's channel */
    unsigned pass;
    double tick;          /* of the playhead at the last look */
    struct ghost *drafts; /* of this pass, as they are drawn */
    size_t n_drafts, cap_drafts;
    char label[160];

    /* What of it is kept (record_keep): so many of its notes and events, and how many of the
     * notes are held; those before `n_final` do not change any more. */
    size_t n_kept_notes, n_kept_events, n_kept_held, n_final;

    uint64_t passes[RECORDER_PASSES]; /* states of the history */
    int n_passes;                     /* of the last recording in a loop */

    bool is_routed; /* with what follows */
    uint64_t routed_version, routed_armed;
    int routed_track;

    struct piano piano;
    struct stepping step;
};

/* act_record.c: ends a recording, and puts what was played into the piece. false: there was
 * none. */
bool record_stop(struct session *s);
void record_take(struct session *s, const struct live_event *e);
void record_follow(struct session *s);
/* Puts what an earlier run had recorded, when it was ended, into the piece. *r is used
 * up. */
struct kept_recording;
void record_bring_back(struct session *s, struct kept_recording *r);
/* A track for that channel of a keyboard; -1: there are no tracks. */
int recorder_target(const struct session *s, int channel);

/* free_take.c: it is what is being recorded; and waits for the first note. */
bool free_take_is_on(const struct session *s);
bool free_take_waits(const struct session *s);
void free_take_wait(struct session *s);          /* begins that */
int64_t free_take_tick(const struct session *s); /* now, when it has begun */
/* Gives the event its tick; false: it is from before the first note. */
bool free_take_place(struct session *s, struct live_event *e);
/* That free playing begins there. */
enum midi_status free_take_mark(const struct session *s, struct change *c);

/* act_piano.c */
void piano_tick(struct session *s);
void piano_release(struct session *s); /* all its keys go up */
/* act_step.c */
void step_take(struct session *s, const struct live_event *e);
void step_follow(struct session *s,
                 const struct live_event *e); /* what is held alone */
void step_forget(struct session *s);          /* what is held */
size_t step_drafts(const struct session *s, struct ghost *out, size_t most);

/* act_keyboard.c */
void keyboard_watch(struct session *s); /* tells what becomes of it */

#endif
