/* What the inspector shows: the notes that the chosen note attended to, one layer and
 * head as a matrix, every head as a thumbnail, and figures. Plain data:
 * app/editor/inspect fills it, tui/inspect draws it.
 *
 * A weight is the share of a token's attention, 0..1. A shade is a weight scaled for
 * the eye (tui/cells/shade.h). */
#ifndef TUI_INSPECT_H
#define TUI_INSPECT_H

#include "tui/cells/shade.h"
#include "tui/view/layout.h"
#include "tui/base/names.h"

/* The page shown in the roll's place. */
enum inspect_page {
    INSPECT_ROLL,
    INSPECT_MATRIX,
    INSPECT_GRID,
    INSPECT_PANEL,
    INSPECT_PAGES
};

enum {
    INSPECT_RANKED = 5,    /* strongest notes, numbered on the roll */
    INSPECT_GUESSES = 8,   /* alternatives of the model */
    INSPECT_OTHERS = 8,    /* kinds of tokens that are not notes */
    INSPECT_PARTS = 5,     /* tokens of a note */
    INSPECT_EFFECTS = 4,   /* muted things whose effect is shown */
    INSPECT_MATTERS = 10,  /* notes left out one by one */
    INSPECT_THUMBNAIL = 8, /* cells of a thumbnail, each way */
    INSPECT_MARGIN = 4     /* columns left of matrix and thumbnails: bars, layers */
};

/* A note of the piece or of a take that the model has read. */
struct inspect_note {
    uint64_t id;
    int track;
    struct note note; /* its place on the roll */
    float weight;     /* between it and the chosen note; negative: they cannot attend */
    float shade;      /* of its weight or surprise; negative: not shaded */
    float compared;   /* weight for the note at the cursor, while another is pinned */
    float surprise;   /* nats; negative: not known */
    uint8_t rank;     /* 1 (the strongest) to INSPECT_RANKED; 0: not among them */
    bool is_muted;
};

/* Shades of one layer and head, queries by keys, pooled. */
struct inspect_map {
    const float *shades;   /* [n_rows][n_columns]; NULL: not there yet */
    int n_rows, n_columns; /* queries go down, keys to the right */
};

/* The first token of a bar. Bars count from 0. */
struct inspect_bar {
    int token, bar;
};

/* Attention on tokens that are not notes: "bars" 0.12. */
struct inspect_share {
    const char *name;
    float share;
};

struct inspect_guess {
    char name[PITCH_NAME_BYTES]; /* "E4" */
    float probability;
    bool is_written; /* the model has written this one */
};

/* One of the chosen note's tokens. */
struct inspect_part {
    const char *name; /* "pitch" */
    float surprise;   /* nats; negative: the note has no such token */
};

/* The probability of the chosen note with everything, and without the muted notes. */
struct inspect_effect {
    char of[48]; /* "bar 3" */
    float with, without;
    bool is_known; /* false: still being computed */
};

/* An attended note: its weight, and the chosen note's probability with and without
 * it. */
struct inspect_matter {
    int note; /* index */
    float weight, with, without;
};

struct inspect_view {
    enum inspect_page page;
    enum shade_scale scale;
    float most; /* weight, or surprise in nats, of the strongest shade; 0: none */
    bool is_looked_at;   /* show who attended to the chosen note */
    bool shows_surprise; /* shade the roll by surprise */
    bool is_live;        /* follow the newest note */
    bool is_fixed;       /* Fourier mixing: the weights never change */
    int block;           /* tokens of a local attention block; 0: attends to all */
    const char *busy; /* "reading the music", while nothing can be shown; else NULL */
    const char *part; /* tokens of the chosen note that count: "pitch"; NULL: all */

    int n_layers, n_heads;
    int layer, head;       /* -1: all of them */
    bool is_strongest;     /* of several heads: the strongest, not the mean */
    const char *head_name; /* from the model's card, or NULL */
    uint64_t muted_heads;  /* bit layer * n_heads + head */

    const struct inspect_note *notes; /* in the order of tokens */
    size_t n_notes;
    int chosen; /* index; -1: none */
    int pair;   /* the other note of the figures: at the cursor, or the strongest */
    bool is_pinned;

    struct inspect_map matrix;
    int matrix_layer, matrix_head; /* one head, also when the roll shows a mean */
    const float *thumbnails;       /* shades [n_layers][n_heads][8][8]; or NULL */
    int n_tokens;                  /* tokens along the matrix and thumbnails */
    int chosen_from, pair_from; /* the first token of the chosen note, of the other */
    const struct inspect_bar *bars; /* ascending by token */
    int n_bars;

    bool has_pair;                               /* the figures below are known */
    float weight, content, index, time, entropy; /* scores; entropy in bits */
    bool has_index, has_time;                    /* the model has these terms */
    float surprise; /* of the chosen note, nats; negative: not known */
    struct inspect_part parts[INSPECT_PARTS];
    int n_parts;
    struct inspect_guess guesses[INSPECT_GUESSES];
    int n_guesses;
    struct inspect_effect effects[INSPECT_EFFECTS];
    int n_effects;
    bool asks_who_matters; /* list the most attended notes, each left out in turn */
    struct inspect_matter matters[INSPECT_MATTERS];
    int n_matters;
    struct inspect_share others[INSPECT_OTHERS];
    int n_others;
};

static inline bool inspect_is_muted(const struct inspect_view *v, int layer, int head)
{
    int bit = layer * v->n_heads + head;
    return bit < 64 && v->muted_heads >> bit & 1;
}

/* "layer 3  head 5" and the like. n: bytes of buf, which is returned. */
const char *inspect_head_title(const struct inspect_view *v, char *buf, size_t n);

/* -- layout -- */

/* Regions with rows == 0 are not shown. */
struct inspect_places {
    struct region title, grid, caption, matrix, axis, panel;
    int thumbnail_columns, thumbnail_rows; /* on the screen, without the gaps */
};

/* The layout must come from layout_inspect. */
struct inspect_places inspect_places_for(const struct layout *l,
                                         const struct inspect_view *v);
/* The thumbnail, or the query and key token, at a cell of the screen. false: there is
 * none. */
bool inspect_thumbnail_at(const struct layout *l, const struct inspect_view *v,
                          int column, int row, int *layer, int *head);
bool inspect_cell_at(const struct layout *l, const struct inspect_view *v, int column,
                     int row, int *query, int *key);

#endif
