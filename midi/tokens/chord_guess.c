/* Finds the best sequence of chord symbols by dynamic programming over beats.
 *
 * In each beat every symbol has a score: the log likelihood of the pitch classes that
 * sound and of the bass. A chord that begins in the beat has a second score: by the
 * beat's place in the bar, how well the chord fits the notes around, and how common it
 * is in the key. A symbol is root * CHORD_QUALITIES + quality; the last symbol means no
 * chord. */
#include "midi/tokens/chord_guess.h"

#include "midi/base/array.h"
#include "midi/score/scale_guess.h"
#include "midi/tokens/hole.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- the beats of the piece, with what sounds in them -- */

enum { CHORD_WEAK, CHORD_HALF_BAR, CHORD_BAR_LINE, CHORD_STRENGTHS };

struct chord_beat {
    int32_t from, to;  /* steps */
    float classes[12]; /* how long each class sounds, as a part of the beat, balanced */
    float around[12];  /* log of 12 times its share of `wide` */
    float wide[12];    /* what sounds in this beat, and fading, around it */
    uint8_t strength;  /* enum above */
    uint8_t bass;      /* the class that is lowest for longest; 12: none */
    bool has_others;   /* notes sound together */
    uint8_t symbol;    /* the guessed symbol */
    bool is_heard;     /* something sounds */
};

struct chord_beats {
    struct chord_beat *at;
    int n;
};

enum { LONGEST = 16 * STEPS_PER_QUARTER, SILENT = 255 };

static const float FADE = 0.985f; /* at a distance of one beat */
static const float LEAST = 0.01f; /* the smallest share that is told apart */

/* Returns the length of a beat: the meter's unit, or three of them if it is compound,
 * but at least a quarter. */
static int32_t beat_steps(const struct grid_meter *m)
{
    bool is_compound = m->denominator >= 8 && m->numerator % 3 == 0;
    int32_t steps = meter_steps(is_compound ? 3 : 1, m->denominator);
    return steps < STEPS_PER_QUARTER ? STEPS_PER_QUARTER : steps;
}

static enum midi_status lay_out(struct chord_beats *b, const struct piece *p)
{
    int32_t *bars = calloc((size_t)p->n_bars + 1, sizeof *bars);
    size_t meter = 0, n = 0, cap = 0;
    bool ok = bars;
    if (ok)
        piece_bar_starts(p, bars);
    for (int32_t bar = 0; ok && bar < p->n_bars; bar++) {
        const int32_t from = bars[bar], to = bars[bar + 1];
        while (meter + 1 < p->n_meters && p->meters[meter + 1].step <= from)
            meter++;
        const int32_t beat = beat_steps(&p->meters[meter]);
        for (int32_t at = from; ok && at < to; at += beat) {
            const bool is_half = 2 * (at - from) == to - from;
            const struct chord_beat next = {.from = at,
                                            .to = at + beat < to ? at + beat : to,
                                            .strength = at == from ? CHORD_BAR_LINE
                                                        : is_half  ? CHORD_HALF_BAR
                                                                   : CHORD_WEAK,
                                            .bass = 12};
            ok = array_add(&b->at, &n, &cap, &next, sizeof next);
        }
    }
    free(bars);
    b->n = (int)n;
    return ok ? MIDI_OK : MIDI_NO_MEMORY;
}

/* Returns the step at which a note ends or has faded. */
static int32_t end_of(const struct grid_note *n)
{
    return n->step + (n->length < LONGEST ? n->length : LONGEST);
}

