/* Packs takes for a store, and unpacks them for the reopened score. A store names tracks by
 * their chunks and channels, and notes of the score by their positions, since ids and numbers
 * of tracks change. Unpacking looks each note of the score up once among the positions. */
#include "app/editor/takes/takes.h"
#include "app/editor/keep/keep.h"

#include "midi/base/ids.h"
#include "app/editor/takes/hearing.h"
#include "app/editor/takes/machine.h"
#include "midi/base/array.h"

#include <stdlib.h>

/* -- packing -- */

static int compare_ghosts(const void *a, const void *b)
{
    const struct ghost *x = a, *y = b;
    return (x->note.id > y->note.id) - (x->note.id < y->note.id);
}

static void describe_music(struct kept_takes *t, const struct project *p)
{
    const struct history *h = p->history;
    uint64_t now = history_now(h)->arrangement;
    int64_t saved = history_at(h, p->saved_state)->inserted_ticks;
    t->time_put_in = history_now(h)->inserted_ticks - saved;
    t->arrangement = now == history_at(h, p->saved_state)->arrangement ? 0 : now;
}

/* Adds the place of a note if its id is among these. */
static void pack_place(struct kept_takes *out, int track, const struct note *n,
                       const uint64_t *ids, size_t n_ids, bool is_ghost)
{
    if (ids_find(ids, n_ids, n->id))
        out->places[out->n_places++] =
            (struct kept_place){.track = track,
                                .start = n->start,
                                .length = n->length,
                                .pitch = n->pitch,
                                .ghost = is_ghost ? (int64_t)n->id : 0};
}

bool takes_pack(struct kept_takes *out, const struct session *s)
{
    const struct score *score = s->project.score;
    const struct rewritten *r = &s->request.rewritten;
    *out = (struct kept_takes){
        .ticks_per_quarter = score->ticks_per_quarter,
        .asked = s->request.asked,
        .takes_once = s->request.n_once,
        .hole_from = s->request.from,
        .hole_to = s->request.to,
        .music_end = s->request.music_end,
    };
    if (!s->has_take)
        return true;
    describe_music(out, &s->project);
    size_t n;
    uint64_t *accepted = proposals_accepted(&s->takes, -1, &n);
    out->tracks = calloc(score->n_tracks + 1, sizeof *out->tracks);
    out->places = calloc(r->n_asked + n + 1, sizeof *out->places);
    out->list = calloc((size_t)s->takes.n + 1, sizeof *out->list);
    bool ok = accepted && out->tracks && out->places && out->list;
    out->n_letters = s->takes.n_letters;
    out->shown = -1;
    for (int i = 0; ok && i < s->takes.n; i++) {
        const struct proposal *t = &s->takes.list[i];
        if (t->slot >= 0 && !t->n_came)
            continue; /* it has no notes yet */
        if (i == s->takes.shown)
            out->shown = (int)out->n;
        struct proposal *own = &out->list[out->n++];
        *own = *t;
        own->ghosts = array_copy(t->ghosts, t->n_ghosts, sizeof *t->ghosts);
        own->tokens = array_copy(t->tokens, t->n_tokens, sizeof *t->tokens);
        own->gestures = array_copy(t->gestures, t->n_gestures, sizeof *t->gestures);
        ok = own->ghosts && own->tokens && own->gestures;
        if (ok)
            qsort(own->ghosts, t->n_ghosts, sizeof *own->ghosts, compare_ghosts);
    }
    for (size_t t = 0; ok && t < score->n_tracks; t++) {
        const struct track *track = &score->tracks[t];
        out->tracks[out->n_tracks++] =
            (struct kept_track){track->chunk, track->channel & 15};
        for (size_t i = 0; r->n_asked + n && i < track->n_notes; i++) {
            pack_place(out, (int)t, &track->notes[i], r->asked, r->n_asked, false);
            pack_place(out, (int)t, &track->notes[i], accepted, n, true);
        }
    }
    free(accepted);
    return ok;
}

/* -- unpacking -- */

/* The tracks and ids of the score for those of the store. */
struct unpacking {
    int *track;         /* [n_tracks] -1: removed */
    uint64_t *id, *now; /* [n_ids], ascending, and their new ids; 0: not yet known */
    size_t n_ids;
    struct kept_place *place; /* positions, with tracks of the score; sorted */
    uint64_t *replaced;
    size_t n_replaced;
};

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

/* Each note of the score is looked up once among the places, so that no two ghosts become one
 * note. */
