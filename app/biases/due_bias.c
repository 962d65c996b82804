/* The rule of due notes: see rules.h. */
#include "app/biases/rules.h"

#include "midi/base/larger.h"

#include <string.h>

/* A rhythm of each bar is judged by its RECENT newest bars. Fewer than LEAST_BARS bars with notes of a
 * track, or than LEAST_ONSETS onsets, say nothing. Longer notes than LONGEST steps are not found. */
enum { RECENT = 8, LEAST_BARS = 4, LEAST_ONSETS = 8, LONGEST = 16 * STEPS_PER_QUARTER };

/* A rhythm returns after some bars if this share of its notes does, and by MORE_ALIKE more than
 * after one bar. */
#define ALIKE          0.75f
#define MORE_ALIKE     0.1f
/* Share of notes that return from which the rule holds (LOOSE) and has its full weight (STEADY).
 * Bands repeat, so theirs are lower. */
#define LOOSE          0.8f
#define STEADY         1.1f
#define LOOSE_IN_BAND  0.3f
#define STEADY_IN_BAND 0.7f

/* Costs in nats: PASSED_BY for each expected note that is skipped, at most MOST; STRAY for a note
 * where the track begins none. After HALVED_AFTER steps a band's costs are halved; after GONE_AFTER
 * those of other music are gone. RINGING, for a note that begins while another rings on a track where
 * none did, stays. */
#define PASSED_BY      4.0f
#define MOST           12.0f
#define STRAY          3.0f
#define RINGING        6.0f
#define HALVED_AFTER   (48.0f * STEPS_PER_QUARTER)
#define GONE_AFTER     (16.0f * STEPS_PER_QUARTER)

/* The notes of one track in the bars that are read. */
struct rhythm {
    bool plays[DUE_BARS];            /* whether the bar has any */
    uint8_t n[DUE_BARS][DUE_PLACES]; /* how many begin at each step */
};

static void count_onsets(struct rhythm *r, const struct due_bias *b,
                         const struct piece *p, int track)
{
    const int64_t from = piece_bar_start(p, b->first), to = piece_bar_start(p, b->end);
    const struct grid_note *n = NULL;
    memset(r, 0, sizeof *r);
    while ((n = next_note(p, n, UINT64_C(1) << track, from, to))) {
        const int64_t step = n->step - from;
        r->plays[step / b->length] = true;
        r->n[step / b->length][step % b->length]++; /* 128 pitches at most */
    }
}

/* Returns the share of the notes that come again `period` bars later. */
static float measure_likeness(const struct rhythm *r, int n_bars, int period)
{
    int n_both = 0, n = 0;
    for (int i = period; i < n_bars; i++)
        for (int k = 0; k < DUE_PLACES; k++) {
            const int now = r->n[i][k], before = r->n[i - period][k];
            n_both += 2 * (now < before ? now : before);
            n += now + before;
        }
    return n ? (float)n_both / (float)n : 0;
}

void due_bias_init(struct due_bias *b, const struct piece *p, int64_t from,
                   const bool tracks[TOKEN_MAX_TRACKS], bool is_band)
{
    const float loose = is_band ? LOOSE_IN_BAND : LOOSE,
                steady = is_band ? STEADY_IN_BAND : STEADY;
    struct rhythm r;
    struct track_facts facts[TOKEN_MAX_TRACKS];
    *b = (struct due_bias){.from = from, .is_band = is_band, .bar = -1};
    b->end = b->first = (int32_t)piece_bar_at(p, from);
    b->length = (int)smaller(bar_length(p, b->end), DUE_PLACES + 1);
    while (b->first > 0 && b->first > b->end - DUE_BARS &&
           bar_length(p, b->first - 1) == b->length)
        b->first--;
    analyse_tracks(facts, p, piece_note_at(p, piece_bar_start(p, b->first)),
                   piece_note_at(p, from));
    const int n_bars = b->end - b->first;
    for (int t = 0; b->length <= DUE_PLACES && t < TOKEN_MAX_TRACKS; t++) {
        if (!tracks[t])
            continue;
        b->apart |= (uint64_t)(facts[t].is_apart && facts[t].n_onsets >= LEAST_ONSETS)
                    << t;
        /* after how many bars the rhythm returns, and how steadily */
        count_onsets(&r, b, p, t);
        float most = measure_likeness(&r, n_bars, 1);
        const float least = fmaxf(most + MORE_ALIKE, ALIKE);
        int best = 1;
        for (int period = 2; 2 * period <= n_bars; period++) {
            const float alike = measure_likeness(&r, n_bars, period);
            if (alike > most && alike >= least) {
                most = alike;
                best = period;
            }
        }
        b->steady[t] = fminf(fmaxf((most - loose) / (steady - loose), 0), 1);
        b->period[t] = n_bars < LEAST_BARS || b->steady[t] == 0 ? 0 : (uint8_t)best;
    }
}

