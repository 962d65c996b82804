/* See styles.h. The features are what a musician would notice first. Shares are from 0 to 1; one
 * function counts each group of features. */
#include "app/decoding/styles.h"

#include "app/base/draw.h"
#include "app/base/paths.h"
#include "app/biases/analysis.h"
#include "app/biases/chord_plan.h"
#include "app/decoding/continuation.h"
#include "midi/base/larger.h"
#include "midi/tokens/chord_guess.h"
#include "model/weights/safetensors.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL             ((UINT64_C(1) << STYLE_COUNT) - 1)

#define FAMILY(program) (UINT64_C(1) << (program) / 8)
#define PIANOS          FAMILY(0)
#define ORGANS          FAMILY(16)
#define STRINGS         FAMILY(40)
#define ENSEMBLES       FAMILY(48)
#define WINDS           (FAMILY(56) | FAMILY(64) | FAMILY(72))
#define CLASSICAL       (PIANOS | ORGANS | STRINGS | ENSEMBLES | WINDS)
#define KITS            (UINT64_C(1) << FAMILY_DRUMS)
#define ALL_FAMILIES    ((UINT64_C(1) << FAMILY_COUNT) - 1)
#define PITCHED         (ALL_FAMILIES & ~KITS)

/* The styles: their names, and the tracks that they are written for: the number, with all families in
 * `of` and some in `with`. */
static const struct {
    const char *name;
    int least, most;
    uint64_t of, with;
} STYLES[STYLE_COUNT] = {
    [STYLE_ANY] = {"any", 0, TOKEN_MAX_TRACKS, ALL_FAMILIES, ALL_FAMILIES},
    [STYLE_CHORALE] = {"chorale", 4, 5, PITCHED & ~STRINGS, PITCHED},
    [STYLE_PIANO] = {"piano", 1, 4, PIANOS | FAMILY(8) | ORGANS, PITCHED},
    [STYLE_SONG] = {"song", 3, 6, PITCHED, PIANOS},
    [STYLE_QUARTET] = {"quartet", 3, 5, STRINGS | ENSEMBLES | PIANOS, PITCHED},
    [STYLE_FOLK] = {"folk", 1, 1, PITCHED, PITCHED},
    [STYLE_HYMN] = {"hymn", 3, 5, PIANOS | ORGANS | ENSEMBLES, PITCHED},
    [STYLE_LEADSHEET] = {"leadsheet", 2, 3, PITCHED, PITCHED},
    [STYLE_ENSEMBLE] = {"ensemble", 2, TOKEN_MAX_TRACKS, CLASSICAL,
                        CLASSICAL & ~PIANOS & ~STRINGS},
    [STYLE_ORCHESTRA] = {"orchestra", 5, TOKEN_MAX_TRACKS, PITCHED, PITCHED},
    [STYLE_BAND] = {"band", 2, TOKEN_MAX_TRACKS, ALL_FAMILIES, KITS},
    [STYLE_DRUMS] = {"drums", 1, TOKEN_MAX_TRACKS, KITS, KITS},
    [STYLE_POP] = {"pop", 2, TOKEN_MAX_TRACKS, ALL_FAMILIES, ALL_FAMILIES & ~STRINGS},
    [STYLE_JAZZ] = {"jazz", 2, TOKEN_MAX_TRACKS, ALL_FAMILIES, ALL_FAMILIES & ~STRINGS},
    [STYLE_BLUES] = {"blues", 2, TOKEN_MAX_TRACKS, ALL_FAMILIES,
                     ALL_FAMILIES & ~STRINGS},
    [STYLE_LATIN] = {"latin", 2, TOKEN_MAX_TRACKS, ALL_FAMILIES,
                     ALL_FAMILIES & ~STRINGS},
};

const char *style_name(enum style s)
{
    return STYLES[s].name;
}

static uint64_t bit(int style)
{
    return UINT64_C(1) << style;
}

/* provenance: JSON, not trusted; NULL: none. */
static uint64_t styles_in(const char *provenance)
{
    cJSON *j = provenance ? cJSON_Parse(provenance) : NULL;
    const cJSON *corpus = NULL;
    uint64_t styles = 0;
    cJSON_ArrayForEach(corpus, cJSON_GetObjectItemCaseSensitive(j, "corpora"))
    {
        const char *name =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(corpus, "style"));
        for (int s = 0; name && s < STYLE_COUNT; s++)
            styles |= strcmp(name, style_name((enum style)s)) ? 0 : bit(s);
    }
    cJSON_Delete(j);
    return styles & ~bit(STYLE_ANY) ? styles | bit(STYLE_ANY) : ALL;
}

uint64_t learnt_styles(const struct model *m)
{
    return styles_in(model_metadata(m, "provenance"));
}

