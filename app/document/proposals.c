#include "app/document/proposals.h"

#include "midi/base/ids.h"
#include "midi/base/array.h"

#include <math.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

void proposal_add_gestures(const struct proposal *t, struct change *c,
                           const struct score *s, int64_t from, int64_t to)
{
    const struct recording played = {.events = t->gestures, .n_events = t->n_gestures};
    if (t->n_gestures)
        change_add_gestures(c, s, &played, from, to < t->played_to ? to : t->played_to);
}

/* Returns take i, or for -1 what is left of takes that are gone. */
static struct proposal *take_at(const struct proposals *p, int i)
{
    return (struct proposal *)(i < 0 ? &p->gone : &p->list[i]);
}

const struct proposal *proposals_shown(const struct proposals *p)
{
    return p->shown >= 0 && p->shown < p->n ? &p->list[p->shown] : NULL;
}

int proposals_find(const struct proposals *p, char letter)
{
    for (int i = 0; i < p->n; i++)
        if (p->list[i].letter == letter)
            return i;
    return -1;
}

int proposals_best(const struct proposals *p)
{
    int best = -1;
    for (int i = 0; i < p->n; i++)
        if (p->list[i].n_waiting && (best < 0 || p->list[i].rank < p->list[best].rank))
            best = i;
    return best;
}

int proposals_n_kept(const struct proposal *t)
{
    int n = 0;
    for (size_t i = 0; i < t->n_waiting; i++)
        n += t->ghosts[i].is_kept;
    return n;
}

bool proposals_any_at_work(const struct proposals *p)
{
    for (int i = 0; i < p->n; i++)
        if (p->list[i].slot >= 0)
            return true;
    return false;
}

static int compare_ghosts(const void *a, const void *b)
{
    const struct ghost *x = a, *y = b;
    if (x->stands != y->stands)
        return x->stands ? 1 : -1;
    if (x->note.start != y->note.start)
        return x->note.start < y->note.start ? -1 : 1;
    return (x->note.id > y->note.id) - (x->note.id < y->note.id);
}

static bool add_ghost(struct proposal *t, const struct ghost *g)
{
    if (!array_add(&t->ghosts, &t->n_ghosts, &t->cap_ghosts, g, sizeof *g))
        return false;
    t->n_waiting += !g->stands;
    /* Notes come by time, but kept notes of another take are there before them. */
    if (t->n_ghosts > 1 &&
        compare_ghosts(&t->ghosts[t->n_ghosts - 2], &t->ghosts[t->n_ghosts - 1]) > 0)
        qsort(t->ghosts, t->n_ghosts, sizeof *t->ghosts, compare_ghosts);
    return true;
}

static bool has_ghost(const struct proposal *t, const struct ghost *g)
{
    for (size_t i = 0; i < t->n_ghosts; i++)
        if (t->ghosts[i].note.id == g->note.id)
            return true;
    return false;
}

/* Copies the kept ghosts of a take, also accepted ones, which are ghosts of t if they are undone. Or
 * copies all accepted ghosts, around which t is written. */
static bool copy_ghosts(struct proposal *t, const struct proposal *from, bool kept)
{
    for (size_t i = kept ? 0 : from->n_waiting; i < from->n_ghosts; i++)
        if ((!kept || from->ghosts[i].is_kept) && !has_ghost(t, &from->ghosts[i]) &&
            !add_ghost(t, &from->ghosts[i]))
            return false;
    return true;
}

static void rank(struct proposals *p)
{
    for (int i = 0; i < p->n; i++) {
        struct proposal *t = &p->list[i];
        t->rank = 1;
        for (int k = 0; k < p->n; k++) {
            const struct proposal *other = &p->list[k];
            const int better = continuation_compare(&other->stats, &t->stats);
            t->rank += !other->n_came != !t->n_came
                           ? other->n_came > 0
                           : better > 0 || (better == 0 && other->letter < t->letter);
        }
    }
}

static void forget(struct proposal *t)
{
    free(t->ghosts);
    free(t->tokens);
    free(t->gestures);
    *t = (struct proposal){0};
}

