/* Rhythm: how each track moves, compared with its given bars; and the drums. See critic.h. */
#include "app/critic/critic.h"

#include <math.h>

enum { POSITIONS = 48, LENGTHS = 8, STEPS = 16, BASSES = 4 /* a family */ };

/* Without given drums: between praise and blame. */
#define GROOVE_NOT_ASKED 0.7

/* How a track moves in the new bars, or in the given ones. */
struct motion {
    double positions[POSITIONS], lengths[LENGTHS]; /* of its notes */
    double steps[STEPS];              /* from onset to onset, half octaves */
    double notes_a_bar, onsets_a_bar; /* given ones from the track's first note on */
    int n, n_onsets;                  /* notes, and where they begin */
    double empty;                     /* share of the bars in which nothing sounds */
};

static bool sounds_in(const struct scene *c, int track, const struct scene_bar *b,
                      bool only_new)
{
    for (size_t i = c->tracks[track].first; i < c->tracks[track].end; i++) {
        const struct scene_note *n = &c->notes[i];
        if (n->start < b->end - 0.05 && n->end > b->start + 0.05 &&
            (!only_new || n->is_new || n->bar < c->first_new))
            return true;
    }
    return false;
}

static void read_motion(struct motion *m, const struct scene *c, int track, bool is_new)
{
    int n_onsets = 0, bars = 0, empty = 0;
    double last = -1;
    *m = (struct motion){.n = 0};
    for (size_t i = c->tracks[track].first; i < c->tracks[track].end; i++) {
        const struct scene_note *n = &c->notes[i];
        const struct scene_bar *b = &c->bars[n->bar];
        if (n->is_new != is_new)
            continue;
        const double at = (n->start - b->start) * 4;
        const int position = (int)fmax(0, fmin(POSITIONS - 1, floor(at + 0.3)));
        const double octaves = log2(fmax(n->end - n->start, 0.06)) + 4;
        m->positions[position]++;
        m->lengths[(int)fmax(0, fmin(LENGTHS - 1, round(octaves)))]++;
        if (n->start > last + 0.06 && last >= 0)
            m->steps[(int)fmax(
                0, fmin(STEPS - 1, round(2 * log2(n->start - last)) + 8))]++;
        n_onsets += n->start > last + 0.06;
        last = n->start;
        m->n++;
    }
    const int entry = c->tracks[track].first < c->tracks[track].end
                          ? c->notes[c->tracks[track].first].bar
                          : 0; /* before it the track has no say */
    for (int i = is_new ? 0 : entry; i < c->n_bars; i++)
        if (c->bars[i].is_new == is_new) {
            bars++;
            empty += !sounds_in(c, track, &c->bars[i], is_new);
        }
    m->n_onsets = n_onsets;
    m->notes_a_bar = bars ? (double)m->n / bars : 0;
    m->onsets_a_bar = bars ? (double)n_onsets / bars : 0;
    m->empty = bars ? (double)empty / bars : 0;
}

/* The share that two counts of n kinds have in common, of so many in all. */
static double overlap(const double *a, int of_a, const double *b, int of_b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += fmin(a[i] / fmax(of_a, 1), b[i] / fmax(of_b, 1));
    return sum;
}

static double density_of(const struct motion *m, bool by_onsets)
{
    return by_onsets ? m->onsets_a_bar : m->notes_a_bar;
}

/* The logarithm of a track's notes a bar over its given ones; without given ones it is compared with
 * the others: the mean of their notes a bar. */
static double compare_density(const struct scene *c, int track,
                              const struct motion *now, const struct motion *given,
                              bool by_onsets)
{
    struct mean usual = {0};
    struct motion m;
    if (c->tracks[track].n_given)
        mean_add(&usual, density_of(given, by_onsets), 1);
    else
        for (int t = 0; t < c->n_tracks; t++)
            if (c->tracks[t].n_given &&
                c->tracks[t].is_drums == c->tracks[track].is_drums) {
                read_motion(&m, c, t, false);
                mean_add(&usual, density_of(&m, by_onsets), 1);
            }
    const double of = mean_of(&usual, 0);
    return of > 0 ? log((density_of(now, by_onsets) + 0.3) / (of + 0.3)) : 0;
}

