/* See taste.h. A token belongs to one of a few groups: pitches, steps in time, durations,
 * the end. Within its group each token is biased by its events. A group keeps its share of
 * the model's probability, except for the bias of chord sizes; so disliking a take does not
 * simply make the next ones shorter. */
#include "app/decoding/taste.h"

#include "app/decoding/taste_events.h"

#include <stdlib.h>

/* Seen so often, an outcome's share counts half: what a context has is drawn towards
 * the background (Dirichlet; MacKay and Peto 1995). */
static const float DOUBT = 2.0f;
/* The same for the background, smoothed towards equal outcomes. */
static const float BARE = 0.5f;
/* Shares far below this are not distinguished, so outcomes of no take have no bias. */
static const float FLOOR = 0.05f;

/* The most that a mark may weigh, so that sums stay exact enough. */
static const float MOST = 1000.0f;

/* Per kind: the approximate number of outcomes of a context, which is the background
 * without other takes; and the kind's weight among those of its decision. */
static const struct {
    float n_outcomes, share;
} KINDS[TASTE_KINDS] = {
    [TASTE_RHYTHM] = {8, 1},       [TASTE_CHORD] = {2, 0.5f},
    [TASTE_INTERVAL] = {16, 0.3f}, [TASTE_MOTIF] = {16, 0.4f},
    [TASTE_CLASS] = {8, 0.3f},     [TASTE_CLASS_PAIR] = {8, 0.4f},
    [TASTE_PLACE] = {24, 0.2f},    [TASTE_LENGTH] = {6, 0.5f},
    [TASTE_LENGTH_AT] = {6, 0.5f},
};

struct taste {
    struct taste_counts counts;
    bool has_opinion; /* some take was liked or disliked */

    /* of the take being drawn */
    float weight;
    struct taste_walk walk;
};

struct taste *taste_create(void)
{
    struct taste *t = calloc(1, sizeof *t);
    if (t)
        taste_start(t, 0);
    return t;
}

void taste_destroy(struct taste *t)
{
    if (!t)
        return;
    taste_counts_fini(&t->counts);
    free(t);
}

bool taste_add(struct taste *t, const struct piece *bars, const struct grid_note *notes,
               size_t n, float how_much)
{
    enum taste_opinion opinion = how_much > 0   ? TASTE_LIKED
                                 : how_much < 0 ? TASTE_DISLIKED
                                                : TASTE_NEUTRAL;
    float amount = opinion == TASTE_NEUTRAL ? 1 : fminf(fabsf(how_much), MOST);
    if (opinion != TASTE_NEUTRAL && n > 0)
        t->has_opinion = true;
    taste_learn(&t->counts, bars, notes, n, opinion, amount);
    return !t->counts.has_lost;
}

void taste_start(struct taste *t, float weight)
{
    t->weight = weight;
    taste_walk_start(&t->walk);
}

void taste_hear(struct taste *t, const struct grid_note *n)
{
    taste_walk_note(&t->walk, n->step, n->track, n->pitch);
}

static float clip(float x)
{
    return x > TASTE_BOUND ? TASTE_BOUND : x < -TASTE_BOUND ? -TASTE_BOUND : x;
}

/* The probability of an outcome in a context, by the counts so far and the background. */
static float share(float seen, float all, float expected, float doubt)
{
    return (seen + doubt * expected) / (all + doubt);
}

/* How much likelier the outcome is with the takes of one opinion than with all others,
 * in nats; 0 where the former know nothing. */
static float log_ratio(const struct taste *t, const struct taste_event *e,
                       enum taste_opinion opinion)
{
    const float *all = taste_counts_seen(&t->counts, e, TASTE_ANY);
    const float *seen = taste_counts_seen(&t->counts, e, e->outcome);
    float other_all = 0, other_seen = 0;
    if (all[opinion] <= 0)
        return 0;
    for (int o = 0; o < TASTE_OPINIONS; o++) {
        other_all += o == (int)opinion ? 0 : all[o];
        other_seen += o == (int)opinion ? 0 : seen[o];
    }
    float others = share(other_seen, other_all, 1 / KINDS[e->kind].n_outcomes, BARE);
    float its = share(seen[opinion], all[opinion], others, DOUBT);
    return logf((its + FLOOR) / (others + FLOOR));
}

static float bias_of(const struct taste *t, struct taste_events e)
{
    float sum = 0;
    for (int i = 0; i < e.n; i++) {
        float lean = log_ratio(t, &e.of[i], TASTE_LIKED) -
                     log_ratio(t, &e.of[i], TASTE_DISLIKED);
        sum += KINDS[e.of[i].kind].share * clip(lean);
    }
    return sum;
}

static float bias_of_onset(const struct taste *t, const struct place *at, int outcome)
{
    const int far = (int)(at->base / TOKEN_RADIX);
    return bias_of(t, taste_ask_onset(&t->walk, at->bar, far, outcome));
}

