/* Everything a frame shows, as plain data. app/ fills it; views only read it. A test
 * can draw a hand-made one without threads or a terminal.
 *
 * Strings from files are raw here; views make them safe (tui/base/text.h). */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include "midi/edit/controllers.h"
#include "midi/edit/timeline_events.h"
#include "midi/score/chord.h"
#include "tui/keys/command.h"

struct ghost {
    int track;
    struct note note;
    /* Geometric mean of its tokens' probabilities, 0..1; negative: not known. */
    float probability;
    bool is_kept; /* stays when the take is made again */
    bool stands;  /* accepted into the score already, so not painted as a ghost */
};

/* A waiting take, as its row in the list shows it. */
struct take_row {
    int number;    /* its name; 1 to 8 are keys, too */
    int liking;    /* 1 liked, -1 disliked, 0 neither */
    int rank;      /* 1: the best */
    char why[160]; /* the critic's words, with commas; "": not judged */
    size_t n_notes;
    double nats;   /* per token, by the model alone */
    double masked; /* share of its choices that were forced, 0..1 */
    bool is_drawn; /* the model wrote some of it; else nats and masked are not known */
    uint64_t seed;
    double share; /* written so far, 0..1 */
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

/* The part of the piece that the roll shows. Owned by app/; viewport_*
 * (tui/view/layout.h) keep it in range. */
struct viewport {
    int64_t left_tick;
    int64_t ticks_per_column;
    int top_pitch;           /* of the first row */
    int rows_per_pitch;      /* 1, 2 or 3 */
    struct pitch_set hidden; /* folded away */
};

struct box { /* ticks [from, to), pitches inclusive */
    int64_t from, to;
    int pitch_lo, pitch_hi;
};

enum { HISTORY_LANES = 12, HISTORY_WHEN_BYTES = 16 };

/* A state in the list of the undo tree (tui/panels/panels.h). */
struct history_row {
    uint64_t state;
    const char *label; /* untrusted */
    char when[HISTORY_WHEN_BYTES];
    bool is_present, is_saved;
    bool is_on_way;            /* undo or redo leads through it */
    uint8_t lane;              /* its column in the picture of branches */
    uint16_t passing, joining; /* a bit for each lane that goes by, or joins */
};

enum { STEER_VALUE_BYTES = 32 };

/* A line of the steering panel. */
struct steer_line {
    const char *name, *help;
    char value[STEER_VALUE_BYTES];
    double share; /* its place in its range, 0..1; negative: none */
    bool is_set;  /* differs from the default */
};

struct survey;       /* tui/view/survey.h */
struct binding;      /* tui/keys/bindings.h */
struct inspect_view; /* tui/view/inspect.h */

/* A line of the palette: a match of the typed words (app/editor/shell/palette.h). */
struct palette_line {
    const char *text; /* untrusted */
    const char *keys; /* at the right; may be "" */
    const char *kind; /* "track", "file", ...; before the keys, quiet */
    uint64_t marks;   /* bit i: byte i of the text matches */
    double score;     /* how well it fits; the best line comes first */
    size_t item;      /* app/'s number for it */
};

/* The framed lists, in the order in which they are painted. The help is one, too, without a
 * frame. */
enum list_id {
    LIST_TAKES,
    LIST_MAP,
    LIST_STEER,
    LIST_TRACKS,
    LIST_INSTRUMENTS,
    LIST_HISTORY,
    LIST_PALETTE,
    LIST_HELP,
    LIST_COUNT
};

/* How far a list is scrolled (tui/paint/list.h). */
struct list_view {
    bool is_open; /* also behind a prompt */
    int n;        /* lines */
    int point;    /* the chosen one; -1: none is */
    int top;      /* the first that is shown, where the chosen one is in sight, too */
};

enum { BANNER_MAX_LINES = 3, BANNER_BORDERS = 2 };

/* Whether the map of the piece is shown under the roll. */
enum map_mode { MAP_WHERE_ROOM, MAP_SHOWN, MAP_HIDDEN };

/* The proposed notes of the shown take, painted over the score. */
struct ghosts_view {
    const struct ghost *notes;
    size_t n;
    bool by_probability;      /* shaded by the model's probability of each */
    const uint64_t *replaced; /* ids, sorted: notes that go when the ghosts come */
    size_t n_replaced;
    struct box motif;      /* where a motif returns: begins there, of these tracks */
    uint64_t motif_tracks; /* bit i: track i; 0: none returns */
};

static inline bool ghost_is_of_motif(const struct ghost *g, const struct ghosts_view *v)
{
    return g->track < 64 && v->motif_tracks >> g->track & 1 &&
           g->note.start >= v->motif.from && g->note.start < v->motif.to;
}

/* Notes that the mouse holds or that are being played, at their new positions. */
struct drafts_view {
    const struct ghost *notes;
    size_t n;
};

/* The list of instruments that match the typed text. */
struct instrument_list_view {
    const uint8_t *programs; /* General MIDI numbers from 0 */
    bool are_kits;
};

/* A place on the roll, such as the cursor. */
struct roll_point {
    int64_t tick; /* left edge of its grid cell */
    int pitch;    /* MIDI */
};

/* The grid at the cursor. */
struct grid_view {
    int64_t ticks; /* to the next grid line, at least 1 */
    char name[8];  /* "1/16T"; "": not said */
};

/* The scale that new notes belong to; its rows are shaded. */
struct scale_view {
    uint16_t pitches; /* pitch classes, bit 0 is C; 0: none is set */
    int tonic;        /* 0..11 */
    int sharps;       /* of its signature, flats negative */
};

/* The rows of a drum kit, by name, in the place of the piano's keys. Hits are one cell
 * wide, and only drum tracks are painted. */
struct kit_view {
    bool is_shown;
    struct pitch_set used; /* sounds that the piece hits */
    const char *letters; /* [128] the key that strikes each, 0: none; NULL: none does */
};

/* The row of chord symbols above the roll. */
struct chords_view {
    bool is_shown;
    bool are_guessed;           /* from the notes; else they are in the file */
    int64_t plan_from, plan_to; /* those of a take, which are in neither; ticks */
    const struct chord_mark *marks;
    size_t n;
};

/* What edits act on. The box is outlined on the roll; the status line counts the
 * notes. */
struct selection_view {
    bool has_box; /* a box is being selected */
    struct box box;
    const uint64_t *ids; /* of the selected notes, sorted */
    size_t n;
    int n_tracks;           /* that the notes are of */
    char change_label[160]; /* "c rewrites bars 3-4 of Alto"; "": nothing would */
};

/* The lane under the roll: a controller's curve, or velocities. */
struct lane_view {
    struct control control; /* the lane's content */
    bool is_tall;           /* while it is edited, also behind a prompt */
    int64_t from, to; /* the selected time of the lane, ticks [from, to); equal: none */
    bool has_value;   /* value and label hold at the cursor */
    int value;
    const char *label;     /* the same in words, in MODE_LANE */
    const int16_t *stroke; /* [CELLS_MAX] drawn by the mouse, -1: none; or NULL */
};

/* The span to be infilled, framed and named on the roll. */
struct hole_view {
    bool is_shown;
    struct box box;
    char label[64];         /* "bars 3-4"; "": none */
    const char *track_name; /* of its only track, untrusted; or NULL */
};

/* Playing: the loop and the playhead on the roll, and the top line's clock. */
struct transport_view {
    bool has_loop, loop_on; /* the loop is [loop_from, loop_to) ticks */
    int64_t loop_from, loop_to;
    bool is_playing;
    double tick;            /* of the playhead */
    bool has_sound, clicks; /* clicks: the metronome is on */
    char clock[64];   /* the followed MIDI clock: "♩=126.0 Keystation"; "": none */
    double clock_bpm; /* the tempo of that clock; 0: the piece's own tempo */
};

/* The model and its work: the top line and the frontier on the roll. */
struct machine_view {
    char model_name[64]; /* "": none is loaded */
    bool is_generating;
    double share; /* 0..1 of the hole's span, mean of all takes being written */
    double bars_per_second; /* of all of them together */
    int n_at_work;          /* takes that are shown while they are written */
    int n_draws, n_drawn;   /* candidates to be written, and how many are */
    double seconds_left;    /* negative: not known yet */
    bool has_frontier;      /* the shown take is written up to frontier_tick */
    int64_t frontier_tick;
    int n_bars; /* bars requested */
};

/* The status line's plain sentence, the last one to the user. */
struct message_view {
    char text[240]; /* "": none */
    bool is_error;
};

/* The notes of the edited track that a search found, marked on the roll. */
struct found_view {
    const struct box *boxes;
    size_t n;
};

/* The line being typed at a prompt, in the foot, or in the palette. */
struct prompt_view {
    enum prompt kind;
    char label[80];   /* "open: "; "": ":" */
    char text[512];   /* UTF-8 */
    char preset[512]; /* the initial text of the next line */
    size_t n;         /* bytes of text, */
    size_t after;     /* and of those after the cursor */
    size_t n_given;   /* and of those at its start what Ctrl-U leaves: "rename " */
};

struct view {
    const struct score *score; /* borrowed for the frame; never NULL */
    int picture_columns;   /* of the inspector's page alone, for a file; 0: a screen */
    struct survey *survey; /* the app's, for all frames; NULL: made for this frame */
    uint64_t version;      /* changes with each edit of the score */
    bool is_sent_whole;    /* this frame, since the terminal may show something else */
    enum mode mode;
    char work[80]; /* done in the background: "rendering 40%   "; "": none */
    struct viewport port;
    int track; /* the track being edited; -1: the score has none */
    struct roll_point cursor;
    struct grid_view grid;
    struct scale_view scale;
    struct kit_view kit;
    struct chords_view chords;
    struct selection_view selection;
    struct found_view found;
    struct ghosts_view ghosts;
    struct drafts_view drafts;
    struct hole_view hole;
    struct lane_view lane;
    enum map_mode piece_map;
    struct transport_view transport;