uint64_t learnt_styles_of_file(const char *wanted_model)
{
    char path[4096];
    struct safetensors *f = NULL;
    if (!paths_model(path, sizeof path, wanted_model) ||
        safetensors_open(&f, path, NULL, 0, NULL, 0))
        return ALL;
    uint64_t styles = styles_in(safetensors_metadata(f, "provenance"));
    safetensors_close(f);
    return styles;
}

uint64_t styles_for_players(int n_tracks, uint64_t families)
{
    uint64_t styles = bit(STYLE_ANY);
    for (int s = 0; s < STYLE_COUNT; s++)
        if (n_tracks >= STYLES[s].least && n_tracks <= STYLES[s].most &&
            !(families & ~STYLES[s].of) && families & STYLES[s].with)
            styles |= bit(s);
    return styles;
}

enum style learnt_style_for(uint64_t styles, const struct score *s)
{
    enum { QUARTET = 5 }; /* with one to spare */
    uint64_t families = 0;
    for (size_t t = 0; t < s->n_tracks; t++)
        families |= UINT64_C(1) << piece_family(&s->tracks[t]);
    enum style style = families == KITS                                ? STYLE_DRUMS
                       : families & KITS                               ? STYLE_BAND
                       : !(families & ~PIANOS)                         ? STYLE_PIANO
                       : families == STRINGS && s->n_tracks <= QUARTET ? STYLE_QUARTET
                       : families == STRINGS                           ? STYLE_ORCHESTRA
                                                                       : STYLE_ANY;
    return learnt_has(styles, (int)style) ? style : STYLE_ANY;
}

bool learnt_has(uint64_t styles, int style)
{
    if (style == CONTINUATION_STYLE_GUESS || !styles)
        return true;
    return style >= 0 && style < STYLE_COUNT && (styles & bit(style));
}

const char *learnt_list(uint64_t styles, char buf[LEARNT_LIST_BYTES])
{
    int used = snprintf(buf, LEARNT_LIST_BYTES, "one of guess");
    for (int s = 0; s < STYLE_COUNT && used < LEARNT_LIST_BYTES; s++)
        if (learnt_has(styles, s))
            used += snprintf(buf + used, (size_t)(LEARNT_LIST_BYTES - used), ", %s",
                             style_name((enum style)s));
    return buf;
}

/* -- the guess -- */

enum { BARS = 16, CHORUSES = 24 /* bars */, QUARTER = STEPS_PER_QUARTER };

#define FEATURE(place, ...) place,
enum {
#include "app/decoding/style_feature_list.h"
};
#undef FEATURE
_Static_assert((int)EACH == (int)N_STYLE_FEATURES, "the last row is no feature");

/* Hundredths of a nat, of each style but "any". */
#define FEATURE(place, name, ...) {name, {__VA_ARGS__}},
static const struct {
    const char *name;
    int32_t weights[STYLE_COUNT - 1];
} FEATURES[] = {
#include "app/decoding/style_feature_list.h"
};

const char *style_feature_name(int f)
{
    return FEATURES[f].name;
}

/* The music at hand, and what several groups ask of it. */
struct heard {
    const struct piece *p;
    struct track_facts tracks[TOKEN_MAX_TRACKS];
    int n_pitched;   /* notes, but for hits */
    double quarters; /* of music */
};

static double share(double part, double of)
{
    return of > 0 ? part / of : 0;
}

static void count_players(double *x, struct heard *h)
{
    const struct piece *p = h->p;
    analyse_tracks(h->tracks, p, 0, p->n_notes);
    const uint64_t tracks = piece_tracks(p), drums = tracks & piece_drums(p);
    const int n = __builtin_popcountll(tracks);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if ((tracks & ~drums) >> t & 1) {
            h->n_pitched += h->tracks[t].n;
            x[PIANO + at_most(p->families[t], OTHER - PIANO)] += share(1, n);
        }
    x[DRUMS] = drums != 0;
    x[DRUMS_ONLY] = tracks == drums;
    x[TRACKS] = log2(n);
    for (int k = 1; k <= 4; k++)
        x[ALONE + k - 1] = n == k;
}

static void find_meter(double *x, const struct heard *h)
{
    const struct piece *p = h->p;
    const struct grid_meter *m = &p->meters[0];
    /* A shorter first bar is a pickup. */
    if (p->n_meters > 1 && meter_steps(m->numerator, m->denominator) <
                               meter_steps(m[1].numerator, m[1].denominator)) {
        x[PICKUP] = 1;
        m++;
    }
    const int n = m->numerator;
    const bool is_compound = m->denominator >= 8 && n > 3 && n % 3 == 0;
    x[TRIPLE] = n == 3;
    x[COMPOUND] = is_compound;
    x[DUPLE] = n == 2;
    x[ODD_METER] = n > 4 && !is_compound;
}

