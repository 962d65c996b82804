/* The best way to each beat by dynamic programming, then its symbols as a list. */
#include "midi/tokens/chord_guess.h"

#include "midi/tokens/chord_worths.h"

#include <stdlib.h>

enum { SYMBOLS = CHORD_SYMBOLS, NONE = CHORD_SYMBOLS - 1 };

/* The best way to each beat: did the symbol begin there, and after which. */
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
                      const struct chord_worths *w, const struct chord_beat *b)
{
    int best = best_of(score);
    float from = score[best], begun[CHORD_ROW], heard[CHORD_ROW];
    chord_worths_begin(begun, w, b);
    chord_worths_hear(heard, w, b);
    *step = (struct step){.before = (uint8_t)best};
    for (int s = 0; s < SYMBOLS; s++) {
        if (from + begun[s] > score[s]) {
            score[s] = from + begun[s];
            step->begins[s / 64] |= UINT64_C(1) << s % 64;
        }
        score[s] += heard[s] - from; /* near zero, however long the piece */
    }
}

/* Of each beat the symbol, into its `symbol`. */
static bool find_symbols(struct chord_beats *beats)
{
    struct step *steps = calloc((size_t)beats->n + 1, sizeof *steps);
    struct chord_worths *w = calloc(1, sizeof *w);
    float score[SYMBOLS] = {0};
    bool ok = steps && w;
    if (ok)
        chord_worths_init(w);
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

/* The class that is longest the bass of the beats, if the chord has it; else the root. */
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

/* Chords of one symbol each; nothing is said before the first. */
static size_t list_chords(struct grid_chord *out, const struct chord_beats *beats)
{
    size_t n = 0;
    for (int i = 0, end; i < beats->n; i = end) {
        const struct chord_beat *b = &beats->at[i];
        for (end = i + 1; end < beats->n && beats->at[end].symbol == b->symbol;)
            end++;
        if (b->symbol == NONE && n > 0)
            out[n++] = (struct grid_chord){
                .step = b->from, .root = CHORD_NO_ROOT, .bass = CHORD_NO_ROOT};
        else if (b->symbol != NONE)
            out[n++] = (struct grid_chord){.step = b->from,
                                           .root = b->symbol / CHORD_QUALITIES,
                                           .quality = b->symbol % CHORD_QUALITIES,
                                           .bass = bass_of(b, end - i)};
    }
    return n;
}

enum midi_status chord_guess(struct piece *p)
{
    struct chord_beats beats;
    struct grid_chord *chords = NULL;
    enum midi_status st = chord_beats_hear(&beats, p);
    if (!st && find_symbols(&beats))
        chords = calloc((size_t)beats.n + 1, sizeof *chords);
    if (chords) {
        free(p->chords);
        p->chords = chords;
        p->n_chords = list_chords(chords, &beats);
    }
    chord_beats_fini(&beats);
    return chords ? MIDI_OK : MIDI_NO_MEMORY;
}
