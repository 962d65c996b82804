/* See taste.h. Each decision that makes a take is an event: an outcome in a context. Learning a
 * take counts the same events that biasing the next token looks up.
 *
 * A token belongs to one of a few groups: pitches, steps in time, durations, the end. Within its
 * group each token is biased by its events. A group keeps its share of the model's probability,
 * except for the bias of chord sizes; so disliking a take does not simply make the next ones
 * shorter. */
#include "app/biases/taste.h"

#include "app/base/draw.h"

#include <stdlib.h>

/* An outcome that was seen DOUBT times counts half: shares in a context are drawn towards the
 * background (Dirichlet; MacKay and Peto 1995). */
static const float DOUBT = 2.0f;
/* The same for the background, smoothed towards equal outcomes. */
static const float BARE = 0.5f;
/* Shares far below this are not distinguished, so outcomes of no take have no bias. */
static const float FLOOR = 0.05f;

/* The most that a mark may weigh, so that sums stay exact enough. */
static const float MOST = 1000.0f;

enum opinion { LIKED, DISLIKED, NEUTRAL, OPINIONS };

/* An onset on a track is a note, or a chord from its lowest note up. A melody goes from
 * lowest note to lowest note. */
enum kind {
    RHYTHM = 1, /* the next onset's place in the bar, or none, after the last's */
    CHORD,      /* enum chord_goes, after this many notes of the onset, on that track */
    INTERVAL,   /* from the note before, in the melody or within the chord */
    MOTIF,      /* the same after the melody's last interval, or the chord's span */
    CLASS,      /* pitch class, in the melody or within the chord */
    CLASS_PAIR, /* pitch class after that of the note before */
    PLACE,      /* the pitch, at that step on that track */
    LENGTH,     /* duration */
    LENGTH_AT,  /* duration at that place in the bar */
    KINDS_END,
};

enum chord_goes { SAME_TRACK, OTHER_TRACK, NEXT_ONSET };

/* Per kind: the approximate number of outcomes of a context, which is the background
 * without other takes; and the kind's weight among those of its decision. */
static const struct {
    float n_outcomes, share;
} KINDS[KINDS_END] = {
    [RHYTHM] = {8, 1},    [CHORD] = {2, 0.5f},  [INTERVAL] = {16, 0.3f},
    [MOTIF] = {16, 0.4f}, [CLASS] = {8, 0.3f},  [CLASS_PAIR] = {8, 0.4f},
    [PLACE] = {24, 0.2f}, [LENGTH] = {6, 0.5f}, [LENGTH_AT] = {6, 0.5f},
};

/* Outcomes. Tokens spell a number v: below 96 it is v; else FAR + v/96 comes first and v%96 after it.
 * ANY stands for all outcomes of a context together. */
enum { FAR = 128, NO_ONSET = 256, ANY = UINT16_MAX };

/* Contexts are small numbers packed side by side. */
enum {
    FAR_BITS = 7,      /* v/96 of a place in the bar or of a duration's start */
    TRACK_BITS = 6,    /* TOKEN_MAX_TRACKS */
    PITCH_ZERO = 128,  /* an interval of none */
    NO_LEAP = 200,     /* the first onset's */
    LARGEST_CHORD = 8, /* from here on all are equal */
};

struct taste_event {
    uint8_t kind;
    uint32_t context; /* its meaning and the outcome's depend on the kind */
    uint16_t outcome; /* below ANY */
};

/* Those of one decision. */
struct taste_events {
    int n;
    struct taste_event of[5];
};

struct seen {
    uint64_t key; /* kind, context, outcome: 16, 32, 16 bits; 0: the slot is free */
    float times[OPINIONS];
};

struct voice {
    int64_t step;        /* of its last onset, -1: none yet */
    uint8_t first, last; /* pitches of it */
    int n;               /* notes of it */
    int leap;            /* from the first note of the onset before */
};

struct taste {
    /* What marked takes do: a hash table that only grows, [n_slots], a power of two, at most half
     * of the slots used. */
    struct seen *slots;
    size_t n_slots, n_used;
    bool has_lost;    /* something was not counted: out of memory */
    bool has_opinion; /* some take was liked or disliked */

    /* The take that is learnt now. */
    enum opinion opinion;
    float amount;
    int64_t bar, bar_start;

