/* Plays a schedule into an outlet. Sends messages a little ahead of the playhead,
 * through the tempo map, so that edits and tempo changes take effect. Times are the
 * sound's clock. Player's thread only; nothing allocates. */
#ifndef MIDI_TRANSPORT_H
#define MIDI_TRANSPORT_H

#include "midi/sound/chase.h"
#include "midi/transport/scheduled_note.h"
#include "midi/sound/metronome.h"
#include "midi/sound/schedule.h"
#include "midi/transport/output.h"
#include "midi/sound/sound.h"

/* Where a transport's messages go: to the synth, and to an external instrument if there is
 * one. */
struct outlet {
    struct sound *sound;   /* borrowed; never NULL once in use */
    struct output *output; /* borrowed; NULL: none */
    double ahead_ms;       /* the sound's clock minus ours (midi/base/clock.h) */
};

struct transport {
    struct outlet out;
    struct schedule *schedule; /* borrowed; NULL: no score yet */
    struct voices voices;
    bool is_playing;
    double tick;           /* the playhead */
    int64_t end_tick;      /* where it stops */
    bool is_endless;       /* unless it records */
    int64_t sent_tick;     /* earlier starts are sent */
    double anchor_ms;      /* at this moment of the sound's clock */
    double anchor_tick;    /* this tick is heard */
    double anchor_seconds; /* at this second of the piece */
    bool follows;          /* follows a clock, not the tempo map */
    double rate;           /* of that clock, relative to 120 a minute */

    struct loop { /* ticks [from, to); empty: none */
        int64_t from, to;
    } loop;
    struct loop turned; /* the loop whose start the anchor is at, if */
    int n_turns;        /* this many turns led there */
    unsigned n_passes;  /* turns sent since playing began */
    unsigned pass;      /* turns made by the playhead */
    struct chase state; /* of the channels, by what was sent */
    double struck_ms;   /* when notes that were held were struck again */

    bool clicks;       /* the metronome */
    int click_volume;  /* may be set at any time */
    double clicked_ms; /* the last click sent */
    struct count_in count_in;

    struct scheduled_notes scheduled; /* not in the music */
    /* Where the playhead waits; 0: nowhere. May be set at any time; ignored if more was
     * sent. */
    int64_t hold_tick;
    bool is_held;   /* it waits now */
    struct clocks { /* clocks sent to an instrument, 24 a quarter */
        bool is_on;
        int64_t next;   /* the next, from the piece's start */
        int64_t begins; /* a start comes before this one; -1: none */
    } clocks;
};

/* Clicks n_bars bars first, even if the metronome is off. */
void transport_play(struct transport *t, int64_t from_tick, int n_bars);
/* Milliseconds until the first tick is heard; 0: no count-in. */
double transport_count_in_ms(const struct transport *t);
void transport_stop(struct transport *t); /* ends all notes, too */
void transport_seek(struct transport *t, int64_t tick);
void transport_panic(struct transport *t);

/* The playhead goes back to `from` whenever it reaches `to`; notes end there. If it
 * begins at `to` or later, it plays to the end. No loop if empty or too short. A
 * turn due within about 30 ms is still made. */
void transport_set_loop(struct transport *t, int64_t from, int64_t to);

/* Adds a note beside the music, until the transport stops. cut: ends them and drops
 * the rest. */
void transport_schedule_note(struct transport *t, const struct scheduled_note *c);
void transport_cut_scheduled(struct transport *t);

/* Whether beats are clicked from now on. */
void transport_set_clicks(struct transport *t, bool on);

/* Whether an instrument gets clocks and starts from now on. */
void transport_set_clocks(struct transport *t, bool on);
/* Sends the piece's present state to a new instrument. */
void transport_greet(struct transport *t);

/* Follows a clock: at that moment of the sound's clock the piece is at `tick`, at
 * `rate` times 120 quarters a minute. There is no loop meanwhile. */
void transport_follow(struct transport *t, double ms, double tick, double rate);
/* Updates the estimate while following. Takes back what was sent only if its time
 * would be wrong. */
void transport_steer(struct transport *t, double ms, double tick, double rate);

/* Goes on with the edited music. */
void transport_set_schedule(struct transport *t, struct schedule *schedule);
/* Goes on by the clock of another device; the old one is closed and stood still for
 * lost_ms. */
void transport_set_sound(struct transport *t, struct sound *sound, double lost_ms);

/* While playing: the tick heard at that moment of the sound's clock, which is near,
 * and the turns of the loop by then. Negative: before the piece. */
double transport_tick_at(const struct transport *t, double ms, unsigned *pass);

/* Moves the playhead and sends what is due; call about every 10 ms. */
void transport_advance(struct transport *t);

#endif
