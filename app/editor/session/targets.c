/* The targets of an edit, and replacing them. Targets are sorted by track, then as in the
 * track. So each track is a run of them, and is checked for overlaps by itself
 * (app/dataset/overlap.h). */
#include "app/editor/session/edit.h"
#include "app/dataset/overlap.h"

#include <stdlib.h>

static size_t add_selected(const struct session *s, struct target *out)
{
    const struct score *score = s->project.score;
    size_t n = 0;
    for (int track = 0; track < (int)score->n_tracks && n < s->selection.n; track++) {
        const struct track *t = &score->tracks[track];
        for (size_t i = 0; i < t->n_notes && n < s->selection.n; i++)
            if (select_has(s, t->notes[i].id))
                out[n++] = (struct target){track, t->notes[i]};
    }
    return n;
}

const struct note *session_note_under_cursor(const struct session *s)
{
    const struct score *score = s->project.score;
    const struct track *t = session_track(s);
    if (!t)
        return NULL;
    int64_t right = grid_next(s, s->cursor.tick);
    const struct note *found = NULL;
    survey_update(s->survey, score, s->project.version);
    for (size_t i = survey_next_note(s->survey, score, s->track, 0, s->cursor.tick);
         i < t->n_notes && t->notes[i].start < right;
         i = survey_next_note(s->survey, score, s->track, i + 1, s->cursor.tick))
        if (t->notes[i].pitch == s->cursor.pitch)
            found = &t->notes[i];
    return found;
}

static size_t add_here(const struct session *s, struct target *out)
{
    const struct note *here = session_note_under_cursor(s);
    if (here)
        out[0] = (struct target){s->track, *here};
    return here ? 1 : 0;
}

size_t edit_targets(struct session *s, struct target **out)
{
    size_t most = s->selection.n ? s->selection.n : 1;
    *out = calloc(most, sizeof **out);
    if (!*out) {
        session_error(s, "out of memory: nothing was done");
        return 0;
    }
    size_t n = s->selection.n ? add_selected(s, *out) : add_here(s, *out);
    if (!n)
        session_say(s, "no note here: select some first, or move onto one");
    return n;
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
    session_error(s, "that could not be done: it %s",
                  midi_strerror(c ? st : MIDI_NO_MEMORY));
    return false;
}

static int by_start(const void *a, const void *b)
{
    int64_t x = ((const struct note *)a)->start, y = ((const struct note *)b)->start;
    return (x > y) - (x < y);
}

/* What is in order stays as it is, also where notes begin together. */
static void sort_by_start(struct note *notes, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (notes[i - 1].start > notes[i].start) {
            qsort(notes, n, sizeof *notes, by_start);
            return;
        }
}

/* Whether more notes of one pitch would meet than do now: those that overlapped in the
 * file may go on doing so. `was` and `will` are [n], and will is sorted. */
static bool would_overlap(const struct track *t, const struct note *was,
                          struct note *will, size_t n)
{
    sort_by_start(will, n);
    return overlap_count(t, was, n, will, n, NULL) >
           overlap_count(t, was, n, was, n, NULL);
}

/* Of any track. work is [2 * n]. */
static bool overlaps_anywhere(const struct session *s, const struct target *before,
                              const struct note *after, size_t n, struct note *work)
{
    for (size_t at = 0, run; at < n; at += run) {
        run = edit_targets_run(before + at, n - at);
        struct note *was = work, *will = work + run;
        for (size_t i = 0; i < run; i++) {
            was[i] = before[at + i].note;
            will[i] = after[at + i];
        }
        const struct track *t = &s->project.score->tracks[before[at].track];
        if (would_overlap(t, was, will, run))
            return true;
    }
    return false;
}

static bool replace_all(struct session *s, const char *label,
                        const struct target *before, const struct note *after, size_t n)
{
    struct change *c = change_create(label);
    enum midi_status st = MIDI_OK;
    for (size_t i = 0; c && !st && i < n; i++)
        st = change_replace_note(c, before[i].track, &before[i].note, after[i]);
    return edit_do(s, c, st);
}

bool edit_replace(struct session *s, const char *label, const struct target *before,
                  const struct note *after, size_t n)
{
    struct note *work = calloc(n, 2 * sizeof *work);
    if (!work) {
        session_error(s, "out of memory: nothing was done");
        return false;
    }
    bool meets = overlaps_anywhere(s, before, after, n, work);
    free(work);
    if (!meets)
        return replace_all(s, label, before, after, n);
    session_say(s, "cannot %s: it would overlap a note of the same pitch", label);
    return false;
}

/* false: one of them cannot be, which is said. */
static bool transform_each(struct session *s, const char *label, edit_transform_fn *fn,
                           int64_t amount, const struct target *before,
                           struct note *after, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        after[i] = before[i].note;
        if (!fn(s, &after[i], amount)) {
            session_say(s, "cannot %s any further", label);
            return false;
        }
    }
    return true;
}

bool edit_transform(struct session *s, const char *label, edit_transform_fn *fn,
                    int64_t amount)
{
    struct target *before = NULL;
    size_t n = edit_targets(s, &before);
    struct note *after = n ? calloc(n, sizeof *after) : NULL;
    bool ok = after && transform_each(s, label, fn, amount, before, after, n) &&
              edit_replace(s, label, before, after, n);
    if (n && !after)
        session_error(s, "out of memory: nothing was done");
    free(before);
    free(after);
    return ok;
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
