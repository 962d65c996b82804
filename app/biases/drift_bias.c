/* The rule of drift: see rules.h. */
#include "app/biases/rules.h"

#include "app/base/draw.h"
#include "midi/base/larger.h"

#include <string.h>

/* Fewer notes of a track say nothing of it. */
enum { LEAST_NOTES = 16 };

/* Each written note multiplies the take's counts by MEMORY, so that about thirty are remembered. */
#define MEMORY      0.97f
/* Pseudo-counts: a take begins with LIKE_NOTES notes like the piece's, so that a few other notes change
 * little, and with LIKE_CHORDS chords of each kind. */
#define LIKE_NOTES  8.0f
#define LIKE_CHORDS 4.0f
/* The most nats that are added (BOUND) and taken (AGAINST). STEPS multiplies the bias of steps, since a
 * motif that returns has steps of its own. REPEATS multiplies that of repeated notes, since a line that
 * sticks to one pitch is never a motif of a piece that does not. */
#define BOUND       1.5f
#define AGAINST     4.0f
#define STEPS       0.5f
#define REPEATS     2.0f
/* A pitch more than NEAR semitones beyond those of the piece costs FAR nats for each of them, at
 * most FARTHEST. NEAR grows by one in WIDENS steps: the longer the music, the wider. */
#define NEAR        4
#define WIDENS      (12 * STEPS_PER_QUARTER)
#define FAR         0.7f
#define FARTHEST    5.0f
/* A share of repetitions up to FREE is no loop, even if the few bars of a piece have none; beyond
 * it the cost is CIRCLES times the logarithm. */
#define FREE        0.25f
#define CIRCLES     2.0f
/* A size at which chords of the piece always grew, or never did, at least ALWAYS times, binds by RULE
 * nats from the take's beginning on. */
#define ALWAYS      8.0f
#define RULE        8.0f
/* The most steps from a note to its repetition; a later return is form. */
#define CIRCLE      (16 * STEPS_PER_QUARTER)
/* A note that ends a copy of COPY given notes costs COPIES nats where a tune needs a new section,
 * but not in bars that end phrases, whose cadences are alike. Of sixteen draws of a reel 0.43 of
 * the bars were given ones again, of eight of another (ours) 0.47; then 0.02 and 0.17. From four
 * notes on, or from three in the first bar, takes lost their cadences. */
#define COPY        5
#define COPIES      6.0f
/* The bias has its full weight after so many steps of the take. */
#define FULL_AFTER  (48.0f * STEPS_PER_QUARTER)

static int kind_of_length(int64_t steps)
{
    int kind = (int)lround(2 * log2((double)steps));
    return kind < DRIFT_KINDS ? kind : DRIFT_KINDS - 1;
}

/* Returns the kind of a move: repeated, by step, by a third, by a fourth or fifth, up to an octave,
 * beyond. */
static int kind_of_step(int semitones)
{
    static const int LAST[] = {0, 2, 4, 7, 12};
    int kind = 0;
    while (kind < 5 && (semitones < 0 ? -semitones : semitones) > LAST[kind])
        kind++;
    return kind;
}

static void count_kind(struct drift_counts *c, int kind, float memory)
{
    c->n = c->n * memory + 1;
    for (int k = 0; k < DRIFT_KINDS; k++)
        c->of[k] *= memory;
    c->of[kind]++;
}

/* Returns whether a note has moved from the one before: of notes that begin together the first has. */
static bool has_moved(const struct drift_track *t, int64_t step)
{
    return t->pitch >= 0 && step != t->onset;
}

static int kind_of_chord(int size, bool grows)
{
    const int kind = 2 * size + grows;
    return kind < DRIFT_KINDS ? kind : DRIFT_KINDS - 2 + grows;
}

static const struct drift_onset *recent_onset(const struct drift_track *t, int i)
{
    return &t->recent[i % DRIFT_RECENT];
}

static int oldest_onset(const struct drift_track *t)
{
    return t->n_recent > DRIFT_RECENT ? t->n_recent - DRIFT_RECENT : 0;
}

/* Returns how many onsets up to number i are like those up to the newest. */
static int count_alike(const struct drift_track *t, int i)
{
    int n = 0;
    for (; i - n >= oldest_onset(t); n++) {
        const struct drift_onset *a = recent_onset(t, i - n),
                                 *b = recent_onset(t, t->n_recent - 1 - n);
        if (a->wait != b->wait || a->pitch != b->pitch)
            break;
    }
    return n;
}

