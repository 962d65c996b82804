/* Open addressing (Knuth, vol. 3, 6.4): a key is the whole event, so that two events
 * never share a count. */
#include "app/decoding/taste_events.h"

#include <stdlib.h>

enum { FEWEST_SLOTS = 256 };

static uint64_t key_of(const struct taste_event *e, uint16_t outcome)
{
    return (uint64_t)e->kind << 48 | (uint64_t)e->context << 16 | outcome;
}

/* Where the key is, or would be: multiplied by 2^64 over the golden ratio, and on from
 * there. There is always a free slot. */
static struct taste_count *slot_of(const struct taste_counts *c, uint64_t key)
{
    size_t mask = c->n_slots - 1;
    size_t i = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;
    while (c->slots[i].key && c->slots[i].key != key)
        i = (i + 1) & mask;
    return &c->slots[i];
}

static bool grow(struct taste_counts *c)
{
    struct taste_counts grown = {.n_slots = c->n_slots ? 2 * c->n_slots : FEWEST_SLOTS,
                                 .n_used = c->n_used};
    grown.slots = calloc(grown.n_slots, sizeof *grown.slots);
    if (!grown.slots)
        return false;
    for (size_t i = 0; i < c->n_slots; i++)
        if (c->slots[i].key)
            *slot_of(&grown, c->slots[i].key) = c->slots[i];
    free(c->slots);
    *c = grown;
    return true;
}

static void count(struct taste_counts *c, uint64_t key, enum taste_opinion opinion,
                  float amount)
{
    if (2 * c->n_used >= c->n_slots && !grow(c)) {
        c->has_lost = true;
        return;
    }
    struct taste_count *slot = slot_of(c, key);
    c->n_used += !slot->key;
    slot->key = key;
    slot->seen[opinion] += amount;
}

void taste_counts_fini(struct taste_counts *c)
{
    free(c->slots);
    *c = (struct taste_counts){0};
}

void taste_counts_add(struct taste_counts *c, const struct taste_event *e,
                      enum taste_opinion opinion, float amount)
{
    count(c, key_of(e, e->outcome), opinion, amount);
    count(c, key_of(e, TASTE_ANY), opinion, amount);
}

static const float *seen(const struct taste_counts *c, uint64_t key)
{
    static const float NEVER[TASTE_OPINIONS];
    return c->n_slots ? slot_of(c, key)->seen : NEVER;
}

const float *taste_counts_seen(const struct taste_counts *c,
                               const struct taste_event *e)
{
    return seen(c, key_of(e, e->outcome));
}

const float *taste_counts_context(const struct taste_counts *c,
                                  const struct taste_event *e)
{
    return seen(c, key_of(e, TASTE_ANY));
}