/* Finds the bass of each beat, and whether notes sound together in it. */
static enum midi_status find_basses(struct chord_beats *b, const struct piece *p,
                                    int bass_below)
{
    int32_t n_steps = b->n ? b->at[b->n - 1].to : 0;
    struct lowest {
        uint8_t pitch;   /* of the lowest note */
        bool has_others; /* another pitch sounds, too */
    } *steps = calloc((size_t)n_steps + 1, sizeof *steps);
    if (!steps)
        return MIDI_NO_MEMORY;
    for (int32_t i = 0; i < n_steps; i++)
        steps[i].pitch = SILENT;
    for (size_t k = 0; k < p->n_notes; k++) {
        const struct grid_note *n = &p->notes[k];
        const int32_t end = piece_is_hit(p, n) ? n->step : end_of(n);
        for (int32_t i = n->step; i < end && i < n_steps; i++) {
            steps[i].has_others |=
                steps[i].pitch != SILENT && steps[i].pitch != n->pitch;
            if (n->pitch < steps[i].pitch)
                steps[i].pitch = n->pitch;
        }
    }
    for (int i = 0; i < b->n; i++) {
        struct chord_beat *at = &b->at[i];
        int32_t lasts[12] = {0};
        int best = 0;
        for (int32_t k = at->from; k < at->to; k++) {
            at->has_others |= steps[k].has_others;
            if (steps[k].has_others && steps[k].pitch < bass_below)
                lasts[steps[k].pitch % 12]++;
        }
        for (int c = 1; c < 12; c++)
            best = lasts[c] > lasts[best] ? c : best;
        at->bass = (uint8_t)(lasts[best] ? best : 12);
    }
    free(steps);
    return MIDI_OK;
}

static void fade_into(struct chord_beat *b, float sum[12])
{
    for (int c = 0; c < 12; c++) {
        b->around[c] += sum[c];
        sum[c] = FADE * (sum[c] + b->classes[c]);
    }
}

/* Leaves out hits. A note fades after four bars of 4/4. Only notes below `bass_below`
 * count as bass. Fails with MIDI_NO_MEMORY only. */
static enum midi_status measure_beats(struct chord_beats *b, const struct piece *p,
                                      int bass_below)
{
    float before[12] = {0}, after[12] = {0};
    int beat = 0;
    *b = (struct chord_beats){0};
    enum midi_status st = lay_out(b, p);
    for (size_t k = 0; !st && k < p->n_notes; k++) {
        const struct grid_note *n = &p->notes[k];
        const int32_t end = end_of(n);
        if (piece_is_hit(p, n))
            continue;
        /* Notes come by onset, so the search starts at the beat of the last note. */
        while (beat + 1 < b->n && b->at[beat].to <= n->step)
            beat++;
        for (int i = beat; i < b->n && b->at[i].from < end; i++) {
            struct chord_beat *at = &b->at[i];
            int32_t from = n->step > at->from ? n->step : at->from;
            int32_t to = end < at->to ? end : at->to;
            at->classes[n->pitch % 12] +=
                (float)(to - from) / (float)(at->to - at->from);
            at->is_heard = true;
        }
    }
    if (!st)
        st = find_basses(b, p, bass_below);
    for (int i = 0; !st && i < b->n; i++) {
        struct chord_beat *at = &b->at[i];
        float total = 0;
        for (int c = 0; c < 12; c++)
            total += at->classes[c];
        /* By the square root, doubling a note does not double its weight. */
        for (int c = 0; c < 12 && total > 0; c++)
            at->classes[c] /= sqrtf(total);
        fade_into(at, before);
    }
    for (int i = b->n; !st && i-- > 0;) {
        struct chord_beat *at = &b->at[i];
        float total = 0;
        fade_into(at, after);
        for (int c = 0; c < 12; c++)
            total += at->wide[c] = at->around[c] + at->classes[c];
        for (int c = 0; c < 12; c++) {
            float share = total > 0 ? at->wide[c] / total : 1.0f / 12;
            at->around[c] = logf(12 * (share > LEAST ? share : LEAST));
        }
    }
    return st;
}

/* -- scores of chord symbols -- */

/* Rows are padded with zeros to whole vectors. */
enum { SYMBOLS = 12 * CHORD_QUALITIES + 1, NONE = SYMBOLS - 1, ROW = 128 };

struct chord_scores {
    float tones[12][ROW], basses[13][ROW], members[12][ROW];
    float in_key[2][SYMBOLS]; /* [mode][symbol over C]: log probability */
    float keys[24][12];       /* standardised profiles: 12 major, 12 minor */
};

/* Probabilities of the pitch classes above the root. All other classes share the
 * rest. */
struct quality {
    uint8_t classes[4];
    float chances[4];
};

