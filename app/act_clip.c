/* Notes taken away, kept, and put elsewhere. What is copied has lost its time and
 * its track, so it can be pasted on any other, and into another file. */
#include "app/edit.h"
#include "app/overlap.h"

#include <stdlib.h>

static bool copy_targets(struct session *s, const struct note *notes, size_t n)
{
    if (n > s->cap_clips) {
        struct clip *grown = realloc(s->clips, n * sizeof *grown);
        if (!grown) {
            session_error(s, "out of memory: nothing was copied");
            return false;
        }
        s->clips = grown;
        s->cap_clips = n;
    }
    int64_t origin = grid_floor(s, notes[0].start); /* sorted: the first is earliest */
    for (size_t i = 0; i < n; i++)
        s->clips[i] = (struct clip){notes[i].start - origin, notes[i].length,
                                    notes[i].pitch, notes[i].velocity};
    s->n_clips = n;
    return true;
}

void act_yank(struct session *s, const struct command *c)
{
    (void)c;
    struct note *notes = NULL;
    size_t n = edit_targets(s, &notes);
    if (n && copy_targets(s, notes, n)) {
        session_clear_selection(s);
        session_say(s, n == 1 ? "one note copied" : "%zu notes copied", n);
    }
    free(notes);
}

void act_delete(struct session *s, const struct command *c)
{
    (void)c;
    struct note *notes = NULL;
    size_t n = edit_targets(s, &notes);
    if (n && copy_targets(s, notes, n)) { /* as in vim, p brings it back */
        struct change *change = change_create("remove notes");
        enum midi_status st = MIDI_OK;
        for (size_t i = 0; change && !st && i < n; i++)
            st = change_remove_note(change, s->track, &notes[i]);
        if (edit_do(s, change, st))
            session_clear_selection(s);
    }
    free(notes);
}

/* What was copied, as notes from `origin` on. The caller's; NULL: out of memory. */
static struct note *clips_at(const struct session *s, int64_t origin)
{
    struct note *notes = calloc(s->n_clips, sizeof *notes);
    for (size_t i = 0; notes && i < s->n_clips; i++) {
        const struct clip *k = &s->clips[i];
        notes[i] = edit_new_note(origin + k->offset, k->length, k->pitch, k->velocity);
    }
    return notes;
}

/* Adds those that are not bad; says how many were left out. */
static void add_good(struct session *s, const char *label, const struct note *notes,
                     const bool *is_bad, size_t n)
{
    struct change *c = change_create(label);
    enum midi_status st = MIDI_OK;
    for (size_t i = 0; c && !st && i < n; i++)
        if (!is_bad[i])
            st = change_add_note(c, s->track, notes[i]);
    size_t n_left_out = c ? n - change_n_edits(c) : 0;
    if (!st && n_left_out == n) {
        change_destroy(c);
        session_say(s, "nothing pasted: notes of the same pitch are there already");
    } else if (edit_do(s, c, st) && n_left_out) {
        session_say(s, "%zu notes left out: notes of the same pitch are there",
                    n_left_out);
    }
}

static void paste_at(struct session *s, int64_t origin, const char *label)
{
    struct note *notes = clips_at(s, origin);
    bool *is_bad = calloc(s->n_clips, sizeof *is_bad);
    if (notes && is_bad) {
        overlap_count(session_track(s), NULL, 0, notes, s->n_clips, is_bad);
        add_good(s, label, notes, is_bad, s->n_clips);
    } else {
        session_error(s, "out of memory: nothing was pasted");
    }
    free(notes);
    free(is_bad);
}

void act_paste(struct session *s, const struct command *c)
{
    (void)c;
    if (!s->n_clips || !session_track(s)) {
        session_say(s, "nothing to paste: y copies, x cuts");
        return;
    }
    session_clear_selection(s);
    paste_at(s, s->cursor_tick, "paste");
}

void act_duplicate(struct session *s, const struct command *c)
{
    (void)c;
    struct note *notes = NULL;
    size_t n = edit_targets(s, &notes);
    if (n && copy_targets(s, notes, n)) {
        int64_t end = 0;
        for (size_t i = 0; i < n; i++)
            end = note_end(&notes[i]) > end ? note_end(&notes[i]) : end;
        session_clear_selection(s);
        paste_at(s, grid_floor(s, end) < end ? grid_next(s, end) : end, "duplicate");
    }
    free(notes);
}
