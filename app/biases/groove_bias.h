/* Keeps drums to their groove. What came in most of the last four bars at a place is likelier
 * there, and what came in none is less likely. New drums may have a backbeat: it counts as two
 * more bars, and its snares are due in each. A kick may join each note of a bass. Each fourth bar
 * ends with a fill. A bounded bias. Pure functions, any thread. */
#ifndef APP_GROOVE_BIAS_H
#define APP_GROOVE_BIAS_H

#include "app/biases/analysis.h"
#include "app/biases/place.h"

/* Whether drums of this style that are written anew have a backbeat: not in jazz and latin, and not
 * in folk or art music; nor where the tracks swing. */
bool groove_has_backbeat(const struct track_facts tracks[TOKEN_MAX_TRACKS],
                         enum style style);

/* Of hits of the track at this place, and of positions. Phrases of four bars begin at step `from`.
 * has_backbeat: the drums are new, and have one. */
void groove_bias_apply(const struct place *at, int64_t from, bool has_backbeat);

#endif
