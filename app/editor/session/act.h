/* The actions: what the table in act.c and the lines typed after `:` call, and what
 * actions lend one another. Each says to the user what it did, or why it did not
 * (session_say). UI thread only. */
#ifndef APP_ACT_H
#define APP_ACT_H

#include "app/decoding/learnt_styles.h"
#include "app/generation/steer.h"
#include "tui/keys/command.h"
#include "tui/view/view.h"

struct session;

/* Executes one command. */
void act_run(struct session *s, const struct command *c);

/* How often: a count stands before some commands. */
static inline int command_times(const struct command *c)
{
    return c->count > 0 ? c->count : 1;
}

/* -- commands, as act.c has them; by file -- */

typedef void act_fn(struct session *s, const struct command *c);
/* act_move.c */
act_fn act_move, act_bar, act_pitch, act_note_step, act_jump, act_track, act_zoom,
    act_follow;
/* act_grid.c */
act_fn act_grid, act_grid_kind;
/* act_scale.c */
act_fn act_snap, act_fold;
/* act_edit.c */
act_fn act_toggle_note, act_nudge, act_resize_note;
/* act_clip.c */
act_fn act_delete, act_yank, act_paste, act_duplicate;
/* act_join.c */
act_fn act_split, act_join;
/* act_transpose.c */
act_fn act_transpose, act_transpose_step, act_transpose_octave;
/* act_velocity.c */
act_fn act_velocity;
/* act_timing.c */
act_fn act_quantise, act_restore_played, act_humanise;
/* act_shape.c */
act_fn act_legato, act_staccato;
/* act_chord.c */
act_fn act_chord;
/* act_history.c */
act_fn act_repeat, act_undo, act_redo, act_mute, act_solo;
/* act_line.c */
act_fn act_track_add;
/* act_tracks.c */
act_fn act_tracks, act_tracks_prompt, act_tracks_point, act_tracks_scroll,
    act_track_colour, act_arm, act_hide, act_ghost_notes;
/* act_track_file.c */
act_fn act_track_channel, act_track_remove, act_track_move;
/* act_select.c */
act_fn act_select, act_draw, act_escape;
/* act_choose.c */
act_fn act_select_pitch, act_select_tracks, act_select_rest, act_select_again;
/* act_lane.c */
act_fn act_lane, act_lane_choose, act_lane_step, act_lane_span;
/* act_lane_edit.c */
act_fn act_lane_change, act_lane_put, act_lane_remove, act_lane_ramp;
/* act_machine.c */
act_fn act_continue, act_again, act_stop;
/* act_hole.c */
act_fn act_change, act_change_selection;
/* act_accept.c */
act_fn act_accept, act_accept_part;
/* act_takes.c */
act_fn act_takes, act_take, act_take_step, act_keep, act_shade, act_take_figures,
    act_like, act_reject, act_reject_all;
/* act_steer.c */
act_fn act_steer, act_steer_choose, act_steer_change, act_steer_reset, act_steer_type,
    act_steer_point;
/* act_inspect.c */
act_fn act_inspect, act_inspect_move, act_inspect_pin, act_inspect_surprise,
    act_inspect_point;
/* act_inspect_look.c */
act_fn act_inspect_layer, act_inspect_head, act_inspect_many, act_inspect_way,
    act_inspect_scale, act_inspect_part, act_inspect_row, act_inspect_page,
    act_inspect_matters, act_inspect_live;
/* act_inspect_machine.c */
act_fn act_inspect_mute, act_inspect_mute_head, act_inspect_rewrite,
    act_inspect_rewrite_worst, act_inspect_choose;
/* act_tree.c */
act_fn act_history_list, act_history_step, act_history_end, act_history_back,
    act_history_point;
