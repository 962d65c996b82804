/* The table from command to action, and what surrounds every action: what `.`
 * repeats, and following a stopped playhead. */
#include "app/editor/session/session.h"
#include "tui/panels/help.h"

#include <stdio.h>
#include <string.h>

static void act_redraw(struct session *s, const struct command *c)
{
    (void)c;
    s->redraw = true;
}

static act_fn *const ACTIONS[CMD_COUNT] = {
    [CMD_LEFT] = act_move,
    [CMD_RIGHT] = act_move,
    [CMD_UP] = act_pitch,
    [CMD_DOWN] = act_pitch,
    [CMD_OCTAVE_UP] = act_pitch,
    [CMD_OCTAVE_DOWN] = act_pitch,
    [CMD_BAR_LEFT] = act_bar,
    [CMD_BAR_RIGHT] = act_bar,
    [CMD_NOTE_NEXT] = act_note_step,
    [CMD_NOTE_PREVIOUS] = act_note_step,
    [CMD_NOTE_END] = act_note_step,
    [CMD_LINE_START] = act_jump,
    [CMD_LINE_END] = act_jump,
    [CMD_PIECE_START] = act_jump,
    [CMD_PIECE_END] = act_jump,
    [CMD_TRACK_NEXT] = act_track,
    [CMD_TRACK_PREVIOUS] = act_track,
    [CMD_ZOOM_IN] = act_zoom,
    [CMD_ZOOM_OUT] = act_zoom,
    [CMD_ZOOM_IN_PITCH] = act_zoom,
    [CMD_ZOOM_OUT_PITCH] = act_zoom,
    [CMD_GRID_FINER] = act_grid,
    [CMD_GRID_COARSER] = act_grid,
    [CMD_GRID_TRIPLET] = act_grid_kind,
    [CMD_GRID_DOTTED] = act_grid_kind,
    [CMD_GRID_FREE] = act_grid_kind,
    [CMD_SCALE] = act_prompt,
    [CMD_SNAP] = act_snap,
    [CMD_FOLD] = act_fold,
    [CMD_FOLLOW] = act_follow,
    [CMD_TOGGLE_NOTE] = act_toggle_note,
    [CMD_DELETE] = act_delete,
    [CMD_YANK] = act_yank,
    [CMD_PASTE] = act_paste,
    [CMD_DUPLICATE] = act_duplicate,
    [CMD_SPLIT] = act_split,
    [CMD_NUDGE_LEFT] = act_nudge,
    [CMD_NUDGE_RIGHT] = act_nudge,
    [CMD_TRANSPOSE_UP] = act_transpose,
    [CMD_TRANSPOSE_DOWN] = act_transpose,
    [CMD_SHORTER] = act_resize_note,
    [CMD_LONGER] = act_resize_note,
    [CMD_SOFTER] = act_velocity,
    [CMD_LOUDER] = act_velocity,
    [CMD_CHORD] = act_chord,
    [CMD_HUMANISE] = act_humanise,
    [CMD_RESTORE_PLAYED] = act_restore_played,
    [CMD_LEGATO] = act_legato,
    [CMD_STACCATO] = act_staccato,
    [CMD_JOIN] = act_join,
    [CMD_SCALE_STEP_UP] = act_transpose_step,
    [CMD_SCALE_STEP_DOWN] = act_transpose_step,
    [CMD_NOTES_OCTAVE_UP] = act_transpose_octave,
    [CMD_NOTES_OCTAVE_DOWN] = act_transpose_octave,
    [CMD_QUANTISE] = act_quantise,
    [CMD_QUANTISE_ASK] = act_prompt,
    [CMD_REPEAT] = act_repeat,
    [CMD_UNDO] = act_undo,
    [CMD_REDO] = act_redo,
    [CMD_SELECT_BOX] = act_select,
    [CMD_SELECT_BARS] = act_select,
    [CMD_SELECT_BARS_ALL] = act_select,
    [CMD_SELECT_ALL] = act_select_tracks,
    [CMD_SELECT_TRACK] = act_select_tracks,
    [CMD_SELECT_TRACKS] = act_select_tracks,
    [CMD_SELECT_PITCH] = act_select_pitch,
    [CMD_SELECT_PITCH_CLASS] = act_select_pitch,
    [CMD_SELECT_OUT_OF_SCALE] = act_select_pitch,
    [CMD_SELECT_REST] = act_select_rest,
    [CMD_SELECT_AGAIN] = act_select_again,
    [CMD_DRAW] = act_draw,
    [CMD_TRACK_ADD] = act_track_add,
    [CMD_MUTE] = act_mute,
    [CMD_SOLO] = act_solo,
    [CMD_ARM] = act_arm,
    [CMD_HIDE] = act_hide,
    [CMD_GHOST_NOTES] = act_ghost_notes,
    [CMD_TRACKS] = act_tracks,
    [CMD_TRACK_RENAME] = act_tracks_prompt,
    [CMD_TRACK_INSTRUMENT] = act_tracks_prompt,
    [CMD_TRACK_COLOUR] = act_track_colour,
    [CMD_TRACK_CHANNEL] = act_track_channel,
    [CMD_TRACK_REMOVE] = act_track_remove,
    [CMD_TRACK_UP] = act_track_move,
    [CMD_TRACK_DOWN] = act_track_move,
    [CMD_TRACKS_POINT] = act_tracks_point,
    [CMD_MIX_NEXT] = act_mix_choose,
    [CMD_MIX_PREVIOUS] = act_mix_choose,
    [CMD_MIX_MORE] = act_mix_turn,
    [CMD_MIX_LESS] = act_mix_turn,
    [CMD_MIX_RESET] = act_mix_reset,
    [CMD_TRACKS_SCROLL_DOWN] = act_tracks_scroll,
    [CMD_TRACKS_SCROLL_UP] = act_tracks_scroll,
    [CMD_TEMPO] = act_prompt,
    [CMD_LANE] = act_lane,
    [CMD_LANE_NEXT] = act_lane_choose,
    [CMD_LANE_PREVIOUS] = act_lane_choose,
    [CMD_LANE_EVENT_NEXT] = act_lane_step,
    [CMD_LANE_EVENT_PREVIOUS] = act_lane_step,
    [CMD_LANE_SPAN] = act_lane_span,
    [CMD_LANE_UP] = act_lane_change,
    [CMD_LANE_DOWN] = act_lane_change,
    [CMD_LANE_UP_FAR] = act_lane_change,
    [CMD_LANE_DOWN_FAR] = act_lane_change,
    [CMD_LANE_PUT] = act_lane_put,
    [CMD_LANE_REMOVE] = act_lane_remove,
    [CMD_LANE_RAMP] = act_lane_ramp,
    [CMD_CONTINUE] = act_continue,
    [CMD_CHANGE_BARS] = act_change,
    [CMD_CHANGE_LINE_END] = act_change,
    [CMD_CHANGE_BAR_RIGHT] = act_change,
    [CMD_CHANGE_NOTE_NEXT] = act_change,
    [CMD_CHANGE_PIECE_END] = act_change,
    [CMD_CHANGE_SELECTION] = act_change_selection,
    [CMD_AGAIN] = act_again,
    [CMD_ACCEPT] = act_accept,
    [CMD_ACCEPT_PART] = act_accept_part,
    [CMD_REJECT] = act_reject,
    [CMD_REJECT_ALL] = act_reject_all,
    [CMD_STOP] = act_stop,
    [CMD_TAKES] = act_takes,
    [CMD_TAKE] = act_take,
    [CMD_TAKE_ORIGINAL] = act_take,
    [CMD_TAKE_NEXT] = act_take_step,
    [CMD_TAKE_PREVIOUS] = act_take_step,
    [CMD_KEEP] = act_keep,
    [CMD_SHADE] = act_shade,
    [CMD_TAKE_FIGURES] = act_take_figures,
    [CMD_TAKE_LIKE] = act_like,
    [CMD_TAKE_DISLIKE] = act_like,
    [CMD_STEER] = act_steer,
    [CMD_STEER_NEXT] = act_steer_choose,
    [CMD_STEER_PREVIOUS] = act_steer_choose,
    [CMD_STEER_LESS] = act_steer_change,
    [CMD_STEER_MORE] = act_steer_change,
    [CMD_STEER_RESET] = act_steer_reset,
    [CMD_STEER_TYPE] = act_steer_type,
    [CMD_STEER_POINT] = act_steer_point,
    [CMD_INSPECT] = act_inspect,
    [CMD_INSPECT_LEFT] = act_inspect_move,
    [CMD_INSPECT_RIGHT] = act_inspect_move,
    [CMD_INSPECT_UP] = act_inspect_move,
    [CMD_INSPECT_DOWN] = act_inspect_move,
    [CMD_INSPECT_LAYER_NEXT] = act_inspect_layer,
    [CMD_INSPECT_LAYER_PREVIOUS] = act_inspect_layer,
    [CMD_INSPECT_HEAD_NEXT] = act_inspect_head,
    [CMD_INSPECT_HEAD_PREVIOUS] = act_inspect_head,
    [CMD_INSPECT_MANY] = act_inspect_many,
    [CMD_INSPECT_WAY] = act_inspect_way,
    [CMD_INSPECT_SCALE] = act_inspect_scale,
    [CMD_INSPECT_PART] = act_inspect_part,
    [CMD_INSPECT_ROW] = act_inspect_row,
    [CMD_INSPECT_PIN] = act_inspect_pin,
    [CMD_INSPECT_MUTE] = act_inspect_mute,
    [CMD_INSPECT_MUTE_HEAD] = act_inspect_mute_head,
    [CMD_INSPECT_MATTERS] = act_inspect_matters,
    [CMD_INSPECT_SURPRISE] = act_inspect_surprise,
    [CMD_INSPECT_REWRITE] = act_inspect_rewrite,
    [CMD_INSPECT_REWRITE_WORST] = act_inspect_rewrite_worst,
    [CMD_INSPECT_CHOOSE] = act_inspect_choose,
    [CMD_INSPECT_LIVE] = act_inspect_live,
    [CMD_INSPECT_PAGE] = act_inspect_page,
    [CMD_INSPECT_PAGE_BACK] = act_inspect_page,
    [CMD_INSPECT_POINT] = act_inspect_point,
    [CMD_HISTORY] = act_history_list,
    [CMD_HISTORY_OLDER] = act_history_step,
    [CMD_HISTORY_NEWER] = act_history_step,
    [CMD_HISTORY_OLDEST] = act_history_end,
    [CMD_HISTORY_NEWEST] = act_history_end,
    [CMD_HISTORY_BACK] = act_history_back,
    [CMD_HISTORY_POINT] = act_history_point,
    [CMD_PLAY] = act_play,
    [CMD_PLAY_START] = act_play_start,
    [CMD_PANIC] = act_panic,
    [CMD_LOOP] = act_loop,
    [CMD_RECORD] = act_record,
    [CMD_TAP] = act_tap,
    [CMD_ANSWER] = act_answer,
    [CMD_PIANO_PLAY] = act_piano_mode,
    [CMD_PIANO_STEP] = act_piano_mode,
    [CMD_PIANO_LEAVE] = act_piano_mode,
    [CMD_PIANO] = act_piano,
    [CMD_PIANO_LOWER] = act_piano_octave,
    [CMD_PIANO_HIGHER] = act_piano_octave,
    [CMD_PIANO_SOFTER] = act_piano_velocity,
    [CMD_PIANO_LOUDER] = act_piano_velocity,
    [CMD_STEP_REST] = act_step_rest,
    [CMD_STEP_BACK] = act_step_back,
    [CMD_METRONOME] = act_metronome,
    [CMD_MARKER] = act_prompt,
    [CMD_MARKER_NEXT] = act_marker_step,
    [CMD_MARKER_PREVIOUS] = act_marker_step,
    [CMD_FIND] = act_prompt,
    [CMD_FIND_NEXT] = act_find_next,
    [CMD_FIND_PREVIOUS] = act_find_next,
    [CMD_FIND_SELECT] = act_find_select,
    [CMD_MAP] = act_map,
    [CMD_MAP_NEXT] = act_map_step,
    [CMD_MAP_PREVIOUS] = act_map_step,
    [CMD_MAP_EDIT] = act_prompt,
    [CMD_MAP_ADD] = act_prompt,
    [CMD_MAP_REMOVE] = act_map_remove,
    [CMD_MAP_EARLIER] = act_map_move,
    [CMD_MAP_LATER] = act_map_move,
    [CMD_MAP_POINT] = act_map_point,
    [CMD_PIECE_MAP] = act_piece_map,
    [CMD_SAVE] = act_save,
    [CMD_SAVE_AS] = act_prompt,
    [CMD_OPEN] = act_prompt,
    [CMD_COMMAND_LINE] = act_prompt,
    [CMD_HELP] = act_help,
    [CMD_ESCAPE] = act_escape,
    [CMD_QUIT] = act_quit,
    [CMD_QUIT_NOW] = act_quit,
    [CMD_SAVE_QUIT] = act_save_quit,
    [CMD_REDRAW] = act_redraw,
    [CMD_POINT] = act_point,
    [CMD_DRAG] = act_drag,
    [CMD_RELEASE] = act_release,
    [CMD_SCROLL_LEFT] = act_scroll,
    [CMD_SCROLL_RIGHT] = act_scroll,
    [CMD_SCROLL_UP] = act_scroll,
    [CMD_SCROLL_DOWN] = act_scroll,
    [CMD_ZOOM_IN_HERE] = act_zoom_here,
    [CMD_ZOOM_OUT_HERE] = act_zoom_here,
    [CMD_ZOOM_IN_PITCH_HERE] = act_zoom_here,
    [CMD_ZOOM_OUT_PITCH_HERE] = act_zoom_here,
    [CMD_TEXT] = act_text,
    [CMD_SUBMIT] = act_submit,
    [CMD_BACKSPACE] = act_backspace,
    [CMD_INPUT_LEFT] = act_input_move,
    [CMD_INPUT_RIGHT] = act_input_move,
    [CMD_INPUT_START] = act_input_move,
    [CMD_INPUT_END] = act_input_move,
    [CMD_INPUT_DELETE] = act_input_delete,
    [CMD_INPUT_WORD] = act_input_delete,
    [CMD_INPUT_CLEAR] = act_input_delete,
    [CMD_INPUT_OLDER] = act_input_history,
    [CMD_INPUT_NEWER] = act_input_history,
    [CMD_INPUT_COMPLETE] = act_input_complete,
    [CMD_PALETTE] = act_palette,
    [CMD_PALETTE_NEXT] = act_palette_choose,
    [CMD_PALETTE_PREVIOUS] = act_palette_choose,
    [CMD_PALETTE_POINT] = act_palette_point,
    [CMD_HELP_ALL] = act_help_all,
};

