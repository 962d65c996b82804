/* Encoding walks the bars; decoding lets the parser walk and keeps what it
 * reports. */
#include "midi/tokens.h"

#include "midi/parser.h"

#include <stdio.h>
#include <stdlib.h>

/* Tokens a caller may be handed at most; 256 MB of them. */
#define MAX_TOKENS ((size_t)1 << 25)

/* Each kind ends where the next begins. `shown` is what value 0 is called. */
static const struct kind {
    enum token first;
    const char *name;
    bool has_value;
    int shown;
} kinds[] = {
    {TOKEN_PAD, "PAD", false, 0},    {TOKEN_BOS, "BOS", false, 0},
    {TOKEN_EOS, "EOS", false, 0},    {TOKEN_BAR, "BAR", false, 0},
    {TOKEN_STYLE, "STYLE", true, 0}, {TOKEN_NUM, "NUM", true, 1},
    {TOKEN_DEN, "DEN", true, 0},     {TOKEN_POS, "POS", true, 0},
    {TOKEN_POSX, "POSX", true, 1},   {TOKEN_TRACK, "TRACK", true, 0},
    {TOKEN_VEL, "VEL", true, 0},     {TOKEN_PITCH, "PITCH", true, 0},
    {TOKEN_DUR, "DUR", true, 1},     {TOKEN_DURX, "DURX", true, 1},
};

static const struct kind *find_kind(int32_t id)
{
    if (id < 0 || id >= TOKEN_COUNT)
        return &kinds[0];
    size_t i = sizeof kinds / sizeof *kinds - 1;
    while (kinds[i].first > (enum token)id)
        i--;
    return &kinds[i];
}

enum token token_kind(int32_t id)
{
    return find_kind(id)->first;
}

/* POSX and DURX are shown in steps. */
static int shown_value(const struct kind *k, int32_t id)
{
    int value = id - (int)k->first;
    if (k->first == TOKEN_DEN)
        return 1 << value;
    if (k->first == TOKEN_POSX || k->first == TOKEN_DURX)
        return TOKEN_RADIX * (value + 1);
    return value + k->shown;
}

const char *token_name(int32_t id, char *buf, size_t n_buf)
{
    const struct kind *k = find_kind(id);
    if (id < 0 || id >= TOKEN_COUNT)
        snprintf(buf, n_buf, "? %d", (int)id);
    else if (k->has_value)
        snprintf(buf, n_buf, "%s %d", k->name, shown_value(k, id));
    else
        snprintf(buf, n_buf, "%s", k->name);
    return buf;
}

/* What an encoding is written with: room for all of it is there beforehand. */
struct writer {
    const struct piece *piece;
    struct tokens *out;
    size_t note, meter;  /* next to be written */
    int track, velocity; /* last spoken; -1: none */
};

static void put(struct writer *w, int32_t id, int32_t note)
{
    w->out->id[w->out->n] = id;
    w->out->note[w->out->n++] = note;
}

static void put_position(struct writer *w, int32_t position, int32_t note)
{
    if (position >= TOKEN_RADIX)
        put(w, TOKEN_POSX + position / TOKEN_RADIX - 1, note);
    put(w, TOKEN_POS + position % TOKEN_RADIX, note);
}

static void put_duration(struct writer *w, int32_t length, int32_t note)
{
    int32_t many = (length - 1) / TOKEN_RADIX;
    for (; many > TOKEN_MAX_DURX; many -= TOKEN_MAX_DURX)
        put(w, TOKEN_DURX + TOKEN_MAX_DURX - 1, note);
    if (many > 0)
        put(w, TOKEN_DURX + many - 1, note);
    put(w, TOKEN_DUR + (length - 1) % TOKEN_RADIX, note);
}

static void put_note(struct writer *w, const struct grid_note *n, int32_t i)
{
    if (n->track != w->track)
        put(w, TOKEN_TRACK + n->track, i);
    if (n->velocity != w->velocity)
        put(w, TOKEN_VEL + n->velocity, i);
    put(w, TOKEN_PITCH + n->pitch, i);
    put_duration(w, n->length, i);
    w->track = n->track;
    w->velocity = n->velocity;
}

static int log2_of(int power)
{
    int exponent = 0;
    while (power >> (exponent + 1))
        exponent++;
    return exponent;
}

/* The meter that starts at a bar line, if one does and it is another one. */
static void put_meter(struct writer *w, int32_t bar_start)
{
    const struct piece *p = w->piece;
    if (w->meter >= p->n_meters || p->meters[w->meter].step != bar_start)
        return;
    const struct grid_meter *m = &p->meters[w->meter++];
    if (w->meter > 1 && m[-1].numerator == m->numerator &&
        m[-1].denominator == m->denominator)
        return;
    put(w, TOKEN_NUM + m->numerator - 1, -1);
    put(w, TOKEN_DEN + log2_of(m->denominator), -1);
}

