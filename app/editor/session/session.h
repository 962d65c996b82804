/* The workstation's state: what is open, where the cursor is, what is selected,
 * and what the machine has proposed. One struct, owned by the ui thread; other
 * threads get clones and messages. The parts (part.h) change and show it.
 *
 * Selection first, then the verb: an edit acts on the selected notes, of whatever
 * tracks, else on the note under the cursor, of the active track. */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "app/document/store_session.h"
#include "app/document/groove.h"
#include "app/document/project.h"
#include "app/document/proposals.h"
#include "app/document/clipboard.h"
#include "app/document/rewrite.h"
#include "app/editor/session/part.h"
#include "app/editor/session/selection.h"
#include "app/generation/generator.h"
#include "app/generation/steer.h"
#include "app/settings/settings.h"
#include "midi/edit/humanise.h"
#include "midi/transport/player.h"
#include "tui/cells/theme.h"
#include "tui/keys/bindings.h"
#include "tui/keys/keymap.h"
#include "tui/view/layout.h"
#include "tui/view/survey.h"
#include "tui/view/view.h"

/* How the roll is shown and navigated. */
struct roll_options {
    bool snaps, folds;   /* to the scale: notes that move; the rows shown */
    bool snaps_to_chord; /* before the scale */
    bool folds_for_take; /* rows without notes of the takes are folded away */
    bool frames_pitches; /* takes of other tracks too are framed: no kit */
    bool whole_kit;      /* on a drum track: all sounds, not those in use alone */
    bool follow;         /* the view follows the playhead and arriving notes */
    bool hide_others;    /* notes of tracks but the active one */
    int rows_covered;    /* at the foot of the roll, by the tutor */
    enum map_mode map;   /* of the piece, under the roll */
};

/* A span of the piece that plays again and again. It belongs to the piece and is saved
 * beside it (app/document/store_session.h). Undo does not change it. */
struct loop_span {
    int64_t from, to; /* ticks; equal: there is none */
    uint64_t state;   /* of the history, in which they are ticks */
    bool on;
    bool waits; /* session_hold_loop */
};

/* The last request to the model: its span, its options, and its progress. Its takes are
 * in session.takes (app/document/proposals.h). */
struct take_request {
    struct generation asked;    /* for `r` */
    int64_t from, to;           /* ticks; equal: not known yet */
    int64_t music_end;          /* of the first context that the model read, ticks */
    int n_tracks;               /* of the score at the request */
    int n_once;                 /* "2c": as many takes of this hole; 0: as steered */
    struct rewritten rewritten; /* notes of the score that the takes would replace */
    uint64_t *note_ids;         /* [n_note_ids] the only notes to rewrite; */
    size_t n_note_ids;          /* 0: all notes in the hole */
    bool is_running;            /* at the last look */
    bool plays_together;        /* & is on: user and model play into one take */
    bool takes_went;            /* takes lost their position; the user must be told */
    double first_ghost_ms;      /* from the key to the first note; 0: none yet */
};

/* The score's structure at the last look, as its history counts it (midi/edit/edit.h).
 * If the present one differs, stored ticks or track numbers must be moved. */
struct seen_structure {
    int64_t inserted_ticks;
    uint64_t arrangement; /* of tracks */
    /* While parts hear of an edit: it put time in or took it out; it moved tracks. */
    bool time_moved, tracks_moved;
};

/* The user's configuration (from its file and `:set`) and keys. */
struct preferences {
    struct settings settings;     /* as the file and `:set` have them */
    char config_path[512];        /* of that file; "": not known */
    struct keymap *keymap;        /* owned; NULL: as built in */
    char theme[THEME_NAME_BYTES]; /* chosen by name; "": not yet */
    bool remembers_files;         /* in the user's state folder */
};

/* The line being typed at a prompt or in the palette. */
struct prompt_line {
    enum prompt kind;
    char label[80];   /* its label */
    char text[512];   /* UTF-8 */
    char preset[512]; /* the initial text of the next line */
    size_t n;         /* bytes of text, */
    size_t after;     /* and of those after the cursor */
    size_t n_given;   /* and of those at its start what Ctrl-U leaves: "rename " */
};

