/* What the lists over the roll show: takes, what changes along the piece, the steering values,
 * instruments that match the typed text, what was done, and the palette. The tracks have their
 * own file. */
#include "tui/panels/panels.h"

#include "midi/score/general_midi.h"
#include "tui/base/text.h"
#include "tui/paint/paint.h"

#include <inttypes.h>
#include <stdio.h>

/* -- the takes: the quality of each in words or figures, and its progress while it is
 * written -- */

enum { FIGURES = 27, SEED = 9, BAR = 6, WORDS = 7 };

/* Leaves out columns that do not fit. */
static void write_figures(const struct paint *p, const struct list_row *r,
                          const char *figures, const char *seed, uint32_t ink)
{
    list_write(p, r, r->column, FIGURES, figures, ink, 0);
    if (r->end - r->column >= FIGURES + SEED)
        list_write(p, r, r->column + FIGURES, SEED, seed, ink, 0);
}

/* Whether the list shows words. */
static bool has_words(const struct view *v)
{
    for (int i = 0; i < v->takes.n && !v->takes.figures; i++)
        if (*v->takes.rows[i].why)
            return true;
    return false;
}

static void paint_take(const struct paint *p, const struct list_row *r, int i)
{
    char text[96], seed[12];
    const struct take_row *t = &p->v->takes.rows[i];
    const char liking = t->liking > 0 ? '+' : t->liking < 0 ? '-' : ' ';
    int used = snprintf(text, sizeof text, "%2d%c%3d", t->number, liking, t->rank);
    if (has_words(p->v) && *t->why) {
        /* As many whole phrases as fit. */
        char why[sizeof t->why];
        int room = MAX(r->end - r->column - WORDS, 0), fits = 0;
        list_write(p, r, r->column, WORDS, text, r->ink, 0);
        memcpy(why, t->why, sizeof why);
        for (int k = 0; k <= room && (k == 0 || why[k - 1]); k++)
            if (why[k] == ',' || why[k] == ';' || !why[k])
                fits = k;
        why[fits ? fits : room] = '\0';
        list_write(p, r, r->column + WORDS, (int)sizeof why, why, r->ink, 0);
        return;
    }
    used += snprintf(text + used, sizeof text - (size_t)used, " %6zu", t->n_notes);
    if (t->is_drawn)
        snprintf(text + used, sizeof text - (size_t)used, "%6.2f %6.1f%%", t->nats,
                 100 * t->masked);
    else /* played takes have no figures */
        snprintf(text + used, sizeof text - (size_t)used, "%6s %7s", "-", "-");
    /* A long seed shows its last digits; the status line has all. */
    const uint64_t most = 100000000;
    if (t->seed < most)
        snprintf(seed, 12, "%9" PRIu64, t->seed);
    else
        snprintf(seed, 12, " ~%07" PRIu64, t->seed % (most / 10));
    write_figures(p, r, text, seed, r->ink);
    const int at = r->column + FIGURES + SEED + 2;
    const double share = t->share >= 0 && t->share <= 1 ? t->share : 0;
    for (int k = 0; k < BAR && at + BAR <= r->end; k++)
        list_write(p, r, at + k, 1, k < (int)(share * BAR + 0.5) ? "▮" : "▯", r->ink,
                   0);
}

static void paint_take_heading(const struct paint *p, const struct list_row *r)
{
    if (has_words(p->v))
        list_write(p, r, r->column, WORDS + 32, "  rank why; f: figures", r->quiet, 0);
    else
        write_figures(p, r, "  rank  notes  nats  forced", "     seed", r->quiet);
}

/* -- the undo tree. Branches are columns of the drawing. A state is in the column of the newest
 * state after it; other branches that begin at it join from the right -- */

enum { NUMBER = 5, WHEN = 9 };

static uint32_t glyph_at(const struct history_row *h, int lane, int last)
{
    if (lane == h->lane)
        return h->is_present ? 0x25CF : 0x25CB;
    bool is_crossed = lane > h->lane && lane < last;
    if (h->joining >> lane & 1)
        return lane == last ? 0x2518 : 0x2534;
    if (h->passing >> lane & 1)
        return is_crossed ? 0x253C : 0x2502;
    return is_crossed ? 0x2500 : ' ';
}

