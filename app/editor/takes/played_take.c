/* See played_take.h. */
#include "app/editor/takes/played_take.h"

#include "app/editor/session/session.h"
#include "midi/base/array.h"
#include "midi/edit/apply.h"

void played_take_begin(struct session *s, int64_t from)
{
    struct played_take *p = s->parts.played;
    p->is_there = true;
    p->to = from;
    recording_begin(&p->music, from, s->project.score->ticks_per_quarter / 2);
}

void played_take_end(struct session *s, int64_t to)
{
    s->parts.played->to = to;
}

void played_take_forget(struct session *s)
{
    recording_fini(&s->parts.played->music);
    s->parts.played->is_there = false;
}

struct recording *played_take_music(const struct session *s)
{
    return &s->parts.played->music;
}

bool played_take_is(const struct session *s, const struct proposal *t)
{
    return s->parts.played->is_there && t->letter == 'A';
}

void played_take_add_gestures(const struct session *s, const struct proposal *t,
                              struct change *c, int64_t from, int64_t to)
{
    const struct played_take *p = s->parts.played;
    if (played_take_is(s, t))
        change_add_gestures(c, s->project.score, &p->music, from,
                            to < p->to ? to : p->to);
}

enum midi_status played_take_hear_gestures(const struct session *s,
                                           const struct proposal *t,
                                           struct score *heard, int64_t from,
                                           int64_t to)
{
    struct change *c = change_create("");
    played_take_add_gestures(s, t, c, from, to);
    const enum midi_status st = change_apply(c, heard, true);
    change_destroy(c);
    return st;
}

bool played_take_pack(const struct session *s, struct kept_takes *out)
{
    const struct recording *r = &s->parts.played->music;
    if (!s->parts.played->is_there)
        return true;
    out->events = array_copy(r->events, r->n_events, sizeof *out->events);
    if (!out->events)
        return false;
    out->n_events = r->n_events;
    /* During the take: after the last note. */
    const struct played_take *p = s->parts.played;
    const struct proposal *t = &s->takes.list[0];
    int64_t to = p->to;
    for (size_t i = 0; s->request.plays_together && i < p->music.n_events; i++)
        to = p->music.events[i].tick >= to ? p->music.events[i].tick + 1 : to;
    for (size_t i = 0; s->request.plays_together && i < t->n_waiting; i++) {
        int64_t end = t->ghosts[i].note.start + t->ghosts[i].note.length;
        to = end > to ? end : to;
    }
    out->played_to = to;
    return true;
}

void played_take_unpack(struct session *s, struct kept_takes *kept, const int *tracks)
{
    struct played_take *p = s->parts.played;
    size_t n = 0;
    if (kept->played_to < 0)
        return;
    for (size_t i = 0; i < kept->n_events; i++) {
        struct recorded_event e = kept->events[i];
        e.track = tracks[e.track];
        if (e.track < 0)
            continue;
        e.data[0] = (uint8_t)((e.data[0] & 0xf0) |
                              (s->project.score->tracks[e.track].channel & 15));
        kept->events[n++] = e;
    }
    recording_begin(&p->music, 0, 0);
    p->music.events = kept->events; /* they go over */
    p->music.n_events = p->music.cap_events = n;
    kept->events = NULL;
    kept->n_events = 0;
    p->to = kept->played_to;
    p->is_there = true;
}
