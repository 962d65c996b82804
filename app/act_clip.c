/* Notes taken away, kept, and put elsewhere. What is copied has lost its time and
 * its track, so it can be pasted on any other, and into another file; of several tracks
 * it keeps how far they are apart. */
#include "app/edit.h"
#include "app/overlap.h"

#include <stdlib.h>

/* Where the first of them begins. */
static int64_t first_start(const struct target *t, size_t n)
{
    int64_t first = t[0].note.start;
    for (size_t i = 1; i < n; i++)
        first = t[i].note.start < first ? t[i].note.start : first;
    return first;
}

static bool copy_targets(struct session *s, const struct target *t, size_t n)
{
    if (n > s->cap_clips) {
        struct clip *grown = reallocarray(s->clips, n, sizeof *grown);
        if (!grown) {
            session_error(s, "out of memory: nothing was copied");
            return false;
        }
        s->clips = grown;
        s->cap_clips = n;
    }
    int64_t origin = grid_floor(s, first_start(t, n));
    for (size_t i = 0; i < n; i++)
        s->clips[i] = (struct clip){
            .offset = t[i].note.start - origin,
            .length = t[i].note.length,
            .track = t[i].track - t[0].track,
            .pitch = t[i].note.pitch,
            .velocity = t[i].note.velocity,
        };
    s->n_clips = n;
    return true;
}

void act_yank(struct session *s, const struct command *c)
{
    (void)c;
    struct target *notes = NULL;
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
    struct target *notes = NULL;
    size_t n = edit_targets(s, &notes);
    if (n && copy_targets(s, notes, n)) { /* as in vim, p brings it back */
        struct change *change = change_create("remove notes");
        enum midi_status st = MIDI_OK;
        for (size_t i = 0; change && !st && i < n; i++)
            st = change_remove_note(change, notes[i].track, &notes[i].note);
        if (edit_do(s, change, st))
            session_clear_selection(s);
    }
    free(notes);
}

/* What is being pasted. */
struct pasting {
    struct note *notes; /* [n_clips], of which */
    bool *is_bad;       /* these cannot be there */
};

/* One track's of what was copied, which begin at `first`, into a run of them. */
static size_t place_run(const struct session *s, const struct pasting *p, size_t first,
                        int64_t origin)
{
    const struct score *score = s->project.score;
    int track = s->clips[first].track;
    size_t i = first;
    for (; i < s->n_clips && s->clips[i].track == track; i++) {
        const struct clip *k = &s->clips[i];
        p->notes[i] =
            edit_new_note(origin + k->offset, k->length, k->pitch, k->velocity);
    }
    int to = s->track + track;
    if (to < (int)score->n_tracks)
        overlap_count(&score->tracks[to], NULL, 0, p->notes + first, i - first,
                      p->is_bad + first);
    for (size_t k = first; to >= (int)score->n_tracks && k < i; k++)
        p->is_bad[k] = true;
    return i - first;
}

/* Adds those that are not bad; says how many were left out. */
static void add_good(struct session *s, const char *label, const struct pasting *p)
{
    struct change *c = change_create(label);
    enum midi_status st = MIDI_OK;
    for (size_t i = 0; c && !st && i < s->n_clips; i++)
        if (!p->is_bad[i])
            st = change_add_note(c, s->track + s->clips[i].track, p->notes[i]);
    size_t n_left_out = c ? s->n_clips - change_n_edits(c) : 0;
    if (!st && n_left_out == s->n_clips) {
        change_destroy(c);
        session_say(s, "nothing pasted: notes of the same pitch are there already");
    } else if (edit_do(s, c, st) && n_left_out) {
        session_say(s, "%zu notes left out: notes of the same pitch are there",
                    n_left_out);
    }
}

static void paste_at(struct session *s, int64_t origin, const char *label)
{
    struct pasting p = {calloc(s->n_clips, sizeof *p.notes),
                        calloc(s->n_clips, sizeof *p.is_bad)};
    if (p.notes && p.is_bad) {
        for (size_t i = 0; i < s->n_clips;)
            i += place_run(s, &p, i, origin);
        add_good(s, label, &p);
    } else {
        session_error(s, "out of memory: nothing was pasted");
    }
    free(p.notes);
    free(p.is_bad);
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
    struct target *notes = NULL;
    size_t n = edit_targets(s, &notes);
    if (n && copy_targets(s, notes, n)) {
        int64_t end = 0;
        for (size_t i = 0; i < n; i++)
            end = note_end(&notes[i].note) > end ? note_end(&notes[i].note) : end;
        int track = s->track;
        s->track = notes[0].track; /* beside themselves, wherever the cursor is */
        session_clear_selection(s);
        paste_at(s, grid_floor(s, end) < end ? grid_next(s, end) : end, "duplicate");
        s->track = track;
    }
    free(notes);
}
