/* The inspector of the workstation: which note is asked about, how it is looked at, what
 * was asked of the inspector's thread (app/inspection/inspector.h) and what it found, shaped for the
 * screen (tui/view/inspect.h). The ui thread owns it and never waits: what is not found yet is
 * not shown yet, and what was found before stands until then.
 *
 * Nothing runs while it is closed. Plain data within struct session. */
#ifndef APP_INSPECT_H
#define APP_INSPECT_H

#include "app/inspection/inspector.h"
#include "app/decoding/live_row.h"
#include "tui/view/inspect.h"

struct session;

/* What is left out of the music, to see what becomes of the chosen note. */
enum inspect_without {
    WITHOUT_NOTHING,
    WITHOUT_NOTE, /* the other note of the pair, */
    WITHOUT_BAR,  /* all of its bar, */
    WITHOUT_TRACK,
    WITHOUT_COUNT
};

enum { INSPECT_MOST_BARS = 512, INSPECT_LABEL_BYTES = 48 };

/* A note of the piece, or one that waits in the take that is shown. */
struct inspect_spot {
    uint64_t id;
    int track;
    struct note note;
    bool is_ghost;
};

/* What of a report was shaped for the screen. Arrays are owned, and grow. */
struct inspect_shapes {
    struct inspect_note *notes;
    size_t n_notes, cap_notes;
    float *shades; /* of notes, while they are worked out */
    size_t cap_shades;
    float *matrix; /* shades of the report's matrix, */
    size_t cap_matrix;
    float *thumbnails; /* and of its thumbnails */
    size_t cap_thumbnails;
    float *surprise; /* shades of the report's surprise, in its order */
    size_t cap_surprise;
    size_t n_surprise; /* of that */
    struct inspect_bar bars[INSPECT_MOST_BARS];
    int n_bars;
    char guesses[INSPECT_GUESSES][PITCH_NAME_BYTES];
    char effects[INSPECT_EFFECTS][INSPECT_LABEL_BYTES];
    char busy[200];
};

struct inspecting {
    bool is_open;
    int wake_fd;
    struct inspector
        *inspector; /* NULL: none was wanted yet, or there is no model yet */

    /* -- what is looked at -- */
    struct inspect_spot at; /* where the cursor is; id 0: there is no note */
    int64_t cursor_tick;    /* where it was put for that note, */
    int cursor_pitch;       /* so that it is seen when it was moved otherwise */
    uint64_t pinned; /* the chosen note, while another is at the cursor; 0: none */
    struct inspected_look look;
    int one_layer, one_head; /* the last single one */
    int part;                /* enum inspected_part; -1: all */
    enum shade_scale scale;
    enum inspect_page page;
    bool shows_surprise, asks_who_matters, is_live;
    enum inspect_without without;
    uint64_t without_of;  /* the note that is meant by it */
    uint64_t muted_heads; /* bit layer * n_heads + head */

    /* -- what was asked -- */
    uint64_t piece, version, ghosts; /* as the newest request was of */
    const void *history;             /* of the piece: another is another piece */
    uint64_t request;                /* its number; 0: none */
    bool is_stale;                   /* it has to be asked anew */
    int style;                       /* of the piece, or CONTINUATION_STYLE_GUESS, */
    bool style_is_settled;           /* which stays so */
    uint64_t other;                  /* of its pair */
    bool wants_rewrite; /* of the most surprising bar, as soon as it is known */

    /* -- what was found -- */
    struct inspector_report report;
    bool is_new;                    /* and is not shaped yet */
    struct live_choice live_choice; /* of the model thread */
    struct live_map live;
    struct inspect_shapes shapes;
    struct inspect_view view;
};

/* -- notes to be asked about (inspect_spot.c) -- */

bool inspect_find(const struct session *s, uint64_t id, struct inspect_spot *out);
/* The one under the cursor, else the nearest; false: there is none at all. */
bool inspect_nearest(struct session *s, int64_t tick, int pitch,
                     struct inspect_spot *out);
/* From one to the next of its track, or the one before; to the nearest above or below, of
 * any track. false: there is none. */
bool inspect_step(struct session *s, const struct inspect_spot *from, bool forwards,
                  struct inspect_spot *out);
bool inspect_climb(struct session *s, const struct inspect_spot *from, bool up,
                   struct inspect_spot *out);

/* -- asking (inspect_ask.c) and when (inspect_follow.c) -- */

void inspect_ask(struct session *s); /* there is an inspector and a note */
/* A number that changes with the take that is shown and what it holds. */
uint64_t inspect_ghosts(const struct session *s);

uint64_t inspect_chosen(const struct session *s); /* id; 0: none */
/* Something of what is looked at has changed: it is asked at the next tick. */
void inspect_change(struct session *s);

/* -- showing (inspect_view.c, inspect_shape.c) -- */

void inspect_shape(struct session *s);
/* A map of the tokens [from, to) by themselves, in so many cells; of local attention, in
 * blocks of so many tokens, or 0. */
struct inspect_grid {
    int from, to, rows, columns, block;
};
/* Whether some query of that cell sees some key of it: none sees a later one, and with
 * local attention none before the block that comes before its own. */
bool inspect_cell_is_seen(const struct inspect_grid *g, int row, int column);
void inspect_show(struct session *s, struct view *v);

/* -- a take that is being written (inspect_live.c) -- */

/* true: it is over, just now. */
bool inspect_watch_live(struct session *s);
bool inspect_is_live(const struct session *s); /* that is what is shown */

/* -- acting on it (act_inspect*.c) -- */

/* Moves the cursor there; the view follows. */
void inspect_go(struct session *s, const struct inspect_spot *to);
bool inspect_escape(struct session *s); /* true: it has left INSPECT */
/* The most surprising bar is known now, and was asked for. */
void inspect_rewrite_worst(struct session *s);

/* The layout has a place for it while it is open. After every command. */
void inspect_fit(struct session *s);

#endif