/* act_play.c */
act_fn act_play, act_play_start, act_panic, act_metronome;
/* act_record.c */
act_fn act_record;
/* act_answer.c */
act_fn act_answer;
/* act_piano.c */
act_fn act_piano, act_piano_mode, act_piano_octave, act_piano_velocity;
/* act_step.c */
act_fn act_step_rest, act_step_back;
/* act_loop.c */
act_fn act_loop;
/* act_marker.c */
act_fn act_marker_step;
act_fn act_tap; /* act_tap.c */
/* act_find.c */
act_fn act_find_next, act_find_select;
/* act_map.c */
act_fn act_map, act_map_step, act_map_point, act_map_remove, act_map_move,
    act_piece_map;
/* act_file.c */
act_fn act_save, act_save_quit, act_quit;
/* act_prompt.c */
act_fn act_prompt, act_submit, act_help, act_help_all;
/* act_input.c */
act_fn act_text, act_backspace, act_input_move, act_input_delete, act_input_history;
/* act_complete.c */
act_fn act_input_complete;
/* act_palette.c */
act_fn act_palette, act_palette_choose, act_palette_point;
/* act_mouse.c */
act_fn act_point, act_drag, act_release;
/* act_mouse_view.c */
act_fn act_scroll, act_zoom_here;

/* -- lines: what follows their word, or was typed at their prompt; by file -- */

typedef void act_line_fn(struct session *s, const char *text);
/* act_line.c: with its word */
act_line_fn act_command_line;
/* act_tempo.c: "96", "3/4", or "": what begins here goes; "96" or "96-120"; "3/4" */
act_line_fn act_tempo_line, act_tempo_word, act_meter_word;
/* act_marker.c: "" removes */
act_line_fn act_marker_line;
/* act_find.c */
act_line_fn act_find_line;
/* act_map.c */
act_line_fn act_map_edit_line, act_map_add_line;
/* act_timing.c */
act_line_fn act_quantise_line, act_swing_line, act_humanise_line;
/* act_transpose.c */
act_line_fn act_transpose_line, act_invert_line;
/* act_shape.c */
act_line_fn act_stretch_line, act_reverse_line;
/* act_velocity.c */
act_line_fn act_velocity_line;
/* act_chord.c */
act_line_fn act_chord_line;
/* act_choose.c */
act_line_fn act_select_line;
/* act_clip.c */
act_line_fn act_registers_line;
/* act_grid.c: "1/16t" */
act_line_fn act_grid_line;
/* act_scale.c: "G minor", "any", "guess" or nothing */
act_line_fn act_scale_line;
/* act_lane.c */
act_line_fn act_lane_line;
/* act_lane_edit.c */
act_line_fn act_value_line;
/* act_track_file.c */
act_line_fn act_rename_line, act_channel_line;
/* act_tracks.c */
act_line_fn act_colour_line;
/* act_instrument.c */
act_line_fn act_instrument_line;
/* act_compose.c */
act_line_fn act_insert_line, act_lead_in_line, act_harmonise_line;
/* act_tree.c */
act_line_fn act_history_line, act_undo_line, act_revert_line, act_earlier_line,
    act_later_line;
/* act_ways.c */
act_line_fn act_tutor_line, act_set_line, act_theme_line, act_map_line, act_config_line;

act_fn act_mix_choose, act_mix_turn, act_mix_reset;
/* act_mix.c: of the track; "" tells what it is */
act_line_fn act_volume_line, act_pan_line, act_reverb_line, act_chorus_line;
/* act_render.c: "NAME.wav 24 96000" */
act_line_fn act_render_line, act_render_over_line;
/* act_soundfont.c */
act_line_fn act_soundfont_line;
/* act_record.c, act_keyboard.c */
act_line_fn act_record_line, act_count_in_line, act_latency_line, act_pass_line;
act_line_fn act_input_line, act_monitor_line;
act_line_fn act_lay_line; /* act_lay.c */
/* act_answer.c */
act_line_fn act_answer_line;
act_line_fn act_output_line, act_clock_line;

