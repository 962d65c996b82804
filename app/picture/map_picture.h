/* Pictures of attention: matrices of tokens, one with axes in bars and note names or many
 * small ones for heads, and a piano roll whose notes are tinted by their weight. The ground is
 * dark, so that little weight is nearly invisible. Plain data in, a PNG out; text is ASCII,
 * and has been made safe. */
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
    struct axis_mark *marks; /* ascending */
    int n;
};

/* Cells of something else than their ground, such as those a local block sees. */
struct map_outline {
    int row, column, n_rows, n_columns;
};

/* Maps of cells, one below and beside the other. Rows are queries from the top, columns keys
 * from the left. */
struct map_picture {
    const char *title, *about; /* a line each; about may have several */
    const char *unit;          /* beside the colours: "weight" */
    const float *cells; /* [n_down, n_across, n_rows, n_columns]; NAN: not seen */
    int n_down, n_across, n_rows, n_columns;
    enum heat_kind shade;
    bool is_weight; /* of 0 and more; else of any sign */

    /* of a single map */
    struct map_axis rows, columns;
    struct map_outline *outlines;
    int n_outlines;

    /* of several: those of a layer are side by side; each has the name of its head */
    int first_layer;
    const char *(*name)(const void *context, int layer, int head); /* "" for none */
    const void *context;
};
enum midi_status map_picture_save(const struct map_picture *p, const char *path);

struct wash_note {
    int64_t start, length; /* ticks */
    int pitch;
    float weight;
    bool is_chosen, is_read; /* an unread note has no weight */
};

/* The chosen notes are white, the strongest five are numbered, and a strip below has the mass
 * of each sixteenth. */
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
