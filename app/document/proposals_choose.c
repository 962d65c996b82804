/* Takes that were seen first make way for the best that were drawn. See proposals.h. */
#include "app/document/proposals.h"

static bool is_touched(const struct proposal *t)
{
    bool is_it = t->liking != 0;
    for (size_t i = 0; i < t->n_ghosts; i++)
        is_it |= t->ghosts[i].is_kept || t->ghosts[i].stands;
    return is_it;
}

static bool stays(const struct proposals *p, int i, int heard)
{
    return i == heard || is_touched(&p->list[i]);
}

/* It is in the list already, and stays there. */
static bool is_there(const struct proposals *p, const struct chosen_take *c, int heard)
{
    for (int i = 0; i < p->n; i++)
        if (p->list[i].slot >= 0 && stays(p, i, heard) &&
            p->list[i].options.sampling.seed == c->seed)
            return true;
    return false;
}

static bool replace(struct proposals *p, int i, const struct chosen_take *c,
                    uint64_t *next_id)
{
    struct proposal *t = &p->list[i];
    bool ok = true;
    t->n_ghosts = t->n_waiting = t->n_came = 0;
    t->options.sampling.seed = c->seed;
    t->stats = c->stats;
    for (size_t k = 0; ok && k < c->n_notes; k++) {
        struct continued_note n = c->notes[k];
        n.take = t->slot;
        ok = proposals_add_note(p, &n, (*next_id)++);
    }
    return ok;
}

bool proposals_choose(struct proposals *p, const struct generator_choice *c, int heard,
                      uint64_t *next_id)
{
    bool ok = true;
    int next = 0;
    for (int i = 0; ok && i < p->n; i++) {
        if (p->list[i].slot < 0 || stays(p, i, heard))
            continue;
        while (next < c->n && is_there(p, &c->takes[next], heard))
            next++;
        if (next < c->n)
            ok = replace(p, i, &c->takes[next++], next_id);
    }
    return ok;
}