static const struct quality qualities[CHORD_QUALITIES] = {
    [CHORD_MAJOR] = {{0, 4, 7}, {0.32f, 0.26f, 0.24f}},
    [CHORD_MINOR] = {{0, 3, 7}, {0.32f, 0.26f, 0.24f}},
    [CHORD_DIMINISHED] = {{0, 3, 6}, {0.29f, 0.27f, 0.26f}},
    [CHORD_AUGMENTED] = {{0, 4, 8}, {0.29f, 0.27f, 0.26f}},
    [CHORD_DOMINANT7] = {{0, 4, 7, 10}, {0.25f, 0.22f, 0.18f, 0.19f}},
    [CHORD_MAJOR7] = {{0, 4, 7, 11}, {0.25f, 0.22f, 0.19f, 0.18f}},
    [CHORD_MINOR7] = {{0, 3, 7, 10}, {0.25f, 0.22f, 0.18f, 0.19f}},
    [CHORD_HALF_DIMINISHED7] = {{0, 3, 6, 10}, {0.23f, 0.21f, 0.21f, 0.19f}},
    [CHORD_DIMINISHED7] = {{0, 3, 6, 9}, {0.21f, 0.21f, 0.21f, 0.21f}},
    [CHORD_SUSPENDED4] = {{0, 5, 7}, {0.30f, 0.27f, 0.25f}},
};

/* How often a chord begins on a degree of the key, in a thousand, as counted in
 * open-leadsheets (songs in the public domain). All other chords are RARE. */
static const struct common {
    uint8_t degree, quality;
    uint16_t chance;
} common[2][24] = {
    {{0, CHORD_MAJOR, 304},
     {7, CHORD_DOMINANT7, 186},
     {5, CHORD_MAJOR, 109},
     {7, CHORD_MAJOR, 48},
     {2, CHORD_DOMINANT7, 45},
     {9, CHORD_MINOR, 37},
     {0, CHORD_DOMINANT7, 34},
     {2, CHORD_MINOR7, 33},
     {2, CHORD_MINOR, 29},
     {9, CHORD_DOMINANT7, 20},
     {4, CHORD_DOMINANT7, 13},
     {9, CHORD_MINOR7, 11},
     {4, CHORD_MINOR, 10},
     {5, CHORD_MINOR, 7},
     {4, CHORD_MAJOR, 5},
     {7, CHORD_MINOR, 5},
     {0, CHORD_MAJOR7, 4},
     {5, CHORD_MAJOR7, 4},
     {11, CHORD_DIMINISHED, 4},
     {10, CHORD_MAJOR, 4},
     {2, CHORD_HALF_DIMINISHED7, 4},
     {7, CHORD_MINOR7, 4},
     {7, CHORD_SUSPENDED4, 3},
     {2, CHORD_MAJOR, 3}},
    {{0, CHORD_MINOR, 229},     {7, CHORD_DOMINANT7, 128},
     {5, CHORD_MINOR, 89},      {3, CHORD_MAJOR, 87},
     {0, CHORD_MAJOR, 58},      {8, CHORD_MAJOR, 49},
     {10, CHORD_MAJOR, 48},     {7, CHORD_MAJOR, 44},
     {5, CHORD_MAJOR, 41},      {0, CHORD_DOMINANT7, 30},
     {10, CHORD_DOMINANT7, 33}, {2, CHORD_MINOR, 15},
     {5, CHORD_DOMINANT7, 20},  {5, CHORD_MINOR7, 16},
     {3, CHORD_DOMINANT7, 12},  {7, CHORD_MINOR, 13},
     {10, CHORD_MINOR, 6},      {2, CHORD_HALF_DIMINISHED7, 10},
     {2, CHORD_DIMINISHED, 8},  {11, CHORD_DIMINISHED7, 8},
     {2, CHORD_DOMINANT7, 6},   {1, CHORD_MAJOR, 4},
     {0, CHORD_MINOR7, 4},      {8, CHORD_MAJOR7, 4}},
};
static const float RARE = 3.0f;

