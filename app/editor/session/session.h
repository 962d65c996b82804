/* The workstation's state: what is open, where the cursor is, what is selected,
 * and what the machine has proposed. One struct, owned by the ui thread; other
 * threads get clones and messages. app/act_*.c change it, session_view shows it.
 *
 * Selection first, then the verb: an edit acts on the selected notes, of whatever
 * tracks, else on the note under the cursor, of the active track. */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "app/editor/session/act.h"
#include "app/settings/settings.h"
#include "tui/keys/bindings.h"
#include "app/editor/session/selection.h"
#include "app/document/beside.h"
#include "app/generation/generator.h"
#include "app/document/grid_step.h"
#include "app/document/groove.h"
#include "app/document/project.h"
#include "app/document/proposals.h"
#include "app/document/registers.h"
#include "app/document/rewrite.h"
#include "app/generation/steer.h"
#include "midi/score/general_midi.h"
#include "midi/edit/humanise.h"
#include "midi/edit/mix.h"
#include "midi/transport/player.h"
#include "midi/edit/signs.h"
#include "tui/terminal/frame.h"
#include "tui/view/layout.h"
#include "tui/view/survey.h"
#include "tui/cells/theme.h"
#include "tui/view/view.h"

/* What was selected before, for gv: ids, and the box they were chosen by if there was one.
 */
struct selected_before {
    uint64_t *ids;
    size_t n, cap;
    bool has_box, bars, all_tracks;
    int track; /* the active one */
    struct box box;
};

/* The pitches that notes have, and what that was found for. */
struct fold {
    bool is_known;
    uint64_t version, hidden;
    struct pitch_set used;
};

/* The loop, which belongs to the piece (act_loop.c). */
struct loop_span {
    int64_t from, to; /* ticks; equal: there is none */
    uint64_t state;   /* of the history, that they are ticks of */
    bool on;
    bool waits; /* session_hold_loop */
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

enum { BUSY_MS = 33 }; /* between looks at what plays or is generated */

/* What the machine reads before it is asked. */
struct read_ahead {
    uint64_t seen, read; /* project versions: at the last look; that was read */
    int64_t seen_ms;     /* when `seen` was new, monotonic */
};

struct rendering; /* app/editor/perform/rendering.h */

/* What each part keeps for itself; nobody else looks inside. Allocated with the session, all
 * zeros at first (PART_STATE). */
struct session_parts {
    struct answer *answer;
    struct beside_watch *beside;
    struct find *find;
    struct font_wish *font;
    struct framing *framing;
    struct history_rows *history;
    struct humanised *humanised;
    struct input_history *input;
    struct inspecting *inspect;
    struct instrument_list *instruments;
    struct kept *kept;
    struct lane *lane;
    struct mouse *mouse;
    struct outward *outward;
    struct palette *palette; /* NULL: not open yet */
    struct played_take *played;
    struct recorder *rec;
    struct rendering *rendering; /* NULL: none is at work */
    struct takes_view *shown;
    struct sign_list *signs;
    struct sound_watch *sound;
    struct steering_panel *steer;
    struct tracks_panel *track_list;
    struct tutor *tutor;
};

struct session {
    struct session_parts parts;
    struct project project;
    struct player *player;
    struct generator *generator;

    /* -- the roll -- */
    enum mode mode, mode_before; /* mode_before: where help and prompts return to */
    struct layout layout;
    struct survey *survey;
    struct viewport port;
    int64_t cursor_tick;
    int cursor_pitch;
    int track; /* the active one; -1: the score has none */
    struct grid_step grid;
    bool snaps, folds;   /* to the scale: what moves; rows that are shown */
    bool folds_for_take; /* rows without notes of the takes are folded away */
    int rows_covered;    /* at the foot of the roll, by the tutor */
    bool plays_together; /* & is on: both play into one take */
    struct fold fold;
    bool follow;       /* the view follows the playhead and arriving notes */
    bool hide_others;  /* notes of tracks but the active one */
    enum map_wish map; /* of the piece, under the roll */
    struct loop_span loop;
    enum drag drag; /* what the mouse is doing */

    /* -- sound -- */
    enum click_wish clicks;
    double latency_ms;          /* taken off what is played */
    int count_in, click_volume; /* bars before recording; 0..127 */

