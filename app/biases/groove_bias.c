/* The rule of the groove: see rules.h. */
#include "app/biases/rules.h"

#include "midi/base/larger.h"

/* The most nats that are added and taken (GROOVE). The cost of a key or place of every bar that is
 * passed by (PASSED_BY), and the most (MOST_PASSED); of a snare of the backbeat, or its kick, that is
 * passed by (DUE). The gain of a kick with the bass (WITH_BASS), and of snare and toms of a fill, on
 * each half of a beat, instead of hats (OF_FILL). A missing funk kit had
 * snare on 2 and 4 in 0.34 of the bars before it had a groove, 0.95 with it, but then the same bar
 * 64 times: hence the last two. A band whose first bar had no snare had none in eight bars: hence
 * DUE. */
#define GROOVE      1.5f
#define PASSED_BY   2.0f
#define MOST_PASSED 6.0f
#define DUE         4.0f
#define WITH_BASS   0.5f
#define OF_FILL     3.0f

/* The costs of a crash of new drums but where they begin, and of places between sixteenths and
 * triplets; beside straight music triplets cost as much. Of 32 first bars (an air, a ballad, a
 * waltz, a jig, a pop tune; ours but for two) one was a roll, and four had a crash, that came again
 * in each bar; none has with these. */
#define CRASH       8.0f
#define FINE        3.0f

enum { MOST_BARS = 4, LEAST_BARS = 2, AROUND = 8, MOST_PLACES = 2 * TOKEN_RADIX };
enum {
    FIRST_KICK = 35 - HIT_FIRST,
    KICK = 36 - HIT_FIRST,
    SNARE = 38 - HIT_FIRST,
    HAT = 42 - HIT_FIRST,
    FOOT_HAT = 44 - HIT_FIRST,
    RIDE = 51 - HIT_FIRST
};
/* A stick, a snare, a clap, another snare. */
enum { FIRST_SNARE = 37 - HIT_FIRST, LAST_SNARE = 40 - HIT_FIRST };

/* Where the other tracks have this share of their notes on beats, hats between are left to the
 * model. */
#define ON_BEATS 0.7
enum { SWUNG = STEPS_PER_QUARTER / 6 }; /* later than the half of a beat */

/* What the bars before have, of the same length, or those after a hole. */
struct groove {
    int n_bars;     /* with hits */
    int length;     /* steps of a bar */
    bool is_sparse; /* held twice as strictly, without the bass's kicks */
    bool is_straight;
    uint8_t at[MOST_PLACES]; /* in how many bars there are hits at a place, */
    uint8_t keys[MOST_PLACES][HIT_COUNT]; /* and of a key */
    bool has_due[MOST_PLACES];            /* where they have a snare */
};

struct new_groove groove_of_new(const struct track_facts tracks[TOKEN_MAX_TRACKS],
                                uint64_t given, enum style style)
{
    static const enum drums KINDS[STYLE_COUNT] = {
        [STYLE_BAND] = DRUMS_BACKBEAT,      [STYLE_POP] = DRUMS_BACKBEAT,
        [STYLE_BLUES] = DRUMS_BACKBEAT,     [STYLE_SONG] = DRUMS_BACKBEAT,
        [STYLE_DRUMS] = DRUMS_BACKBEAT,     [STYLE_ANY] = DRUMS_BACKBEAT,
        [STYLE_LEADSHEET] = DRUMS_BACKBEAT, [STYLE_JAZZ] = DRUMS_RIDE,
        [STYLE_LATIN] = DRUMS_FREE};
    struct new_groove g = {
        .drums = KINDS[style], .swings = tracks_swing(tracks), .last = -1};
    int n = 0, n_on_beats = 0, n_eighths = 0, n_triplets = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        if (given >> t & 1) {
            n += tracks[t].n;
            n_on_beats += tracks[t].at[0];
            n_eighths += tracks[t].at[STEPS_PER_QUARTER / 2];
            n_triplets += tracks[t].at[STEPS_PER_QUARTER / 3] +
                          tracks[t].at[2 * STEPS_PER_QUARTER / 3];
        } else {
            g.last = larger(g.last, tracks[t].onset);
        }
    }
    g.is_straight = n_eighths > 0 && !n_triplets;
    g.is_sparse = g.drums == DRUMS_LIGHT || (n && n_on_beats >= ON_BEATS * n);
    return g;
}

/* Counts the hits of a bar, but no crashes, so that new drums do not begin each bar with that of their
 * first. */
static void hear_bar(struct groove *g, const struct piece *p, int track, int64_t bar)
{
    const int64_t from = piece_bar_start(p, bar);
    int last = -1;
    if (bar_length(p, bar) != g->length)
        return;
    for (const struct grid_note *n = NULL;
         (n = next_note(p, n, UINT64_C(1) << track, from, from + g->length));) {
        const int place = (int)(n->step - from);
        if (!is_hit_key(n->pitch) || is_crash(n->pitch))
            continue;
        g->keys[place][n->pitch - HIT_FIRST]++;
        g->at[place] += place != last;
        last = place;
    }
    g->n_bars += last >= 0;
}

