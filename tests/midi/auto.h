/* What tests/auto.h says, of music: auto_score *s = score_create(480). */
#ifndef TESTS_MIDI_AUTO_H
#define TESTS_MIDI_AUTO_H

#include "midi/edit/timeline_events.h"
#include "midi/tokens/grammar.h"
#include "midi/tokens/grid.h"
#include "tests/auto.h"

#define auto_piece    __attribute__((cleanup(piece_fini))) struct piece
#define auto_tokens   __attribute__((cleanup(tokens_fini))) struct tokens
#define auto_fill     __attribute__((cleanup(fill_fini))) struct fill
#define auto_grid     __attribute__((cleanup(grid_fini))) struct grid
#define auto_plan     __attribute__((cleanup(hole_plan_fini))) struct hole_plan
#define auto_timeline __attribute__((cleanup(timeline_fini))) struct timeline
#define auto_score    __attribute__((cleanup(free_score))) struct score
#define auto_history  __attribute__((cleanup(free_history))) struct history
#define auto_grammar  __attribute__((cleanup(free_grammar))) struct grammar
#define auto_events                                                                    \
    __attribute__((cleanup(timeline_events_fini))) struct timeline_events
#define auto_change __attribute__((cleanup(free_change))) struct change

FREES(score, score_destroy)
FREES(history, history_destroy)
FREES(change, change_destroy)
FREES(grammar, grammar_destroy)

#endif