/* What `.` does again: changes to notes at the cursor or of the selection. */
static bool is_repeatable(enum command_id id)
{
    bool is_of_lane = id >= CMD_LANE_UP && id <= CMD_LANE_RAMP;
    return ((id >= CMD_TOGGLE_NOTE && id <= CMD_QUANTISE) && id != CMD_YANK &&
            id != CMD_REGISTER) ||
           is_of_lane;
}

/* What is played together has ended by then. */
static bool is_about_takes(enum command_id id)
{
    return id >= CMD_CONTINUE && id <= CMD_TAKE_DISLIKE;
}

/* In the help, moving scrolls. */
static bool scroll_help(struct session *s, const struct command *c)
{
    int by = c->id == CMD_DOWN || c->id == CMD_SCROLL_DOWN ? 1
             : c->id == CMD_UP || c->id == CMD_SCROLL_UP   ? -1
             : c->id == CMD_OCTAVE_DOWN                    ? 10
             : c->id == CMD_OCTAVE_UP                      ? -10
                                                           : 0;
    s->help_scroll += by * command_times(c);
    const struct help_page page = {s->ways.keymap, s->mode_before, s->ways.help_all};
    int most = help_max_scroll(&page, s->layout.columns, s->layout.rows);
    if (s->help_scroll > most)
        s->help_scroll = most;
    if (s->help_scroll < 0 || c->id == CMD_PIECE_START)
        s->help_scroll = 0;
    return by != 0 || c->id == CMD_PIECE_START;
}

/* After what was said of the action itself. */
static void say_what_went(struct session *s)
{
    size_t n = strlen(s->message);
    if (s->takes_went)
        snprintf(s->message + n, sizeof s->message - n,
                 "%sthe takes had no place any more", n ? "; " : "");
    s->takes_went = false;
}

void act_run(struct session *s, const struct command *c)
{
    act_fn *act = c->id > CMD_NONE && c->id < CMD_COUNT ? ACTIONS[c->id] : NULL;
    if (!act)
        return;
    if (s->mode == MODE_HELP && scroll_help(s, c))
        return;
    if (s->mode != MODE_PROMPT && s->mode != MODE_PALETTE && c->id != CMD_ESCAPE &&
        c->id < CMD_POINT)
        s->message[0] = '\0';
    if (is_about_takes(c->id))
        answer_stop(s);
    if (mouse_is_in_the_way(s, c->id))
        mouse_cancel(s);
    if (is_repeatable(c->id))
        s->last_edit = *c;
    act(s, c);
    say_what_went(s);
    lane_fit(s);
    find_watch(s);
    inspect_fit(s);
    framing_acted(s);
}
