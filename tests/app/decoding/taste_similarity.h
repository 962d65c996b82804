/* How alike two takes are, 0 to 1: the mean of three overlaps of histograms (Swain and
 * Ballard 1991), each of pairs: the places in the bar of an onset and the next, the
 * pitch classes of a note and the next of its track, and two intervals in a row there.
 * 1 for two takes without notes; negative: out of memory. From counts of their events. */
#ifndef TESTS_APP_TASTE_SIMILARITY_H
#define TESTS_APP_TASTE_SIMILARITY_H

#include "app/decoding/taste_events.h"

/* The takes' counts stand where opinions would. */
static const enum taste_opinion TAKE_A = TASTE_LIKED, TAKE_B = TASTE_DISLIKED;

static bool is_of(const struct taste_count *c, enum taste_kind kind)
{
    return c->key >> 48 == (uint64_t)kind && (c->key & TASTE_ANY) != TASTE_ANY;
}

/* Of the shares of each event of a kind, the smaller, summed; negative: neither take
 * has any. */
static double overlap(const struct taste_counts *c, enum taste_kind kind)
{
    double a = 0, b = 0, sum = 0;
    for (size_t i = 0; i < c->n_slots; i++) {
        if (!is_of(&c->slots[i], kind))
            continue;
        a += (double)c->slots[i].seen[TAKE_A];
        b += (double)c->slots[i].seen[TAKE_B];
    }
    if (a <= 0 || b <= 0)
        return a + b > 0 ? 0 : -1;
    for (size_t i = 0; i < c->n_slots; i++) {
        double of_a = (double)c->slots[i].seen[TAKE_A] / a;
        double of_b = (double)c->slots[i].seen[TAKE_B] / b;
        if (is_of(&c->slots[i], kind))
            sum += of_a < of_b ? of_a : of_b;
    }
    return sum;
}

static double taste_similarity(const struct piece *bars, const struct grid_note *a,
                               size_t n_a, const struct grid_note *b, size_t n_b)
{
    static const enum taste_kind KINDS[] = {TASTE_RHYTHM, TASTE_CLASS_PAIR,
                                            TASTE_MOTIF};
    struct taste_counts counts = {0};
    double sum = 0;
    int n = 0;
    taste_learn(&counts, bars, a, n_a, TAKE_A, 1);
    taste_learn(&counts, bars, b, n_b, TAKE_B, 1);
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        double x = overlap(&counts, KINDS[i]);
        sum += x >= 0 ? x : 0;
        n += x >= 0;
    }
    bool has_lost = counts.has_lost;
    taste_counts_fini(&counts);
    return has_lost ? -1 : n ? sum / n : 1;
}

#endif
