/* See taste_events.h. Contexts are small numbers packed side by side. */
#include "app/decoding/taste_events.h"

#include <stdlib.h>

enum {
    FAR_BITS = 7,      /* v/96 of a place in the bar or of a duration's start */
    TRACK_BITS = 6,    /* TOKEN_MAX_TRACKS */
    PITCH_ZERO = 128,  /* an interval of none */
    NO_LEAP = 200,     /* the first onset's */
    LARGEST_CHORD = 8, /* from here on all are equal */
};

void taste_walk_start(struct taste_walk *w)
{
    *w = (struct taste_walk){.step = -1};
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        w->voices[t].step = -1;
}

void taste_walk_note(struct taste_walk *w, int64_t step, int track, int pitch)
{
    struct taste_voice *v = &w->voices[track];
    if (v->step == step) {
        v->n++;
    } else {
        v->leap = v->step < 0 ? NO_LEAP : pitch - v->first;
        v->first = (uint8_t)pitch;
        v->step = step;
        v->n = 1;
    }
    v->last = (uint8_t)pitch;
    w->step = step;
    w->track = track;
}

static struct taste_event event(enum taste_kind kind, int64_t context, int outcome)
{
    return (struct taste_event){(uint8_t)kind, (uint32_t)context, (uint16_t)outcome};
}

struct taste_events taste_ask_onset(const struct taste_walk *w, int64_t bar_start,
                                    int far, int outcome)
{
    int64_t last = w->step >= bar_start ? w->step - bar_start + 1 : 0;
    return (struct taste_events){
        1, {event(TASTE_RHYTHM, last << FAR_BITS | far, outcome)}};
}

struct taste_events taste_ask_chord(const struct taste_walk *w,
                                    enum taste_chord outcome)
{
    int n = w->voices[w->track].n;
    n = n < LARGEST_CHORD ? n : LARGEST_CHORD;
    return (struct taste_events){
        w->step >= 0, {event(TASTE_CHORD, n << TRACK_BITS | w->track, (int)outcome)}};
}

struct taste_events taste_ask_pitch(const struct taste_walk *w, int64_t step, int track,
                                    int pitch)
{
    const struct taste_voice *v = &w->voices[track];
    bool in_chord = v->step == step;
    int before = in_chord ? v->last : v->first;
    int shape = PITCH_ZERO + (in_chord ? v->last - v->first : v->leap);
    int interval = PITCH_ZERO + pitch - before;
    return (struct taste_events){
        v->step < 0 ? 2 : 5,
        {event(TASTE_CLASS, in_chord, pitch % 12),
         event(TASTE_PLACE, step << TRACK_BITS | track, pitch),
         event(TASTE_INTERVAL, in_chord, interval),
         event(TASTE_MOTIF, 2 * shape + in_chord, interval),
         event(TASTE_CLASS_PAIR, 2 * (before % 12) + in_chord, pitch % 12)}};
}

struct taste_events taste_ask_length(int64_t place, int far, int outcome)
{
    return (struct taste_events){
        2,
        {event(TASTE_LENGTH, far, outcome),
         event(TASTE_LENGTH_AT, place * (1 << FAR_BITS) + far, outcome)}};
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

static void add(struct taste_counts *c, uint64_t key, enum taste_opinion opinion,
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

const float *taste_counts_seen(const struct taste_counts *c,
                               const struct taste_event *e, uint16_t outcome)
{
    static const float NEVER[TASTE_OPINIONS];
    return c->n_slots ? slot_of(c, key_of(e, outcome))->seen : NEVER;
}

/* -- learning: a take walked from note to note -- */

struct learner {
    struct taste_counts *counts;
    enum taste_opinion opinion;
    float amount;
    struct taste_walk walk;
    int64_t bar, bar_start; /* its position */
};

/* Each event, and the total of its context. */
static void count(struct learner *l, struct taste_events e, float times)
{
    for (int i = 0; i < e.n; i++) {
        add(l->counts, key_of(&e.of[i], e.of[i].outcome), l->opinion,
            times * l->amount);
        add(l->counts, key_of(&e.of[i], TASTE_ANY), l->opinion, times * l->amount);
    }
}

static void learn_onset(struct learner *l, int far, int outcome, float times)
{
    count(l, taste_ask_onset(&l->walk, l->bar_start, far, outcome), times);
}

/* Ends the bars from the present one up to that of this step. The first is where the take's
 * first note is. */
static void learn_bars(struct learner *l, const struct piece *bars, int64_t step)
{
    int64_t bar = piece_bar_at(bars, step), passed = bar - l->bar;
    if (l->walk.step >= 0 && passed > 0)
        learn_onset(l, 0, TASTE_NO_ONSET, 1);
    l->bar = bar;
    l->bar_start = piece_bar_start(bars, bar);
    if (l->walk.step >= 0 && passed > 1)
        learn_onset(l, 0, TASTE_NO_ONSET, (float)(passed - 1));
}

static void learn_length(struct learner *l, const struct grid_note *n)
{
    int far = (n->length - 1) / TOKEN_RADIX, near = (n->length - 1) % TOKEN_RADIX;
    int64_t place = n->step - l->bar_start;
    far = far < TOKEN_MAX_DURX ? far : TOKEN_MAX_DURX;
    if (far > 0)
        count(l, taste_ask_length(place, 0, TASTE_FAR + far), 1);
    count(l, taste_ask_length(place, far, near), 1);
}

static void learn_note(struct learner *l, const struct piece *bars,
                       const struct grid_note *n)
{
    bool is_onset = n->step != l->walk.step;
    enum taste_chord chord = is_onset                    ? TASTE_NEXT_ONSET
                             : n->track != l->walk.track ? TASTE_OTHER_TRACK
                                                         : TASTE_SAME_TRACK;
    count(l, taste_ask_chord(&l->walk, chord), 1);
    if (is_onset) {
        learn_bars(l, bars, n->step);
        const int place = (int)(n->step - l->bar_start), far = place / TOKEN_RADIX;
        if (far > 0)
            learn_onset(l, 0, TASTE_FAR + far, 1);
        learn_onset(l, far, place % TOKEN_RADIX, 1);
    }
    if (!piece_is_hit(bars, n)) { /* which has neither */
        count(l, taste_ask_pitch(&l->walk, n->step, n->track, n->pitch), 1);
        learn_length(l, n);
    }
    taste_walk_note(&l->walk, n->step, n->track, n->pitch);
}

void taste_learn(struct taste_counts *c, const struct piece *bars,
                 const struct grid_note *notes, size_t n, enum taste_opinion opinion,
                 float amount)
{
    struct learner l = {.counts = c, .opinion = opinion, .amount = amount};
    taste_walk_start(&l.walk);
    for (size_t i = 0; i < n; i++)
        learn_note(&l, bars, &notes[i]);
    if (n > 0) {
        count(&l, taste_ask_chord(&l.walk, TASTE_NEXT_ONSET), 1);
        learn_onset(&l, 0, TASTE_NO_ONSET, 1);
    }
}
