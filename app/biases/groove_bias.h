/* Keeps drums to their groove. What came in most of the last four bars at a place is likelier
 * there, and what came in none is less likely. New drums have a plain groove, which counts as two
 * more bars: a backbeat, whose snares are due; in jazz a ride; beside folk and art music little. A
 * kick may join each note of a bass. Each fourth bar ends with a fill, of sparse drums each eighth.
 * A bounded bias. Pure functions, any thread. */
#ifndef APP_GROOVE_BIAS_H
#define APP_GROOVE_BIAS_H

#include "app/biases/analysis.h"
#include "app/biases/place.h"

/* What drums that are written anew play. DRUMS_FREE: what the model begins with. */
enum drums { DRUMS_LIGHT, DRUMS_BACKBEAT, DRUMS_RIDE, DRUMS_FREE };
struct new_groove {
    enum drums drums;
    bool is_sparse; /* on the beats alone, as most of the music is */
    bool swings,
        is_straight; /* the others have triplets' eighths; have eighths and no triplets */
    int64_t last; /* step of the last note of the tracks that are written; -1: none */
};

/* tracks: of all notes; given: those that are not written now (bit t: track t). */
struct new_groove groove_of_new(const struct track_facts tracks[TOKEN_MAX_TRACKS],
                                uint64_t given, enum style style);

/* Of hits of the track at this place, and of positions. Phrases of four bars begin at step `from`. */
void groove_bias_apply(const struct place *at, int64_t from, struct new_groove new);

#endif
