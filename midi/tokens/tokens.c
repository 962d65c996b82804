/* The names of tokens, and encoding and decoding of plain sequences. */
#include "midi/tokens/tokens.h"

#include "midi/tokens/token_codec.h"

#include <stdio.h>
#include <stdlib.h>

/* A kind ends where the next one begins. `shown` is how its value 0 is shown. */
static const struct kind {
    enum token first;
    const char *name;
    bool has_value;
    int shown;
} kinds[] = {
    {TOKEN_PAD, "PAD", false, 0},
    {TOKEN_BOS, "BOS", false, 0},
    {TOKEN_EOS, "EOS", false, 0},
    {TOKEN_BAR, "BAR", false, 0},
    {TOKEN_STYLE, "STYLE", true, 0},
    {TOKEN_NUM, "NUM", true, 1},
    {TOKEN_DEN, "DEN", true, 0},
    {TOKEN_POS, "POS", true, 0},
    {TOKEN_POSX, "POSX", true, 1},
    {TOKEN_TRACK, "TRACK", true, 0},
    {TOKEN_FAMILY, "FAMILY", true, 0},
    {TOKEN_VEL, "VEL", true, 0},
    {TOKEN_PITCH, "PITCH", true, 0},
    {TOKEN_DUR, "DUR", true, 1},
    {TOKEN_DURX, "DURX", true, 1},
    {TOKEN_HIT, "HIT", true, HIT_FIRST},
    {TOKEN_CHORD, "CHORD", true, 0},
    {TOKEN_BASS, "BASS", true, 0},
    {TOKEN_HOLE, "HOLE", false, 0},
    {TOKEN_RESUME, "RESUME", false, 0},
    {TOKEN_FILL, "FILL", false, 0},
    {TOKEN_DENSITY, "DENSITY", true, 0},
    {TOKEN_POLYPHONY, "POLYPHONY", true, 1},
    {TOKEN_LENGTH, "LENGTH", true, 0},
    {TOKEN_REGISTER, "REGISTER", true, 0},
    {TOKEN_CLOSE, "CLOSE", false, 0},
    {TOKEN_FILL_END, "FILL_END", false, 0},
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

/* Returns the value as it is shown; POSX and DURX are shown in steps. */
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
