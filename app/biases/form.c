/* The form of a take: see rules.h. */
#include "app/biases/rules.h"

#include "midi/base/larger.h"
#include "midi/tokens/grid_chord.h"

/* Shares of notes that two bars of a tune have in common if they are alike, and two phrases of all
 * tracks in a loop. */
#define ALIKE 0.6
#define LOOP  0.8

enum {
    SECTION_PHRASES = SECTION_BARS / PHRASE_BARS,
    MOST_BARS = 64, /* that are looked through */
};

/* Of so many chances: a second phrase begins like the first, or like the opening's; a second new
 * section like the first; and a piece in which no phrase has returned gets a form. */
enum { CHANCES = 4, IN_SECTION = 2, NEW_RETURNS = 2, THROUGH_COMPOSED = 1 };

/* Returns whether n bars of these tracks share so many of their notes with those at another bar. */
static bool are_alike(const struct piece *p, uint64_t tracks, int64_t bar,
                      int64_t other, int64_t n_bars, double share)
{
    const int64_t from = piece_bar_start(p, bar);
    const struct likeness l =
        compare_passages(p, tracks, from, piece_bar_start(p, bar + n_bars),
                         piece_bar_start(p, other) - from);
    return l.n && l.n_alike >= share * l.n;
}

/* Returns whether the last phrase of these tracks repeats the one before. */
static bool is_repeated(const struct piece *p, uint64_t tracks, int64_t end)
{
    return end >= SECTION_BARS && are_alike(p, tracks, end - PHRASE_BARS,
                                            end - 2 * PHRASE_BARS, PHRASE_BARS, LOOP);
}

static uint64_t tracks_in(const struct piece *p, int64_t bar, int64_t end)
{
    return tracks_begin(p, piece_bar_start(p, bar), piece_bar_start(p, end));
}

/* Returns the first phrase of the given bars in which all tracks play that play last, after a prelude;
 * -1: there is none. */
static int64_t find_opening(const struct piece *p, int64_t end)
{
    const uint64_t last =
        end < SECTION_BARS ? 0 : tracks_in(p, end - SECTION_BARS, end);
    int64_t bar = 0;
    while (bar + SECTION_BARS <= end && last & ~tracks_in(p, bar, bar + PHRASE_BARS))
        bar += PHRASE_BARS;
    return last && bar + SECTION_BARS <= end ? bar : -1;
}

bool form_is_open(const struct piece *p, int64_t from)
{
    const struct signature none = {0};
    const int64_t end = piece_bar_start(p, SECTION_BARS);
    const size_t n = grid_chords_until(p->chords, p->n_chords, from - 1),
                 n_notes = piece_note_at(p, from);
    struct piece first = *p;
    first.n_notes = piece_note_at(p, end);
    const struct piece_key key = piece_key(&first, &none, end, end);
    if (!n_notes || !first.n_notes || key.tonic < 0)
        return false;
    return (n ? p->chords[n - 1].root : p->notes[n_notes - 1].pitch % 12) != key.tonic;
}

/* Plans the layers of a loop. In the middle the bass and drums rest, then the bass alone, and all come
 * back with the opening; near the end the tune rests. */
static void plan_layers(struct form *f, const struct piece *p, int64_t opening,
                        int tune, int bass)
{
    const uint64_t low = bass < 0 ? 0 : UINT64_C(1) << bass,
                   high = tune < 0 ? 0 : UINT64_C(1) << tune;
    if (f->n < 2 * SECTION_PHRASES)
        return;
    const bool is_long = f->n >= 4 * SECTION_PHRASES;
    const int middle = (f->n - 1) / 2 / SECTION_PHRASES * SECTION_PHRASES,
              full = middle + (is_long ? 2 : 1);
    f->phrases[middle].rests = low | piece_drums(p);
    f->phrases[full] = (struct form_phrase){
        .back = (int16_t)(f->bar + full * PHRASE_BARS - opening), .n = PHRASE_BARS};
    if (is_long) {
        f->phrases[middle + 1].rests = low;
        f->phrases[f->n - SECTION_PHRASES].rests = high;
    }
}

