/* Unpacking: numbers and places become ids of the reopened score. Its notes are passed
 * over once, each looked up among what is sought. See takes_pack.h. */
#include "app/editor/takes/played_take.h"
#include "app/editor/keep/takes_pack.h"

#include "app/editor/takes/machine.h"

#include <stdlib.h>

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
static size_t list_replaced(const struct kept_takes *t, const struct score *s,
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

static bool find_replaced(struct unpacking *u, const struct kept_takes *t,
                          const struct score *s)
{
    u->n_replaced = list_replaced(t, s, NULL);
    u->replaced = calloc(u->n_replaced + 1, sizeof *u->replaced);
    if (!u->replaced)
        return false;
    list_replaced(t, s, u->replaced);
    return true;
}

/* No two ghosts become one note: each note of the score is looked at once. */
static void find_standing(struct unpacking *u, const struct kept_takes *t,
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

static bool unpacking_init(struct unpacking *u, struct kept_takes *t,
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
    for (size_t i = 0; i < n_tracks && i < TOKEN_MAX_TRACKS; i++)
        if ((*tracks >> i & 1) && u->track[i] >= 0 && u->track[i] < TOKEN_MAX_TRACKS)
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
static int unpack_list(struct proposals *to, struct kept_takes *t,
                       const struct unpacking *u)
{
    int n_left_out = 0;
    for (int i = 0; i < t->takes.n; i++) {
        struct proposal *p = &t->takes.list[i];
        if (unpack_take(p, u, t->n_tracks)) {
            proposals_add(to, p);
            p->ghosts = NULL; /* they have gone over, */
            p->given = NULL;  /* and so has this */
        } else {
            n_left_out++;
        }
    }
    to->n_letters = t->takes.n_letters;
    show(to, &t->takes);
    return n_left_out;
}

static void take_up(struct session *s, const struct kept_takes *t)
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
static bool unpack(struct session *s, struct kept_takes *t, const struct unpacking *u,
                   int *n_left_out)
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
    if (proposals_find(&s->takes, 'A') >= 0)
        played_take_unpack(s, &t->playing, u->track);
    proposals_follow(&s->takes, score);
    if (!s->takes.n)
        session_drop_take(s);
    return true;
}

/* Time was neither put in nor taken out since, nor tracks moved. */
static bool is_their_music(const struct kept_takes *t, const struct project *p)
{
    struct kept_takes now = {0};
    takes_tell_music(&now, p);
    return t->ticks_per_quarter == p->score->ticks_per_quarter &&
           (t->time_put_in == TAKES_UNTOLD ||
            (t->time_put_in == now.time_put_in && t->arrangement == now.arrangement));
}

bool takes_unpack(struct session *s, struct kept_takes *from, int *n_left_out)
{
    const struct score *score = s->project.score;
    struct unpacking u;
    *n_left_out = 0;
    if (!from->takes.n)
        return true;
    bool ok = unpacking_init(&u, from, score);
    if (ok && is_their_music(from, &s->project) &&
        unpack_tracks(&from->asked.options.tracks, &u, from->n_tracks))
        ok = unpack(s, from, &u, n_left_out);
    else
        *n_left_out = from->takes.n;
    unpacking_fini(&u);
    return ok;
}
