/* The figures, one a line, the most important first, as many as fit: the weight between two
 * notes and its parts; the chosen note's surprise and the model's alternatives; its
 * probability without the muted notes; attention on tokens that are not notes. */
#include "tui/paint/inspect_paint.h"
#include "tui/base/text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LEAST_NATS 0.05f /* less than this is not worth a word */

/* Where the next line goes. */
struct page {
    struct region r;
    int row;
};

static void write_line(const struct paint *p, struct page *at, const char *text,
                       uint32_t ink, int attr)
{
    if (at->row < at->r.row + at->r.rows)
        paint_text(p, at->r.column, at->row, at->r.columns, text, ink, attr);
    at->row++;
}

/* Appends, unless the line gets longer than `columns`. Returns whether it did. */
__attribute__((format(printf, 3, 4))) static bool append(char *line, int columns,
                                                         const char *format, ...)
{
    char part[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    size_t used = strlen(line);
    bool fits = text_columns(line) + text_columns(part) <= columns;
    if (fits)
        snprintf(line + used, INSPECT_LINE_BYTES - used, "%s", part);
    return fits;
}

/* "F♯4 alto 3.3  ←  F♯4 alto 2.3    0.412" */
static void write_pair(const struct paint *p, struct page *at)
{
    const struct inspect_view *v = p->v->inspect;
    char from[64], to[64], line[INSPECT_LINE_BYTES], weight[16] = "";
    inspect_note_name(p, &v->notes[v->chosen], from, sizeof from);
    if (v->pair < 0 || v->pair >= (int)v->n_notes) {
        write_line(p, at, from, p->t->text, ATTR_BOLD);
        return;
    }
    snprintf(line, sizeof line, "%s  %s  %s", from, v->is_looked_at ? "→" : "←",
             inspect_note_name(p, &v->notes[v->pair], to, sizeof to));
    if (v->has_pair)
        snprintf(weight, sizeof weight, "%.3f", (double)v->weight);
    int columns = text_columns(weight), row = at->row;
    write_line(p, at, line, p->t->text, ATTR_BOLD);
    int column = at->r.column + text_columns(line) + 4;
    int last = at->r.column + at->r.columns - columns;
    column = column < last ? column : last;
    if (row < at->r.row + at->r.rows) {
        paint_text(p, column - 1, row, 1, " ", p->t->text, 0);
        paint_text(p, column, row, columns, weight, p->t->accent, ATTR_BOLD);
    }
}

/* "score 1.20 = content 0.80 + index 0.10 + time 0.30   entropy 1.9 bit" */
static void write_scores(const struct paint *p, struct page *at)
{
    const struct inspect_view *v = p->v->inspect;
    char line[INSPECT_LINE_BYTES];
    if (!v->has_pair || v->pair < 0)
        return;
    snprintf(line, sizeof line, "content %.2f", (double)v->content);
    if (v->has_index)
        append(line, INT_MAX, " + index %.2f", (double)v->index);
    if (v->has_time)
        append(line, INT_MAX, " + time %.2f", (double)v->time);
    append(line, INT_MAX, "   entropy %.1f bit", (double)v->entropy);
    write_line(p, at, line, p->t->quiet, 0);
}

/* "surprise 0.31 nat; instead E4 0.18  G4 0.09" */
static void write_surprise(const struct paint *p, struct page *at)
{
    const struct inspect_view *v = p->v->inspect;
    char line[INSPECT_LINE_BYTES];
    bool is_first = true;
    if (!(v->surprise >= 0))
        return;
    snprintf(line, sizeof line, "surprise %.2f nat", (double)v->surprise);
    for (int i = 0; i < v->n_guesses; i++) {
        const struct inspect_guess *g = &v->guesses[i];
        if (g->is_written)
            continue;
        if (!append(line, at->r.columns, "%s%s %.2f", is_first ? "; instead " : "  ",
                    g->name, (double)g->probability))
            break;
        is_first = false;
    }
    write_line(p, at, line, p->t->quiet, 0);
}

/* "0.17 on no other note: bar line 0.09, itself 0.05": the largest first. */
static void write_others(const struct paint *p, struct page *at)
{
    const struct inspect_view *v = p->v->inspect;
    char line[INSPECT_LINE_BYTES];
    float left[INSPECTED_KINDS + 1];
    double sum = 0;
    memcpy(left, v->others, sizeof v->others);
    left[INSPECTED_KINDS] = v->itself;
    for (int k = 0; k <= INSPECTED_KINDS; k++)
        sum += (double)left[k];
    if (sum <= 0 || v->is_looked_at)
        return;
    snprintf(line, sizeof line, "%.2f on no other note", sum);
    for (bool is_first = true;; is_first = false) {
        int most = 0;
        for (int k = 1; k <= INSPECTED_KINDS; k++)
            most = left[k] > left[most] ? k : most;
        const char *name = most == INSPECTED_KINDS
                               ? "itself"
                               : inspected_part_name((enum inspected_part)(
                                     INSPECTED_NOTE_PARTS + most));
        if (left[most] < 0.005f ||
            !append(line, at->r.columns, "%s%s %.2f", is_first ? ": " : ", ", name,
                    (double)left[most]))
            break;
        left[most] = 0;
    }
    write_line(p, at, line, p->t->quiet, 0);
}

/* "by token: pitch 0.21  duration 0.08  velocity 0.02" */
static void write_parts(const struct paint *p, struct page *at)
{
    const struct inspect_view *v = p->v->inspect;
    char line[INSPECT_LINE_BYTES] = "";
    for (enum inspected_part i = 0; i < INSPECTED_NOTE_PARTS; i++)
        if (v->surprise_of[i] >= LEAST_NATS &&
            !append(line, at->r.columns, "%s%s %.2f", *line ? "  " : "by token: ",
                    inspected_part_name(i), (double)v->surprise_of[i]))
            break;
    if (*line)
        write_line(p, at, line, p->t->quiet, 0);
}

static void write_looks(const struct paint *p, struct page *at)
{
    const struct inspect_view *v = p->v->inspect;
    char line[INSPECT_LINE_BYTES];
    snprintf(line, sizeof line, "%s, %s%s%s%s",
             v->is_looked_at ? "what attended to it" : "what it attended to",
             v->part ? v->part : "all its tokens", v->part ? " alone" : "",
             v->is_pinned ? ", pinned" : "", v->is_live ? ", live" : "");
    write_line(p, at, line, p->t->quiet, 0);
}

/* The strongest notes, one a line, if there is room: "1  0.412  F♯4 alto 2.3". */
static void write_ranked(const struct paint *p, struct page *at)
{
    const struct inspect_view *v = p->v->inspect;
    char line[INSPECT_LINE_BYTES], name[64];
    if (!(at->r.row + at->r.rows - at->row >= (INSPECT_RANKED + 1)))
        return;
    at->row++;
    for (int rank = 1; rank <= INSPECT_RANKED; rank++)
        for (size_t i = 0; i < v->n_notes; i++) {
            if (v->notes[i].rank != rank)
                continue;
            char than[24] = "";
            bool nats = v->shows_surprise;
            if (v->is_pinned && !nats)
                snprintf(than, sizeof than, " | %.3f", (double)v->notes[i].compared);
            snprintf(line, sizeof line, "%d  %.*f%s%s  %s", rank, nats ? 2 : 3,
                     (double)(nats ? v->notes[i].surprise : v->notes[i].weight),
                     nats ? " nat" : "", than,
                     inspect_note_name(p, &v->notes[i], name, sizeof name));
            write_line(p, at, line, p->t->text, 0);
        }
}

/* Attention and effect: "0.412  p 0.73 → 0.41  F♯4 alto 2.3". */
static void write_matters(const struct paint *p, struct page *at)
{
    const struct inspect_view *v = p->v->inspect;
    char line[INSPECT_LINE_BYTES], name[64];
    write_line(p, at,
               v->n_matters ? "weight, and p without it:" : "leaving out notes ...",
               p->t->quiet, 0);
    for (int i = 0; i < v->n_matters; i++) {
        const struct inspect_matter *m = &v->matters[i];
        if (m->note < 0 || m->note >= (int)v->n_notes)
            continue;
        snprintf(line, sizeof line, "%.3f  p %.3f → %.3f  %s", (double)m->weight,
                 (double)m->with, (double)m->without,
                 inspect_note_name(p, &v->notes[m->note], name, sizeof name));
        write_line(p, at, line, m->without < m->with / 2 ? p->t->error : p->t->text, 0);
    }
}

static void paint_panel(const struct paint *p, const struct region *r)
{
    const struct inspect_view *v = p->v->inspect;
    char line[INSPECT_LINE_BYTES];
    struct page at = {*r, r->row};
    if (r->rows <= 0)
        return;
    if (v->busy || v->chosen < 0 || v->chosen >= (int)v->n_notes) {
        write_line(p, &at, v->busy ? v->busy : "no note here to inspect", p->t->quiet,
                   0);
        return;
    }
    write_pair(p, &at);
    write_scores(p, &at);
    write_surprise(p, &at);
    for (int i = 0; i < v->n_effects; i++)
        write_line(p, &at, inspect_effect_words(&v->effects[i], line, sizeof line),
                   p->t->error, 0);
    if (v->asks_who_matters && !v->shows_surprise) {
        write_matters(p, &at);
        return;
    }
    if (!v->shows_surprise) {
        write_others(p, &at);
        write_looks(p, &at);
    }
    write_parts(p, &at);
    write_ranked(p, &at);
}

static void paint_title(const struct paint *p, const struct region *r)
{
    const struct inspect_view *v = p->v->inspect;
    char title[64];
    inspect_head_title(v, title, sizeof title);
    int used =
        paint_text(p, r->column, r->row, r->columns, title, p->t->accent, ATTR_BOLD);
    if (v->layer >= 0 && v->head >= 0 && inspect_is_muted(v, v->layer, v->head))
        used += paint_text(p, r->column + used, r->row, r->columns - used, " muted",
                           p->t->error, ATTR_BOLD);
    char name[80];
    if (!v->head_name || !*v->head_name)
        return;
    snprintf(name, sizeof name, "   “%.60s”", v->head_name);
    paint_text(p, r->column + used, r->row, r->columns - used, name, p->t->text,
               ATTR_BOLD);
}

void paint_inspector(const struct paint *p)
{
    const struct inspect_view *v = p->v->inspect;
    if (!v || p->l.too_small)
        return;
    struct inspect_places at = inspect_places_for(&p->l, v);
    const struct region *side = &p->l.side;
    cells_fill(p->c, *side, ' ', p->t->text, p->t->panel);
    for (int row = side->row; row < side->row + side->rows; row++)
        paint_put(p, side->column, row, 0x2502, p->t->line_beat, 0);
    if (v->page != INSPECT_ROLL)
        cells_fill(p->c, p->l.page, ' ', p->t->text, p->t->panel);
    struct region title = at.title;
    if (v->page == INSPECT_ROLL && !p->l.is_picture)
        paint_inspect_legend(p, &p->l.ruler);
    else
        title.columns -= paint_inspect_legend(p, &title);
    if (title.rows && !p->l.is_picture) /* whose heading has it */
        paint_title(p, &title);
    paint_inspect_grid(p, &at);
    paint_inspect_matrix(p, &at);
    paint_panel(p, &at.panel);
}
