/* Pictures of attention: a matrix of tokens with axes in bars and note names, a grid of
 * small ones for all heads, and a piano roll whose notes are tinted by their weight. On a
 * dark ground, where little weight is nearly nothing to see. Plain data in, a PNG out;
 * text is ASCII, and has been made safe. */
#ifndef APP_MAP_PICTURE_H
#define APP_MAP_PICTURE_H

#include "midi/score/score.h"
#include "app/picture/canvas.h"

/* Colours for amounts in pictures: viridis, as on the screen (tui/cells/shade.h), from dark
 * violet over green to yellow; and how an amount becomes a place on it, and back, for the
 * figures beside a bar of colours. Pure. */

struct colour heat_colour(double share); /* 0 to 1; beyond, the nearer end */

enum heat_kind { HEAT_LINEAR, HEAT_LOG, HEAT_RANK };

/* Log reaches three powers of ten down from the highest; rank is the share of amounts
 * that are lower. */
struct heat {
    enum heat_kind kind;
    double low, high; /* of the amounts that are shown; low 0 with HEAT_LOG */
    float *sorted;    /* [n] HEAT_RANK: some of the amounts */
    size_t n;
};

/* Of the finite amounts; others have no colour. weights: low is always 0. false: out of
 * memory. */
bool heat_init(struct heat *h, enum heat_kind kind, const float *amounts, size_t n,
               bool weights);
void heat_fini(struct heat *h);
double heat_share(const struct heat *h, double amount); /* 0 to 1 */
/* The amount at a place, the inverse: for the figures beside a bar of colours. */
double heat_amount(const struct heat *h, double share);

/* Places along an axis: where a bar begins, with its number, or a note, with its name. */
struct axis_mark {
    int at; /* a cell */
    char text[12];
    bool is_bar;
};

struct map_axis {
    const struct axis_mark *marks; /* ascending */
    int n;
};

/* Cells of something else than their ground, such as those a local block sees. */
struct map_outline {
    int row, column, n_rows, n_columns;
};

struct matrix_picture {
    const char *title, *about; /* a line each; about may have several */
    const char *unit;          /* beside the colours: "weight" */
    const float *cells;        /* [n_rows, n_columns]; NAN: not seen */
    int n_rows, n_columns;
    struct map_axis rows, columns;
    const struct map_outline *outlines;
    int n_outlines;
    enum heat_kind shade;
    bool is_weight; /* of 0 and more; else of any sign */
};
enum midi_status matrix_picture_save(const struct matrix_picture *p, const char *path);

struct grid_picture {
    const char *title, *about;
    const float *cells; /* [n_layers, n_heads, n_rows, n_columns] */
    int first_layer, n_layers, n_heads, n_rows, n_columns;
    const char *(*name)(const void *context, int layer, int head); /* "" for none */
    const void *context;
    enum heat_kind shade;
};
enum midi_status grid_picture_save(const struct grid_picture *p, const char *path);

struct wash_note {
    int64_t start, length; /* ticks */
    int pitch, track;
    float weight;
    bool is_chosen, is_read; /* an unread note has no weight */
};

struct wash_picture {
    const char *title, *about;
    const struct timeline *timeline;
    int64_t from, to; /* ticks */
    const struct wash_note *notes;
    int n_notes;
    enum heat_kind shade;
};
enum midi_status wash_picture_save(const struct wash_picture *p, const char *path);

#endif
