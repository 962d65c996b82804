/* Types of variables that are freed at the end of their scope, also by `continue`:
 *
 *   auto_score *s = score_create(480);
 *   auto_piece p = random_piece(&r);
 *   auto_free int32_t *ids = calloc(n, sizeof *ids);
 *
 * A pointer must be set where it is declared. */
#ifndef TESTS_MIDI_AUTO_H
#define TESTS_MIDI_AUTO_H

#include "midi/edit/edit.h"
#include "midi/score/score.h"
#include "midi/sound/schedule.h"
#include "midi/tokens/fill.h"
#include "midi/tokens/grammar.h"
#include "midi/tokens/grid.h"
#include "midi/tokens/hole_plan.h"
#include "midi/transport/player.h"

#include <stdlib.h>

#define auto_piece    __attribute__((cleanup(piece_fini))) struct piece
#define auto_tokens   __attribute__((cleanup(tokens_fini))) struct tokens
#define auto_fill     __attribute__((cleanup(fill_fini))) struct fill
#define auto_grid     __attribute__((cleanup(grid_fini))) struct grid
#define auto_plan     __attribute__((cleanup(hole_plan_fini))) struct hole_plan
#define auto_timeline __attribute__((cleanup(timeline_fini))) struct timeline
#define auto_score    __attribute__((cleanup(free_score))) struct score
#define auto_history  __attribute__((cleanup(free_history))) struct history
#define auto_grammar  __attribute__((cleanup(free_grammar))) struct grammar
#define auto_schedule __attribute__((cleanup(free_schedule))) struct schedule
#define auto_player   __attribute__((cleanup(free_player))) struct player
#define auto_free     __attribute__((cleanup(free_pointer)))

/* Of a pointer to anything that is malloc'd. */
static inline void free_pointer(void *p)
{
    free(*(void **)p);
}

#define FREES(type, name, by)                                                          \
    static inline void free_##name(type **p)                                           \
    {                                                                                  \
        by(*p);                                                                        \
    }

FREES(struct score, score, score_destroy)
FREES(struct history, history, history_destroy)
FREES(struct grammar, grammar, grammar_destroy)
FREES(struct schedule, schedule, schedule_destroy)
FREES(struct player, player, player_destroy)

#endif
