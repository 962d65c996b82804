/* The editor's parts, in the order in which they are run through: first those whose turn
 * matters (what was played, what was answered, what has arrived, what is heard, where the view
 * is, what is kept, what is inspected), then all others. A part is added here. */
#include "app/editor/session/part.h"

/* app/editor/session */
extern const struct editor_part SELECT_PART, GRID_PART, LOOP_PART, SCALE_PART;

/* app/editor/takes */
extern const struct editor_part TAKE_VIEW_PART, ARRIVAL_PART, HEARING_PART,
    FRAMING_PART, MACHINE_PART, ACCEPT_PART, COMPOSE_PART, HOLE_PART, STEER_PART,
    TAKES_PART;

/* app/editor/perform */
extern const struct editor_part RECORDER_PART, ANSWER_PART, RENDER_PART, PLAY_PART,
    OUTPUT_PART, SOUNDFONT_PART, RECORD_PART, KEYBOARD_PART, LAY_PART, PIANO_PART,
    STEP_PART, TAP_PART;

/* app/editor/edit */
extern const struct editor_part MOVE_PART, MOUSE_PART, CLIP_PART, CHOOSE_PART,
    CHORD_PART, EDIT_PART, FIND_PART, HISTORY_PART, INSTRUMENT_PART, JOIN_PART,
    LANE_PART, LANE_EDIT_PART, MAP_PART, MARKER_PART, MIX_PART, MOUSE_VIEW_PART,
    SHAPE_PART, TEMPO_PART, TIMING_PART, TRACK_FILE_PART, TRACKS_PART, TRANSPOSE_PART,
    TREE_PART, VELOCITY_PART;

/* app/editor/inspect */
extern const struct editor_part INSPECT_PART, INSPECT_FOLLOW_PART, INSPECT_LOOK_PART,
    INSPECT_MACHINE_PART;

/* app/editor/keep */
extern const struct editor_part BESIDE_PART, KEPT_PART;

/* app/editor/shell */
extern const struct editor_part TUTOR_PART, COMPLETE_PART, FILE_PART, INPUT_PART,
    PALETTE_PART, PROMPT_PART, WAYS_PART, ESCAPE_PART, CONFIGURED_PART;

const struct editor_part *const EDITOR_PARTS[] = {
    &SELECT_PART,
    &TAKE_VIEW_PART,
    &RECORDER_PART,
    &ANSWER_PART,
    &ARRIVAL_PART,
    &RENDER_PART,
    &PLAY_PART,
    &OUTPUT_PART,
    &TUTOR_PART,
    &HEARING_PART,
    &SOUNDFONT_PART,
    &MOVE_PART,
    &FRAMING_PART,
    &MOUSE_PART,
    &MACHINE_PART,
    &RECORD_PART,
    &BESIDE_PART,
    &CLIP_PART,
    &KEPT_PART,
    &INSPECT_PART,
    &INSPECT_FOLLOW_PART,
    &INSPECT_LOOK_PART,
    &INSPECT_MACHINE_PART,

    &GRID_PART,
    &LOOP_PART,
    &SCALE_PART,
    &CHOOSE_PART,
    &CHORD_PART,
    &EDIT_PART,
    &FIND_PART,
    &HISTORY_PART,
    &INSTRUMENT_PART,
    &JOIN_PART,
    &LANE_PART,
    &LANE_EDIT_PART,
    &MAP_PART,
    &MARKER_PART,
    &MIX_PART,
    &MOUSE_VIEW_PART,
    &SHAPE_PART,
    &TEMPO_PART,
    &TIMING_PART,
    &TRACK_FILE_PART,
    &TRACKS_PART,
    &TRANSPOSE_PART,
    &TREE_PART,
    &VELOCITY_PART,
    &ACCEPT_PART,
    &COMPOSE_PART,
    &HOLE_PART,
    &STEER_PART,
    &TAKES_PART,
    &KEYBOARD_PART,
    &LAY_PART,
    &PIANO_PART,
    &STEP_PART,
    &TAP_PART,
    &COMPLETE_PART,
    &FILE_PART,
    &INPUT_PART,
    &PALETTE_PART,
    &PROMPT_PART,
    &WAYS_PART,
    &ESCAPE_PART,
    &CONFIGURED_PART,
    NULL,
};
