/* The workstation's state: what is open, where the cursor is, what is selected,
 * and what the machine has proposed. One struct, owned by the ui thread; other
 * threads get clones and messages. app/act_*.c change it, session_view shows it.
 *
 * Selection first, then the verb: an edit acts on the selected notes, of whatever
 * tracks, else on the note under the cursor, of the active track. */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "app/find.h"
#include "app/generator.h"
#include "app/history_rows.h"
#include "app/grid_step.h"
#include "app/groove.h"
#include "app/mouse.h"
#include "app/project.h"
#include "app/proposals.h"
#include "app/recorder.h"
#include "app/registers.h"
#include "app/rewrite.h"
#include "app/steer.h"
#include "app/ways.h"
#include "midi/general_midi.h"
#include "midi/humanise.h"
#include "midi/player.h"
#include "midi/signs.h"
#include "tui/frame.h"
#include "tui/layout.h"
#include "tui/survey.h"
#include "tui/theme.h"
#include "tui/view.h"

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

struct session {
    struct project project;
    struct player *player;
    struct generator *generator;

    enum mode mode, mode_before; /* mode_before: where help and prompts return to */
    struct layout layout;
    struct survey *survey;
    struct viewport port;
    int64_t cursor_tick;
    int cursor_pitch;
    struct grid_step grid;
    bool snaps, folds; /* to the scale: what moves; rows that are shown */
    struct fold fold;
    int track;
    int last_velocity;
    int64_t last_length;      /* of the note put last, ticks; 0: none yet */
    struct groove groove;     /* what `=` does */
    struct humanise humanise; /* what `~` does; the seed of the next draw */
    uint64_t humanised_state,
        humanised_notes; /* the last draw's: history, which notes */
    bool follow;         /* the view follows the playhead and arriving notes */

    bool bars;            /* selecting whole bars, of every pitch, */
    bool all_tracks;      /* and, then, of every track that is seen */
    bool selects_in_take; /* and TAKES is where it began */
    bool has_box;
    int64_t anchor_tick;
    int anchor_pitch;
    struct box box;
    uint64_t *selected; /* ids, of any track, ascending */
    size_t n_selected, cap_selected;
    int n_selected_tracks; /* that they are of */
    struct selected_before selected_before;

    struct registers registers; /* kept from file to file */

    bool has_take;   /* asked for, and neither accepted nor all rejected yet */
    int take_tracks; /* the score had when it was asked */
    struct proposals takes;
    int64_t hole_from, hole_to; /* what was asked for, ticks; equal: not known yet */
    int64_t time_put_in;     /* at the last look (midi/edit.h); else all is elsewhere */
    int64_t music_end;       /* of what the machine heard first, ticks */
    struct generation asked; /* for `r` */
    int takes_once;          /* "2c": as many of this hole; 0: as steered */
    struct rewritten rewritten; /* what of the score the takes would replace */
    bool was_running;           /* a request, at the last look */
    double first_ghost_ms;      /* from the key to the first note; 0: none yet */

    /* Another take was chosen while it plays: the one before is heard up to a beat. */
    bool is_switching;
    int heard_before; /* as takes.shown */
    int64_t switch_tick;

    enum { LIST_WHERE_ROOM, LIST_SHOWN, LIST_HIDDEN } list; /* of takes */
    struct take_row take_rows[PROPOSALS_MAX];               /* the view points at */
    bool shade_by_probability;

    struct steering steering;     /* of the next request */
    struct steering steer_before; /* as it was when the panel was opened, from there */
    enum mode steer_from;
    int steer_chosen;

    enum mode tracks_from;              /* where the list of tracks was opened, */
    int tracks_first;                   /* and its first row, as far as there is room */
    bool hide_others;                   /* notes of tracks but the active one */
    uint8_t instruments[GM_PROGRAMS];   /* that fit the line being typed */
    int n_instruments, instrument_step; /* steps from the first that fits */
    uint64_t arrangement;               /* of tracks, at the last look (midi/edit.h) */

    struct command last_edit; /* for `.` */
    char last_line[128];      /* when that is CMD_SUBMIT */

    struct history_rows history; /* in MODE_HISTORY */
    int kept_error;              /* of the journal, as it was said last; 0: none */
    enum file_news file_news;    /* of the file, the same way */
    int64_t looked_ms;           /* when it was last asked for */

