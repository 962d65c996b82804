/* See chord_plan.h. */
#include "app/biases/rules.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "midi/tokens/chord_guess.h"
#include "midi/tokens/grid_chord.h"
#include "midi/tokens/hole.h"

#include <stdlib.h>
#include <string.h>

enum {
    BEFORE = 32, /* bars around that are heard */
    AFTER = 8,
    IN_A_BAR =
        2, /* notes of the other tracks, on the mean, from which chords are guessed */
    LEAST_HEARD = 8, /* notes of given bars, likewise */
    LOW = 48         /* a pitch; below it lie basses */
};

/* Music has chords if the share TOGETHER of its notes sound with others. The model's chords change on a
 * grid if the share ON_GRID of the given changes does. */
#define TOGETHER 0.3
#define ON_GRID  0.85

/* -- what is heard -- */

/* The notes of some music, and those that begin while another pitch sounds. */
struct texture {
    size_t n, n_together;
};

static struct texture hear_texture(const struct piece *p, int64_t from, int64_t to,
                                   uint64_t without)
{
    struct texture t = {0};
    int64_t end = -1;
    size_t same = 0; /* notes of this onset */
    int64_t onset = -1;
    const uint64_t tracks = ~(piece_drums(p) | without);
    const struct grid_note *n = NULL;
    while ((n = next_note(p, n, tracks, from, to))) {
        same = n->step == onset ? same + 1 : 1;
        t.n++;
        t.n_together += n->step == onset ? same == 2 ? 2 : 1 : n->step < end;
        onset = n->step;
        end = larger(end, (int64_t)n->step + n->length);
    }
    return t;
}

/* Guesses the chords of the bars around [from, to) from their notes. lacks: their bass is missing,
 * and the lowest of the others says nothing of it. */
static enum midi_status guess_around(struct chord_plan *out, const struct piece *p,
                                     int64_t from, int64_t to, bool lacks)
{
    struct piece heard = *p;
    const int64_t first = piece_bar_at(p, from), last = piece_bar_at(p, to - 1);
    const size_t begin =
                     piece_note_at(p, piece_bar_start(p, larger(first - BEFORE, 0))),
                 end = piece_note_at(p, piece_bar_start(p, last + 1 + AFTER));
    heard.notes += begin;
    heard.n_notes = end - begin;
    heard.chords = NULL;
    heard.n_chords = 0;
    heard.n_bars = (int32_t)larger(p->n_bars, last + 1);
    enum midi_status st = chord_guess_without_bass(&heard, lacks ? LOW : N_PITCHES);
    if (st)
        return st;
    for (size_t i = 0; i < heard.n_chords; i++) /* what rests goes on */
        if (heard.chords[i].root != CHORD_NO_ROOT)
            heard.chords[out->n++] = heard.chords[i];
    out->chords = heard.chords;
    out->n = grid_chords_join(out->chords, out->n);
    /* Their basses are the low notes with which they begin, if there are any: a bass that goes to the
     * fifth sounds it as long as the root. */
    for (size_t i = 0; i < out->n; i++) {
        struct grid_chord *c = &out->chords[i];
        struct chord_symbol says;
        int lowest = N_PITCHES;
        const struct grid_note *n = NULL;
        while ((n = next_note(p, n, ~piece_drums(p), c->step, c->step + 1)))
            lowest = (int)smaller(lowest, n->pitch);
        if (lowest >= LOW)
            continue;
        const bool has_it =
            grid_chord_notes(c, &says) && says.classes >> lowest % 12 & 1;
        c->bass = has_it ? (uint8_t)(lowest % 12) : c->root;
    }
    return MIDI_OK;
}

enum midi_status chord_plan_hear_blues(bool *out, const struct piece *p)
{
    const int64_t end = piece_bar_start(p, p->n_bars);
    struct chord_plan plan = {0};
    *out = false;
    if (!p->n_notes)
        return MIDI_OK;
    if (p->n_chords) {
        *out = chord_form_is_blues(p, p->chords, p->n_chords, end);
        return MIDI_OK;
    }
    enum midi_status st = guess_around(&plan, p, end, end + 1, false);
    *out = !st && chord_form_is_blues(p, plan.chords, plan.n, end);
    chord_plan_fini(&plan);
    return st;
}

/* -- a list of chords -- */

static size_t chords_before(const struct chord_plan *plan, int64_t step)
{
    return grid_chords_until(plan->chords, plan->n, step - 1);
}

