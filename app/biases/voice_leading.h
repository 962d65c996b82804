/* Keeps the rules of part writing that a piece keeps: between tracks of one note at a time, no
 * parallel fifths and octaves, no octaves in contrary motion, and no crossing. How often the piece
 * breaks each rule is counted; a rule that it breaks often, as a pop song does, is not one. Nor are
 * chords without their third, if the piece has thirds. A line that was missing lies between those
 * above and below it in the score, and doubles none, a leading tone least of all. A bounded bias of
 * the logits. Pure functions, any thread. */
#ifndef APP_VOICE_LEADING_H
#define APP_VOICE_LEADING_H

#include "app/biases/place.h"

struct voice_leading {
    uint64_t lines;                 /* bit t: track t has one note at a time; */
    uint64_t missing;               /* it had no notes: it plays in unison with none */
    uint64_t ranked;                /* it has a rank: */
    uint8_t rank[TOKEN_MAX_TRACKS]; /* 0 for the line that is highest on the mean */
    uint64_t placed;                /* it was missing, and should lie about its mean: */
    float mean[TOKEN_MAX_TRACKS];   /* the pitch of a line */
    float parallels,
        crossing; /* nats, 0 or less, for each pair of lines but the outer two, */
    float crossing_of_missing; /* of which one was missing; */
    float hollow;              /* and for a chord of three lines without a third */
};

/* Returns the tracks without notes, of these (bit t: track t), that will play one note at a time:
 * their instruments do, or the lines of their family. */
uint64_t voice_leading_missing(const struct piece *p, uint64_t tracks);
/* Of the notes before step `end`. missing: tracks that have no notes, but will have some. limits:
 * of their pitches. */
struct voice_leading voice_leading_of(const struct piece *p, int64_t end,
                                      uint64_t missing, const struct hole *limits);
/* Of pitches. leading: the class of the leading tone there; -1: none. */
void voice_leading_apply(const struct voice_leading *v, int leading,
                         const struct place *at);

#endif
