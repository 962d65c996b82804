/* See chord_worths.h. */
#include "midi/tokens/chord_worths.h"

#include <math.h>
#include <string.h>

enum { SYMBOLS = CHORD_SYMBOLS, NONE = CHORD_SYMBOLS - 1, ROW = CHORD_ROW };

/* Chances of the pitch classes over the root; what is left is shared by the others. */
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

/* What chord begins how often over the tonic of a key, in a thousand: counted in open-leadsheets,
 * songs of the public domain. Any other is RARE. */
static const struct common {
    uint8_t degree, quality;
    uint16_t chance;
} common[2][24] = {
    {
        {0, CHORD_MAJOR, 304},
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
        {2, CHORD_MAJOR, 3},
    },
    {
        {0, CHORD_MINOR, 229},     {7, CHORD_DOMINANT7, 128},
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
        {0, CHORD_MINOR7, 4},      {8, CHORD_MAJOR7, 4},
    },
};
static const float RARE = 3.0f;

/* How well the classes over its tonic belong to a key, major and minor (Krumhansl &
 * Kessler 1982). */
static const float PROFILES[2][12] = {
    {6.35f, 2.23f, 3.48f, 2.33f, 4.38f, 4.09f, 2.52f, 5.19f, 2.39f, 3.66f, 2.29f,
     2.88f},
    {6.33f, 2.68f, 3.52f, 5.38f, 2.60f, 3.53f, 2.54f, 4.75f, 3.98f, 2.69f, 3.34f,
     3.17f},
};

static const float CHANGES[CHORD_STRENGTHS] = {2.6f, 2.0f, 1.2f}; /* weak to bar line */
static const float FIT = 0.8f; /* of its notes among those around */
/* Of its place in the key, which says most where there is a single line. */
static const float KEY = 0.3f, LINE_KEY = 1.0f;
static const float BASS_ROOT = 1.0f, BASS_CHORD = 0.35f, BASS_OTHER = -0.5f;
static const float SILENCE = 0.35f; /* what no chord is worth in an empty beat */

static int n_classes(const struct quality *q)
{
    return q->chances[3] > 0 ? 4 : 3;
}

static void set_worths(struct chord_worths *w, int symbol)
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

void chord_worths_hear(float out[ROW], const struct chord_worths *w,
                       const struct chord_beat *b)
{
    for (int s = 0; s < ROW; s++)
        out[s] = w->basses[b->bass][s];
    if (b->is_heard)
        add_rows(out, w->tones, b->classes);
    else
        out[NONE] = SILENCE;
}

static void set_modes(struct chord_worths *w)
{
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

static void set_key(float key[12], const float profile[12], int tonic)
{
    float mean = 0, squares = 0;
    for (int c = 0; c < 12; c++)
        mean += profile[c] / 12;
    for (int c = 0; c < 12; c++)
        squares += (profile[c] - mean) * (profile[c] - mean);
    for (int c = 0; c < 12; c++)
        key[(tonic + c) % 12] = (profile[c] - mean) / sqrtf(squares);
}

static float dot(const float a[12], const float b[12])
{
    float sum = 0;
    for (int i = 0; i < 12; i++)
        sum += a[i] * b[i];
    return sum;
}

static int find_key(const struct chord_worths *w, const struct chord_beat *b)
{
    int best = 0;
    float most = -1e9f;
    for (int k = 0; k < 24; k++) {
        float fits = dot(w->keys[k], b->wide);
        if (fits > most) {
            most = fits;
            best = k;
        }
    }
    return best;
}

void chord_worths_begin(float out[ROW], const struct chord_worths *w,
                        const struct chord_beat *b)
{
    int key = find_key(w, b);
    const float *in_key = w->in_key[key / 12];
    float weight = b->bass < 12 ? KEY : LINE_KEY;
    for (int s = 0; s < ROW; s++)
        out[s] = -CHANGES[b->strength];
    add_rows(out, w->members, b->around);
    int over = (12 - key % 12) * CHORD_QUALITIES % NONE;
    for (int s = 0; s < NONE; s++) {
        out[s] += weight * in_key[over];
        over = over + 1 < NONE ? over + 1 : 0;
    }
}

void chord_worths_init(struct chord_worths *w)
{
    memset(w, 0, sizeof *w);
    for (int s = 0; s < NONE; s++)
        set_worths(w, s);
    for (int k = 0; k < 24; k++)
        set_key(w->keys[k], PROFILES[k / 12], k % 12);
    set_modes(w);
}

bool chord_has(int symbol, int class)
{
    const struct quality *q = &qualities[symbol % CHORD_QUALITIES];
    int over = (class - symbol / CHORD_QUALITIES + 12) % 12;
    for (int i = 0; i < n_classes(q); i++)
        if (q->classes[i] == over)
            return true;
    return false;
}
