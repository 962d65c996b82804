/* See onset_grid.h. */
#include "app/decoding/onset_grid.h"

#include "midi/tokens/hole.h"
#include "midi/tokens/tokens.h"

#include <math.h>
#include <string.h>

/* Nats. An onset off the piece's grid is all but forbidden; */
#define AWAY 12.0f
/* one that divides the beat further than the piece commonly does is made rarer. */
#define RARE 1.5f

/* Fewer notes say nothing; of more, one in so many may be a slip. */
enum { LEAST_NOTES = 8, MANY_NOTES = 24, SLIPS = 50, QUARTER = STEPS_PER_QUARTER };
#define ANYWHERE ((UINT32_C(1) << QUARTER) - 1)

static uint32_t multiples(int step)
{
    uint32_t places = 0;
    for (int p = 0; p < QUARTER; p += step)
        places |= UINT32_C(1) << p;
    return places;
}

/* Where the notes of one kind begin. */
struct onset_counts {
    int n, at[QUARTER];
};

static void count_onsets(const struct piece *p, struct onset_counts *drums,
                         struct onset_counts *others)
{
    int32_t bar = 0;
    for (size_t i = 0; i < p->n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        struct onset_counts *h = piece_is_hit(p, n) ? drums : others;
        while (piece_bar_start(p, bar + 1) <= n->step)
            bar++;
        h->n++;
        h->at[(n->step - piece_bar_start(p, bar)) % QUARTER]++;
    }
}

static bool fits(const struct onset_counts *h, uint32_t places)
{
    int n_away = 0;
    for (int p = 0; p < QUARTER; p++)
        n_away += places >> p & 1 ? 0 : h->at[p];
    return n_away * SLIPS <= h->n;
}

/* The coarsest of these subdivisions that they fit; ANYWHERE: none. */
static uint32_t coarsest(const struct onset_counts *h, const int *steps, int n_steps)
{
    for (int i = 0; i < n_steps; i++)
        if (fits(h, multiples(steps[i])))
            return multiples(steps[i]);
    return ANYWHERE;
}

/* For drums, sixteenths at least, since a fill may want them. */
static uint32_t places_of_drums(const struct onset_counts *h)
{
    return h->n >= LEAST_NOTES ? coarsest(h, (const int[]){6, 4, 3}, 3) : ANYWHERE;
}

static uint32_t places_of_others(const struct onset_counts *h)
{
    const uint32_t places = multiples(3) | multiples(4);
    return h->n >= LEAST_NOTES && fits(h, places) ? places : ANYWHERE;
}

static uint32_t common_places(const struct onset_counts *h)
{
    return h->n >= MANY_NOTES ? coarsest(h, (const int[]){12, 8, 6, 4, 3}, 5)
                              : ANYWHERE;
}

static uint64_t bits_of(const bool tracks[TOKEN_MAX_TRACKS])
{
    uint64_t bits = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        bits |= (uint64_t)tracks[t] << t;
    return bits;
}

struct onset_grid onset_grid_of(const struct piece *p,
                                const bool tracks[TOKEN_MAX_TRACKS])
{
    struct onset_counts drums = {0}, others = {0};
    const uint64_t asked = bits_of(tracks);
    struct onset_grid l = {ANYWHERE, ANYWHERE, ANYWHERE, piece_drums(p)};
    count_onsets(p, &drums, &others);
    l.drums = asked & l.drum_tracks ? places_of_drums(&drums) : 0;
    l.others = asked & ~l.drum_tracks ? places_of_others(&others) : 0;
    l.common = l.others & common_places(&others);
    return l;
}

static bool has(uint32_t places, int64_t position)
{
    return places >> position % QUARTER & 1;
}

static bool binds(uint32_t places)
{
    return places && places != ANYWHERE;
}

bool onset_grid_is_needed(const struct onset_grid *l, int64_t position,
                          const uint8_t *allowed)
{
    if (!binds(l->drums) && !binds(l->others))
        return false;
    return !has(l->drums, position) || !has(l->common, position) ||
           memchr(allowed + TOKEN_POS, 1, TOKEN_RADIX);
}

static void subtract(float cost, int32_t first, int n, const uint8_t *allowed,
                     float *logits)
{
    for (int i = 0; cost > 0 && i < n; i++)
        if (allowed[first + i])
            logits[first + i] -= cost;
}

static float cost_of_drums(const struct onset_grid *l, int64_t position)
{
    return has(l->drums, position) ? 0 : AWAY;
}

static float cost_of_others(const struct onset_grid *l, int64_t position)
{
    return has(l->common, position) ? 0 : has(l->others, position) ? RARE : AWAY;
}

void onset_grid_bias(const struct onset_grid *l, int64_t position, int64_t base,
                     const uint8_t *allowed, float *logits)
{
    const float drums = cost_of_drums(l, position),
                others = cost_of_others(l, position);
    for (int p = 0; p < TOKEN_RADIX; p++)
        subtract(fminf(cost_of_drums(l, base + p), cost_of_others(l, base + p)),
                 TOKEN_POS + p, 1, allowed, logits);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        subtract(l->drum_tracks >> t & 1 ? drums : others, TOKEN_TRACK + t, 1, allowed,
                 logits);
    subtract(drums, TOKEN_HIT, HIT_COUNT, allowed, logits);
    /* A rare place has cost its position and its track already. */
    subtract(others == AWAY ? AWAY : 0, TOKEN_PITCH, N_PITCHES, allowed, logits);
}