    /* What is being recorded or played, in the status line. */
    struct {
        bool is_on;
        char label[160]; /* "": nothing is recorded or played */
    } record;
    struct machine_view machine;

    /* The open file, in the top line. */
    struct {
        const char *name; /* base name, untrusted; NULL: no file yet */
        bool is_modified;
        bool is_late;   /* not all that is shown is written to the store yet */
        bool is_unkept; /* the store cannot be written: a crash would lose changes */
    } file;
    struct message_view message;

    /* The waiting takes: the list beside the roll, and the text in the status line. */
    struct {
        const struct take_row *rows; /* in the order of their numbers */
        int n, shown;                /* shown: index; -1: the original */
        bool figures;                /* the list shows figures, not words */
        char label[160];             /* "take 2 of 4, seed 8, ..."; "": none */
    } takes;

    /* The list of tracks beside the roll. */
    struct {
        bool hide_others;   /* notes of tracks but the edited one */
        enum mix_knob knob; /* the selected column of the mixer */
    } tracks;
    struct instrument_list_view instruments;

    /* The steering panel. */
    struct {
        const struct steer_line *lines;
        char summary[96]; /* "density 2, style folk"; "": all have their defaults */
    } steer;
    const struct timeline_event *signs; /* the lines of LIST_MAP, */
    const struct history_row *history;  /* of LIST_HISTORY, the newest first, */
    const struct palette_line *palette; /* and of LIST_PALETTE */
    struct list_view lists[LIST_COUNT];
    struct prompt_view prompt;

    /* The help page, MODE_HELP. */
    struct {
        enum mode mode; /* whose keys are listed */
        bool all;       /* list the keys of all modes */
    } help;

    /* The keys in force and what is typed of a command: the foot's hints, and the box of
     * keys that may follow (tui/panels/panels.h). */
    struct {
        const struct binding *map; /* NULL: as built in */
        uint32_t prefix;           /* the first of two keys, typed; 0: none */
        int count;                 /* being typed; 0: none */
        bool which_key;            /* show that box */
    } keys;

    /* The tutor's box over the roll. */
    struct {
        const char *title;
        const char *lines[BANNER_MAX_LINES];
        int n; /* 0: none */
    } banner;
    const struct inspect_view *inspect; /* also behind a prompt; NULL: it is closed */
};

#endif
