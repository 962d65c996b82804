/* See breath_bias.h. */
#include "app/biases/breath_bias.h"

#include "midi/base/larger.h"

/* Nats against a note that begins where its track rests; against its position where no other track
 * plays, and for leaving a bar in which all rest; against a last note that is shorter than three
 * quarters of the given one. With 7 nats against positions alone a sonatina's left hand went on in
 * four of four takes, and with 12 a waltz piled up chords of eleven notes before the rest; with 6
 * for leaving, too, both rest. */
#define RESTING    9.0f
#define BREATH     6.0f
#define TOO_SHORT  3.0f
#define LONG_SHARE 0.75f

/* The bars of a phrase, those that are read, and how much longer than in other bars a rest must be,
 * steps. */
enum { PHRASE = 4, MOST_BARS = 16, LONGER = STEPS_PER_QUARTER };

static int64_t length_of(const struct piece *p, int64_t bar)
{
    return piece_bar_start(p, bar + 1) - piece_bar_start(p, bar);
}

static void find_last_onsets(struct last_onset last[TOKEN_MAX_TRACKS],
                             const struct piece *p, int64_t bar)
{
    const int64_t from = piece_bar_start(p, bar), to = piece_bar_start(p, bar + 1);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        last[t].place = -1;
    for (size_t i = piece_note_at(p, from); i < p->n_notes && p->notes[i].step < to;
         i++) {
        const struct grid_note *n = &p->notes[i];
        last[n->track] = (struct last_onset){(int16_t)(n->step - from),
                                             (int16_t)smaller(n->length, to - n->step)};
    }
}

/* Whether a track that usually begins notes until this place rests after its last onset. */
static bool does_rest(const struct last_onset *last, int usual)
{
    return last->place >= 0 && last->place + LONGER <= usual;
}

struct breath_bias breath_bias_of(const struct piece *p, int64_t from)
{
    struct breath_bias b = {.bar = piece_bar_at(p, from) - 1};
    struct last_onset last[MOST_BARS][TOKEN_MAX_TRACKS]; /* from the last bar back */
    int n_bars = 0;
    if (b.bar < PHRASE - 1)
        return b;
    b.length = length_of(p, b.bar);
    for (; n_bars < MOST_BARS && n_bars <= b.bar &&
           length_of(p, b.bar - n_bars) == b.length;
         n_bars++)
        find_last_onsets(last[n_bars], p, b.bar - n_bars);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        int usual = INT16_MAX,
            n = 0; /* the earliest place of the bars within phrases */
        for (int i = 0; i < n_bars; i++) {
            const int place = last[i][t].place;
            b.plays |= (uint64_t)(place >= 0) << t;
            if (i % PHRASE && place >= 0 && ++n)
                usual = (int)smaller(usual, place);
        }
        if (n < PHRASE - 2 || !does_rest(&last[0][t], usual) || piece_drums(p) >> t & 1)
            continue;
        b.period[t] =
            n_bars > PHRASE && does_rest(&last[PHRASE][t], usual) ? PHRASE : 2 * PHRASE;
        b.last[t] = last[0][t];
    }
    return b;
}

uint64_t breath_bias_due(const struct breath_bias *b, const struct piece *p,
                         int64_t bar)
{
    const int64_t index = piece_bar_at(p, bar);
    uint64_t due = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS && length_of(p, index) == b->length; t++)
        due |= (uint64_t)(b->period[t] && (index - b->bar) % b->period[t] == 0) << t;
    return due;
}

bool breath_bias_is_chord(const struct breath_bias *b, const struct piece *p,
                          int64_t bar)
{
    bool is_chord = b->plays && breath_bias_due(b, p, bar) == b->plays;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        is_chord = is_chord && (!(b->plays >> t & 1) || b->last[t].place == 0);
    return is_chord;
}

/* A last onset is held. */
static void bias_lengths(const struct last_onset *last, const struct place *at)
{
    if (at->step - at->bar == last->place && place_has_length(at) &&
        token_kind(at->last) != TOKEN_DURX)
        for (int i = 0; i < TOKEN_RADIX && i + 1 < LONG_SHARE * last->length; i++)
            bias_add(at, -TOO_SHORT, TOKEN_DUR + i, 1);
}

/* Whether a track that does not rest begins notes at this place of the last two given bars. */
static bool has_others(const struct breath_bias *b, const struct piece *p, uint64_t due,
                       int64_t place)
{
    for (int64_t bar = b->bar - 1; bar <= b->bar; bar++) {
        const int64_t step = piece_bar_start(p, bar) + place;
        for (size_t i = piece_note_at(p, step);
             i < p->n_notes && p->notes[i].step == step; i++)
            if (!(due >> p->notes[i].track & 1))
                return true;
    }
    return false;
}

void breath_bias_apply(const struct breath_bias *b, const struct place *at)
{
    const uint64_t due = breath_bias_due(b, at->p, at->bar);
    const int64_t place = at->step - at->bar;
    int64_t end = 0; /* the last onset of those that rest */
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        if (!(due >> t & 1))
            continue;
        end = larger(end, b->last[t].place);
        if (t == at->track)
            bias_lengths(&b->last[t], at);
        if (place <= b->last[t].place)
            continue;
        bias_add(at, -RESTING, TOKEN_TRACK + t, 1);
        bias_add(at, t == at->track ? -RESTING : 0, TOKEN_VEL, TOKEN_VELOCITIES);
        bias_add(at, t == at->track ? -RESTING : 0, TOKEN_PITCH, N_PITCHES);
    }
    if (due && place >= end && !(b->plays & ~due))
        bias_leaving(at, BREATH);
    for (int64_t k = larger(larger(place, end) + 1, at->base);
         due && k < b->length && k < at->base + TOKEN_RADIX; k++)
        if (!has_others(b, at->p, due, k))
            bias_add(at, -BREATH, TOKEN_POS + (int)(k - at->base), 1);
}