/* Finds, for an onset at this step by its pitch, the kind of the longest repetition that it ends. */
static void find_repeats(const struct drift_track *t, int64_t step,
                         uint8_t kinds[N_PITCHES])
{
    memset(kinds, 0, N_PITCHES);
    for (int i = t->n_recent - 1; i >= oldest_onset(t); i--) {
        const struct drift_onset *o = recent_onset(t, i);
        if (step - o->step > CIRCLE)
            break;
        /* by the number of notes: eight and more count as the same */
        const int n = 1 + count_alike(t, i - 1), kind = n < 8 ? 1 + (int)log2(n) : 4;
        if (o->wait == step - t->onset && kind > kinds[o->pitch])
            kinds[o->pitch] = (uint8_t)kind;
    }
}

/* Counts a note among the piece's habits, or the take's. */
static void pass_note(struct drift_track *t, const struct grid_note *n,
                      struct drift_habits *had, float memory)
{
    const bool moves = has_moved(t, n->step);
    count_kind(&had->lengths, kind_of_length(n->length), memory);
    if (moves) {
        uint8_t kinds[N_PITCHES];
        find_repeats(t, n->step, kinds);
        count_kind(&had->repeats, kinds[n->pitch], memory);
        count_kind(&had->steps, kind_of_step(n->pitch - t->pitch), memory);
        t->recent[t->n_recent++ % DRIFT_RECENT] = (struct drift_onset){
            .step = n->step, .wait = n->step - (int32_t)t->onset, .pitch = n->pitch};
    }
    if (t->size)
        count_kind(&had->chords, kind_of_chord(t->size, !moves), memory);
    t->size = moves ? 1 : t->size + 1;
    t->pitch = moves || t->pitch < 0 ? n->pitch : t->pitch; /* they ascend */
    t->onset = n->step;
}

void drift_bias_init(struct drift_bias *d, const struct piece *p, int64_t from)
{
    memset(d, 0, sizeof *d);
    d->from = from;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        d->tracks[t].pitch = -1;
    for (size_t i = 0; i < p->n_notes && p->notes[i].step < from; i++) {
        struct drift_track *t = &d->tracks[p->notes[i].track];
        t->low = t->pitch < 0 ? p->notes[i].pitch : at_most(t->low, p->notes[i].pitch);
        t->high = at_least(t->high, p->notes[i].pitch);
        pass_note(t, &p->notes[i], &t->piece, 1);
    }
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        d->biased |= (uint64_t)(d->tracks[t].piece.lengths.n >= LEAST_NOTES) << t;
    d->pitched = ~piece_drums(p);
    d->biased &= d->pitched;
    d->ranged = d->biased;
}

void drift_bias_let_differ(struct drift_bias *d, bool in_pitch)
{
    d->biased = 0;
    d->ranged = in_pitch ? 0 : d->ranged;
}

void drift_bias_add(struct drift_bias *d, const struct grid_note *n)
{
    pass_note(&d->tracks[n->track], n, &d->tracks[n->track].take, MEMORY);
}

static float bound_nats(float bias)
{
    return fminf(fmaxf(bias, -AGAINST), BOUND);
}

/* Returns the bounded logarithm of the piece's share over the take's. A rare thing becomes due, too, if
 * the take has been without it for long. */
static float bias_of(const struct drift_counts *piece, const struct drift_counts *take,
                     int kind)
{
    const float share = (piece->of[kind] + 1.0f / DRIFT_KINDS) / (piece->n + 1);
    const float written =
        (take->of[kind] + LIKE_NOTES * share) / (take->n + LIKE_NOTES);
    return bound_nats(logf(share / written));
}

void drift_bias_copies(struct rules *r, const struct place *at)
{
    const struct drift_bias *d = &r->drift;
    const struct drift_track *t = &d->tracks[larger(at->track, 0)];
    if (at->track < 0 || !(d->fresh >> at->track & 1) ||
        (d->copied_to == d->from &&
         piece_bar_at(at->p, at->bar) % PHRASE_BARS == PHRASE_BARS - 1))
        return;
    for (int i = t->n_recent - 1; i >= oldest_onset(t); i--) {
        const struct drift_onset *o = recent_onset(t, i);
        const int n = o->step < d->copied_to && o->wait == at->step - t->onset
                          ? count_alike(t, i - 1)
                          : 0;
        if (n + 1 >= COPY &&
            at->step - recent_onset(t, t->n_recent - n)->step >= d->may_copy)
            bias_pitch(at, -COPIES, o->pitch);
    }
}

