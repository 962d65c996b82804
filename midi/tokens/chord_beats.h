/* The beats of a piece as a guesser of chords hears them. Pure functions, any thread. */
#ifndef MIDI_CHORD_BEATS_H
#define MIDI_CHORD_BEATS_H

#include "midi/tokens/piece.h"

enum { CHORD_WEAK, CHORD_HALF_BAR, CHORD_BAR_LINE, CHORD_STRENGTHS };

struct chord_beat {
    int32_t from, to; /* steps */
    float
        classes[12]; /* how long each pitch class sounds; its sum grows with the root of
                        * the number of notes at once */
    float
        around[12]; /* log of its share of what sounds there and for some bars around */
    float wide[12]; /* sounds there and around */
    uint8_t strength; /* enum above */
    uint8_t bass;     /* the class of what is longest the lowest of several; 12: none */
    uint8_t symbol;   /* the guesser's */
    bool is_heard;    /* anything sounds */
};

struct chord_beats {
    struct chord_beat *at;
    int n;
};

/* MIDI_NO_MEMORY. Hits are left out; a note fades after four bars of four quarters. */
enum midi_status chord_beats_hear(struct chord_beats *out, const struct piece *p);
void chord_beats_fini(struct chord_beats *b);

#endif