    /* The take so far that is learnt or drawn; notes before and around it are not in it. */
    float weight;
    int64_t step; /* of the last onset on any track, -1: none yet */
    int track;    /* of the last note */
    struct voice voices[TOKEN_MAX_TRACKS];
};

/* -- the events of a decision -- */

void taste_start(struct taste *t, float weight)
{
    t->weight = weight;
    t->step = -1;
    t->track = 0;
    for (int i = 0; i < TOKEN_MAX_TRACKS; i++)
        t->voices[i] = (struct voice){.step = -1};
}

void taste_hear(struct taste *t, const struct grid_note *n)
{
    struct voice *v = &t->voices[n->track];
    if (v->step == n->step) {
        v->n++;
    } else {
        v->leap = v->step < 0 ? NO_LEAP : n->pitch - v->first;
        v->first = n->pitch;
        v->step = n->step;
        v->n = 1;
    }
    v->last = n->pitch;
    t->step = n->step;
    t->track = n->track;
}

static struct taste_event event_of(enum kind kind, int64_t context, int outcome)
{
    return (struct taste_event){(uint8_t)kind, (uint32_t)context, (uint16_t)outcome};
}

/* far: the first token of a number, v/96, or 0. */
static struct taste_events ask_onset(const struct taste *t, int64_t bar_start, int far,
                                     int outcome)
{
    int64_t last = t->step >= bar_start ? t->step - bar_start + 1 : 0;
    return (struct taste_events){1,
                                 {event_of(RHYTHM, last << FAR_BITS | far, outcome)}};
}

static struct taste_events ask_chord(const struct taste *t, enum chord_goes outcome)
{
    const int n = at_most(t->voices[t->track].n, LARGEST_CHORD);
    return (struct taste_events){
        t->step >= 0, {event_of(CHORD, n << TRACK_BITS | t->track, (int)outcome)}};
}

static struct taste_events ask_pitch(const struct taste *t, int64_t step, int track,
                                     int pitch)
{
    const struct voice *v = &t->voices[track];
    bool in_chord = v->step == step;
    int before = in_chord ? v->last : v->first;
    int shape = PITCH_ZERO + (in_chord ? v->last - v->first : v->leap);
    int interval = PITCH_ZERO + pitch - before;
    return (struct taste_events){
        v->step < 0 ? 2 : 5,
        {event_of(CLASS, in_chord, pitch % 12),
         event_of(PLACE, step << TRACK_BITS | track, pitch),
         event_of(INTERVAL, in_chord, interval),
         event_of(MOTIF, 2 * shape + in_chord, interval),
         event_of(CLASS_PAIR, 2 * (before % 12) + in_chord, pitch % 12)}};
}

/* place: steps from the bar line; outcome: the duration less one. */
static struct taste_events ask_length(int64_t place, int far, int outcome)
{
    return (struct taste_events){
        2,
        {event_of(LENGTH, far, outcome),
         event_of(LENGTH_AT, place * (1 << FAR_BITS) + far, outcome)}};
}

/* -- counting: open addressing (Knuth, vol. 3, 6.4); a key is the whole event, so that two
 * events never share a count -- */

enum { FEWEST_SLOTS = 256 };

static uint64_t key_of(const struct taste_event *e, uint16_t outcome)
{
    return (uint64_t)e->kind << 48 | (uint64_t)e->context << 16 | outcome;
}

/* Where the key is, or would be: multiplied by 2^64 over the golden ratio, and on from
 * there. There is always a free slot. */
static struct seen *find_slot(const struct taste *t, uint64_t key)
{
    size_t mask = t->n_slots - 1;
    size_t i = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;
    while (t->slots[i].key && t->slots[i].key != key)
        i = (i + 1) & mask;
    return &t->slots[i];
}

static bool grow_slots(struct taste *t)
{
    struct seen *old = t->slots;
    const size_t n_old = t->n_slots, n = n_old ? 2 * n_old : FEWEST_SLOTS;
    struct seen *grown = calloc(n, sizeof *grown);
    if (!grown)
        return false;
    t->slots = grown;
    t->n_slots = n;
    for (size_t i = 0; i < n_old; i++)
        if (old[i].key)
            *find_slot(t, old[i].key) = old[i];
    free(old);
    return true;
}

