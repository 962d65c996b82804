/* The table of rules: see rules.h. */
#include "app/biases/rules.h"

#include <stdio.h>
#include <string.h>

/* Gains in nats of a chord that the model writes: HEARD if the given bars have it, and OFTEN times the
 * rate of changes above SELDOM. */
#define HEARD     1.0f
#define OFTEN     2.0f
#define SELDOM    0.25f

/* The cost of a bar of a band's track without a note. */
#define EMPTY_BAR 4.0f

/* The cost of a position in the beat that is no sixteenth or triplet, and that no given note has. A
 * trumpet (A24) had two notes of a step each before its next ones, new drums a bar of
 * thirty-seconds. */
#define OFF_GRID  8.0f

/* -- what each rule does at a place -- */

static void apply_grid(struct rules *r, const struct place *at)
{
    for (int i = 0; i < TOKEN_RADIX; i++)
        if (!(r->grid >> (at->base + i) % STEPS_PER_QUARTER & 1))
            bias_add(at, -OFF_GRID, TOKEN_POS + i, 1);
}

static void apply_taste(struct rules *r, const struct place *at)
{
    if (r->taste)
        taste_apply(r->taste, at);
}

static void apply_cadence(struct rules *r, const struct place *at)
{
    const struct sounding s = cadence_listen(&r->cadence, at);
    cadence_apply(&r->cadence, &s, at);
}

/* Biases the model's chords towards those of the given bars and of their key, and towards changes as
 * often as there. */
static void apply_new_chords(struct rules *r, const struct place *at)
{
    const struct piece *p = at->p;
    if (!memchr(at->allowed + TOKEN_CHORD, 1, TOKEN_BASS - TOKEN_CHORD))
        return;
    for (int i = 0; i < 12 * CHORD_QUALITIES; i++) {
        const struct grid_chord c = {.root = (uint8_t)(i / CHORD_QUALITIES),
                                     .quality = (uint8_t)(i % CHORD_QUALITIES)};
        float nats =
            OFTEN * fmaxf(r->rate - SELDOM, 0) - chord_bias_cost(&c, r->key_bias.cost);
        for (size_t k = 0; k < p->n_chords && p->chords[k].step < r->from; k++)
            if (p->chords[k].root == c.root && p->chords[k].quality == c.quality) {
                nats += HEARD;
                break;
            }
        bias_add(at, nats, TOKEN_CHORD + i, 1);
    }
}

static void apply_due(struct rules *r, const struct place *at)
{
    due_bias_apply(&r->due, at,
                   form_rests(&r->form, at->p, at->bar) |
                       breath_bias_due(&r->breath, at->p, at->bar) |
                       turn_bias_due(&r->turn, at->p, at->bar));
}

/* A band plays over its chords; its tune, if it begins, only on halves of the bar. */
static void apply_chords_of_band(struct rules *r, const struct place *at)
{
    const bool is_tune = band_role_is_first(r->role),
               is_half = 2 * (at->step - at->bar) % (at->next_bar - at->bar) == 0;
    if (r->is_band && (!is_tune || (r->begins && is_half)))
        chord_bias_pitches(r, at);
    if (r->is_band && !is_tune)
        chord_bias_lengths(r, at);
}

/* A new bass may walk, but for the close. */
static void apply_walk(struct rules *r, const struct place *at)
{
    const bool is_bass =
        r->is_band ? r->role == BAND_BASS : at->track == r->chords.bass;
    if (r->walks && is_bass && !cadence_is_needed(&r->cadence, at->step))
        walk_bias_apply(chord_bias_next(&r->chords, at->step), at);
}

/* A bass that walked goes on; its rhythm is due. */
static void apply_walk_on(struct rules *r, const struct place *at)
{
    if (r->walks_on && at->track == r->chords.bass)
        walk_bias_pitches(chord_bias_next(&r->chords, at->step), at);
}

void rules_check_parallel(struct rules *r, const struct piece *p)
{
    const bool are_known =
        r->source == CHORDS_FORM || (r->source == CHORDS_NONE && r->chords.weight > 0);
    if (are_known && parallel_bias_returns(&r->parallel, r->parallel.from) &&
        !parallel_bias_fits(&r->parallel, p->chords, p->n_chords))
        r->parallel = (struct parallel_bias){0};
}

static void apply_parallel(struct rules *r, const struct place *at)
{
    if (r->is_band && !band_role_is_first(r->role))
        return;
    if (piece_bar_at(at->p, at->bar) % PHRASE_BARS == 0 &&
        !parallel_bias_returns(&r->parallel, at->bar)) {
        const struct parallel_bias b = form_return(&r->form, at->p, at->bar);
        if (b.to) {
            r->parallel = b;
            r->parallel.tracks = r->is_band ? UINT64_C(1) << r->track : UINT64_MAX;
            rules_check_parallel(r, at->p);
        }
    }
    parallel_bias_apply(&r->parallel, at);
}

/* A band's track begins notes in each bar of its turn, but where the form lets it rest. A melody's
 * piano and bass ended their turns a bar early, under its half cadence. */
static void apply_bars_of_band(struct rules *r, const struct place *at)
{
    const bool rests = form_rests(&r->form, at->p, at->bar) >> at->track & 1,
               is_last = at->next_bar >= at->end;
    if (!r->is_band || rests)
        return;
    if (!(tracks_begin(at->p, at->bar, at->step + 1) >> at->track & 1))
        bias_leaving(at, -EMPTY_BAR);
    else if (!is_last)
        bias_add(at, -EMPTY_BAR, TOKEN_FILL_END, 1);
}

