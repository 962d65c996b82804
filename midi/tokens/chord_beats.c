#include "midi/tokens/chord_beats.h"

#include <math.h>
#include <stdlib.h>

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

/* Lists the beats of one bar in `out`, unless that is NULL. Returns their number. */
static int bar_beats(struct chord_beat *out, int32_t from, int32_t to, int32_t beat)
{
    int n = 0;
    for (int32_t at = from; at < to; at += beat, n++) {
        bool is_half = 2 * (at - from) == to - from;
        if (out)
            out[n] = (struct chord_beat){.from = at,
                                         .to = at + beat < to ? at + beat : to,
                                         .strength = at == from ? CHORD_BAR_LINE
                                                     : is_half  ? CHORD_HALF_BAR
                                                                : CHORD_WEAK,
                                         .bass = 12};
    }
    return n;
}

static int all_beats(struct chord_beat *out, const struct piece *p, const int32_t *bars)
{
    size_t meter = 0;
    int n = 0;
    for (int32_t bar = 0; bar < p->n_bars; bar++) {
        while (meter + 1 < p->n_meters && p->meters[meter + 1].step <= bars[bar])
            meter++;
        n += bar_beats(out ? out + n : NULL, bars[bar], bars[bar + 1],
                       beat_steps(&p->meters[meter]));
    }
    return n;
}

static enum midi_status lay_out(struct chord_beats *b, const struct piece *p)
{
    int32_t *bars = calloc((size_t)p->n_bars + 1, sizeof *bars);
    if (!bars)
        return MIDI_NO_MEMORY;
    piece_bar_starts(p, bars);
    b->n = all_beats(NULL, p, bars);
    b->at = calloc((size_t)b->n + 1, sizeof *b->at);
    if (b->at)
        all_beats(b->at, p, bars);
    free(bars);
    return b->at ? MIDI_OK : MIDI_NO_MEMORY;
}

/* Returns the step at which a note ends or has faded. */
static int32_t end_of(const struct grid_note *n)
{
    return n->step + (n->length < LONGEST ? n->length : LONGEST);
}

/* Adds a note to the beats in which it sounds. Notes come by onset, so the search
 * starts at the beat of the last note. */
static void hear_note(struct chord_beats *b, int *beat, const struct grid_note *n)
{
    const int32_t end = end_of(n);
    while (*beat + 1 < b->n && b->at[*beat].to <= n->step)
        ++*beat;
    for (int i = *beat; i < b->n && b->at[i].from < end; i++) {
        struct chord_beat *at = &b->at[i];
        int32_t from = n->step > at->from ? n->step : at->from;
        int32_t to = end < at->to ? end : at->to;
        at->classes[n->pitch % 12] += (float)(to - from) / (float)(at->to - at->from);
        at->is_heard = true;
    }
}

/* The lowest pitch of a step, and whether another pitch sounds. */
struct lowest {
    uint8_t pitch;
    bool has_others;
};

static void mark_lowest(struct lowest *steps, int32_t n_steps,
                        const struct grid_note *n)
{
    const int32_t end = end_of(n);
    for (int32_t i = n->step; i < end && i < n_steps; i++) {
        steps[i].has_others |= steps[i].pitch != SILENT && steps[i].pitch != n->pitch;
        if (n->pitch < steps[i].pitch)
            steps[i].pitch = n->pitch;
    }
}

static uint8_t longest_bass(const struct lowest *steps, const struct chord_beat *b,
                            int bass_below)
{
    int32_t lasts[12] = {0};
    int best = 0;
    for (int32_t i = b->from; i < b->to; i++)
        if (steps[i].has_others && steps[i].pitch < bass_below)
            lasts[steps[i].pitch % 12]++;
    for (int c = 1; c < 12; c++)
        if (lasts[c] > lasts[best])
            best = c;
    return (uint8_t)(lasts[best] ? best : 12);
}

static enum midi_status find_basses(struct chord_beats *b, const struct piece *p,
                                    int bass_below)
{
    int32_t n_steps = b->n ? b->at[b->n - 1].to : 0;
    struct lowest *steps = calloc((size_t)n_steps + 1, sizeof *steps);
    if (!steps)
        return MIDI_NO_MEMORY;
    for (int32_t i = 0; i < n_steps; i++)
        steps[i] = (struct lowest){.pitch = SILENT};
    for (size_t i = 0; i < p->n_notes; i++)
        if (!piece_is_hit(p, &p->notes[i]))
            mark_lowest(steps, n_steps, &p->notes[i]);
    for (int i = 0; i < b->n; i++) {
        struct chord_beat *at = &b->at[i];
        for (int32_t k = at->from; k < at->to; k++)
            at->has_others |= steps[k].has_others;
        at->bass = longest_bass(steps, at, bass_below);
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

static void take_logs(struct chord_beat *b)
{
    float total = 0;
    for (int c = 0; c < 12; c++)
        total += b->wide[c] = b->around[c] + b->classes[c];
    for (int c = 0; c < 12; c++) {
        float share = total > 0 ? b->wide[c] / total : 1.0f / 12;
        b->around[c] = logf(12 * (share > LEAST ? share : LEAST));
    }
}

/* Divides by the square root of the sum, so that doubling a note does not double its
 * weight. */
static void balance(struct chord_beat *b)
{
    float total = 0;
    for (int c = 0; c < 12; c++)
        total += b->classes[c];
    for (int c = 0; c < 12 && total > 0; c++)
        b->classes[c] /= sqrtf(total);
}

enum midi_status chord_beats_hear(struct chord_beats *b, const struct piece *p,
                                  int bass_below)
{
    float before[12] = {0}, after[12] = {0};
    int beat = 0;
    *b = (struct chord_beats){0};
    enum midi_status st = lay_out(b, p);
    for (size_t i = 0; !st && i < p->n_notes; i++)
        if (!piece_is_hit(p, &p->notes[i]))
            hear_note(b, &beat, &p->notes[i]);
    if (!st)
        st = find_basses(b, p, bass_below);
    for (int i = 0; !st && i < b->n; i++) {
        balance(&b->at[i]);
        fade_into(&b->at[i], before);
    }
    for (int i = b->n; !st && i-- > 0;) {
        fade_into(&b->at[i], after);
        take_logs(&b->at[i]);
    }
    return st;
}

void chord_beats_fini(struct chord_beats *b)
{
    free(b->at);
    *b = (struct chord_beats){0};
}
