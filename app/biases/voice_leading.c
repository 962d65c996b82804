/* The rule of voice leading: see rules.h. */
#include "app/biases/rules.h"

#include "midi/score/parallel.h"
#include <string.h>

/* Fewer notes of a track, or pairs of notes, say nothing. */
enum { LEAST_NOTES = 6, LEAST_PAIRS = 6 };
/* A note is followed by the next of its line unless the rest between them is longer. */
enum { LONGEST_REST = STEPS_PER_QUARTER, LONGEST_NOTE = 16 * STEPS_PER_QUARTER };

/* The costs of a parallel and of a crossing where the piece has none. */
#define PARALLELS    8.0f
#define CROSSING     1.5f
/* The cost of a parallel of the highest and the lowest line, where parallels cost anything. */
#define OUTER        12.0f
/* A rule that this share of pairs breaks is not a rule. Phrases that begin anew break it at their
 * joints: a brass quintet in 12 of 67 moves, so that at 0.06 parallels cost nothing there and a
 * take had 19 (1 at 0.25). This many pairs that keep it are added, so that one exception in a few
 * bars changes little. */
#define NO_PARALLELS 0.25f
#define NO_CROSSING  0.06f
#define KEPT         24.0f
/* The costs, for a line that was missing, of the pitch that another line sounds, and of the pitch class
 * that another begins with it: a second violin with these says nothing of its own. */
#define UNISON       2.0f
#define DOUBLED      1.0f
/* The cost of a leading tone that another line sounds: of eight second violins five doubled one. It
 * holds for other lines, too, where parallels cost anything. */
#define LEADING      3.0f
/* The cost, on a beat, of the last of three lines or more that leaves their chord without a third,
 * where the piece has thirds; half of it where one more line may begin. Of a hymn's and a quartet's
 * given beats 0.00 and 0.03 had none, of those that continued them 0.03 to 0.19. */
#define HOLLOW       4.0f
#define NO_THIRDS    0.15f
/* Several missing lines lie APART semitones from each other, and a line between two others lies at most
 * MOST_APART from them. Each semitone that is more than NEAR from a line's place costs FAR, FARTHEST at
 * most. */
#define APART        7.0f
#define MOST_APART   9.0f
#define ROOM         2.0f /* of a place to the ends of the range */
#define NEAR         6.0f
#define FAR          0.5f
#define FARTHEST     4.0f
/* The cost of a voice above the tune that it is written for. */
#define OVER_TUNE    3.0f
/* The cost of a parallel in a score without notes, whose tracks would all play one line, and of one
 * new line beside a tune. */
#define OF_EMPTY     2.0f

/* A line around a step: the pitches of the note before it, of the note that begins there, and of the
 * note that sounds there. -1: none. */
struct line {
    int before, begins, sounds;
};

/* Finds the lines around a step. Notes of the piece that come later do not count. */
static void find_lines(const struct voice_leading *v, const struct piece *p,
                       int64_t step, struct line lines[TOKEN_MAX_TRACKS])
{
    memset(lines, -1, TOKEN_MAX_TRACKS * sizeof *lines);
    const struct grid_note *n = NULL;
    while ((n = next_note(p, n, v->lines, step - LONGEST_NOTE, step + 1))) {
        struct line *l = &lines[n->track];
        if (n->step == step)
            l->begins = n->pitch;
        else if (n->step + n->length + LONGEST_REST >= step)
            l->before = n->pitch;
        if (n->step + n->length > step)
            l->sounds = n->pitch;
    }
}

/* Returns how two lines move, as one moves to this pitch at the other's onset: above 0 the same way,
 * below 0 in contrary motion; 0: one does not move. */
static int compare_moves(const struct line *l, const struct line *other, int pitch)
{
    return l->before >= 0 && other->before >= 0 && other->begins >= 0
               ? (pitch - l->before) * (other->begins - other->before)
               : 0;
}

static bool is_parallel(const struct line *l, const struct line *other, int pitch)
{
    return compare_moves(l, other, pitch) > 0 &&
           parallel_of(l->before, pitch, other->before, other->begins);
}

static bool is_crossed(const struct voice_leading *v, int track, int other, int pitch,
                       int other_pitch)
{
    return v->rank[track] < v->rank[other] ? pitch < other_pitch : pitch > other_pitch;
}

/* Returns whether two of the lines that sound, with this pitch among them, are a third or a sixth
 * apart; -1: there are fewer than three. */
static int has_third(const struct line lines[TOKEN_MAX_TRACKS], int track, int pitch)
{
    unsigned classes = pitch < 0 ? 0 : 1u << pitch % 12;
    int n = pitch >= 0;
    for (int u = 0; u < TOKEN_MAX_TRACKS; u++)
        if (u != track && lines[u].sounds >= 0) {
            classes |= 1u << lines[u].sounds % 12;
            n++;
        }
    const unsigned twice = classes | classes << 12;
    return n < 3 ? -1 : (classes & (twice >> 3 | twice >> 4)) != 0;
}

