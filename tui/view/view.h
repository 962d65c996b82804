/* Everything a frame shows, as plain data: app/ fills it, views only read it.
 * A test can draw a hand-made one with no threads and no terminal.
 *
 * Text that came from files is made safe by the views (tui/base/text.h), not here. */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include "midi/edit/controllers.h"
#include "midi/edit/mix.h"
#include "midi/edit/signs.h"
#include "tui/keys/command.h"

struct ghost {
    int track;
    struct note note;
    float
        probability; /* the model's of each of its tokens, 0..1; negative: not known */
    bool is_kept;    /* stays through a re-roll */
    bool stands;     /* is in the score by now, and not drawn as a ghost */
};

/* A take that waits, as the list of them tells it. */
struct take_row {
    int number;      /* its name, and the key that shows it up to 8 */
    int liking;      /* 1, 0, -1 */
    int rank;        /* 1: the best */
    const char *why; /* in words, the most telling first, with commas; "": not judged */
    size_t n_notes;
    double nats;   /* a token, as the model alone would have it; */
    double masked; /* and the share of its choices that was forced, 0..1 */
    bool is_drawn; /* the model has chosen some of it: else there is neither */
    uint64_t seed;
    double share; /* of it that is there, 0..1 */
};

/* Bit p % 64 of at[p / 64] is pitch p. */
struct pitch_set {
    uint64_t at[2];
};

static inline bool pitch_set_has(const struct pitch_set *s, int pitch)
{
    return s->at[pitch / 64] >> pitch % 64 & 1;
}

static inline void pitch_set_add(struct pitch_set *s, int pitch)
{
    s->at[pitch / 64] |= UINT64_C(1) << pitch % 64;
}

/* Where the roll looks. Owned by app/, kept in range by viewport_* (tui/view/layout.h). */
struct viewport {
    int64_t left_tick;
    int64_t ticks_per_column;
    int top_pitch;           /* of the first row */
    int rows_per_pitch;      /* 1, 2 or 3 */
    struct pitch_set hidden; /* pitches that are folded away */
};

struct box { /* ticks [from, to), pitches inclusive */
    int64_t from, to;
    int pitch_lo, pitch_hi;
};

enum { HISTORY_LANES = 12, HISTORY_WHEN_BYTES = 16 };

/* A state in the list of all that was done (tui/panels/history_list.h). */
struct history_row {
    uint64_t state;
    const char *label; /* untrusted */
    char when[HISTORY_WHEN_BYTES];
    bool is_present, is_saved;
    bool is_on_way;            /* undo or redo would come by it */
    uint8_t lane;              /* its column in the drawing of branches, */
    uint16_t passing, joining; /* and those that go by it, or begin at it: a bit each */
};

enum { STEER_VALUE_BYTES = 32 };

/* A line of the steering panel. */
struct steer_line {
    const char *name, *help;
    char value[STEER_VALUE_BYTES];
    double share; /* where it lies in its range, 0..1; negative: nowhere */
    bool is_set;  /* it is not as learnt */
};

struct survey;       /* tui/view/survey.h */
struct keymap;       /* tui/keys/keymap.h */
struct palette_view; /* tui/panels/palette.h */
struct lane_points;  /* tui/view/lane.h */
struct inspect_view; /* tui/view/inspect.h */

enum { BANNER_MAX_LINES = 3, BANNER_BORDERS = 2 };

/* Of the map of the piece under the roll. */
enum map_wish { MAP_WHERE_ROOM, MAP_SHOWN, MAP_HIDDEN };

struct view {
    const struct score *score; /* borrowed for the frame; never NULL */
    struct survey *survey; /* the app's, kept between frames; NULL: made for this one */
    uint64_t version;      /* changes whenever the score does */
    const struct ghost *ghosts;
    size_t n_ghosts;
    bool shade_by_probability;
    const struct take_row *takes; /* that wait, in the order of their numbers */
    int n_takes, shown_take;      /* shown_take: index; -1: the original */
    bool list_takes;              /* beside the roll */
    bool take_figures;            /* there, instead of words */
    const uint64_t *replaced;     /* ids, sorted: notes that go when the ghosts come */
    size_t n_replaced;

    bool hide_others;           /* notes of tracks but the edited one */
    bool list_tracks;           /* also behind a prompt */
    int tracks_first;           /* the list's first row, as far as there is room */
    enum mix_knob mix_knob;     /* the column of it that is turned, if it is there */
    const uint8_t *instruments; /* that fit what is being typed; NULL: nothing is */
    int n_instruments, chosen_instrument;
    bool instruments_are_kits;

