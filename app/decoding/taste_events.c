/* See taste_events.h. Contexts are small numbers packed side by side. */
#include "app/decoding/taste_events.h"

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
         event(TASTE_LENGTH_AT, place << FAR_BITS | far, outcome)}};
}

/* Learning: a take walked from note to note. */
struct learner {
    struct taste_counts *counts;
    enum taste_opinion opinion;
    float amount;
    struct taste_walk walk;
    int64_t bar, bar_start; /* its position */
};

static void count(struct learner *l, struct taste_events e, float times)
{
    for (int i = 0; i < e.n; i++)
        taste_counts_add(l->counts, &e.of[i], l->opinion, times * l->amount);
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
