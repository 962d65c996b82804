/* Counts how often an outcome was seen in a context, in liked, disliked and neutral takes: a
 * hash table that only grows. Plain data, one owner. */
#ifndef APP_TASTE_COUNTS_H
#define APP_TASTE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum taste_opinion { TASTE_LIKED, TASTE_DISLIKED, TASTE_NEUTRAL, TASTE_OPINIONS };

/* An outcome in a context. */
struct taste_event {
    uint8_t kind;     /* 1 and up */
    uint32_t context; /* the kind says what it and the outcome mean */
    uint16_t outcome; /* below TASTE_ANY */
};

enum { TASTE_ANY = UINT16_MAX }; /* as an outcome: all of the context's together */

struct taste_count {
    uint64_t key; /* 0: the slot is free */
    float seen[TASTE_OPINIONS];
};

/* Starts zeroed. */
struct taste_counts {
    struct taste_count
        *slots; /* [n_slots], a power of two, at most half of them used */
    size_t n_slots, n_used;
    bool has_lost; /* something was not counted: out of memory */
};

void taste_counts_fini(struct taste_counts *c);
/* Counts the event, and the total of its context. */
void taste_counts_add(struct taste_counts *c, const struct taste_event *e,
                      enum taste_opinion opinion, float amount);
/* The counts of the event and of its context, [TASTE_OPINIONS]; the table owns them. */
const float *taste_counts_seen(const struct taste_counts *c,
                               const struct taste_event *e);
const float *taste_counts_context(const struct taste_counts *c,
                                  const struct taste_event *e);

/* The kind and the outcome of a used slot. */
int taste_count_kind(const struct taste_count *c);
int taste_count_outcome(const struct taste_count *c);

#endif
