/* What the inspector shows: which notes the chosen one looked at, one layer and head as a
 * matrix, every one as a thumbnail, and the figures. Plain data: app/ fills it from what
 * its inspector has found (app/editor/inspect/inspect_view.c), the painters (tui/inspect_*.c) read it.
 *
 * Weights are shares of one: what a token's attention gives to each that it sees. Shades
 * are the same for the eye (tui/cells/shade.h). Notes are named by the score's bars. */
#ifndef TUI_INSPECT_H
#define TUI_INSPECT_H

#include "tui/cells/shade.h"
#include "tui/view/layout.h"
#include "tui/base/names.h"

/* What stands in the roll's place. */
enum inspect_page {
    INSPECT_ROLL,
    INSPECT_MATRIX,
    INSPECT_GRID,
    INSPECT_PANEL,
    INSPECT_PAGES
};

enum {
    INSPECT_RANKED = 5,    /* strongest notes, numbered on the roll */
    INSPECT_GUESSES = 8,   /* what else the model would have written */
    INSPECT_OTHERS = 8,    /* kinds of tokens that are no notes */
    INSPECT_PARTS = 5,     /* tokens of a note */
    INSPECT_EFFECTS = 4,   /* things that are left out */
    INSPECT_MATTERS = 10,  /* notes that were left out one by one */
    INSPECT_THUMBNAIL = 8, /* cells of one, each way */
    INSPECT_MARGIN = 4     /* columns left of matrix and thumbnails: bars, layers */
};

/* A note that was read, of the piece or of a take. */
struct inspect_note {
    uint64_t id;
    int track;
    struct note note; /* where it lies on the roll */
    float weight;     /* between it and the chosen one; negative: none can be */
    float shade;      /* of that, or of the surprise; negative: not shaded */
    float compared;   /* what the note at the cursor gives it, where one is pinned */
    float surprise;   /* nats; negative: not known */
    uint8_t rank;     /* 1: the strongest, to INSPECT_RANKED; 0: none of them */
    bool is_muted;
};

/* Shades of a layer and head, queries by keys, pooled. */
struct inspect_map {
    const float *shades;   /* [n_rows][n_columns]; NULL: not there yet */
    int n_rows, n_columns; /* queries from the first row down, keys to the right */
};

/* A token that begins a bar, and which: its index, from 0. */
struct inspect_bar {
    int token, bar;
};

/* What holds attention and is no note: "bars" 0.12. */
struct inspect_share {
    const char *name;
    float share;
};

struct inspect_guess {
    const char *name; /* "E4" */
    float probability;
    bool is_written; /* it is what stands there */
};

/* One of the chosen note's tokens. */
struct inspect_part {
    const char *name; /* "pitch" */
    float surprise;   /* nats; negative: the note has no such token */
};

/* The probability of the chosen note, with all and without what is muted. */
struct inspect_effect {
    const char *of; /* "bar 3" */
    float with, without;
    bool is_known; /* else it is being worked out */
};

/* A note that was looked at, and the same without it. */
struct inspect_matter {
    int note; /* index */
    float weight, with, without;
};

struct inspect_view {
    enum inspect_page page;
    enum shade_scale scale;
    bool is_looked_at;   /* attended by the later ones, not to the earlier */
    bool shows_surprise; /* the roll is shaded by that */
    bool is_live;        /* the newest note is being followed */
    bool is_fixed;       /* Fourier mixing: the weights are always the same */
    int block;           /* local attention: its own block and the one before; 0: all */
    const char *busy;    /* "reading the music", while there is nothing to show; NULL */
    const char *part;    /* tokens of the chosen note that count: "pitch"; NULL: all */

    int n_layers, n_heads;
    int layer, head;       /* -1: all of them */
    bool is_strongest;     /* of those: the strongest, not the mean */
    const char *head_name; /* the model's card has one, or NULL */
    uint64_t muted_heads;  /* bit layer * n_heads + head */

    const struct inspect_note *notes; /* in the order of the sequence */
    size_t n_notes;
    int chosen; /* index; -1: none */
    int pair;   /* the other of the pair in figures: at the cursor, or the strongest */
    bool is_pinned;

    struct inspect_map matrix;
    int matrix_layer, matrix_head; /* it is of one head, whatever the others are of */
    const float
        *thumbnails; /* shades [n_layers][n_heads][THUMBNAIL][THUMBNAIL]; NULL */
    int n_tokens;    /* that the matrix and the thumbnails are of */
    int chosen_from, chosen_to;     /* the chosen note's, [from, to) */
    int pair_from, pair_to;         /* the other's */
    const struct inspect_bar *bars; /* by their tokens, ascending */
    int n_bars;

    bool has_pair;                               /* these figures are known */
    float weight, content, index, time, entropy; /* scores; entropy in bits */
    bool has_index, has_time;                    /* the model has such terms */
    float surprise; /* of the chosen, nats; negative: not known */
    struct inspect_part parts[INSPECT_PARTS];
    int n_parts;
    struct inspect_guess guesses[INSPECT_GUESSES];
    int n_guesses;
    struct inspect_effect effects[INSPECT_EFFECTS];
    int n_effects;
    bool asks_who_matters; /* those that were looked at most, left out in turn: */
    struct inspect_matter matters[INSPECT_MATTERS];
    int n_matters;
    struct inspect_share others[INSPECT_OTHERS];
    int n_others;
};

/* -- where it lies -- */

/* Regions with rows == 0 are not shown. */
struct inspect_places {
    struct region title, grid, caption, matrix, axis, panel;
    int thumbnail_columns, thumbnail_rows; /* on the screen, without the gaps */
};

/* Of a layout that layout_inspect was given to. */
struct inspect_places inspect_places_for(const struct layout *l,
                                         const struct inspect_view *v);
/* The thumbnail, or the query and key (tokens, the first of the pooled), at a cell of the
 * screen; false: there is none. */
bool inspect_thumbnail_at(const struct layout *l, const struct inspect_view *v,
                          int column, int row, int *layer, int *head);
bool inspect_cell_at(const struct layout *l, const struct inspect_view *v, int column,
                     int row, int *query, int *key);

#endif
