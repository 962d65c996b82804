/* Joins several notes into one, and splits one into several. */
#include "app/editor/edit/reshape.h"
#include "midi/base/array.h"

#include <stdlib.h>

/* -- joining: notes of one pitch on one track, with nothing of it between them -- */

struct joining {
    struct session *session;
    const struct target *targets; /* of one track, in its order, */
    size_t n;
    int64_t gap;     /* and at most this far apart, ticks */
    struct note *to; /* [n]: the new first note of each group */
    bool *is_gone;   /* [n]: it is in another */
    size_t n_gone;
};

/* Which target each pitch's last note was, and became part of. */
static void find_groups(struct joining *j)
{
    const struct score *score = j->session->project.score;
    const struct track *t = &score->tracks[j->targets[0].track];
    size_t head[128] = {0}; /* index from 1; 0: that note stays as it is */
    size_t next = 0;
    for (size_t i = 0; i < t->n_notes && next < j->n; i++) {
        const struct note *n = &t->notes[i];
        size_t *at = &head[n->pitch & 127];
        if (n->id != j->targets[next].note.id) {
            *at = 0;
            continue;
        }
        j->to[next] = *n;
        struct note *to = *at ? &j->to[*at - 1] : NULL;
        if (to && n->start - note_end(to) <= j->gap) {
            if (note_end(n) > note_end(to)) {
                to->length = note_end(n) - to->start;
                to->off_velocity = n->off_velocity;
            }
            to->raw_length = 0; /* as long as it is meant now */
            j->is_gone[next] = true;
            j->n_gone++;
        } else {
            *at = next + 1;
        }
        next++;
    }
}

/* Each track's into one change. */
static void join_tracks(struct joining *j, struct change *c,
                        const struct target *targets, size_t n)
{
    for (size_t at = 0; at < n; at += j->n) {
        j->targets = targets + at;
        j->n = edit_targets_run(j->targets, n - at);
        j->to = calloc(j->n, sizeof *j->to);
        j->is_gone = calloc(j->n, sizeof *j->is_gone);
        const bool ok = j->to && j->is_gone;
        if (ok)
            find_groups(j);
        else
            change_fail(c, MIDI_NO_MEMORY);
        for (size_t i = 0; ok && i < j->n; i++) {
            const struct target *t = &j->targets[i];
            if (j->is_gone[i])
                change_remove_note(c, t->track, &t->note);
            else if (j->to[i].length != t->note.length)
                change_replace_note(c, t->track, &t->note, j->to[i]);
        }
        free(j->to);
        free(j->is_gone);
    }
}

/* Without a selection the note here and the next ones of its pitch, whatever is between. */
void act_join(struct session *s, const struct command *c)
{
    char label[RESHAPE_LABEL];
    const size_t times = command_times(c) > 1000 ? 1000 : (size_t)command_times(c);
    struct target *targets = NULL;
    size_t n = edit_targets(s, &targets);
    struct joining j = {.session = s, .gap = INT64_MAX};
    if (n && s->selection.n) {
        j.gap = (int64_t)times * session_grid_ticks(s);
    } else if (n) {
        const struct track *t = session_track(s);
        const struct note here = targets[0].note;
        struct target *more = array_resize(targets, times + 1, sizeof *more);
        targets = more ? more : targets;
        n = 0;
        for (size_t i = 0; more && i < t->n_notes && n <= times; i++)
            if (t->notes[i].pitch == here.pitch && (n || t->notes[i].id == here.id))
                targets[n++] = (struct target){s->view.track, t->notes[i]};
        if (!n)
            session_no_memory(s);
    }
    if (n) {
        struct change *change = change_create(reshape_label(label, "join", n));
        join_tracks(&j, change, targets, n);
        if (edit_do_some(s, change,
                         "nothing to join: it joins successive notes of one pitch"))
            session_say(s, "joined %zu notes to %zu", n, n - j.n_gone);
    }
    free(targets);
}

enum { PARTS_MOST = 64 };

/* Into parts that are as equal as ticks are; cut > 0: into two, there. */
static void split_note(struct change *c, const struct target *t, int n_parts,
                       int64_t cut)
{
    const struct note *n = &t->note;
    int64_t from = 0;
    for (int i = 1; i <= n_parts; i++) {
        int64_t share = n->length / n_parts * i + n->length % n_parts * i / n_parts;
        int64_t to = i == n_parts ? n->length : cut > 0 ? cut : share;
        struct note part = *n;
        part.start += from;
        part.length = to - from;
        part.raw_length = 0;
        if (from)
            part.id = part.raw_start = 0;
        if (from)
            change_add_note(c, t->track, part);
        else
            change_replace_note(c, t->track, n, part);
        from = to;
    }
}

/* Where the cursor cuts it, from its start; 0: not. */
static int64_t cut_of(const struct session *s, const struct note *n)
{
    int64_t cut = s->view.cursor.tick - n->start;
    return cut > 0 && cut < n->length ? cut : 0;
}

static bool can_split(const struct session *s, const struct note *n, int n_parts)
{
    return n_parts > 1 ? n->length >= n_parts : cut_of(s, n) > 0;
}

static void split(struct session *s, const struct target *t, size_t n, int n_parts)
{
    char label[RESHAPE_LABEL];
    size_t n_split = 0;
    for (size_t i = 0; i < n; i++)
        n_split += can_split(s, &t[i].note, n_parts);
    if (!n_split) {
        session_say(s, n_parts > 1 ? "too short to split so often"
                                   : "put the cursor inside a note to split it there");
        return;
    }
    struct change *c = change_create(reshape_label(label, "split", n_split));
    for (size_t i = 0; i < n; i++)
        if (can_split(s, &t[i].note, n_parts))
            split_note(c, &t[i], n_parts > 1 ? n_parts : 2,
                       n_parts > 1 ? 0 : cut_of(s, &t[i].note));
    uint64_t first_new = s->project.score->next_id;
    if (edit_do(s, c) && s->selection.n)
        select_with_new(s, first_new);
}

/* 3s makes three of each; alone it cuts at the cursor. */
void act_split(struct session *s, const struct command *c)
{
    struct target *targets = NULL;
    size_t n = edit_targets(s, &targets);
    if (n)
        split(s, targets, n, c->count > PARTS_MOST ? PARTS_MOST : c->count);
    free(targets);
}
