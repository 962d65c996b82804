/* Joins several notes into one, and splits one into several. */
#include "app/editor/edit/reshape.h"
#include "midi/base/array.h"

/* Joins targets of one track, which are in its order. Notes of one pitch with no other note of
 * it between them and at most `gap` ticks apart become the first of them. Returns how many
 * targets are gone. */
static size_t join_run(const struct track *t, const struct target *before,
                       struct note *after, size_t n, int64_t gap)
{
    size_t head[128] = {0}; /* index from 1 of each pitch's group; 0: none is open */
    size_t next = 0, n_gone = 0;
    for (size_t i = 0; i < t->n_notes && next < n; i++) {
        const struct note *note = &t->notes[i];
        size_t *at = &head[note->pitch & 127];
        if (note->id != before[next].note.id) {
            *at = 0;
            continue;
        }
        struct note *to = *at ? &after[*at - 1] : NULL;
        if (to && note->start - note_end(to) <= gap) {
            if (note_end(note) > note_end(to)) {
                to->length = note_end(note) - to->start;
                to->off_velocity = note->off_velocity;
            }
            to->raw_length = 0; /* the played length no longer counts */
            after[next].pitch = PITCH_GONE;
            n_gone++;
        } else {
            *at = next + 1;
        }
        next++;
    }
    return n_gone;
}

void act_join(struct session *s, const struct command *c)
{
    struct reshape r;
    const size_t times = command_times(c) > 1000 ? 1000 : (size_t)command_times(c);
    int64_t gap = INT64_MAX;
    size_t n_gone = 0;
    if (!reshape_begin(&r, s))
        return;
    if (s->selection.n) {
        gap = (int64_t)times * session_grid_ticks(s);
    } else { /* the note here and the next ones of its pitch, whatever is between */
        const struct track *t = session_track(s);
        const struct note here = r.before[0].note;
        struct target *before = array_resize(r.before, times + 1, sizeof *before);
        r.before = before ? before : r.before;
        struct note *after = array_resize(r.after, times + 1, sizeof *after);
        r.after = after ? after : r.after;
        if (!before || !after) {
            session_no_memory(s);
            reshape_forget(&r);
            return;
        }
        r.n = 0;
        for (size_t i = 0; i < t->n_notes && r.n <= times; i++)
            if (t->notes[i].pitch == here.pitch && (r.n || t->notes[i].id == here.id)) {
                before[r.n] = (struct target){s->view.track, t->notes[i]};
                after[r.n++] = t->notes[i];
            }
    }
    for (size_t at = 0, run; at < r.n; at += run) {
        run = reshape_run(&r, at);
        n_gone += join_run(&s->project.score->tracks[r.before[at].track], r.before + at,
                           r.after + at, run, gap);
    }
    if (n_gone) {
        reshape_do(&r, OVERLAP_REFUSE, "join", " to %zu", r.n - n_gone);
        return;
    }
    session_say(s, "nothing to join: it joins successive notes of one pitch");
    reshape_forget(&r);
}

enum { PARTS_MOST = 64 };

/* 3s makes three parts of each note, as equal as ticks are; s alone cuts at the cursor. */
void act_split(struct session *s, const struct command *c)
{
    struct reshape r;
    const int n_parts = c->count > PARTS_MOST ? PARTS_MOST : c->count;
    const uint64_t first_new = s->project.score->next_id;
    if (!reshape_begin(&r, s))
        return;
    size_t n_split = 0;
    for (size_t k = 0; k < r.n; k++) {
        const struct note n = r.before[k].note;
        const int64_t cut = s->view.cursor.tick - n.start;
        if (n_parts > 1 ? n.length < n_parts : cut <= 0 || cut >= n.length)
            continue;
        const int parts = n_parts > 1 ? n_parts : 2;
        int64_t from = 0;
        for (int i = 1; i <= parts; i++) {
            int64_t share = n.length / parts * i + n.length % parts * i / parts;
            int64_t to = i == parts ? n.length : n_parts > 1 ? share : cut;
            struct note part = n;
            part.start += from;
            part.length = to - from;
            part.raw_length = 0;
            if (from) {
                part.id = part.raw_start = 0;
                change_add_note(r.added, r.before[k].track, part);
            } else {
                r.after[k] = part;
            }
            from = to;
        }
        r.before[n_split] = r.before[k]; /* those that are not split are left out */
        r.after[n_split++] = r.after[k];
    }
    if (!n_split) {
        session_say(s, n_parts > 1 ? "too short to split so often"
                                   : "put the cursor inside a note to split it there");
        reshape_forget(&r);
        return;
    }
    r.n = n_split;
    if (reshape_do(&r, OVERLAP_REFUSE, "split", NULL) && s->selection.n)
        select_with_new(s, first_new);
}