static void paint_state(const struct paint *p, const struct list_row *r, int i)
{
    char text[160], number[16];
    const struct history_row *rows = p->v->history, *h = &rows[i];
    unsigned used = 1;
    for (int k = r->box->first; k < r->box->first + r->box->n_shown; k++)
        used |= rows[k].passing | rows[k].joining | 1u << rows[k].lane;
    int n_lanes = 0, last = h->lane; /* the rightmost lane that joins this state */
    while (used >> n_lanes)
        n_lanes++;
    for (int lane = h->lane + 1; lane < HISTORY_LANES; lane++)
        if (h->joining >> lane & 1)
            last = lane;
    uint32_t ink = h->is_on_way ? r->ink : r->quiet;
    for (int lane = 0; lane < n_lanes; lane++) {
        bool is_node = lane == h->lane;
        paint_put(p, r->column + lane, r->row, glyph_at(h, lane, last),
                  is_node ? ink : r->quiet,
                  r->is_chosen ? r->attr
                  : is_node    ? ATTR_BOLD
                               : 0);
    }
    int at = r->column + (n_lanes + 1);
    snprintf(number, sizeof number, "%4" PRIu64, h->state);
    list_write(p, r, at, NUMBER, number, ink, 0);
    at += NUMBER;
    snprintf(text, sizeof text, "%s%s", h->label, h->is_saved ? "  (saved)" : "");
    int when = *h->when ? WHEN : 0;
    if (r->end - at <= when)
        return;
    list_write(p, r, at, r->end - at - when, text, ink, 0);
    if (when)
        list_write(p, r, r->end - WHEN + 1, WHEN - 1, h->when, ink, 0);
}

/* -- what changes along the piece: "012.3.120  tempo   ♩=96", with bar, beat and ticks -- */

enum { WHERE = 13, KIND = 8 };

static void write_sign(const struct paint *p, const struct list_row *r,
                       const char *where, const char *kind, const char *words,
                       uint32_t ink)
{
    int at = r->column;
    list_write(p, r, at, WHERE, where, ink, 0);
    list_write(p, r, at + WHERE, KIND, kind, r->quiet, 0);
    list_write(p, r, at + WHERE + KIND, r->end, words, ink, 0);
}

static void paint_sign(const struct paint *p, const struct list_row *r, int i)
{
    char where[80], words[SIGN_WORDS_BYTES];
    const struct timeline_event *g = &p->v->signs[i];
    struct position at = paint_position_of(p->v->score, g->tick);
    snprintf(where, sizeof where, "%03" PRId64 ".%" PRId64 ".%03" PRId64, at.bar,
             at.beat, at.past);
    write_sign(p, r, where, sign_kind_name(g->kind), sign_words(p->v->score, g, words),
               r->ink);
}

static void paint_sign_heading(const struct paint *p, const struct list_row *r)
{
    write_sign(p, r, "bar beat", "what", "changes here", r->quiet);
}

/* -- instruments -- */

static void paint_instrument(const struct paint *p, const struct list_row *r, int i)
{
    char text[64];
    const struct instrument_list_view *v = &p->v->instruments;
    snprintf(text, sizeof text, "%3d  %s", v->programs[i] + 1,
             (v->are_kits ? gm_kit_name : gm_program_name)(v->programs[i]));
    list_write(p, r, r->column, r->end - r->column, text, r->ink, 0);
}

/* -- the steering panel -- */

enum {
    STEER_NAME = 13,  /* columns, as below */
    STEER_VALUE = 20, /* fits the longest seed */
    LEAST_SLIDER = 8, /* narrower sliders say nothing */
};

struct steer_columns steer_columns_of(const struct list_box *b)
{
    struct steer_columns c;
    int end = b->frame.column + b->frame.columns - LIST_MARGIN;
    c.less = b->frame.column + LIST_MARGIN + STEER_NAME;
    c.value = c.less + 2;
    c.n_value = MIN(end - c.value - 2, STEER_VALUE);
    c.more = c.value + c.n_value + 1;
    c.slider = c.more + 2;
    c.n_slider = end - c.slider >= LEAST_SLIDER ? end - c.slider : 0;
    return c;
}

