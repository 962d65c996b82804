/* The rule of cadences: see rules.h. */
#include "app/biases/rules.h"

#include "midi/base/larger.h"

/* Costs as shares of the bound: of a wrong note in the upper voices (VOICES); of a last note that is
 * not held (HELD); of more notes once the tonic is in the bass (ENOUGH). AT_FIRST is the share of
 * costs at the bar line; from the middle of the bar on they are whole. A band ends together, on the
 * bar line, so its costs are whole. Its lengths cost FIRM times as much, since a model that has read a
 * steady bass gives a held note e^-8. */
#define VOICES   0.5f
#define HELD     0.5f
#define ENOUGH   0.4f
#define AT_FIRST 0.3f
#define FIRM     2.0f
/* Cost of a bass that is not the dominant's before the last bar. Of 24 closes of a quartet, a hymn and
 * a tune 20 ended on the tonic, but 3 had a dominant before it. */
#define BEFORE   0.75f
/* Costs of leaving the bar before the last without a dominant (DUE), and of a track behind one that
 * the end lacks (PASSED). */
#define DUE      0.5f
#define PASSED   0.35f
/* Cost of a tonic to which no dominant has led, while one may still come: chorales with a pickup close
 * within their last bar. */
#define TOO_SOON 0.25f
/* Cost of a highest track that does not end on the tonic. */
#define ON_TOP   0.75f

/* A voice that plays to the end has notes in so many bars before the take. */
enum { OF_LATE = 8 };

/* Returns whether only one pitched track has notes, of which no two sound at once. */
static bool is_tune(const struct track_facts *tracks, const struct piece *p)
{
    const uint64_t pitched = piece_tracks(p) & ~piece_drums(p);
    return !(pitched & (pitched - 1)) &&
           (!pitched || tracks[__builtin_ctzll(pitched)].is_line);
}

int64_t cadence_dominant(const struct piece *p, int64_t bar)
{
    const int64_t start = piece_bar_start(p, bar),
                  half = (start - piece_bar_start(p, larger(bar - 1, 0))) / 2;
    return start - larger(half - half % STEPS_PER_QUARTER, STEPS_PER_QUARTER);
}

struct cadence cadence_for(const struct piece *p, const struct signature *signature,
                           const struct fill_request *request, int64_t from, int64_t to,
                           float weight)
{
    struct cadence c = {.weight = weight};
    struct track_facts tracks[TOKEN_MAX_TRACKS];
    if (!request->close || weight <= 0.0f)
        return (struct cadence){0};
    analyse_tracks(tracks, p, 0, p->n_notes);
    const uint64_t asked = request->tracks & ~piece_drums(p);
    c.bass = find_outer_track(tracks, asked, false);
    c.top = find_outer_track(tracks, asked, true);
    if (c.bass < 0 && asked) /* nobody plays yet */
        c.bass = __builtin_ctzll(asked);
    const struct piece_key key = piece_key(p, signature, from, to);
    if (c.bass < 0 || key.tonic < 0)
        return (struct cadence){0};
    const int tonic = key.tonic, third = (tonic + (key.is_minor ? 3 : 4)) % 12,
              fifth = (tonic + 7) % 12;
    const int64_t last = piece_bar_at(p, to - 1);
    c.tonic = tonic;
    c.triad = (uint16_t)(1 << tonic | 1 << third | 1 << fifth);
    const int64_t of_late = larger(piece_bar_at(p, from) - OF_LATE, 0);
    c.voices = asked & tracks_begin(p, piece_bar_start(p, of_late), from);
    c.is_band = piece_drums(p);
    c.is_tune = is_tune(tracks, p);
    c.before = cadence_dominant(p, last);
    c.approach = piece_bar_start(p, larger(last - 1, 0));
    c.from = piece_bar_start(p, last);
    c.to = to;
    return c;
}

bool cadence_is_needed(const struct cadence *c, int64_t step)
{
    return c->weight > 0.0f && step >= c->from;
}

bool cadence_is_near(const struct cadence *c, int64_t step)
{
    return c->weight > 0.0f && step >= c->before;
}

/* Returns the bound by the weight. */
static float find_bound(const struct cadence *c)
{
    return CADENCE_BOUND * fminf(c->weight, 1);
}

/* Returns whether the pitch is a bass of the dominant, V or VII, or any of its tones. */
static bool is_dominant(const struct cadence *c, int pitch, bool is_bass)
{
    const int above = (pitch - c->tonic + 12) % 12;
    return above == 7 || above == 11 || (!is_bass && (above == 2 || above == 5));
}

/* Returns whether no dominant has led the bass to this step: the newest of its notes in the step's bar
 * and the one before that are no tonic or third is not V or VII. */
static bool is_open(const struct cadence *c, const struct piece *p, int64_t step)
{
    const int64_t bar = piece_bar_at(p, step) - 1,
                  from = piece_bar_start(p, larger(bar, 0));
    for (size_t i = piece_note_at(p, step); i > 0 && p->notes[i - 1].step >= from;
         i--) {
        const struct grid_note *n = &p->notes[i - 1];
        const int above = (n->pitch - c->tonic + 12) % 12;
        if (n->track == c->bass && above != 0 && above != 3 && above != 4)
            return !is_dominant(c, n->pitch, true);
    }
    return true;
}

struct sounding cadence_listen(const struct cadence *c, const struct place *at)
{
    const struct piece *p = at->p;
    if (c->weight <= 0 || at->step < c->approach)
        return (struct sounding){.lowest = 128};
    struct sounding s = {.lowest = 128, .is_open = is_open(c, p, at->step)};
    for (size_t i = 0; i < p->n_notes && p->notes[i].step <= at->step; i++) {
        const struct grid_note *n = &p->notes[i];
        const int64_t end = (int64_t)n->step + n->length;
        if (end > at->step && !piece_is_hit(p, n) && n->pitch < s.lowest)
            s.lowest = n->pitch;
        s.heard |= (uint64_t)(end > c->from) << n->track;
    }
    return s;
}

