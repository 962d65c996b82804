/* The harmony of a scene: what all tracks together spell, by parts of bars. See scene.h. */
#include "app/critic/scene.h"

#include "midi/edit/timeline_events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What begins within this share of a part's beat counts more. */
#define AT_START     0.5
#define START_COUNTS 1.5
/* Chords change by beats where the given bars are explained that much better so. */
#define BEATS_GAIN   0.12
/* A chord tone that has less than this share is missing, */
#define LEAST_TONE   0.03
#define MISSING      0.05 /* which costs this, */
#define NO_ROOT      0.15 /* and the root that; */
#define ROOT_GAIN    0.1  /* the bass on the root gives that. */

/* Quarters: a symbol may come so much later than the part that it is of. */
#define NEAR         (1.0 / 24)

/* Costs prefer plain chords. */
static const struct chord_kind {
    int n, tones[4];
    double cost;
} CHORD_KINDS[] = {
    {3, {0, 4, 7}, 0},        {3, {0, 3, 7}, 0},        {4, {0, 4, 7, 10}, 0.03},
    {4, {0, 3, 7, 10}, 0.03}, {4, {0, 4, 7, 11}, 0.05}, {3, {0, 3, 6}, 0.06},
    {4, {0, 3, 6, 10}, 0.06}, {3, {0, 5, 7}, 0.08},
};
enum { N_KINDS = sizeof CHORD_KINDS / sizeof CHORD_KINDS[0] };

static double chord_worth(const double weights[12], double sum, int low, int root,
                          const struct chord_kind *k)
{
    double worth = -k->cost;
    for (int i = 0; i < k->n; i++) {
        const double share = weights[(root + k->tones[i]) % 12] / sum;
        const bool is_missing = i < 3 && share < LEAST_TONE;
        worth += share - (is_missing ? i ? MISSING : NO_ROOT : 0);
    }
    return worth + (low >= 0 && low % 12 == root ? ROOT_GAIN : 0);
}

double chord_explain(const double weights[12], int low, int *root, int *kind)
{
    double sum = 0, best = -10, fit = 0;
    *root = *kind = 0;
    for (int i = 0; i < 12; i++)
        sum += weights[i];
    if (sum <= 0)
        return 0;
    for (int r = 0; r < 12; r++)
        for (int k = 0; k < N_KINDS; k++) {
            const double worth = chord_worth(weights, sum, low, r, &CHORD_KINDS[k]);
            if (worth > best) {
                best = worth;
                *root = r;
                *kind = k;
            }
        }
    for (int i = 0; i < CHORD_KINDS[*kind].n; i++)
        fit += weights[(*root + CHORD_KINDS[*kind].tones[i]) % 12];
    return fit / sum;
}

bool chord_is_minor(int kind)
{
    return CHORD_KINDS[kind].tones[1] == 3;
}

bool chord_is_dominant(int kind)
{
    return CHORD_KINDS[kind].tones[1] == 4 && CHORD_KINDS[kind].tones[3] != 11;
}

uint16_t chord_classes(int root, int kind, int n)
{
    unsigned mask = 0;
    for (int i = 0; i < n && i < CHORD_KINDS[kind].n; i++)
        mask |= 1u << (root + CHORD_KINDS[kind].tones[i]) % 12;
    return (uint16_t)mask;
}

/* Adds a note to all parts that it sounds in. */
static void add_sound(struct scene *c, const struct scene_note *n)
{
    int low = 0, high = c->n_chords;
    while (low < high) { /* the first part that ends after its start */
        const int middle = (low + high) / 2;
        if (c->chords[middle].end <= n->start)
            low = middle + 1;
        else
            high = middle;
    }
    for (int i = low; i < c->n_chords && c->chords[i].start < n->end; i++) {
        struct scene_chord *h = &c->chords[i];
        const double lasts = fmin(n->end, h->end) - fmax(n->start, h->start);
        const bool begins = n->start >= h->start && n->start < h->start + AT_START;
        const double weight = lasts * (begins ? START_COUNTS : 1);
        if (lasts <= 0.02)
            continue;
        h->weights[n->pitch % 12] += weight;
        c->shares[((size_t)i * (size_t)c->n_tracks + (size_t)n->track) * 12 +
                  (size_t)(n->pitch % 12)] += weight;
        if (n->start < h->start + AT_START && n->end > h->start + 0.25 &&
            (h->low < 0 || n->pitch < h->low)) {
            h->low = n->pitch;
            h->low_track = n->track;
        }
    }
}

static int parts_of_bar(const struct scene_bar *b, bool by_beats)
{
    if (by_beats)
        return b->n_beats % 3 == 0 && b->beat < 1 ? b->n_beats / 3 : b->n_beats;
    return b->n_beats % 2 == 0 && b->n_beats > 2 ? 2 : 1;
}