static float bias_of_length(const struct taste *t, const struct place *at, int outcome)
{
    const int far = token_kind(at->last) == TOKEN_DURX ? at->last - TOKEN_DURX + 1 : 0;
    return bias_of(t, taste_ask_length(at->step - at->bar, far, outcome));
}

enum group {
    GROUP_OTHER,
    GROUP_ONSET,
    GROUP_END,
    GROUP_TRACK,
    GROUP_VEL,
    GROUP_PITCH,
    GROUP_LENGTH,
    GROUPS
};

/* By the kind of token. */
static const uint8_t GROUP_OF[TOKEN_COUNT] = {
    [TOKEN_POS] = GROUP_ONSET,    [TOKEN_POSX] = GROUP_ONSET,
    [TOKEN_BAR] = GROUP_ONSET,    [TOKEN_EOS] = GROUP_END,
    [TOKEN_FILL_END] = GROUP_END, [TOKEN_TRACK] = GROUP_TRACK,
    [TOKEN_VEL] = GROUP_VEL,      [TOKEN_PITCH] = GROUP_PITCH,
    [TOKEN_HIT] = GROUP_PITCH,    [TOKEN_DUR] = GROUP_LENGTH,
    [TOKEN_DURX] = GROUP_LENGTH,
};

/* After a note, the outcomes of whether another of this onset follows it; -1: it says
 * nothing of that. */
static const int CHORD_OF[GROUPS] = {
    [GROUP_OTHER] = -1,
    [GROUP_ONSET] = TASTE_NEXT_ONSET,
    [GROUP_END] = TASTE_NEXT_ONSET,
    [GROUP_TRACK] = TASTE_OTHER_TRACK,
    [GROUP_VEL] = TASTE_SAME_TRACK,
    [GROUP_PITCH] = TASTE_SAME_TRACK,
    [GROUP_LENGTH] = -1,
};

static float bias_of_token(const struct taste *t, const struct place *at,
                           enum token kind, int value)
{
    switch (kind) {
    case TOKEN_POS:
        return bias_of_onset(t, at, value);
    case TOKEN_POSX:
        return bias_of_onset(t, at, TASTE_FAR + value + 1);
    case TOKEN_BAR:
        return bias_of_onset(t, at, TASTE_NO_ONSET);
    case TOKEN_PITCH:
        return bias_of(t, taste_ask_pitch(&t->walk, at->step, at->track, value));
    case TOKEN_DUR:
        return bias_of_length(t, at, value);
    case TOKEN_DURX:
        return bias_of_length(t, at, TASTE_FAR + value + 1);
    default:
        return 0;
    }
}

/* The bias of each allowed token, at one place in a take. */
struct biased {
    uint8_t group[TOKEN_COUNT]; /* GROUPS: not to be touched */
    float lean[TOKEN_COUNT];
    float shift[GROUPS];
};

/* The shift that keeps a group's share of probability, plus the bias of chord sizes. */
static float shift_group(const struct biased *l, const struct taste *t, int group,
                         const struct place *at)
{
    double highest = -INFINITY, before = 0, after = 0;
    for (int id = 0; id < TOKEN_COUNT; id++)
        if (l->group[id] == group && (double)at->logits[id] > highest)
            highest = (double)at->logits[id];
    for (int id = 0; id < TOKEN_COUNT; id++) {
        if (l->group[id] != group)
            continue;
        double p = exp((double)at->logits[id] - highest);
        before += p;
        after += p * exp((double)l->lean[id]);
    }
    if (before <= 0)
        return 0;
    const enum token last = token_kind(at->last);
    const bool has_chord =
        (last == TOKEN_DUR || last == TOKEN_HIT) && CHORD_OF[group] >= 0;
    const float chord =
        has_chord
            ? bias_of(t, taste_ask_chord(&t->walk, (enum taste_chord)CHORD_OF[group]))
            : 0;
    return t->weight * chord - (float)log(after / before);
}

void taste_apply(const struct taste *t, const struct place *at)
{
    struct biased l;
    if (!t->has_opinion || !isfinite(t->weight) || t->weight == 0)
        return;
    for (int32_t id = 0; id < TOKEN_COUNT; id++) {
        enum token kind = token_kind(id);
        bool is_open = at->allowed[id] && isfinite(at->logits[id]);
        l.group[id] = is_open ? GROUP_OF[kind] : GROUPS;
        if (is_open)
            l.lean[id] =
                clip(t->weight * bias_of_token(t, at, kind, id - (int32_t)kind));
    }
    for (int g = 0; g < GROUPS; g++)
        l.shift[g] = shift_group(&l, t, g, at);
    for (int id = 0; id < TOKEN_COUNT; id++)
        if (l.group[id] != GROUPS)
            at->logits[id] += clip(l.lean[id] + l.shift[l.group[id]]);
}