static void plan_returns(struct form *f, const struct piece *p, int64_t from,
                         int64_t opening, uint64_t tune, struct rng *rng)
{
    const int64_t last = (f->bar - 1) / SECTION_BARS * SECTION_BARS;
    int first_new = -1;
    bool was_opening = are_alike(p, tune, last, opening, 1, ALIKE),
         may_return = form_is_open(p, from);
    for (int i = 0; i < f->n; i += SECTION_PHRASES) {
        struct form_phrase *first = &f->phrases[i];
        const int64_t bar = f->bar + (int64_t)i * PHRASE_BARS;
        const bool is_pair = draw_below(rng, CHANCES) < IN_SECTION,
                   is_second = first_new >= 0 && draw_below(rng, CHANCES) < NEW_RETURNS,
                   is_opening = may_return || !was_opening;
        int64_t back = 0;
        /* The opening; or the section that lies as far behind it as this one lies behind the given
         * bars, if that section begins like the opening. */
        const int64_t other = opening + bar - f->bar;
        const bool has_other =
            other < f->bar && are_alike(p, tune, other, opening, 1, ALIKE);
        if (is_opening)
            back = bar - (has_other ? other : opening);
        else if (is_second)
            back = (int64_t)(i - first_new) * PHRASE_BARS;
        else if (first_new < 0)
            first_new = i;
        if (back)
            *first = (struct form_phrase){.back = (int16_t)back, .n = PHRASE_BARS};
        if (is_pair && i + 1 < f->n)
            first[1] = (struct form_phrase){
                .back = (int16_t)(back ? back : PHRASE_BARS), .n = PHRASE_BARS / 2};
        was_opening = is_opening;
        may_return = false;
    }
}

bool form_repeats(const struct piece *p, uint64_t tracks, int64_t from)
{
    return is_repeated(p, tracks, piece_bar_at(p, from));
}

struct form form_of_nothing(const struct piece *p, int64_t from, int64_t to)
{
    struct form f = {.bar = piece_bar_at(p, from)};
    f.n =
        (int)smaller((piece_bar_at(p, to - 1) + 1 - f.bar) / PHRASE_BARS, FORM_PHRASES);
    for (int i = 1; i < f.n; i++)
        if (i % 4 != 2)
            f.phrases[i] = (struct form_phrase){.back = (int16_t)(i * PHRASE_BARS),
                                                .n = PHRASE_BARS / 2};
    return f;
}

struct form form_of_answer(const struct piece *p, int64_t from)
{
    struct form f = {.bar = piece_bar_at(p, from)};
    const int64_t opening = find_opening(p, f.bar);
    if (f.bar < SECTION_BARS || f.bar % SECTION_BARS ||
        piece_bar_start(p, f.bar) != from || f.bar > INT16_MAX || opening < 0 ||
        piece_drums(p) || !form_is_open(p, from))
        return f;
    f.n = 1;
    f.phrases[0] =
        (struct form_phrase){.back = (int16_t)(f.bar - opening), .n = PHRASE_BARS / 2};
    return f;
}

struct form form_of(const struct piece *p, int64_t from, int64_t to, int tune, int bass,
                    struct rng *rng)
{
    struct form f = {.bar = piece_bar_at(p, from)};
    const int64_t n = (piece_bar_at(p, to - 1) + 1 - f.bar) / PHRASE_BARS;
    const uint64_t line = tune < 0 ? UINT64_MAX : UINT64_C(1) << tune;
    const int64_t opening = find_opening(p, f.bar);
    if (f.bar < SECTION_BARS || f.bar % PHRASE_BARS ||
        piece_bar_start(p, f.bar) != from || f.bar > INT16_MAX / 2 || opening < 0)
        return f;
    f.n = (int)smaller(n, FORM_PHRASES);
    /* Whether a phrase of the given bars begins like an earlier one. */
    bool has_returns = false;
    const int64_t first = larger(f.bar - MOST_BARS, 0) / PHRASE_BARS * PHRASE_BARS;
    for (int64_t bar = first; !has_returns && bar < f.bar; bar += PHRASE_BARS)
        for (int64_t other = first; !has_returns && other < bar; other += PHRASE_BARS)
            has_returns = are_alike(p, line, bar, other, 1, ALIKE);
    if (piece_drums(p) && is_repeated(p, UINT64_MAX, f.bar) &&
        is_repeated(p, line, f.bar))
        plan_layers(&f, p, opening, tune, bass);
    else if (f.bar - opening == SECTION_BARS || has_returns ||
             draw_below(rng, CHANCES) < THROUGH_COMPOSED)
        plan_returns(&f, p, from, opening, line, rng);
    return f;
}

static const struct form_phrase *find_phrase(const struct form *f,
                                             const struct piece *p, int64_t step)
{
    const int64_t i = (piece_bar_at(p, step) - f->bar) / PHRASE_BARS;
    return i >= 0 && i < f->n ? &f->phrases[i] : NULL;
}

struct parallel_bias form_return(const struct form *f, const struct piece *p,
                                 int64_t step)
{
    const struct form_phrase *phrase = find_phrase(f, p, step);
    return phrase && phrase->n
               ? parallel_bias_repeat(p, piece_bar_at(p, step), phrase->back, phrase->n)
               : (struct parallel_bias){0};
}

uint64_t form_rests(const struct form *f, const struct piece *p, int64_t bar)
{
    const struct form_phrase *phrase = find_phrase(f, p, bar);
    return phrase ? phrase->rests : 0;
}
