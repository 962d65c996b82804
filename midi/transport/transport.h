/* Plays a schedule into an outlet: where the playhead is, and what is sent when.
 * Messages go out a little ahead of the playhead, through the tempo map, so
 * both edits and tempo changes are followed. Times are read from the sound's
 * clock. Player thread only; nothing here allocates. */
#ifndef MIDI_TRANSPORT_H
#define MIDI_TRANSPORT_H

#include "midi/sound/chase.h"
#include "midi/transport/cue.h"
#include "midi/sound/metronome.h"
#include "midi/transport/outlet.h"
#include "midi/sound/schedule.h"

struct transport {
    struct outlet out;
    struct schedule *schedule; /* borrowed; NULL: no score yet */
    struct voices voices;
    bool is_playing;
    double tick;           /* the playhead */
    int64_t end_tick;      /* where it will stop by itself, */
    bool is_endless;       /* or not, while what is played is recorded */
    int64_t sent_tick;     /* what starts before this is sent already */
    double anchor_ms;      /* at this moment of the sound's clock ... */
    double anchor_tick;    /* ... this tick of the piece is heard, */
    double anchor_seconds; /* which is this moment of it */
    bool follows;          /* a clock, and not the tempo map, */
    double rate;           /* which is so many times as fast as 120 a minute */

    struct loop { /* ticks [from, to); empty: there is none */
        int64_t from, to;
    } loop;
    struct loop turned; /* what the anchor goes back to the start of, while ... */
    int n_turns;        /* ... it has been gone round since playing began there */
    unsigned n_passes;  /* turns that were sent since it was begun, */
    unsigned pass;      /* and those that the playhead has made */
    struct chase state; /* of the channels, by all that was sent */

    bool clicks;       /* the metronome */
    int click_volume;  /* may be set at any time */
    double clicked_ms; /* the latest click that was sent */
    struct count_in count_in;

    struct cues cues;  /* notes that are not in the music */
    int64_t hold_tick; /* where the playhead waits; 0: nowhere. May be set at any time,
                          but passes unheeded where more was sent already */
    bool is_held;      /* and it does */
    struct clocks {    /* those that an instrument is sent, 24 a quarter */
        bool is_on;
        int64_t next;   /* comes next, from the piece's start */
        int64_t begins; /* a start goes before this one; -1: before none */
    } clocks;
};

void transport_play(struct transport *t, int64_t from_tick);
/* So many bars are clicked first, whether or not the metronome is on. */
void transport_play_after(struct transport *t, int64_t from_tick, int n_bars);
/* Milliseconds until the first tick is heard; 0: it was, or nothing plays. */
double transport_count_in_ms(const struct transport *t);
void transport_stop(struct transport *t); /* also ends all that sounds */
void transport_seek(struct transport *t, int64_t tick);
void transport_panic(struct transport *t);

/* From now on the playhead goes from `to` to `from` whenever it comes to `to`; notes that
 * sound there end. Begun at `to` or later, it plays to the end. Empty, or too short to be
 * heard as one: there is no loop. A turn that is due in some 30 ms is still made. */
void transport_set_loop(struct transport *t, int64_t from, int64_t to);

/* Notes beside the music, until the transport is stopped; cut: they end, and those to come
 * are not heard. */
void transport_cue(struct transport *t, const struct cue *c);
void transport_cut_cues(struct transport *t);

/* Whether beats are clicked, from now on. */
void transport_set_clicks(struct transport *t, bool on);

/* Whether an instrument is sent clocks and starts, from now on. */
void transport_set_clocks(struct transport *t, bool on);
/* An instrument has come: puts its channels into the state of the piece. */
void transport_greet(struct transport *t);

/* Plays after a clock: at that moment of the sound's clock the piece is at `tick`, at `rate`
 * times 120 quarters a minute. Loops wait meanwhile. */
void transport_follow(struct transport *t, double ms, double tick, double rate);
/* While it follows: what is known better by now. What was sent ahead is taken back only if
 * it would be heard at a wrong time. */
void transport_steer(struct transport *t, double ms, double tick, double rate);

/* The edited music in place of the one before, playing on where it is. */
void transport_set_schedule(struct transport *t, struct schedule *schedule);
/* Another device, and so another clock; the old one is closed already, and stood still for
 * so long. What plays goes on as if it had not. */
void transport_set_sound(struct transport *t, struct sound *sound, double lost_ms);

/* While it plays: which tick is heard at that moment of the sound's clock, at most a little
 * while from now, and after how many turns of the loop. Negative: before the piece. */
double transport_tick_at(const struct transport *t, double ms, unsigned *pass);

/* Moves the playhead and sends what is due; call every 10 ms or so. */
void transport_advance(struct transport *t);

#endif