static bool is_on_beat(int64_t place)
{
    return place % STEPS_PER_QUARTER == 0;
}

/* Returns the lines with enough notes. Writes the mean pitches of all tracks, if mean is not NULL. */
static uint64_t find_tracks(const struct piece *p, int64_t end, float *mean)
{
    struct track_facts tracks[TOKEN_MAX_TRACKS];
    uint64_t lines = 0;
    analyse_tracks(tracks, p, 0, piece_note_at(p, end));
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        lines |= (uint64_t)(tracks[t].n >= LEAST_NOTES && tracks[t].is_line) << t;
        if (mean && tracks[t].n)
            mean[t] = (float)track_mean(&tracks[t]);
    }
    return lines & ~piece_drums(p);
}

uint64_t voice_leading_missing(const struct piece *p, uint64_t tracks)
{
    const uint64_t lines = find_tracks(p, INT64_MAX, NULL);
    unsigned families = 1 << FAMILY_BASSES | 1 << FAMILY_STRINGS | 1 << FAMILY_BRASS |
                        1 << FAMILY_REEDS | 1 << FAMILY_PIPES;
    uint64_t found = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if ((lines >> t & 1) && p->families[t] < FAMILY_DRUMS)
            families |= 1u << p->families[t];
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if ((tracks & ~piece_tracks(p)) >> t & 1 && p->families[t] < FAMILY_DRUMS &&
            families >> p->families[t] & 1)
            found |= UINT64_C(1) << t;
    return found;
}

/* The next line from this track on in the score, upwards (by -1) or downwards (by 1); -1: there is
 * none. *away: how many tracks of `missing` come before it, this one counted. */
static int find_neighbour(uint64_t lines, uint64_t missing, int track, int by,
                          int *away)
{
    for (*away = 0; track >= 0 && track < TOKEN_MAX_TRACKS; track += by) {
        if (lines >> track & 1)
            return track;
        *away += missing >> track & 1;
    }
    return -1;
}

/* Scores have the highest line first: a line that is missing lies between its neighbours, if these
 * are near, or one of several below the only neighbour or above it. Without such a place it has a
 * rank alone; a bass has none, since it may stand anywhere. */
static void find_place(struct voice_leading *v, int track, const struct hole *limits)
{
    int n_above, n_below;
    const int above = find_neighbour(v->lines, v->missing, track, -1, &n_above),
              below = find_neighbour(v->lines, v->missing, track, 1, &n_below);
    const uint64_t bit = UINT64_C(1) << track;
    /* it counts twice */
    const float n = (float)(n_above + n_below - 1),
                low = (float)limits->low[track] + ROOM,
                high = (float)limits->high[track] - ROOM;
    float *mean = v->mean, apart = APART;
    if ((above < 0 && below < 0) ||
        (above >= 0 && below >= 0 && mean[above] <= mean[below]))
        return;
    if (above >= 0 && below >= 0)
        apart = (mean[above] - mean[below]) / (n + 1);
    else if (n > 1)
        apart = fminf(apart, (above >= 0 ? mean[above] - low : high - mean[below]) / n);
    mean[track] = above >= 0 ? mean[above] - apart * (float)n_above
                             : mean[below] + apart * (float)n_below;
    mean[track] = fminf(fmaxf(mean[track], low), high);
    v->ranked |= bit;
    if (above >= 0 && below >= 0 ? apart <= MOST_APART : n > 1)
        v->placed |= bit;
}

struct counts {
    int n_similar, n_parallel, n_pairs, n_crossed, n_beats, n_hollow;
};

static float find_cost(float most, float no_rule, int n_broken, int n)
{
    return n < LEAST_PAIRS
               ? 0
               : fminf(most * ((float)n_broken / ((float)n + KEPT) / no_rule - 1), 0);
}

