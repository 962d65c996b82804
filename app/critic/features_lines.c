/* Lines: range, motion, breath, how voices go together, and which bars are alike. See critic.h. */
#include "app/critic/critic.h"

#include "midi/score/parallel.h"

#include <math.h>
#include <stdlib.h>

/* The highest note at each onset of a track. */
struct line_note {
    double start, end;
    int pitch, bar;
    bool is_new;
};
struct line {
    struct line_note *notes; /* room for all notes of the scene */
    int n;
};

static void read_top(struct line *line, const struct scene *c, int track)
{
    line->n = 0;
    for (size_t i = c->tracks[track].first; i < c->tracks[track].end; i++) {
        const struct scene_note *n = &c->notes[i];
        struct line_note *last = line->n ? &line->notes[line->n - 1] : NULL;
        if (last && n->start < last->start + 0.06) {
            if (n->pitch > last->pitch) {
                last->pitch = n->pitch;
                last->end = n->end;
            }
        } else
            line->notes[line->n++] = (struct line_note){.start = n->start,
                                                        .end = n->end,
                                                        .pitch = n->pitch,
                                                        .bar = n->bar,
                                                        .is_new = n->is_new};
    }
}

/* How a line moves in the new bars, or in the given ones. */
struct line_facts {
    struct mean repeated, seesaw, pitch;
};

static void read_line(struct line_facts *f, const struct line *line, bool is_new)
{
    *f = (struct line_facts){.pitch = {0}};
    for (int i = 0; i < line->n; i++) {
        const struct line_note *x = &line->notes[i];
        if (x->is_new != is_new)
            continue;
        mean_add(&f->pitch, x->pitch, 1);
        if (i == 0 || line->notes[i - 1].is_new != is_new)
            continue;
        const struct line_note *p = x - 1;
        mean_add(&f->repeated, x->pitch == p->pitch, 1);
        if (i > 1 && x[-2].is_new == is_new)
            mean_add(&f->seesaw, x->pitch == x[-2].pitch && x->pitch != p->pitch, 1);
    }
}

/* Whether the line has a long note or a rest where a phrase of four bars ends. */
static double measure_phrases(const struct scene *c, const struct line *line)
{
    struct mean phrases = {0};
    for (int bar = c->first_new + 3; bar < c->end_new; bar += 4) {
        const struct scene_bar *b = &c->bars[bar];
        double longest = 0, last_end = b->start, last = -1;
        for (int i = 0; i < line->n; i++) {
            const struct line_note *x = &line->notes[i];
            if (x->start >= b->end || x->end <= b->start - b->beat)
                continue;
            const double next = i + 1 < line->n ? line->notes[i + 1].start : b->end;
            longest = fmax(longest, fmin(next, b->end + b->beat) - x->start);
            last_end = fmax(last_end, x->end);
            last = x->start;
        }
        mean_add(&phrases,
                 last < 0 || longest >= 1.9 * b->beat ||
                     b->end - last_end >= 0.9 * b->beat,
                 1);
    }
    return mean_of(&phrases, NOT_ASKED);
}

static void judge_tune(const struct scene *c, struct line *line, double out[N_FEATURES])
{
    struct line_facts now, given;
    if (c->tune < 0)
        return;
    read_top(line, c, c->tune);
    read_line(&now, line, true);
    read_line(&given, line, false);
    const bool heard = given.pitch.weight > 0;
    out[FEATURE_REPEATED] =
        beyond(mean_of(&now.repeated, 0), heard ? mean_of(&given.repeated, 0) : 0.2);
    out[FEATURE_SEESAW] =
        beyond(mean_of(&now.seesaw, 0), heard ? mean_of(&given.seesaw, 0) : 0.2);
    out[FEATURE_REGISTER] =
        heard && now.pitch.weight > 0
            ? fabs(mean_of(&now.pitch, 0) - mean_of(&given.pitch, 0)) / 12
            : 0;
    out[FEATURE_PHRASES] = measure_phrases(c, line);
}

/* The note of a line that sounds at a time; NULL: it rests. */
static const struct line_note *find_sounding(const struct line *line, double at)
{
    int low = 0, high = line->n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (line->notes[middle].start <= at + 0.03)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && line->notes[low - 1].end > at + 0.03 ? &line->notes[low - 1]
                                                           : NULL;
}

struct pair_facts {
    struct mean parallels; /* of the moves of both lines */
    struct mean crossed;   /* of the onsets of the higher line */
};

