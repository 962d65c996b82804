/* See map_picture.h. Every picture has a heading, a field, and a bar of colours beside it. */
#include "app/picture/map_picture.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "tui/base/names.h"
#include "tui/cells/shade.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- amounts and colours -- */

#define LOG_RANGE 1e-3

enum { MOST_RANKED = 1 << 16 };

struct colour heat_colour(double share)
{
    uint32_t rgb = shade_viridis(fmin(fmax(share, 0), 1));
    return (struct colour){(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb};
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Ranks are those among an even sample of many values; of weights only those above zero. */
bool heat_init(struct heat *h, enum heat_kind kind, const float *amounts, size_t n,
               bool weights)
{
    const size_t every = n / MOST_RANKED + 1;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < n; i++)
        if (isfinite(amounts[i])) {
            low = fmin(low, (double)amounts[i]);
            high = fmax(high, (double)amounts[i]);
        }
    *h = (struct heat){.kind = weights || kind != HEAT_LOG ? kind : HEAT_LINEAR};
    h->low = weights || low > high ? 0 : low;
    h->high = high > h->low ? high : h->low + 1;
    if (h->kind != HEAT_RANK)
        return true;
    h->sorted = calloc(n / every + 1, sizeof *h->sorted);
    for (size_t i = 0; h->sorted && i < n; i += every)
        if (isfinite(amounts[i]) && (!weights || amounts[i] > 0))
            h->sorted[h->n++] = amounts[i];
    if (h->sorted)
        qsort(h->sorted, h->n, sizeof *h->sorted, ascending);
    return h->sorted != NULL;
}

void heat_fini(struct heat *h)
{
    free(h->sorted);
    *h = (struct heat){0};
}

double heat_share(const struct heat *h, double amount)
{
    size_t at;
    if (h->kind == HEAT_RANK) {
        ARRAY_PASS(at, h->n, (double)h->sorted[at] < amount);
        return h->n > 1 ? fmin((double)at / (double)(h->n - 1), 1) : 1;
    }
    if (h->kind == HEAT_LINEAR)
        return (amount - h->low) / (h->high - h->low);
    return amount > 0 ? 1 - log(amount / h->high) / log(LOG_RANGE) : 0;
}

double heat_amount(const struct heat *h, double share)
{
    if (h->kind == HEAT_RANK)
        return h->n ? (double)h->sorted[(size_t)(share * (double)(h->n - 1))] : 0;
    if (h->kind == HEAT_LINEAR)
        return h->low + share * (h->high - h->low);
    return h->high * pow(LOG_RANGE, 1 - share);
}

/* -- heading, field and bar of colours -- */

enum {
    MARGIN = 16,
    TITLE = 2, /* scales of text */
    FIGURES = 1,
    TITLE_HEIGHT = 24,
    LINE = 14,   /* from one line of small text to the next */
    LEGEND = 96, /* width of the colours and their figures */
    COLOURS = 14,
    TICKS = 5
};

static const struct colour GROUND = {18, 18, 22}, UNSEEN = {30, 30, 36},
                           INK = {226, 224, 218}, QUIET = {150, 148, 142},
                           FAINT = {64, 64, 72}, ACCENT = {255, 176, 64},
                           BLACK_KEY = {24, 24, 29}, BEAT = {34, 34, 40},
                           QUIET_NOTE = {52, 52, 60}, CHOSEN = {255, 255, 255};

/* A picture that is being painted. */
struct page {
    struct canvas canvas;
    struct heat heat;
    struct rect field; /* of cells (the first of several maps), or the roll */
};

/* Paints the title and the lines about it; on no canvas measures them. Returns their height. */
static int paint_heading(struct canvas *c, const char *title, const char *about,
                         int *width)
{
    char line[256];
    int y = MARGIN + TITLE_HEIGHT;
    *width = canvas_text_width(title, TITLE);
    if (c)
        canvas_text(c, MARGIN, MARGIN, TITLE, INK, title);
    for (const char *at = about, *end; *at; at = *end ? end + 1 : end) {
        end = strchrnul(at, '\n');
        snprintf(line, sizeof line, "%.*s", (int)(end - at), at);
        *width = (int)larger(*width, canvas_text_width(line, FIGURES));
        if (c)
            canvas_text(c, MARGIN, y, FIGURES, QUIET, line);
        y += LINE;
    }
    return y - MARGIN + 8;
}

/* width, height: what is to the right of the field's corner and below it. false: no memory. */
static bool begin_page(struct page *g, const char *title, const char *about, int width,
                       int height)
{
    int wide;
    g->field.x += MARGIN;
    g->field.y += MARGIN + paint_heading(NULL, title, about, &wide);
    if (!canvas_init(
            &g->canvas,
            (int)larger(g->field.x + width + MARGIN + LEGEND, wide + 2 * MARGIN),
            g->field.y + height, GROUND))
        return false;
    paint_heading(&g->canvas, title, about, &wide);
    return true;
}

/* The colours from low below to high above, with amounts beside them, to the right of what
 * ends at x; then saves the picture, and frees it. */
static enum midi_status end_page(struct page *g, int x, int height, const char *unit,
                                 const char *path)
{
    static const char *const kinds[] = {"linear", "log", "by rank"};
    struct canvas *c = &g->canvas;
    const int y = g->field.y;
    char figure[24];
    x += MARGIN;
    for (int i = 0; i < height; i++)
        canvas_fill(c, (struct rect){x, y + height - 1 - i, COLOURS, 1},
                    heat_colour((double)i / (height > 1 ? height - 1 : 1)));
    for (int i = 0; i <= TICKS; i++) {
        int at = y + (height - 1) * (TICKS - i) / TICKS;
        canvas_fill(c, (struct rect){x + COLOURS, at, 4, 1}, QUIET);
        snprintf(figure, sizeof figure, "%.2g",
                 heat_amount(&g->heat, (double)i / TICKS));
        canvas_text(c, x + COLOURS + 8, at - GLYPH_HEIGHT / 2, FIGURES, QUIET, figure);
    }
    canvas_text(c, x, y + height + 8, FIGURES, QUIET, unit);
    canvas_text(c, x, y + height + 8 + LINE, FIGURES, QUIET, kinds[g->heat.kind]);
    bool ok = canvas_save(c, path);
    canvas_fini(c);
    heat_fini(&g->heat);
    return ok ? MIDI_OK : MIDI_CANNOT_WRITE;
}

/* -- maps -- */

enum {
    BARS = 30,                /* room for their numbers, beside or below the names */
    NAMES = 30,               /* and for names */
    LARGEST = 14,             /* of a cell, pixels */
    WANTED = 1100,            /* a matrix is about as wide */
    APART = GLYPH_HEIGHT + 1, /* names nearer than that are left out */
    LEAST = 160,
    /* of several */
    GAP = 12,
    CAPTION = 2 * LINE,
    NUMBERS = 24,
    SIZE = 128,
};

/* Bars have lines; names are left out where they would touch. */
static void paint_axis(struct page *g, const struct map_axis *axis, int n_cells,
                       bool is_below)
{
    const struct rect f = g->field;
    struct canvas *c = &g->canvas;
    const int bottom = f.y + f.h + 4;
    int free_from[2] = {0, 0}; /* for names, and for bars */
    for (const struct axis_mark *m = axis->marks; m < axis->marks + axis->n; m++) {
        const int at = is_below ? f.x + m->at * (f.w / n_cells)
                                : f.y + m->at * (f.h / n_cells),
                  width = canvas_text_width(m->text, FIGURES);
        if (m->is_bar)
            canvas_fill(c,
                        is_below ? (struct rect){at, bottom - 2, 1, NAMES + BARS - 8}
                                 : (struct rect){MARGIN, at, BARS + NAMES - 2, 1},
                        FAINT);
        if (at < free_from[m->is_bar])
            continue;
        free_from[m->is_bar] = at + (is_below && m->is_bar ? width + 6 : APART);
        if (is_below && !m->is_bar)
            canvas_text_up(c, at + 1, bottom + width, FIGURES, QUIET, m->text);
        else
            canvas_text(c,
                        is_below    ? at + 3
                        : m->is_bar ? MARGIN
                                    : f.x - 5 - width,
                        is_below ? bottom + NAMES : at + 2, FIGURES,
                        m->is_bar ? INK : QUIET, m->text);
    }
}

static void paint_cells(struct page *g, const struct map_picture *p, const float *cells,
                        struct rect f)
{
    const int w = f.w / p->n_columns, h = f.h / p->n_rows;
    for (int i = 0; i < p->n_rows * p->n_columns; i++)
        canvas_fill(
            &g->canvas,
            (struct rect){f.x + i % p->n_columns * w, f.y + i / p->n_columns * h, w, h},
            isfinite(cells[i]) ? heat_colour(heat_share(&g->heat, (double)cells[i]))
                               : UNSEEN);
}

static void paint_single(struct page *g, const struct map_picture *p)
{
    const struct rect f = g->field;
    const int w = f.w / p->n_columns, h = f.h / p->n_rows;
    paint_cells(g, p, p->cells, f);
    for (const struct map_outline *o = p->outlines; o < p->outlines + p->n_outlines;
         o++)
        canvas_frame(&g->canvas,
                     (struct rect){f.x + o->column * w, f.y + o->row * h,
                                   o->n_columns * w, o->n_rows * h},
                     ACCENT);
    paint_axis(g, &p->rows, p->n_rows, false);
    paint_axis(g, &p->columns, p->n_columns, true);
}

/* A row for each layer; under each head its number and its name. */
static void paint_several(struct page *g, const struct map_picture *p)
{
    struct canvas *c = &g->canvas;
    char text[64];
    for (int i = 0; i < p->n_down * p->n_across; i++) {
        const int head = i % p->n_across, layer = p->first_layer + i / p->n_across;
        struct rect f = g->field;
        f.x += head * (f.w + GAP);
        f.y += i / p->n_across * (f.h + CAPTION + GAP);
        snprintf(text, sizeof text, "%d", layer + 1);
        if (head == 0)
            canvas_text(c, MARGIN, f.y + f.h / 2, TITLE, QUIET, text);
        paint_cells(g, p, p->cells + (size_t)i * (size_t)(p->n_rows * p->n_columns), f);
        snprintf(text, sizeof text, "%d.%d", layer + 1, head + 1);
        canvas_text(c, f.x, f.y + f.h + 5, FIGURES, INK, text);
        canvas_text(c, f.x, f.y + f.h + 5 + LINE - 2, FIGURES, ACCENT,
                    p->name(p->context, layer, head));
    }
}

/* In pixels, of a map of so many cells. */
static int cell_size(int n, bool is_single)
{
    return (int)larger(1, is_single ? smaller(WANTED / larger(n, 1), LARGEST)
                                    : (SIZE + n - 1) / larger(n, 1));
}

enum midi_status map_picture_save(const struct map_picture *p, const char *path)
{
    const bool is_single = !p->name;
    const size_t n =
        (size_t)(p->n_down * p->n_across) * (size_t)(p->n_rows * p->n_columns);
    struct page g = {.field = {.x = is_single ? BARS + NAMES : NUMBERS,
                               .w = p->n_columns * cell_size(p->n_columns, is_single),
                               .h = p->n_rows * cell_size(p->n_rows, is_single)}};
    const int width = p->n_across * (g.field.w + GAP) - GAP,
              height = p->n_down * (g.field.h + CAPTION + GAP) - CAPTION - GAP;
    if (!heat_init(&g.heat, p->shade, p->cells, n, p->is_weight) ||
        !begin_page(&g, p->title, p->about, width,
                    is_single ? (int)larger(height, LEAST) + NAMES + BARS + 2 * MARGIN
                              : height + CAPTION + MARGIN + 2 * LINE)) {
        heat_fini(&g.heat);
        return MIDI_NO_MEMORY;
    }
    (is_single ? paint_single : paint_several)(&g, p);
    return end_page(&g, g.field.x + width,
                    is_single ? (int)larger(height / 2, 100) : SIZE, p->unit, path);
}

/* -- the roll -- */

enum {
    KEYS = 40,
    RULER = 22,
    ROW = 12, /* height of a semitone */
    BAR = 110,
    LEAST_BARS = 4,
    MOST_WIDTH = 4000,
    AIR = 2, /* semitones */
    STRIP = 48,
    RANKED = 5,
};

struct roll {
    struct page page;
    const struct wash_picture *picture;
    int low, high; /* pitches */
};

static int x_of(const struct roll *l, int64_t tick)
{
    const struct wash_picture *p = l->picture;
    int64_t at = larger(p->from, smaller(tick, p->to));
    double share = (double)(at - p->from) / (double)(p->to - p->from);
    return l->page.field.x + (int)(share * l->page.field.w + 0.5);
}

static int y_of(const struct roll *l, int pitch)
{
    return l->page.field.y + (l->high - pitch) * ROW;
}

static bool is_shown(const struct wash_picture *p, const struct wash_note *n)
{
    return n->start < p->to && n->start + n->length > p->from;
}

static bool begin_roll(struct roll *l)
{
    const struct wash_picture *p = l->picture;
    int64_t bars = timeline_bar_at(p->timeline, p->to - 1).index -
                   timeline_bar_at(p->timeline, p->from).index + 1;
    int64_t low = 127, high = 0;
    for (const struct wash_note *n = p->notes; n < p->notes + p->n_notes; n++)
        if (is_shown(p, n)) {
            low = smaller(low, n->pitch);
            high = larger(high, n->pitch);
        }
    if (low > high)
        low = high = 60;
    l->low = (int)larger(low - AIR, 0);
    l->high = (int)smaller(high + AIR, 127);
    l->page.field = (struct rect){
        KEYS, RULER, (int)smaller(larger(bars, LEAST_BARS) * BAR, MOST_WIDTH),
        (l->high - l->low + 1) * ROW};
    return begin_page(&l->page, p->title, p->about, l->page.field.w,
                      l->page.field.h + STRIP + 3 * MARGIN);
}

static void paint_ground(struct roll *l)
{
    struct canvas *c = &l->page.canvas;
    const struct rect f = l->page.field;
    const struct timeline *t = l->picture->timeline;
    char text[24];
    for (int pitch = l->low; pitch <= l->high; pitch++) {
        const int y = y_of(l, pitch);
        if (pitch_is_black(pitch))
            canvas_fill(c, (struct rect){f.x, y, f.w, ROW}, BLACK_KEY);
        snprintf(text, sizeof text, "%c%d", pitch % 12 ? 'G' : 'C', pitch / 12 - 1);
        if (pitch % 12 == 0 || pitch % 12 == 7)
            canvas_text(c, MARGIN, y - 1, TITLE, QUIET, text);
    }
    for (struct bar bar = timeline_bar_at(t, l->picture->from);
         bar.start < l->picture->to && bar.length > 0;
         bar = timeline_bar(t, bar.index + 1)) {
        const int64_t beat = larger(timeline_beat_ticks(t, bar.start), 1);
        for (int64_t at = 0; at < bar.length; at += beat)
            canvas_fill(c, (struct rect){x_of(l, bar.start + at), f.y, 1, f.h + STRIP},
                        at ? BEAT : FAINT);
        snprintf(text, sizeof text, "%lld", (long long)bar.index + 1);
        canvas_text(c, x_of(l, bar.start) + 4, f.y - RULER + 4, TITLE, INK, text);
    }
}

static struct rect note_rect(const struct roll *l, const struct wash_note *n)
{
    int x = x_of(l, n->start), right = x_of(l, n->start + n->length);
    return (struct rect){x, y_of(l, n->pitch) + 1, right - x > 3 ? right - x - 1 : 2,
                         ROW - 2};
}

/* Those that were read come last, over their selves of the score. Notes without a weight,
 * such as later notes, have no colour of the scale. */
static void paint_notes(struct roll *l)
{
    const struct wash_picture *p = l->picture;
    struct canvas *c = &l->page.canvas;
    int ranked[RANKED] = {0};
    for (const struct wash_note *n = p->notes; n < p->notes + p->n_notes; n++)
        if (is_shown(p, n))
            canvas_fill(c, note_rect(l, n),
                        n->is_chosen ? CHOSEN
                        : n->is_read && n->weight > 0
                            ? heat_colour(heat_share(&l->page.heat, (double)n->weight))
                            : QUIET_NOTE);
    for (int rank = 0; rank < RANKED; rank++) {
        int best = -1;
        for (int i = 0; i < p->n_notes; i++) {
            const struct wash_note *n = &p->notes[i];
            bool counts = n->is_read && !n->is_chosen && n->weight > 0;
            for (int k = 0; k < rank; k++)
                counts &= ranked[k] != i;
            if (counts && (best < 0 || n->weight > p->notes[best].weight))
                best = i;
        }
        if (best < 0)
            return;
        ranked[rank] = best;
        const struct rect r = note_rect(l, &p->notes[best]);
        const char text[] = {(char)('1' + rank), '\0'};
        bool is_light = heat_share(&l->page.heat, (double)p->notes[best].weight) > 0.5;
        canvas_text(c, r.x + 2, r.y + 2, FIGURES, is_light ? GROUND : CHOSEN, text);
    }
}

/* Mass by where notes begin, in columns of a sixteenth, as part of the largest. */
static void paint_strip(struct roll *l)
{
    const struct wash_picture *p = l->picture;
    const int64_t width = larger(1, p->timeline->ticks_per_quarter / 4);
    const size_t n = (size_t)((p->to - p->from) / width) + 1;
    const int bottom = l->page.field.y + l->page.field.h + 8 + STRIP;
    double *mass = calloc(n, sizeof *mass), most = 0;
    for (int i = 0; mass && i < p->n_notes; i++) {
        const struct wash_note *note = &p->notes[i];
        if (!note->is_read || note->start < p->from || note->start >= p->to)
            continue;
        double *at = &mass[(note->start - p->from) / width];
        *at += (double)note->weight;
        most = fmax(most, *at);
    }
    for (size_t i = 0; mass && most > 0 && i < n; i++) {
        int x = x_of(l, p->from + (int64_t)i * width);
        int right = x_of(l, p->from + (int64_t)(i + 1) * width);
        int height = (int)(mass[i] / most * (STRIP - 8) + 0.5);
        canvas_fill(&l->page.canvas,
                    (struct rect){x, bottom - height, right - x > 1 ? right - x - 1 : 1,
                                  height},
                    heat_colour(mass[i] / most));
    }
    free(mass);
}

enum midi_status wash_picture_save(const struct wash_picture *p, const char *path)
{
    struct roll l = {.picture = p};
    /* The colours show the weights of notes that were read and not chosen. */
    float *weights = calloc((size_t)p->n_notes + 1, sizeof *weights);
    for (int i = 0; weights && i < p->n_notes; i++)
        weights[i] =
            p->notes[i].is_read && !p->notes[i].is_chosen ? p->notes[i].weight : NAN;
    bool ok = weights &&
              heat_init(&l.page.heat, p->shade, weights, (size_t)p->n_notes, true) &&
              begin_roll(&l);
    free(weights);
    if (!ok) {
        heat_fini(&l.page.heat);
        return MIDI_NO_MEMORY;
    }
    paint_ground(&l);
    paint_notes(&l);
    paint_strip(&l);
    const struct rect f = l.page.field;
    return end_page(&l.page, f.x + f.w, (int)larger(f.h / 2, 50), "weight", path);
}
