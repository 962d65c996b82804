/* The wash tints notes by the attention of the chosen note, numbers the strongest and
 * names the chosen one. The strip below the roll shows the same attention by column. */
#include "tui/paint/inspect_paint.h"
#include "tui/roll/roll.h"

#include <math.h>
#include <stdio.h>

uint32_t inspect_grey(const struct paint *p)
{
    if (!theme_paints(p->t))
        return p->t->depth == DEPTH_16 ? p->t->faint : COLOUR_DEFAULT;
    return theme_mix(p->t->row_white, p->t->quiet, p->t->light ? 0.35 : 0.28);
}

static void paint_one(const struct paint *p, const struct inspect_note *n)
{
    struct span s;
    if (!paint_has_rows_for(p, n->track) || !span_of(p, &n->note, &s))
        return;
    if (n->is_chosen) {
        char name[PITCH_NAME_BYTES];
        s.from -= s.from % 2; /* at least a cell */
        s.to += s.to % 2;
        span_fill(p, &s, p->t->selected, 0x2588);
        span_label(p, &s, pitch_name(n->note.pitch, p->sharps, name),
                   theme_ink_on(p->t, p->t->selected), theme_badge_attr(p->t));
        return;
    }
    const bool is_mono = p->t->depth == DEPTH_MONO, is_shaded = n->shade >= 0;
    const uint32_t ground =
        is_shaded ? shade_colour(p->t, (double)n->shade) : inspect_grey(p);
    const uint32_t glyph = is_shaded ? shade_glyph(p->t, (double)n->shade) : ' ';
    /* The smallest of 16 colours is the terminal's ground. */
    const bool is_unseen = ground == COLOUR_DEFAULT && p->t->depth == DEPTH_16;
    span_fill(p, &s, is_unseen ? inspect_grey(p) : ground,
              !is_shaded     ? INSPECT_GREY_FILL
              : glyph == ' ' ? 0xB7
                             : glyph);
    /* The note's rank, or a cross if the note is left out, on its first cell. */
    char rank[8];
    const int row = span_label_row(p, &s);
    snprintf(rank, sizeof rank, "%d", n->rank);
    if ((n->is_muted || n->rank) && row >= 0)
        cells_text(p->c, p->l.roll.column + s.from / 2, row, 1,
                   n->is_muted ? "×" : rank,
                   is_mono ? COLOUR_DEFAULT : theme_ink_on(p->t, ground),
                   is_mono ? COLOUR_KEEP : ground, theme_badge_attr(p->t));
}

/* The strongest notes are painted last, over the others, and the chosen note over
 * them. */
void paint_wash(const struct paint *p)
{
    const struct inspect_view *v = p->v->inspect;
    for (int turn = 0; v && turn <= INSPECT_RANKED + 1; turn++)
        for (const struct inspect_note *n = v->notes; n < v->notes + v->n_notes; n++) {
            const int own = n->is_chosen ? INSPECT_RANKED + 1
                            : n->rank    ? INSPECT_RANKED + 1 - n->rank
                                         : 0;
            if (own == turn)
                paint_one(p, n);
        }
}

void paint_strip(const struct paint *p)
{
    const struct inspect_view *v = p->v->inspect;
    const struct region *r = &p->l.strip;
    /* Attention by column of the roll: of the shown note, and of the one compared with a pinned
     * note. */
    float mass[CELLS_MAX] = {0}, compared[CELLS_MAX] = {0}, largest = 0;
    if (!v || !r->rows)
        return;
    lane_paint_ground(p, r,
                      v->shows_surprise ? " nats"
                      : v->is_looked_at ? " by"
                                        : " att");
    bool is_two = v->is_pinned && !v->shows_surprise;
    if (is_two && r->rows > 1)
        paint_text(p, 0, r->row + r->rows - 1, r->column, " here", p->t->quiet, 0);
    const int columns = MIN(r->columns, CELLS_MAX);
    for (const struct inspect_note *n = v->notes; n < v->notes + v->n_notes; n++) {
        const int64_t last = n->note.start + n->note.length - 1,
                      left = p->l.roll.column,
                      first = layout_column(&p->l, &p->port, n->note.start) - left,
                      end = layout_column(&p->l, &p->port, last) - left + 1;
        for (int64_t c = MAX(first, 0); c < MAX(end, first + 1) && c < columns; c++) {
            if (v->shows_surprise)
                mass[c] = MAX(mass[c], n->surprise);
            else if (n->weight > 0)
                mass[c] += n->weight;
            compared[c] += n->compared;
        }
    }
    for (int c = 0; c < columns; c++)
        largest = fmaxf(largest, fmaxf(mass[c], compared[c]));
    for (int c = 0; largest > 0 && c < columns; c++) {
        const float share = mass[c] / largest, other = compared[c] / largest;
        const float above = share > 0 ? share : -1, below = other > 0 ? other : -1;
        uint32_t colour = shade_colour(p->t, (double)share);
        if (colour == COLOUR_DEFAULT)
            colour = inspect_grey(p);
        if (!is_two && share > 0)
            lane_bar(p, r, r->column + c, 0,
                     (int)((double)share * r->rows * LANE_EIGHTHS + 0.999), colour,
                     false);
        /* The pinned note above, the other below. */
        if (is_two && r->rows < 2)
            inspect_cell(p, r->column + c, r->row, above, below);
        for (int i = 0; is_two && r->rows > 1 && i < r->rows; i++)
            if (i < r->rows / 2 || i >= (r->rows + 1) / 2) { /* odd rows have a gap */
                const float shade = i < r->rows / 2 ? above : below;
                inspect_cell(p, r->column + c, r->row + i, shade, shade);
            }
    }
}