static void paint_value(const struct paint *p, const struct list_row *r, int i)
{
    const struct steer_line *line = &p->v->steer.lines[i];
    const struct steer_columns c = steer_columns_of(r->box);
    uint32_t ink = line->is_set ? r->accent : r->quiet;
    list_write(p, r, r->column, STEER_NAME, line->name, r->ink, 0);
    list_write(p, r, c.value, c.n_value, line->value, ink,
               line->is_set ? ATTR_BOLD : 0);
    if (c.n_slider && line->share >= 0) {
        double share = line->share < 1 ? line->share : 1;
        int knob = (int)(share * (c.n_slider - 1) + 0.5);
        for (int k = 0; k < c.n_slider; k++)
            list_write(p, r, c.slider + k, 1, "─", r->faint, 0);
        list_write(p, r, c.slider + knob, 1, "●", ink, 0);
    }
    if (r->is_chosen) {
        list_write(p, r, c.less, 1, "◂", r->accent, 0);
        list_write(p, r, c.more, 1, "▸", r->accent, 0);
    }
}

static void paint_value_help(const struct paint *p, const struct list_row *r)
{
    if (r->box->point >= 0 && r->box->point < r->box->n)
        list_write(p, r, r->column, r->end - r->column,
                   p->v->steer.lines[r->box->point].help, r->quiet, 0);
}

/* -- the palette -- */

static void paint_found_line(const struct paint *p, const struct list_row *r, int i)
{
    const struct palette_line *line = &p->v->palette[i];
    const char *text = line->text;
    char about[80];
    snprintf(about, sizeof about, "%s%s%s", line->kind,
             *line->kind && *line->keys ? " " : "", line->keys);
    int columns = text_columns(about), keys = text_columns(line->keys);
    columns = MIN(columns, (r->end - r->column) / 2 + LIST_MARGIN);
    const int room = r->end - r->column - columns - 1;
    int column = r->column,
        end = column + list_write(p, r, column, room, text, r->ink, 0);
    end -= text_columns(text) > room; /* the ellipsis */
    /* Marks the characters that match the typed text. */
    for (int at = 0; at < 64 && *text && column < end;) {
        const char *before = text;
        uint32_t code = text_next(&text);
        struct cell *cell = cells_at(p->c, column, r->row);
        if (cell && line->marks >> at & 1) {
            cell->fg = r->accent;
            cell->attr |= r->is_chosen ? ATTR_UNDERLINE : ATTR_BOLD;
        }
        column += text_width(code);
        at += (int)(text - before);
    }
    list_write(p, r, r->end - columns, columns, about, r->quiet, 0);
    if (keys && keys <= columns)
        list_write(p, r, r->end - keys, keys, line->keys, r->accent, 0);
}

static void paint_typed(const struct paint *p, const struct list_row *r)
{
    list_write(p, r, r->column, 1, ">", r->accent, ATTR_BOLD);
    paint_input(p, r->column + 2, r->row, r->end - r->column - 3);
}

void paint_lists(const struct paint *p)
{
    const struct list_painter PAINTERS[LIST_HELP] = {
        [LIST_TAKES] = {"takes", "", paint_take, paint_take_heading},
        [LIST_MAP] = {"map of the piece", "nothing yet: a adds one", paint_sign,
                      paint_sign_heading},
        [LIST_STEER] = {"settings of the machine", "", paint_value, paint_value_help},
        [LIST_TRACKS] = {"tracks", "none; A adds one", paint_track_row,
                         paint_track_heading},
        [LIST_INSTRUMENTS] = {p->v->instruments.are_kits ? "drum kits" : "instruments",
                              "no such instrument", paint_instrument, NULL},
        [LIST_HISTORY] = {"history", "", paint_state, NULL},
        [LIST_PALETTE] = {"find", "nothing found", paint_found_line, paint_typed},
    };
    cells_fill(p->c, p->l.takes, ' ', p->t->text, p->t->panel);
    for (int id = 0; id < LIST_HELP; id++)
        list_paint(p, (enum list_id)id, &PAINTERS[id]);
}
