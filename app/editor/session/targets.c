/* The targets of an edit, and replacing them. Targets are sorted by track, then as in
 * the track. So each track is a run of them, and is checked for overlaps by itself
 * (app/editor/session/overlap.h). */
#include "app/editor/session/edit.h"
#include "app/editor/session/overlap.h"
#include "midi/edit/apply.h"
#include "midi/edit/held.h"
#include "midi/edit/lyrics.h"

#include <stdlib.h>

const struct note *session_note_at(const struct session *s, int track, int64_t from,
                                   int64_t to, int pitch)
{
    const struct note *found = NULL;
    struct survey_walk w = {s->survey, s->project.score, track, from, to, 0};
    survey_update(s->survey, s->project.score, s->project.version);
    for (const struct note *n; (n = survey_walk(&w));)
        if (n->pitch == pitch && (n->start >= from || !session_shows_kit(s)))
            found = n;
    return found;
}

const struct note *session_note_under_cursor(const struct session *s)
{
    int64_t tick = s->cursor.tick;
    return session_track(s)
               ? session_note_at(s, s->track, tick, grid_next(s, tick), s->cursor.pitch)
               : NULL;
}

size_t edit_targets(struct session *s, struct target **out)
{
    const struct score *score = s->project.score;
    size_t n = 0, n_selected = s->selection.n;
    *out = calloc(n_selected ? n_selected : 1, sizeof **out);
    if (!*out)
        return session_no_memory(s);
    const struct note *here = n_selected ? NULL : session_note_under_cursor(s);
    if (here)
        (*out)[n++] = (struct target){s->track, *here};
    for (int track = 0; track < (int)score->n_tracks && n < n_selected; track++) {
        const struct track *t = &score->tracks[track];
        for (size_t i = 0; i < t->n_notes && n < n_selected; i++)
            if (select_has(s, t->notes[i].id))
                (*out)[n++] = (struct target){track, t->notes[i]};
    }
    if (!n)
        session_say(s, "no note here: select notes, or move to one");
    return n;
}

struct edit_span edit_targets_span(const struct target *t, size_t n)
{
    struct edit_span span = {INT64_MAX, 0};
    for (size_t i = 0; i < n; i++) {
        const struct note *note = &t[i].note;
        span.from = note->start < span.from ? note->start : span.from;
        span.to = note_end(note) > span.to ? note_end(note) : span.to;
    }
    return span;
}

size_t edit_targets_run(const struct target *t, size_t n)
{
    size_t i = n > 0;
    while (i < n && t[i].track == t[0].track)
        i++;
    return i;
}

bool edit_do(struct session *s, struct change *c, enum midi_status st)
{
    if (c && !st)
        return session_do(s, c);
    change_destroy(c);
    session_error(s, "not possible: it %s", midi_strerror(c ? st : MIDI_NO_MEMORY));
    return false;
}

static int by_start(const void *a, const void *b)
{
    int64_t x = ((const struct note *)a)->start, y = ((const struct note *)b)->start;
    return (x > y) - (x < y);
}

void edit_sort_notes(struct note *notes, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (notes[i - 1].start > notes[i].start) {
            qsort(notes, n, sizeof *notes, by_start);
            return;
        }
}

bool edit_do_some(struct session *s, struct change *c, enum midi_status st,
                  const char *nothing)
{
    if (!c || st || c->n_edits)
        return edit_do(s, c, st);
    change_destroy(c);
    session_say(s, "%s", nothing);
    return false;
}

/* Whether more notes of one pitch would overlap than do now: notes that overlap in the file
 * may still do so. work is [2 * n]. */
static bool overlaps_anywhere(const struct session *s, const struct target *before,
                              const struct note *after, size_t n, struct note *work)
{
    for (size_t at = 0, run; at < n; at += run) {
        run = edit_targets_run(before + at, n - at);
        struct note *was = work, *will = work + run;
        size_t n_will = 0;
        for (size_t i = 0; i < run; i++) {
            was[i] = before[at + i].note;
            if (after[at + i].pitch != PITCH_GONE)
                will[n_will++] = after[at + i];
        }
        const struct track *t = &s->project.score->tracks[before[at].track];
        edit_sort_notes(will, n_will);
        if (overlap_count(t, was, run, will, n_will, NULL) >
            overlap_count(t, was, run, was, run, NULL))
            return true;
    }
    return false;
}

