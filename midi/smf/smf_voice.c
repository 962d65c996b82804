/* Pairing note-ons with note-offs, first in, first out. */
#include "midi/smf/smf_track.h"
#include "midi/base/array.h"
#include "midi/score/notes.h"

#include <assert.h>
#include <stdlib.h>

bool voice_begin(struct voice *v, int64_t tick, uint32_t order, uint8_t pitch,
                 uint8_t velocity)
{
    if (!ARRAY_GROW(v->notes, v->n, v->cap))
        return false;
    v->notes[v->n++] = (struct note){
        .start = tick,
        .pitch = pitch,
        .velocity = velocity,
        .flags = NOTE_HANGING,
        .on_order = order,
    };
    if (v->first[pitch])
        v->notes[v->last[pitch] - 1].id = v->n;
    else
        v->first[pitch] = v->n;
    v->last[pitch] = v->n;
    return true;
}

bool voice_is_sounding(const struct voice *v, uint8_t pitch)
{
    return v->first[pitch] != 0;
}

struct note *voice_end(struct voice *v, int64_t tick, uint32_t order, uint8_t pitch)
{
    assert(voice_is_sounding(v, pitch));
    struct note *n = &v->notes[v->first[pitch] - 1];
    v->first[pitch] = (size_t)n->id;
    n->length = tick - n->start;
    n->off_order = order;
    n->flags = 0;
    return n;
}

static int compare(const void *a, const void *b)
{
    return note_compare(a, b);
}

size_t voice_finish(struct voice *v, int64_t end_tick, uint64_t *next_id)
{
    size_t n_hanging = 0;
    for (size_t i = 0; i < v->n; i++) {
        struct note *n = &v->notes[i];
        v->first[n->pitch] = 0;
        n->id = (*next_id)++;
        if (n->flags & NOTE_HANGING) {
            n->length = end_tick - n->start;
            n_hanging++;
        }
    }
    qsort(v->notes, v->n, sizeof *v->notes, compare);
    return n_hanging;
}

bool voice_hand_over(struct voice *v, struct track *t)
{
    struct note *fitted = reallocarray(v->notes, v->n, sizeof *fitted);
    if (fitted)
        v->notes = fitted;
    if (!notes_adopt(t, v->notes, v->n, v->n))
        return false;
    v->notes = NULL;
    v->n = v->cap = 0;
    return true;
}