/* Finds the fewest notes at a step in the bars that the rhythm repeats in this one; of a rhythm of
 * each bar, one of RECENT bars may have fewer. A note is a stray if none of the bars has one, or of
 * a rhythm of each bar one alone that stands elsewhere in its phrase. Of such rhythms only a band's
 * track is held to that: a funk guitar (A05) with 2.8 onsets in each given bar had 8.2 of its own,
 * and a clavinet those of the stop that ended the given bars. */
static int due_at(const struct due_bias *b, const struct rhythm *r, int period,
                  int64_t bar, int step, bool *is_stray)
{
    int n_bars = 0, n_had = 0, least = UINT8_MAX, second = UINT8_MAX;
    for (int64_t i = b->end - 1; i >= b->first; i--) {
        const int64_t k = i - b->first;
        const int n = r->n[k][step];
        if ((bar - i) % period)
            continue;
        n_had += !n ? 0 : (bar - i) % PHRASE_BARS ? 1 : 2;
        if (period == 1 && (!r->plays[k] || n_bars == RECENT))
            continue;
        second = n < least ? least : n < second ? n : second;
        least = n < least ? n : least;
        n_bars++;
    }
    *is_stray = period > 1 ? !n_had : b->is_band && n_had < 2;
    return n_bars < (period > 1 ? 2 : LEAST_BARS) ? 0
           : n_bars < RECENT                      ? least
                                                  : second;
}

/* Finds the notes that are expected in the bar that begins at this step. */
static void begin_bar(struct due_bias *b, const struct piece *p, int64_t start,
                      uint64_t free_tracks)
{
    struct rhythm r;
    const int64_t bar = piece_bar_at(p, start);
    b->bar = start;
    memset(b->n, 0, sizeof b->n);
    memset(b->n_at, 0, sizeof b->n_at);
    memset(b->may, UINT8_MAX, sizeof b->may);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        if (!b->period[t] || free_tracks >> t & 1)
            continue;
        count_onsets(&r, b, p, t);
        for (int k = 0; k < b->length; k++) {
            bool is_stray;
            b->n[k][t] = (uint8_t)due_at(b, &r, b->period[t], bar, k, &is_stray);
            b->n_at[k] += b->steady[t] * b->n[k][t];
            b->may[k] &= ~((uint64_t)is_stray << t);
        }
    }
}

static float find_weight(const struct due_bias *b, int64_t step)
{
    const float steps = (float)(step - b->from);
    return b->is_band ? 1 - 0.5f * fminf(steps / HALVED_AFTER, 1)
                      : fmaxf(1 - steps / GONE_AFTER, 0);
}

static float cost_of_passing(float n_passed)
{
    return fminf(PASSED_BY * n_passed, MOST);
}

static bool rings(const struct piece *p, int track, int64_t step)
{
    const struct grid_note *n = NULL;
    while ((n = next_note(p, n, UINT64_C(1) << track, step - LONGEST, step)))
        if (n->step + n->length > step)
            return true;
    return false;
}

/* Biases the tokens of a note that begins here, by its track, and those that go on to a later step of
 * the bar, or leave it, by the expected notes that are not there yet. */
