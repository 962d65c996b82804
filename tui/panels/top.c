/* The top bar: what is open, which track, where we are. */
#include "tui/paint/paint.h"
#include "tui/base/text.h"
#include "tui/keys/bindings.h"

#include <inttypes.h>
#include <stdio.h>

/* Writes right-aligned text that ends before `right`; returns its left edge. */
static int text_before(const struct paint *p, int right, const char *text, uint32_t fg,
                       uint32_t bg, int attr)
{
    int columns = text_columns(text), left = right - columns;
    if (left < 0)
        return right;
    cells_text(p->c, left, p->l.bar.row, columns, text, fg, bg, attr);
    return left;
}

/* Over the mode's place, in the colour of what is not to be overlooked. */
static int paint_recording(const struct paint *p, int right)
{
    char badge[32];
    const char *mode = p->v->mode == MODE_NORMAL ? "" : mode_name(p->v->mode);
    snprintf(badge, sizeof badge, " REC %s%s", mode, *mode ? " " : "");
    return text_before(p, right, badge, p->t->on_accent, p->t->error,
                       ATTR_BOLD | ATTR_REVERSE * (p->t->depth == DEPTH_MONO));
}

static int paint_mode(const struct paint *p, int right)
{
    char badge[24];
    bool quiet = p->v->mode == MODE_NORMAL;
    snprintf(badge, sizeof badge, " %s ", mode_name(p->v->mode));
    if (p->v->record.is_on)
        return paint_recording(p, right);
    int attr = ATTR_BOLD | (p->t->depth == DEPTH_MONO ? ATTR_REVERSE : 0);
    if (!quiet)
        return text_before(p, right, badge, p->t->on_accent, p->t->accent, attr);
    return text_before(
        p, right, badge, p->t->text,
        theme_paints(p->t) ? theme_mix(p->t->bar, p->t->quiet, 0.35) : p->t->bar, attr);
}

/* "003.2.120": bar, beat, ticks past it. */
static int paint_position(const struct paint *p, int right)
{
    char text[80];
    const struct timeline *t = &p->v->score->timeline;
    bool playing = p->v->transport.is_playing;
    int64_t tick = playing ? (int64_t)p->v->transport.tick : p->v->cursor.tick;
    tick = tick < 0 ? 0 : tick;
    struct bar bar = timeline_bar_at(t, tick);
    int64_t beat = timeline_beat_ticks(t, tick), into = tick - bar.start;
    beat = beat > 0 ? beat : 1;
    snprintf(text, sizeof text, "%s%03" PRId64 ".%" PRId64 ".%03" PRId64 "  ",
             playing ? "▶ " : "", bar.index + 1, into / beat + 1, into % beat);
    return text_before(p, right, text, playing ? p->t->playhead : p->t->text,
                       COLOUR_KEEP, ATTR_BOLD);
}

/* "B minor  4/4  ♩=96", or without the key, or nothing, as there is room. */
static int paint_music(const struct paint *p, int right, int room)
{
    char text[96];
    const struct timeline *t = &p->v->score->timeline;
    int64_t tick =
        p->v->transport.is_playing ? (int64_t)p->v->transport.tick : p->v->cursor.tick;
    tick = tick < 0 ? 0 : tick;
    struct bar bar = timeline_bar_at(t, tick);
    const char *key = p->has_key ? key_signature_name(p->key_sharps, p->minor) : "";
    int without = snprintf(text, sizeof text, "%s%s", key, *key ? "  " : "");
    snprintf(text + without, sizeof text - (size_t)without, "%d/%d  ♩=%.4g   ",
             bar.numerator, bar.denominator,
             p->v->transport.clock_bpm > 0 ? p->v->transport.clock_bpm
                                           : timeline_bpm(t, tick));
    const char *shown = text_columns(text) <= room ? text : text + without;
    if (text_columns(shown) > room)
        return right;
    return text_before(p, right, shown, p->t->quiet, COLOUR_KEEP, 0);
}

/* "aus-tiefer-not.mid●", and while it is so " not kept", since a message goes with the next
 * key. */
static int paint_file(const struct paint *p, int room)
{
    const char *name = p->v->file.name ? p->v->file.name : "unnamed";
    int row = p->l.bar.row,
        used = cells_text(p->c, 1, row, room, name, p->t->text, COLOUR_KEEP, ATTR_BOLD);
    if (p->v->file.is_modified)
        used += cells_text(p->c, 1 + used, row, 1, "●", p->t->error, COLOUR_KEEP, 0);
    if (p->v->file.is_unkept)
        used += cells_text(p->c, 1 + used, row, 9, " not kept", p->t->error,
                           COLOUR_KEEP, ATTR_BOLD);
    return 1 + used;
}

/* "1 Soprano ▸ Choir Aahs" */
static void track_title(const struct paint *p, char *buf, size_t n)
{
    const struct track *t = paint_track(p);
    if (!t) {
        snprintf(buf, n, "no track");
        return;
    }
    snprintf(buf, n, "%d %s%s▸ %s%s", p->v->track + 1, t->name, *t->name ? " " : "",
             program_name(t->channel, t->program),
             t->mute   ? " (muted)"
             : t->solo ? " (solo)"
                       : "");
}

void paint_top(const struct paint *p)
{
    char title[160];
    cells_fill(p->c, p->l.bar, ' ', p->t->text, p->t->bar);
    int right = paint_position(p, paint_mode(p, p->l.columns));
    int left = paint_file(p, right > 60 ? right * 2 / 5 : right / 3) + 3;
    /* The track comes before key, meter and tempo when there is little room. */
    track_title(p, title, sizeof title);
    right = paint_music(p, right, right - left - text_columns(title) - 3);
    uint32_t ink =
        paint_track(p)
            ? theme_legible(p->t, theme_track(p->t, paint_hue(p, p->v->track)),
                            p->t->bar)
            : p->t->quiet;
    cells_text(p->c, left, p->l.bar.row, right - left - 2, title, ink, COLOUR_KEEP, 0);
}
