/* What the inspector shows: the notes that the chosen note attended to, one layer and
 * head as a matrix, every head as a thumbnail, and figures. Plain data of one owner.
 * app/inspection finds it (app/inspection/inspector.h), app/editor/inspect adds how it is viewed,
 * tui/inspect paints it.
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

/* What a token encodes. The parts of a note first, in this order: */
enum inspected_part {
    INSPECTED_POSITION,
    INSPECTED_TRACK,
    INSPECTED_PITCH,
    INSPECTED_DURATION, /* on a grid: the note held */
    INSPECTED_VELOCITY,
    INSPECTED_NOTE_PARTS,
    /* and of no note: */
    INSPECTED_START = INSPECTED_NOTE_PARTS, /* BOS */
    INSPECTED_STYLE,
    INSPECTED_TRACKS, /* the tracks and their instruments */
    INSPECTED_BAR,
    INSPECTED_METER,
    INSPECTED_CHORD,
    INSPECTED_PLACE,      /* a position at which no note begins */
    INSPECTED_HOLE,       /* its begin and end */
    INSPECTED_ASKED,      /* the request */
    INSPECTED_CONSTRAINT, /* its density, length, ... */
    INSPECTED_REST,       /* on a grid */
    INSPECTED_END,
    INSPECTED_PARTS,
};
enum { INSPECTED_KINDS = INSPECTED_PARTS - INSPECTED_NOTE_PARTS };
const char *inspected_part_name(enum inspected_part part); /* "pitch", "bar line" */

enum {
    INSPECT_RANKED = 5,    /* strongest notes, numbered on the roll */
    INSPECT_GUESSES = 12,  /* alternatives of the model */
    INSPECT_EFFECTS = 4,   /* muted things whose effect is shown */
    INSPECT_MATTERS = 10,  /* notes left out one by one */
    INSPECT_THUMBNAIL = 8, /* cells of a thumbnail on a screen, each way */
    INSPECT_MARGIN = 4,    /* columns left of matrix and thumbnails: bars, layers */
    INSPECT_CAPTION = 2,   /* rows under a thumbnail of a picture: its name, a gap */
    INSPECT_NAME = 5,      /* columns, and rows, for names of notes along a picture */
    INSPECT_MARK_BYTES = 8,
    INSPECT_EFFECT_BYTES = 56
};

/* A note that the model has read, of the score or of a take. */
struct inspect_note {
    uint64_t id;      /* of the score's note or the take's; 0: it has none */
    int track;        /* of the score */
    struct note note; /* as read, on the model's grid; on the roll, as it is now */
    int first_token, n_tokens; /* consecutive, but not on a grid */
    bool is_take;              /* of the take that is inspected */
    bool is_source;            /* read by the encoder: its tokens are in the source */
    float surprise;            /* nats, summed over its tokens; negative: not known */
    float surprise_of[INSPECTED_NOTE_PARTS];

    float weight;   /* between it and the chosen note; negative: they cannot attend */
    float shade;    /* of its weight or surprise; negative: not shaded */
    float compared; /* weight for the note at the cursor, while another is pinned */
    uint8_t rank;   /* 1 (the strongest) to INSPECT_RANKED; 0: not among them */
    bool is_chosen; /* painted in white, with its name */
    bool is_muted;
};

/* One layer and head, or several of that size, queries by keys, pooled. */
struct inspect_map {
    float *shades;         /* [n_rows][n_columns]; NULL: not there yet */
    int n_rows, n_columns; /* queries go down, keys to the right */
    float *weights;        /* of the shades; negative: no query there sees such a key */
};

/* The first token of a bar, or of a note. Bars count from 0; a note has bar -1. */
struct inspect_mark {
    int token, bar;
    char note[INSPECT_MARK_BYTES]; /* "F#4" */
};

/* The tokens along a side of the matrix. Only pictures have marks of notes. */
struct inspect_axis {
    int n_tokens;
    const struct inspect_mark *marks; /* [n_marks] ascending by token */
    int n_marks;
};

/* One of the model's alternatives to a token of the chosen note. */
struct inspect_guess {
    char name[PITCH_NAME_BYTES]; /* "E4" */
    float probability;
    bool is_written; /* the model has written this one */
    bool is_allowed; /* it can be given in this one's place */
    int32_t token;
};