/* What the mouse is doing (app/editor/edit/mouse.h). */
enum drag {
    DRAG_NONE,
    DRAG_NEW,   /* a note is drawn */
    DRAG_MOVE,  /* notes, */
    DRAG_LEFT,  /* their beginnings, */
    DRAG_RIGHT, /* their ends */
    DRAG_ERASE,
    DRAG_BOX,
    DRAG_LANE, /* values are drawn in the lane */
    DRAG_RULER,
    DRAG_KEYS,
    DRAG_MAP,
    DRAG_PAN,
    DRAG_COUNT
};

enum { BUSY_MS = 33 }; /* interval of checks while playing or generating */

/* Each part's own state; nobody else looks inside. Allocated with the session, all
 * zeros at first (PART_STATE). */
struct session_parts {
    struct answer *answer;
    struct autosave_timer *autosave;
    struct chord_row *chords;
    struct chord_preview *chord_preview;
    struct find *find;
    struct fold *fold;
    struct framing *framing;
    struct grid_label *grid;
    struct hearing *hearing;
    struct history_rows *history;
    struct humanised *humanised;
    struct input_history *input;
    struct inspecting *inspect;
    struct instrument_list *instruments;
    struct kept *kept;
    struct lane *lane;
    struct learning *learning;
    struct model_choice *model;
    struct mouse *mouse;
    struct continuation_motif *motif; /* that returns in the next request */
    struct clock_label *clock;
    struct devices *devices;
    struct piano *piano;
    struct palette *palette; /* NULL: not open yet */
    struct played_take *played;
    struct read_ahead *ahead;
    struct recorder *recorder;
    struct rendering *rendering; /* NULL: none is running */
    struct takes_view *shown;
    struct timeline_list *timeline;
    struct sound_watch *sound;
    struct steering_panel *steer;
    struct stepping *step;
    struct tracks_panel *track_list;
    struct tutor *tutor;
};

struct session {
    struct session_parts parts;
    struct project project;
    struct player *player;
    struct generator *generator;

    enum mode mode, below[MODE_COUNT]; /* below: what each mode was opened over */
    bool redraw, quit;
    struct {
        char text[240];
        bool is_error;
    } message; /* the last one to the user */
    struct preferences preferences;

    struct layout layout;
    struct survey *survey;
    struct viewport port;
    struct roll_options roll;
    struct roll_point cursor;
    int track; /* the active one; -1: the score has none */
    struct grid_step grid;
    struct loop_span loop;
    struct sound_options sound;
    struct selection selection;
    enum drag drag; /* what the mouse is doing */

    struct {
        int velocity;
        int64_t length; /* of the last new note, ticks; 0: none yet */
    } new_note;
    struct groove groove;       /* what `=` does */
    struct humanise humanise;   /* what `~` does; the seed of the next draw */
    struct registers registers; /* kept from file to file */
    struct {
        struct command command;
        char line[128]; /* when that is CMD_SUBMIT */
        bool runs;      /* just now */
    } repeated;         /* by `.` */
    struct seen_structure seen;

    bool has_take; /* requested, and neither accepted nor all rejected yet */
    struct proposals takes;
    struct take_request request;
    struct {
        enum { LIST_WHERE_ROOM, LIST_SHOWN, LIST_HIDDEN } list;
        bool figures; /* in the list, instead of words */
        bool shade_by_probability;
    } take_display;
    struct steering steering; /* of the next request */
    struct {
        struct attention_head heads[64];
        size_t n;
    } muted; /* for the next takes */

    struct prompt_line prompt;
    struct {
        int scroll; /* lines */
        bool all;   /* of all modes */
    } help;
};

/* Paths and names, or NULL for the usual ones. wake_fd is written to when another
 * thread has news. */
struct session_options {
    const char *model, *soundfont, *driver;
    /* input: a MIDI keyboard (midi/ports/ports.h); NULL: no device is looked for.
     * output: an instrument (app/editor/perform/devices.h); NULL: none. */
    const char *input, *output;
    double gain; /* 0: a sensible one */
    uint64_t seed;
    bool seed_is_asked; /* the seed overrides the one saved beside a file */
    int n_threads;
    struct model_precision precision;
    int wake_fd;
    bool journals; /* edits are saved for recovery (app/document/autosave.h) */
};
/* Begins with an empty score and a screen of 80x24. On failure nothing is kept. */
enum midi_status session_init(struct session *s, const struct session_options *o);
void session_fini(struct session *s);