static void compare_motions(const struct scene *c, double out[N_FEATURES])
{
    struct mean empty = {0}, sparser = {0}, busier = {0}, rhythm = {0}, lengths = {0};
    double worst = 0;
    struct motion now, given;
    for (int t = 0; t < c->n_tracks; t++) {
        const struct scene_track *track = &c->tracks[t];
        if (!track->is_asked)
            continue;
        read_motion(&now, c, t, true);
        read_motion(&given, c, t, false);
        const double silent = beyond(now.empty, track->n_given ? given.empty : 0);
        worst = fmax(worst, silent);
        mean_add(&empty, silent, 1);
        /* A bass plays no chords; and those that accompany a tune are no more than its notes. */
        const bool is_bass = !track->is_drums && track->program / 8 == BASSES,
                   is_part = !track->is_drums && !track->n_given;
        const double less = beyond(-compare_density(c, t, &now, &given, is_bass), 0),
                     more = beyond(
                         compare_density(c, t, &now, &given, is_bass || is_part), 0);
        mean_add(&sparser, less, 1);
        mean_add(&busier, more, 1);
        if (t == c->tune && track->n_given)
            out[FEATURE_TUNE_SPARSER] = less;
        if (!track->n_given || !now.n)
            continue;
        mean_add(&rhythm,
                 overlap(now.positions, now.n, given.positions, given.n, POSITIONS), 1);
        if (t == c->tune)
            out[FEATURE_TUNE_RHYTHM] = overlap(now.steps, now.n_onsets - 1, given.steps,
                                               given.n_onsets - 1, STEPS);
        mean_add(&lengths, overlap(now.lengths, now.n, given.lengths, given.n, LENGTHS),
                 1);
    }
    out[FEATURE_SILENT_PART] = worst;
    out[FEATURE_SILENCE] = mean_of(&empty, 1);
    out[FEATURE_SPARSER] = mean_of(&sparser, 0);
    out[FEATURE_BUSIER] = mean_of(&busier, 0);
    out[FEATURE_RHYTHM_AS_GIVEN] = mean_of(&rhythm, 0.5);
    out[FEATURE_LENGTHS_AS_GIVEN] = mean_of(&lengths, 0.5);
}

/* -- drums -- */

enum { KICKS, SNARES, CYMBALS };

static bool is_of(int kind, int pitch)
{
    static const char KINDS[3][12] = {
        {35, 36}, {37, 38, 39, 40}, {42, 44, 46, 51, 53, 59, 54, 70, 82}};
    for (int i = 0; i < 12 && KINDS[kind][i]; i++)
        if (KINDS[kind][i] == pitch)
            return true;
    return false;
}

/* Hits of a kind in a bar: at that beat; or all, with beat -1. */
static int count_hits(const struct scene *c, int bar, int beat, int kind)
{
    int n = 0;
    const struct scene_bar *b = &c->bars[bar];
    for (int t = 0; t < c->n_tracks; t++) {
        size_t first = 0, count = scene_bar_notes(c, t, bar, &first);
        for (size_t i = first; c->tracks[t].is_drums && i < first + count; i++)
            n += is_of(kind, c->notes[i].pitch) &&
                 (beat < 0 ||
                  fabs(c->notes[i].start - b->start - beat * b->beat) < 0.2 * b->beat);
    }
    return n;
}

struct beat_facts {
    struct mean backbeat, kick, hats;
};

static void read_beat(struct beat_facts *f, const struct scene *c, bool is_new)
{
    for (int i = 0; i < c->n_bars; i++) {
        const struct scene_bar *b = &c->bars[i];
        if (b->is_new != is_new)
            continue;
        if (b->n_beats == 4)
            mean_add(&f->backbeat,
                     (count_hits(c, i, 1, SNARES) > 0) * 0.5 +
                         (count_hits(c, i, 3, SNARES) > 0) * 0.5,
                     1);
        mean_add(&f->kick, count_hits(c, i, 0, KICKS) > 0, 1);
        mean_add(&f->hats, fmin(1, (double)count_hits(c, i, -1, CYMBALS) / b->n_beats),
                 1);
    }
}

/* How like each new bar is to the given bar most like it, on average. */
static double measure_groove(const struct scene *c)
{
    struct mean groove = {0};
    for (int t = 0; t < c->n_tracks; t++) {
        const struct scene_track *track = &c->tracks[t];
        if (!track->is_drums || !track->is_asked || !track->n_given)
            continue;
        for (int i = c->first_new; i < c->end_new; i++) {
            double best = 0;
            for (int k = 0; k < c->n_bars; k++)
                if (!c->bars[k].is_new)
                    best = fmax(best, scene_compare_bars(c, t, i, k));
            mean_add(&groove, best, 1);
        }
    }
    return mean_of(&groove, GROOVE_NOT_ASKED);
}

static void judge_drums(const struct scene *c, double out[N_FEATURES])
{
    struct beat_facts now = {.kick = {0}}, given = {.kick = {0}};
    bool asked = false, heard = false;
    for (int t = 0; t < c->n_tracks; t++)
        if (c->tracks[t].is_drums && c->tracks[t].is_asked) {
            asked = true;
            heard = heard || c->tracks[t].n_given;
        }
    out[FEATURE_GROOVE] = measure_groove(c);
    out[FEATURE_BACKBEAT_LOST] = out[FEATURE_KICK_LOST] = out[FEATURE_HATS_LOST] = 0;
    if (!asked)
        return;
    read_beat(&now, c, true);
    read_beat(&given, c, false);
    out[FEATURE_BACKBEAT_LOST] =
        beyond(heard ? mean_of(&given.backbeat, 0) : 1, mean_of(&now.backbeat, 1));
    out[FEATURE_KICK_LOST] =
        beyond(heard ? mean_of(&given.kick, 0) : 1, mean_of(&now.kick, 0));
    out[FEATURE_HATS_LOST] =
        beyond(heard ? mean_of(&given.hats, 0) : 1, mean_of(&now.hats, 0));
}

void features_rhythm(const struct scene *c, double out[N_FEATURES])
{
    compare_motions(c, out);
    judge_drums(c, out);
}
