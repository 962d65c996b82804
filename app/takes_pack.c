/* See takes_pack.h. Packing goes from ids to numbers and places, unpacking from those to
 * the ids of the reopened score. Both pass over the score's notes once, looking each of
 * them up in what is sought. */
#include "app/takes_pack.h"

#include "app/machine.h"

#include <stdlib.h>
#include <string.h>

/* -- packing -- */

static int compare_ghost_ids(const void *a, const void *b)
{
    const struct ghost *x = a, *y = b;
    return (x->note.id > y->note.id) - (x->note.id < y->note.id);
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool pack_tracks(struct sidecar_takes *out, const struct score *s)
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
        if (!p->ghosts)
            return false;
        if (t->n_ghosts)
            memcpy(p->ghosts, t->ghosts, t->n_ghosts * sizeof *p->ghosts);
    }
    return true;
}

/* Every ghost there is, once, by id. */
static bool gather_ghosts(struct sidecar_takes *out)
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
            const uint64_t *id =
                bsearch(&note->id, ids, n_ids, sizeof *ids, compare_ids);
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

static bool pack_standing(struct sidecar_takes *out, const struct score *s)
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
static void number_ghosts(struct sidecar_takes *out)
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

bool takes_pack(struct sidecar_takes *out, const struct session *s)
{
    const struct score *score = s->project.score;
    *out = (struct sidecar_takes){
        .ticks_per_quarter = score->ticks_per_quarter,
        .asked = s->asked,
        .takes_once = s->takes_once,
        .hole_from = s->hole_from,
        .hole_to = s->hole_to,
        .music_end = s->music_end,
    };
    if (!s->has_take)
        return true;
    bool ok = pack_tracks(out, score) && pack_list(&out->takes, &s->takes) &&
              gather_ghosts(out) && pack_standing(out, score) &&
              list_places(&out->replaced, &out->n_replaced, score, s->rewritten.asked,
                          s->rewritten.n_asked, false);
    if (ok)
        number_ghosts(out);
    return ok;
}

/* -- unpacking -- */

/* What numbers and old tracks are in the score. */
struct unpacking {
    int *track;   /* [n_tracks] -1: it is gone */
    uint64_t *id; /* [n_ghosts + 1] by number */
    uint64_t *replaced;
    size_t n_replaced;
};

static int find_track(const struct score *s, const struct kept_track *k)
{
    for (size_t t = 0; t < s->n_tracks; t++)
        if (s->tracks[t].chunk == k->chunk && s->tracks[t].channel == k->channel)
            return (int)t;
    return -1;
}

static int compare_places(const void *a, const void *b)
{
    const struct kept_place *x = a, *y = b;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return (x->pitch > y->pitch) - (x->pitch < y->pitch);
}

/* With the score's tracks, and so that they can be found. */
static void prepare_places(struct kept_place *list, size_t n, const int *track)
{
    for (size_t i = 0; i < n; i++)
        list[i].track = track[list[i].track];
    if (n)
        qsort(list, n, sizeof *list, compare_places);
}

/* NULL: none of them is where this note is. */
static const struct kept_place *find_place(const struct kept_place *list, size_t n,
                                           int track, const struct note *note)
{
    const struct kept_place here = {.track = track,
                                    .start = note->start,
                                    .length = note->length,
                                    .pitch = note->pitch};
    return n ? bsearch(&here, list, n, sizeof here, compare_places) : NULL;
}

/* How many notes of the score would go; their ids, unless NULL. */
static size_t list_replaced(const struct sidecar_takes *t, const struct score *s,
                            uint64_t *ids)
{
    size_t n = 0;
    for (int k = 0; k < (int)s->n_tracks; k++)
        for (size_t i = 0; i < s->tracks[k].n_notes; i++) {
            const struct note *note = &s->tracks[k].notes[i];
            if (!find_place(t->replaced, t->n_replaced, k, note))
                continue;
            if (ids)
                ids[n] = note->id;
            n++;
        }
    return n;
}

static bool find_replaced(struct unpacking *u, const struct sidecar_takes *t,
                          const struct score *s)
{
    u->n_replaced = list_replaced(t, s, NULL);
    u->replaced = calloc(u->n_replaced + 1, sizeof *u->replaced);
    if (!u->replaced)
        return false;
    list_replaced(t, s, u->replaced);
    qsort(u->replaced, u->n_replaced, sizeof *u->replaced, compare_ids);
    return true;
}