static bool unpacking_init(struct unpacking *u, const struct kept_takes *t,
                           const struct score *s)
{
    size_t n_ghosts = 0;
    for (size_t i = 0; i < t->n; i++)
        n_ghosts += t->list[i].n_ghosts;
    *u = (struct unpacking){
        .track = calloc(t->n_tracks + 1, sizeof *u->track),
        .id = calloc(n_ghosts + 1, sizeof *u->id),
        .now = calloc(n_ghosts + 1, sizeof *u->now),
        .place = array_copy(t->places, t->n_places, sizeof *u->place),
        .replaced = calloc(t->n_places + 1, sizeof *u->replaced),
    };
    if (!u->track || !u->id || !u->now || !u->place || !u->replaced)
        return false;
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = 0; k < t->list[i].n_ghosts; k++)
            u->id[u->n_ids++] = t->list[i].ghosts[k].note.id;
    ids_sort(u->id, u->n_ids);
    for (size_t i = 0; i < t->n_tracks; i++) {
        int k = (int)s->n_tracks - 1;
        while (k >= 0 && (s->tracks[k].chunk != t->tracks[i].chunk ||
                          s->tracks[k].channel != t->tracks[i].channel))
            k--;
        u->track[i] = k;
    }
    for (size_t i = 0; i < t->n_places; i++)
        u->place[i].track = u->track[t->places[i].track];
    qsort(u->place, t->n_places, sizeof *u->place, compare_places);
    for (int k = 0; t->n_places && k < (int)s->n_tracks; k++)
        for (size_t i = 0; i < s->tracks[k].n_notes; i++) {
            const struct note *n = &s->tracks[k].notes[i];
            const struct kept_place here = {
                .track = k, .start = n->start, .length = n->length, .pitch = n->pitch};
            const struct kept_place *p =
                bsearch(&here, u->place, t->n_places, sizeof here, compare_places);
            const uint64_t *id =
                p ? ids_find(u->id, u->n_ids, (uint64_t)p->ghost) : NULL;
            if (p && !p->ghost && u->n_replaced < t->n_places)
                u->replaced[u->n_replaced++] = n->id;
            else if (id && !u->now[id - u->id])
                u->now[id - u->id] = n->id;
        }
    return true;
}

/* Replaces bits of tracks. false: all of these tracks were removed. */
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

/* Gives a take, with all it owns, to the session. */
static void unpack_take(struct session *s, struct proposal *p,
                        const struct unpacking *u, size_t n_tracks)
{
    unpack_tracks(&p->options.tracks, u, n_tracks);
    unpack_tracks(&p->options.motif.tracks, u, n_tracks);
    p->options.motif.at = p->stats.motif;
    p->options.is_band = band_words(s) != NULL;
    p->cap_ghosts = p->n_ghosts;
    for (size_t i = 0; i < p->n_ghosts; i++) {
        struct ghost *g = &p->ghosts[i];
        g->track = u->track[g->track];
        /* A ghost has one id in all takes, a new one if it is not in the score. */
        uint64_t *now = &u->now[ids_find(u->id, u->n_ids, g->note.id) - u->id];
        if (!*now)
            *now = s->project.score->next_id++;
        g->note.id = *now;
    }
    size_t n = 0; /* gestures whose tracks are there */
    for (size_t i = 0; i < p->n_gestures; i++) {
        struct recorded_event e = p->gestures[i];
        e.track = u->track[e.track];
        if (e.track < 0)
            continue;
        e.data[0] = (uint8_t)((e.data[0] & 0xf0) |
                              (s->project.score->tracks[e.track].channel & 15));
        p->gestures[n++] = e;
    }
    p->n_gestures = n;
    proposals_add(&s->takes, p);
    *p = (struct proposal){0};
}

bool takes_unpack(struct session *s, struct kept_takes *from)
{
    struct score *score = s->project.score;
    bool fit[PROPOSALS_MAX] = {false}, any = false;
    struct unpacking u;
    if (!from->n)
        return true;
    bool ok = unpacking_init(&u, from, score);
    uint64_t tracks = from->asked.options.tracks;
    /* Takes fit if no time was inserted or removed since, and no track was moved. */
    struct kept_takes now = {0};
    describe_music(&now, &s->project);
    const bool is_their_music = from->ticks_per_quarter == score->ticks_per_quarter &&
                                from->time_put_in == now.time_put_in &&
                                from->arrangement == now.arrangement;
    if (ok && is_their_music && unpack_tracks(&tracks, &u, from->n_tracks))
        for (size_t i = 0; i < from->n; i++) {
            const struct proposal *p = &from->list[i];
            uint64_t of_take = p->options.tracks;
            fit[i] = unpack_tracks(&of_take, &u, from->n_tracks);
            for (size_t k = 0; k < p->n_ghosts; k++)
                fit[i] &= u.track[p->ghosts[k].track] >= 0;
            any |= fit[i];
        }
    if (any) {
        s->has_take = true;
        hearing_changed(s);
        s->request.n_tracks = (int)score->n_tracks;
        s->request.asked = from->asked;
        s->takes.n_letters = from->n_letters;
        s->request.n_once = from->takes_once;
        s->request.from = from->hole_from;
        s->request.to = from->hole_to;
        s->request.music_end = from->music_end;
        unpack_tracks(&s->request.asked.options.tracks, &u, from->n_tracks);
        unpack_tracks(&s->request.asked.options.motif.tracks, &u, from->n_tracks);
        if (hole_is_asked(s))
            ok = rewritten_ask_again(&s->request.rewritten, u.replaced, u.n_replaced,
                                     score, &s->request.asked.options);
        const char shown = from->shown < 0 ? '\0' : from->list[from->shown].letter;
        for (size_t i = 0; ok && i < from->n; i++)
            if (fit[i])
                unpack_take(s, &from->list[i], &u, from->n_tracks);
        s->takes.shown = shown ? proposals_find(&s->takes, shown) : -1;
        if (from->shown >= 0 && s->takes.shown < 0)
            s->takes.shown = proposals_best(&s->takes);
        proposals_follow(&s->takes, score);
        if (!ok)
            session_drop_take(s);
    }
    size_t n = 0;
    for (size_t i = 0; ok && i < from->n; i++) /* the rest is left out */
        if (!fit[i])
            from->list[n++] = from->list[i];
    if (ok) {
        from->n = n;
        from->shown = -1;
    }
    free(u.track);
    free(u.id);
    free(u.now);
    free(u.place);
    free(u.replaced);
    return ok;
}
