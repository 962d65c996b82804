/* Keeps drums to their groove. What came in most of the last four bars at a place is likelier
 * there, and what came in none is less likely. New drums may have a backbeat: it counts as two
 * more bars, and its snares are due in each. A kick may join each note of a bass. Each fourth bar
 * ends with a fill. A bounded bias. Pure functions, any thread. */
#ifndef APP_GROOVE_BIAS_H
#define APP_GROOVE_BIAS_H

#include "app/biases/place.h"

/* Whether more notes between the beats begin on triplets than on eighths. */
bool groove_swings(const struct piece *p);
/* Whether drums of this style that are written anew have a backbeat: not in jazz and latin, and not
 * in folk or art music; nor where others swing. */
bool groove_has_backbeat(const struct piece *p, enum style style);

/* Of hits of the track at this place, and of positions. Phrases of four bars begin at step `from`.
 * has_backbeat: the drums are new, and have one. */
void groove_bias_apply(const struct place *at, int64_t from, bool has_backbeat);

#endif