/* No two ghosts become one note: each note of the score is looked at once. */
static void find_standing(struct unpacking *u, const struct sidecar_takes *t,
                          const struct score *s)
{
    for (int k = 0; t->n_standing && k < (int)s->n_tracks; k++)
        for (size_t i = 0; i < s->tracks[k].n_notes; i++) {
            const struct note *note = &s->tracks[k].notes[i];
            const struct kept_place *p =
                find_place(t->standing, t->n_standing, k, note);
            if (p && !u->id[p->ghost])
                u->id[p->ghost] = note->id;
        }
}

static bool unpacking_init(struct unpacking *u, struct sidecar_takes *t,
                           const struct score *s)
{
    *u = (struct unpacking){
        .track = calloc(t->n_tracks + 1, sizeof *u->track),
        .id = calloc(t->n_ghosts + 1, sizeof *u->id),
    };
    if (!u->track || !u->id)
        return false;
    for (size_t i = 0; i < t->n_tracks; i++)
        u->track[i] = find_track(s, &t->tracks[i]);
    prepare_places(t->replaced, t->n_replaced, u->track);
    prepare_places(t->standing, t->n_standing, u->track);
    find_standing(u, t, s);
    return find_replaced(u, t, s);
}

static void unpacking_fini(struct unpacking *u)
{
    free(u->track);
    free(u->id);
    free(u->replaced);
}

/* false: it named tracks, and all of them are gone. */
static bool unpack_tracks(uint64_t *tracks, const struct unpacking *u, size_t n_tracks)
{
    uint64_t there = 0;
    for (size_t i = 0; i < n_tracks && i < 64; i++)
        if ((*tracks >> i & 1) && u->track[i] >= 0 && u->track[i] < 64)
            there |= UINT64_C(1) << u->track[i];
    bool fits = !*tracks || there;
    *tracks = there;
    return fits;
}

/* false: it does not fit the score. */
static bool unpack_take(struct proposal *p, const struct unpacking *u, size_t n_tracks)
{
    bool fits = unpack_tracks(&p->options.tracks, u, n_tracks);
    for (size_t i = 0; fits && i < p->n_ghosts; i++) {
        struct ghost *g = &p->ghosts[i];
        g->track = u->track[g->track];
        g->note.id = u->id[g->note.id];
        fits = g->track >= 0;
    }
    return fits;
}

static void show(struct proposals *to, const struct proposals *from)
{
    if (from->shown < 0)
        to->shown = -1;
    else
        to->shown = proposals_find(to, from->list[from->shown].letter);
    if (from->shown >= 0 && to->shown < 0)
        to->shown = proposals_best(to);
}

/* Those that fit wait again; how many do not is returned. */
static int unpack_list(struct proposals *to, struct sidecar_takes *t,
                       const struct unpacking *u)
{
    int n_left_out = 0;
    for (int i = 0; i < t->takes.n; i++) {
        struct proposal *p = &t->takes.list[i];
        if (unpack_take(p, u, t->n_tracks)) {
            proposals_add(to, p);
            p->ghosts = NULL; /* they have gone over */
        } else {
            n_left_out++;
        }
    }
    to->n_letters = t->takes.n_letters;
    show(to, &t->takes);
    return n_left_out;
}

static void take_up(struct session *s, const struct sidecar_takes *t)
{
    s->has_take = s->sound_changed = true;
    s->take_tracks = (int)s->project.score->n_tracks;
    s->asked = t->asked;
    s->takes_once = t->takes_once;
    s->hole_from = t->hole_from;
    s->hole_to = t->hole_to;
    s->music_end = t->music_end;
}

/* What was asked fits, and there is memory. */
static bool unpack(struct session *s, struct sidecar_takes *t,
                   const struct unpacking *u, int *n_left_out)
{
    struct score *score = s->project.score;
    take_up(s, t);
    if (hole_is_asked(s) &&
        !rewritten_ask_again(&s->rewritten, u->replaced, u->n_replaced, score,
                             &s->asked.options)) {
        session_drop_take(s);
        return false;
    }
    for (size_t i = 1; i <= t->n_ghosts; i++)
        if (!u->id[i])
            u->id[i] = score->next_id++;
    *n_left_out = unpack_list(&s->takes, t, u);
    proposals_follow(&s->takes, score);
    if (!s->takes.n)
        session_drop_take(s);
    return true;
}

bool takes_unpack(struct session *s, struct sidecar_takes *from, int *n_left_out)
{
    const struct score *score = s->project.score;
    struct unpacking u;
    *n_left_out = 0;
    if (!from->takes.n)
        return true;
    bool ok = unpacking_init(&u, from, score);
    if (ok && from->ticks_per_quarter == score->ticks_per_quarter &&
        unpack_tracks(&from->asked.options.tracks, &u, from->n_tracks))
        ok = unpack(s, from, &u, n_left_out);
    else
        *n_left_out = from->takes.n;
    unpacking_fini(&u);
    return ok;
}
