/* Packs takes for a store, and unpacks them for the reopened score. Packing turns tracks
 * into the chunks they come from, and notes of the score into their positions. Unpacking
 * goes through the score's notes once and looks each up among the positions. */
#include "app/editor/keep/keep.h"

#include "app/base/ids.h"
#include "app/editor/takes/hearing.h"
#include "app/editor/takes/machine.h"
#include "app/editor/takes/played_take.h"

#include <stdlib.h>
#include <string.h>

/* -- packing -- */

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

static bool make_room(struct kept_takes *out, const struct proposals *from)
{
    size_t n_ghosts = 0, n_tokens = 0, n_mutes = 0, n_chords = 0;
    for (int i = 0; i < from->n; i++) {
        n_ghosts += from->list[i].n_ghosts;
        n_tokens += from->list[i].n_given;
        n_mutes += from->list[i].n_muted;
        n_chords += (size_t)from->list[i].stats.n_chords;
    }
    out->list = calloc((size_t)from->n + 1, sizeof *out->list);
    out->ghosts = calloc(n_ghosts + 1, sizeof *out->ghosts);
    out->tokens = calloc(n_tokens + 1, sizeof *out->tokens);
    out->mutes = calloc(n_mutes + 1, sizeof *out->mutes);
    out->motifs = calloc((size_t)from->n + 1, sizeof *out->motifs);
    out->chords = calloc(n_chords + 1, sizeof *out->chords);
    return out->list && out->ghosts && out->tokens && out->mutes && out->motifs &&
           out->chords;
}

static int compare_ghosts(const void *a, const void *b)
{
    const struct kept_ghost *x = a, *y = b;
    return (x->ghost.note.id > y->ghost.note.id) -
           (x->ghost.note.id < y->ghost.note.id);
}

static void pack_motif(struct kept_takes *out, int take,
                       const struct continuation_motif *m, const struct motif_place *at)
{
    if (!m->kind)
        return;
    out->motifs[out->n_motifs] = (struct kept_motif){take, *m};
    out->motifs[out->n_motifs++].motif.at = *at;
}

static void pack_take(struct kept_takes *out, const struct proposal *t)
{
    const int take = (int)out->n;
    struct proposal *own = &out->list[out->n++];
    struct kept_ghost *ghosts = &out->ghosts[out->n_ghosts];
    *own = *t;
    own->ghosts = NULL;
    own->given = NULL;
    pack_motif(out, take, &t->options.motif, &t->stats.motif);
    for (size_t i = 0; i < t->n_ghosts; i++)
        out->ghosts[out->n_ghosts++] = (struct kept_ghost){take, t->ghosts[i]};
    qsort(ghosts, t->n_ghosts, sizeof *ghosts, compare_ghosts);
    for (size_t i = 0; i < t->n_given; i++)
        out->tokens[out->n_tokens++] = (struct kept_part){take, t->given[i], 0};
    for (size_t i = 0; i < t->n_muted; i++)
        out->mutes[out->n_mutes++] =
            (struct kept_part){take, t->muted[i].layer, t->muted[i].head};
    for (int i = 0; i < t->stats.n_chords; i++)
        out->chords[out->n_chords++] = (struct kept_chord){take, t->stats.chords[i]};
}

static bool pack_list(struct kept_takes *out, const struct proposals *from)
{
    out->n_letters = from->n_letters;
    out->shown = -1;
    if (!make_room(out, from))
        return false;
    pack_motif(out, -1, &out->asked.options.motif, &out->asked.options.motif.at);
    for (int i = 0; i < from->n; i++) {
        if (from->list[i].slot >= 0 && !from->list[i].n_came)
            continue;
        if (i == from->shown)
            out->shown = (int)out->n;
        pack_take(out, &from->list[i]);
    }
    return true;
}