/* Counts each event, and the total of its context. */
static void count_events(struct taste *t, struct taste_events e, float times)
{
    for (int i = 0; i < 2 * e.n; i++) {
        const struct taste_event *of = &e.of[i / 2];
        const uint64_t key = key_of(of, i % 2 ? ANY : of->outcome);
        if (2 * t->n_used >= t->n_slots && !grow_slots(t)) {
            t->has_lost = true;
            return;
        }
        struct seen *slot = find_slot(t, key);
        t->n_used += !slot->key;
        slot->key = key;
        slot->times[t->opinion] += times * t->amount;
    }
}

/* -- learning: a take walked from note to note -- */

static void learn_onset(struct taste *t, int far, int outcome, float times)
{
    count_events(t, ask_onset(t, t->bar_start, far, outcome), times);
}

static void learn_note(struct taste *t, const struct piece *bars,
                       const struct grid_note *n)
{
    const bool is_onset = n->step != t->step;
    count_events(t,
                 ask_chord(t, is_onset               ? NEXT_ONSET
                              : n->track != t->track ? OTHER_TRACK
                                                     : SAME_TRACK),
                 1);
    if (is_onset) {
        /* The bars up to that of this step end. The first is where the take's first note is. */
        const int64_t bar = piece_bar_at(bars, n->step), passed = bar - t->bar;
        if (t->step >= 0 && passed > 0)
            learn_onset(t, 0, NO_ONSET, 1);
        t->bar = bar;
        t->bar_start = piece_bar_start(bars, bar);
        if (t->step >= 0 && passed > 1)
            learn_onset(t, 0, NO_ONSET, (float)(passed - 1));
        const int place = (int)(n->step - t->bar_start), far = place / TOKEN_RADIX;
        if (far > 0)
            learn_onset(t, 0, FAR + far, 1);
        learn_onset(t, far, place % TOKEN_RADIX, 1);
    }
    if (!piece_is_hit(bars, n)) { /* which has neither */
        const int64_t place = n->step - t->bar_start;
        const int near = (n->length - 1) % TOKEN_RADIX,
                  far = at_most((n->length - 1) / TOKEN_RADIX, TOKEN_MAX_DURX);
        count_events(t, ask_pitch(t, n->step, n->track, n->pitch), 1);
        if (far > 0)
            count_events(t, ask_length(place, 0, FAR + far), 1);
        count_events(t, ask_length(place, far, near), 1);
    }
    taste_hear(t, n);
}

bool taste_add(struct taste *t, const struct piece *bars, const struct grid_note *notes,
               size_t n, float how_much)
{
    t->opinion = how_much > 0 ? LIKED : how_much < 0 ? DISLIKED : NEUTRAL;
    t->amount = t->opinion == NEUTRAL ? 1 : fminf(fabsf(how_much), MOST);
    t->has_opinion |= t->opinion != NEUTRAL && n > 0;
    t->bar = t->bar_start = 0;
    taste_start(t, t->weight);
    for (size_t i = 0; i < n; i++)
        learn_note(t, bars, &notes[i]);
    if (n > 0) {
        count_events(t, ask_chord(t, NEXT_ONSET), 1);
        learn_onset(t, 0, NO_ONSET, 1);
    }
    return !t->has_lost;
}

struct taste *taste_create(void)
{
    struct taste *t = calloc(1, sizeof *t);
    if (t)
        taste_start(t, 0);
    return t;
}

void taste_destroy(struct taste *t)
{
    if (t)
        free(t->slots);
    free(t);
}

/* -- biasing -- */

static float clip(float x)
{
    return x > TASTE_BOUND ? TASTE_BOUND : x < -TASTE_BOUND ? -TASTE_BOUND : x;
}

/* How much likelier the outcome is with the takes of one opinion than with all others, in nats, by the
 * counts so far and the background; 0 where the former know nothing. */
static float log_ratio(const struct taste *t, const struct taste_event *e,
                       enum opinion opinion)
{
    if (!t->n_slots)
        return 0;
    const float *all = find_slot(t, key_of(e, ANY))->times,
                *seen = find_slot(t, key_of(e, e->outcome))->times;
    float other_all = BARE, other_seen = BARE / KINDS[e->kind].n_outcomes;
    if (all[opinion] <= 0)
        return 0;
    for (int o = 0; o < OPINIONS; o++) {
        other_all += o == (int)opinion ? 0 : all[o];
        other_seen += o == (int)opinion ? 0 : seen[o];
    }
    const float others = other_seen / other_all,
                its = (seen[opinion] + DOUBT * others) / (all[opinion] + DOUBT);
    return logf((its + FLOOR) / (others + FLOOR));
}

