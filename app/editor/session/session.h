/* The workstation's state: what is open, where the cursor is, what is selected,
 * and what the machine has proposed. One struct, owned by the ui thread; other
 * threads get clones and messages. app/act_*.c change it, session_view shows it.
 *
 * Selection first, then the verb: an edit acts on the selected notes, of whatever
 * tracks, else on the note under the cursor, of the active track. */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "app/editor/session/act.h"
#include "app/editor/perform/answer.h"
#include "app/document/beside.h"
#include "app/editor/takes/displaced.h"
#include "app/editor/edit/find.h"
#include "app/editor/takes/framing.h"
#include "app/generation/generator.h"
#include "app/editor/edit/history_rows.h"
#include "app/editor/inspect/inspect.h"
#include "app/document/grid_step.h"
#include "app/document/groove.h"
#include "app/editor/edit/mouse.h"
#include "app/editor/perform/outward.h"
#include "app/document/project.h"
#include "app/document/proposals.h"
#include "app/editor/perform/recorder.h"
#include "app/document/registers.h"
#include "app/document/rewrite.h"
#include "app/generation/steer.h"
#include "app/editor/session/ways.h"
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

/* The knob that was turned last, which may be turned on (act_mix.c). */
struct turned_knob {
    enum mix_knob knob;
    int track;
    uint64_t state; /* of the history, after that; 0: none was */
    double ms;      /* when, by live_now() */
};

/* The pitches that notes have, and what that was found for. */
struct fold {
    bool is_known;
    uint64_t version, hidden;
    struct pitch_set used;
};

enum prompt {
    PROMPT_COMMAND,
    PROMPT_OPEN,
    PROMPT_SAVE_AS,
    PROMPT_TEMPO,
    PROMPT_SCALE,
    PROMPT_QUANTISE,
    PROMPT_MARKER,
    PROMPT_FIND,
    PROMPT_MAP_EDIT,
    PROMPT_MAP_ADD,
};

/* MODE_MAP: what changes along the piece, as of that version of it. */
struct sign_list {
    struct signs all;
    bool is_read;
    uint64_t version;
    int chosen;
};

/* The loop, which belongs to the piece (act_loop.c). */
struct loop_span {
    int64_t from, to; /* ticks; equal: there is none */
    uint64_t state;   /* of the history, that they are ticks of */
    bool on;
};

/* The lane under the roll (act_lane.c). */
struct lane {
    struct control shown;
    struct lane_points *points; /* of that */
    bool has_anchor;            /* a span of it is chosen, to the cursor */
    int64_t anchor;
    bool is_tall; /* the layout is as MODE_LANE wants it */
    char label[96];
};

/* What the user was told of the store and the file, each thing once (session_kept.c). */
struct kept {
    int error;           /* of the store, as it was said last; 0: none */
    enum file_news news; /* of the file, the same way */
    int64_t looked_ms;   /* when it was last asked for */
};

/* When what is beside the music is to be written (session_beside.c). */
struct beside_watch {
    bool is_known;  /* the piece was looked at: */
    uint64_t look;  /* at what would be in it */
    uint64_t saved; /* as it was when it was saved; 0: not known */
    bool is_there;  /* something was saved. Else the dice do not count */
    bool has_changed;
    bool is_over;                 /* something is written that was not saved */
    int64_t written_ms, pause_ms; /* monotonic; until the next, at least */
};

struct rendering; /* app/editor/perform/rendering.h */

struct session {
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
    bool snaps, folds; /* to the scale: what moves; rows that are shown */
    struct fold fold;
    bool follow;       /* the view follows the playhead and arriving notes */
    bool hide_others;  /* notes of tracks but the active one */
    enum map_wish map; /* of the piece, under the roll */
    struct loop_span loop;
    struct lane lane;
    enum drag drag; /* what the mouse is doing */
    struct mouse mouse;

    /* -- sound -- */
    enum click_wish clicks;
    int count_in, click_volume; /* bars before recording; 0..127 */
    struct rendering
        *rendering; /* app/editor/perform/rendering.h; NULL: none is at work */
    bool had_sound, lost_sound; /* at the last look; and had it before */
    bool font_is_usual;         /* the soundfont that is being loaded was not named */
    struct recorder rec;        /* keyboards, and what is being recorded */
    struct answer answer;       /* playing together */
    struct outward outward;     /* instruments and clocks */

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
    uint64_t humanised_state;   /* the last draw's: of the history, */
    uint64_t humanised_notes;   /* and which notes */
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
    bool was_running;           /* a request, at the last look */
    double first_ghost_ms;      /* from the key to the first note; 0: none yet */

    /* Another take was chosen while it plays: the one before is heard up to a beat. */
    bool is_switching;
    int heard_before; /* as takes.shown */
    int64_t switch_tick;

