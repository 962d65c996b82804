/* Inserts time, or removes empty time: moves all notes and events from a tick on.
 *
 * Both are sorted by time, so these are the ends of the lists. At the tick itself some
 * events stay, and others pass them; an insertion sort puts the events in order again,
 * and is exact in both directions. */
#include "midi/edit/apply.h"

#include "midi/score/chunk.h"
#include "midi/score/notes.h"

bool event_sets_up(const struct event *e)
{
    if (e->n_data < 2 || e->data[0] < 0xA0)
        return false; /* an unpaired note */
    if (e->data[0] != 0xFF)
        return true;
    uint8_t type = e->data[1];
    return type != META_TEXT && type != META_LYRIC && type != META_MARKER &&
           type != META_CUE;
}

bool event_is_timeline(const struct event *e)
{
    size_t n;
    return event_meta(e, META_TEMPO, &n) || event_meta(e, META_METER, &n);
}

bool insert_time_fits(const struct score *s, int64_t by)
{
    int64_t last = score_last_tick(s);
    for (size_t i = 0; i < s->n_chunks; i++)
        last = s->chunks[i].end_tick > last ? s->chunks[i].end_tick : last;
    if (s->taps.n && s->taps.list[s->taps.n - 1].tick > last)
        last = s->taps.list[s->taps.n - 1].tick;
    return by > 0 && last <= TICK_MAX - by;
}

static bool has_note_from(const struct track *t, int64_t from)
{
    return t->n_notes > 0 && t->notes[t->n_notes - 1].start >= from;
}

/* Whether the event stays where time is inserted. At the start everything stays that
 * sets up the music; elsewhere the meter and the tempo stay, so that the new bars are
 * whole. */
static bool stays(const struct event *e, int64_t at)
{
    if (e->tick != at)
        return false;
    return at == 0 ? event_sets_up(e) : event_is_timeline(e);
}

/* `at` is the tick where time is inserted, or -1 if time is removed. */
static void shift_events(struct chunk *c, int64_t from, int64_t by, int64_t at)
{
    for (size_t i = c->n_events; i > 0 && c->events[i - 1].tick >= from; i--)
        if (!stays(&c->events[i - 1], at))
            c->events[i - 1].tick += by;
    if (c->end_tick >= from)
        c->end_tick += by;
    /* The events are nearly sorted, so insertion sort is quick. */
    for (size_t i = 1; i < c->n_events; i++) {
        struct event e = c->events[i];
        size_t k = i;
        for (; k > 0 && event_compare(&c->events[k - 1], &e) > 0; k--)
            c->events[k] = c->events[k - 1];
        c->events[k] = e;
    }
}

bool insert_time(struct score *s, const struct edit *time, bool is_forwards)
{
    if (!time)
        return true;
    bool puts_in = is_forwards != time->has_before;
    int64_t by = puts_in ? time->time.by : -time->time.by;
    int64_t from = puts_in ? time->time.at : time->time.at - by;
    int64_t at = puts_in && !time->has_before ? time->time.at : -1;
    for (size_t i = 0; i < s->n_tracks; i++)
        if (has_note_from(&s->tracks[i], from) && !notes_own(&s->tracks[i], 0))
            return false;
    for (size_t i = 0; i < s->n_tracks; i++) {
        struct track *t = &s->tracks[i];
        struct note *notes = has_note_from(t, from) ? notes_own(t, 0) : NULL;
        for (size_t k = t->n_notes; notes && k > 0 && notes[k - 1].start >= from; k--)
            notes[k - 1].start += by;
    }
    for (size_t i = 0; i < s->n_chunks; i++)
        if (!s->chunks[i].is_unknown)
            shift_events(&s->chunks[i], from, by, at);
    taps_shift(&s->taps, from, by);
    return true;
}
