/* Keeps a take on the chord progression of a piece that repeats one: on the four chords of
 * a pop song, or the twelve bars of a blues. The pitch classes of each beat are compared
 * with those some bars before. If they repeat, the classes that are due become likelier. A
 * blues is also known by the bass of eight bars. A bounded bias of the logits, which fades
 * during the take. Pure functions, any thread. */
#ifndef APP_PROGRESSION_BIAS_H
#define APP_PROGRESSION_BIAS_H

#include "app/biases/place.h"

enum { PROGRESSION_BEATS = 64, PROGRESSION_TRACKS = 16 };

struct progression_bias {
    int n;        /* beats of the progression; 0: none was found */
    int32_t beat; /* steps */
    /* The step where it begins again, at or before the take's beginning. */
    int32_t from;
    float bias[PROGRESSION_BEATS][12]; /* nats, by beat and pitch class */
    /* Bit t: track t keeps to its own notes, as the lowest of several pitched tracks and tracks
     * that repeat theirs do. */
    uint16_t own;
    float own_bias[PROGRESSION_TRACKS][PROGRESSION_BEATS][12];
};

/* Of the bars before step `from`, 32 at most. */
struct progression_bias progression_bias_of(const struct piece *p, int64_t from);
/* Of pitches; a class that the track has at this step already is less likely. */
void progression_bias_apply(const struct progression_bias *b, const struct place *at);

#endif