/* Compares two lines at the onsets of a, the higher one. */
static void compare_lines(struct pair_facts *f, const struct line *a,
                          const struct line *b, bool is_new)
{
    for (int i = 0; i < a->n; i++) {
        const struct line_note *x = &a->notes[i], *y = find_sounding(b, x->start);
        if (!y || (x->is_new || y->is_new) != is_new)
            continue;
        mean_add(&f->crossed, x->pitch < y->pitch, 1);
        if (i == 0)
            continue;
        const struct line_note *p = x - 1, *q = find_sounding(b, p->start);
        if (!q || q->pitch == y->pitch || p->pitch == x->pitch)
            continue;
        mean_add(&f->parallels,
                 parallel_of(p->pitch, x->pitch, q->pitch, y->pitch) != PARALLEL_NONE,
                 1);
    }
}

static double mean_pitch(const struct line *line, bool only_given)
{
    struct mean pitch = {0};
    for (int i = 0; i < line->n; i++)
        if (!only_given || !line->notes[i].is_new)
            mean_add(&pitch, line->notes[i].pitch, 1);
    return mean_of(&pitch, 0);
}

/* Voices: tracks that mostly have one note at a time. */
static bool judge_voices(const struct scene *c, struct line *a, double out[N_FEATURES])
{
    struct line b = {malloc((c->n_notes + 1) * sizeof *b.notes), 0};
    struct pair_facts now = {.crossed = {0}}, given = {.crossed = {0}};
    if (!b.notes)
        return false;
    for (int t = 0; t < c->n_tracks; t++)
        for (int u = 0; u < t; u++) {
            if (c->tracks[t].is_drums || c->tracks[u].is_drums)
                continue;
            read_top(a, c, t);
            read_top(&b, c, u);
            if (!a->n || !b.n ||
                c->tracks[t].end - c->tracks[t].first > (size_t)(1.2 * a->n) ||
                c->tracks[u].end - c->tracks[u].first > (size_t)(1.2 * b.n))
                continue;
            const bool higher = mean_pitch(a, c->tracks[t].n_given > 0) >=
                                mean_pitch(&b, c->tracks[u].n_given > 0);
            compare_lines(&now, higher ? a : &b, higher ? &b : a, true);
            compare_lines(&given, higher ? a : &b, higher ? &b : a, false);
        }
    free(b.notes);
    out[FEATURE_PARALLELS] = mean_beyond(&now.parallels, &given.parallels);
    out[FEATURE_CROSSED] = mean_beyond(&now.crossed, &given.crossed);
    return true;
}

bool features_lines(const struct scene *c, double out[N_FEATURES])
{
    struct line line = {malloc((c->n_notes + 1) * sizeof *line.notes), 0};
    if (!line.notes)
        return false;
    judge_tune(c, &line, out);
    const bool ok = judge_voices(c, &line, out);
    free(line.notes);
    return ok;
}

/* -- form: bars that repeat themselves or the given ones -- */

/* Likeness of a track's bars that counts as usual where none are given. */
#define USUAL_HABIT 0.5
/* Bars of that likeness are the same to the ear. */
#define SAME        0.75

/* How like a bar is to the bar of [from, to) most like it. */
static double find_likest(const struct scene *c, int track, int bar, int from, int to)
{
    double best = 0;
    for (int i = from; i < to; i++)
        best = fmax(best, scene_compare_bars(c, track, bar, i));
    return best;
}

/* How like the bars [from, to) are to earlier ones of them. */
static double measure_loops(const struct scene *c, int track, int from, int to)
{
    struct mean likest = {0};
    size_t first = 0;
    for (int i = from; i < to; i++)
        if (scene_bar_notes(c, track, i, &first))
            mean_add(&likest, find_likest(c, track, i, from, i), 1);
    return mean_of(&likest, 0);
}

/* The longest run of bars alike, counted from the second one on. */
static int find_run(const struct scene *c, int track, int from, int to)
{
    int run = 0, best = 0;
    for (int i = from + 1; i < to; i++) {
        run = scene_compare_bars(c, track, i, i - 1) > SAME ? run + 1 : 0;
        best = run > best ? run : best;
    }
    return best;
}

void features_form(const struct scene *c, double out[N_FEATURES])
{
    const int from = c->first_new, to = c->end_new;
    struct mean copied = {0};
    for (int t = 0; t < c->n_tracks; t++) {
        const struct scene_track *track = &c->tracks[t];
        if (track->is_drums || !track->is_asked || !track->n_new)
            continue;
        const bool has_given = track->n_given > 0;
        const double habit = has_given ? measure_loops(c, t, 0, from) : USUAL_HABIT;
        struct mean copies = {0};
        for (int i = from; i < to; i++)
            mean_add(&copies, find_likest(c, t, i, 0, from), 1);
        mean_add(&copied, beyond(mean_of(&copies, 0), habit), 1);
        if (t != c->tune)
            continue;
        out[FEATURE_LOOPS] = beyond(measure_loops(c, t, from, to), habit);
        out[FEATURE_SAME_BAR] =
            beyond(find_run(c, t, from, to), has_given ? find_run(c, t, 0, from) : 1);
    }
    out[FEATURE_COPIES] = mean_of(&copied, 0);
}
