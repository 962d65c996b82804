/* The editor's parts, in the order in which they are run through. A part is added here. */
#include "app/editor/session/part.h"

#include <stddef.h>

/* app/editor/edit */
extern const struct editor_part EDIT_PART, MOVE_PART, GRID_PART, SCALE_PART, CLIP_PART,
    JOIN_PART, TRANSPOSE_PART, VELOCITY_PART, CHORD_PART, TIMING_PART, SHAPE_PART,
    HISTORY_PART, TREE_PART, SELECT_PART, CHOOSE_PART, TRACKS_PART, TRACK_FILE_PART,
    MIX_PART, INSTRUMENT_PART, LANE_PART, LANE_EDIT_PART, TEMPO_PART, MAP_PART,
    MARKER_PART, LOOP_PART, LAY_PART, TAP_PART, FIND_PART, MOUSE_PART, MOUSE_VIEW_PART;

/* app/editor/takes */
extern const struct editor_part MACHINE_PART, HOLE_PART, ACCEPT_PART, TAKES_PART,
    STEER_PART, COMPOSE_PART, FRAMING_PART;

/* app/editor/perform */
extern const struct editor_part PLAY_PART, RECORD_PART, KEYBOARD_PART, PIANO_PART,
    STEP_PART, ANSWER_PART, OUTPUT_PART, RENDER_PART, SOUNDFONT_PART;

/* app/editor/inspect */
extern const struct editor_part INSPECT_PART, INSPECT_LOOK_PART, INSPECT_MACHINE_PART;

/* app/editor/shell */
extern const struct editor_part PROMPT_PART, INPUT_PART, COMPLETE_PART, PALETTE_PART,
    FILE_PART, WAYS_PART;

const struct editor_part *const EDITOR_PARTS[] = {
    &EDIT_PART,       &MOVE_PART,       &GRID_PART,         &SCALE_PART,
    &CLIP_PART,       &JOIN_PART,       &TRANSPOSE_PART,    &VELOCITY_PART,
    &CHORD_PART,      &TIMING_PART,     &SHAPE_PART,        &HISTORY_PART,
    &TREE_PART,       &SELECT_PART,     &CHOOSE_PART,       &TRACKS_PART,
    &TRACK_FILE_PART, &MIX_PART,        &INSTRUMENT_PART,   &LANE_PART,
    &LANE_EDIT_PART,  &TEMPO_PART,      &MAP_PART,          &MARKER_PART,
    &LOOP_PART,       &LAY_PART,        &TAP_PART,          &FIND_PART,
    &MOUSE_PART,      &MOUSE_VIEW_PART, &MACHINE_PART,      &HOLE_PART,
    &ACCEPT_PART,     &TAKES_PART,      &STEER_PART,        &COMPOSE_PART,
    &PLAY_PART,       &RECORD_PART,     &KEYBOARD_PART,     &PIANO_PART,
    &STEP_PART,       &ANSWER_PART,     &OUTPUT_PART,       &RENDER_PART,
    &SOUNDFONT_PART,  &INSPECT_PART,    &INSPECT_LOOK_PART, &INSPECT_MACHINE_PART,
    &FRAMING_PART,    &PROMPT_PART,     &INPUT_PART,        &COMPLETE_PART,
    &PALETTE_PART,    &FILE_PART,       &WAYS_PART,         NULL,
};