    /* -- what is selected (act_select.c) -- */
    bool bars;            /* selecting whole bars, of every pitch, */
    bool all_tracks;      /* and, then, of every track that is seen */
    bool selects_in_take; /* and TAKES is where it began */
    bool has_box;
    int64_t anchor_tick;
    int anchor_pitch;
    struct box box;
    uint64_t box_tracks; /* that have notes in it: a bit each of the first of them */
    uint64_t *selected;  /* ids, of any track, ascending */
    size_t n_selected, cap_selected;
    int n_selected_tracks; /* that they are of */
    struct selected_before selected_before;

    /* -- editing -- */
    int last_velocity;
    int64_t last_length;        /* of the note put last, ticks; 0: none yet */
    struct groove groove;       /* what `=` does */
    struct humanise humanise;   /* what `~` does; the seed of the next draw */
    struct registers registers; /* kept from file to file */
    struct command last_edit;   /* for `.` */
    char last_line[128];        /* when that is CMD_SUBMIT */
    int64_t
        time_put_in; /* at the last look (midi/edit/edit.h); else all is elsewhere */
    uint64_t arrangement; /* of tracks, the same way */

    /* -- takes (session_take.c) -- */
    bool has_take;   /* asked for, and neither accepted nor all rejected yet */
    int take_tracks; /* the score had when it was asked */
    bool takes_went; /* they had no place any more, which is to be said */
    struct proposals takes;
    int64_t hole_from, hole_to; /* what was asked for, ticks; equal: not known yet */
    int64_t music_end;          /* of what the machine heard first, ticks */
    struct generation asked;    /* for `r` */
    int takes_once;             /* "2c": as many of this hole; 0: as steered */
    struct rewritten rewritten; /* what of the score the takes would replace */
    uint64_t *hole_ids; /* [n_hole_ids] notes that alone the hole is asked for; */
    size_t n_hole_ids;  /* 0: for all that it holds */
    bool was_running;   /* a request, at the last look */
    struct {
        struct attention_head heads[64];
        size_t n;
    } muted;               /* heads that the next takes are written without */
    double first_ghost_ms; /* from the key to the first note; 0: none yet */

    /* Another take was chosen while it plays: the one before is heard up to a beat. */
    bool is_switching;
    int heard_before; /* as takes.shown */
    int64_t switch_tick;

    enum { LIST_WHERE_ROOM, LIST_SHOWN, LIST_HIDDEN } list; /* of takes */
    bool shade_by_probability;
    bool take_figures; /* in the list, instead of words */

    /* -- steering (act_steer.c) -- */
    struct steering steering;           /* of the next request */
    enum mode steer_from, inspect_from; /* where Escape goes back to */

    /* -- what is typed and sought -- */
    enum prompt prompt;
    char prompt_label[80]; /* what it asks */
    char input[512];
    char input_preset[512]; /* what the next one begins with */
    size_t n_input;
    int help_scroll;
    size_t input_after; /* bytes of it after the cursor */
    bool help_all;
    struct keymap *keymap;    /* NULL: as built in */
    bool remembers_files;     /* in the user's state folder */
    struct settings settings; /* as the file has them, and `:set` */
    char config_path[512];    /* "": not known */

    char message[240];
    bool message_is_error;
    char status[160];
    char grid_name[GRID_STEP_TEXT];
    char theme
        [THEME_NAME_BYTES]; /* asked for by name (tui/cells/theme.h); "": not yet */
    bool redraw;
    bool quit;

