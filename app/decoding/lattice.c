/* See lattice.h. */
#include "app/decoding/lattice.h"

#include "midi/tokens/hole.h"
#include "midi/tokens/tokens.h"

#include <string.h>

/* Nats; what is nowhere in the piece comes about never. */
#define AWAY 12.0f

/* Fewer notes say nothing; of more, one in so many may be a slip. */
enum { LEAST_NOTES = 8, SLIPS = 50, QUARTER = STEPS_PER_QUARTER };
#define ANYWHERE ((UINT32_C(1) << QUARTER) - 1)

static uint32_t multiples(int step)
{
    uint32_t places = 0;
    for (int p = 0; p < QUARTER; p += step)
        places |= UINT32_C(1) << p;
    return places;
}

/* Where the notes of one kind begin. */
struct heard {
    int n, at[QUARTER];
};

static void hear(const struct piece *p, struct heard *drums, struct heard *others)
{
    int32_t bar = 0;
    for (size_t i = 0; i < p->n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        struct heard *h = piece_is_hit(p, n) ? drums : others;
        while (piece_bar_start(p, bar + 1) <= n->step)
            bar++;
        h->n++;
        h->at[(n->step - piece_bar_start(p, bar)) % QUARTER]++;
    }
}

static bool fits(const struct heard *h, uint32_t places)
{
    int n_away = 0;
    for (int p = 0; p < QUARTER; p++)
        n_away += places >> p & 1 ? 0 : h->at[p];
    return n_away * SLIPS <= h->n;
}

/* The coarsest that they fit, but for what a fill may want. */
static uint32_t places_of_drums(const struct heard *h)
{
    static const int STEPS[] = {6, 4, 3};
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS && h->n >= LEAST_NOTES; i++)
        if (fits(h, multiples(STEPS[i])))
            return multiples(STEPS[i]);
    return ANYWHERE;
}

static uint32_t places_of_others(const struct heard *h)
{
    const uint32_t places = multiples(3) | multiples(4);
    return h->n >= LEAST_NOTES && fits(h, places) ? places : ANYWHERE;
}

static uint64_t bits_of(const bool tracks[TOKEN_MAX_TRACKS])
{
    uint64_t bits = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        bits |= (uint64_t)tracks[t] << t;
    return bits;
}

struct lattice lattice_of(const struct piece *p, const bool tracks[TOKEN_MAX_TRACKS])
{
    struct heard drums = {0}, others = {0};
    const uint64_t asked = bits_of(tracks);
    struct lattice l = {ANYWHERE, ANYWHERE, piece_drums(p)};
    hear(p, &drums, &others);
    l.drums = asked & l.drum_tracks ? places_of_drums(&drums) : 0;
    l.others = asked & ~l.drum_tracks ? places_of_others(&others) : 0;
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

bool lattice_wants(const struct lattice *l, int64_t position, const uint8_t *allowed)
{
    if (!binds(l->drums) && !binds(l->others))
        return false;
    return !has(l->drums, position) || !has(l->others, position) ||
           memchr(allowed + TOKEN_POS, 1, TOKEN_RADIX);
}

static void turn_away(int32_t first, int n, const uint8_t *allowed, float *logits)
{
    for (int i = 0; i < n; i++)
        if (allowed[first + i])
            logits[first + i] -= AWAY;
}

static void lean_positions(const struct lattice *l, int64_t base,
                           const uint8_t *allowed, float *logits)
{
    for (int p = 0; p < TOKEN_RADIX; p++)
        if (!has(l->drums | l->others, base + p))
            turn_away(TOKEN_POS + p, 1, allowed, logits);
}

static void lean_tracks(const struct lattice *l, int64_t position,
                        const uint8_t *allowed, float *logits)
{
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (!has(l->drum_tracks >> t & 1 ? l->drums : l->others, position))
            turn_away(TOKEN_TRACK + t, 1, allowed, logits);
}

void lattice_bias(const struct lattice *l, int64_t position, int64_t base,
                  const uint8_t *allowed, float *logits)
{
    lean_positions(l, base, allowed, logits);
    lean_tracks(l, position, allowed, logits);
    if (!has(l->drums, position))
        turn_away(TOKEN_HIT, HIT_COUNT, allowed, logits);
    if (!has(l->others, position))
        turn_away(TOKEN_PITCH, N_PITCHES, allowed, logits);
}