/* Counts where in the quarter notes begin, how many begin at once, and the rests between them. */
static void count_rhythm(double *x, const struct heard *h)
{
    const struct piece *p = h->p;
    double at[6] = {0}, attacks = 0, is_long = 0, silent = 0;
    int64_t end = 0, last = -1;
    for (size_t i = 0; i < p->n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        if (piece_is_hit(p, n))
            continue;
        is_long += n->length >= 2 * QUARTER;
        if (n->step != last)
            silent += (double)larger(n->step - end, 0);
        end = larger(end, (int64_t)n->step + n->length);
        if (n->step == last)
            continue;
        last = n->step;
        attacks++;
        const int in = n->step % QUARTER;
        at[in == 0               ? 0
           : in == 12            ? 1
           : in == 16            ? 2
           : in == 8             ? 3
           : in == 6 || in == 18 ? 4
                                 : 5]++;
    }
    for (int k = 0; k < 6; k++)
        x[ON_BEAT + k] = share(at[k], attacks);
    x[ATTACKS] = log2(1 + share(attacks, h->quarters));
    x[CHORD_SIZE] = share(h->n_pitched, attacks);
    x[RESTS] = share(silent / QUARTER, h->quarters);
    x[LONG] = share(is_long, h->n_pitched);
}

static void count_drums(double *x, const struct heard *h)
{
    const struct piece *p = h->p;
    double hits = 0, snares = 0, back = 0, kicks = 0, of[4] = {0};
    for (size_t i = 0; i < p->n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        if (!piece_is_hit(p, n))
            continue;
        const int64_t in_bar = n->step - piece_bar_start(p, piece_bar_at(p, n->step));
        const int pitch = n->pitch;
        hits++;
        if (pitch == 38 || pitch == 40) {
            snares++;
            back += in_bar % (2 * QUARTER) == QUARTER;
        }
        kicks += pitch <= 36 && n->step % QUARTER == 0;
        of[0] += pitch == 51 || pitch == 53 || pitch == 59;
        of[1] += pitch == 42 || pitch == 44 || pitch == 46;
        of[2] += pitch == 37;
        of[3] += pitch >= 54 && pitch != 55 && pitch != 57 && pitch != 59;
    }
    x[BACKBEAT] = share(back, snares);
    x[EACH_KICK] = share(kicks, h->quarters);
    for (int k = 0; k < 4; k++)
        x[RIDE + k] = share(of[k], hits);
    x[HITS] = log2(1 + share(hits, h->quarters));
}

static void count_chords(double *x, const struct heard *h)
{
    const struct piece *p = h->p;
    const int64_t end = piece_bar_start(p, p->n_bars);
    double of[CHORD_QUALITIES] = {0}, all = 0;
    for (size_t i = 0; i < p->n_chords; i++) {
        const struct grid_chord *c = &p->chords[i];
        const int64_t until = i + 1 < p->n_chords ? p->chords[i + 1].step : end;
        if (c->root != CHORD_NO_ROOT && c->quality < CHORD_QUALITIES) {
            of[c->quality] += (double)(until - c->step);
            all += (double)(until - c->step);
        }
    }
    x[SEVENTHS] = share(of[CHORD_DOMINANT7], all);
    x[MAJOR7] = share(of[CHORD_MAJOR7], all);
    x[MINOR7] = share(of[CHORD_MINOR7] + of[CHORD_HALF_DIMINISHED7], all);
    x[DIMINISHED] =
        share(of[CHORD_DIMINISHED] + of[CHORD_DIMINISHED7] + of[CHORD_AUGMENTED], all);
    x[SUSPENDED] = share(of[CHORD_SUSPENDED4], all);
    x[MINOR] = share(of[CHORD_MINOR] + of[CHORD_MINOR7], all);
    x[CHANGES] = share((double)p->n_chords, p->n_bars);
}

/* Counts the line of the track's lowest (or highest) notes. */
struct line {
    double n, on, off, steps, leaps, repeats, sum;
};

static void follow_line(struct line *l, const struct heard *h, int track, bool is_top)
{
    const struct piece *p = h->p;
    int before = -1;
    for (size_t i = 0; i < p->n_notes;) {
        const int64_t step = p->notes[i].step;
        int pitch = -1;
        for (; i < p->n_notes && p->notes[i].step == step; i++)
            if (p->notes[i].track == track &&
                (pitch < 0 || (p->notes[i].pitch > pitch) == is_top))
                pitch = p->notes[i].pitch;
        if (pitch < 0)
            continue;
        l->n++;
        l->sum += pitch;
        l->on += step % QUARTER == 0;
        l->off += step % QUARTER != 0;
        const int way = abs(pitch - before);
        if (before >= 0) {
            l->repeats += !way;
            l->steps += way == 1 || way == 2;
            l->leaps += way >= 5;
        }
        before = pitch;
    }
}