/* Where the score's notes of these ids are, which ascend. */
static void list_places(struct kept_takes *out, const struct score *s,
                        const uint64_t *ids, size_t n_ids, bool are_ghosts)
{
    for (size_t t = 0; n_ids && t < s->n_tracks; t++)
        for (size_t i = 0; i < s->tracks[t].n_notes; i++) {
            const struct note *note = &s->tracks[t].notes[i];
            if (ids_find(ids, n_ids, note->id))
                out->places[out->n_places++] = (struct kept_place){
                    .track = (int)t,
                    .start = note->start,
                    .length = note->length,
                    .pitch = note->pitch,
                    .ghost = are_ghosts ? (int64_t)note->id : 0,
                };
        }
}

static uint64_t *ids_of(const struct kept_takes *t)
{
    uint64_t *ids = calloc(t->n_ghosts + 1, sizeof *ids);
    for (size_t i = 0; ids && i < t->n_ghosts; i++)
        ids[i] = t->ghosts[i].ghost.note.id;
    if (ids)
        ids_sort(ids, t->n_ghosts);
    return ids;
}

static bool pack_places(struct kept_takes *out, const struct session *s)
{
    const struct rewritten *r = &s->request.rewritten;
    uint64_t *ids = ids_of(out);
    out->places = calloc(r->n_asked + out->n_ghosts + 1, sizeof *out->places);
    bool ok = ids && out->places;
    if (ok) {
        list_places(out, s->project.score, r->asked, r->n_asked, false);
        list_places(out, s->project.score, ids, out->n_ghosts, true);
    }
    free(ids);
    return ok;
}

static void tell_music(struct kept_takes *t, const struct project *p)
{
    const struct history *h = p->history;
    uint64_t now = history_now(h)->arrangement;
    int64_t saved = history_at(h, p->saved_state)->inserted_ticks;
    t->time_put_in = history_now(h)->inserted_ticks - saved;
    t->arrangement = now == history_at(h, p->saved_state)->arrangement ? 0 : now;
}

bool takes_pack(struct kept_takes *out, const struct session *s)
{
    const struct score *score = s->project.score;
    *out = (struct kept_takes){
        .ticks_per_quarter = score->ticks_per_quarter,
        .asked = s->request.asked,
        .takes_once = s->request.n_once,
        .hole_from = s->request.from,
        .hole_to = s->request.to,
        .music_end = s->request.music_end,
        .played_to = -1,
    };
    if (!s->has_take)
        return true;
    tell_music(out, &s->project);
    return pack_tracks(out, score) && pack_list(out, &s->takes) &&
           pack_places(out, s) && played_take_pack(s, out);
}

/* -- unpacking -- */

