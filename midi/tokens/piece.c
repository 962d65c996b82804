/* The bars of a piece, and its canonical form.
 *
 * Bars are counted in steps from the meters alone, never from ticks, so the reader of a
 * token sequence finds the same bar lines. */
#include "midi/tokens/piece.h"

#include <stdlib.h>
#include <string.h>

void piece_init(struct piece *p, enum style style)
{
    *p = (struct piece){.style = style};
    memset(p->families, FAMILY_NONE, sizeof p->families);
}

uint64_t piece_declared(const struct piece *p)
{
    uint64_t tracks = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        tracks |= (uint64_t)(p->families[t] != FAMILY_NONE) << t;
    return tracks;
}

uint64_t piece_tracks(const struct piece *p)
{
    uint64_t tracks = 0;
    for (size_t i = 0; i < p->n_notes; i++)
        tracks |= UINT64_C(1) << p->notes[i].track;
    return tracks;
}

uint64_t piece_drums(const struct piece *p)
{
    uint64_t tracks = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        tracks |= (uint64_t)(p->families[t] == FAMILY_DRUMS) << t;
    return tracks;
}

bool grid_chord_equal(const struct grid_chord *a, const struct grid_chord *b)
{
    return a->root == b->root && a->quality == b->quality && a->bass == b->bass;
}

int32_t meter_steps(int numerator, int denominator)
{
    int32_t whole = 4 * STEPS_PER_QUARTER;
    int32_t steps = (numerator * whole + denominator / 2) / denominator;
    return steps < 1 ? 1 : steps;
}

int grid_note_compare(const void *one, const void *other)
{
    const struct grid_note *a = one, *b = other;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    if (a->track != b->track)
        return a->track - b->track;
    if (a->pitch != b->pitch)
        return a->pitch - b->pitch;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return a->velocity - b->velocity;
}

static const struct grid_meter common_time = {
    .step = 0, .numerator = 4, .denominator = 4};

static const struct grid_meter *meter_of(const struct piece *p, size_t i)
{
    return p->n_meters ? &p->meters[i] : &common_time;
}

static int64_t full_bar(const struct grid_meter *m)
{
    return meter_steps(m->numerator, m->denominator);
}

/* Returns the number of bars that begin under meter i; the last may be cut. */
static int64_t bars_of_meter(const struct piece *p, size_t i)
{
    int64_t steps = full_bar(&p->meters[i]);
    return (p->meters[i + 1].step - p->meters[i].step + steps - 1) / steps;
}

int64_t piece_bar_start(const struct piece *p, int64_t bar)
{
    size_t i = 0;
    int64_t left = bar;
    for (; i + 1 < p->n_meters && left >= bars_of_meter(p, i); i++)
        left -= bars_of_meter(p, i);
    const struct grid_meter *m = meter_of(p, i);
    return m->step + left * full_bar(m);
}

int64_t piece_bar_at(const struct piece *p, int64_t step)
{
    size_t i = 0;
    int64_t bars = 0;
    for (; i + 1 < p->n_meters && p->meters[i + 1].step <= step; i++)
        bars += bars_of_meter(p, i);
    const struct grid_meter *m = meter_of(p, i);
    return bars + (step - m->step) / full_bar(m);
}

void piece_bar_starts(const struct piece *p, int32_t *starts)
{
    size_t i = 0;
    int32_t at = 0;
    for (int32_t bar = 0; bar <= p->n_bars; bar++) {
        starts[bar] = at;
        at += (int32_t)full_bar(meter_of(p, i));
        if (i + 1 < p->n_meters && at >= p->meters[i + 1].step)
            at = p->meters[++i].step;
    }
}

static int compare_notes(const void *a, const void *b)
{
    const struct grid_note *x = a, *y = b;
    int order = grid_note_compare(a, b);
    return order ? order : (x->id > y->id) - (x->id < y->id);
}

static bool is_same_hit(const struct piece *p, const struct grid_note *a,
                        const struct grid_note *b)
{
    return a->step == b->step && a->track == b->track && a->pitch == b->pitch &&
           piece_is_hit(p, a);
}

/* Sorts notes. Of duplicates the first stays, of equal hits the last, which is the
 * loudest. */
static void sort_notes(struct piece *p)
{
    for (size_t i = 0; i < p->n_notes; i++)
        if (piece_is_hit(p, &p->notes[i]))
            p->notes[i].length = HIT_STEPS;
    if (p->n_notes < 2)
        return;
    qsort(p->notes, p->n_notes, sizeof *p->notes, compare_notes);
    size_t kept = 1;
    for (size_t i = 1; i < p->n_notes; i++) {
        struct grid_note *last = &p->notes[kept - 1], *n = &p->notes[i];
        if (!grid_note_compare(last, n))
            continue;
        if (is_same_hit(p, last, n))
            *last = *n;
        else
            p->notes[kept++] = *n;
    }
    p->n_notes = kept;
}