/* Biases pitches before the last bar towards V or VII with their seventh. */
static void bias_dominant(const struct cadence *c, const struct sounding *s,
                          const struct place *at)
{
    const float cost = BEFORE * find_bound(c);
    for (int p = 0; p < N_PITCHES; p++) {
        const bool is_bass = at->track == c->bass && p < s->lowest && !c->is_tune,
                   leads_to_octaves = at->track == c->top && at->track != c->bass &&
                                      (p - c->tonic + 12) % 12 == 7;
        if (!is_dominant(c, p, is_bass) || leads_to_octaves)
            bias_pitch(at, is_bass ? -cost : -VOICES * cost, p);
    }
}

/* Biases all tokens before the last bar. What the last chord lacks ends before it, and so does the bass
 * of the dominant. Leaving the bar over another bass costs. */
static void bias_before(const struct cadence *c, const struct sounding *s,
                        const struct place *at)
{
    const bool is_near = cadence_is_near(c, at->step), is_bass = at->track == c->bass;
    if (is_near && !place_has_length(at))
        bias_dominant(c, s, at);
    else if (is_near && (is_bass || !(c->triad >> at->pitch % 12 & 1)))
        bias_longer(at, -BEFORE * find_bound(c), c->from - at->step);
    if (!is_near || s->lowest == 128 || !is_dominant(c, s->lowest, !c->is_tune))
        bias_add(at, -DUE * find_bound(c), TOKEN_BAR, 1);
}

/* Returns the cost of a wrong note at a step of the last bar. */
static float cost_at(const struct cadence *c, int64_t step)
{
    const float done = 2.0f * (float)(step - c->from) / (float)(c->to - c->from),
                share = AT_FIRST + (1 - AT_FIRST) * fminf(done, 1);
    return CADENCE_BOUND * fminf(c->weight * (c->is_band ? 1 : share), 1);
}

/* Returns whether a dominant may still come in the last bar. */
static bool may_lead(const struct cadence *c, const struct sounding *s,
                     const struct place *at)
{
    return s->is_open && !c->is_band && !c->is_tune &&
           2 * (at->step - c->from) < c->to - c->from;
}

static void bias_pitches(const struct cadence *c, const struct sounding *s,
                         const struct place *at)
{
    const float cost = cost_at(c, at->step), most = find_bound(c);
    const bool leads = may_lead(c, s, at);
    for (int p = 0; p < N_PITCHES; p++) {
        const bool is_bass = at->track == c->bass && p < s->lowest,
                   is_end = is_bass ? p % 12 == c->tonic : c->triad >> p % 12 & 1;
        float nats = 0;
        if (!is_end && !(leads && is_dominant(c, p, is_bass)))
            nats = is_bass ? cost : VOICES * cost;
        else if (is_bass && is_end && leads)
            nats = TOO_SOON * most;
        if (!is_bass && at->track == c->top && p % 12 != c->tonic && !leads)
            nats = fminf(nats + ON_TOP * most, most);
        bias_pitch(at, -nats, p);
    }
}

/* Biases lengths: a note of the last chord is held to the end, and another ends before. */
static void bias_lengths(const struct cadence *c, const struct sounding *s,
                         const struct place *at)
{
    const int class = at->pitch % 12;
    const bool is_bass = at->track == c->bass && at->pitch <= s->lowest,
               is_right = is_bass ? class == c->tonic : c->triad >> class & 1;
    const float cost = c->is_band   ? FIRM * cost_at(c, at->step)
                       : s->is_open ? HELD * cost_at(c, at->step)
                                    : find_bound(c);
    for (int d = 1; d <= TOKEN_RADIX; d++) {
        const bool is_held = at->step + at->held + d >= c->to;
        bias_add(at, is_held != is_right ? -cost : 0, TOKEN_DUR + d - 1, 1);
    }
}

static void bias_end(const struct cadence *c, const struct sounding *s,
                     const struct place *at)
{
    const float most = find_bound(c);
    const uint64_t lacks = c->voices & ~s->heard;
    const bool is_tonic = s->lowest < 128 && s->lowest % 12 == c->tonic,
               leads = may_lead(c, s, at),
               ends = lacks ? at->track < 0 || lacks >> at->track >> 1
                            : is_tonic && !leads; /* a lacking one may come here */
    (place_has_length(at) ? bias_lengths : bias_pitches)(c, s, at);
    if (lacks) { /* tracks come in ascending order */
        const int next = __builtin_ctzll(lacks) + 1;
        bias_add(at, -PASSED * most, TOKEN_TRACK + next, TOKEN_MAX_TRACKS - next);
    }
    if (lacks || !is_tonic || leads)
        bias_add(at, lacks || !is_tonic ? -most : -TOO_SOON * most, TOKEN_FILL_END, 1);
    if (ends) { /* later positions in the bar of this onset */
        const int first = at->step == c->from ? TOKEN_POS + 1 : TOKEN_POS;
        bias_add(at, -(c->is_band ? most : ENOUGH * most), first, TOKEN_TRACK - first);
    }
}

void cadence_apply(const struct cadence *c, const struct sounding *s,
                   const struct place *at)
{
    if (c->weight > 0 && at->step < c->from)
        bias_add(at, -find_bound(c), TOKEN_FILL_END, 1);
    if (c->weight > 0 && at->step >= c->approach)
        (at->step < c->from ? bias_before : bias_end)(c, s, at);
}
