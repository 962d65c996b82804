/* See onset_grid.h. */
#include "app/biases/onset_grid.h"

#include "app/biases/analysis.h"

/* Nats. An onset off the piece's grid is all but forbidden; */
#define AWAY          12.0f
/* an onset at a position where its track has none becomes rarer, more so in swung music,
 * where a straight eighth sounds like a mistake. */
#define RARE          2.5f
#define RARE_IN_SWING 5.0f

/* Fewer notes prove nothing; of more, one in this many may be a mistake. */
enum { LEAST_NOTES = 8, MANY_NOTES = 24, SLIPS = 50, QUARTER = STEPS_PER_QUARTER };
#define ANYWHERE ((UINT32_C(1) << QUARTER) - 1)

static uint32_t multiples(int step)
{
    uint32_t places = 0;
    for (int p = 0; p < QUARTER; p += step)
        places |= UINT32_C(1) << p;
    return places;
}

/* Where notes begin. */
struct onset_counts {
    int n, at[QUARTER];
};

static struct onset_counts sum(const struct track_facts of[TOKEN_MAX_TRACKS],
                               uint64_t tracks)
{
    struct onset_counts all = {0};
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        for (int p = 0; tracks >> t & 1 && p < QUARTER; p++) {
            all.n += of[t].at[p];
            all.at[p] += of[t].at[p];
        }
    return all;
}

static bool fits(const struct onset_counts *c, uint32_t places)
{
    int n_away = 0;
    for (int p = 0; p < QUARTER; p++)
        n_away += places >> p & 1 ? 0 : c->at[p];
    return n_away * SLIPS <= c->n;
}

/* The coarsest of sixteenths, sixteenths of triplets and thirty-seconds: nothing coarser,
 * since a fill may want sixteenths. */
static uint32_t places_of_drums(const struct onset_counts *c)
{
    static const int STEPS[] = {6, 4, 3};
    for (int i = 0; i < 3 && c->n >= LEAST_NOTES; i++)
        if (fits(c, multiples(STEPS[i])))
            return multiples(STEPS[i]);
    return ANYWHERE;
}

static uint32_t places_of_others(const struct onset_counts *c)
{
    const uint32_t places = multiples(3) | multiples(4);
    return c->n >= LEAST_NOTES && fits(c, places) ? places : ANYWHERE;
}

/* Eighths, where those are enough; else the places that have notes. */
static uint32_t common_places(const struct onset_counts *c)
{
    const uint32_t eighths = multiples(QUARTER / 2);
    uint32_t places = 1;
    if (c->n < MANY_NOTES)
        return ANYWHERE;
    for (int p = 0; p < QUARTER; p++)
        places |= (uint32_t)(c->at[p] * SLIPS > c->n) << p;
    return fits(c, eighths) ? eighths : places;
}

/* On triplets, and not on sixteenths. */
static bool is_swung(uint32_t common)
{
    const uint32_t triplets = multiples(8) & ~1u,
                   sixteenths = multiples(6) & ~multiples(12);
    return common & triplets && !(common & sixteenths);
}

/* The places of a track, where notes of its kind may begin at `possible`. A track of few notes
 * is taken for one like all of its kind, and one that plays only on the beat of a swung piece
 * swings, too. */
static struct onset_places places_of_track(const struct onset_counts *track,
                                           const struct onset_counts *kind,
                                           uint32_t swung, uint32_t possible)
{
    const struct onset_counts *c = track->n < MANY_NOTES ? kind : track;
    uint32_t common = possible == ANYWHERE ? ANYWHERE : common_places(c);
    if (swung && fits(c, multiples(QUARTER)))
        common = swung;
    return (struct onset_places){.possible = possible,
                                 .common = possible & common,
                                 .rare = is_swung(common) ? RARE_IN_SWING : RARE};
}

struct onset_grid onset_grid_of(const struct piece *p,
                                const bool tracks[TOKEN_MAX_TRACKS])
{
    struct track_facts of[TOKEN_MAX_TRACKS];
    struct onset_grid g = {.any.rare = RARE_IN_SWING};
    const uint64_t drums = piece_drums(p);
    analyse_tracks(of, p, 0, p->n_notes);
    const struct onset_counts all = sum(of, ~UINT64_C(0));
    const uint32_t swung = is_swung(common_places(&all)) ? common_places(&all) : 0;
    struct onset_counts hits = sum(of, drums), notes = sum(of, ~drums);
    if (hits.n < LEAST_NOTES)
        hits = notes;
    if (notes.n < LEAST_NOTES)
        notes = hits;
    const uint32_t for_drums = places_of_drums(&hits),
                   for_others = places_of_others(&notes);
    /* Of a score without notes: sixteenths, and rarely triplets. */
    const struct onset_places of_empty = {multiples(6) | multiples(8), multiples(6),
                                          RARE};
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const bool is_kit = drums >> t & 1;
        const struct onset_counts own = sum(of, UINT64_C(1) << t);
        if (!tracks[t])
            continue;
        g.of[t] = p->n_notes ? places_of_track(&own, is_kit ? &hits : &notes, swung,
                                               is_kit ? for_drums : for_others)
                             : of_empty;
        g.any.possible |= g.of[t].possible;
        g.any.common |= g.of[t].common;
        g.any.rare = fminf(g.any.rare, g.of[t].rare);
    }
    return g;
}

static float cost(const struct onset_places *places, int64_t position)
{
    const uint32_t bit = UINT32_C(1) << position % QUARTER;
    return places->common & bit ? 0 : places->possible & bit ? places->rare : AWAY;
}

/* The cost of a note on this track, in addition to the cost of its position for any track. */
static float cost_of_note(const struct onset_grid *g, int track, int64_t position)
{
    const float own = cost(track < 0 ? &g->any : &g->of[track], position);
    return own < AWAY ? own - cost(&g->any, position) : AWAY;
}

/* If nothing begins on straight eighths and something on swung ones, the probability of a
 * straight one moves to the swung one after it. */
static void swing(const struct onset_grid *g, const struct place *at)
{
    enum { STRAIGHT = QUARTER / 2, SWUNG = 2 * QUARTER / 3, LATER = SWUNG - STRAIGHT };
    if (cost(&g->any, STRAIGHT) == 0 || cost(&g->any, SWUNG) > 0)
        return;
    for (int p = TOKEN_POS + STRAIGHT; p < TOKEN_POS + TOKEN_RADIX; p += QUARTER) {
        const float straight = at->logits[p], swung = at->logits[p + LATER];
        if (at->allowed[p] && at->allowed[p + LATER])
            at->logits[p + LATER] =
                fmaxf(straight, swung) + log1pf(expf(-fabsf(straight - swung)));
    }
}

void onset_grid_apply(const struct onset_grid *g, const struct place *at)
{
    const int64_t position = at->step - at->bar;
    const float note = cost_of_note(g, at->track, position);
    swing(g, at);
    for (int p = 0; p < TOKEN_RADIX; p++)
        bias_add(at, -cost(&g->any, at->base + p), TOKEN_POS + p, 1);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        bias_add(at, -cost_of_note(g, t, position), TOKEN_TRACK + t, 1);
    bias_add(at, -note, TOKEN_HIT, HIT_COUNT);
    bias_add(at, -note, TOKEN_PITCH, N_PITCHES);
}