/* Sorts chords. As with meters, the last at a step stays. */
static void sort_chords(struct piece *p)
{
    for (size_t i = 0; i < p->n_chords; i++) {
        struct grid_chord c = p->chords[i];
        size_t at = i;
        if (c.root == CHORD_NO_ROOT) {
            c.quality = 0;
            c.bass = CHORD_NO_ROOT;
        }
        for (; at > 0 && p->chords[at - 1].step > c.step; at--)
            p->chords[at] = p->chords[at - 1];
        p->chords[at] = c;
    }
    size_t kept = 0;
    for (size_t i = 0; i < p->n_chords; i++) {
        const struct grid_chord c = p->chords[i];
        bool is_replaced = i + 1 < p->n_chords && p->chords[i + 1].step == c.step;
        if (!is_replaced && !(kept && grid_chord_equal(&p->chords[kept - 1], &c)))
            p->chords[kept++] = c;
    }
    p->n_chords = kept;
}

/* Whether meter `m` would be in force at its step anyway. */
static bool is_implied(const struct grid_meter *before, const struct grid_meter *m)
{
    return before->numerator == m->numerator && before->denominator == m->denominator &&
           (m->step - before->step) % full_bar(before) == 0;
}

/* Sorts meters by insertion: they are nearly sorted, and the last of equals must
 * win. */
static void sort_meters(struct piece *p)
{
    for (size_t i = 1; i < p->n_meters; i++) {
        struct grid_meter m = p->meters[i];
        size_t at = i;
        for (; at > 0 && p->meters[at - 1].step > m.step; at--)
            p->meters[at] = p->meters[at - 1];
        p->meters[at] = m;
    }
    size_t kept = 0;
    for (size_t i = 0; i < p->n_meters; i++) {
        const struct grid_meter m = p->meters[i];
        bool is_replaced = i + 1 < p->n_meters && p->meters[i + 1].step == m.step;
        if (!is_replaced && !(kept && is_implied(&p->meters[kept - 1], &m)))
            p->meters[kept++] = m;
    }
    p->n_meters = kept;
}

void piece_sort(struct piece *p)
{
    sort_notes(p);
    sort_chords(p);
    sort_meters(p);
}

static bool meter_valid(const struct grid_meter *m)
{
    return m->numerator >= 1 && m->numerator <= TOKEN_MAX_NUMERATOR &&
           m->denominator >= 1 && m->denominator <= 128 &&
           (m->denominator & (m->denominator - 1)) == 0;
}

static bool meters_canonical(const struct piece *p)
{
    if (p->n_bars == 0 || p->n_meters == 0)
        return p->n_bars == 0 && p->n_meters == 0;
    if (p->meters[0].step != 0 || !meter_valid(&p->meters[0]))
        return false;
    for (size_t i = 1; i < p->n_meters; i++) {
        const struct grid_meter *before = &p->meters[i - 1], *m = &p->meters[i];
        if (!meter_valid(m) || m->step <= before->step || is_implied(before, m))
            return false;
    }
    return piece_bar_at(p, p->meters[p->n_meters - 1].step) < p->n_bars;
}

bool piece_note_valid(const struct piece *p, const struct grid_note *n)
{
    if (n->step < 0 || n->length < 1 || n->track >= TOKEN_MAX_TRACKS ||
        n->pitch >= 128 || n->velocity >= TOKEN_VELOCITIES ||
        p->families[n->track] == FAMILY_NONE)
        return false;
    return !piece_is_hit(p, n) || (n->length == HIT_STEPS && is_hit_key(n->pitch));
}

bool piece_notes_ascend(const struct piece *p, const struct grid_note *a,
                        const struct grid_note *b)
{
    return grid_note_compare(a, b) < 0 && !is_same_hit(p, a, b);
}

static bool notes_canonical(const struct piece *p)
{
    int64_t end = piece_bar_start(p, p->n_bars);
    for (size_t i = 0; i < p->n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        if (!piece_note_valid(p, n) || n->step >= end)
            return false;
        if (i > 0 && !piece_notes_ascend(p, n - 1, n))
            return false;
    }
    return true;
}

bool grid_chord_valid(const struct grid_chord *c)
{
    if (c->root == CHORD_NO_ROOT)
        return c->quality == 0 && c->bass == CHORD_NO_ROOT;
    return c->root < 12 && c->quality < CHORD_QUALITIES && c->bass < 12;
}

static bool chords_canonical(const struct piece *p)
{
    int64_t end = piece_bar_start(p, p->n_bars);
    for (size_t i = 0; i < p->n_chords; i++) {
        const struct grid_chord *c = &p->chords[i];
        if (!grid_chord_valid(c) || c->step < 0 || c->step >= end)
            return false;
        if (i > 0 && (c[-1].step >= c->step || grid_chord_equal(c - 1, c)))
            return false;
    }
    return true;
}

enum midi_status piece_check(const struct piece *p)
{
    if (p->n_bars < 0 || (unsigned)p->style >= STYLE_COUNT || !meters_canonical(p) ||
        !notes_canonical(p) || !chords_canonical(p))
        return MIDI_BAD_TOKEN;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (p->families[t] >= FAMILY_COUNT && p->families[t] != FAMILY_NONE)
            return MIDI_BAD_TOKEN;
    bool fits = p->n_bars <= TOKEN_MAX_BARS &&
                (!p->n_bars || piece_bar_start(p, p->n_bars - 1) <= TOKEN_MAX_STEPS);
    for (size_t i = 0; fits && i < p->n_notes; i++)
        fits = p->notes[i].length <= TOKEN_MAX_STEPS - p->notes[i].step;
    return fits ? MIDI_OK : MIDI_TOO_LONG;
}