static const float CHANGES[CHORD_STRENGTHS] = {2.6f, 2.0f, 1.2f}; /* weak to bar line */
static const float FIT = 0.8f; /* weight of the fit with the notes around */
/* Weight of the chord's place in the key. It counts most for a single line. */
static const float KEY = 0.3f, LINE_KEY = 1.0f;
static const float BASS_ROOT = 1.0f, BASS_CHORD = 0.35f, BASS_OTHER = -0.5f;
static const float NEVER = -1e9f;
static const float SILENCE = 0.35f; /* score of no chord in an empty beat */

static int n_classes(const struct quality *q)
{
    return q->chances[3] > 0 ? 4 : 3;
}

static void set_worths(struct chord_scores *w, int symbol)
{
    int root = symbol / CHORD_QUALITIES;
    const struct quality *q = &qualities[symbol % CHORD_QUALITIES];
    int n = n_classes(q);
    float left = 1;
    for (int i = 0; i < n; i++)
        left -= q->chances[i];
    for (int c = 0; c < 12; c++) {
        w->tones[c][symbol] = logf(12 * left / (float)(12 - n));
        w->basses[c][symbol] = BASS_OTHER;
    }
    for (int i = 0; i < n; i++) {
        int c = (root + q->classes[i]) % 12;
        w->tones[c][symbol] = logf(12 * q->chances[i]);
        w->basses[c][symbol] = i ? BASS_CHORD : BASS_ROOT;
        w->members[c][symbol] = FIT / (float)n;
    }
}

static void add_rows(float sum[ROW], const float rows[12][ROW], const float weights[12])
{
    for (int c = 0; c < 12; c++)
        if (weights[c] != 0)
            for (int s = 0; s < ROW; s++)
                sum[s] += weights[c] * rows[c][s];
}

static void chord_scores_begin(float out[ROW], const struct chord_scores *w,
                               const struct chord_beat *b)
{
    int key = 0;
    float most = -1e9f;
    for (int k = 0; k < 24; k++) {
        float fits = 0;
        for (int i = 0; i < 12; i++)
            fits += w->keys[k][i] * b->wide[i];
        key = fits > most ? k : key;
        most = fits > most ? fits : most;
    }
    const float *in_key = w->in_key[key / 12];
    float weight = b->has_others ? KEY : LINE_KEY;
    for (int s = 0; s < ROW; s++)
        out[s] = -CHANGES[b->strength];
    add_rows(out, w->members, b->around);
    int over = (12 - key % 12) * CHORD_QUALITIES % NONE;
    for (int s = 0; s < NONE; s++) {
        out[s] += weight * in_key[over];
        over = over + 1 < NONE ? over + 1 : 0;
    }
}

static void chord_scores_init(struct chord_scores *w)
{
    memset(w, 0, sizeof *w);
    for (int s = 0; s < NONE; s++)
        set_worths(w, s);
    for (int k = 0; k < 24; k++) {
        const double *profile = KEY_PROFILES[k / 12];
        float mean = 0, squares = 0;
        for (int c = 0; c < 12; c++)
            mean += (float)profile[c] / 12;
        for (int c = 0; c < 12; c++)
            squares += ((float)profile[c] - mean) * ((float)profile[c] - mean);
        for (int c = 0; c < 12; c++)
            w->keys[k][(k % 12 + c) % 12] = ((float)profile[c] - mean) / sqrtf(squares);
    }
    for (int mode = 0; mode < 2; mode++) {
        for (int s = 0; s < NONE; s++)
            w->in_key[mode][s] = logf(RARE / 100);
        for (int i = 0; i < 24; i++) {
            const struct common *c = &common[mode][i];
            w->in_key[mode][c->degree * CHORD_QUALITIES + c->quality] =
                logf(c->chance / 100.0f);
        }
    }
}

static bool chord_has(int symbol, int class)
{
    const struct quality *q = &qualities[symbol % CHORD_QUALITIES];
    int over = (class - symbol / CHORD_QUALITIES + 12) % 12;
    for (int i = 0; i < n_classes(q); i++)
        if (q->classes[i] == over)
            return true;
    return false;
}

/* The best way to a beat: which symbols begin there, and after which symbol. */
struct step {
    uint64_t begins[2];
    uint8_t before;
};