/* Returns whether a bass, by its family, begins a note at the step. */
static bool has_bass(const struct piece *p, int64_t step)
{
    const struct grid_note *n = NULL;
    while ((n = next_note(p, n, UINT64_MAX, step, step + 1)))
        if (p->families[n->track] == FAMILY_BASSES)
            return true;
    return false;
}

/* Returns whether a beat begins with unit u, as an eighth, where units are in twos and, from `three`
 * on, in a three. */
static bool is_uneven_beat(int u, int three)
{
    return u <= three ? u % 2 == 0 : u > three + 1 && (u - three) % 2;
}

/* Finds where the three stands: where most notes of the bars around begin; of equal places, last. */
static int find_three(const struct piece *p, int64_t bar, int unit, int n_units)
{
    const int64_t length = (int64_t)unit * n_units, end = bar + AROUND * length;
    int most = -1, best = -1;
    for (int three = n_units - 3; three >= 0; three -= 2) {
        int n = 0;
        for (int64_t at = larger(bar - AROUND * length, bar % length); at <= end;
             at += length)
            for (int u = 0; u < n_units; u++)
                if (is_uneven_beat(u, three))
                    n += (int)(piece_note_at(p, at + u * unit + 1) -
                               piece_note_at(p, at + u * unit));
        best = n > most ? three : best;
        most = n > most ? n : most;
    }
    return best;
}

/* Adds a bar of what drummers play where there is no groove yet: a kick on the first beat, snare
 * and kick in turn on the others, in odd meters snares, of which every other is due; a hat on each
 * half or third of them, or on the beats alone. Where a bass plays, its notes on hats have the kicks
 * after the first. With a ride there are foot hats for snares, and swung notes after them; light drums
 * have neither; both have one kick. */
static void add_bar(struct groove *g, const struct piece *p, int64_t bar,
                    struct new_groove new)
{
    const struct grid_meter *m = meter_at(p, bar);
    const bool has_eighths = m->denominator >= 8, is_odd = m->numerator % 2,
               is_compound = m->denominator == 8 && m->numerator % 3 == 0,
               is_uneven = has_eighths && is_odd && m->numerator > 3 && !is_compound;
    const int unit = meter_steps(1, m->denominator),
              half = (int)larger(smaller(unit, STEPS_PER_QUARTER / 2), 1),
              beat = is_compound              ? 3 * unit
                     : has_eighths && !is_odd ? 2 * unit
                                              : unit,
              three = is_uneven ? find_three(p, bar, unit, m->numerator) : -1,
              n_beats = is_uneven ? m->numerator / 2 : g->length / beat;
    const bool is_even = n_beats % 2 == 0, has_snares = new.drums == DRUMS_BACKBEAT,
               rides = new.drums == DRUMS_RIDE;
    bool has_basses = false, was_back = false;
    int n = -1; /* the beat */
    for (int place = half; place < g->length; place += half)
        has_basses = has_basses || has_bass(p, bar + place);
    for (int place = 0; place < g->length; place += half) {
        const bool is_beat =
            is_uneven ? is_uneven_beat(place / unit, three) : place % beat == 0;
        n += is_beat;
        const bool is_back = is_beat && n && (!is_even || n % 2),
                   is_kick = place == 0 ||
                             (has_snares &&
                              (has_basses ? has_bass(p, bar + place) : is_beat));
        const int hat = place + (new.swings && !is_beat ? SWUNG : 0);
        const bool may_have_hat =
                       is_beat || (rides ? was_back && new.swings : !new.is_sparse),
                   has_hat = may_have_hat && hat < g->length;
        was_back = is_back;
        g->at[place] += is_kick;
        if (has_hat) {
            g->at[hat] += !(is_kick && hat == place);
            g->keys[hat][rides ? RIDE : HAT]++;
        }
        g->keys[place][SNARE] += is_back && has_snares;
        g->keys[place][FOOT_HAT] += is_back && rides;
        g->keys[place][KICK] += is_kick && !(is_back && has_snares);
        g->has_due[place] = is_back && has_snares && (is_even || n % 2 == 0);
    }
    g->n_bars++;
}

/* Returns the bias of what came in so many bars; without bars 0. */
static float bias_of(const struct groove *g, int count)
{
    const float share = g->n_bars ? (float)count / (float)g->n_bars : 0.5f;
    return (g->is_sparse ? 2 : 1) * GROOVE * (2 * share - 1);
}

static bool is_of_each_bar(const struct groove *g, int count)
{
    return g->n_bars && count == g->n_bars;
}

/* Biases the last beats of a phrase towards a fill of snare and toms, from a floor tom to a high
 * one. */