/* The probability of the chosen note with everything, and without something muted. */
struct inspect_effect {
    char of[INSPECT_EFFECT_BYTES]; /* "bar 3" */
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
    /* -- how it is viewed -- */
    enum inspect_page page;
    enum shade_scale scale;
    float most; /* weight, or surprise in nats, of the strongest shade; 0: none */
    /* Of a picture: what shades mean ("weight"; else NULL), and the amounts of the weakest and
     * the strongest shade of its matrix or thumbnails (equal: not known). */
    const char *unit;
    float map_least, map_most;
    bool is_looked_at;   /* show who attended to the chosen note */
    bool shows_surprise; /* shade the roll by surprise */
    bool is_live;        /* follow the newest note */
    bool is_pinned;
    bool asks_who_matters; /* list the most attended notes, each left out in turn */
    const char *busy;  /* "reading the music", while nothing can be shown; else NULL */
    const char *part;  /* tokens of the chosen note that count: "pitch"; NULL: all */
    int first_layer;   /* of the thumbnails */
    int layer, head;   /* -1: all of them */
    bool is_strongest; /* of several heads: the strongest, not the mean */
    const char *head_name;         /* from the model's card, or NULL */
    const char *const *head_names; /* [n_layers * n_heads] of thumbnails; NULL: none */
    uint64_t muted_heads;          /* bit layer * n_heads + head */

    /* -- the model -- */
    int n_layers, n_heads;
    bool is_fixed;            /* Fourier mixing: the weights never change */
    int block;                /* tokens of a local attention block; 0: attends to all */
    bool has_index, has_time; /* scores have these terms */

    /* -- what was found -- */
    struct inspect_note *notes; /* in the order of tokens */
    size_t n_notes;
    int chosen; /* index; -1: none */
    int pair;   /* the other note of the figures: at the cursor, or the strongest */
    struct inspect_axis queries, keys;
    struct inspect_map matrix;
    /* One head, also when the roll shows a mean; layer -1: the roll's. */
    int matrix_layer, matrix_head;
    struct inspect_map thumbnails; /* [n_layers][n_heads] maps of that size */

    bool has_pair;                               /* the figures below are known */
    float weight, content, index, time, entropy; /* scores; entropy in bits */
    float surprise; /* of the chosen note, nats; negative: not known */
    float surprise_of[INSPECTED_NOTE_PARTS]; /* and of its tokens */
    float others[INSPECTED_KINDS]; /* attention on tokens of no note, by kind, */
    float itself;                  /* and on the chosen note */
    struct inspect_guess guesses[INSPECT_GUESSES];
    int n_guesses;
    struct inspect_effect effects[INSPECT_EFFECTS];
    int n_effects;
    struct inspect_matter matters[INSPECT_MATTERS];
    int n_matters;
};

static inline bool inspect_is_muted(const struct inspect_view *v, int layer, int head)
{
    int bit = layer * v->n_heads + head;
    return bit < 64 && v->muted_heads >> bit & 1;
}

/* Numbers the notes of the largest weight, or surprise, above zero. */
void inspect_rank(struct inspect_note *notes, size_t n, bool by_surprise);

/* "layer 3  head 5" and the like. n: bytes of buf, which is returned. */
const char *inspect_head_title(const struct inspect_view *v, char *buf, size_t n);

/* -- layout -- */

/* Regions with rows == 0 are not shown. */
struct inspect_places {
    struct region title, grid, caption, matrix, axis, panel;
    int thumbnail_columns, thumbnail_rows; /* without the gaps */
    int thumbnail_step;                    /* rows from one to the next below */
};

/* The layout must come from layout_of a view with an inspector, or from
 * layout_picture. */
struct inspect_places inspect_places_for(const struct layout *l,
                                         const struct inspect_view *v);
/* The shade at row i and column j of rows x columns cells: the largest of those of the
 * map that lie there; -1: no query there sees such a key. */
float inspect_shade_at(const struct inspect_map *m, int i, int rows, int j,
                       int columns);
static inline struct inspect_map inspect_thumbnail(const struct inspect_view *v,
                                                   int layer, int head)
{
    struct inspect_map m = v->thumbnails;
    m.shades += (size_t)(layer * v->n_heads + head) * (size_t)(m.n_rows * m.n_columns);
    return m;
}
struct region inspect_thumbnail_place(const struct inspect_places *at, int layer,
                                      int head);
/* The thumbnail, or the query and key token, at a cell of the screen. false: there is
 * none. */
bool inspect_thumbnail_at(const struct layout *l, const struct inspect_view *v,
                          int column, int row, int *layer, int *head);
bool inspect_cell_at(const struct layout *l, const struct inspect_view *v, int column,
                     int row, int *query, int *key);

#endif