/* act_edit_line.c: the lines among them that change notes, which `.` does again;
 * act_steer.c: "density" and "2". false: there is none of that name. */
bool act_edit_line(struct session *s, const char *verb, const char *rest);
bool act_steer_line(struct session *s, const char *name, const char *value);
/* act_steer.c: the style wanted is one that the model has learnt. "one of: guess any ..."
 * is what a row wants; buf is returned, or what else says so. */
bool steer_is_offered(const struct session *s, const struct steering *wanted);
const char *steer_line_wants(const struct session *s, const struct steer_row *r,
                             char buf[LEARNT_LIST_BYTES]);
/* A style from a configuration, or of another model, that this one has not learnt becomes
 * a guess, which is said. */
void steer_follow(struct session *s);
/* act_file.c. forced: also from unsaved music, and over another file. path NULL: where it
 * came from. */
void act_open_line(struct session *s, const char *path, bool forced);
bool act_save_as(struct session *s, const char *path, bool forced);

/* A leading ~/ is the home folder, as in a shell. false: too long. */
bool file_expand(char *out, size_t n_out, const char *path);
const char *file_base_name(const char *path); /* what follows its last slash */
/* act_soundfont.c: says when the font that was asked for is there. */
void soundfont_watch(struct session *s);
/* act_render.c. watch: says when it is over. is_stopped: as it was asked; false: there was
 * none. */
void render_watch(struct session *s);
bool render_is_stopped(struct session *s);

/* -- prompts -- */

/* act_prompt.c: opens the command line with `line` in it, to be gone on with. */
void prompt_open_line(struct session *s, const char *line);
/* Writes into buf[n], and returns it, what a prompt (app/editor/shell/act_prompt.c) says before what is
 * typed, or begins with; find_begin notes, besides, where it began. */
typedef const char *prompt_text_fn(struct session *s, char *buf, size_t n);
prompt_text_fn tempo_prompt, scale_prompt, marker_text_here, map_edit_text, find_begin;
/* act_find.c. begin: the prompt is opened; watch: after each command: while what is sought
 * is being typed the view follows, and returns when that was given up. */
void find_watch(struct session *s);

/* act_instrument.c. typed: after each letter of any line; step: up or down the list,
 * false: no such line is typed. */
void instrument_typed(struct session *s);
bool instrument_step(struct session *s, int by);

/* -- selecting (act_select.c) -- */

bool select_has(const struct session *s, uint64_t id);
void select_one(struct session *s, uint64_t id);
void select_toggle(struct session *s, uint64_t id); /* the others stay chosen */
void select_forget_missing(struct session *s);
/* Recomputes the box from the anchor and the cursor, and what is selected from it. */
void select_box(struct session *s);
enum mode select_mode_after(const struct session *s); /* where SELECT began */

/* Selects, in the place of what was, every note of a choice: of the active track, or of
 * all that are not hidden. `has` may look at what was selected in selected_before, if
 * anything was. */
struct choice {
    bool (*has)(const struct session *s, const struct note *n, const void *of);
    const void *of;
    bool all_tracks;
};
void select_where(struct session *s, const struct choice *c);

/* -- the lane and the list of tracks -- */

/* act_lane.c: what the lane needs of a command's end, and of Escape; true: it took it. */
void lane_fit(struct session *s);
bool lane_escape(struct session *s);
/* act_tracks.c: a press on the foot's line of tracks; false: it was not there. */
bool tracks_press_line(struct session *s, const struct command *c);
void tracks_show_chosen(struct session *s); /* scrolls the list to it */

/* -- each one's part of the view (session_view) -- */

void find_view(struct session *s, struct view *v);
void map_view(struct session *s, struct view *v);
void history_view(struct session *s, struct view *v);
void tracks_view(struct session *s, struct view *v);
void instrument_view(struct session *s, struct view *v);
void steer_view(struct session *s, struct view *v);
void render_view(const struct session *s, struct view *v);

#endif
