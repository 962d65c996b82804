/* The rule of breath: see rules.h. */
#include "app/biases/rules.h"

#include "midi/base/larger.h"

/* Nats against a note that begins where its track rests (RESTING); against its position where no other
 * track plays, and for leaving a bar in which all rest (BREATH); against a last note that is shorter
 * than LONG_SHARE of the given one (TOO_SHORT), and against one that lasts beyond the bar (TOO_LONG: a
 * waltz, A18, held a chord over a bar line and its downbeat). With 7 nats against positions alone the
 * left hand of a sonatina (A14) went on in two of two takes, and with 12 a waltz (A18) piled up eleven
 * notes before the rest; with 6 for leaving, too, both rest in two of two. */
#define RESTING    9.0f
#define BREATH     6.0f
#define TOO_SHORT  3.0f
#define TOO_LONG   6.0f
#define LONG_SHARE 0.75f
/* TOO_SHORT of a tune that begins, since the model is surer of its short notes. */
#define HELD       9.0f

/* At most so many bars are read. A rest must be LONGER steps longer than within phrases. */
enum { MOST_BARS = 16, LONGER = STEPS_PER_QUARTER };

struct breath_bias breath_bias_of(const struct piece *p, int64_t from)
{
    struct breath_bias b = {.bar = piece_bar_at(p, from) - 1};
    struct last_onset last[MOST_BARS][TOKEN_MAX_TRACKS]; /* from the last bar back */
    const uint64_t drums = piece_drums(p);
    int n_bars = 0;
    if (b.bar < PHRASE_BARS - 1)
        return b;
    b.length = bar_length(p, b.bar);
    for (; n_bars < MOST_BARS && n_bars <= b.bar &&
           bar_length(p, b.bar - n_bars) == b.length;
         n_bars++) {
        const int64_t first = piece_bar_start(p, b.bar - n_bars), to = first + b.length;
        for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
            last[n_bars][t].place = -1;
        for (const struct grid_note *n = NULL;
             (n = next_note(p, n, UINT64_MAX, first, to));)
            last[n_bars][n->track] = (struct last_onset){
                (int16_t)(n->step - first), (int16_t)smaller(n->length, to - n->step)};
    }
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const uint64_t bit = UINT64_C(1) << t;
        int usual = INT16_MAX, n = 0; /* the earliest place within phrases, of n bars */
        for (int i = 0; i < n_bars; i++) {
            const int place = last[i][t].place;
            b.plays |= place >= 0 ? bit : 0;
            if (i % PHRASE_BARS && place >= 0 && ++n)
                usual = (int)smaller(usual, place);
        }
        bool rests[2] = {false}; /* at the last end of a phrase, and the one before */
        for (int i = 0; i < 2 && i * PHRASE_BARS < n_bars; i++) {
            const int place = last[i * PHRASE_BARS][t].place;
            rests[i] = place >= 0 && place + LONGER <= usual;
        }
        if (n < PHRASE_BARS - 2 || !rests[0] || drums & bit)
            continue;
        b.in_eight |= bit;
        b.in_four |= rests[1] ? bit : 0;
        b.last[t] = last[0][t];
    }
    return b;
}

struct breath_bias breath_bias_of_nothing(const struct piece *p, int64_t from, int tune)
{
    struct breath_bias b = {.bar = piece_bar_at(p, from) - 1,
                            .length = bar_length(p, piece_bar_at(p, from))};
    const int16_t middle =
        (int16_t)(b.length / 2 / STEPS_PER_QUARTER * STEPS_PER_QUARTER);
    b.in_eight = b.in_four = b.in_two = UINT64_C(1) << tune;
    b.last[tune] = (struct last_onset){middle, (int16_t)(b.length - middle)};
    return b;
}

uint64_t breath_bias_due(const struct breath_bias *b, const struct piece *p,
                         int64_t bar)
{
    if (!b->in_eight)
        return 0;
    const int64_t index = piece_bar_at(p, bar), n = index - b->bar;
    return bar_length(p, index) != b->length ? 0
           : n % (2 * PHRASE_BARS) == 0      ? b->in_eight
           : n % PHRASE_BARS == 0            ? b->in_four
           : n % 2 == 0                      ? b->in_two
                                             : 0;
}

bool breath_bias_is_chord(const struct breath_bias *b, const struct piece *p,
                          int64_t bar)
{
    bool is_chord = b->plays && breath_bias_due(b, p, bar) == b->plays;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        is_chord = is_chord && b->last[t].place == 0; /* also of tracks without notes */
    return is_chord;
}

/* Biases positions after this one at which only tracks that rest would begin notes, since the others
 * began none there in the last two given bars. */
static void bias_positions(const struct breath_bias *b, const struct place *at,
                           uint64_t tracks, int64_t after)
{
    const struct piece *p = at->p;
    const int64_t last = piece_bar_start(p, b->bar),
                  before = piece_bar_start(p, larger(b->bar - 1, 0));
    for (int64_t k = after + 1; k < b->length; k++)
        if (b->bar <= 0 || !(~tracks & (tracks_begin(p, last + k, last + k + 1) |
                                        tracks_begin(p, before + k, before + k + 1))))
            bias_onset(at, -BREATH, k);
}

void breath_bias_silence(struct rules *r, const struct place *at)
{
    const uint64_t tracks = form_rests(&r->form, at->p, at->bar);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (tracks >> t & 1)
            bias_track(at, -RESTING, t);
    if (tracks)
        bias_positions(&r->breath, at, tracks, at->step - at->bar);
}

/* What returns has its own rests, but notes that are added at the end of a tune that begins. */
void breath_bias_apply(struct rules *r, const struct place *at)
{
    const struct breath_bias *b = &r->breath;
    const uint64_t due = breath_bias_due(b, at->p, at->bar);
    const int64_t place = at->step - at->bar;
    int64_t end = 0; /* the last onset of those that rest */
    if (!due || (!r->begins && parallel_bias_returns(&r->parallel, at->step)))
        return;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        if (!(due >> t & 1))
            continue;
        end = larger(end, b->last[t].place);
        if (t == at->track && place_has_length(at)) { /* its last note is held */
            if (place >= b->last[t].place)
                bias_shorter(at, b->in_two ? -HELD : -TOO_SHORT,
                             LONG_SHARE * b->last[t].length);
            bias_longer(at, -TOO_LONG, at->next_bar - at->step);
        }
        if (place > b->last[t].place)
            bias_track(at, -RESTING, t);
    }
    if (place >= end && due == b->plays)
        bias_leaving(at, BREATH);
    if (place >= end && due == b->in_two)
        bias_add(at, BREATH, TOKEN_BAR, 1);
    bias_positions(b, at, due, larger(place, end));
}