static void bias_onsets(const struct due_bias *b, const struct place *at)
{
    const struct piece *p = at->p;
    const int here = (int)(at->step - b->bar);
    const float weight = -find_weight(b, at->step);
    float lacks[DUE_PLACES], n_passed = 0; /* expected notes, by step */
    float here_of[TOKEN_MAX_TRACKS] = {0}; /* those of this step that are there */
    int n_same = 0, reached = 0;
    memcpy(lacks, b->n_at, sizeof lacks);
    for (size_t i = piece_note_at(p, at->step);
         i < p->n_notes && p->notes[i].step < b->bar + b->length; i++) {
        const struct grid_note *n = &p->notes[i];
        n_same = n_same && grid_notes_are_chord(n, n - 1) ? n_same + 1 : 1;
        const bool is_due = n_same <= b->n[n->step - b->bar][n->track];
        const float steady = is_due ? b->steady[n->track] : 0;
        lacks[n->step - b->bar] -= steady;
        here_of[n->track] += n->step == at->step ? steady : 0;
        reached = n->step == at->step ? n->track : reached; /* they ascend */
    }
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const bool strays = !(b->may[here] >> t & 1),
                   is_late = b->apart >> t & 1 && rings(p, t, at->step);
        bias_track(
            at,
            weight * (cost_of_passing(n_passed) + (strays ? b->steady[t] * STRAY : 0)) -
                (is_late ? RINGING : 0),
            t);
        /* what is due on earlier tracks was passed by */
        n_passed += t < reached ? 0 : b->steady[t] * (float)b->n[here][t] - here_of[t];
    }
    for (int k = here + 1; k < b->length; n_passed += lacks[k++]) {
        const float cost = weight * cost_of_passing(n_passed);
        bias_onset(at, cost, k);
        if (k == TOKEN_RADIX && !at->base)
            bias_add(at, cost, TOKEN_POSX, 1);
    }
    bias_leaving(at, weight * cost_of_passing(n_passed));
}

/* Biases lengths unlike those of the piece at this position, in the bars that the rhythm repeats in
 * this one, and lengths by which a note of a line would last beyond the next expected one. */
static void bias_lengths(const struct due_bias *b, const struct place *at)
{
    const struct piece *p = at->p;
    const int here = (int)(at->step - b->bar);
    int64_t shortest = 0, longest = 0;
    int next = here + 1;
    if (at->track < 0 || !b->period[at->track] || token_kind(at->last) == TOKEN_DURX)
        return;
    for (int64_t k = b->first, bar = piece_bar_at(p, at->bar); k < b->end; k++) {
        const int64_t step = piece_bar_start(p, k) + here;
        const struct grid_note *n = NULL;
        while ((bar - k) % b->period[at->track] == 0 &&
               (n = next_note(p, n, UINT64_C(1) << at->track, step, step + 1))) {
            shortest = longest ? smaller(shortest, n->length) : n->length;
            longest = larger(longest, n->length);
        }
    }
    int64_t most = longest ? longest + longest / 2 : INT32_MAX;
    while (next < b->length && !b->n[next][at->track])
        next++;
    if (next < b->length && b->apart >> at->track & 1)
        most = smaller(most, next - here);
    const float cost = -find_weight(b, at->step) * b->steady[at->track] * PASSED_BY;
    bias_shorter(at, cost, (float)smaller(shortest / 2, most + 1));
    bias_longer(at, cost, most);
}

void due_bias_apply(struct due_bias *b, const struct place *at, uint64_t free_tracks)
{
    const struct piece *p = at->p;
    if (b->first == b->end || at->step >= at->bar + b->length ||
        bar_length(p, piece_bar_at(p, at->bar)) != b->length)
        return;
    if (b->bar != at->bar)
        begin_bar(b, p, at->bar, free_tracks);
    if (memchr(at->allowed + TOKEN_DUR, 1, TOKEN_RADIX))
        bias_lengths(b, at);
    else
        bias_onsets(b, at);
}
