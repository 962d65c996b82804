/* The figures, one a line, the most important first, as many as fit: the weight between two
 * notes and its parts; the chosen note's surprise and the model's alternatives; its
 * probability without the muted notes; attention on tokens that are not notes. */
#include "tui/paint/inspect_paint.h"
#include "tui/base/text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LEAST_NATS 0.05f /* tokens of less surprise are not listed */

/* The panel, and the line that is being made. */
struct page {
    const struct paint *p;
    struct region r;
    int row; /* where the line goes */
    char line[INSPECT_LINE_BYTES];
};

/* Appends to the line, unless it gets longer than `columns`. Returns whether it did. */
__attribute__((format(printf, 3, 4))) static bool append(struct page *at, int columns,
                                                         const char *format, ...)
{
    char part[2 * INSPECT_LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    const size_t used = strlen(at->line);
    const bool fits = text_columns(at->line) + text_columns(part) <= columns;
    if (fits)
        snprintf(at->line + used, INSPECT_LINE_BYTES - used, "%s", part);
    return fits;
}

static void end_line(struct page *at, uint32_t ink, int attr)
{
    if (at->row < at->r.row + at->r.rows)
        paint_text(at->p, at->r.column, at->row, at->r.columns, at->line, ink, attr);
    at->row++;
    at->line[0] = '\0';
}

static void write_line(struct page *at, const char *text, uint32_t ink)
{
    append(at, INT_MAX, "%s", text);
    end_line(at, ink, 0);
}

/* "F♯4 alto 3.3  ←  F♯4 alto 2.3    0.412", then the parts of its score: "content 0.80
 * + index 0.10 + time 0.30   entropy 1.9 bit". */
static void write_pair(struct page *at)
{
    const struct paint *p = at->p;
    const struct inspect_view *v = p->v->inspect;
    const bool has_other = v->pair >= 0 && v->pair < (int)v->n_notes;
    char name[64], weight[16] = "";
    append(at, INT_MAX, "%s",
           inspect_note_name(p, &v->notes[v->chosen], name, sizeof name));
    if (has_other)
        append(at, INT_MAX, "  %s  %s", v->is_looked_at ? "→" : "←",
               inspect_note_name(p, &v->notes[v->pair], name, sizeof name));
    const int length = text_columns(at->line), row = at->row;
    end_line(at, p->t->text, ATTR_BOLD);
    if (!has_other)
        return;
    if (v->has_pair)
        snprintf(weight, sizeof weight, "%.3f", (double)v->weight);
    const int columns = text_columns(weight), last = at->r.columns - columns,
              column = at->r.column + (length + 4 < last ? length + 4 : last);
    if (row < at->r.row + at->r.rows) {
        paint_text(p, column - 1, row, 1, " ", p->t->text, 0);
        paint_text(p, column, row, columns, weight, p->t->accent, ATTR_BOLD);
    }
    if (!v->has_pair)
        return;
    append(at, INT_MAX, "content %.2f", (double)v->content);
    if (v->has_index)
        append(at, INT_MAX, " + index %.2f", (double)v->index);
    if (v->has_time)
        append(at, INT_MAX, " + time %.2f", (double)v->time);
    append(at, INT_MAX, "   entropy %.1f bit", (double)v->entropy);
    end_line(at, p->t->quiet, 0);
}

/* "surprise 0.31 nat; instead E4 0.18  G4 0.09", and the probability without what is muted. */
static void write_surprise(struct page *at)
{
    const struct inspect_view *v = at->p->v->inspect;
    char effect[INSPECT_LINE_BYTES];
    bool is_first = true, fits = true;
    append(at, INT_MAX, "surprise %.2f nat", (double)v->surprise);
    for (const struct inspect_guess *g = v->guesses;
         fits && g < v->guesses + v->n_guesses; g++) {
        if (g->is_written)
            continue;
        fits = append(at, at->r.columns, "%s%s %.2f", is_first ? "; instead " : "  ",
                      g->name, (double)g->probability);
        is_first = false;
    }
    if (v->surprise >= 0)
        end_line(at, at->p->t->quiet, 0);
    at->line[0] = '\0';
    for (int i = 0; i < v->n_effects; i++)
        write_line(at, inspect_effect_words(&v->effects[i], effect, sizeof effect),
                   at->p->t->error);
}

/* "0.17 on no other note: bar line 0.09, itself 0.05": the largest first. Then what is shown:
 * "what it attended to, all its tokens". */
static void write_looks(struct page *at)
{
    const struct inspect_view *v = at->p->v->inspect;
    float left[INSPECTED_KINDS + 1];
    double sum = 0;
    memcpy(left, v->others, sizeof v->others);
    left[INSPECTED_KINDS] = v->itself;
    for (int k = 0; k <= INSPECTED_KINDS; k++)
        sum += (double)left[k];
    append(at, INT_MAX, "%.2f on no other note", sum);
    for (bool is_first = true;; is_first = false) {
        int most = 0;
        for (int k = 1; k <= INSPECTED_KINDS; k++)
            most = left[k] > left[most] ? k : most;
        const int part = INSPECTED_NOTE_PARTS + most;
        const char *name = most == INSPECTED_KINDS
                               ? "itself"
                               : inspected_part_name((enum inspected_part)part);
        if (left[most] < 0.005f ||
            !append(at, at->r.columns, "%s%s %.2f", is_first ? ": " : ", ", name,
                    (double)left[most]))
            break;
        left[most] = 0;
    }
    if (sum > 0 && !v->is_looked_at)
        end_line(at, at->p->t->quiet, 0);
    at->line[0] = '\0';
    append(at, INT_MAX, "%s, %s%s%s%s",
           v->is_looked_at ? "what attended to it" : "what it attended to",
           v->part ? v->part : "all its tokens", v->part ? " alone" : "",
           v->is_pinned ? ", pinned" : "", v->is_live ? ", live" : "");
    end_line(at, at->p->t->quiet, 0);
}

/* "by token: pitch 0.21  duration 0.08", and the strongest notes, one a line, if there is room:
 * "1  0.412  F♯4 alto 2.3". */
static void write_parts(struct page *at)
{
    const struct paint *p = at->p;
    const struct inspect_view *v = p->v->inspect;
    const bool nats = v->shows_surprise;
    char name[64];
    for (enum inspected_part i = 0; i < INSPECTED_NOTE_PARTS; i++)
        if (v->surprise_of[i] >= LEAST_NATS &&
            !append(at, at->r.columns, "%s%s %.2f", *at->line ? "  " : "by token: ",
                    inspected_part_name(i), (double)v->surprise_of[i]))
            break;
    if (*at->line)
        end_line(at, p->t->quiet, 0);
    if (at->r.row + at->r.rows - at->row <= INSPECT_RANKED)
        return;
    at->row++;
    for (int rank = 1; rank <= INSPECT_RANKED; rank++)
        for (const struct inspect_note *n = v->notes; n < v->notes + v->n_notes; n++) {
            if (n->rank != rank)
                continue;
            append(at, INT_MAX, nats ? "%d  %.2f nat" : "%d  %.3f", rank,
                   (double)(nats ? n->surprise : n->weight));
            if (v->is_pinned && !nats)
                append(at, INT_MAX, " | %.3f", (double)n->compared);
            append(at, INT_MAX, "  %s", inspect_note_name(p, n, name, sizeof name));
            end_line(at, p->t->text, 0);
        }
}

static void paint_panel(const struct paint *p, const struct region *r)
{
    const struct inspect_view *v = p->v->inspect;
    struct page at = {.p = p, .r = *r, .row = r->row};
    if (r->rows <= 0)
        return;
    if (v->busy || v->chosen < 0 || v->chosen >= (int)v->n_notes) {
        write_line(&at, v->busy ? v->busy : "no note here to inspect", p->t->quiet);
        return;
    }
    write_pair(&at);
    write_surprise(&at);
    const bool lists_matters = v->asks_who_matters && !v->shows_surprise;
    if (!v->shows_surprise && !lists_matters)
        write_looks(&at);
    if (!lists_matters) {
        write_parts(&at);
        return;
    }
    /* Attention and effect: "0.412  p 0.73 → 0.41  F♯4 alto 2.3". */
    write_line(&at,
               v->n_matters ? "weight, and p without it:" : "leaving out notes ...",
               p->t->quiet);
    for (int i = 0; i < v->n_matters; i++) {
        const struct inspect_matter *m = &v->matters[i];
        char name[64];
        append(&at, INT_MAX, "%.3f  p %.3f → %.3f  %s", (double)m->weight,
               (double)m->with, (double)m->without,
               inspect_note_name(p, &v->notes[m->note], name, sizeof name));
        end_line(&at, m->without < m->with / 2 ? p->t->error : p->t->text, 0);
    }
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
    if (title.rows && !p->l.is_picture) { /* a picture has it in its heading */
        char text[80];
        const bool is_muted =
            v->layer >= 0 && v->head >= 0 && inspect_is_muted(v, v->layer, v->head);
        inspect_head_title(v, text, sizeof text);
        int used = paint_text(p, title.column, title.row, title.columns, text,
                              p->t->accent, ATTR_BOLD);
        if (is_muted)
            used += paint_text(p, title.column + used, title.row, title.columns - used,
                               " muted", p->t->error, ATTR_BOLD);
        snprintf(text, sizeof text, "   “%.60s”", v->head_name ? v->head_name : "");
        if (v->head_name && *v->head_name)
            paint_text(p, title.column + used, title.row, title.columns - used, text,
                       p->t->text, ATTR_BOLD);
    }
    paint_inspect_grid(p, &at);
    paint_inspect_matrix(p, &at);
    paint_panel(p, &at.panel);
}