/* What old ids and tracks are in the score. */
struct unpacking {
    int *track;         /* [n_tracks] -1: removed */
    uint64_t *id, *now; /* [n_ids], ascending, and their new ids; 0: not yet known */
    size_t n_ids;
    struct kept_place *place; /* with the score's tracks, in their order */
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

/* No two ghosts become one note: each note of the score is looked at once. */
static void look_at_note(struct unpacking *u, const struct kept_takes *t, int track,
                         const struct note *note)
{
    const struct kept_place here = {.track = track,
                                    .start = note->start,
                                    .length = note->length,
                                    .pitch = note->pitch};
    const struct kept_place *p =
        t->n_places ? bsearch(&here, u->place, t->n_places, sizeof here, compare_places)
                    : NULL;
    if (!p)
        return; /* none of them is where this note is */
    const uint64_t *id = ids_find(u->id, u->n_ids, (uint64_t)p->ghost);
    if (!p->ghost && u->n_replaced < t->n_places)
        u->replaced[u->n_replaced++] = note->id;
    else if (id && !u->now[id - u->id])
        u->now[id - u->id] = note->id;
}

static bool unpacking_init(struct unpacking *u, const struct kept_takes *t,
                           const struct score *s)
{
    *u = (struct unpacking){
        .track = calloc(t->n_tracks + 1, sizeof *u->track),
        .id = ids_of(t),
        .now = calloc(t->n_ghosts + 1, sizeof *u->now),
        .n_ids = t->n_ghosts,
        .place = calloc(t->n_places + 1, sizeof *u->place),
        .replaced = calloc(t->n_places + 1, sizeof *u->replaced),
    };
    if (!u->track || !u->id || !u->now || !u->place || !u->replaced)
        return false;
    for (size_t i = 0; i < t->n_tracks; i++)
        u->track[i] = find_track(s, &t->tracks[i]);
    for (size_t i = 0; i < t->n_places; i++) {
        u->place[i] = t->places[i];
        u->place[i].track = u->track[t->places[i].track];
    }
    qsort(u->place, t->n_places, sizeof *u->place, compare_places);
    for (int k = 0; k < (int)s->n_tracks; k++)
        for (size_t i = 0; i < s->tracks[k].n_notes; i++)
            look_at_note(u, t, k, &s->tracks[k].notes[i]);
    return true;
}

/* Equal ids for equal notes; a new id for a note that is not in the score. */
static uint64_t unpack_id(const struct unpacking *u, uint64_t id, struct score *s)
{
    uint64_t *now = &u->now[ids_find(u->id, u->n_ids, id) - u->id];
    if (!*now)
        *now = s->next_id++;
    return *now;
}

/* false: it named tracks, but all of them were removed. */
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

/* The motif of a take, or (-1) of the request. */
static struct continuation_motif unpack_motif(const struct kept_takes *t, int take,
                                              const struct unpacking *u)
{
    struct continuation_motif m = {.kind = MOTIF_NONE};
    for (size_t i = 0; i < t->n_motifs; i++)
        if (t->motifs[i].take == take)
            m = t->motifs[i].motif;
    unpack_tracks(&m.tracks, u, t->n_tracks);
    return m;
}

static bool fits(const struct kept_takes *t, int take, const struct unpacking *u)
{
    uint64_t tracks = t->list[take].options.tracks;
    bool fits = unpack_tracks(&tracks, u, t->n_tracks);
    for (size_t i = 0; i < t->n_ghosts; i++)
        fits &= t->ghosts[i].take != take || u->track[t->ghosts[i].ghost.track] >= 0;
    return fits;
}

/* What is of that take goes into *p. false: out of memory. */
static bool unpack_parts(struct proposal *p, const struct kept_takes *t, int take,
                         const struct unpacking *u, struct score *s)
{
    p->cap_ghosts = t->n_ghosts + 1;
    p->ghosts = calloc(p->cap_ghosts, sizeof *p->ghosts);
    p->given = t->n_tokens ? calloc(t->n_tokens, sizeof *p->given) : NULL;
    if (!p->ghosts || (t->n_tokens && !p->given))
        return false;
    for (size_t i = 0; i < t->n_ghosts; i++)
        if (t->ghosts[i].take == take) {
            struct ghost *g = &p->ghosts[p->n_ghosts++];
            *g = t->ghosts[i].ghost;
            g->track = u->track[g->track];
            g->note.id = unpack_id(u, g->note.id, s);
        }
    for (size_t i = 0; i < t->n_tokens; i++)
        if (t->tokens[i].take == take)
            p->given[p->n_given++] = t->tokens[i].what;
    for (size_t i = 0; i < t->n_mutes && p->n_muted < PROPOSAL_MUTED; i++)
        if (t->mutes[i].take == take)
            p->muted[p->n_muted++] = (struct attention_head){
                ATTENTION_SELF, t->mutes[i].what, t->mutes[i].head};
    p->stats.n_chords = 0;
    for (size_t i = 0; i < t->n_chords && p->stats.n_chords < CONTINUATION_CHORDS; i++)
        if (t->chords[i].take == take)
            p->stats.chords[p->stats.n_chords++] = t->chords[i].chord;
    return true;
}

static bool unpack_take(struct session *s, const struct kept_takes *t, int take,
                        const struct unpacking *u)
{
    struct proposal p = t->list[take];
    unpack_tracks(&p.options.tracks, u, t->n_tracks);
    p.options.is_band = band_waits(s);
    p.options.motif = unpack_motif(t, take, u);
    p.stats.motif = p.options.motif.at;
    bool ok = unpack_parts(&p, t, take, u, s->project.score);
    if (ok) {
        proposals_add(&s->takes, &p);
        return true;
    }
    free(p.ghosts);
    free(p.given);
    return false;
}

static void take_up(struct session *s, const struct kept_takes *t)
{
    s->has_take = true;
    hearing_changed(s);
    s->request.n_tracks = (int)s->project.score->n_tracks;
    s->request.asked = t->asked;
    s->takes.n_letters = t->n_letters;
    s->request.n_once = t->takes_once;
    s->request.from = t->hole_from;
    s->request.to = t->hole_to;
    s->request.music_end = t->music_end;
}

/* The request and these takes fit: they wait again. */
static bool unpack(struct session *s, struct kept_takes *t, const struct unpacking *u,
                   const bool *fit)
{
    struct score *score = s->project.score;
    bool ok = true;
    take_up(s, t);
    unpack_tracks(&s->request.asked.options.tracks, u, t->n_tracks);
    s->request.asked.options.motif = unpack_motif(t, -1, u);
    if (hole_is_asked(s))
        ok = rewritten_ask_again(&s->request.rewritten, u->replaced, u->n_replaced,
                                 score, &s->request.asked.options);
    for (int i = 0; ok && i < (int)t->n; i++)
        ok = !fit[i] || unpack_take(s, t, i, u);
    s->takes.shown =
        t->shown < 0 ? -1 : proposals_find(&s->takes, t->list[t->shown].letter);
    if (t->shown >= 0 && s->takes.shown < 0)
        s->takes.shown = proposals_best(&s->takes);
    if (ok && proposals_find(&s->takes, 'A') >= 0)
        played_take_unpack(s, t, u->track);
    proposals_follow(&s->takes, score);
    if (!ok)
        session_drop_take(s);
    return ok;
}

/* No time was inserted or removed since, and no track was moved. */
static bool is_their_music(const struct kept_takes *t, const struct project *p)
{
    struct kept_takes now = {0};
    tell_music(&now, p);
    return t->ticks_per_quarter == p->score->ticks_per_quarter &&
           t->time_put_in == now.time_put_in && t->arrangement == now.arrangement;
}

/* Each of the list begins with the number of its take, an int; -1: the request. */
static size_t keep_parts(void *list, size_t n, size_t size, const int *number)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        int *take = (int *)((char *)list + i * size);
        int to = *take < 0 ? *take : number[*take];
        if (*take >= 0 && to < 0)
            continue;
        *take = to;
        memmove((char *)list + n_kept++ * size, take, size);
    }
    return n_kept;
}

