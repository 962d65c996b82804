/* The workstation's inspector: the chosen note, how it is viewed, the request
 * to the inspector's thread (app/inspection/inspector.h), and its report, which
 * is what the screen shows (tui/view/inspect.h). The ui thread owns it and
 * never waits: the last report stays on the screen until the next one comes.
 *
 * Nothing runs while it is closed. Plain data within struct session. */
#ifndef APP_INSPECT_H
#define APP_INSPECT_H

#include "app/inspection/inspector.h"
#include "tui/view/inspect.h"

struct session;

/* What is left out of the music, to see how the chosen note's probability
 * changes. */
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
    struct inspector *inspector; /* NULL: not needed yet, or there is no model yet */

    /* -- the request -- */
    struct inspect_spot at; /* the note at the cursor; id 0: none */
    int64_t cursor_tick;    /* where the inspector has put the cursor for that note, */
    int cursor_pitch;       /* to notice when another command moves it */
    uint64_t pinned; /* the chosen note, while another is at the cursor; 0: none */
    struct inspected_look look;
    int n_layers, n_heads;   /* of the model; 0: it is not loaded yet */
    int one_layer, one_head; /* the last ones that were viewed alone */
    int part;                /* enum inspected_part; -1: all */
    enum shade_scale scale;
    enum inspect_page page;
    bool shows_surprise, asks_who_matters, is_live;
    bool explains; /* the box of explanations is open */
    enum inspect_without without;
    uint64_t without_of; /* the note that `without` refers to */

    /* -- the last request -- */
    uint64_t piece, version, ghosts; /* of the newest request */
    const void *history;             /* it identifies the piece */
    uint64_t request;                /* the request's number; 0: no answer is awaited */
    bool is_stale;                   /* a new request is needed */
    int style;                       /* of the piece, or CONTINUATION_STYLE_GUESS, */
    bool style_is_settled;           /* the style does not change any more */
    bool wants_rewrite;              /* of the most surprising bar, once it is known */

    /* -- the answer -- */
    struct inspector_report report;
    bool is_new;  /* the report is not shaded yet */
    bool follows; /* it inspects the newest note of the take that is being written */
    float most_surprise;            /* nats */
    struct inspect_note *on_screen; /* [n_on_screen] in sight, with their surprise */
    size_t n_on_screen, cap_on_screen;
    struct inspect_view view; /* the report as it is viewed */
};

/* Finds a note of the piece, or a waiting one of the shown take. false: it is
 * gone. */
bool inspect_find(const struct session *s, uint64_t id, struct inspect_spot *out);
/* Finds the note at that place, else the nearest; false: there are no notes. */
bool inspect_nearest(struct session *s, int64_t tick, int pitch,
                     struct inspect_spot *out);
/* Moves the cursor there; the view follows. */
void inspect_go(struct session *s, const struct inspect_spot *to);
bool inspect_escape(struct session *s); /* true: it has left INSPECT */
/* Gives the open inspector its place in the layout. Call after every command. */
void inspect_fit(struct session *s);

/* inspect_ask.c */

uint64_t inspect_chosen(const struct session *s); /* the note's id; 0: none is chosen */
/* Call when anything that is viewed has changed: a request follows at the next
 * tick. */
void inspect_change(struct session *s);
/* The other note of the pair, by id; 0: there is none. */
uint64_t inspect_other(const struct session *s);

/* inspect_look.c: the box that explains the view, if it is open. */
void inspect_explain(struct session *s, struct view *v);

/* inspect_rewrite.c: rewrites the most surprising bar; call once it is known,
 * if wants_rewrite. */
void inspect_rewrite_worst(struct session *s);

#endif