static void put_notes_until(struct writer *w, int32_t bar_start, int64_t end)
{
    const struct piece *p = w->piece;
    int32_t onset = -1;
    for (; w->note < p->n_notes && p->notes[w->note].step < end; w->note++) {
        const struct grid_note *n = &p->notes[w->note];
        int32_t i = (int32_t)w->note;
        if (n->step != onset)
            put_position(w, n->step - bar_start, i);
        onset = n->step;
        put_note(w, n, i);
    }
}

static void put_bars(struct writer *w)
{
    const struct piece *p = w->piece;
    int32_t start = 0;
    for (int32_t bar = 0; bar < p->n_bars; bar++) {
        put(w, TOKEN_BAR, -1);
        put_meter(w, start);
        const struct grid_meter *m = &p->meters[w->meter - 1];
        int32_t end = start + meter_steps(m->numerator, m->denominator);
        bool is_cut = w->meter < p->n_meters && p->meters[w->meter].step < end;
        if (is_cut)
            end = p->meters[w->meter].step;
        put_notes_until(w, start, end);
        if (is_cut)
            put_position(w, end - start, -1);
        start = end;
    }
}

/* BOS STYLE EOS; BAR NUM DEN POSX POS of a cut; POSX POS TRACK VEL PITCH
 * DURX.. DUR. SIZE_MAX when it is past MAX_TOKENS. */
static size_t most_tokens(const struct piece *p)
{
    size_t n = 3 + 5 * (size_t)p->n_bars;
    for (size_t i = 0; i < p->n_notes && n <= MAX_TOKENS; i++)
        n += 7 + (size_t)p->notes[i].length / (TOKEN_RADIX * TOKEN_MAX_DURX);
    return n <= MAX_TOKENS ? n : SIZE_MAX;
}

static enum midi_status tokens_alloc(struct tokens *t, size_t n)
{
    *t = (struct tokens){0};
    if (n > MAX_TOKENS)
        return MIDI_TOO_LONG;
    t->id = malloc(n * sizeof *t->id);
    t->note = malloc(n * sizeof *t->note);
    if (t->id && t->note)
        return MIDI_OK;
    tokens_fini(t);
    return MIDI_NO_MEMORY;
}

enum midi_status tokens_encode(struct tokens *t, const struct piece *p, bool with_eos)
{
    *t = (struct tokens){0};
    enum midi_status st = piece_check(p);
    if (!st)
        st = tokens_alloc(t, most_tokens(p));
    if (st)
        return st;
    struct writer w = {.piece = p, .out = t, .track = -1, .velocity = -1};
    put(&w, TOKEN_BOS, -1);
    put(&w, TOKEN_STYLE + (int32_t)p->style, -1);
    put_bars(&w);
    if (with_eos)
        put(&w, TOKEN_EOS, -1);
    return MIDI_OK;
}

void tokens_fini(struct tokens *t)
{
    free(t->id);
    free(t->note);
    *t = (struct tokens){0};
}

/* A bar cut short begins the same meter anew, unless DEN then says another. */
static void keep_meter(struct piece *p, const struct parser *at)
{
    if (p->n_meters == 0 || p->meters[p->n_meters - 1].step != at->bar_start)
        p->n_meters++;
    p->meters[p->n_meters - 1] = (struct grid_meter){
        .step = at->bar_start,
        .numerator = (int16_t)at->numerator,
        .denominator = (int16_t)at->denominator,
    };
}

static enum midi_status decode_into(struct piece *p, const int32_t *ids, size_t n)
{
    struct parser at;
    parser_init(&at);
    for (size_t i = 0; i < n; i++) {
        if (!parser_feed(&at, ids[i]))
            return MIDI_BAD_TOKEN;
        if (at.event == PARSER_NOTE)
            p->notes[p->n_notes++] = at.note;
        else if (at.event == PARSER_METER || (at.event == PARSER_BAR && at.is_cut))
            keep_meter(p, &at);
    }
    p->style = at.style;
    p->n_bars = at.n_bars;
    bool is_whole = parser_is_between(&at) || (at.state & (AFTER_STYLE | AFTER_EOS));
    return is_whole ? MIDI_OK : MIDI_BAD_TOKEN;
}

enum midi_status tokens_decode(struct piece *p, const int32_t *ids, size_t n)
{
    *p = (struct piece){0};
    if (n > MAX_TOKENS)
        return MIDI_TOO_LONG;
    /* Every note takes two tokens, every meter two: BAR and DEN, or POS and BAR. */
    p->notes = calloc(n / 2 + 1, sizeof *p->notes);
    p->meters = calloc(n / 2 + 1, sizeof *p->meters);
    enum midi_status st =
        p->notes && p->meters ? decode_into(p, ids, n) : MIDI_NO_MEMORY;
    if (st)
        piece_fini(p);
    return st;
}