    /* -- what other threads have been given -- */
    struct read_ahead ahead;
    uint64_t published; /* project version the player last got */
    bool sound_changed; /* ghosts, what they replace, mute or solo, since then */
};

/* Paths and names, or NULL for the usual ones. wake_fd is written to when another
 * thread has news. */
struct session_options {
    const char *model, *soundfont, *driver;
    const char *
        input; /* a MIDI keyboard (midi/ports/ports.h); NULL: no device is looked for */
    const char *output; /* an instrument (app/editor/perform/outward.h); NULL: none */
    double gain;        /* 0: a sensible one */
    uint64_t seed;
    bool seed_is_asked; /* it holds also against what is kept beside a file */
    int n_threads;
    struct model_precision precision;
    int wake_fd;
    bool journals; /* what is done is kept, and brought back (app/document/keeping.h) */
};
/* An empty score, for a screen of 80x24. On failure nothing is kept. */
enum midi_status session_init(struct session *s, const struct session_options *o);
void session_fini(struct session *s);

/* Each says how it went. false: it could not be opened, and all is as it was. */
bool session_open(struct session *s, const char *path);
/* Opens the music in `from` as if it were in `path`, where saving will put it; or
 * `path` itself when there is such a file. */
void session_open_copy(struct session *s, const char *from, const char *path);
/* Music that was never saved, of a run that was ended; nothing happens if there is none. */
void session_open_unnamed(struct session *s);
/* What the user is told; printf-style, one plain sentence. */
void session_say(struct session *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void session_error(struct session *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "NAME cannot be written: why" and then `advice`. Reads errno. */
void session_file_error(struct session *s, const char *path, enum midi_status st,
                        const char *advice);

/* Does the change (taking it); false when it could not be done, which is said. */
bool session_do(struct session *s, struct change *c);
/* After edits: forgets selected notes, tracks and takes that are gone. */
void session_revalidate(struct session *s);
/* Takes notes from the model thread; while it plays, keeps the player current. */
void session_tick(struct session *s);
/* Milliseconds until session_tick has something to do, and what moves by itself is to be
 * drawn anew, if nothing happens before. */
int session_timeout_ms(const struct session *s);
/* INSPECT, also behind a prompt. */
bool session_is_inspecting(const struct session *s);

void session_resize(struct session *s, int columns, int rows);
/* The regions of a screen of that size, as mode and panels want them. */
void session_lay_out(struct session *s, int columns, int rows);
void session_view(struct session *s, struct view *v, int count); /* session_view.c */

/* Shared by the actions. */
const struct track *session_track(const struct session *s); /* NULL: none */
int64_t session_grid_ticks(const struct session *s);        /* a step of the grid, */
int64_t session_grid_span(const struct session *s, int n);  /* and n of them */
const struct note *session_note_under_cursor(const struct session *s);
void session_show_cursor(struct session *s);
/* session_take.c: what the machine has proposed. */
void session_stop_take(struct session *s); /* what has arrived still waits */
void session_drop_take(struct session *s); /* all of them; stops the machine, too */
/* Of takes.list, or -1: the original. While it plays it is heard from the next beat. */
void session_show_take(struct session *s, int index);
/* Takes are looked at, or a part of one is being selected (app/editor/takes/framing.c). */
bool session_is_in_takes(const struct session *s);
/* Whether the list of takes is on the screen. */
bool session_lists_takes(const struct session *s);
/* To the shown take's next ghost, or the one before; false: it has none there. */
bool session_step_ghost(struct session *s, bool forwards);
/* A copy of the music as it is heard: with the take that is shown, without what that
 * replaces. The caller's; NULL: out of memory. */
struct score *session_heard(const struct session *s);
/* Gives the player that, unless it has it. */
void session_publish(struct session *s);

/* act_loop.c: [from, to) in either order becomes the loop, and is on; nothing of no
 * length does. say: what it is now. send: tells the player what the session's loop is. */
void session_set_loop(struct session *s, int64_t from, int64_t to);
void session_say_loop(struct session *s);
void session_send_loop(const struct session *s);
/* While two play, or free playing is recorded, nothing goes round. */
void session_hold_loop(struct session *s, bool waits);
void session_follow_loop(struct session *s); /* after time was put in or taken out */
bool session_has_loop(const struct session *s);
/* act_play.c: tells the player whether to click now, recording or not. */
void session_send_clicks(const struct session *s);

/* Lines of the grid: at or before, after, and before a tick. Bar lines are among them. */
int64_t grid_floor(const struct session *s, int64_t tick);
int64_t grid_next(const struct session *s, int64_t tick);
int64_t grid_previous(const struct session *s, int64_t tick);

/* act_scale.c. Its pitch classes; 0: none is set. */
uint16_t session_scale_mask(const struct session *s);
/* So many steps up or down as the cursor goes, as far as there are any. */
int session_step_pitch(const struct session *s, int pitch, int by);
/* Where a note that is put there goes: onto the scale, if that is asked for. */
int session_snap_pitch(const struct session *s, int pitch);
/* Where a pitch goes that is moved along with `leader`, which goes so many semitones:
 * likewise, or as many steps of the scale as that is. As far as there are any. */
int session_carry_pitch(const struct session *s, int pitch, int semitones, int leader);
/* Folds away the rows that are not to be shown now, or shows all. */
void session_fold(struct session *s);

#endif
