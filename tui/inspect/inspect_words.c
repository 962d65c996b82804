/* Names of notes and heads, the summary in the status line, and the legend. */
#include "tui/base/text.h"
#include "tui/paint/inspect_paint.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

const char *inspect_note_name(const struct paint *p, const struct inspect_note *note,
                              char *buf, size_t n)
{
    enum { MOST_NAME = 16 };
    char pitch[PITCH_NAME_BYTES], number[16];
    const struct score *s = p->v->score;
    const char *track = note->track >= 0 && (size_t)note->track < s->n_tracks
                            ? s->tracks[note->track].name
                            : "";
    snprintf(number, sizeof number, "%d", note->track + 1);
    pitch_name_octave(note->note.pitch, p->sharps, pitch);
    /* "3.2", or "3.2+" between beats. */
    const struct position at = paint_position_of(s, note->note.start);
    snprintf(buf, n, "%s %.*s %" PRId64 ".%" PRId64 "%s", pitch, MOST_NAME,
             *track ? track : number, at.bar, at.beat, at.past ? "+" : "");
    return buf;
}

const char *inspect_effect_words(const struct inspect_effect *e, char *buf, size_t n)
{
    if (e->is_known)
        snprintf(buf, n, "without %.40s: p %.3f → %.3f", e->of, (double)e->with,
                 (double)e->without);
    else
        snprintf(buf, n, "without %.40s: ...", e->of);
    return buf;
}

const char *inspect_summary(const struct paint *p, char *buf, size_t n)
{
    const struct inspect_view *v = p->v->inspect;
    char title[64], from[INSPECT_LINE_BYTES], to[INSPECT_LINE_BYTES], nats[32] = "";
    inspect_head_title(v, title, sizeof title);
    if (v->busy || v->chosen < 0 || v->chosen >= (int)v->n_notes) {
        snprintf(buf, n, "%s", v->busy ? v->busy : "no note here to inspect");
        return buf;
    }
    inspect_note_name(p, &v->notes[v->chosen], from, sizeof from);
    /* If something is muted and the panel is hidden, its effect is shown. */
    if (v->n_effects && inspect_places_for(&p->l, v).panel.rows <= 0) {
        inspect_effect_words(&v->effects[0], to, sizeof to);
        snprintf(buf, n, "%s  %s", from, to);
        return buf;
    }
    if (v->surprise >= 0)
        snprintf(nats, sizeof nats, "  %.2f nat", (double)v->surprise);
    if (v->pair < 0 || v->pair >= (int)v->n_notes || !v->has_pair)
        snprintf(buf, n, "%s: %s%s", title, from, nats);
    else
        snprintf(buf, n, "%s: %s %s %s  %.3f%s", title, from,
                 v->is_looked_at ? "→" : "←",
                 inspect_note_name(p, &v->notes[v->pair], to, sizeof to),
                 (double)v->weight, nats);
    return buf;
}

/* -- the legend: a bar of its colours between the values of the faintest and the strongest,
 * "0.0002 ▄▄▄▄▄▄▄▄▄▄ 0.17"; in a picture three, with what they mean before them -- */

enum { BAR_CELLS = 10, LEAST_ROOM = 60, MOST_BARS = 3 };

int paint_inspect_legend(const struct paint *p, const struct region *r)
{
    const struct inspect_view *v = p->v->inspect;
    char line[INSPECT_LINE_BYTES] = "", figure[MOST_BARS + 1][24];
    const bool is_map = v->page != INSPECT_ROLL,
               is_log = v->scale == SHADE_LOG && !v->shows_surprise;
    const double most = (double)(is_map ? v->map_most : v->most),
                 least = is_map ? (double)v->map_least : 0;
    const bool has_figures = v->scale != SHADE_RANK && most > least;
    const int n_bars = p->l.is_picture && has_figures ? MOST_BARS : 1;
    if (v->busy || !(v->most > 0 || most > least) || r->columns < LEAST_ROOM)
        return 0;
    if (v->unit)
        snprintf(line, sizeof line, "%s, %s ", v->unit,
                 shade_scale_name(v->shows_surprise && v->scale == SHADE_LOG
                                      ? SHADE_LINEAR
                                      : v->scale));
    int columns = text_columns(line) + 2 + n_bars * (BAR_CELLS + 2);
    for (int i = 0; i <= n_bars; i++) {
        /* Log shades reach three powers of ten down (tui/cells/shade.h). */
        const double share = (double)i / n_bars;
        snprintf(figure[i], sizeof figure[i], "%s", i ? "most" : "least");
        if (has_figures)
            snprintf(figure[i], sizeof figure[i], "%.2g%s",
                     is_log ? most * pow(1000, share - 1)
                            : least + share * (most - least),
                     v->shows_surprise && i ? " nat" : "");
        columns += text_columns(figure[i]);
    }
    int at = r->column + r->columns - columns;
    cells_fill(p->c, (struct region){at, r->row, columns, 1}, ' ', p->t->text,
               p->t->panel);
    at += 1 + paint_text(p, at + 1, r->row, columns, line, p->t->quiet, 0);
    for (int i = 0; i <= n_bars; i++) {
        at += 1 + paint_text(p, at, r->row, columns, figure[i], p->t->quiet, 0);
        for (int k = 0; k < BAR_CELLS && i < n_bars; k++, at++) {
            const float shade =
                ((float)(i * BAR_CELLS + k) + 0.5f) / (float)(n_bars * BAR_CELLS);
            inspect_cell(p, at, r->row, shade, shade);
        }
        at++;
    }
    return columns;
}
