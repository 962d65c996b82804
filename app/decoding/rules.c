/* See rules.h. */
#include "app/decoding/rules.h"

#include "app/base/draw.h"
#include "app/biases/clash_bias.h"
#include "app/biases/figure_bias.h"
#include "app/biases/opening_bias.h"
#include "app/biases/walk_bias.h"

#include <stdio.h>
#include <string.h>

/* Nats of a chord that the model writes, if the given bars have it; and for a rate of changes
 * above SELDOM, times the difference. */
#define HEARD             1.0f
#define OFTEN             2.0f
#define SELDOM            0.25f

/* Weight of the control bias for each unit of guidance above 1, which is as learnt. */
#define BIAS_PER_GUIDANCE 0.9f
#define BIAS_OF_BAND      0.6f /* whose wishes are not the user's */

/* The weight of a close for which nobody asked, but the given phrases. */
#define CLOSES_AS_GIVEN   0.9f

/* The cost of a bar of a band's track without a note. */
#define EMPTY_BAR         4.0f

/* How strictly chords bind, of 1: people keep to those that are written in 0.84 of a bass's time
 * and 0.90 of a piano's; at 1 it is .99 and .96, at 0 .70 and .74. */
#define WRITTEN           0.5f
#define GUESSED           0.5f

/* Nats against a position within the beat that is no sixteenth or triplet, and that no given note has. A
 * trumpet (A24) had two notes of a step each before its next ones, new drums a bar of thirty-seconds. */
#define OFF_GRID          8.0f

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

static void apply_control(struct rules *r, const struct place *at)
{
    control_bias_apply(&r->controls, at);
}

static void apply_cadence(struct rules *r, const struct place *at)
{
    const struct sounding s = cadence_listen(&r->cadence, at);
    cadence_apply(&r->cadence, &s, at);
}

/* The model's chords are those of the given bars, and of their key, rather than others; they
 * change as often. */
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

static void apply_key(struct rules *r, const struct place *at)
{
    key_bias_apply(&r->key_bias, at);
}

static void apply_voice_leading(struct rules *r, const struct place *at)
{
    voice_leading_apply(&r->voice_leading, chord_bias_leading(&r->chords, at->step),
                        at);
}

static void apply_clash(struct rules *r, const struct place *at)
{
    clash_bias_apply(r->clash, at);
}

static void apply_chords(struct rules *r, const struct place *at)
{
    chord_bias_pitches(&r->chords, at);
}

static void apply_passing_tones(struct rules *r, const struct place *at)
{
    if (at->track == r->highest)
        passing_tones_free(&r->chords, at, r->kept);
}

static void apply_chord_lengths(struct rules *r, const struct place *at)
{
    chord_bias_lengths(&r->chords, at);
}

static void apply_due(struct rules *r, const struct place *at)
{
    due_bias_apply(&r->due, at,
                   form_rests(&r->form, at->p, at->bar) |
                       breath_bias_due(&r->breath, at->p, at->bar) |
                       turn_bias_due(&r->turn, at->p, at->bar));
}

/* What returns has its own rests, but notes that are added at the end of a tune that begins. */
static void apply_breath(struct rules *r, const struct place *at)
{
    if (r->begins || !parallel_bias_returns(&r->parallel, at->step))
        breath_bias_apply(&r->breath, at);
}

static void apply_layers(struct rules *r, const struct place *at)
{
    breath_bias_silence(&r->breath, at, form_rests(&r->form, at->p, at->bar));
}

static void apply_opening(struct rules *r, const struct place *at)
{
    struct place own = *at;
    own.track = r->track;
    if (r->begins && band_role_is_first(r->role))
        opening_bias_apply(&own);
}

static void apply_turn(struct rules *r, const struct place *at)
{
    turn_bias_apply(&r->turn, at, form_rests(&r->form, at->p, at->bar));
}

/* The track that is written anew alone: a band's, whose turn it is, or one that was missing; -1:
 * there is none. */
static int new_track(const struct rules *r)
{
    const bool is_one =
        r->missing == r->tracks && __builtin_popcountll(r->missing) == 1;
    return r->is_band ? r->track : is_one ? __builtin_ctzll(r->missing) : -1;
}

/* A band plays over its chords; its tune, if it begins, only on halves of the bar. */
static void apply_chords_of_band(struct rules *r, const struct place *at)
{
    const bool is_tune = band_role_is_first(r->role),
               is_half = 2 * (at->step - at->bar) % (at->next_bar - at->bar) == 0;
    if (r->is_band && (!is_tune || (r->begins && is_half)))
        chord_bias_pitches(&r->chords, at);
    if (r->is_band && !is_tune)
        chord_bias_lengths(&r->chords, at);
}

