/* Plays a schedule into an outlet. Messages are sent a little ahead of the playhead,
 * through the tempo map, so edits and tempo changes take effect. Times are those of the
 * sound's clock. Player's thread only; nothing allocates. */
#ifndef MIDI_TRANSPORT_H
#define MIDI_TRANSPORT_H

#include "midi/sound/chase.h"
#include "midi/transport/scheduled_note.h"
#include "midi/sound/metronome.h"
#include "midi/sound/schedule.h"
#include "midi/transport/output.h"
#include "midi/sound/sound.h"

/* Where a transport's messages go: to the synth, and to an external instrument if there
 * is one. */
struct outlet {
    struct sound *sound;   /* borrowed; not NULL once in use */
    struct output *output; /* borrowed; NULL: none */
    double ahead_ms;       /* how far the sound's clock is ahead of ours */
};

struct transport {
    struct outlet out;
    struct schedule *schedule; /* borrowed; NULL: no score yet */
    struct voices voices;
    bool is_playing;
    double tick;           /* the playhead */
    int64_t end_tick;      /* where it stops, */
    bool is_endless;       /* unless this is set, for recording */
    int64_t sent_tick;     /* what starts before it has been sent */
    double anchor_ms;      /* At this moment of the sound's clock */
    double anchor_tick;    /* this tick is heard, */
    double anchor_seconds; /* which is this second of the piece */
    bool follows;          /* it follows a clock, not the tempo map */
    double rate;           /* of that clock, relative to 120 a minute */

    struct loop { /* ticks [from, to); empty: none */
        int64_t from, to;
    } loop;
    struct loop turned; /* if n_turns: the loop at whose start the anchor is */
    int n_turns;        /* number of turns that led there */
    unsigned n_passes;  /* turns that were sent since playing began */
    unsigned pass;      /* turns that the playhead has made */
    struct chase state; /* of the channels, from what was sent */
    double struck_ms;   /* when held notes were struck again */

    bool clicks;       /* the metronome */
    int click_volume;  /* may be set at any time */
    double clicked_ms; /* last click that was sent */
    struct count_in count_in;

    struct scheduled_notes scheduled; /* notes that are not in the music */
    /* Where the playhead waits; 0: nowhere. May be set at any time, and is ignored if
     * more was sent already. */
    int64_t hold_tick;
    bool is_held;   /* it waits now */
    struct clocks { /* clocks for an instrument, 24 a quarter */
        bool is_on;
        int64_t next;   /* the next one, counted from the piece's start */
        int64_t begins; /* a start comes before this one; -1: none */
    } clocks;
};

/* Clicks n_bars bars first, even if the metronome is off. */
void transport_play(struct transport *t, int64_t from_tick, int n_bars);
/* Returns the milliseconds until the first tick is heard; 0: there is no count-in. */
double transport_count_in_ms(const struct transport *t);
void transport_stop(struct transport *t); /* ends all notes, too */
void transport_seek(struct transport *t, int64_t tick);
void transport_panic(struct transport *t);

/* Sets the loop. Whenever the playhead reaches `to`, it goes back to `from`, and notes
 * end there. If it begins at `to` or later, it plays to the end. An empty or very short
 * span is no loop. A turn that is due within about 30 ms is still made. */
void transport_set_loop(struct transport *t, int64_t from, int64_t to);

/* Adds a note beside the music, until the transport stops. cut: ends such notes and
 * drops the rest. */
void transport_schedule_note(struct transport *t, const struct scheduled_note *c);
void transport_cut_scheduled(struct transport *t);

/* Whether beats are clicked from now on. */
void transport_set_clicks(struct transport *t, bool on);

/* Whether an instrument gets clocks and starts from now on. */
void transport_set_clocks(struct transport *t, bool on);
/* Sends the piece's present state to a new instrument. */
void transport_greet(struct transport *t);

/* Follows a clock: at that moment of the sound's clock the piece is at `tick`, and runs
 * at `rate` times 120 quarters a minute. Meanwhile there is no loop. */
void transport_follow(struct transport *t, double ms, double tick, double rate);
/* Updates the estimate while following. What was sent is taken back only if its time
 * would be wrong. */
void transport_steer(struct transport *t, double ms, double tick, double rate);

/* Goes on with the edited music. */
void transport_set_schedule(struct transport *t, struct schedule *schedule);
/* Goes on by the clock of another device. The old one is closed; it stood still for
 * lost_ms. */
void transport_set_sound(struct transport *t, struct sound *sound, double lost_ms);

/* While playing: returns the tick that is heard at that moment of the sound's clock,
 * which is near, and the turns of the loop by then. Negative: before the piece. */
double transport_tick_at(const struct transport *t, double ms, unsigned *pass);

/* Moves the playhead, and sends what is due. Call it about every 10 ms. */
void transport_advance(struct transport *t);

#endif