static int best_of(const float score[SYMBOLS])
{
    int best = 0;
    for (int s = 1; s < SYMBOLS; s++)
        if (score[s] > score[best])
            best = s;
    return best;
}

static void take_beat(float score[SYMBOLS], struct step *step,
                      const struct chord_scores *w, const struct chord_beat *b)
{
    int best = best_of(score);
    float from = score[best], begun[ROW], heard[ROW];
    chord_scores_begin(begun, w, b);
    memcpy(heard, w->basses[b->bass], sizeof heard);
    if (b->is_heard)
        add_rows(heard, w->tones, b->classes);
    else
        heard[NONE] = SILENCE;
    *step = (struct step){.before = (uint8_t)best};
    for (int s = 0; s < SYMBOLS; s++) {
        if (from + begun[s] > score[s]) {
            score[s] = from + begun[s];
            step->begins[s / 64] |= UINT64_C(1) << s % 64;
        }
        score[s] += heard[s] - from; /* stays near zero in a long piece */
    }
}

/* Sets the symbol of each beat. false: out of memory. */
static bool find_symbols(struct chord_beats *beats)
{
    struct step *steps = calloc((size_t)beats->n + 1, sizeof *steps);
    struct chord_scores *w = calloc(1, sizeof *w);
    float score[SYMBOLS];
    bool ok = steps && w;
    if (ok)
        chord_scores_init(w);
    for (int s = 0; s < SYMBOLS; s++) /* so that the first chord has to begin, too */
        score[s] = s == NONE ? 0 : NEVER;
    for (int i = 0; ok && i < beats->n; i++)
        take_beat(score, &steps[i], w, &beats->at[i]);
    int s = best_of(score);
    for (int i = beats->n; ok && i-- > 0;) {
        beats->at[i].symbol = (uint8_t)s;
        if (steps[i].begins[s / 64] >> s % 64 & 1)
            s = steps[i].before;
    }
    free(steps);
    free(w);
    return ok;
}

/* Returns the class that is the bass for longest if the chord has it, else the root. */
static uint8_t bass_of(const struct chord_beat *beats, int n)
{
    int32_t lasts[13] = {0};
    int root = beats[0].symbol / CHORD_QUALITIES, best = root;
    for (int i = 0; i < n; i++)
        lasts[beats[i].bass] += beats[i].to - beats[i].from;
    for (int c = 0; c < 12; c++)
        if (lasts[c] > lasts[best])
            best = c;
    return (uint8_t)(chord_has(beats[0].symbol, best) ? best : root);
}

/* Joins beats with the same symbol. There is no entry before the first chord. */
static size_t list_chords(struct grid_chord *out, const struct chord_beats *beats)
{
    size_t n = 0;
    for (int i = 0, end; i < beats->n; i = end) {
        const struct chord_beat *b = &beats->at[i];
        for (end = i + 1; end < beats->n && beats->at[end].symbol == b->symbol;)
            end++;
        if (b->symbol == NONE && n == 0)
            continue;
        out[n++] = (struct grid_chord){
            .step = b->from,
            .root = b->symbol / CHORD_QUALITIES, /* for NONE this is CHORD_NO_ROOT */
            .quality = b->symbol % CHORD_QUALITIES,
            .bass = b->symbol == NONE ? CHORD_NO_ROOT : bass_of(b, end - i),
        };
    }
    return n;
}

enum midi_status chord_guess(struct piece *p)
{
    return chord_guess_without_bass(p, N_PITCHES);
}

enum midi_status chord_guess_without_bass(struct piece *p, int bass_below)
{
    struct chord_beats beats;
    struct grid_chord *chords = NULL;
    enum midi_status st = measure_beats(&beats, p, bass_below);
    if (!st && find_symbols(&beats))
        chords = calloc((size_t)beats.n + 1, sizeof *chords);
    if (chords) {
        free(p->chords);
        p->chords = chords;
        p->n_chords = list_chords(chords, &beats);
    }
    free(beats.at);
    return chords ? MIDI_OK : MIDI_NO_MEMORY;
}
