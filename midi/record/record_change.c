/* A pass of a recording as one change of the score. See record.h.
 *
 * Notes of one pitch on one track never overlap by our hand: what is struck again ends
 * where it is struck, and what was played ends where the next that is there begins. */
#include "midi/record/record_making.h"

#include <stdlib.h>

/* -- what was played on a track -- */

static int by_pitch(const void *a, const void *b)
{
    const struct note *x = a, *y = b;
    if (x->pitch != y->pitch)
        return x->pitch - y->pitch;
    return (x->start > y->start) - (x->start < y->start);
}

static void collect_notes(struct making *m, int track)
{
    m->n_notes = 0;
    for (size_t i = 0; i < m->recording->n_notes; i++) {
        const struct recorded_note *r = &m->recording->notes[i];
        struct note n = r->note;
        bool is_out = m->span->mode == RECORD_PUNCH && !making_has(m, n.start);
        if (r->track != track || r->pass != m->pass || is_out)
            continue;
        if (m->span->mode == RECORD_PUNCH && n.length > m->span->to - n.start)
            n.length = m->span->to - n.start;
        m->notes[m->n_notes++] = n;
    }
    qsort(m->notes, m->n_notes, sizeof *m->notes, by_pitch);
}

/* Two keyboards may have held one key. Of two struck at once the latter stays. */
static void part_played(struct making *m)
{
    for (size_t i = 0; i + 1 < m->n_notes; i++) {
        struct note *n = &m->notes[i];
        const struct note *next = n + 1;
        if (n->pitch == next->pitch && n->length > next->start - n->start)
            n->length = next->start - n->start;
    }
}

/* Index of the first of that pitch that starts at `tick` or later; of the next pitch's
 * where there is none. */
static size_t first_played(const struct making *m, int pitch, int64_t tick)
{
    const struct note key = {.pitch = (uint8_t)pitch, .start = tick};
    size_t low = 0, high = m->n_notes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_pitch(&m->notes[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* -- what is there already -- */

static bool overlaps_next(const struct note *n, const struct note *next)
{
    return n->pitch == next->pitch && n->start <= next->start &&
           n->length > next->start - n->start;
}

static enum midi_status meet_note(struct making *m, int track, const struct note *n)
{
    if (making_replaces(m) && making_has(m, n->start))
        return change_remove_note(m->change, track, n);
    size_t i = first_played(m, n->pitch, n->start);
    struct note *after = i < m->n_notes ? &m->notes[i] : NULL;
    if (after && after->pitch == n->pitch && after->start == n->start)
        return change_remove_note(m->change, track, n);
    if (i > 0 && overlaps_next(&m->notes[i - 1], n))
        m->notes[i - 1].length = n->start - m->notes[i - 1].start;
    if (!after || !overlaps_next(n, after))
        return MIDI_OK;
    struct note cut = *n;
    cut.length = after->start - n->start;
    cut.raw_length = 0;
    return change_replace_note(m->change, track, n, cut);
}

static enum midi_status change_notes(struct making *m, int track)
{
    const struct track *t = &m->score->tracks[track];
    enum midi_status st = MIDI_OK;
    collect_notes(m, track);
    part_played(m);
    for (size_t i = 0; !st && i < t->n_notes; i++)
        st = meet_note(m, track, &t->notes[i]);
    for (size_t i = 0; !st && i < m->n_notes; i++)
        if (m->notes[i].length > 0)
            st = change_add_note(m->change, track, m->notes[i]);
    return st;
}

/* -- all of it -- */

static bool concerns(const struct making *m, int track)
{
    bool is_replaced = making_replaces(m) && track < 64 && m->span->tracks >> track & 1;
    for (size_t i = 0; !is_replaced && i < m->recording->n_notes; i++)
        is_replaced = m->recording->notes[i].track == track;
    for (size_t i = 0; !is_replaced && i < m->recording->n_events; i++)
        is_replaced = m->recording->events[i].track == track;
    return is_replaced;
}

static enum midi_status change_tracks(struct making *m)
{
    enum midi_status st = MIDI_OK;
    for (int t = 0; !st && t < (int)m->score->n_tracks; t++) {
        if (!concerns(m, t))
            continue;
        st = change_notes(m, t);
        if (!st)
            st = making_change_events(m, t);
    }
    return st;
}

struct change *record_change(const struct score *s, const struct recording *r,
                             unsigned pass, const struct record_span *span,
                             const char *label)
{
    struct making m = {
        .score = s,
        .recording = r,
        .pass = pass,
        .span = span,
        .change = change_create(label),
        .notes = calloc(r->n_notes + 1, sizeof *m.notes),
        .events = calloc(r->n_events + 1, sizeof(struct recorded_event *)),
    };
    bool ok = m.change && m.notes && m.events && change_tracks(&m) == MIDI_OK;
    free(m.notes);
    free(m.events);
    if (ok)
        return m.change;
    change_destroy(m.change);
    return NULL;
}
