/* Keeps a track's rhythm: notes that came at a position in nearly every bar (the four beats of a
 * walking bass, the snare on the second beat), or in every second, fourth or later bar (a tune),
 * are expected there again. A token that passes by a position before its notes are there becomes
 * less likely. The bias is bounded and fades during the take, but for one: where chords never begin
 * while one before rings, none does. Pure functions, any thread. */
#ifndef APP_DUE_BIAS_H
#define APP_DUE_BIAS_H

#include "app/biases/place.h"

enum { DUE_PLACES = 2 * TOKEN_RADIX, DUE_BARS = 16 };

struct due_bias {
    int64_t from; /* the step where the take begins */
    bool is_band;
    int32_t first, end;               /* the bars that are read */
    uint8_t period[TOKEN_MAX_TRACKS]; /* bars after which a rhythm returns; 0: none */
    float steady[TOKEN_MAX_TRACKS];   /* 0..1: how far a track is held to its rhythm */
    uint64_t apart; /* bit t: token track t never begins a note while one of it rings */
    /* The bar that is written. */
    int64_t bar;                             /* its first step */
    int length;                              /* steps */
    uint8_t n[DUE_PLACES][TOKEN_MAX_TRACKS]; /* notes expected at a step, by track, */
    float n_at[DUE_PLACES];   /* and of all tracks, each times `steady` */
    uint64_t may[DUE_PLACES]; /* bit t: track t may begin notes there */
};

/* Reads the bars before step `from`, of these token tracks. is_band: the piece has drums, or
 * repeats its chords; such music is held more strictly, and for longer. */
void due_bias_init(struct due_bias *b, const struct piece *p, int64_t from,
                   const bool tracks[TOKEN_MAX_TRACKS], bool is_band);
/* free_tracks: those that do something else in this bar; read at its first token. */
void due_bias_apply(struct due_bias *b, const struct place *at, uint64_t free_tracks);

#endif