    enum prompt prompt;
    char prompt_label[80];
    char input[512];
    size_t n_input;
    int help_scroll;
    struct ways ways; /* finding one's way */

    int64_t loop_from, loop_to; /* ticks; equal: there is none */
    uint64_t loop_state;        /* of the history, that they are ticks of */
    bool loop_on;
    struct rendering *rendering; /* app/rendering.h; NULL: none is at work */
    bool had_sound, lost_sound; /* at the last look; and had it before */
    enum click_wish clicks;
    int count_in, click_volume; /* bars before recording; 0..127 */
    enum map_wish map;          /* of the piece, under the roll */
    struct sign_list signs;
    struct find find;

    enum drag drag; /* what the mouse is doing */
    struct mouse mouse;

    struct control lane; /* what the lane under the roll shows */
    struct lane_points *lane_points;
    bool lane_has_anchor; /* a span of it is chosen, to the cursor */
    int64_t lane_anchor;
    bool lane_is_tall; /* the layout is as MODE_LANE wants it */
    char lane_label[96];

    struct recorder rec; /* keyboards, and what is being recorded */

    char message[240];
    bool message_is_error;
    char status[160], take_label[160], hole_label[64]; /* text the view points at */
    char grid_name[GRID_STEP_TEXT];
    char model_name[sizeof((struct generator_progress *)0)->model_name];
    struct steer_line steer_lines[STEER_MAX_ROWS];
    char steer_summary[96];

    char *beside;    /* what app/sidecar.h last read or wrote; NULL: not known */
    bool has_beside; /* there is such a file, */
    bool left_out;   /* with takes that do not wait now */

    uint64_t seen,
        read_ahead;  /* project versions at the last look; the machine has read */
    int64_t seen_ms; /* when `seen` was new, monotonic */

    uint64_t published; /* project version the player last got */
    bool sound_changed; /* ghosts, what they replace, mute or solo, since then */
    bool quit;
    bool redraw;
    char theme[THEME_NAME_BYTES]; /* asked for by name (tui/theme.h); "": not yet */
};

/* Paths and names, or NULL for the usual ones. wake_fd is written to when another
 * thread has news. */