/* Drums that were missing have a plain groove. */
static void apply_groove(struct rules *r, const struct place *at)
{
    const bool are_drums =
        r->is_band ? r->role == BAND_DRUMS : piece_drums(at->p) >> at->track & 1;
    if (are_drums)
        groove_bias_apply(at, r->begin, r->groove);
}

static void apply_figure(struct rules *r, const struct place *at)
{
    if (r->has_figure)
        figure_bias_apply(chord_bias_in_force(&r->chords, at->step), at, r->from);
}

static bool is_bass(const struct rules *r, const struct place *at)
{
    return r->is_band ? r->role == BAND_BASS : at->track == r->chords.bass;
}

/* A new bass may walk, but for the close. */
static bool walks_there(const struct rules *r, const struct place *at)
{
    return r->walks && is_bass(r, at) && !cadence_is_needed(&r->cadence, at->step);
}

static void apply_walk(struct rules *r, const struct place *at)
{
    if (walks_there(r, at))
        walk_bias_apply(chord_bias_next(&r->chords, at->step), at);
}

/* A bass that walked goes on; its rhythm is due. */
static void apply_walk_on(struct rules *r, const struct place *at)
{
    if (r->walks_on && at->track == r->chords.bass)
        walk_bias_pitches(chord_bias_next(&r->chords, at->step), at);
}

/* Those who carry the chords begin a note with them. */
static void apply_chord_onsets(struct rules *r, const struct place *at)
{
    const bool carries = is_bass(r, at) || (r->is_band && r->role == BAND_CHORDS);
    if (carries && !walks_there(r, at))
        chord_bias_onsets(&r->chords, at,
                          find_past(at->p, at->track, at->step + 1).step);
}

/* What returns is left out if the chords that are known there are not those of the passage. */
static void check_parallel(struct rules *r, const struct piece *p)
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
            check_parallel(r, at->p);
        }
    }
    parallel_bias_apply(&r->parallel, at);
}

