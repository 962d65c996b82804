/* The rule of chords: see rules.h. */
#include "app/biases/rules.h"

#include "midi/tokens/grid_chord.h"

/* Costs and gains in nats, at weight 1. */
#define OUTSIDE_ON_BEAT 3.0f
#define OUTSIDE         1.5f
#define OWN_BASS        2.0f /* at a bar line, */
#define CHANGED_BASS    4.0f /* and where the chord begins */
#define TOO_LONG        4.0f

/* Within APPROACH steps before a chord, pitch classes at most NEAR semitones from its bass lead to
 * it. */
enum { APPROACH = STEPS_PER_QUARTER, NEAR = 2 };

static size_t chords_until(const struct chord_bias *b, int64_t step)
{
    return grid_chords_until(b->chords, b->n, step);
}

static bool has_class(const struct chord_symbol *says, int pitch)
{
    return says->classes >> pitch % 12 & 1;
}

float chord_bias_cost(const struct grid_chord *chord, const float cost[12])
{
    struct grid_chord own = *chord;
    struct chord_symbol says;
    float sum = 0;
    own.bass = own.root;
    for (int c = 0; grid_chord_notes(&own, &says) && c < 12; c++)
        sum += has_class(&says, c) ? cost[c] : 0;
    return sum;
}

/* Returns the classes of the chord's ninth and of a dominant's thirteenth (bit 0 is C). In the valid
 * files of arranged-jazz and -latin they have 0.09 to 0.17 and 0.07 to 0.13 of a dominant's sound above
 * the bass, ninths have 0.12 to 0.15 of a major seventh's, and all else has 0.03 or less. */
static uint16_t find_tensions(const struct grid_chord *c)
{
    const unsigned ninth = 1u << (c->root + 2) % 12,
                   thirteenth = 1u << (c->root + 9) % 12;
    switch (c->root < 12 ? c->quality : CHORD_QUALITIES) {
    case CHORD_DOMINANT7:
        return (uint16_t)(ninth | thirteenth);
    case CHORD_MAJOR:
    case CHORD_MAJOR7:
    case CHORD_MINOR7:
        return (uint16_t)ninth;
    default:
        return 0;
    }
}

int chord_bias_leading(const struct chord_bias *b, int64_t step)
{
    const size_t i = chords_until(b, step);
    if (b->weight == 0 || i == 0)
        return -1;
    const struct grid_chord *c = &b->chords[i - 1];
    const bool falls = c->root < 12 && i < b->n && c[1].root == (c->root + 5) % 12,
               is_dominant = c->quality == CHORD_DOMINANT7 ||
                             (c->quality == CHORD_MAJOR && falls);
    return c->root < 12 && is_dominant ? (c->root + 4) % 12 : -1;
}

const struct grid_chord *chord_bias_in_force(const struct chord_bias *b, int64_t step)
{
    const size_t i = chords_until(b, step);
    return i ? &b->chords[i - 1] : NULL;
}

const struct grid_chord *chord_bias_next(const struct chord_bias *b, int64_t step)
{
    const size_t i = chords_until(b, step);
    return i < b->n ? &b->chords[i] : NULL;
}

void chord_bias_pitches(struct rules *r, const struct place *at)
{
    const struct chord_bias *b = &r->chords;
    struct chord_symbol says;
    const int64_t step = at->step, in_bar = step - at->bar;
    const size_t i = chords_until(b, step);
    if (b->weight == 0 || i == 0 || !grid_chord_notes(&b->chords[i - 1], &says))
        return;
    const bool changes = step == b->chords[i - 1].step, begins = in_bar == 0 || changes,
               is_bass = begins && at->track == b->bass &&
                         !note_here(at, NULL); /* its lowest */
    const float own_bass = changes ? CHANGED_BASS : OWN_BASS,
                outside = in_bar % STEPS_PER_QUARTER ? OUTSIDE : OUTSIDE_ON_BEAT;
    const struct grid_chord *next = i < b->n ? &b->chords[i] : NULL;
    const bool leads =
        !begins && next && next->root < 12 && step + APPROACH >= next->step;
    const uint16_t above =
        b->has_tensions && at->track != b->bass ? find_tensions(&b->chords[i - 1]) : 0;
    for (int pitch = 0; pitch < N_PITCHES; pitch++) {
        const bool is_free =
            has_class(&says, pitch) || above >> pitch % 12 & 1 ||
            (leads && (pitch + 12 - next->bass + NEAR) % 12 <= 2 * NEAR);
        const float nats = is_bass && pitch % 12 == says.bass ? own_bass
                           : is_free                          ? 0
                                                              : -outside;
        bias_pitch(at, b->weight * nats, pitch);
    }
}

void chord_bias_lengths(struct rules *r, const struct place *at)
{
    const struct chord_bias *b = &r->chords;
    struct chord_symbol next;
    size_t i = chords_until(b, at->step);
    if (b->weight == 0 || at->pitch < 0)
        return;
    while (i < b->n &&
           (!grid_chord_notes(&b->chords[i], &next) || has_class(&next, at->pitch)))
        i++;
    if (i < b->n) /* a chord without it */
        bias_longer(at, -b->weight * TOO_LONG, b->chords[i].step - at->step);
}

/* -- the steps of a tune -- */

/* A tune may have thirds in a fifth of its places. */
#define MOST_AT_ONCE 1.2

enum { STEP = 2 /* semitones */ };

int passing_tones_tune(const struct piece *p,
                       const struct track_facts tracks[TOKEN_MAX_TRACKS], int bass)
{
    uint64_t lines = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        lines |=
            (uint64_t)(t != bass && tracks[t].n <= MOST_AT_ONCE * tracks[t].n_onsets)
            << t;
    return find_outer_track(tracks, lines & ~piece_drums(p), true);
}

void passing_tones_apply(struct rules *r, const struct place *at)
{
    const struct grid_chord *chord = chord_bias_in_force(&r->chords, at->step);
    if (at->track != r->highest || at->step == at->bar ||
        2 * (at->step - at->bar) == at->next_bar - at->bar ||
        (chord && chord->step == at->step))
        return;
    const struct track_past past = find_past(at->p, at->track, at->step);
    const bool is_near = past.step >= at->step - (at->next_bar - at->bar); /* a bar */
    const int last = is_near ? past.pitch : -1;
    for (int pitch = last - STEP; last >= 0 && pitch <= last + STEP; pitch++)
        if (pitch != last && pitch >= 0 && pitch < N_PITCHES)
            at->logits[TOKEN_PITCH + pitch] =
                fmaxf(at->logits[TOKEN_PITCH + pitch], r->kept[pitch]);
}
