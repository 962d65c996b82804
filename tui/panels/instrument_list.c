/* The list of instruments that match the typed text, above the prompt. */
#include "midi/score/general_midi.h"
#include "tui/paint/list.h"
#include "tui/paint/paint.h"

#include <stdio.h>

static void paint_instrument(const struct paint *p, const struct list_box *b, int i)
{
    char text[64];
    const struct view *v = p->v;
    int program = v->instruments.programs[i];
    const char *name =
        v->instruments.are_kits ? gm_kit_name(program) : gm_program_name(program);
    struct list_row r = list_paint_item(p, b, i, i == v->instruments.chosen);
    snprintf(text, sizeof text, "%3d  %s", program + 1, name);
    list_write(p, &r, r.column, r.end - r.column, text, r.ink, 0);
}

void paint_instruments(const struct paint *p)
{
    static const struct list_shape SHAPE = {
        .place = LIST_AT_FOOT, .columns = 36, .most_items = 14};
    const struct view *v = p->v;
    if (!v->instruments.programs)
        return;
    struct list_box b =
        list_box_for(&p->l, &SHAPE, v->instruments.n, v->instruments.chosen);
    if (b.frame.rows)
        list_paint(p, &b, v->instruments.are_kits ? "drum kits" : "instruments",
                   "none is called so", paint_instrument);
}
