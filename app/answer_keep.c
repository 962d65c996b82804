/* Pedals, bends and pressure of what was played together: they wait with the take, and are
 * heard and accepted with it. See answer.h. */
#include "app/answer.h"

#include "app/session.h"

/* The first of its request; others were made of its span since. */
bool answer_is_of(const struct answer *a, const struct proposal *t)
{
    return a->has_take && t->letter == 'A';
}

enum midi_status answer_add_gestures(const struct session *s, const struct proposal *t,
                                     struct change *c, int64_t from, int64_t to)
{
    const struct answer *a = &s->answer;
    if (!answer_is_of(a, t))
        return MIDI_OK;
    return change_add_gestures(c, s->project.score, &a->played, from,
                               to < a->to ? to : a->to);
}

enum midi_status answer_hear_gestures(const struct session *s, const struct proposal *t,
                                      struct score *heard, int64_t from, int64_t to)
{
    struct change *c = change_create("");
    struct history *once = history_create();
    enum midi_status st =
        c && once ? answer_add_gestures(s, t, c, from, to) : MIDI_NO_MEMORY;
    if (st)
        change_destroy(c);
    else
        st = history_do(once, heard, c);
    history_destroy(once);
    return st;
}
