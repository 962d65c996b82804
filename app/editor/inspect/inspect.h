/* The workstation's inspector: the chosen note, how it is viewed, the request to the
 * inspector's thread (app/inspection/inspector.h), and its report, which is what the screen shows
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

/* A note of the piece, or a ghost of the shown take. */
struct inspect_spot {
    uint64_t id;
    int track;
    struct note note;
    bool is_ghost;
};

struct inspecting {
    int wake_fd;
    struct inspector *inspector; /* NULL: not needed yet, or there is no model yet */

    /* -- the request -- */
    struct inspect_spot at; /* at the cursor; id 0: no note */
    int64_t cursor_tick;    /* where the inspector put the cursor for that note, */
    int cursor_pitch;       /* to notice when something else moves it */
    uint64_t pinned; /* the chosen note, while another is at the cursor; 0: none */
    struct inspected_look look;
    int n_layers, n_heads;   /* of the model; 0: it is not there yet */
    int one_layer, one_head; /* the last single one */
    int part;                /* enum inspected_part; -1: all */
    enum shade_scale scale;
    enum inspect_page page;
    bool shows_surprise, asks_who_matters, is_live;
    bool explains; /* the box of explanations is open */
    enum inspect_without without;
    uint64_t without_of; /* the note that `without` refers to */

    /* -- the last request -- */
    uint64_t piece, version, ghosts; /* of the newest request */
    const void *history;             /* identifies the piece */
    uint64_t request;                /* its number; 0: none is of interest */
    bool is_stale;                   /* a new request is needed */
    int style;                       /* of the piece, or CONTINUATION_STYLE_GUESS, */
    bool style_is_settled;           /* which does not change any more */
    bool wants_rewrite; /* of the most surprising bar, as soon as it is known */

    /* -- the answer -- */
    struct inspector_report report;
    bool is_new;         /* it is not shaded yet */
    bool follows;        /* the newest note of the take that is being written */
    float most_surprise; /* nats */
    struct inspect_note *on_screen; /* [n_on_screen] in sight, with their surprise */
    size_t n_on_screen, cap_on_screen;
    struct inspect_view view; /* what was found, as it is viewed */
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

/* -- asking (inspect_ask.c) -- */

uint64_t inspect_chosen(const struct session *s); /* id; 0: none */
/* What is viewed has changed: a request follows at the next tick. */
void inspect_change(struct session *s);

/* The other note of the pair, by id; 0: none. */
uint64_t inspect_other(const struct session *s);

/* -- showing (inspect_show.c) -- */

/* Makes inspecting.view of the report as it is now. */
void inspect_refresh(struct session *s);
/* The box that explains it, if it is open (inspect_look.c). */
void inspect_explain(struct session *s, struct view *v);

/* -- acting on it (inspect.c, inspect_rewrite.c) -- */

/* Moves the cursor there; the view follows. */
void inspect_go(struct session *s, const struct inspect_spot *to);
bool inspect_escape(struct session *s); /* true: it has left INSPECT */
/* Rewrites the most surprising bar; call once it is known, if wants_rewrite. */
void inspect_rewrite_worst(struct session *s);

/* Gives the open inspector a place in the layout. Call after every command. */
void inspect_fit(struct session *s);

#endif
