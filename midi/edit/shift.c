/* Notes and events from a tick on move together. Both are sorted by time, so they are
 * the end of each list; only among events at the very place do some stay, and what moves
 * past them finds its place again by insertion, which is exact both ways. */
#include "midi/edit/shift.h"

#include "midi/score/chunk.h"
#include "midi/score/note.h"
#include "midi/score/notes.h"

enum { TEXT = 0x01, LYRIC = 0x05, MARKER = 0x06, CUE = 0x07 };

/* Of an event at the start of the music: it sets up what follows. */
static bool sets_up(const struct event *e)
{
    if (e->n_data < 2 || e->data[0] < 0xA0)
        return false; /* notes that were not paired */
    if (e->data[0] != 0xFF)
        return true;
    uint8_t type = e->data[1];
    return type != TEXT && type != LYRIC && type != MARKER && type != CUE;
}

bool shift_fits(const struct score *s, int64_t by)
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

static bool own_notes(struct score *s, int64_t from)
{
    bool ok = true;
    for (size_t i = 0; ok && i < s->n_tracks; i++)
        ok = !has_note_from(&s->tracks[i], from) || notes_own(&s->tracks[i], 0);
    return ok;
}

static void shift_notes(struct track *t, int64_t from, int64_t by)
{
    struct note *notes = has_note_from(t, from) ? notes_own(t, 0) : NULL;
    for (size_t i = t->n_notes; notes && i > 0 && notes[i - 1].start >= from; i--)
        notes[i - 1].start += by;
}

/* Those that are nearly sorted. */
static void sort_events(struct chunk *c)
{
    for (size_t i = 1; i < c->n_events; i++) {
        struct event e = c->events[i];
        size_t k = i;
        for (; k > 0 && event_compare(&c->events[k - 1], &e) > 0; k--)
            c->events[k] = c->events[k - 1];
        c->events[k] = e;
    }
}

/* What stands where time is put in and holds for it: at the start all that sets the
 * music up, elsewhere the meter and the tempo, so that the new bars are whole ones. */
static bool stays(const struct event *e, int64_t at)
{
    size_t n;
    if (e->tick != at || at == 0)
        return e->tick == at && sets_up(e);
    return event_meta(e, META_METER, &n) || event_meta(e, META_TEMPO, &n);
}

/* at: where it is put in; -1: it is taken out. */
static void shift_events(struct chunk *c, int64_t from, int64_t by, int64_t at)
{
    for (size_t i = c->n_events; i > 0 && c->events[i - 1].tick >= from; i--)
        if (!stays(&c->events[i - 1], at))
            c->events[i - 1].tick += by;
    if (c->end_tick >= from)
        c->end_tick += by;
    sort_events(c);
}

static bool shift(struct score *s, int64_t from, int64_t by, int64_t at)
{
    if (!own_notes(s, from))
        return false;
    for (size_t i = 0; i < s->n_tracks; i++)
        shift_notes(&s->tracks[i], from, by);
    for (size_t i = 0; i < s->n_chunks; i++)
        if (!s->chunks[i].is_unknown)
            shift_events(&s->chunks[i], from, by, at);
    taps_shift(&s->taps, from, by);
    return true;
}

bool shift_on(struct score *s, int64_t at, int64_t by)
{
    return shift(s, at, by, at);
}

bool shift_back(struct score *s, int64_t at, int64_t by)
{
    return shift(s, at + by, -by, -1);
}
