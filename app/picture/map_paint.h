/* What pictures of attention have in common: their ground, titles, bars of colours. An
 * inner part of app/map_*.c. */
#ifndef APP_MAP_PAINT_H
#define APP_MAP_PAINT_H

#include "app/picture/map_picture.h"

enum {
    MAP_MARGIN = 16,
    MAP_TITLE = 2, /* scales of text */
    MAP_FIGURES = 1,
    MAP_LINE = 14,  /* from one line of small text to the next */
    MAP_LEGEND = 96 /* width of the colours and their figures */
};

extern const struct colour MAP_GROUND, MAP_UNSEEN, MAP_INK, MAP_QUIET, MAP_FAINT,
    MAP_ACCENT;

/* Height of the title and the lines about it; drawn at the top left. */
int map_heading_height(const char *about);
int map_heading_width(const char *title, const char *about);
void map_heading(struct canvas *c, const char *title, const char *about);
/* The colours from low below to high above, with amounts beside them, in MAP_LEGEND x
 * height from x, y. */
void map_legend(struct canvas *c, int x, int y, int height, const struct heat *h,
                const char *unit);
/* One cell, of a weight or NAN. */
void map_cell(struct canvas *c, struct rect r, const struct heat *h, float amount);
/* Saves and lets go of both. */
enum midi_status map_finish(struct canvas *c, struct heat *h, const char *path);

#endif
