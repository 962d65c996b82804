/* The keys at the left, as on a piano lying on its side: black keys are short,
 * and where they end the white ones meet behind them. Keys that sound light up. */
#include "tui/paint/paint.h"

#include <string.h>

/* Per pitch the sounding track + 1, or 0. */
static void find_sounding(const struct paint *p, int lit[128])
{
    const struct score *s = p->v->score;
    int64_t now = (int64_t)p->v->transport.tick;
    memset(lit, 0, 128 * sizeof *lit);
    if (!p->v->transport.is_playing)
        return;
    for (int track = 0; track < (int)s->n_tracks; track++) {
        const struct track *t = &s->tracks[track];
        for (size_t i = survey_next_note(p->survey, s, track, 0, now);
             paint_is_heard(p, track) && i < t->n_notes && t->notes[i].start <= now;
             i = survey_next_note(p->survey, s, track, i + 1, now))
            lit[t->notes[i].pitch & 127] = track + 1;
    }
}

/* Where the key below is white too, a line parts them. */
static bool is_parted(const struct paint *p, int row)
{
    int below = layout_row_pitch(&p->l, &p->port, row + 1);
    return theme_paints(p->t) && (below < 0 || !pitch_is_black(below));
}

static void white_key(const struct paint *p, int row, int pitch, bool last_line)
{
    const struct region *r = &p->l.keys;
    bool is_c = pitch % 12 == 0;
    struct region key = {r->column, row, r->columns - 1, 1};
    uint32_t colour = is_c ? p->t->key_c : p->t->key_white;
    bool parted = last_line && is_parted(p, row);
    cells_fill(p->c, key, parted ? 0x2581 : ' ', p->t->key_line, colour);
}

static void black_key(const struct paint *p, int row, int line)
{
    const struct region *r = &p->l.keys;
    int length = (r->columns - 1) * 3 / 5;
    bool middle = line == p->port.rows_per_pitch / 2;
    struct region key = {r->column, row, length, 1};
    struct region tip = {r->column + length, row, r->columns - 1 - length, 1};
    cells_fill(p->c, key, ' ', p->t->key_text, p->t->key_black);
    cells_fill(p->c, tip, middle ? 0x2500 : ' ', p->t->key_line, p->t->key_white);
}

static void light(const struct paint *p, int row, uint32_t colour)
{
    const struct region *r = &p->l.keys;
    for (int column = r->column; column < r->column + r->columns - 1; column++)
        cells_put(p->c, column, row, ' ', theme_ink_on(p->t, colour), colour,
                  p->t->depth == DEPTH_MONO ? ATTR_REVERSE : 0);
}

static bool is_folded(const struct paint *p)
{
    return p->port.hidden.at[0] || p->port.hidden.at[1];
}

static void name_key(const struct paint *p, int row, int pitch, bool cursor)
{
    char name[PITCH_NAME_BYTES];
    bool roomy = p->port.rows_per_pitch > 1 && !pitch_is_black(pitch);
    bool is_tonic = p->v->scale.pitches && pitch % 12 == p->v->scale.tonic;
    roomy |= p->v->hole.is_shown && is_folded(p); /* keys are missing between them */
    if (!cursor && !roomy && pitch % 12 != 0 && !is_tonic)
        return;
    pitch_name_octave(pitch, p->sharps, name);
    uint32_t ink = cursor                  ? p->t->on_accent
                   : pitch_is_black(pitch) ? p->t->key_white
                                           : p->t->key_text;
    int attr = cursor || pitch % 12 == 0 ? ATTR_BOLD : 0;
    if (cursor && p->t->depth == DEPTH_MONO)
        attr |= ATTR_REVERSE;
    cells_text(p->c, p->l.keys.column, row, p->l.keys.columns - 1, name, ink,
               COLOUR_KEEP, attr);
}

/* At a key's inner end: the tonic, and notes that a fold would hide but for them. */
static void mark_key(const struct paint *p, int row, int pitch)
{
    uint32_t mark = pitch % 12 == p->v->scale.tonic             ? 0x2022
                    : is_folded(p) && !paint_in_scale(p, pitch) ? 0xD7
                                                                : 0;
    if (p->v->scale.pitches && mark)
        cells_put(p->c, p->l.keys.column + p->l.keys.columns - 2, row, mark,
                  p->t->key_text, COLOUR_KEEP, 0);
}

static void key_row(const struct paint *p, int row, const int lit[128])
{
    int height = p->port.rows_per_pitch, line = (row - p->l.keys.row) % height;
    int pitch = p->pitches[row];
    if (pitch < 0) {
        struct region none = {p->l.keys.column, row, p->l.keys.columns, 1};
        cells_fill(p->c, none, ' ', p->t->text, p->t->panel);
        return;
    }
    if (pitch_is_black(pitch))
        black_key(p, row, line);
    else
        white_key(p, row, pitch, line == height - 1);
    bool cursor = pitch == p->v->cursor.pitch;
    if (lit[pitch])
        light(p, row, theme_track(p->t, paint_hue(p, lit[pitch] - 1)));
    if (cursor)
        light(p, row, p->t->accent);
    if (line == (height == 3 ? 1 : 0)) {
        name_key(p, row, pitch, cursor);
        mark_key(p, row, pitch);
    }
    cells_put(p->c, p->l.keys.column + p->l.keys.columns - 1, row,
              theme_paints(p->t) ? ' ' : 0x2502, p->t->line_bar, p->t->row_black, 0);
}

void paint_keyboard(const struct paint *p)
{
    int lit[128];
    find_sounding(p, lit);
    for (int row = p->l.keys.row; row < p->l.keys.row + p->l.keys.rows; row++)
        key_row(p, row, lit);
}
