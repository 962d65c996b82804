/* Finds notes of one pitch that would overlap.
 *
 * For each track, the notes as the change leaves them and those near them are sorted by
 * pitch and start. Then each note has to be compared only with that one before it which
 * ends last. */
#include "midi/edit/edit.h"

#include "midi/base/ids.h"
#include "midi/score/notes.h"

#include <stdlib.h>

/* A note as it is and as it will be. For a new note `before` is all zero, which
 * overlaps nothing. */
struct place {
    struct note before, after;
    size_t edit; /* in the change, from 1; 0: not edited */
    bool is_cut, is_left_out;
};

static int64_t end_of(const struct note *n)
{
    return n->start + n->length;
}

/* Lists the places of a track and returns their number. gone[] has room for the ids of
 * all edited notes. */
static size_t gather_places(const struct change *c, const struct track *t, int track,
                            uint64_t *gone, struct place *out)
{
    int64_t from = INT64_MAX, to = INT64_MIN;
    bool has_pitch[128] = {false};
    size_t n = 0, n_gone = 0;
    for (size_t i = 0; i < c->n_edits; i++) {
        const struct edit *e = &c->edits[i];
        if (e->kind != EDIT_NOTE || e->track != track)
            continue;
        if (e->has_before)
            gone[n_gone++] = e->before.id;
        if (!e->has_after)
            continue;
        out[n] = (struct place){.after = e->after, .edit = i + 1};
        if (e->has_before)
            out[n].before = e->before;
        from = e->after.start < from ? e->after.start : from;
        to = end_of(&e->after) > to ? end_of(&e->after) : to;
        has_pitch[e->after.pitch & 127] = true;
        n++;
    }
    ids_sort(gone, n_gone);
    for (size_t i = 0; i < t->n_notes; i++) {
        const struct note *here = &t->notes[i];
        if (has_pitch[here->pitch & 127] && here->start <= to && end_of(here) >= from &&
            !ids_find(gone, n_gone, here->id))
            out[n++] = (struct place){.before = *here, .after = *here};
    }
    return n;
}

/* Of notes that begin together, the track's own come first. */
static int by_pitch_and_start(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->after.pitch != y->after.pitch)
        return x->after.pitch - y->after.pitch;
    if (x->after.start != y->after.start)
        return x->after.start < y->after.start ? -1 : 1;
    return (x->edit > y->edit) - (x->edit < y->edit);
}

/* Whether a and b would overlap, and do not now. b does not begin before a. */
static bool would_overlap(const struct place *a, const struct place *b)
{
    const struct note *x = &a->before, *y = &b->before;
    bool overlap_now =
        x->pitch == y->pitch && x->start < end_of(y) && y->start < end_of(x);
    return (a->edit || b->edit) && a->after.pitch == b->after.pitch &&
           b->after.start < end_of(&a->after) && !overlap_now;
}

static void settle_two(struct change *c, enum overlap_rule rule, struct place *a,
                       struct place *b)
{
    const struct note was = a->after;
    if (rule == OVERLAP_REFUSE) {
        change_fail(c, MIDI_OVERLAP);
    } else if (rule == OVERLAP_SKIP) {
        (b->edit ? b : a)->is_left_out = true;
    } else if (was.start == b->after.start) {
        if (!c->failure)
            c->clash = b->after;
        change_fail(c, MIDI_UNISON);
    } else {
        a->after.length = b->after.start - was.start;
        note_lose_order(&a->after);
        played_keep(&a->after, &was);
        a->is_cut = true;
    }
}

/* Applies the rule to one track. Returns how many of the track's own notes it
 * shortened, or how many new notes it left out. */
static size_t settle_track(struct change *c, const struct score *s, int track,
                           enum overlap_rule rule)
{
    static const struct track added = {0}; /* a track that the change itself adds */
    const struct track *t = track < (int)s->n_tracks ? &s->tracks[track] : &added;
    uint64_t *gone = calloc(c->n_edits + 1, sizeof *gone);
    struct place *places = calloc(c->n_edits + t->n_notes + 1, sizeof *places);
    size_t n = gone && places ? gather_places(c, t, track, gone, places) : 0, done = 0;
    if (!gone || !places)
        change_fail(c, MIDI_NO_MEMORY);
    if (n)
        qsort(places, n, sizeof *places, by_pitch_and_start);
    struct place *last = places; /* the one that ends last so far */
    for (size_t i = 1; i < n; i++) {
        struct place *p = &places[i];
        if (would_overlap(last, p))
            settle_two(c, rule, last, p);
        if (!p->is_left_out &&
            (last->is_left_out || last->after.pitch != p->after.pitch ||
             end_of(&p->after) > end_of(&last->after)))
            last = p;
    }
    for (size_t i = 0; i < n; i++) {
        const struct place *p = &places[i];
        if (p->is_left_out)
            c->edits[p->edit - 1].has_after = false;
        else if (p->is_cut && p->edit)
            c->edits[p->edit - 1].after = p->after;
        else if (p->is_cut)
            change_replace_note(c, track, &p->before, p->after);
        done += p->is_left_out || (p->is_cut && !p->edit);
    }
    free(gone);
    free(places);
    return done;
}

/* Returns the next track whose notes the change edits, or -1. */
static int next_track(const struct change *c, int track)
{
    int next = -1;
    for (size_t i = 0; i < c->n_edits; i++) {
        const struct edit *e = &c->edits[i];
        if (e->kind == EDIT_NOTE && e->track > track && (next < 0 || e->track < next))
            next = e->track;
    }
    return next;
}

/* Whether the edit has no effect: it adds a note that is left out, or it leaves a note
 * as it was. Only the note's order differs then, since every changed note loses
 * that. */
static bool is_void(const struct edit *e)
{
    struct note after = e->after;
    after.on_order = e->before.on_order;
    after.off_order = e->before.off_order;
    after.flags |= e->before.flags & NOTE_HANGING;
    return e->kind == EDIT_NOTE &&
           (e->has_before ? e->has_after && note_equal(&e->before, &after)
                          : !e->has_after);
}

size_t change_settle(struct change *c, const struct score *s, enum overlap_rule rule)
{
    size_t n = 0, stay = 0;
    int track = -1;
    while (!change_status(c) && (track = next_track(c, track)) >= 0)
        n += settle_track(c, s, track, rule);
    for (size_t i = 0; c && i < c->n_edits; i++)
        if (!is_void(&c->edits[i]))
            c->edits[stay++] = c->edits[i];
    if (c)
        c->n_edits = stay;
    return n;
}