/* Returns the bounded logarithm of how often the take's chords should have grown, or stopped, at this
 * size over how often they did. */
static float bias_of_chord(const struct drift_track *t, int kind)
{
    const float expected =
        t->take.chords.n * t->piece.chords.of[kind] / fmaxf(t->piece.chords.n, 1);
    return bound_nats(
        logf((expected + LIKE_CHORDS) / (t->take.chords.of[kind] + LIKE_CHORDS)));
}

/* Biases the pitch of an onset by the track's steps and by its repetitions. */
static void bias_pitches(const struct drift_track *t, bool has_habits, float weight,
                         const struct place *at)
{
    const struct drift_counts *piece = &t->piece.repeats, *take = &t->take.repeats;
    float steps[DRIFT_KINDS] = {0}, ends[DRIFT_KINDS] = {0}; /* kind 0 ends none */
    uint8_t repeats[N_PITCHES];
    find_repeats(t, at->step, repeats);
    for (int k = 0; has_habits && k < DRIFT_KINDS; k++)
        steps[k] = weight * STEPS * bias_of(&t->piece.steps, &t->take.steps, k);
    if (has_habits)
        steps[0] =
            fminf(REPEATS * bias_of(&t->piece.steps, &t->take.steps, 0), steps[0]);
    for (int k = 1; k < DRIFT_KINDS; k++) {
        const float share = fmaxf(piece->of[k] / fmaxf(piece->n, 1), FREE);
        const float written =
            (take->of[k] + LIKE_NOTES * share) / (take->n + LIKE_NOTES);
        ends[k] = fminf(CIRCLES * logf(share / written), 0);
    }
    for (int p = 0; p < N_PITCHES; p++)
        if (at->allowed[TOKEN_PITCH + p])
            at->logits[TOKEN_PITCH + p] +=
                steps[kind_of_step(p - t->pitch)] + ends[repeats[p]];
}

void drift_bias_apply(struct rules *r, const struct place *at)
{
    const struct drift_bias *d = &r->drift;
    const int track = at->track;
    if (track < 0 || !(d->pitched >> track & 1))
        return;
    const struct drift_track *t = &d->tracks[track];
    const bool has_habits = d->biased >> track & 1, moves = has_moved(t, at->step),
               is_length = memchr(at->allowed + TOKEN_DUR, 1, TOKEN_RADIX);
    const float weight = fminf((float)(at->step - d->from) / FULL_AFTER, 1);
    if (moves && !is_length)
        bias_pitches(t, has_habits, weight, at);
    if (has_habits && is_length) {
        float bias[DRIFT_KINDS];
        for (int k = 0; k < DRIFT_KINDS; k++)
            bias[k] = weight * bias_of(&t->piece.lengths, &t->take.lengths, k);
        for (int i = 0; i < TOKEN_RADIX; i++)
            bias_add(at, bias[kind_of_length(at->held + i + 1)], TOKEN_DUR + i, 1);
        for (int i = 0; i < TOKEN_HIT - TOKEN_DURX; i++)
            bias_add(at, bias[kind_of_length(TOKEN_RADIX * (i + 1))], TOKEN_DURX + i,
                     1);
    } else if (has_habits && !moves) { /* another note for the chord */
        const int stops = kind_of_chord(t->size, false), grows = stops + 1;
        const float n_stops = t->piece.chords.of[stops],
                    n_grows = t->piece.chords.of[grows],
                    rule = n_stops == 0 && n_grows >= ALWAYS   ? RULE
                           : n_grows == 0 && n_stops >= ALWAYS ? -RULE
                                                               : 0;
        bias_add(at, bias_of_chord(t, grows) - bias_of_chord(t, stops) + rule,
                 TOKEN_PITCH, N_PITCHES);
    }
    const int near = NEAR + (int)((at->step - d->from) / WIDENS);
    for (int p = 0; d->ranged >> track & 1 && p < N_PITCHES; p++) {
        const int beyond = at_least(t->low - p, p - t->high) - near;
        if (beyond > 0)
            bias_add(at, -fminf(FAR * (float)beyond, FARTHEST), TOKEN_PITCH + p, 1);
    }
}