/* -- the table -- */

/* Properties of a row. */
enum {
    MOTIF = 1,      /* it is off in a motif that is varied, */
    NEAR_CLOSE = 2, /* near a close, which has chords of its own, */
    CLOSE = 4,      /* in the last bar of a close, which has lengths of its own, */
    RETURN = 8,     /* in a passage that returns, with its own key and rhythms, */
    BAND = 16,      /* or in a band */
    PITCHES = 32,   /* it biases pitches alone, whose share of the probability stays */
    KEEPS = 64,     /* it is the first of the rows that passing tones undo */
    NEW = 128,      /* it is for the track written anew alone; without one it is off */
};

static const struct rule {
    const char *name;
    void (*apply)(struct rules *r, const struct place *at);
    unsigned flags;
} RULES[] = {
    {"plan", NULL, 0}, /* of the harmony, before the notes: by take_decoder.c */
    {"taste", apply_taste, 0},
    {"grid", apply_grid, RETURN},
    {"control", control_bias_apply, MOTIF},
    {"cadence", apply_cadence, MOTIF},
    {"new_chords", apply_new_chords, 0},
    {"key", key_bias_apply, PITCHES | RETURN},
    {"voice_leading", voice_leading_apply, PITCHES},
    {"clash", clash_bias_apply, PITCHES | KEEPS},
    {"chord", chord_bias_pitches, PITCHES | NEAR_CLOSE | RETURN | BAND},
    {"passing_tones", passing_tones_apply, PITCHES | NEAR_CLOSE},
    {"chord", chord_bias_lengths, CLOSE | RETURN | BAND},
    {"due", apply_due, CLOSE | RETURN},
    {"turn", turn_bias_apply, CLOSE | RETURN},
    {"breath", breath_bias_apply, CLOSE},
    {"form", breath_bias_silence, CLOSE},
    {"opening", opening_bias_apply, RETURN | NEW},
    {"chord", apply_chords_of_band, NEW},
    {"groove", groove_bias_apply, NEW},
    {"walk", apply_walk, NEW},
    {"walk", apply_walk_on, NEAR_CLOSE | RETURN},
    {"figure", figure_bias_apply, NEW},
    {"parallel", apply_parallel, 0},
    {"activity", activity_bias_apply, 0},
    {"activity", apply_bars_of_band, NEW},
    {"drift", drift_bias_apply, 0},
    {"copies", drift_bias_copies, RETURN},
};
enum { N_RULES = sizeof RULES / sizeof RULES[0] };
_Static_assert(N_RULES <= 32, "each has a bit of rules_bits");

uint32_t rules_bits(const char *name, size_t n)
{
    uint32_t bits = 0;
    for (int i = 0; i < N_RULES; i++)
        if (strlen(RULES[i].name) == n && !strncmp(RULES[i].name, name, n))
            bits |= UINT32_C(1) << i;
    return bits;
}

bool rules_leave_out(const struct rules *r, const char *name)
{
    return !(rules_bits(name, strlen(name)) & ~r->without);
}

char *rules_list(char *buf, size_t n_buf)
{
    size_t n = 0;
    for (int i = 0; i < N_RULES && n < n_buf; i++) {
        const char *name = RULES[i].name;
        if (rules_bits(name, strlen(name)) >> i == 1) /* its last row */
            n += (size_t)snprintf(buf + n, n_buf - n, n ? ", %s" : "%s", name);
    }
    return buf;
}

void rules_apply(struct rules *r, const struct place *at, bool is_varying)
{
    struct place own = *at;
    /* The track that is written anew alone: the band's track whose turn it is, or the only one that was
     * missing; -1: there is none. */
    const bool is_one =
        r->missing == r->tracks && __builtin_popcountll(r->missing) == 1;
    own.track = r->is_band ? r->track : is_one ? __builtin_ctzll(r->missing) : -1;
    const bool has_pitch = memchr(at->allowed + TOKEN_PITCH, 1, N_PITCHES);
    const unsigned off = (is_varying ? MOTIF : 0) | (r->is_band ? BAND : 0) |
                         (has_pitch ? 0 : PITCHES) | (own.track < 0 ? NEW : 0) |
                         (cadence_is_near(&r->cadence, at->step) ? NEAR_CLOSE : 0) |
                         (cadence_is_needed(&r->cadence, at->step) ? CLOSE : 0) |
                         (parallel_bias_returns(&r->parallel, at->step) ? RETURN : 0);
    float sum = 0;
    for (int i = 0; i < N_RULES; i++) {
        const unsigned flags = RULES[i].flags;
        const bool is_first = i == 0 || !(RULES[i - 1].flags & PITCHES),
                   is_last = i + 1 == N_RULES || !(RULES[i + 1].flags & PITCHES);
        if (flags & PITCHES && is_first)
            sum = bias_sum(at, TOKEN_PITCH, N_PITCHES);
        if (flags & KEEPS)
            memcpy(r->kept, at->logits + TOKEN_PITCH, sizeof r->kept);
        if (RULES[i].apply && !(flags & off) && !(r->without >> i & 1))
            RULES[i].apply(r, flags & NEW ? &own : at);
        if (flags & PITCHES && is_last && has_pitch)
            bias_keep_sum(at, sum, TOKEN_PITCH, N_PITCHES);
    }
}

void rules_hear(struct rules *r, const struct grid_note *n)
{
    drift_bias_add(&r->drift, n);
    parallel_bias_add(&r->parallel, n);
}
