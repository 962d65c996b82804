/* Packing: ids become numbers and places. The score's notes are passed over once, each
 * looked up among what is sought. See takes_pack.h. */
#include "app/editor/takes/played_take.h"
#include "app/editor/keep/takes_pack.h"

#include "app/base/ids.h"

#include <stdlib.h>
#include <string.h>

static int compare_ghost_ids(const void *a, const void *b)
{
    const struct ghost *x = a, *y = b;
    return (x->note.id > y->note.id) - (x->note.id < y->note.id);
}

static bool pack_tracks(struct kept_takes *out, const struct score *s)
{
    out->tracks = calloc(s->n_tracks + 1, sizeof *out->tracks);
    if (!out->tracks)
        return false;
    out->n_tracks = s->n_tracks;
    for (size_t i = 0; i < s->n_tracks; i++)
        out->tracks[i] =
            (struct kept_track){s->tracks[i].chunk, s->tracks[i].channel & 15};
    return true;
}

static bool copy_choices(struct proposal *to, const struct proposal *from)
{
    struct continuation_options o = {.given = from->given,
                                     .n_given = from->n_given,
                                     .muted = from->muted,
                                     .n_muted = from->n_muted};
    return proposal_set_choices(to, &o);
}

/* The takes with their own ghosts, which still have the score's ids. */
static bool pack_list(struct proposals *to, const struct proposals *from)
{
    to->n_letters = from->n_letters;
    to->shown = -1;
    for (int i = 0; i < from->n; i++) {
        const struct proposal *t = &from->list[i];
        if (t->slot >= 0 && !t->n_came)
            continue;
        if (i == from->shown)
            to->shown = to->n;
        struct proposal *p = &to->list[to->n++];
        *p = *t;
        p->ghosts = calloc(t->n_ghosts + 1, sizeof *p->ghosts);
        if (!copy_choices(p, t) || !p->ghosts)
            return false;
        if (t->n_ghosts)
            memcpy(p->ghosts, t->ghosts, t->n_ghosts * sizeof *p->ghosts);
    }
    return true;
}

/* Every ghost there is, once, by id. */
static bool gather_ghosts(struct kept_takes *out)
{
    size_t n = 0;
    for (int i = 0; i < out->takes.n; i++)
        n += out->takes.list[i].n_ghosts;
    out->ghosts = calloc(n + 1, sizeof *out->ghosts);
    if (!out->ghosts)
        return false;
    struct ghost *at = out->ghosts;
    for (int i = 0; i < out->takes.n; i++)
        for (size_t k = 0; k < out->takes.list[i].n_ghosts; k++)
            *at++ = out->takes.list[i].ghosts[k];
    qsort(out->ghosts, n, sizeof *out->ghosts, compare_ghost_ids);
    for (size_t i = 0; i < n; i++)
        if (!i || out->ghosts[i].note.id != out->ghosts[i - 1].note.id)
            out->ghosts[out->n_ghosts++] = out->ghosts[i];
    return true;
}

/* Where the score's notes of these ids are, which ascend. With `ghosts` the i-th id is
 * that of ghost i + 1. false: out of memory. */
static bool list_places(struct kept_place **list, size_t *n, const struct score *s,
                        const uint64_t *ids, size_t n_ids, bool ghosts)
{
    *list = calloc(n_ids + 1, sizeof **list);
    for (size_t t = 0; *list && n_ids && t < s->n_tracks; t++)
        for (size_t i = 0; i < s->tracks[t].n_notes; i++) {
            const struct note *note = &s->tracks[t].notes[i];
            const uint64_t *id = ids_find(ids, n_ids, note->id);
            if (id)
                (*list)[(*n)++] = (struct kept_place){
                    .track = (int)t,
                    .start = note->start,
                    .length = note->length,
                    .pitch = note->pitch,
                    .ghost = ghosts ? (int)(id - ids) + 1 : 0,
                };
        }
    return *list != NULL;
}

static bool pack_standing(struct kept_takes *out, const struct score *s)
{
    uint64_t *ids = calloc(out->n_ghosts + 1, sizeof *ids);
    for (size_t i = 0; ids && i < out->n_ghosts; i++)
        ids[i] = out->ghosts[i].note.id;
    bool ok = ids && list_places(&out->standing, &out->n_standing, s, ids,
                                 out->n_ghosts, true);
    free(ids);
    return ok;
}

/* Ids become numbers, also those of the takes' ghosts. */
static void number_ghosts(struct kept_takes *out)
{
    for (int i = 0; i < out->takes.n; i++)
        for (size_t k = 0; k < out->takes.list[i].n_ghosts; k++) {
            struct ghost *g = &out->takes.list[i].ghosts[k];
            const struct ghost *found =
                bsearch(g, out->ghosts, out->n_ghosts, sizeof *g, compare_ghost_ids);
            g->note.id = (uint64_t)(found - out->ghosts) + 1;
        }
    for (size_t i = 0; i < out->n_ghosts; i++)
        out->ghosts[i].note.id = i + 1;
}

void takes_tell_music(struct kept_takes *t, const struct project *p)
{
    const struct history *h = p->history;
    uint64_t now = history_arrangement(h);
    int64_t saved = history_time_put_in_at(h, p->saved_state);
    t->time_put_in = history_time_put_in(h) - saved;
    t->arrangement = now == history_arrangement_at(h, p->saved_state) ? 0 : now;
}

bool takes_pack(struct kept_takes *out, const struct session *s)
{
    const struct score *score = s->project.score;
    *out = (struct kept_takes){
        .ticks_per_quarter = score->ticks_per_quarter,
        .asked = s->asked,
        .takes_once = s->takes_once,
        .hole_from = s->hole_from,
        .hole_to = s->hole_to,
        .music_end = s->music_end,
    };
    if (!s->has_take)
        return true;
    takes_tell_music(out, &s->project);
    bool ok = pack_tracks(out, score) && pack_list(&out->takes, &s->takes) &&
              gather_ghosts(out) && pack_standing(out, score) &&
              list_places(&out->replaced, &out->n_replaced, score, s->rewritten.asked,
                          s->rewritten.n_asked, false) &&
              played_take_pack(s, &out->playing);
    if (ok)
        number_ghosts(out);
    return ok;
}