struct voice_leading voice_leading_of(const struct piece *p, int64_t end,
                                      uint64_t missing, const struct hole *limits)
{
    struct voice_leading v = {0};
    struct counts c = {0};
    size_t meter = 0;
    if (!p->n_notes)
        return (struct voice_leading){.lines = piece_declared(p) & ~piece_drums(p),
                                      .parallels = -OF_EMPTY};
    v.lines = v.ranked = find_tracks(p, end, v.mean);
    v.missing = voice_leading_missing(p, missing);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (v.missing >> t & 1 && p->families[t] != FAMILY_BASSES)
            find_place(&v, t, limits);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        for (int u = 0; u < TOKEN_MAX_TRACKS; u++)
            v.rank[t] += (v.ranked >> u & 1) &&
                         (v.mean[u] > v.mean[t] || (u < t && v.mean[u] == v.mean[t]));
    for (const struct grid_note *n = NULL; (n = next_note(p, n, v.lines, 0, end));) {
        struct line lines[TOKEN_MAX_TRACKS];
        find_lines(&v, p, n->step, lines);
        for (int u = 0; u < TOKEN_MAX_TRACKS; u++) {
            if (u == n->track || !(v.lines >> u & 1) || lines[u].sounds < 0)
                continue;
            c.n_pairs++;
            c.n_crossed += is_crossed(&v, n->track, u, n->pitch, lines[u].sounds);
            if (u < n->track) { /* each pair once */
                c.n_similar += compare_moves(&lines[n->track], &lines[u], n->pitch) > 0;
                c.n_parallel += is_parallel(&lines[n->track], &lines[u], n->pitch);
            }
        }
        if (is_on_beat(steps_into_bar(p, &meter, n->step))) {
            const int third = has_third(lines, -1, -1);
            c.n_beats += third >= 0; /* once for each note */
            c.n_hollow += third == 0;
        }
    }
    v.parallels = find_cost(PARALLELS, NO_PARALLELS, c.n_parallel, c.n_similar);
    v.crossing = find_cost(CROSSING, NO_CROSSING, c.n_crossed, c.n_pairs);
    v.hollow = find_cost(HOLLOW, NO_THIRDS, c.n_hollow, c.n_beats);
    v.crossing_of_missing = c.n_pairs < LEAST_PAIRS ? -OVER_TUNE : v.crossing;
    if (c.n_similar < LEAST_PAIRS && v.missing) /* voices of a tune, or one beside it */
        v.parallels = -(v.missing & (v.missing - 1) ? PARALLELS : OF_EMPTY);
    v.lines |= v.missing;
    return v;
}

/* Returns the bias of a pitch. n_later: lines that may begin there after this one; 2: no matter. */
static float bias_of(const struct voice_leading *v, int track, int pitch, int leading,
                     int n_later, const struct line lines[TOKEN_MAX_TRACKS])
{
    const bool is_missing = v->missing >> track & 1;
    const int lowest = __builtin_popcountll(v->ranked) - 1, rank = v->rank[track];
    const float beyond = fmaxf(fabsf((float)pitch - v->mean[track]) - NEAR, 0);
    float bias = v->placed >> track & 1 ? -fminf(FAR * beyond, FARTHEST) : 0;
    bool doubles = false; /* another line sounds the leading tone, too */
    if (n_later < 2 && has_third(lines, track, pitch) == 0)
        bias += v->hollow / (float)(1 + n_later);
    for (int u = 0; u < TOKEN_MAX_TRACKS; u++) {
        if (u == track || lines[u].sounds < 0)
            continue;
        const bool are_ranked = v->ranked >> track & v->ranked >> u & 1;
        doubles = doubles || (pitch % 12 == leading && lines[u].sounds % 12 == leading);
        /* Readers hear octaves in contrary motion as parallels: in eight bars of a hymn (A13) five. */
        const struct line *l = &lines[track], *other = &lines[u];
        const bool are_octaves = compare_moves(l, other, pitch) < 0 &&
                                 (l->before - other->before) % 12 == 0 &&
                                 (pitch - other->begins) % 12 == 0;
        if (is_parallel(l, other, pitch) || are_octaves) {
            const bool are_outer =
                are_ranked && rank + v->rank[u] == lowest && rank * v->rank[u] == 0;
            bias += v->parallels < 0 && are_outer ? -OUTER : v->parallels;
        }
        if (is_missing && pitch == other->sounds)
            bias -= UNISON;
        else if (is_missing && other->begins >= 0 && (pitch - other->begins) % 12 == 0)
            bias -= DOUBLED;
        if (are_ranked && is_crossed(v, track, u, pitch, other->sounds))
            bias += (v->missing >> track | v->missing >> u) & 1 ? v->crossing_of_missing
                                                                : v->crossing;
    }
    return bias - (doubles && (is_missing || v->parallels < 0) ? LEADING : 0);
}

void voice_leading_apply(struct rules *r, const struct place *at)
{
    const struct voice_leading *v = &r->voice_leading;
    const int leading = chord_bias_leading(&r->chords, at->step);
    struct line lines[TOKEN_MAX_TRACKS];
    if (at->track < 0 || !(v->lines >> at->track & 1) ||
        (v->parallels == 0 && v->crossing == 0 && v->hollow == 0 && !v->missing))
        return;
    find_lines(v, at->p, at->step, lines);
    int n_later = is_on_beat(at->step - at->bar) ? 0 : 2;
    for (int u = at->track + 1; u < TOKEN_MAX_TRACKS; u++)
        n_later += (v->lines >> u & 1) && lines[u].sounds < 0;
    for (int pitch = 0; pitch < N_PITCHES; pitch++)
        bias_pitch(at, bias_of(v, at->track, pitch, leading, n_later, lines), pitch);
}