/* The tracks of targets, a bit each. */
static uint64_t tracks_of(const struct target *t, size_t n)
{
    uint64_t tracks = 0;
    for (size_t i = 0; i < n; i++)
        tracks |= t[i].track < 64 ? UINT64_C(1) << t[i].track : 0;
    return tracks;
}

/* Gestures of selected bars go with all their notes: by that much, or 0: they are removed. */
static enum midi_status take_gestures(const struct session *s, struct change *c,
                                      const struct target *t, size_t n, int64_t by)
{
    const struct box *box = session_box(s);
    if (!box || !s->selection.bars)
        return MIDI_OK;
    struct score *stays = score_clone(s->project.score);
    struct change *gone = change_create("");
    enum midi_status st = stays ? MIDI_OK : MIDI_NO_MEMORY;
    for (size_t i = 0; !st && i < n; i++)
        st = change_remove_note(gone, t[i].track, &t[i].note);
    if (!st)
        st = change_apply(gone, stays, true);
    if (!st)
        st = change_move_gestures(c, s->project.score, stays, tracks_of(t, n),
                                  box->from, box->to, by);
    change_destroy(gone);
    score_destroy(stays);
    return st;
}

static int by_track_and_start(const void *a, const void *b)
{
    const struct note_move *x = a, *y = b;
    return x->track != y->track ? x->track - y->track
                                : (x->from > y->from) - (x->from < y->from);
}

/* after NULL: the notes are removed. */
static enum midi_status take_lyrics(const struct session *s, struct change *c,
                                    const struct target *before,
                                    const struct note *after, size_t n)
{
    struct note_move *moves = calloc(n + 1, sizeof *moves);
    if (!moves)
        return MIDI_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        moves[i] = (struct note_move){before[i].track, before[i].note.start,
                                      after ? after[i].start : -1};
    qsort(moves, n, sizeof *moves, by_track_and_start);
    enum midi_status st = change_move_lyrics(c, s->project.score, moves, n);
    free(moves);
    return st;
}

enum midi_status edit_remove_targets(const struct session *s, struct change *c,
                                     const struct target *t, size_t n)
{
    enum midi_status st = MIDI_OK;
    for (size_t i = 0; !st && i < n; i++)
        st = change_remove_note(c, t[i].track, &t[i].note);
    if (!st)
        st = take_lyrics(s, c, t, NULL, n);
    return st ? st : take_gestures(s, c, t, n, 0);
}

/* By how many ticks all of them move; 0: not by the same. */
static int64_t common_move(const struct target *before, const struct note *after,
                           size_t n)
{
    const int64_t by = n ? after[0].start - before[0].note.start : 0;
    for (size_t i = 1; i < n; i++)
        if (after[i].start - before[i].note.start != by)
            return 0;
    return by;
}

bool edit_replace(struct session *s, const char *label, const struct target *before,
                  const struct note *after, size_t n)
{
    struct note *work = calloc(n, 2 * sizeof *work);
    if (!work)
        return session_no_memory(s);
    bool meets = overlaps_anywhere(s, before, after, n, work);
    free(work);
    if (meets) {
        session_say(s, "cannot %s: it would overlap a note of the same pitch", label);
        return false;
    }
    struct change *c = change_create(label);
    enum midi_status st = MIDI_OK;
    for (size_t i = 0; !st && i < n; i++)
        st = after[i].pitch == PITCH_GONE
                 ? change_remove_note(c, before[i].track, &before[i].note)
                 : change_replace_note(c, before[i].track, &before[i].note, after[i]);
    if (!st)
        st = take_lyrics(s, c, before, after, n);
    const int64_t by = common_move(before, after, n);
    if (!st && by)
        st = take_gestures(s, c, before, n, by);
    return edit_do(s, c, st);
}

struct note edit_copy_note(const struct note *n)
{
    struct note copy = *n;
    copy.id = 0;
    copy.on_order = ORDER_LAST;
    copy.off_order = ORDER_FIRST;
    copy.flags = 0;
    return copy;
}

struct note edit_new_note(int64_t start, int64_t length, int pitch, int velocity)
{
    return (struct note){.start = start,
                         .length = length,
                         .pitch = (uint8_t)pitch,
                         .velocity = (uint8_t)velocity,
                         .off_velocity = 64,
                         .on_order = ORDER_LAST,
                         .off_order = ORDER_FIRST};
}