static enum midi_status cut_parts(struct scene *c, bool by_beats)
{
    int n = 0;
    for (int i = 0; i < c->n_bars; i++)
        n += parts_of_bar(&c->bars[i], by_beats);
    free(c->chords);
    free(c->shares);
    c->n_chords = n;
    c->chords = calloc((size_t)n + 1, sizeof *c->chords);
    c->shares = calloc((size_t)n * (size_t)c->n_tracks * 12 + 1, sizeof *c->shares);
    if (!c->chords || !c->shares)
        return MIDI_NO_MEMORY;
    n = 0;
    for (int i = 0; i < c->n_bars; i++) {
        const struct scene_bar *b = &c->bars[i];
        const int parts = parts_of_bar(b, by_beats);
        for (int k = 0; k < parts; k++)
            c->chords[n++] = (struct scene_chord){
                .start = b->start + (b->end - b->start) * k / parts,
                .end = b->start + (b->end - b->start) * (k + 1) / parts,
                .low = -1,
                .low_track = -1,
                .is_new = b->is_new};
    }
    return MIDI_OK;
}

/* Returns how well the given bars are explained. */
static double explain_parts(struct scene *c)
{
    double sum = 0;
    int n = 0;
    for (size_t i = 0; i < c->n_notes; i++)
        if (!c->notes[i].is_hit)
            add_sound(c, &c->notes[i]);
    for (int i = 0; i < c->n_chords; i++) {
        struct scene_chord *h = &c->chords[i];
        h->fit = chord_explain(h->weights, h->low, &h->root, &h->kind);
        if (!h->is_new && h->fit > 0) {
            sum += h->fit;
            n++;
        }
    }
    return n ? sum / n : 1;
}

/* Whether what is written goes on through the new bars: a symbol stands in them or behind, or given
 * notes do. Else the last of chords that stop with the music would read as if it went on: takes are
 * drawn without it, too (app/decoding/context.c). */
static bool written_goes_on(const struct scene *c, double last)
{
    for (size_t i = 0; i < c->n_notes; i++)
        if (!c->notes[i].is_new && c->notes[i].bar >= c->end_new)
            return true;
    return last >= c->bars[c->first_new].start - NEAR;
}

/* Each part has the symbol that is in force at its start. */
static enum midi_status read_written(struct scene *c, const struct score *s)
{
    struct timeline_events written;
    enum midi_status st =
        timeline_events_collect(&written, s, TIMELINE_BIT(TIMELINE_CHORD));
    size_t n = 0;
    struct chord_symbol in_force = {0};
    double last = -1;
    for (int i = 0; !st && i < c->n_chords; i++) {
        for (; n < written.n; n++) {
            const double at = (double)written.list[n].tick / s->ticks_per_quarter;
            char text[CHORD_TEXT];
            struct chord_symbol symbol;
            if (at > c->chords[i].start + NEAR)
                break;
            if (!chord_symbol_read(
                    timeline_event_copy_text(s, &written.list[n], text, sizeof text),
                    &symbol))
                continue;
            in_force = symbol;
            last = at;
        }
        c->chords[i].written = in_force;
    }
    const bool goes_on = written_goes_on(c, last);
    for (int i = 0; !goes_on && i < c->n_chords; i++)
        if (c->chords[i].is_new)
            c->chords[i].written = (struct chord_symbol){0};
    timeline_events_fini(&written);
    return st;
}

enum midi_status scene_find_chords(struct scene *c, const struct score *s)
{
    enum midi_status st = cut_parts(c, true);
    const double by_beats = st ? 0 : explain_parts(c);
    if (!st)
        st = cut_parts(c, false);
    if (!st && by_beats > explain_parts(c) + BEATS_GAIN) {
        st = cut_parts(c, true);
        if (!st)
            explain_parts(c);
    }
    return st ? st : read_written(c, s);
}

struct scene_harmony scene_harmony_beside(const struct scene *c, int chord, int track)
{
    enum { LEAST_CLASSES = 3 };
    const struct scene_chord *h = &c->chords[chord];
    const double *own =
        &c->shares[((size_t)chord * (size_t)c->n_tracks + (size_t)track) * 12];
    double others[12];
    int n = 0, root = h->root, kind = h->kind;
    if (h->written.classes)
        return (struct scene_harmony){h->written.classes, h->written.bass};
    for (int i = 0; i < 12; i++) {
        others[i] = h->weights[i] - own[i];
        n += others[i] > 0.05;
    }
    if (n >= LEAST_CLASSES)
        chord_explain(others, h->low_track == track ? -1 : h->low, &root, &kind);
    return (struct scene_harmony){chord_classes(root, kind, 4), root};
}