static void count_lines(double *x, const struct heard *h)
{
    const uint64_t pitched = ~piece_drums(h->p);
    const int low = find_outer_track(h->tracks, pitched, false),
              high = find_outer_track(h->tracks, pitched, true);
    if (low < 0)
        return;
    struct line bass = {0}, tune = {0};
    follow_line(&bass, h, low, false);
    follow_line(&tune, h, high, true);
    x[BASS] = share(bass.on, h->quarters);
    x[BASS_OFF] = share(bass.off, bass.n);
    x[BASS_STEPS] = share(bass.steps, bass.n);
    x[BASS_REPEATS] = share(bass.repeats, bass.n);
    x[BASS_HEIGHT] = share(bass.sum, bass.n) / 12;
    x[TUNE_STEPS] = share(tune.steps, tune.n);
    x[TUNE_LEAPS] = share(tune.leaps, tune.n);
    x[TUNE_REPEATS] = share(tune.repeats, tune.n);
    x[TUNE_HEIGHT] = share(tune.sum, tune.n) / 12;
    x[TUNE_SPEED] = log2(1 + share(tune.n, h->quarters));
}

/* Whether a bar with notes is the one so many bars before again. */
static bool is_again(const struct piece *p, int64_t bar, int64_t back)
{
    const int64_t from = piece_bar_start(p, bar);
    const struct likeness l =
        compare_passages(p, UINT64_MAX, from, from + bar_length(p, bar),
                         piece_bar_start(p, bar - back) - from);
    return l.n && l.n_alike == l.n;
}

enum midi_status style_features(double x[N_STYLE_FEATURES], const struct piece *p)
{
    struct piece w = {0};
    struct heard h = {.p = &w};
    for (int f = 0; f < N_STYLE_FEATURES; f++)
        x[f] = 0;
    if (!p->n_notes)
        return MIDI_OK;
    const int32_t first = (int32_t)piece_bar_at(p, p->notes[0].step),
                  n = (int32_t)piece_bar_at(p, p->notes[p->n_notes - 1].step) + 1 -
                      first;
    enum midi_status st = piece_window(&w, p, first, at_most(n, BARS));
    if (!st && !w.n_chords)
        st = chord_guess(&w);
    if (!st) {
        h.quarters = (double)piece_bar_start(&w, w.n_bars) / QUARTER;
        count_players(x, &h);
        find_meter(x, &h);
        count_rhythm(x, &h);
        count_drums(x, &h);
        count_chords(x, &h);
        count_lines(x, &h);
        double same = 0;
        for (int32_t bar = 1; bar < w.n_bars && bar < BARS; bar++)
            same += is_again(&w, bar, 1) || (bar > 1 && is_again(&w, bar, 2));
        x[SAME_BARS] = share(same, at_most(w.n_bars, BARS) - 1);
        /* Two choruses are enough to know a blues. */
        bool is_blues = false;
        piece_fini(&w);
        st = piece_window(&w, p, first, at_most(n, CHORUSES));
        if (!st)
            st = chord_plan_hear_blues(&is_blues, &w);
        x[BLUES] = is_blues;
    }
    piece_fini(&w);
    return st;
}

enum style style_likeliest(const double x[N_STYLE_FEATURES], const struct piece *p,
                           uint64_t styles)
{
    enum style likeliest = STYLE_ANY;
    double most = 0;
    int n_tracks = 0;
    uint64_t families = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (p->families[t] != FAMILY_NONE) {
            families |= UINT64_C(1) << p->families[t];
            n_tracks++;
        }
    styles &= p->n_notes ? styles_for_players(n_tracks, families) : 0;
    for (int s = STYLE_ANY + 1; s < STYLE_COUNT; s++) {
        double sum = FEATURES[EACH].weights[s - 1];
        for (int f = 0; f < N_STYLE_FEATURES; f++)
            sum += FEATURES[f].weights[s - 1] * x[f];
        if (styles >> s & 1 && (likeliest == STYLE_ANY || sum > most)) {
            most = sum;
            likeliest = (enum style)s;
        }
    }
    return likeliest;
}

enum midi_status style_guess(enum style *out, const struct piece *p, uint64_t styles)
{
    double x[N_STYLE_FEATURES];
    enum midi_status st = style_features(x, p);
    *out = st ? STYLE_ANY : style_likeliest(x, p, styles);
    return st;
}