/* Removes the takes that fit from those left out. */
static void leave_out_the_rest(struct kept_takes *t, const bool *fit)
{
    int number[PROPOSALS_MAX] = {0};
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        number[i] = fit[i] ? -1 : (int)n;
        if (!fit[i])
            t->list[n++] = t->list[i];
    }
    t->n_ghosts = keep_parts(t->ghosts, t->n_ghosts, sizeof *t->ghosts, number);
    t->n_tokens = keep_parts(t->tokens, t->n_tokens, sizeof *t->tokens, number);
    t->n_mutes = keep_parts(t->mutes, t->n_mutes, sizeof *t->mutes, number);
    t->n_motifs = keep_parts(t->motifs, t->n_motifs, sizeof *t->motifs, number);
    t->n_chords = keep_parts(t->chords, t->n_chords, sizeof *t->chords, number);
    t->n = n;
    t->shown = -1;
}

bool takes_unpack(struct session *s, struct kept_takes *from)
{
    bool fit[PROPOSALS_MAX] = {false}, any = false;
    struct unpacking u;
    if (!from->n)
        return true;
    bool ok = unpacking_init(&u, from, s->project.score);
    uint64_t tracks = from->asked.options.tracks;
    if (ok && is_their_music(from, &s->project) &&
        unpack_tracks(&tracks, &u, from->n_tracks))
        for (int i = 0; i < (int)from->n; i++)
            any |= fit[i] = fits(from, i, &u);
    if (any)
        ok = unpack(s, from, &u, fit);
    if (ok)
        leave_out_the_rest(from, fit);
    free(u.track);
    free(u.id);
    free(u.now);
    free(u.place);
    free(u.replaced);
    return ok;
}
