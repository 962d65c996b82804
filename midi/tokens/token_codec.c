/* Writes bar after bar, each with its meter, marks and notes. Reading feeds the parser
 * and stores what it reports. */
#include "midi/tokens/token_codec.h"

#include "midi/tokens/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* BOS STYLE RESUME EOS; TRACK FAMILY; POSX POS CHORD BASS; for a cut BAR NUM DEN POSX
 * POS; and POSX POS TRACK VEL PITCH DURX.. DUR. */
size_t token_writer_most(const struct piece *p)
{
    size_t n = 4 + 2 * TOKEN_MAX_TRACKS + 4 * p->n_chords + 5 * (size_t)p->n_bars;
    for (size_t i = 0; i < p->n_notes && n <= TOKEN_WRITER_MOST; i++)
        n += 7 + (size_t)p->notes[i].length / (TOKEN_RADIX * TOKEN_MAX_DURX);
    return n;
}

enum midi_status token_writer_alloc(struct tokens *t, size_t n)
{
    *t = (struct tokens){0};
    if (n > TOKEN_WRITER_MOST)
        return MIDI_TOO_LONG;
    t->id = malloc(n * sizeof *t->id);
    t->note = malloc(n * sizeof *t->note);
    if (t->id && t->note)
        return MIDI_OK;
    tokens_fini(t);
    return MIDI_NO_MEMORY;
}

void tokens_fini(struct tokens *t)
{
    free(t->id);
    free(t->note);
    *t = (struct tokens){0};
}

void token_writer_put(struct token_writer *w, int32_t id, int32_t note)
{
    w->out->id[w->out->n] = id;
    w->out->note[w->out->n++] = note;
}

void token_writer_position(struct token_writer *w, int32_t position, int32_t note)
{
    if (position >= TOKEN_RADIX)
        token_writer_put(w, TOKEN_POSX + position / TOKEN_RADIX - 1, note);
    token_writer_put(w, TOKEN_POS + position % TOKEN_RADIX, note);
}

static void put_note(struct token_writer *w, const struct grid_note *n, int32_t i)
{
    if (n->track != w->track)
        token_writer_put(w, TOKEN_TRACK + n->track, i);
    if ((int8_t)n->velocity != w->velocities[n->track])
        token_writer_put(w, TOKEN_VEL + n->velocity, i);
    w->track = n->track;
    w->velocities[n->track] = (int8_t)n->velocity;
    if (piece_is_hit(w->piece, n)) {
        token_writer_put(w, TOKEN_HIT + n->pitch - HIT_FIRST, i);
        return;
    }
    token_writer_put(w, TOKEN_PITCH + n->pitch, i);
    int32_t many = (n->length - 1) / TOKEN_RADIX;
    for (; many > TOKEN_MAX_DURX; many -= TOKEN_MAX_DURX)
        token_writer_put(w, TOKEN_DURX + TOKEN_MAX_DURX - 1, i);
    if (many > 0)
        token_writer_put(w, TOKEN_DURX + many - 1, i);
    token_writer_put(w, TOKEN_DUR + (n->length - 1) % TOKEN_RADIX, i);
}

void token_writer_forget(struct token_writer *w)
{
    w->track = -1;
    memset(w->velocities, -1, sizeof w->velocities);
}

static void put_chord(struct token_writer *w, const struct grid_chord *c)
{
    bool is_none = c->root == CHORD_NO_ROOT;
    int kind = is_none ? 12 * CHORD_QUALITIES : c->root * CHORD_QUALITIES + c->quality;
    token_writer_put(w, TOKEN_CHORD + kind, -1);
    if (c->bass != c->root)
        token_writer_put(w, TOKEN_BASS + c->bass, -1);
}

/* Writes the meter that starts at a bar line, if it is a new one. */
static void put_meter(struct token_writer *w, int32_t bar_start)
{
    const struct grid_meter *m = &w->piece->meters[w->meter];
    if (w->meter >= w->piece->n_meters || m->step != bar_start)
        return;
    w->meter++;
    if (w->meter > 1 && m[-1].numerator == m->numerator &&
        m[-1].denominator == m->denominator)
        return;
    token_writer_put(w, TOKEN_NUM + m->numerator - 1, -1);
    token_writer_put(w, TOKEN_DEN + __builtin_ctz((unsigned)m->denominator), -1);
}

static void put_mark(struct token_writer *w)
{
    token_writer_put(w, w->mark++ ? TOKEN_RESUME : TOKEN_HOLE, -1);
}

