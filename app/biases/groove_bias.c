/* See groove_bias.h. */
#include "app/biases/groove_bias.h"

#include "app/biases/bias_add.h"
#include "midi/tokens/hole.h"
#include "midi/tokens/tokens.h"

/* Nats, the most. */
#define WEIGHT 1.5f

enum { MOST_BARS = 4, LEAST_BARS = 2, MOST_PLACES = 2 * TOKEN_RADIX };

/* The bars before, of the same length. */
struct groove {
    int n_bars;              /* with hits */
    int length;              /* steps of a bar */
    uint8_t at[MOST_PLACES]; /* in how many bars there are hits at a place, */
    uint8_t keys[MOST_PLACES][HIT_COUNT]; /* and of a key */
};

static void hear_bar(struct groove *g, const struct piece *p, int track, int64_t from)
{
    int last = -1;
    for (size_t i = piece_note_at(p, from);
         i < p->n_notes && p->notes[i].step < from + g->length; i++) {
        const struct grid_note *n = &p->notes[i];
        const int place = (int)(n->step - from);
        if (n->track != track || !is_hit_key(n->pitch))
            continue;
        g->keys[place][n->pitch - HIT_FIRST]++;
        g->at[place] += place != last;
        last = place;
    }
    g->n_bars += last >= 0;
}

static void hear(struct groove *g, const struct piece *p, int track, int64_t bar)
{
    const int64_t index = piece_bar_at(p, bar);
    const int64_t length = piece_bar_start(p, index + 1) - bar;
    *g = (struct groove){.length = (int)length};
    for (int64_t b = index - 1;
         b >= 0 && b >= index - MOST_BARS && length <= MOST_PLACES; b--) {
        const int64_t from = piece_bar_start(p, b);
        if (piece_bar_start(p, b + 1) - from == length)
            hear_bar(g, p, track, from);
    }
}

/* From the most that is taken to the most that is added. */
static float bias_of(const struct groove *g, int count)
{
    return WEIGHT * (2 * (float)count / (float)g->n_bars - 1);
}

void groove_bias_apply(const struct piece *p, int track, int64_t step, int64_t bar,
                       int64_t base, const uint8_t *allowed, float *logits)
{
    struct groove g;
    hear(&g, p, track, bar);
    if (g.n_bars < LEAST_BARS || step - bar >= g.length)
        return;
    for (int k = 0; k < HIT_COUNT; k++)
        bias_add(bias_of(&g, g.keys[step - bar][k]), TOKEN_HIT + k, 1, allowed, logits);
    for (int i = 0; i < TOKEN_RADIX && base + i < g.length; i++)
        bias_add(bias_of(&g, g.at[base + i]), TOKEN_POS + i, 1, allowed, logits);
}