/* Puts these in place of the chords of [from, to); what follows goes on. Equal chords are one. */
static enum midi_status put_chords(struct chord_plan *plan, const struct grid_chord *of,
                                   size_t n, int64_t from, int64_t to)
{
    const size_t before = chords_before(plan, from), after = chords_before(plan, to);
    struct grid_chord *all = calloc(plan->n + n + 1, sizeof *all);
    size_t k = 0;
    if (!all)
        return MIDI_NO_MEMORY;
    for (size_t i = 0; i < before; i++)
        all[k++] = plan->chords[i];
    for (size_t i = 0; i < n; i++) {
        all[k] = of[i];
        all[k++].step = (int32_t)larger(of[i].step, from); /* it is in force there */
    }
    for (size_t i = after; i < plan->n; i++)
        all[k++] = plan->chords[i];
    free(plan->chords);
    plan->chords = all;
    plan->n = grid_chords_join(all, k);
    return MIDI_OK;
}

static enum midi_status put_chord(struct chord_plan *plan, int64_t step, int root,
                                  int quality, int64_t to)
{
    const struct grid_chord c = {(int32_t)step, (uint8_t)root, (uint8_t)quality,
                                 (uint8_t)root};
    return put_chords(plan, &c, 1, step, to);
}

/* -- sevenths -- */

bool chord_plan_has_sevenths(enum style s)
{
    return s == STYLE_JAZZ || s == STYLE_BLUES || s == STYLE_LATIN;
}

static void add_sevenths(struct chord_plan *plan, const struct piece_key *key,
                         const struct chord_plan_request *q)
{
    const unsigned stable = key->is_minor ? 1u << 3 | 1u << 8 : 1u << 0 | 1u << 5;
    const bool has = chord_plan_has_sevenths(q->style);
    for (size_t i = 0; has && key->tonic >= 0 && i < plan->n; i++) {
        struct grid_chord *c = &plan->chords[i];
        const int degree = (c->root - key->tonic + 12) % 12;
        if (c->step < q->from || c->step >= q->to || c->root >= 12)
            continue;
        if (c->quality == CHORD_MAJOR)
            c->quality = stable >> degree & 1 && q->style != STYLE_BLUES
                             ? CHORD_MAJOR7
                             : CHORD_DOMINANT7;
        else if (c->quality == CHORD_MINOR)
            c->quality = CHORD_MINOR7;
        else if (c->quality == CHORD_DIMINISHED)
            c->quality = CHORD_HALF_DIMINISHED7;
    }
}

/* -- what is planned -- */

/* Returns the root to which the chord in force before this step leads; -1: it is no dominant. */
static int find_resolution(const struct chord_plan *plan, const struct piece_key *key,
                           int64_t from)
{
    const size_t n = chords_before(plan, from);
    const struct grid_chord *last = n ? &plan->chords[n - 1] : NULL;
    const bool is_dominant =
        last && key->tonic >= 0 &&
        (last->quality == CHORD_DOMINANT7 ||
         (last->quality == CHORD_MAJOR && last->root == (key->tonic + 7) % 12));
    return is_dominant ? (last->root + 5) % 12 : -1;
}

static int quality_in_key(const struct piece_key *key, int root)
{
    const int degree = (root - key->tonic + 12) % 12;
    const unsigned minor =
        key->is_minor ? 1u << 0 | 1u << 5 : 1u << 2 | 1u << 4 | 1u << 9;
    return minor >> degree & 1 ? CHORD_MINOR : CHORD_MAJOR;
}

/* Plans the close: the dominant for the last half of the bar before the last, and the tonic. */
static enum midi_status plan_close(struct chord_plan *plan, const struct piece *p,
                                   const struct piece_key *key,
                                   const struct chord_plan_request *q)
{
    const int64_t bar = piece_bar_at(p, q->to - 1), last = piece_bar_start(p, bar),
                  at = cadence_dominant(p, bar);
    enum midi_status st = MIDI_OK;
    if (key->tonic < 0 || last <= q->from)
        return MIDI_OK;
    if (at > q->from)
        st = put_chord(plan, at, (key->tonic + 7) % 12, CHORD_DOMINANT7, last);
    plan->free_to = smaller(plan->free_to, at);
    return st ? st
              : put_chord(plan, last, key->tonic,
                          key->is_minor ? CHORD_MINOR : CHORD_MAJOR, q->to);
}

/* The degrees of phrases of four bars, in major and in minor: first phrases, middle ones and the last,
 * which begins like a first one unless it is the only one. */