/* A position is written once, by the first thing there: a mark, a chord or a note. */
static void write_position(struct token_writer *w, int32_t bar_start, int64_t step,
                           int64_t *onset, int32_t note)
{
    if (step != *onset)
        token_writer_position(w, (int32_t)(step - bar_start), note);
    *onset = step;
}

void token_writer_notes(struct token_writer *w, int32_t bar_start, int64_t end)
{
    const struct piece *p = w->piece;
    int64_t onset = -1;
    for (;;) {
        int64_t mark = w->mark < 2 ? w->marks[w->mark] : INT64_MAX;
        int64_t chord = w->chord < p->n_chords ? p->chords[w->chord].step : INT64_MAX;
        int64_t step = w->note < p->n_notes ? p->notes[w->note].step : INT64_MAX;
        if (mark >= end && chord >= end && step >= end)
            return;
        if (mark <= chord && mark <= step) {
            write_position(w, bar_start, mark, &onset, -1);
            put_mark(w);
        } else if (chord <= step) {
            write_position(w, bar_start, chord, &onset, -1);
            put_chord(w, &p->chords[w->chord++]);
        } else {
            const int32_t index = w->first + (int32_t)w->note;
            write_position(w, bar_start, step, &onset, index);
            put_note(w, &p->notes[w->note++], index);
        }
    }
}

void token_writer_bars(struct token_writer *w)
{
    const struct piece *p = w->piece;
    int32_t start = 0;
    for (int32_t bar = 0; bar < p->n_bars; bar++) {
        token_writer_put(w, TOKEN_BAR, -1);
        put_meter(w, start);
        const struct grid_meter *m = &p->meters[w->meter - 1];
        int32_t end = start + meter_steps(m->numerator, m->denominator);
        bool is_cut = w->meter < p->n_meters && p->meters[w->meter].step < end;
        if (is_cut)
            end = p->meters[w->meter].step;
        token_writer_notes(w, start, end);
        if (is_cut)
            token_writer_position(w, end - start, -1);
        start = end;
    }
    while (w->mark < 2)
        put_mark(w);
}

struct token_writer token_writer_begin(struct tokens *t, const struct piece *p)
{
    struct token_writer w = {.piece = p, .out = t, .mark = 2};
    token_writer_forget(&w);
    token_writer_put(&w, TOKEN_BOS, -1);
    token_writer_put(&w, TOKEN_STYLE + (int32_t)p->style, -1);
    if (p->resumes)
        token_writer_put(&w, TOKEN_RESUME, -1);
    for (int i = 0; i < TOKEN_MAX_TRACKS; i++) {
        if (p->families[i] == FAMILY_NONE)
            continue;
        token_writer_put(&w, TOKEN_TRACK + i, -1);
        token_writer_put(&w, TOKEN_FAMILY + p->families[i], -1);
    }
    return w;
}

enum midi_status token_reader_init(struct piece *p, size_t n)
{
    piece_init(p, STYLE_ANY);
    /* A hit takes at least one token, a chord two (POS CHORD), and a meter two (BAR
     * DEN, or POS BAR). */
    return n > TOKEN_WRITER_MOST ? MIDI_TOO_LONG
                                 : piece_alloc(p, STYLE_ANY, n, n / 2, n / 2);
}

static void store_event(struct piece *p, struct piece *inside, const struct parser *at)
{
    struct piece *to = at->is_filling ? inside : p;
    if (at->event == PARSER_NOTE)
        to->notes[to->n_notes++] = at->note;
    else if (at->event == PARSER_METER || (at->event == PARSER_BAR && at->is_cut)) {
        /* A bar after a cut begins the same meter anew, unless DEN gives another
         * one. */
        if (p->n_meters == 0 || p->meters[p->n_meters - 1].step != at->bar_start)
            p->n_meters++;
        p->meters[p->n_meters - 1] = (struct grid_meter){
            .step = at->bar_start,
            .numerator = (int16_t)at->numerator,
            .denominator = (int16_t)at->denominator,
        };
    } else if (at->event == PARSER_CHORD) { /* BASS completes it */
        if (at->state != AFTER_BASS)
            to->n_chords++;
        to->chords[to->n_chords - 1] = at->chord;
    }
}

