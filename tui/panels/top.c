/* The top line: file, track, key, meter, tempo, position, mode. */
#include "tui/paint/paint.h"
#include "tui/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

void paint_top(const struct paint *p)
{
    char title[160] = "no track";
    const struct track *track = paint_track(p);
    if (track) /* "1 Soprano ▸ Choir Aahs" */
        snprintf(title, sizeof title, "%d %s%s▸ %s%s", p->v->track + 1, track->name,
                 *track->name ? " " : "",
                 program_name(track_sound_channel(track), track->program),
                 track->mute   ? " (muted)"
                 : track->solo ? " (solo)"
                               : "");
    cells_fill(p->c, p->l.bar, ' ', p->t->text, p->t->bar);
    /* The mode; while music is recorded also " REC ", in the colour of errors. NORMAL
     * has a quiet ground. */
    char badge[32];
    const struct theme *t = p->t;
    bool records = p->v->record.is_on, quiet = p->v->mode == MODE_NORMAL;
    const char *mode = records && quiet ? "" : mode_name(p->v->mode);
    snprintf(badge, sizeof badge, "%s%s%s", records ? " REC " : " ", mode,
             *mode ? " " : "");
    uint32_t ground = records           ? t->error
                      : !quiet          ? t->accent
                      : theme_paints(t) ? theme_mix(t->bar, t->quiet, 0.35)
                                        : t->bar;
    int right =
        text_before(p, p->l.columns, badge, records || !quiet ? t->on_accent : t->text,
                    ground, theme_badge_attr(t));
    /* "▶ 003.2.120": bar, beat, ticks; of the playhead while it plays, else of the cursor. */
    char text[96];
    const bool plays = p->v->transport.is_playing;
    const int64_t tick = plays ? (int64_t)p->v->transport.tick : p->v->cursor.tick;
    struct position at = paint_position_of(p->v->score, tick);
    snprintf(text, sizeof text, "%s%03" PRId64 ".%" PRId64 ".%03" PRId64 "  ",
             plays ? "▶ " : "", at.bar, at.beat, at.past);
    right = text_before(p, right, text, plays ? t->playhead : t->text, COLOUR_KEEP,
                        ATTR_BOLD);
    /* "aus-tiefer-not.mid●", and " not kept" while the store cannot be written: a
     * message would vanish with the next key. Else "…" until all is written, in the gap
     * behind, so that nothing moves. */
    int room = right > 60 ? right * 2 / 5 : right / 3;
    const char *name = p->v->file.name ? p->v->file.name : "unnamed";
    int row = p->l.bar.row,
        used = paint_text(p, 1, row, room, name, p->t->text, ATTR_BOLD);
    if (p->v->file.is_modified)
        used += paint_text(p, 1 + used, row, 1, "●", p->t->error, 0);
    if (p->v->file.is_unkept)
        used += paint_text(p, 1 + used, row, 9, " not kept", p->t->error, ATTR_BOLD);
    else if (p->v->file.is_late)
        paint_text(p, 1 + used, row, 1, "…", p->t->quiet, 0);
    int left = (1 + used) + 3;
    /* "B minor  4/4  ♩=96", without the key, or nothing, as fits. The track matters more. */
    const struct timeline *time = &p->v->score->timeline;
    const int64_t from = tick > 0 ? tick : 0;
    const struct bar bar = timeline_bar_at(time, from);
    const char *key = p->has_key ? key_signature_name(p->key_sharps, p->minor) : "";
    const double bpm = p->v->transport.clock_bpm > 0 ? p->v->transport.clock_bpm
                                                     : timeline_bpm(time, from);
    snprintf(text, sizeof text, "%s%s%d/%d  ♩=%.4g   ", key, *key ? "  " : "",
             bar.numerator, bar.denominator, bpm);
    room = right - left - text_columns(title) - 3;
    const char *music =
        text_columns(text) <= room || !*key ? text : strstr(text, "  ") + 2;
    if (text_columns(music) <= room)
        right = text_before(p, right, music, t->quiet, COLOUR_KEEP, 0);
    const uint32_t colour = theme_track(t, paint_colour_index(p, p->v->track));
    const uint32_t ink = track ? theme_legible(t, colour, t->bar) : t->quiet;
    paint_text(p, left, p->l.bar.row, right - left - 2, title, ink, 0);
}
