/* A bounded bias of the logits at the end of a take that should close. In the last beats before
 * its last bar the dominant sounds, with V or VII in the bass. In that bar the bass goes
 * to the tonic, the other voices to its triad, the highest rather to the tonic, too; the last notes
 * are held, and the take does not end before the bass and all voices are there, and seldom goes on
 * after it. The bias of pitches grows until the middle of the bar, before which a dominant may
 * still come; a band ends on the bar line. The bass is the requested track that is lowest in the
 * music so far. Pure functions, any thread. */
#ifndef APP_CADENCE_H
#define APP_CADENCE_H

#include "app/biases/analysis.h"
#include "app/biases/place.h"
#include "midi/tokens/fill.h"

/* Nats: the largest bias of one token, but for the lengths at the end of a band: twice as much. */
#define CADENCE_BOUND 6.0f

struct cadence {
    float weight;     /* 0: nothing is done */
    int tonic;        /* pitch class */
    uint16_t triad;   /* bit 0 is C */
    int bass, top;    /* the token tracks that lie lowest and highest; -1: none */
    uint64_t voices;  /* bit t: track t has played of late, and plays to the end */
    bool is_band;     /* the piece has drums */
    bool is_tune;     /* the piece is one line, which has no bass */
    int64_t before;   /* the step from which the dominant sounds, */
    int64_t approach; /* in the bar that begins here */
    int64_t from, to; /* the last bar, steps */
};

/* For a piece that closes at `to`; weight 1 allows the full bound. Without a key, or with
 * only drums requested, the weight is 0. */
struct cadence cadence_for(const struct piece *p, const struct signature *signature,
                           const struct fill_request *request, int64_t from, int64_t to,
                           float weight);
/* The step at which the dominant begins that leads to the tonic of this bar: half a bar before its
 * bar line, in quarters, or one quarter. */
int64_t cadence_dominant(const struct piece *p, int64_t bar);
/* Whether this step is in the last bar; or in it, or in the beats of the dominant before it. */
bool cadence_is_needed(const struct cadence *c, int64_t step);
bool cadence_is_near(const struct cadence *c, int64_t step);

/* What sounds at a place near the close. */
struct sounding {
    int lowest;     /* pitch; 128: none */
    uint64_t heard; /* bit t: track t has notes that sound in the last bar */
    bool is_open;   /* no dominant led the bass to the tonic, or to where it is */
};

struct sounding cadence_listen(const struct cadence *c, const struct place *at);
void cadence_apply(const struct cadence *c, const struct sounding *s,
                   const struct place *at);

#endif
