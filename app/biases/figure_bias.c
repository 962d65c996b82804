/* See figure_bias.h. */
#include "app/biases/figure_bias.h"

#include "app/base/draw.h"

#include <string.h>

enum { MOST_BARS = 16, LEAST_BARS = 4 };
/* The least notes per bar of a figure of intervals, besides the first note. */
enum { LEAST_NOTES = 2 };

/* A place or an interval is common if this share of the bars has it; a track has a figure if
 * this share of its notes is common. */
#define COMMON   0.6f
#define FIGURE   0.7f
/* The bias: this factor times the logarithm of a share over the neutral share. */
#define WEIGHT   1.5f
#define FLOOR    0.05f
#define NEUTRAL  0.25f
/* What each semitone costs by which a bar's first note is more than NEAR beyond those of the
 * piece, and the most. */
#define NEAR     2
#define FAR      1.5f
#define FARTHEST 9.0f
/* Of a bar's first note also costs a pitch class that no bar began with, and a pitch that more
 * bars in a row would begin with than ever did. */
#define OTHER    1.5f
#define STUCK    3.0f
/* If this share of the lengths at a place is the usual one, the cost of others is multiplied by
 * LENGTHS. The share is of a vote: one odd last bar, a fill, had been the law before, and of 96
 * chords of a pop piano 3 had the usual length (95 now; 51 without a rule). */
#define ALIKE    0.85f
#define LENGTHS  2.0f

/* The general interval, so that a figure fits major and minor chords: 0 a unison, 1 a
 * second, 7 an octave, from two octaves below. -1: too far. */
static int interval(int semitones)
{
    static const int GENERAL[12] = {0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6};
    const int up = semitones + 24;
    const int i = up < 0 ? -1 : up / 12 * 7 + GENERAL[up % 12];
    return i < FIGURE_INTERVALS ? i : -1;
}

/* -1: no note of the figure begins there. */
static int place_of(const struct figure *f, int64_t place)
{
    for (int i = 0; i < f->n_places; i++)
        if (f->places[i] == place)
            return i;
    return -1;
}

/* A track while its notes are counted: the bar and step of its newest note; of that bar, the step
 * and pitch of the first note, the bars in a row that began with this pitch, and whether others
 * began with it; and the mean of all pitches. */
struct counted {
    int64_t bar, step, begin;
    int first, run, n;
    bool is_chord;
    double mean;
};

static void count_first(struct figure *f, struct counted *c, int64_t step, int pitch)
{
    c->run = pitch == c->first ? c->run + 1 : 1;
    c->first = pitch;
    c->begin = step;
    c->is_chord = false;
    f->longest_run = at_least(f->longest_run, c->run);
    f->low = f->n_bars ? at_most(f->low, pitch) : pitch;
    f->high = at_least(f->high, pitch);
    f->classes |= (uint16_t)(1u << pitch % 12);
    f->n_bars++;
}

static void vote(struct figure *f, int at, int32_t length)
{
    f->n_notes[at]++;
    if (f->lead[at] == 0)
        f->lengths[at] = length;
    f->lead[at] += f->lengths[at] == length ? 1 : -1;
}

static void count(struct figure *f, struct counted *c, const struct grid_note *n,
                  int64_t bar, int32_t place)
{
    const int i = interval(n->pitch - c->first);
    int at = place_of(f, place);
    if (at < 0 && f->n_places < FIGURE_PLACES) {
        at = f->n_places++;
        f->places[at] = place;
    }
    if (at >= 0)
        f->n_at[at] += n->step != c->step;
    if (at >= 0 && f->n_notes[at] < UINT8_MAX)
        vote(f, at, n->length);
    if (bar == c->bar && at >= 0 && i >= 0)
        f->n_with[at][i]++;
    if (bar != c->bar) {
        count_first(f, c, n->step, n->pitch);
    } else if (n->step == c->begin && !c->is_chord) {
        f->n_chords++;
        c->is_chord = true;
    }
    c->bar = bar;
    c->step = n->step;
    c->mean += (n->pitch - c->mean) / ++c->n;
}

struct tally {
    int n, n_common;
};

static void tally_up(struct tally *t, const struct figure *f, int n)
{
    t->n += n;
    t->n_common += (float)n >= COMMON * f->n_bars ? n : 0;
}

/* Over the lowest note of a first inversion the rule would allow third and sixth only, and so
 * keep a root position from following. */
static bool has_chords(const struct figure *f)
{
    return 2 * f->n_chords > f->n_bars;
}

static void judge(struct figure *f)
{
    struct tally onsets = {0}, notes = {0};
    for (int i = 0; i < f->n_places; i++) {
        tally_up(&onsets, f, f->n_at[i]);
        for (int k = 0; k < FIGURE_INTERVALS; k++)
            tally_up(&notes, f, f->n_with[i][k]);
    }
    const bool is_heard = f->n_bars >= LEAST_BARS && f->n_places < FIGURE_PLACES;
    f->has_rhythm = is_heard && (float)onsets.n_common >= FIGURE * (float)onsets.n;
    f->has_intervals = is_heard && !has_chords(f) &&
                       (float)notes.n_common >= FIGURE * (float)notes.n &&
                       notes.n >= LEAST_NOTES * f->n_bars;
}