enum { PHRASE = 4, N_FIRST = 4, N_MIDDLE = 2 };
static const int FIRST[2][N_FIRST][PHRASE] = {
    {{0, 7, 9, 5}, {0, 9, 5, 7}, {0, 5, 9, 7}, {0, 4, 5, 7}},
    {{0, 8, 3, 10}, {0, 10, 8, 10}, {0, 3, 8, 10}, {0, 5, 8, 10}},
};
static const int MIDDLE[2][N_MIDDLE][PHRASE] = {
    {{5, 0, 2, 7}, {9, 4, 5, 7}},
    {{5, 10, 3, 8}, {8, 3, 5, 10}},
};
static const int LAST[2][PHRASE] = {{0, 5, 7, 0}, {0, 8, 10, 0}};
enum { SUBDOMINANT = 5 };

/* Returns the chord of bar b of n. */
static struct grid_chord chord_of_phrase(const struct piece_key *key, int64_t b,
                                         int64_t n, uint64_t seed)
{
    const int64_t phrase = b / PHRASE, place = b % PHRASE;
    const int *first = FIRST[key->is_minor][seed % N_FIRST],
              *last = LAST[key->is_minor],
              *middle = MIDDLE[key->is_minor][seed / N_FIRST % N_MIDDLE];
    int degree = phrase % PHRASE == 2 ? middle[place] : first[place];
    if ((phrase + 1) * PHRASE == n && (place > 1 || !phrase))
        degree = phrase && last[place] == first[place - 1] ? SUBDOMINANT : last[place];
    const int root = (key->tonic + degree) % 12;
    return (struct grid_chord){.root = (uint8_t)root,
                               .quality = (uint8_t)quality_in_key(key, root)};
}

enum midi_status chord_plan_of_nothing(struct chord_plan *out, const struct piece *p,
                                       const struct chord_plan_request *q,
                                       uint64_t seed)
{
    const struct signature *s = q->signature;
    const struct piece_key key = {.tonic = s->scale ? s->tonic : 0,
                                  .is_minor =
                                      s->scale && s->scale >> (s->tonic + 3) % 12 & 1};
    const int64_t first = piece_bar_at(p, q->from),
                  n = piece_bar_at(p, q->to - 1) + 1 - first;
    enum midi_status st = MIDI_OK;
    *out = (struct chord_plan){.source = CHORDS_WRITTEN};
    for (int64_t b = 0; !st && b < n; b++) {
        const struct grid_chord c = q->style == STYLE_BLUES
                                        ? chord_form_blues(key.tonic, key.is_minor, b)
                                        : chord_of_phrase(&key, b, n, seed);
        st = put_chord(out, piece_bar_start(p, first + b), c.root, c.quality,
                       piece_bar_start(p, first + b + 1));
    }
    if (!st && q->closes)
        st = plan_close(out, p, &key, q);
    if (!st)
        add_sevenths(out, &key, q);
    else
        chord_plan_fini(out);
    return st;
}

/* Finds the unit, a bar, half a bar or a beat, on which nearly all given chords change, and the
 * share of such units at which they do. */
static void find_unit(struct chord_plan *plan, const struct piece *p, int64_t from)
{
    const int64_t start = piece_bar_start(p, piece_bar_at(p, from)),
                  bar = piece_bar_start(p, piece_bar_at(p, from) + 1) - start,
                  beat = bar % STEPS_PER_QUARTER ? STEPS_PER_QUARTER / 2
                                                 : STEPS_PER_QUARTER;
    const int64_t units[] = {bar, bar / 2, beat};
    const size_t n = chords_before(plan, from);
    for (size_t u = 0; u < 3; u++) {
        if (!units[u])
            continue;
        size_t n_on = 0;
        for (size_t i = 0; i < n; i++) {
            const int64_t step = plan->chords[i].step;
            n_on += (step - piece_bar_start(p, piece_bar_at(p, step))) % units[u] == 0;
        }
        plan->unit = (int32_t)units[u];
        plan->rate =
            n ? (float)n_on * (float)units[u] / (float)(from - plan->chords[0].step + 1)
              : 0;
        if (units[u] % beat == 0 && (double)n_on >= ON_GRID * (double)n)
            return;
    }
}

/* Leaves the chords to the model, from the resolution of a dominant on. */
static enum midi_status plan_free(struct chord_plan *plan, const struct piece *p,
                                  const struct piece_key *key,
                                  const struct chord_plan_request *q)
{
    const int root = find_resolution(plan, key, q->from);
    plan->source = CHORDS_MODEL;
    find_unit(plan, p, q->from);
    plan->free_from = q->from;
    plan->free_to = q->to;
    return root < 0 ? put_chords(plan, NULL, 0, q->from, q->to)
                    : put_chord(plan, q->from, root, quality_in_key(key, root), q->to);
}