struct session_options {
    const char *model, *soundfont, *driver;
    const char *input; /* a MIDI keyboard (midi/input.h); NULL: none is looked for */
    double gain;       /* 0: a sensible one */
    uint64_t seed;
    bool seed_is_asked; /* it holds also against what is kept beside a file */
    int n_threads;
    struct model_precision precision;
    int wake_fd;
    bool journals; /* what is done is kept, and brought back (app/keeping.h) */
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
/* After edits, undo, redo: forgets selected notes, tracks and takes that are gone. */
void session_revalidate(struct session *s);
/* Takes notes from the model thread; while it plays, keeps the player current. */
void session_tick(struct session *s);
/* What is kept beside the music (app/sidecar.h). load leaves what was said before
 * standing unless something is wrong; save says what is, and is then false. */
void session_load_sidecar(struct session *s);
bool session_save_sidecar(struct session *s);
/* Before the piece is left, whose music is saved: saves the rest, if it has changed.
 * That the dice went on makes no file where there was none. `advice` goes after what is
 * said when it is false. */
bool session_keep_sidecar(struct session *s, const char *advice);
/* Milliseconds until session_tick has something to do, and what moves by itself is to be
 * drawn anew, if nothing happens before. */
int session_patience_ms(const struct session *s);

/* session_kept.c: what opening found in the journal, if it is worth telling; what has
 * become of journal and file since, once each. */
void session_say_found(struct session *s);
void session_mind_what_is_kept(struct session *s);
/* Whether the piece's own file may be written over; says so when not. Blocks. */
bool session_may_write(struct session *s, bool forced);

void session_resize(struct session *s, int columns, int rows);
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
 * length does. send: tells the player what the session's loop is. */
void session_set_loop(struct session *s, int64_t from, int64_t to);
void session_send_loop(const struct session *s);
void session_follow_loop(struct session *s); /* after time was put in or taken out */
bool session_has_loop(const struct session *s);
/* act_play.c: tells the player whether to click now, recording or not. */
void sound_watch(struct session *s); /* says when the device goes, or is back */
void session_send_clicks(const struct session *s, bool is_recording);

/* act_find.c. watch: after each command; while what is sought is being typed the view
 * follows, and returns when that was given up. */
void find_watch(struct session *s);
void find_view(struct session *s, struct view *v);
/* act_map.c */
void map_view(struct session *s, struct view *v);

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

/* How often: a count stands before some commands. */
static inline int command_times(const struct command *c)
{
    return c->count > 0 ? c->count : 1;
}

/* Executes one command. */
void act_run(struct session *s, const struct command *c);

typedef void act_fn(struct session *s, const struct command *c);
/* By file; each entry of the table in act.c. */
act_fn act_move, act_bar, act_pitch, act_note_step, act_jump, act_track, act_zoom,
    act_grid, act_grid_kind, act_follow, act_snap, act_fold;
act_fn act_toggle_note, act_delete, act_yank, act_paste, act_duplicate, act_split,
    act_nudge, act_transpose, act_resize_note, act_velocity, act_quantise, act_repeat,
    act_undo, act_redo, act_track_add, act_mute, act_solo;
act_fn act_restore_played, act_humanise, act_legato, act_staccato, act_join,
    act_transpose_step, act_transpose_octave, act_chord;
act_fn act_tracks, act_tracks_prompt, act_track_colour, act_track_channel, act_arm,
    act_hide, act_ghost_notes, act_track_remove, act_track_move, act_tracks_point,
    act_tracks_scroll;
act_fn act_select, act_select_pitch, act_select_tracks, act_select_rest,
    act_select_again, act_draw, act_escape;
act_fn act_continue, act_again, act_accept, act_accept_part, act_stop;
act_fn act_takes, act_take, act_take_step, act_keep, act_shade, act_like, act_reject,
    act_reject_all;
act_fn act_change, act_change_selection;
act_fn act_history_list, act_history_step, act_history_end, act_history_back,
    act_history_point;
act_fn act_steer, act_steer_choose, act_steer_change, act_steer_reset, act_steer_type,
    act_steer_point;
act_fn act_play, act_play_start, act_panic, act_loop, act_metronome;
act_fn act_record, act_piano, act_piano_mode, act_piano_octave, act_piano_velocity,
    act_step_rest, act_step_back;
act_fn act_marker_step, act_find_next, act_find_select, act_map, act_map_step,
    act_map_point, act_map_remove, act_map_move, act_piece_map;
act_fn act_save, act_save_quit, act_prompt, act_quit, act_help, act_text, act_submit,
    act_backspace;
act_fn act_input_move, act_input_delete, act_input_history, act_input_complete,
    act_help_all, act_palette, act_palette_choose, act_palette_point;
act_fn act_point, act_drag, act_release, act_scroll, act_zoom_here;
/* act_lane.c: what the lane needs of a command's end, and of Escape; true: it took it. */
void lane_fit(struct session *s);
bool lane_escape(struct session *s);
act_fn act_lane, act_lane_choose, act_lane_step, act_lane_change, act_lane_put,
    act_lane_remove, act_lane_span, act_lane_ramp;

/* act_ways.c: what follows `:tutor`, `:set`, `:map` and `:config`. */
void act_tutor_line(struct session *s, const char *word);
void act_set_line(struct session *s, const char *words);
void act_map_line(struct session *s, const char *words);
void act_config_line(struct session *s, const char *word);
/* Runs a line typed after `:`; the other two are what prompts ask for. */
void act_command_line(struct session *s, const char *line);
void act_lane_line(struct session *s, const char *word);
void act_value_line(struct session *s, const char *word);
void act_insert_line(struct session *s, const char *word);
/* act_tree.c */
void act_history_line(struct session *s, const char *word);
void act_undo_line(struct session *s, const char *word);
void act_revert_line(struct session *s, const char *word);
void act_earlier_line(struct session *s, const char *word);
void act_later_line(struct session *s, const char *word);
void history_view(struct session *s, struct view *v);
void act_lead_in_line(struct session *s, const char *word);
void act_harmonise_line(struct session *s, const char *word);
void act_tempo_line(struct session *s, const char *line);  /* "96", "3/4", "": none */
void act_tempo_word(struct session *s, const char *word);  /* "96" or "96-120" */
void act_meter_word(struct session *s, const char *word);  /* "3/4" */
void act_marker_line(struct session *s, const char *text); /* "" removes */
void act_find_line(struct session *s, const char *line);
void act_map_edit_line(struct session *s, const char *line);
void act_map_add_line(struct session *s, const char *line);
/* app/act_edit_line.c: lines that change notes. false: it is none. */
bool act_edit_line(struct session *s, const char *verb, const char *rest);
void act_quantise_line(struct session *s, const char *words); /* "80% swing 56" */
void act_swing_line(struct session *s, const char *word);
void act_humanise_line(struct session *s, const char *words);
void act_transpose_line(struct session *s, const char *word);
void act_invert_line(struct session *s, const char *word);
void act_stretch_line(struct session *s, const char *word);
void act_reverse_line(struct session *s, const char *unused);
void act_velocity_line(struct session *s, const char *word);
void act_chord_line(struct session *s, const char *symbol);
/* act_mix.c: of the track; "" tells what it is. */
void act_volume_line(struct session *s, const char *word);
void act_pan_line(struct session *s, const char *word);
void act_reverb_line(struct session *s, const char *word);
void act_chorus_line(struct session *s, const char *word);
/* A leading ~/ is the home folder, as in a shell. false: too long. */
bool file_expand(char *out, size_t n_out, const char *path);
/* act_render.c: "NAME.wav 24 96000". watch: says when it is over. is_stopped: as it was
 * asked; false: there was none. */
void act_render_line(struct session *s, const char *line);
void act_render_over_line(struct session *s, const char *line);
void render_watch(struct session *s);
bool render_is_stopped(struct session *s);
void render_view(const struct session *s, struct view *v);
void act_open_line(struct session *s, const char *path, bool forced);
/* act_scale.c: "G minor", "any", or "guess" or nothing: as the notes have it. */
void act_scale_line(struct session *s, const char *word);
void act_registers_line(struct session *s, const char *unused);
void act_grid_line(struct session *s, const char *word); /* act_grid.c: "1/16t" */
void act_theme_line(struct session *s, const char *name);
/* act_record.c, act_keyboard.c */
void act_record_line(struct session *s, const char *word);
void act_count_in_line(struct session *s, const char *word);
void act_latency_line(struct session *s, const char *word);
void act_pass_line(struct session *s, const char *word);
void act_input_line(struct session *s, const char *name);
void act_monitor_line(struct session *s, const char *word);
/* act_tracks.c: the list of tracks, and one track's name, colour and channel. */
void act_rename_line(struct session *s, const char *name);
void act_colour_line(struct session *s, const char *word);
void act_channel_line(struct session *s, const char *word);
bool tracks_press_line(struct session *s,
                       const struct command *c); /* the foot's line */
void tracks_show_chosen(struct session *s);
void tracks_view(struct session *s, struct view *v);
/* act_instrument.c: chosen by a few letters. */
void act_instrument_line(struct session *s, const char *words);
void instrument_typed(struct session *s);        /* after each letter of any line */
bool instrument_step(struct session *s, int by); /* false: no such line is typed */
void instrument_view(struct session *s, struct view *v);
/* Writes into buf[n], and returns it, what a prompt (app/act_prompt.c) says before what is
 * typed, or begins with; find_begin notes, besides, where it began. */
typedef const char *prompt_text_fn(struct session *s, char *buf, size_t n);
prompt_text_fn tempo_prompt, scale_prompt, marker_text_here, map_edit_text, find_begin;
/* Opens the command line with `line` in it, to be gone on with. */
void prompt_open_line(struct session *s, const char *line);
/* act_steer.c: "density" and "2". false: there is no such value. */
bool act_steer_line(struct session *s, const char *name, const char *value);
void steer_view(struct session *s, struct view *v);
/* path NULL: where it came from. forced: also over another file. */
bool act_save_as(struct session *s, const char *path, bool forced);
/* Recomputes `selected` from the anchor and the cursor, or from `box`. */
void select_box(struct session *s);
/* Selects, in the place of what was, every note of a choice: of the active track, or of
 * all that are not hidden. `has` may look at what was selected in selected_before, if
 * anything was. */
struct choice {
    bool (*has)(const struct session *s, const struct note *n, const void *of);
    const void *of;
    bool all_tracks;
};
void select_where(struct session *s, const struct choice *c);
/* act_choose.c: "velocity>90 bar 3-5" */
void act_select_line(struct session *s, const char *words);
bool select_has(const struct session *s, uint64_t id);
void select_one(struct session *s, uint64_t id);
void select_toggle(struct session *s, uint64_t id); /* the others stay chosen */
void select_forget_missing(struct session *s);
enum mode select_mode_after(const struct session *s); /* where SELECT began */

#endif
