/* The beats of a piece, with what sounds in them: the input for guessing chords. Pure
 * functions, any thread. */
#ifndef MIDI_CHORD_BEATS_H
#define MIDI_CHORD_BEATS_H

#include "midi/tokens/piece.h"

enum { CHORD_WEAK, CHORD_HALF_BAR, CHORD_BAR_LINE, CHORD_STRENGTHS };

struct chord_beat {
    int32_t from, to;  /* steps */
    float classes[12]; /* how long each class sounds, as a part of the beat, balanced */
    float around[12];  /* log of 12 times its share of `wide` */
    float wide[12];    /* what sounds in this beat, and fading, around it */
    uint8_t strength;  /* enum above */
    uint8_t bass;      /* the class that is lowest for longest; 12: none */
    bool has_others;   /* notes sound together */
    uint8_t symbol;    /* the guessed symbol */
    bool is_heard;     /* something sounds */
};

struct chord_beats {
    struct chord_beat *at;
    int n;
};

/* Leaves out hits. A note fades after four bars of 4/4. Only notes below `bass_below`
 * count as bass. Fails with MIDI_NO_MEMORY only. */
enum midi_status chord_beats_hear(struct chord_beats *out, const struct piece *p,
                                  int bass_below);
void chord_beats_fini(struct chord_beats *b);

#endif