    enum { LIST_WHERE_ROOM, LIST_SHOWN, LIST_HIDDEN } list; /* of takes */
    struct take_row take_rows[PROPOSALS_MAX];               /* the view points at */
    struct framing framing;
    bool shade_by_probability;
    bool take_figures;                 /* in the list, instead of words */
    char take_why[PROPOSALS_MAX][160]; /* the rows point at */

    /* -- steering (act_steer.c) -- */
    struct steering steering;     /* of the next request */
    struct steering steer_before; /* as it was when the panel was opened, from there */
    enum mode steer_from;
    int steer_chosen;

    /* -- other lists -- */
    struct {
        enum mode from;     /* where it was opened */
        int first;          /* its first row, as far as there is room */
        enum mix_knob knob; /* that - and + turn */
        struct turned_knob turned;
    } track_list;
    struct {
        uint8_t fit[GM_PROGRAMS]; /* the line being typed, */
        int n, step;              /* n of them; steps from the first */
    } instruments;
    struct history_rows history; /* in MODE_HISTORY */
    struct sign_list signs;      /* in MODE_MAP */

    struct inspecting inspect; /* app/editor/inspect/inspect.h */

    /* -- what is typed and sought -- */
    enum prompt prompt;
    char prompt_label[80]; /* what it asks */
    char input[512];
    size_t n_input;
    int help_scroll;
    struct ways ways; /* finding one's way */
    struct find find;

    /* -- what is kept -- */
    struct kept kept;
    struct beside_watch beside_watch;

    /* -- what is shown of all that: text the view points at -- */
    struct displaced displaced; /* by the take that is shown */
    char message[240];
    bool message_is_error;
    char status[160], take_label[160], hole_label[64], change_label[160];
    char grid_name[GRID_STEP_TEXT];
    char model_name[sizeof((struct generator_progress *)0)->model_name];
    struct steer_line steer_lines[STEER_MAX_ROWS];
    char steer_summary[96];
    char theme
        [THEME_NAME_BYTES]; /* asked for by name (tui/cells/theme.h); "": not yet */
    bool redraw;
    bool quit;

    /* -- what other threads have been given -- */
    uint64_t seen, read_ahead; /* project versions: at the last look; read ahead */
    int64_t seen_ms;           /* when `seen` was new, monotonic */
    uint64_t published;        /* project version the player last got */
    bool sound_changed;        /* ghosts, what they replace, mute or solo, since then */
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
/* The same after the history was gone about in, from that state. false, and said: it is
 * there again, since takes would be lost that nobody can ask for once more. */
bool session_arrive(struct session *s, uint64_t from);
/* Takes notes from the model thread; while it plays, keeps the player current. */
void session_tick(struct session *s);
/* session_beside.c: what is kept beside the music (app/document/beside.h). load: what opening found;
 * leaves what was said before standing unless something is wrong. save: with the music that
 * was saved just now. keep_settings: before a piece is left whose music is saved: saves the
 * rest, if it has changed; that the dice went on is nothing to keep where nothing else is.
 * `advice` goes after what is said when it is false. */
void session_load_beside(struct session *s);
bool session_save_beside(struct session *s);
bool session_keep_settings(struct session *s, const char *advice);
/* keep: has it written when it has changed, so that a killed program loses nothing of it;
 * flush: does so now, and blocks. leave: what is there without being saved is not to come
 * back. */
void session_keep_beside(struct session *s);
void session_flush_beside(struct session *s);
void session_write_beside_anew(struct session *s); /* into a store that has nothing */
void session_leave_beside(struct session *s);
int session_beside_patience_ms(const struct session *s); /* -1: nothing is to come */
/* Takes wait that are kept nowhere: the music has no file yet. */
bool session_has_homeless_takes(const struct session *s);
/* What belongs beside it now. To be freed also on failure, which is out of memory. */
bool session_gather_beside(const struct session *s, struct beside *b);
/* There is a file that it would be beside. */
bool session_has_music(const struct session *s);
/* Milliseconds until session_tick has something to do, and what moves by itself is to be
 * drawn anew, if nothing happens before. */
int session_patience_ms(const struct session *s);

/* session_kept.c: what opening found in the store, if it is worth telling; what has
 * become of store and file since, once each. */
void session_say_found(struct session *s);
void session_mind_what_is_kept(struct session *s);
/* Whether the piece's own file may be written over; says so when not. Blocks. */
bool session_may_write(struct session *s, bool forced);

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
void session_clear_selection(struct session *s);
/* session_take.c: what the machine has proposed. */
void session_collect(struct session *s); /* what notes have arrived */
void session_watch_take(struct session *s);
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
void session_follow_loop(struct session *s); /* after time was put in or taken out */
bool session_has_loop(const struct session *s);
/* act_play.c. watch: says when the device goes, or is back; send_clicks: tells the player
 * whether to click now, recording or not. */
void sound_watch(struct session *s);
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