    enum mode mode;
    struct viewport port;
    int64_t cursor_tick; /* left edge of the cursor's grid cell */
    int cursor_pitch;
    int64_t grid_ticks;    /* to the next grid line, at least 1 */
    const char *grid_name; /* "1/16T"; NULL: not said */
    uint16_t scale;        /* pitch classes, bit 0 is C; 0: none is set */
    int scale_tonic;       /* 0..11 */
    int scale_sharps;      /* of its signature, flats negative */
    int track;             /* the track being edited; -1: the score has none */
    int count;             /* being typed; 0: none */

    bool has_selection; /* box under the cursor's mode or kept */
    struct box selection;
    const uint64_t *selected; /* ids, sorted; what edits act on */
    size_t n_selected;
    int n_selected_tracks; /* that they are of */
    const char
        *change_label; /* "c rewrites bars 3-4 of Alto", in MODE_SELECT; or NULL */

    struct control lane;             /* what the lane under the roll shows */
    struct lane_points *lane_points; /* the app's, as `survey` */
    bool is_lane_tall;               /* it is edited, also behind a prompt */
    int64_t lane_from, lane_to; /* chosen of it, ticks [from, to); equal: nothing */
    bool lane_has_value;        /* there is something to tell of the cursor's time */
    int lane_value;
    const char *lane_label; /* the same in words, in MODE_LANE */

    const int16_t *stroke; /* [CELLS_MAX] values the mouse draws, by column of the roll;
                              -1: none there. NULL: none */
    const struct ghost
        *drafts; /* held by the mouse, or being played: where they'd lie */
    size_t n_drafts;

    bool has_hole; /* framed and named on the roll */
    struct box hole;
    const char *hole_label;
    const char *hole_track; /* its only track's name, untrusted; or NULL */

    enum map_wish map;
    bool has_loop, loop_on; /* ticks [from, to) */
    int64_t loop_from, loop_to;

    bool playing;
    double playhead_tick;
    bool rendering; /* to a file */
    double rendered_share;
    bool has_sound, clicks; /* the metronome is on */
    const char *clock;      /* "♩=126.0 Keystation": a MIDI clock; NULL: none */
    double clock_bpm;       /* that it plays by, in place of its own; 0: its own */

    bool recording;
    const char *record_label; /* what is being recorded or played; NULL: nothing is */

    bool generating;
    double generated_share; /* 0..1 of the hole's span, mean of the takes at work */
    double bars_per_second; /* of all of them together */
    int n_at_work;
    double seconds_left; /* negative: not known yet */
    bool has_frontier;   /* the take that is shown is written up to there */
    int64_t frontier_tick;
    int n_ghost_bars;       /* bars asked for */
    const char *take_label; /* "take 2 of 4, seed 8, ...", or NULL */

    const char *file_name; /* base name, untrusted; NULL: no file yet */
    bool modified;
    bool is_unkept;         /* what is done is not kept: a crash would lose it */
    const char *model_name; /* NULL: none loaded */
    const char *message;    /* the status line's plain sentence; may be NULL */
    bool message_is_error;

    const struct steer_line *steer_lines; /* the panel, also behind a prompt */
    int n_steer_lines;                    /* 0: it is closed */
    int steer_chosen;
    const char *steer_summary; /* "density 2, style folk"; "" or NULL: as learnt */

    const struct inspect_view *inspect; /* also behind a prompt; NULL: it is closed */

    const struct signs
        *map_list; /* MODE_MAP, also behind a prompt; NULL: it is closed */
    int map_chosen;
    const struct box *found; /* notes of the edited track that were sought */
    size_t n_found;
    const struct history_row *history; /* the newest first; also behind a prompt */
    size_t n_history, history_chosen;  /* 0: it is not shown */

    const char *prompt; /* MODE_PROMPT: "open: "; may be NULL */
    const char *input;  /* UTF-8 being typed */
    int help_scroll;    /* MODE_HELP: first line shown */

    /* Finding one's way. */
    const struct keymap *keymap; /* the keys in force; NULL: as built in */
    uint32_t prefix;             /* the first of two keys, typed; 0: none */
    bool which_key;              /* what may follow it, or the count, is listed */
    size_t input_after;          /* bytes of `input` after the cursor in it */
    enum mode help_mode;         /* whose keys MODE_HELP lists first, */
    bool help_all;               /* or those of all */
    const struct palette_view *palette; /* MODE_PALETTE; else may be NULL */
    const char *banner_title;
    const char *banner[BANNER_MAX_LINES];
    int n_banner; /* 0: none */
};

#endif