bool proposals_begin(struct proposals *p, const struct continuation_options *o)
{
    const struct proposal *shown = proposals_shown(p);
    const int n = p->n;
    bool ok = true;
    for (int i = 0; ok && i < o->n_takes && p->n < PROPOSALS_MAX; i++) {
        struct proposal *t = &p->list[p->n++];
        struct continuation_options *own = &t->options;
        *t = (struct proposal){
            .letter = (char)('A' + p->n_letters + i), .slot = i, .options = *o};
        own->n_takes = 1;
        own->n_draws = 0;  /* candidates are the request's alone */
        own->marks = NULL; /* these lists are lent for the request alone */
        own->replaced = NULL;
        own->given = NULL;
        own->muted = NULL;
        own->n_marks = own->n_replaced = own->n_given = own->n_muted = 0;
        own->sampling.seed += (uint64_t)i;
        t->n_muted = o->n_muted < PROPOSAL_MUTED ? o->n_muted : PROPOSAL_MUTED;
        if (t->n_muted)
            memcpy(t->muted, o->muted, t->n_muted * sizeof *t->muted);
        ok = !shown || copy_ghosts(t, shown, true);
        for (int k = -1; ok && k < n; k++)
            ok = copy_ghosts(t, take_at(p, k), false);
    }
    while (!ok && p->n > n)
        forget(&p->list[--p->n]);
    if (!ok)
        return false;
    p->n_letters += p->n - n;
    p->shown = n;
    rank(p);
    return true;
}

bool proposals_add_note(struct proposals *p, const struct continued_note *n,
                        uint64_t id)
{
    for (int i = 0; i < p->n; i++) {
        struct proposal *t = &p->list[i];
        if (t->slot != n->take)
            continue;
        int n_tokens = n->n_tokens > 0 ? n->n_tokens : 1;
        struct ghost g = {.track = n->track,
                          .note = n->note,
                          .probability = expf(n->log_prob / (float)n_tokens)};
        g.note.id = id;
        for (size_t k = 0; n->is_hit && k < t->n_ghosts; k++)
            if (t->ghosts[k].track == n->track)
                continued_cut(&t->ghosts[k].note, n);
        return proposals_add_ghost(p, i, &g);
    }
    return true;
}

bool proposals_add_ghost(struct proposals *p, int index, const struct ghost *g)
{
    p->list[index].n_came++;
    return add_ghost(&p->list[index], g);
}

void proposals_watch(struct proposals *p, const struct generator_progress *now)
{
    for (int i = 0; i < p->n; i++) {
        struct proposal *t = &p->list[i];
        if (t->slot < 0 || t->slot >= now->n_takes)
            continue;
        t->stats = now->takes[t->slot];
        t->style = now->style;
        t->model_hash = now->model_hash;
        memcpy(t->model_name, now->model_name, sizeof t->model_name);
    }
    rank(p);
}

void proposals_end(struct proposals *p, bool was_stopped)
{
    for (int i = p->n - 1; i >= 0; i--) {
        bool was_at_work = p->list[i].slot >= 0;
        bool is_newest = p->list[i].letter == 'A' + p->n_letters - 1;
        p->list[i].slot = -1;
        if (!was_stopped || !was_at_work || p->list[i].n_came > 0)
            continue;
        proposals_remove(p, i);
        p->n_letters -= is_newest;
    }
    rank(p);
    const struct proposal *shown = proposals_shown(p);
    if (shown && !shown->n_came && proposals_best(p) >= 0)
        p->shown = proposals_best(p);
}

void proposals_add(struct proposals *p, const struct proposal *t)
{
    struct proposal *own = &p->list[p->n++];
    *own = *t;
    own->slot = -1;
    own->n_waiting = own->n_ghosts;
    if (own->n_ghosts)
        qsort(own->ghosts, own->n_ghosts, sizeof *own->ghosts, compare_ghosts);
    rank(p);
}

void proposals_remove(struct proposals *p, int index)
{
    struct proposal gone = p->list[index];
    /* If there is no memory, its accepted notes count as drawn by the user. */
    copy_ghosts(&p->gone, &gone, false);
    memmove(&p->list[index], &p->list[index + 1],
            (size_t)(p->n - index - 1) * sizeof gone);
    forget(&gone);
    p->list[--p->n] = gone;
    rank(p);
    if (p->shown == index)
        p->shown = proposals_best(p) >= 0 ? proposals_best(p) : p->n - 1;
    else
        p->shown -= p->shown > index;
}

void proposals_clear(struct proposals *p)
{
    while (p->n > 0)
        forget(&p->list[--p->n]);
    forget(&p->gone);
    p->n_letters = 0;
    p->shown = -1;
}