/* Each tells the user how it went. false: not opened, and nothing changed. */
bool session_open(struct session *s, const char *path);
/* Opens `path` if there is such a file; else the music in `from`, to save as `path`. */
void session_open_copy(struct session *s, const char *from, const char *path);
/* Opens the music of a run that was ended before it was ever saved, if there is any. */
void session_open_unnamed(struct session *s);

/* Sets the message to the user; printf-style, one plain sentence. */
void session_tell(struct session *s, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define session_say(s, ...)   session_tell(s, false, __VA_ARGS__)
#define session_error(s, ...) session_tell(s, true, __VA_ARGS__)

/* Adds to the list of background work: "rendering 40%"; printf-style. */
void session_show_work(struct view *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "NAME cannot be written: why" and then `advice`. Reads errno. */
void session_file_error(struct session *s, const char *path, enum midi_status st,
                        const char *advice);

/* "out of memory: nothing was done". Always false. */
bool session_no_memory(struct session *s);

/* Call after edits: forgets selected notes, tracks and takes that are gone. */
void session_revalidate(struct session *s);
/* Takes notes from the model thread; while it plays, keeps the player current. */
void session_tick(struct session *s);
/* Milliseconds until session_tick has something to do or something that moves must be
 * drawn again, if nothing happens before. */
int session_timeout_ms(const struct session *s);
/* Opens a mode over the present one; and closes the present one: what it lay over comes
 * back, or NORMAL if that is gone meanwhile. */
void session_open_mode(struct session *s, enum mode mode);
void session_close_mode(struct session *s);
/* The mode; in a prompt, the help or the palette: the mode they return to. */
enum mode session_mode_behind(const struct session *s);
bool session_is_inspecting(const struct session *s); /* that mode is INSPECT */

void session_resize(struct session *s, int columns, int rows);
/* Computes the regions of a screen of that size, for the mode and the open panels. */
void session_lay_out(struct session *s, int columns, int rows);
void session_view(struct session *s, struct view *v, int count);

/* -- commands, which keys and lines typed after `:` call -- */

void act_run(struct session *s, const struct command *c);

/* How often to do it: the count typed before it, else 1. And so many of its steps. */
static inline int command_times(const struct command *c)
{
    return c->count > 0 ? c->count : 1;
}
static inline int command_steps(const struct command *c)
{
    return c->by * command_times(c);
}

/* The plural's ending for n things: "s", or "" for one. */
static inline const char *plural(long long n)
{
    return n == 1 ? "" : "s";
}

/* Flips *which, and tells the user `on` or `off`. */
void act_toggle(struct session *s, bool *which, const char *on, const char *off);

/* Runs only the command's own function, without act_run's work around a key. For parts that
 * call another part's command. */
void act_call(struct session *s, enum command_id id);

/* The row of the first word of a line, "tempo 96"; NULL: none. */
const struct act_line_row *act_line_of(const char *line);
/* What is typed after `word` at the command line; NULL: another line is, or none. */
const char *act_typed_after(const struct session *s, const char *word);
/* Runs a line whose word is in no table: steering values. false: no part takes it. */
bool act_other_line(struct session *s, const char *word, const char *rest);
/* Opens the command line with `line` in it, for the user to continue. */
void act_open_command_line(struct session *s, const char *line);

/* -- shared by the actions -- */

/* The active track; NULL: there is none. need: then it also tells the user. */
const struct track *session_track(const struct session *s);
const struct track *session_need_track(struct session *s);
static inline const struct timeline *session_timeline(const struct session *s)
{
    return &s->project.score->timeline;
}
static inline const struct timeline_events *session_signs(const struct session *s)
{
    survey_update(s->survey, s->project.score, s->project.version);
    return survey_signs(s->survey);
}
/* The bar that contains that tick. */
static inline struct bar session_bar_at(const struct session *s, int64_t tick)
{
    return timeline_bar_at(&s->project.score->timeline, tick);
}
/* The box that is being selected; NULL: none is. */
const struct box *session_box(const struct session *s);
/* The time in that box, else in the loop; false: there is neither. */
bool session_marked_time(const struct session *s, int64_t *from, int64_t *to);
int64_t session_grid_ticks(const struct session *s);       /* one step of the grid */
int64_t session_grid_span(const struct session *s, int n); /* n steps */
/* The last note of that track and pitch that sounds in [from, to), or with a kit's rows
 * begins there; NULL: none does. */
const struct note *session_note_at(const struct session *s, int track, int64_t from,
                                   int64_t to, int pitch);
const struct note *session_note_under_cursor(const struct session *s);
void session_show_cursor(struct session *s);
/* Moves the cursor to that tick, at least 0, and scrolls to it. */
void session_go_to(struct session *s, int64_t tick);
/* Of the active track's notes in the visible time, the pitch nearest the cursor's. If
 * one of them is visible, or there are none: the cursor's pitch. */
int scroll_pitch_of_track(struct session *s);
/* Moves the cursor to the nearest of the notes that a change adds, removes or alters,
 * unless one of them is visible. */
void scroll_to_change(struct session *s, const struct change *c);

/* -- what the model has proposed (app/editor/takes) -- */
void session_stop_take(struct session *s); /* the notes that came still wait */
void session_drop_take(struct session *s); /* drops all takes; stops the model, too */
/* index: in takes.list, -1: the original. While music plays: from the next beat on. */
void session_show_take(struct session *s, int index);
/* Whether takes are shown or a part of one is being selected. */
bool session_is_in_takes(const struct session *s);
/* Whether the list of takes is on the screen. */
bool session_lists_takes(const struct session *s);
/* Moves to the shown take's next ghost, or the one before; false: there is none. */
bool session_step_ghost(struct session *s, bool forwards);
/* A copy of the music as it sounds: with the shown take, without what that replaces.
 * The caller owns it. NULL: out of memory. */
struct score *session_heard(const struct session *s);
/* Gives that copy to the player, unless it has it. */
void session_publish(struct session *s);

/* Tells the player whether to click now, recording or not (perform/play.c). */
void session_send_clicks(const struct session *s);

/* -- the loop -- */

/* Turns on the loop [from, to), in either order. An empty span changes nothing. */
void session_set_loop(struct session *s, int64_t from, int64_t to);
void session_say_loop(struct session *s);        /* tells the user what it is now */
void session_send_loop(const struct session *s); /* tells the player */
/* Suspends the loop while user and model play together, or a free take is recorded. */
void session_hold_loop(struct session *s, bool waits);
void session_follow_loop(struct session *s); /* after time was put in or taken out */
bool session_has_loop(const struct session *s);

/* The grid line at or before, after, or before a tick. Bar lines are grid lines. */
int64_t grid_floor(const struct session *s, int64_t tick);
int64_t grid_next(const struct session *s, int64_t tick);
int64_t grid_previous(const struct session *s, int64_t tick);

/* scale.c: the scale's pitch classes; 0: none is set. */
uint16_t session_scale_mask(const struct session *s);
/* What notes snap to: the pitch classes of the chord at the cursor, or of the scale; 0: to
 * none. */
uint16_t session_snap_mask(const struct session *s);
/* chords.c: the symbol in force in the row of chords; NULL: there is none. */
const char *session_chord_at(const struct session *s, int64_t tick);
/* The pitch `by` steps up or down, as the cursor moves; it stops at the last one. */
int session_step_pitch(const struct session *s, int pitch, int by);
/* The pitch that a new note there gets: on the scale or the chord, if snapping is on. */
int session_snap_pitch(const struct session *s, int pitch);
/* The new pitch of a note moved along with `leader`, which moves by `semitones`: the
 * same, or with snapping as many scale steps as the leader; at most the last pitch. */
int session_carry_pitch(const struct session *s, int pitch, int semitones, int leader);
/* fold.c: chooses the rows, for the active track: of a kit or of the keys, and folds away
 * those that must not show now. */
void session_fold(struct session *s);
/* Whether the rows are a kit's. Then hits are one cell: their length means nothing. */
bool session_shows_kit(const struct session *s);
/* Whether that track's notes have rows now: with a kit, only those of drum tracks. */
bool session_has_rows_for(const struct session *s, int track);
/* The kit's sound for a letter of the computer's keyboard; -1: none. */
int session_kit_key(const struct session *s, uint32_t letter);

#endif
