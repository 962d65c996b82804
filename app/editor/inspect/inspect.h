/* The workstation's inspector: the chosen note, how it is viewed, the request to the
 * inspector's thread (app/inspection/inspector.h), and its report shaped for the screen
 * (tui/view/inspect.h). The ui thread owns it and never waits: the last report stays on
 * the screen until the next one comes.
 *
 * Nothing runs while it is closed. Plain data within struct session. */
#ifndef APP_INSPECT_H
#define APP_INSPECT_H

#include "app/inspection/inspector.h"
#include "tui/view/inspect.h"

struct session;

/* What is left out of the music, to see how the chosen note's probability changes. */
enum inspect_without {
    WITHOUT_NOTHING,
    WITHOUT_NOTE, /* the other note of the pair, */
    WITHOUT_BAR,  /* all of its bar, */
    WITHOUT_TRACK,
    WITHOUT_COUNT
};

enum { INSPECT_MOST_BARS = 512 };

/* A note of the piece, or a ghost of the shown take. */
struct inspect_spot {
    uint64_t id;
    int track;
    struct note note;
    bool is_ghost;
};

/* A report shaped for the screen. Arrays are owned and grow. */
struct inspect_shapes {
    struct inspect_note *notes;
    size_t n_notes, cap_notes;
    float *shades;       /* of notes, while they are worked out */
    float *matrix;       /* shades of the report's matrix, */
    float *thumbnails;   /* of its thumbnails, */
    float *surprise;     /* and of its surprise, in its order: */
    size_t n_surprise;   /* so many */
    float most_surprise; /* nats */
    struct inspect_mark bars[INSPECT_MOST_BARS];
    int n_bars;
};

struct inspecting {
    bool is_open;
    int wake_fd;
    struct inspector *inspector; /* NULL: not needed yet, or there is no model yet */

    /* -- the request -- */
    struct inspect_spot at; /* at the cursor; id 0: no note */
    int64_t cursor_tick;    /* where the inspector put the cursor for that note, */
    int cursor_pitch;       /* to notice when something else moves it */
    uint64_t pinned; /* the chosen note, while another is at the cursor; 0: none */
    struct inspected_look look;
    int one_layer, one_head; /* the last single one */
    int part;                /* enum inspected_part; -1: all */
    enum shade_scale scale;
    enum inspect_page page;
    bool shows_surprise, asks_who_matters, is_live;
    bool explains; /* the box of explanations is open */
    enum inspect_without without;
    uint64_t without_of;  /* the note that `without` refers to */
    uint64_t muted_heads; /* bit layer * n_heads + head */

    /* -- the last request -- */
    uint64_t piece, version, ghosts; /* of the newest request */
    const void *history;             /* identifies the piece */
    uint64_t request;                /* its number; 0: none is of interest */
    bool is_stale;                   /* a new request is needed */
    int style;                       /* of the piece, or CONTINUATION_STYLE_GUESS, */
    bool style_is_settled;           /* which does not change any more */
    uint64_t other;                  /* of its pair */
    bool wants_rewrite; /* of the most surprising bar, as soon as it is known */

    /* -- the answer -- */
    struct inspector_report report;
    bool is_new;  /* it is not shaped yet */
    bool follows; /* the newest note of the take that is being written */
    struct inspect_shapes shapes;
    struct inspect_view view;
};

/* -- notes to inspect (inspect_spot.c) -- */

bool inspect_find(const struct session *s, uint64_t id, struct inspect_spot *out);
/* The note under the cursor, else the nearest; false: there are no notes. */
bool inspect_nearest(struct session *s, int64_t tick, int pitch,
                     struct inspect_spot *out);
/* step: the next or previous note of its track. climb: the nearest note above or below, on
 * any track. false: there is none. */
bool inspect_step(struct session *s, const struct inspect_spot *from, bool forwards,
                  struct inspect_spot *out);
bool inspect_climb(struct session *s, const struct inspect_spot *from, bool up,
                   struct inspect_spot *out);

/* -- asking (inspect_ask.c) and when (inspect_follow.c) -- */

void inspect_ask(struct session *s); /* needs an inspector and a note */
/* What x leaves out, and the id of the note that it refers to; false: nothing. */
bool inspect_left_out(const struct session *s, struct inspected_mute *m, uint64_t *id);
/* A number that changes with the shown take and its notes. */
uint64_t inspect_ghosts(const struct session *s);

uint64_t inspect_chosen(const struct session *s); /* id; 0: none */
/* What is viewed has changed: a request follows at the next tick. */
void inspect_change(struct session *s);

/* -- showing (inspect_shape.c, inspect_figures.c) -- */

void inspect_shape(struct session *s);
/* Parts of inspect_shape: how the note is viewed, and why there is nothing to show yet; and
 * the figures of a report that has the chosen note. */
void inspect_shape_state(struct session *s);
void inspect_shape_figures(struct session *s);

/* The index of that note among the shaped ones; -1: it is none of them. */
int inspect_index_of(const struct inspect_shapes *of, uint64_t id);

/* A map of the tokens [from, to) by themselves, in rows and columns of cells. block: of
 * local attention, in tokens; 0: attention is not local. */
struct inspect_grid {
    int from, to, rows, columns, block;
};
/* Whether some query of that cell can attend to some key of it. No query attends to a
 * later key, nor, with local attention, to one before the block before its own. */
bool inspect_cell_is_seen(const struct inspect_grid *g, int row, int column);
void inspect_show(struct session *s, struct view *v);

/* -- acting on it (inspect.c, inspect_rewrite.c) -- */

/* Moves the cursor there; the view follows. */
void inspect_go(struct session *s, const struct inspect_spot *to);
bool inspect_escape(struct session *s); /* true: it has left INSPECT */
/* Rewrites the most surprising bar; call once it is known, if wants_rewrite. */
void inspect_rewrite_worst(struct session *s);

/* Gives the open inspector a place in the layout. Call after every command. */
void inspect_fit(struct session *s);

#endif