static void bias_fill(const struct place *at, float nats)
{
    static const uint8_t TOMS[] = {41, 43, 45, 47, 48, 50};
    const int64_t place = at->step - at->bar, half = STEPS_PER_QUARTER / 2;
    for (size_t i = 0; i < sizeof TOMS && place % half == 0; i++)
        bias_add(at, nats / 2, TOKEN_HIT + TOMS[i] - HIT_FIRST, 1);
    bias_add(at, nats, TOKEN_HIT + SNARE, 1);
    bias_add(at, -nats, TOKEN_HIT + HAT, 1);
    bias_add(at, -nats, TOKEN_HIT + RIDE, 1);
    for (int64_t i = 0; i < TOKEN_RADIX && at->bar + at->base + i < at->next_bar; i++)
        if (at->base + i > place && (at->base + i) % half == 0)
            bias_add(at, nats / 2, TOKEN_POS + (int)i, 1);
}

/* Biases the keys at this place of the bar. Returns the cost of leaving it. */
static float bias_keys(const struct groove *g, const struct place *at, int64_t from)
{
    const int64_t place = at->step - at->bar;
    int reached = -1; /* the highest key of the track's hits at this step */
    bool has_snare = false;
    for (const struct grid_note *n = NULL; (n = note_here(at, n));) {
        reached = n->pitch - HIT_FIRST;
        has_snare = has_snare || (reached >= FIRST_SNARE && reached <= LAST_SNARE);
    }
    const bool is_with_bass = !g->is_sparse && has_bass(at->p, at->step),
               lacks = g->has_due[place] && !has_snare;
    float passed = 0; /* keys of each bar, which come in ascending order */
    for (int k = 0; k < HIT_COUNT; k++) {
        const float bias = bias_of(g, g->keys[place][k]) -
                           (at->step > from && is_crash(k + HIT_FIRST) ? CRASH : 0);
        const bool is_kick = k == KICK && is_with_bass;
        bias_add(at, (is_kick ? fmaxf(bias, WITH_BASS) : bias) - passed, TOKEN_HIT + k,
                 1);
        passed += k == LAST_SNARE && lacks                              ? DUE
                  : k == KICK && !place && reached < FIRST_KICK         ? DUE
                  : k > reached && is_of_each_bar(g, g->keys[place][k]) ? PASSED_BY
                                                                        : 0;
    }
    return passed;
}

/* Biases positions after this one. passed: the cost of leaving this one. */
static void bias_positions(const struct groove *g, const struct place *at, float passed)
{
    for (int k = (int)(at->step - at->bar) + 1; k < g->length; k++) {
        const float bias = bias_of(g, g->at[k]);
        const bool is_with_bass =
            bias < WITH_BASS && !g->is_sparse && has_bass(at->p, at->bar + k);
        const float fine = k % (STEPS_PER_QUARTER / 4) &&
                                   (g->is_straight || k % (STEPS_PER_QUARTER / 3))
                               ? FINE
                               : 0;
        if (k >= at->base && k < at->base + TOKEN_RADIX)
            bias_add(at, (is_with_bass ? WITH_BASS : bias) - passed - fine,
                     TOKEN_POS + k - (int)at->base, 1);
        if (is_of_each_bar(g, g->at[k]) || g->has_due[k])
            passed = fminf(passed + PASSED_BY, MOST_PASSED);
    }
    bias_leaving(at, -passed);
}

void groove_bias_apply(struct rules *r, const struct place *at)
{
    const struct new_groove new = r->groove;
    const int64_t from = r->begin;
    const bool are_drums =
        r->is_band ? r->role == BAND_DRUMS : piece_drums(at->p) >> at->track & 1;
    const int64_t place = at->step - at->bar, length = at->next_bar - at->bar;
    /* the beats of a fill: one after four bars, two after eight */
    const struct piece *p = at->p;
    const int64_t index = piece_bar_at(p, at->bar),
                  n_bars = index - piece_bar_at(p, from) + 1,
                  fill = n_bars % PHRASE_BARS         ? 0
                         : n_bars % (2 * PHRASE_BARS) ? !new.is_sparse
                                                      : 2 - new.is_sparse;
    if (!are_drums || length > MOST_PLACES || place >= length)
        return;
    if (place + fill * STEPS_PER_QUARTER >= length) {
        bias_fill(at, new.is_sparse ? 2 * OF_FILL : OF_FILL);
        return;
    }
    struct groove g = {.length = (int)length,
                       .is_sparse = new.is_sparse,
                       .is_straight = new.is_straight};
    for (int64_t b = index - 1; b >= 0 && b >= index - MOST_BARS; b--)
        hear_bar(&g, p, at->track, b);
    for (int64_t b = index + 1;
         b < p->n_bars && g.n_bars < LEAST_BARS && piece_bar_start(p, b) <= new.last;
         b++)
        hear_bar(&g, p, at->track, b);
    for (int i = 0; i < LEAST_BARS && new.drums != DRUMS_FREE; i++)
        add_bar(&g, p, at->bar, new);
    bias_positions(&g, at, bias_keys(&g, at, from));
}