static void apply_activity(struct rules *r, const struct place *at)
{
    activity_bias_apply(&r->activity, at);
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

static void apply_drift(struct rules *r, const struct place *at)
{
    drift_bias_apply(&r->drift, at);
}

static void apply_copies(struct rules *r, const struct place *at)
{
    drift_bias_copies(&r->drift, at);
}

/* -- the table -- */

/* What is said of a rule. */
enum {
    MOTIF = 1,      /* does not hold in a motif that is varied, */
    NEAR_CLOSE = 2, /* near a close, which has chords of its own, */
    CLOSE = 4,      /* in its last bar, which has lengths of its own, */
    RETURN = 8,     /* in a passage that returns, which has its key and rhythms, */
    BAND = 16,      /* in a band */
    PITCHES = 32,   /* biases pitches alone, whose share of the probability stays */
    KEEPS = 64,     /* is the first of those that passing tones undo, */
    NEW = 128,      /* is for the track that is written anew alone, if there is one */
};

static const struct rule {
    const char *name;
    void (*apply)(struct rules *r, const struct place *at);
    unsigned flags;
} RULES[] = {
    {"plan", NULL, 0}, /* of the harmony, before the notes: by take_decoder.c */
    {"taste", apply_taste, 0},
    {"grid", apply_grid, RETURN},
    {"control", apply_control, MOTIF},
    {"cadence", apply_cadence, MOTIF},
    {"new_chords", apply_new_chords, 0},
    {"key", apply_key, PITCHES | RETURN},
    {"voice_leading", apply_voice_leading, PITCHES},
    {"clash", apply_clash, PITCHES | KEEPS},
    {"chord", apply_chords, PITCHES | NEAR_CLOSE | RETURN | BAND},
    {"passing_tones", apply_passing_tones, PITCHES | NEAR_CLOSE},
    {"chord", apply_chord_lengths, CLOSE | RETURN | BAND},
    {"due", apply_due, CLOSE | RETURN},
    {"turn", apply_turn, CLOSE | RETURN},
    {"breath", apply_breath, CLOSE},
    {"form", apply_layers, CLOSE},
    {"opening", apply_opening, RETURN},
    {"chord", apply_chords_of_band, NEW},
    {"groove", apply_groove, NEW},
    {"walk", apply_walk, NEW},
    {"walk", apply_walk_on, NEAR_CLOSE | RETURN},
    {"figure", apply_figure, NEW},
    {"chord", apply_chord_onsets, NEW},
    {"parallel", apply_parallel, 0},
    {"activity", apply_activity, 0},
    {"activity", apply_bars_of_band, NEW},
    {"drift", apply_drift, 0},
    {"copies", apply_copies, RETURN},
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
    own.track = new_track(r);
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

/* -- the aim -- */

/* What is requested may be unlike the piece, whose habits then count for less. */
static void let_differ(struct rules *r, const struct fill_request *q)
{
    if (q->density != FILL_ANY || q->polyphony != FILL_ANY || q->length != FILL_ANY ||
        q->height != FILL_ANY) {
        r->due = (struct due_bias){0};
        drift_bias_let_differ(&r->drift, q->height != FILL_ANY);
    }
}

/* Of a hole, what lies around it is read, in all tracks; of a continuation, what lies before. */
static int64_t end_of_given(const struct context *c, int64_t from, int64_t to)
{
    enum { BARS_AFTER = 8 };
    const struct piece *p = &c->music;
    return c->is_hole ? piece_bar_start(p, piece_bar_at(p, to - 1) + 1 + BARS_AFTER)
                      : from;
}

/* The pitched track, of those that play or will, which lies lowest: a bass's, or else by the mean
 * pitch of its notes, or the middle of its range; of equals the last. -1: there is none. */
static int find_lowest(const struct context *c, const struct track_facts *tracks,
                       uint64_t missing)
{
    const struct piece *p = &c->music;
    double least = INFINITY;
    int lowest = -1;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const double mean = p->families[t] == FAMILY_BASSES ? 0
                            : tracks[t].n                   ? track_mean(&tracks[t])
                            : missing >> t & 1
                                ? (c->hole.low[t] + c->hole.high[t]) / 2.0
                                : INFINITY;
        const bool plays = tracks[t].n > 0 || (missing >> t & 1);
        if (!plays || p->families[t] == FAMILY_DRUMS || mean > least)
            continue;
        least = mean;
        lowest = t;
    }
    return lowest;
}

/* What binds: the chords that are written there, or those of the plan, which an answer keeps to
 * itself. */
static void find_chords(struct rules *r, const struct context *c,
                        const struct track_facts *tracks, const struct rules_aim *a)
{
    static const float WEIGHTS[] = {[CHORDS_WRITTEN] = WRITTEN,
                                    [CHORDS_OTHERS] = GUESSED,
                                    [CHORDS_TUNE] = GUESSED,
                                    [CHORDS_FORM] = WRITTEN,
                                    [CHORDS_MODEL] = GUESSED};
    const struct piece *p = &c->music;
    const bool is_own = a->harmony->n > 0,
               goes_on = piece_note_at(p, a->to) < p->n_notes,
               is_written = p->n_chords && (r->is_band || goes_on ||
                                            p->chords[p->n_chords - 1].step >= a->from);
    r->source = a->harmony->source;
    r->rate = a->harmony->rate;
    r->chords = (struct chord_bias){
        .chords = is_own ? a->harmony->chords : p->chords,
        .n = is_own ? a->harmony->n : p->n_chords,
        .bass = r->is_band ? -1 : find_lowest(c, tracks, r->missing),
        .has_tensions = chord_plan_has_sevenths(a->style),
        .weight = r->is_band             ? 1
                  : r->source            ? WEIGHTS[r->source]
                  : is_own || is_written ? WRITTEN
                                         : 0};
    for (int i = 0; r->is_band && i < TOKEN_MAX_TRACKS; i++)
        if (r->tracks >> i & 1 && c->roles[i] == BAND_BASS)
            r->chords.bass = i;
}

static int highest_of(const struct rules *r, const struct piece *p,
                      const struct track_facts tracks[TOKEN_MAX_TRACKS])
{
    const uint64_t bass = r->chords.bass < 0 ? 0 : UINT64_C(1) << r->chords.bass;
    return find_outer_track(tracks, ~piece_drums(p) & ~bass, true);
}

static uint32_t find_grid(const struct track_facts tracks[TOKEN_MAX_TRACKS])
{
    uint32_t grid = 0;
    for (int k = 0; k < STEPS_PER_QUARTER; k++) {
        bool begins =
            k % (STEPS_PER_QUARTER / 4) == 0 || k % (STEPS_PER_QUARTER / 3) == 0;
        for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
            begins = begins || tracks[t].at[k];
        grid |= (uint32_t)begins << k;
    }
    return grid;
}

static bool is_left_out(const struct rules *r, const char *name)
{
    return !(rules_bits(name, strlen(name)) & ~r->without);
}

/* A take whose phrases end with a chord of all tracks closes with its last one, asked or not. */
static struct cadence find_cadence(const struct rules *r, const struct context *c,
                                   int64_t from, int64_t to)
{
    const struct piece *p = &c->music;
    const int64_t bar = piece_bar_start(p, piece_bar_at(p, to - 1));
    struct fill_request q = c->request;
    float weight = r->controls.weight;
    struct breath_bias given = {0};
    if (!is_left_out(r, "breath"))
        given = breath_bias_of(p, c->hole.from);
    const bool rests = breath_bias_is_chord(&given, p, bar);
    if (rests && !q.close && !c->is_hole) {
        q.close = true;
        q.tracks = given.plays; /* a continuation has named none */
        weight = CLOSES_AS_GIVEN;
    }
    struct cadence close = cadence_for(p, &c->signature, &q, from, to, weight);
    close.is_band |= rests; /* on the bar line, since nothing begins later */
    return close;
}

/* Where these rules hold, others do not: those that are left out are no gates for them. */
static void leave_gates(struct rules *r)
{
    if (is_left_out(r, "walk"))
        r->walks = false;
    if (is_left_out(r, "cadence"))
        r->cadence = (struct cadence){0};
    if (is_left_out(r, "parallel"))
        r->parallel = (struct parallel_bias){0};
    if (is_left_out(r, "form") || is_left_out(r, "parallel"))
        r->form = (struct form){0};
}

/* A tune that closes its section alone goes on with a new one; other tunes may begin like given bars,
 * if these do not go round themselves, and one that begins a score may repeat a bar of its own. */
static void find_copies(struct rules *r, const struct context *c)
{
    const struct piece *p = &c->music;
    struct drift_bias *d = &r->drift;
    const uint64_t tracks = piece_tracks(p);
    const bool is_alone = tracks && !(tracks & (tracks - 1)),
               goes_on = !r->missing && piece_note_at(p, c->hole.to) == p->n_notes;
    const int64_t first = piece_bar_at(p, c->hole.from), bar = bar_length(p, first),
                  n_bars = piece_bar_at(p, c->hole.to - 1) + 1 - first;
    const int line = r->begins  ? r->track
                     : is_alone ? __builtin_ctzll(tracks)
                                : r->tune;
    const bool is_new =
        is_alone && n_bars <= SECTION_BARS && !form_is_open(p, c->hole.from);
    if (line < 0 || (r->begins ? !band_role_is_first(r->role) : !goes_on))
        return;
    d->fresh = UINT64_C(1) << line;
    d->copied_to = r->begins ? INT64_MAX : r->from;
    d->may_copy = r->begins ? bar : is_new ? 0 : PHRASE_BARS / 2 * bar;
    if (!r->begins && !is_new && form_repeats(p, d->fresh, c->hole.from))
        d->fresh = 0;
}

void rules_aim(struct rules *r, const struct context *c, const struct rules_aim *a)
{
    const struct piece *p = &c->music;
    const int64_t from = a->from, end = end_of_given(c, from, a->to);
    struct track_facts tracks[TOKEN_MAX_TRACKS];
    analyse_tracks(tracks, p, 0, p->n_notes);
    r->without = a->without;
    r->is_band = c->is_band;
    r->from = from;
    r->begin = c->hole.from;
    r->track = a->track;
    r->role = c->roles[a->track];
    r->tracks = c->request.tracks;
    r->missing = c->is_hole ? r->tracks & ~piece_tracks(p) : 0;
    r->controls = control_bias_for(&c->request, from,
                                   fmaxf(a->guidance - 1.0f, 0.0f) *
                                       (r->is_band ? BIAS_OF_BAND : BIAS_PER_GUIDANCE));
    r->breath = (struct breath_bias){0};
    if (!c->is_hole && !is_left_out(r, "breath"))
        r->breath = breath_bias_of(p, from);
    r->cadence = find_cadence(r, c, from, a->to);
    r->key_bias = key_bias_of(
        p, c->signature.scale || p->n_notes ? c->signature.scale : KEY_OF_C, from);
    find_chords(r, c, tracks, a);
    r->begins = r->is_band && r->source == CHORDS_WRITTEN; /* of nothing */
    if (r->begins && band_role_is_first(r->role) && !is_left_out(r, "breath"))
        r->breath = breath_bias_of_nothing(p, c->hole.from, r->track);
    if (r->is_band)
        r->parallel = (struct parallel_bias){0};
    r->tune = passing_tones_tune(p, tracks, r->chords.bass);
    r->highest = r->tune >= 0 ? r->tune : highest_of(r, p, tracks);
    r->grid = find_grid(tracks);
    r->has_figure = false;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        r->has_figure |= r->missing >> t & 1 && c->roles[t] == BAND_FIGURE;
    r->walks = walk_bias_is_due(p, tracks, a->style);
    r->walks_on = r->walks && !r->is_band && r->chords.bass >= 0 &&
                  !(r->missing >> r->chords.bass & 1) &&
                  walk_bias_goes_on(&tracks[r->chords.bass], from);
    r->groove = groove_of_new(tracks, ~hole_tracks(&c->hole), a->style);
    r->activity = activity_bias_of(p, from);
    drift_bias_init(&r->drift, p, from);
    r->drift.has_progression = r->source == CHORDS_FORM;
    find_copies(r, c);
    r->voice_leading = voice_leading_of(p, end, r->missing, &c->hole);
    r->clash = clash_bias_of(p, end);
    /* Other chords than those that are planned to close say what comes before. */
    if (r->chords.n && r->source != CHORDS_FORM && r->source != CHORDS_MODEL)
        r->cadence.before = r->cadence.from;
    r->due = (struct due_bias){0};
    r->turn = (struct turn_bias){0};
    if (!r->is_band) { /* which has a groove of its own */
        if (!is_left_out(r, "turn"))
            r->turn = turn_bias_of(p, from);
        due_bias_init(&r->due, p, from, c->hole.tracks,
                      piece_drums(p) || r->source == CHORDS_FORM);
    }
    if (c->is_hole && !r->is_band)
        let_differ(r, &c->request);
    leave_gates(r);
}

void rules_aim_again(struct rules *r, const struct context *c, int64_t from)
{
    const struct piece *p = &c->music;
    const int64_t bar = piece_bar_start(p, piece_bar_at(p, from));
    if (r->is_band || !r->missing || r->missing != c->request.tracks ||
        bar <= c->hole.from)
        return;
    due_bias_init(&r->due, p, bar, c->hole.tracks,
                  piece_drums(p) || r->source == CHORDS_FORM);
    let_differ(r, &c->request);
}

/* Of a gap, and of a piece that has left its first key, for every other take, by its seed, so that
 * some are free; and of many bars that should close, where all but the last return to the opening.
 * There is none if the user asked for something else: by a request, or by replacing notes. */
static struct parallel_bias parallel_of(const struct context *c, uint64_t seed,
                                        const struct continuation_options *o)
{
    const struct hole *h = &c->hole;
    const bool is_gap = o->hole.to_tick > 0;
    struct continuation_options other = *o;
    struct parallel_bias b = {0};
    other.hole.close &= is_gap;
    if (c->is_band || o->n_replaced || o->motif.kind != MOTIF_NONE ||
        continuation_has_controls(&other))
        return b;
    if (is_gap && seed % 2)
        b = parallel_bias_of(&c->music, h->from, h->to, c->request.tracks);
    if (is_gap)
        return b;
    if (o->hole.close)
        b = parallel_bias_of_return(&c->music, h->from, h->to);
    if (b.to)
        b.to = piece_bar_start(&c->music, piece_bar_at(&c->music, h->to - 1));
    return b;
}

/* Of takes of one section half are answers, and all that close. */
static struct form choose_form(const struct rules *r, const struct context *c,
                               uint64_t seed, const struct continuation_options *o)
{
    const int bars = o->bars;
    struct rng rng = draw_rng(seed, c->music.n_notes, 0);
    if (bars > SECTION_BARS)
        return form_of(&c->music, r->from, c->hole.to, r->tune, r->chords.bass, &rng);
    return bars == SECTION_BARS && (seed % 2 || o->hole.close)
               ? form_of_answer(&c->music, r->from)
               : (struct form){0};
}

void rules_choose_form(struct rules *r, const struct context *c, uint64_t seed,
                       const struct continuation_options *o, bool may_form)
{
    r->parallel = parallel_of(c, seed, o);
    check_parallel(r, &c->music);
    r->form = (struct form){0};
    if (r->begins && !r->chords.has_tensions)
        r->form = form_of_nothing(&c->music, c->hole.from, c->hole.to);
    if (may_form && !r->chords.has_tensions)
        r->form = choose_form(r, c, seed, o);
    leave_gates(r);
}

void rules_hear(struct rules *r, const struct grid_note *n)
{
    drift_bias_add(&r->drift, n);
    parallel_bias_add(&r->parallel, n);
}
