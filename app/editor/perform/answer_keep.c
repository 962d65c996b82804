/* Pedals, bends and pressure of what was played together: they wait with the take, and are
 * heard and accepted with it. See answer.h. */
#include "app/editor/perform/answer.h"

#include "app/editor/session/session.h"

#include <stdlib.h>
#include <string.h>

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

/* -- beside the music -- */

/* While it goes on: after the last that came. */
static int64_t ends_at(const struct session *s)
{
    const struct answer *a = &s->answer;
    const struct proposal *t = &s->takes.list[0];
    int64_t to = a->to;
    for (size_t i = 0; answer_is_on(a) && i < a->played.n_events; i++)
        to = a->played.events[i].tick >= to ? a->played.events[i].tick + 1 : to;
    for (size_t i = 0; answer_is_on(a) && i < t->n_waiting; i++) {
        int64_t end = t->ghosts[i].note.start + t->ghosts[i].note.length;
        to = end > to ? end : to;
    }
    return to;
}

bool answer_pack(const struct session *s, struct kept_takes *out)
{
    const struct recording *r = &s->answer.played;
    if (!s->answer.has_take)
        return true;
    out->events = calloc(r->n_events + 1, sizeof *out->events);
    if (!out->events)
        return false;
    if (r->n_events)
        memcpy(out->events, r->events, r->n_events * sizeof *out->events);
    out->n_events = r->n_events;
    out->played_to = ends_at(s);
    return true;
}

void answer_unpack(struct session *s, struct kept_takes *kept, const int *tracks)
{
    struct answer *a = &s->answer;
    const struct score *score = s->project.score;
    size_t n = 0;
    if (kept->played_to < 0)
        return;
    for (size_t i = 0; i < kept->n_events; i++) {
        struct recorded_event e = kept->events[i];
        e.track = tracks[e.track];
        if (e.track < 0)
            continue;
        e.data[0] =
            (uint8_t)((e.data[0] & 0xf0) | (score->tracks[e.track].channel & 15));
        kept->events[n++] = e;
    }
    recording_begin(&a->played, 0, 0);
    a->played.events = kept->events; /* they go over */
    a->played.n_events = a->played.cap_events = n;
    kept->events = NULL;
    kept->n_events = 0;
    a->to = kept->played_to;
    a->has_take = true;
}
