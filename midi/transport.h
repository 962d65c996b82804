/* Plays a schedule into a sound: where the playhead is, and what is sent when.
 * Messages go out a little ahead of the playhead, through the tempo map, so
 * both edits and tempo changes are followed. Times are read from the sound's
 * clock. Player thread only; nothing here allocates. */
#ifndef MIDI_TRANSPORT_H
#define MIDI_TRANSPORT_H

#include "midi/chase.h"
#include "midi/cue.h"
#include "midi/metronome.h"
#include "midi/schedule.h"
#include "midi/sound.h"

struct transport {
    struct sound *sound;       /* borrowed; never NULL once in use */
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

/* The edited music in place of the one before, playing on where it is. */
void transport_set_schedule(struct transport *t, struct schedule *schedule);
/* Another device, and so another clock; the old one is closed already, and stood still for
 * so long. What plays goes on as if it had not. */
void transport_set_sound(struct transport *t, struct sound *sound, double lost_ms);

/* While it plays: which tick is heard at that moment of the sound's clock, at most a little
 * while from now, and after how many turns of the loop. Negative: before the piece. */
double transport_tick_at(const struct transport *t, double ms, unsigned *pass);

/* The moment of the sound's clock at which a tick will be heard, or would have been. */
double transport_ms_at(const struct transport *t, int64_t tick);

/* Moves the playhead and sends what is due; call every 10 ms or so. */
void transport_advance(struct transport *t);

#endif