void proposals_keep(struct proposals *p, uint64_t id, bool is_kept)
{
    for (int i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->list[i].n_ghosts; k++)
            if (p->list[i].ghosts[k].note.id == id)
                p->list[i].ghosts[k].is_kept = is_kept;
}

/* If there is no memory, nothing changes. The rule of overlaps (enum overlap_rule in
 * midi/edit/edit.h) still keeps a note from being accepted twice. */
void proposals_follow(struct proposals *p, const struct score *s)
{
    uint64_t *ids = NULL, lowest = UINT64_MAX; /* no ghost has a lower id */
    size_t n = 0, cap = 0;
    bool ok = p->n > 0;
    for (int i = -1; i < p->n; i++)
        for (size_t k = 0; k < take_at(p, i)->n_ghosts; k++)
            lowest = MIN(lowest, take_at(p, i)->ghosts[k].note.id);
    for (size_t t = 0; ok && t < s->n_tracks; t++)
        for (size_t i = 0; ok && i < s->tracks[t].n_notes; i++) {
            uint64_t id = s->tracks[t].notes[i].id;
            ok = id < lowest || array_add(&ids, &n, &cap, &id, sizeof id);
        }
    ids_sort(ids, n);
    for (int i = -1; ok && i < p->n; i++) {
        struct proposal *t = take_at(p, i);
        bool any = false;
        t->n_waiting = 0;
        for (size_t k = 0; k < t->n_ghosts; k++) {
            const bool stands = ids_find(ids, n, t->ghosts[k].note.id) != NULL;
            any |= stands != t->ghosts[k].stands;
            t->ghosts[k].stands = stands;
            t->n_waiting += !stands;
        }
        if (any)
            qsort(t->ghosts, t->n_ghosts, sizeof *t->ghosts, compare_ghosts);
    }
    free(ids);
}

uint64_t *proposals_accepted(const struct proposals *p, int index, size_t *n)
{
    const struct proposal *but = index < 0 ? NULL : &p->list[index];
    size_t room = 1;
    for (int i = -1; i < p->n; i++)
        room += take_at(p, i)->n_ghosts;
    uint64_t *ids = calloc(room, sizeof *ids);
    *n = 0;
    for (int i = -1; ids && i < p->n; i++) {
        const struct proposal *t = take_at(p, i);
        for (size_t k = t->n_waiting; t != but && k < t->n_ghosts; k++)
            if (!but || !has_ghost(but, &t->ghosts[k]))
                ids[(*n)++] = t->ghosts[k].note.id;
    }
    ids_sort(ids, *n);
    return ids;
}

/* -- takes that were shown first make way for the best candidates -- */

static bool stays(const struct proposals *p, int i, int heard)
{
    const struct proposal *t = &p->list[i];
    bool is_touched = i == heard || t->liking != 0;
    for (size_t k = 0; k < t->n_ghosts; k++)
        is_touched |= t->ghosts[k].is_kept || t->ghosts[k].stands;
    return is_touched;
}

bool proposals_choose(struct proposals *p, const struct take *takes, int n, int heard,
                      uint64_t *next_id)
{
    bool ok = true;
    int next = 0;
    for (int i = 0; ok && i < p->n; i++) {
        struct proposal *t = &p->list[i];
        bool is_new = false;
        if (t->slot < 0 || stays(p, i, heard))
            continue;
        /* Takes that stay are not chosen again. */
        for (; !is_new && next < n && takes[next].rank; next++) {
            is_new = true;
            for (int k = 0; k < p->n; k++)
                is_new =
                    is_new && (p->list[k].slot < 0 || !stays(p, k, heard) ||
                               p->list[k].options.sampling.seed != takes[next].seed);
        }
        if (!is_new)
            return true;
        const struct take *chosen = &takes[next - 1];
        free(t->tokens);
        t->tokens = array_copy(chosen->tokens, chosen->n_tokens, sizeof *t->tokens);
        t->n_tokens = t->tokens ? chosen->n_tokens : 0;
        ok = t->tokens;
        t->n_ghosts = t->n_waiting = t->n_came = 0;
        t->options.sampling.seed = chosen->seed;
        t->stats = chosen->stats;
        for (size_t k = 0; ok && k < chosen->n_notes; k++) {
            struct continued_note note = chosen->notes[k];
            note.take = t->slot;
            ok = proposals_add_note(p, &note, (*next_id)++);
        }
    }
    return ok;
}