void figure_bias_init(struct figure_bias *f, const struct piece *p, int64_t from)
{
    struct counted counted[TOKEN_MAX_TRACKS];
    int32_t bar = (int32_t)piece_bar_at(p, from) - MOST_BARS;
    memset(f, 0, sizeof *f);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        counted[t] = (struct counted){.bar = -1, .step = -1};
    bar = bar < 0 ? 0 : bar;
    for (size_t i = piece_note_at(p, piece_bar_start(p, bar));
         i < p->n_notes && p->notes[i].step < from; i++) {
        const struct grid_note *n = &p->notes[i];
        while (piece_bar_start(p, bar + 1) <= n->step)
            bar++;
        if (!piece_is_hit(p, n))
            count(&f->tracks[n->track], &counted[n->track], n, bar,
                  n->step - (int32_t)piece_bar_start(p, bar));
    }
    int highest = 0; /* the tune, most often, which no figure may bind */
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        judge(&f->tracks[t]);
        highest = counted[t].mean > counted[highest].mean ? t : highest;
    }
    f->tracks[highest].has_rhythm = false;
}

static float bias_of(const struct figure *f, int n)
{
    return WEIGHT * logf(((float)n / f->n_bars + FLOOR) / NEUTRAL);
}

/* For a note that begins at this position of the bar. Only notes without a place there are
 * biased: a bonus for the others would put them before other tracks and the rest of a
 * chord. */
static float bias_of_onset(const struct figure *f, int64_t place)
{
    const int at = place_of(f, place);
    return f->has_rhythm ? fminf(bias_of(f, at < 0 ? 0 : f->n_at[at]), 0) : 0;
}

/* The track's first note from this bar line to a step, or the first at the step; NULL: there is
 * none. */
static const struct grid_note *first_note(const struct piece *p, int track,
                                          int64_t from, int64_t step)
{
    for (size_t i = piece_note_at(p, from); i < p->n_notes && p->notes[i].step <= step;
         i++)
        if (p->notes[i].track == track)
            return &p->notes[i];
    return NULL;
}

/* For notes at a position of the figure where nearly all notes are as long. */
static void bias_lengths(const struct figure *f, int i_place, const struct place *at)
{
    if (f->n_at[i_place] < 2 ||
        (float)f->lead[i_place] < (2 * ALIKE - 1) * (float)f->n_notes[i_place] ||
        f->lengths[i_place] > TOKEN_RADIX)
        return;
    for (int i = 0; i < TOKEN_RADIX; i++)
        bias_add(at, LENGTHS * bias_of(f, i + 1 == f->lengths[i_place] ? f->n_bars : 0),
                 TOKEN_DUR + i, 1);
    bias_add(at, LENGTHS * bias_of(f, 0), TOKEN_DURX, TOKEN_HIT - TOKEN_DURX);
}

/* The pitch that so many bars before this one all begin with; -1: they do not. */
static int find_stuck(const struct piece *p, int track, int32_t bar, int n)
{
    int pitch = -1;
    for (int32_t b = bar - 1; b >= bar - n; b--) {
        const struct grid_note *first =
            b < 0 ? NULL
                  : first_note(p, track, piece_bar_start(p, b),
                               piece_bar_start(p, b + 1) - 1);
        if (!first || (pitch >= 0 && first->pitch != pitch))
            return -1;
        pitch = first->pitch;
    }
    return pitch;
}

/* Of the first note of a bar, which a chord is built on. */
static void bias_first(const struct figure *f, int stuck, const struct place *at)
{
    for (int pitch = 0; pitch < N_PITCHES; pitch++) {
        const int beyond = at_least(f->low - pitch, pitch - f->high) - NEAR;
        const float far = fminf(FAR * (float)at_least(beyond, 0), FARTHEST),
                    other = f->classes >> pitch % 12 & 1 ? 0 : OTHER;
        bias_add(at, -far - other - (pitch == stuck ? STUCK : 0), TOKEN_PITCH + pitch,
                 1);
    }
}

/* Of notes after a bar's first. Where the intervals of a figure are not always the same, what
 * costs is only one that it never has. */
static void bias_intervals(const struct figure *f, int i_place, int first,
                           const struct place *at)
{
    for (int pitch = 0; pitch < N_PITCHES; pitch++) {
        const int i = interval(pitch - first), n = i < 0 ? 0 : f->n_with[i_place][i];
        if (n == 0 || f->has_intervals)
            bias_add(at, bias_of(f, n), TOKEN_PITCH + pitch, 1);
    }
}

void figure_bias_apply(const struct figure_bias *f, const struct place *at)
{
    const struct piece *p = at->p;
    const int track = at->track;
    const int64_t step = at->step, bar = at->bar;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        bias_add(at, bias_of_onset(&f->tracks[t], step - bar), TOKEN_TRACK + t, 1);
    if (track < 0)
        return;
    const struct figure *of = &f->tracks[track];
    const struct grid_note *first = first_note(p, track, bar, step);
    const int i_place = place_of(of, step - bar);
    if (!first_note(p, track, step, step)) { /* it begins a chord, or is alone */
        const float bias = bias_of_onset(of, step - bar);
        bias_add(at, bias, TOKEN_PITCH, N_PITCHES);
        bias_add(at, bias, TOKEN_VEL, TOKEN_VELOCITIES);
    }
    if (of->has_rhythm && i_place >= 0)
        bias_lengths(of, i_place, at);
    const float sum = bias_sum(at, TOKEN_PITCH, N_PITCHES);
    if (of->has_rhythm && !first)
        bias_first(
            of, find_stuck(p, track, (int32_t)piece_bar_at(p, step), of->longest_run),
            at);
    if ((of->has_intervals || of->has_rhythm) && !has_chords(of) && first &&
        i_place >= 0)
        bias_intervals(of, i_place, first->pitch, at);
    bias_keep_sum(at, sum, TOKEN_PITCH, N_PITCHES);
}