enum midi_status token_reader_read(struct parser *at, struct piece *p,
                                   struct piece *inside, const int32_t *ids, size_t n)
{
    parser_init(at);
    for (size_t i = 0; i < n; i++) {
        if (!parser_feed(at, ids[i]) || (at->is_filling && !inside))
            return MIDI_BAD_TOKEN;
        store_event(p, inside, at);
    }
    p->style = at->style;
    p->resumes = at->resumes;
    p->n_bars = at->n_bars;
    memcpy(p->families, at->families, sizeof p->families);
    const int whole = AFTER_STYLE | AFTER_FAMILY | AFTER_EOS | AFTER_FILL_END;
    bool is_whole = parser_is_between(at) || (at->state & whole);
    return is_whole ? MIDI_OK : MIDI_BAD_TOKEN;
}

/* -- names, and plain sequences -- */

const struct token_kind TOKEN_KINDS[] = {
    {"PAD", TOKEN_PAD, 0, 1},
    {"BOS", TOKEN_BOS, 0, 1},
    {"EOS", TOKEN_EOS, 0, 1},
    {"BAR", TOKEN_BAR, 0, 1},
    {"STYLE", TOKEN_STYLE, 0, 1},
    {"NUM", TOKEN_NUM, 1, 1},
    {"DEN", TOKEN_DEN, 0, 1},
    {"POS", TOKEN_POS, 0, 1},
    {"POSX", TOKEN_POSX, TOKEN_RADIX, TOKEN_RADIX},
    {"TRACK", TOKEN_TRACK, 0, 1},
    {"FAMILY", TOKEN_FAMILY, 0, 1},
    {"VEL", TOKEN_VEL, 0, 1},
    {"PITCH", TOKEN_PITCH, 0, 1},
    {"DUR", TOKEN_DUR, 1, 1},
    {"DURX", TOKEN_DURX, TOKEN_RADIX, TOKEN_RADIX},
    {"HIT", TOKEN_HIT, HIT_FIRST, 1},
    {"CHORD", TOKEN_CHORD, 0, 1},
    {"BASS", TOKEN_BASS, 0, 1},
    {"HOLE", TOKEN_HOLE, 0, 1},
    {"RESUME", TOKEN_RESUME, 0, 1},
    {"FILL", TOKEN_FILL, 0, 1},
    {"DENSITY", TOKEN_DENSITY, 0, 1},
    {"POLYPHONY", TOKEN_POLYPHONY, 1, 1},
    {"LENGTH", TOKEN_LENGTH, 0, 1},
    {"REGISTER", TOKEN_REGISTER, 0, 1},
    {"CLOSE", TOKEN_CLOSE, 0, 1},
    {"FILL_END", TOKEN_FILL_END, 0, 1},
    {NULL, TOKEN_COUNT, 0, 1},
};

static const struct token_kind *find_kind(int32_t id)
{
    const struct token_kind *k = TOKEN_KINDS;
    while (id >= 0 && id < TOKEN_COUNT && k[1].first <= id)
        k++;
    return k;
}

enum token token_kind(int32_t id)
{
    return (enum token)find_kind(id)->first;
}

const char *token_name(int32_t id, char *buf, size_t n_buf)
{
    const struct token_kind *k = find_kind(id);
    const int at = id - k->first;
    if (id < 0 || id >= TOKEN_COUNT)
        snprintf(buf, n_buf, "? %d", (int)id);
    else if (k[1].first - k->first > 1)
        snprintf(buf, n_buf, "%s %d", k->name,
                 k->first == TOKEN_DEN ? 1 << (at & 7) : k->value + k->each * at);
    else
        snprintf(buf, n_buf, "%s", k->name);
    return buf;
}

enum midi_status tokens_encode(struct tokens *t, const struct piece *p, bool with_eos)
{
    *t = (struct tokens){0};
    enum midi_status st = piece_check(p);
    if (!st)
        st = token_writer_alloc(t, token_writer_most(p));
    if (st)
        return st;
    struct token_writer w = token_writer_begin(t, p);
    token_writer_bars(&w);
    if (with_eos)
        token_writer_put(&w, TOKEN_EOS, -1);
    return MIDI_OK;
}

enum midi_status tokens_decode(struct piece *p, const int32_t *ids, size_t n)
{
    struct parser at;
    enum midi_status st = token_reader_init(p, n);
    if (!st)
        st = token_reader_read(&at, p, NULL, ids, n);
    if (!st && at.n_marks)
        st = MIDI_BAD_TOKEN;
    if (st)
        piece_fini(p);
    return st;
}
