#include "app/picture/map_paint.h"

#include "midi/base/larger.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct colour MAP_GROUND = {18, 18, 22}, MAP_UNSEEN = {30, 30, 36},
                    MAP_INK = {226, 224, 218}, MAP_QUIET = {150, 148, 142},
                    MAP_FAINT = {64, 64, 72}, MAP_ACCENT = {255, 176, 64};

enum { TITLE_HEIGHT = 24, COLOURS = 14, TICKS = 5 };

/* Draws a line of text up to the next line end; what follows that, or NULL. */
static const char *take_line(const char *text, char *line, size_t n)
{
    const char *end = strchr(text, '\n');
    snprintf(line, n, "%.*s", (int)(end ? (size_t)(end - text) : strlen(text)), text);
    return end ? end + 1 : NULL;
}

int map_heading_height(const char *about)
{
    int n = *about != '\0';
    for (; *about; about++)
        n += *about == '\n';
    return TITLE_HEIGHT + n * MAP_LINE + 8;
}

int map_heading_width(const char *title, const char *about)
{
    char line[256];
    int width = canvas_text_width(title, MAP_TITLE);
    for (const char *at = about; at;) {
        at = take_line(at, line, sizeof line);
        width = (int)larger(width, canvas_text_width(line, MAP_FIGURES));
    }
    return width;
}

void map_heading(struct canvas *c, const char *title, const char *about)
{
    char line[256];
    int y = MAP_MARGIN + TITLE_HEIGHT;
    canvas_text(c, MAP_MARGIN, MAP_MARGIN, MAP_TITLE, MAP_INK, title);
    for (const char *at = about; at; y += MAP_LINE) {
        at = take_line(at, line, sizeof line);
        canvas_text(c, MAP_MARGIN, y, MAP_FIGURES, MAP_QUIET, line);
    }
}

void map_legend(struct canvas *c, int x, int y, int height, const struct heat *h,
                const char *unit)
{
    static const char *const kinds[] = {"linear", "log", "by rank"};
    char figure[24];
    for (int i = 0; i < height; i++)
        canvas_fill(c, (struct rect){x, y + height - 1 - i, COLOURS, 1},
                    heat_colour((double)i / (height > 1 ? height - 1 : 1)), 1);
    for (int i = 0; i <= TICKS; i++) {
        int at = y + (height - 1) * (TICKS - i) / TICKS;
        canvas_fill(c, (struct rect){x + COLOURS, at, 4, 1}, MAP_QUIET, 1);
        snprintf(figure, sizeof figure, "%.2g", heat_amount(h, (double)i / TICKS));
        canvas_text(c, x + COLOURS + 8, at - GLYPH_HEIGHT / 2, MAP_FIGURES, MAP_QUIET,
                    figure);
    }
    canvas_text(c, x, y + height + 8, MAP_FIGURES, MAP_QUIET, unit);
    canvas_text(c, x, y + height + 8 + MAP_LINE, MAP_FIGURES, MAP_QUIET,
                kinds[h->kind]);
}

void map_cell(struct canvas *c, struct rect r, const struct heat *h, float amount)
{
    bool is_seen = isfinite(amount);
    canvas_fill(c, r, is_seen ? heat_colour(heat_share(h, (double)amount)) : MAP_UNSEEN,
                1);
}

enum midi_status map_finish(struct canvas *c, struct heat *h, const char *path)
{
    bool ok = canvas_save(c, path);
    canvas_fini(c);
    heat_fini(h);
    return ok ? MIDI_OK : MIDI_CANNOT_WRITE;
}
