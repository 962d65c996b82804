/* The keys at the left, drawn as a piano on its side: black keys are short, and white keys
 * meet behind them. Sounding keys are lit. The first and last key show how many notes lie
 * above and below the view. A drum track shows names of sounds there. */
#include "midi/score/general_midi.h"
#include "tui/base/text.h"
#include "tui/paint/paint.h"

#include <stdio.h>

static void light_key(const struct paint *p, int row, uint32_t colour)
{
    const struct region *r = &p->l.keys;
    for (int column = r->column; column < r->column + r->columns - 1; column++)
        cells_put(p->c, column, row, ' ', theme_ink_on(p->t, colour), colour,
                  p->t->depth == DEPTH_MONO ? ATTR_REVERSE : 0);
}

/* A sound of a kit: its name, and in MODE_PLAY the letter that strikes it. */
static void sound_row(const struct paint *p, int row, int pitch, const int lit[128])
{
    const struct kit_view *kit = &p->v->kit;
    const struct region *r = &p->l.keys, here = {r->column, row, r->columns, 1};
    bool is_cursor = pitch == p->v->cursor.pitch;
    char name[PITCH_NAME_BYTES];
    pitch_name_octave(pitch, p->sharps, name);
    cells_fill(p->c, here, ' ', p->t->text, p->t->panel);
    if (is_cursor || lit[pitch])
        light_key(p, row,
                  is_cursor ? p->t->accent
                            : theme_track(p->t, paint_colour_index(p, lit[pitch] - 1)));
    if (row != p->rows[pitch])
        return;
    const struct cell *cell = cells_at(p->c, r->column, row);
    uint32_t ink = is_cursor || lit[pitch]            ? cell->fg
                   : pitch_set_has(&kit->used, pitch) ? p->t->text
                                                      : p->t->quiet;
    paint_text(p, r->column, row, r->columns - 2,
               *gm_drum_name(pitch) ? gm_drum_name(pitch) : name, ink, cell->attr);
    if (kit->letters && kit->letters[pitch])
        cells_put(p->c, r->column + r->columns - 1, row,
                  (unsigned char)kit->letters[pitch], p->t->accent, p->t->panel,
                  ATTR_BOLD);
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
    if (p->v->kit.is_shown) {
        sound_row(p, row, pitch, lit);
        return;
    }
    if (pitch_is_black(pitch)) {
        const struct region *r = &p->l.keys;
        int length = (r->columns - 1) * 3 / 5;
        bool middle = line == p->port.rows_per_pitch / 2;
        struct region key = {r->column, row, length, 1};
        struct region tip = {r->column + length, row, r->columns - 1 - length, 1};
        cells_fill(p->c, key, ' ', p->t->key_text, p->t->key_black);
        cells_fill(p->c, tip, middle ? 0x2500 : ' ', p->t->key_line, p->t->key_white);
    } else {
        bool last_line = line == height - 1;
        const struct region *r = &p->l.keys;
        struct region key = {r->column, row, r->columns - 1, 1};
        uint32_t colour = pitch % 12 == 0 ? p->t->key_c : p->t->key_white;
        int below = layout_row_pitch(&p->l, &p->port, row + 1);
        /* Two white neighbours are separated by a line. */
        bool parted =
            last_line && theme_paints(p->t) && (below < 0 || !pitch_is_black(below));
        cells_fill(p->c, key, parted ? 0x2581 : ' ', p->t->key_line, colour);
    }
    bool cursor = pitch == p->v->cursor.pitch;
    if (lit[pitch])
        light_key(p, row, theme_track(p->t, paint_colour_index(p, lit[pitch] - 1)));
    if (cursor)
        light_key(p, row, p->t->accent);
    const bool is_c = pitch % 12 == 0, has_scale = p->v->scale.pitches,
               is_tonic = has_scale && pitch % 12 == p->v->scale.tonic,
               is_folded = p->port.hidden.at[0] || p->port.hidden.at[1],
               is_roomy = (height > 1 && !pitch_is_black(pitch)) ||
                          /* neighbouring keys may be folded away */
                          (p->v->hole.is_shown && is_folded),
               has_name = line == (height == 3 ? 1 : 0);
    if (has_name && (cursor || is_roomy || is_c || is_tonic)) {
        char name[PITCH_NAME_BYTES];
        pitch_name_octave(pitch, p->sharps, name);
        paint_text(p, p->l.keys.column, row, p->l.keys.columns - 1, name,
                   cursor                  ? p->t->on_accent
                   : pitch_is_black(pitch) ? p->t->key_white
                                           : p->t->key_text,
                   (cursor || is_c ? ATTR_BOLD : 0) |
                       (cursor && p->t->depth == DEPTH_MONO ? ATTR_REVERSE : 0));
    }
    /* Marks a key at its inner end: the tonic, and pitches out of scale that folding has
     * left. */
    if (has_name && has_scale && (is_tonic || (is_folded && !paint_in_scale(p, pitch))))
        paint_put(p, p->l.keys.column + p->l.keys.columns - 2, row,
                  is_tonic ? 0x2022 : 0xD7, p->t->key_text, 0);
    cells_put(p->c, p->l.keys.column + p->l.keys.columns - 1, row,
              theme_paints(p->t) ? ' ' : 0x2502, p->t->line_bar, p->t->row_black, 0);
}