/* Plans what follows the given bars: their form's changes, or those that the model will write. The
 * answer to a section that ends on a dominant comes to a close, but in a band, which goes on. */
static enum midi_status plan_rest(struct chord_plan *plan, const struct piece *p,
                                  const struct piece_key *key,
                                  const struct chord_plan_request *q)
{
    struct grid_chord *form = NULL;
    size_t n, n_given = chords_before(plan, q->from);
    bool is_section;
    const bool is_open = find_resolution(plan, key, q->from) >= 0 && !piece_drums(p);
    enum midi_status st =
        chord_form(&form, &n, p, plan->chords, n_given, q->from, q->to, &is_section);
    const bool has_form = n && (!is_section || q->returns);
    struct chord_plan_request section = *q, rest = *q;
    section.to = rest.from = smaller(is_section ? 2 * q->from : q->to, q->to);
    plan->source = CHORDS_FORM;
    if (!st && has_form)
        st = put_chords(plan, form, grid_chords_until(form, n, section.to - 1), q->from,
                        section.to);
    free(form);
    if (st || !has_form)
        return st ? st : plan_free(plan, p, key, q);
    if (is_section && is_open && 2 * q->from <= q->to) /* which begins the music */
        st = plan_close(plan, p, key, &section);
    return st || rest.from == q->to ? st : plan_free(plan, p, key, &rest);
}

static enum midi_status make_plan(struct chord_plan *plan, const struct piece *p,
                                  const struct chord_plan_request *q)
{
    const struct piece_key key = piece_key(p, q->signature, q->from, q->to);
    const int64_t bars = piece_bar_at(p, q->to - 1) - piece_bar_at(p, q->from) + 1;
    const struct texture there = hear_texture(p, q->from, q->to, q->tracks),
                         all = hear_texture(p, 0, q->to, 0);
    const bool has_others = there.n >= IN_A_BAR * (size_t)bars,
               has_chords = all.n >= LEAST_HEARD &&
                            (double)all.n_together >= TOGETHER * (double)all.n;
    if (!has_others && !has_chords)
        return MIDI_OK;
    /* Whether what is written lies lowest. */
    bool is_lowest = true;
    for (const struct grid_note *n = NULL;
         (n = next_note(p, n, ~piece_drums(p), q->from, q->to));)
        is_lowest = is_lowest && n->pitch >= LOW;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        is_lowest =
            is_lowest || (q->tracks >> t & 1 && p->families[t] == FAMILY_BASSES);
    const bool lacks = has_others && is_lowest;
    enum midi_status st = guess_around(plan, p, q->from, q->to, lacks);
    if (!st && has_others && (double)there.n_together < TOGETHER * (double)there.n) {
        struct grid_chord *chords;
        size_t n;
        st = chord_tune(&chords, &n, p, q->signature, q->from, q->to);
        plan->source = CHORDS_TUNE;
        if (!st)
            st = put_chords(plan, chords, n, q->from, q->to);
        free(chords);
    } else if (!st && has_others)
        plan->source = CHORDS_OTHERS;
    else if (!st)
        st = plan_rest(plan, p, &key, q);
    if (!st && q->closes && !has_others)
        st = plan_close(plan, p, &key, q);
    /* The basses of chords are their roots where a bass is missing. */
    for (size_t i = 0; plan->source == CHORDS_OTHERS && lacks && i < plan->n; i++)
        if (plan->chords[i].step < q->to &&
            (i + 1 == plan->n || plan->chords[i + 1].step > q->from))
            plan->chords[i].bass = plan->chords[i].root;
    if (!st)
        add_sevenths(plan, &key, q);
    plan->n = grid_chords_join(plan->chords, plan->n);
    return st;
}

enum midi_status chord_plan_make(struct chord_plan *out, const struct piece *p,
                                 const struct chord_plan_request *q)
{
    *out = (struct chord_plan){.unit = STEPS_PER_QUARTER};
    if (!(q->tracks & ~piece_drums(p)))
        return MIDI_OK;
    enum midi_status st = make_plan(out, p, q);
    if (st || !out->n)
        chord_plan_fini(out);
    return st;
}

void chord_plan_fini(struct chord_plan *plan)
{
    free(plan->chords);
    *plan = (struct chord_plan){0};
}
