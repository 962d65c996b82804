/* Steps through a history: to the parent, or to the newest child. */
#ifndef TESTS_MIDI_UNDO_H
#define TESTS_MIDI_UNDO_H

#include "midi/edit/edit.h"

/* *label is the history's; label may be NULL. false: nothing to undo or redo. */
static inline bool history_undo(struct history *h, struct score *s, const char **label)
{
    const struct history_state now = *history_now(h);
    if (!now.change || history_go(h, s, now.parent))
        return false;
    if (label)
        *label = now.change->label;
    return true;
}

static inline bool history_redo(struct history *h, struct score *s, const char **label)
{
    const size_t child = history_now(h)->newest_child;
    if (child == 0 || history_go(h, s, child))
        return false;
    if (label)
        *label = history_now(h)->change->label;
    return true;
}

#endif