static float bias_of(const struct taste *t, struct taste_events e)
{
    float sum = 0;
    for (int i = 0; i < e.n; i++) {
        float lean = log_ratio(t, &e.of[i], LIKED) - log_ratio(t, &e.of[i], DISLIKED);
        sum += KINDS[e.of[i].kind].share * clip(lean);
    }
    return sum;
}

/* Tokens of one kind of decision, among which a bias shifts probability: n from `first` on, and
 * `also`, or -1. goes: after a note, the outcome of whether another of its onset follows; -1: they say
 * nothing of that. */
static const struct group {
    int32_t first, n, also;
    int goes;
} GROUPS[] = {
    {TOKEN_POS, TOKEN_TRACK - TOKEN_POS, TOKEN_BAR, NEXT_ONSET},
    {TOKEN_EOS, 1, TOKEN_FILL_END, NEXT_ONSET},
    {TOKEN_TRACK, TOKEN_MAX_TRACKS, -1, OTHER_TRACK},
    {TOKEN_VEL, TOKEN_VELOCITIES, -1, SAME_TRACK},
    {TOKEN_PITCH, N_PITCHES, -1, SAME_TRACK},
    {TOKEN_HIT, HIT_COUNT, -1, SAME_TRACK},
    {TOKEN_DUR, TOKEN_HIT - TOKEN_DUR, -1, -1},
};

static float bias_of_token(const struct taste *t, const struct place *at, int32_t id)
{
    const enum token kind = token_kind(id);
    const int value = id - (int32_t)kind, base = (int)(at->base / TOKEN_RADIX),
              held = (int)(at->held / TOKEN_RADIX);
    const int64_t place = at->step - at->bar;
    switch (kind) {
    case TOKEN_POS:
        return bias_of(t, ask_onset(t, at->bar, base, value));
    case TOKEN_POSX:
        return bias_of(t, ask_onset(t, at->bar, base, FAR + value + 1));
    case TOKEN_BAR:
        return bias_of(t, ask_onset(t, at->bar, base, NO_ONSET));
    case TOKEN_PITCH:
        return bias_of(t, ask_pitch(t, at->step, at->track, value));
    case TOKEN_DUR:
        return bias_of(t, ask_length(place, held, value));
    case TOKEN_DURX:
        return bias_of(t, ask_length(place, held, FAR + value + 1));
    default:
        return 0;
    }
}

/* The group keeps its share of probability, but for the bias of chord sizes. */
static void bias_group(const struct taste *t, const struct place *at,
                       const struct group *g)
{
    const enum token last = token_kind(at->last);
    const bool has_chord = (last == TOKEN_DUR || last == TOKEN_HIT) && g->goes >= 0;
    int32_t ids[N_PITCHES + TOKEN_RADIX];
    float lean[N_PITCHES + TOKEN_RADIX];
    double highest = -INFINITY, before = 0, after = 0;
    int n = 0;
    for (int i = 0; i <= g->n; i++) {
        const int32_t id = i < g->n ? g->first + i : g->also;
        if (id < 0 || !at->allowed[id] || !isfinite(at->logits[id]))
            continue;
        ids[n] = id;
        lean[n++] = clip(t->weight * bias_of_token(t, at, id));
        highest = fmax(highest, (double)at->logits[id]);
    }
    for (int i = 0; i < n; i++) {
        const double p = exp((double)at->logits[ids[i]] - highest);
        before += p;
        after += p * exp((double)lean[i]);
    }
    const float chord =
        has_chord ? bias_of(t, ask_chord(t, (enum chord_goes)g->goes)) : 0;
    for (int i = 0; i < n; i++)
        at->logits[ids[i]] +=
            clip(lean[i] + t->weight * chord - (float)log(after / before));
}

void taste_apply(const struct taste *t, const struct place *at)
{
    if (!t->has_opinion || !isfinite(t->weight) || t->weight == 0)
        return;
    for (size_t g = 0; g < sizeof GROUPS / sizeof *GROUPS; g++)
        bias_group(t, at, &GROUPS[g]);
}