void paint_keyboard(const struct paint *p)
{
    int lit[128] = {0}; /* for each pitch the sounding track + 1 */
    const int64_t now = (int64_t)p->v->transport.tick;
    const int n_tracks = p->v->transport.is_playing ? (int)p->v->score->n_tracks : 0;
    for (int track = 0; track < n_tracks; track++) {
        struct survey_walk w = {p->survey, p->v->score, track, now, now + 1, 0};
        if (!paint_is_heard(p, track) || !paint_has_rows_for(p, track))
            continue;
        for (const struct note *n; (n = survey_walk(&w));)
            lit[n->pitch & 127] = track + 1;
    }
    for (int row = p->l.keys.row; row < p->l.keys.row + p->l.keys.rows; row++)
        key_row(p, row, lit);
}

enum { MOST_COUNTED = 99, UP = 0x25B2, DOWN = 0x25BC };

/* How many notes lie above the view, [0], and below it, [1]; and whether ghosts are
 * among them. */
struct offscreen {
    int highest, lowest; /* pitches in view */
    int n[2];
    bool has_ghost[2];
};

static void count_offscreen(struct offscreen *o, int pitch, bool is_ghost)
{
    if (pitch <= o->highest && pitch >= o->lowest)
        return;
    o->n[pitch < o->lowest]++;
    o->has_ghost[pitch < o->lowest] |= is_ghost;
}

/* "▲3", at the right end of a key. */
static void paint_edge(const struct paint *p, int row, uint32_t arrow, int n,
                       bool has_ghost)
{
    char text[16];
    const struct region *r = &p->l.keys;
    if (n == 0)
        return;
    snprintf(text, sizeof text, "%d", n < MOST_COUNTED ? n : MOST_COUNTED);
    int columns = 1 + text_columns(text), column = r->column + r->columns - columns;
    uint32_t ink = has_ghost ? p->t->accent : p->t->text;
    cells_put(p->c, column, row, arrow, ink, p->t->panel, ATTR_BOLD);
    cells_text(p->c, column + 1, row, columns - 1, text, ink, p->t->panel, ATTR_BOLD);
}

void paint_offscreen_notes(const struct paint *p)
{
    struct offscreen out = {0};
    const struct region *r = &p->l.roll;
    out.highest = p->pitches[r->row];
    int row = r->row + r->rows - 1;
    while (row > r->row && p->pitches[row] < 0)
        row--;
    out.lowest = p->pitches[row] < 0 ? 0 : p->pitches[row];
    struct survey_walk w = {p->survey,         p->v->score,         p->v->track,
                            p->port.left_tick, paint_right_tick(p), 0};
    for (const struct note *n; paint_track(p) &&
                               (out.n[0] < MOST_COUNTED || out.n[1] < MOST_COUNTED) &&
                               (n = survey_walk(&w));)
        count_offscreen(&out, n->pitch, false);
    int64_t left = p->port.left_tick, right = paint_right_tick(p);
    for (size_t i = 0; i < p->v->ghosts.n; i++) {
        const struct note *n = &p->v->ghosts.notes[i].note;
        if (n->start < right && (n->start >= left || n->length > left - n->start) &&
            paint_has_rows_for(p, p->v->ghosts.notes[i].track))
            count_offscreen(&out, n->pitch, true);
    }
    paint_edge(p, r->row, UP, out.n[0], out.has_ghost[0]);
    paint_edge(p, r->row + r->rows - 1, DOWN, out.n[1], out.has_ghost[1]);
}
