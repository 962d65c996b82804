/* What the user asks for, after keys and mouse have been understood.
 *
 * One table (tui/keys/bindings.c) ties keys to commands, with a count and a help
 * line each; hints, `?` help, the palette, the manual page and the test for
 * duplicate keys are made from it. app/ executes commands. */
#ifndef TUI_COMMAND_H
#define TUI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mode {
    MODE_NORMAL,
    MODE_DRAW,
    MODE_SELECT,
    MODE_TAKES,
    MODE_STEER,   /* the panel of steering values */
    MODE_TRACKS,  /* the list of tracks */
    MODE_MAP,     /* the list of tempos, meters and markers */
    MODE_HISTORY, /* the list of all that was done */
    MODE_LANE,    /* the lane under the roll is edited */
    MODE_INSPECT, /* where a note looked */
    MODE_PLAY,    /* the computer's keys are a piano, */
    MODE_STEP,    /* and what is played is put at the cursor */
    MODE_HELP,
    MODE_PROMPT,
    MODE_PALETTE, /* what one may do, to be searched */
    MODE_COUNT
};

enum command_id {
    CMD_NONE,
    /* moving */
    CMD_LEFT,
    CMD_RIGHT,
    CMD_UP,
    CMD_DOWN,
    CMD_BAR_LEFT,
    CMD_BAR_RIGHT,
    CMD_OCTAVE_UP,
    CMD_OCTAVE_DOWN,
    CMD_NOTE_NEXT,
    CMD_NOTE_PREVIOUS,
    CMD_NOTE_END,
    CMD_LINE_START,
    CMD_LINE_END,
    CMD_PIECE_START,
    CMD_PIECE_END,
    CMD_TRACK_NEXT,
    CMD_TRACK_PREVIOUS,
    /* view */
    CMD_ZOOM_IN,
    CMD_ZOOM_OUT,
    CMD_ZOOM_IN_PITCH,
    CMD_ZOOM_OUT_PITCH,
    CMD_GRID_FINER,
    CMD_GRID_COARSER,
    CMD_GRID_TRIPLET,
    CMD_GRID_DOTTED,
    CMD_GRID_FREE,
    CMD_SCALE,
    CMD_SNAP,
    CMD_FOLD,
    CMD_FOLLOW,
    /* editing */
    CMD_TOGGLE_NOTE,
    CMD_DELETE,
    CMD_YANK,
    CMD_PASTE,
    CMD_REGISTER, /* names one for the next command; keys_feed keeps it */
    CMD_DUPLICATE,
    CMD_SPLIT,
    CMD_NUDGE_LEFT,
    CMD_NUDGE_RIGHT,
    CMD_TRANSPOSE_UP,
    CMD_TRANSPOSE_DOWN,
    CMD_SHORTER,
    CMD_LONGER,
    CMD_SOFTER,
    CMD_LOUDER,
    CMD_CHORD,
    CMD_HUMANISE,
    CMD_RESTORE_PLAYED,
    CMD_LEGATO,
    CMD_STACCATO,
    CMD_JOIN,
    CMD_SCALE_STEP_UP,
    CMD_SCALE_STEP_DOWN,
    CMD_NOTES_OCTAVE_UP,
    CMD_NOTES_OCTAVE_DOWN,
    CMD_QUANTISE, /* `.` repeats from the first of these to here */
    CMD_QUANTISE_ASK,
    CMD_REPEAT,
    CMD_UNDO,
    CMD_REDO,
    CMD_SELECT_BOX,
    CMD_SELECT_BARS,
    CMD_SELECT_BARS_ALL,
    CMD_SELECT_ALL,
    CMD_SELECT_TRACK,
    CMD_SELECT_TRACKS,
    CMD_SELECT_PITCH,
    CMD_SELECT_PITCH_CLASS,
    CMD_SELECT_OUT_OF_SCALE,
    CMD_SELECT_REST,
    CMD_SELECT_AGAIN,
    CMD_DRAW,
    CMD_TRACK_ADD,
    CMD_MUTE,
    CMD_SOLO,
    CMD_ARM,
    CMD_HIDE,
    CMD_GHOST_NOTES, /* of other tracks */
    /* the list of tracks */
    CMD_TRACKS,
    CMD_TRACK_RENAME,
    CMD_TRACK_INSTRUMENT,
    CMD_TRACK_COLOUR,
    CMD_TRACK_CHANNEL,
    CMD_TRACK_REMOVE,
    CMD_TRACK_UP,
    CMD_TRACK_DOWN,
    CMD_TRACKS_POINT,
    CMD_TRACKS_SCROLL_DOWN,
    CMD_TRACKS_SCROLL_UP,
    CMD_MIX_NEXT, /* the next of its volume, pan, reverb, chorus */
    CMD_MIX_PREVIOUS,
    CMD_MIX_MORE,
    CMD_MIX_LESS,
    CMD_MIX_RESET,
    CMD_TEMPO,
    /* the lane */
    CMD_LANE,
    CMD_LANE_NEXT,
    CMD_LANE_PREVIOUS,
    CMD_LANE_EVENT_NEXT,
    CMD_LANE_EVENT_PREVIOUS,
    CMD_LANE_SPAN,
    CMD_LANE_UP,
    CMD_LANE_DOWN,
    CMD_LANE_UP_FAR,
    CMD_LANE_DOWN_FAR,
    CMD_LANE_PUT,
    CMD_LANE_REMOVE,
    CMD_LANE_RAMP,
    /* the machine */
    CMD_CONTINUE,
    CMD_CHANGE_BARS,
    CMD_CHANGE_LINE_END,
    CMD_CHANGE_BAR_RIGHT,
    CMD_CHANGE_NOTE_NEXT,
    CMD_CHANGE_PIECE_END,
    CMD_CHANGE_SELECTION,
    CMD_AGAIN,
    CMD_ACCEPT,
    CMD_ACCEPT_PART,
    CMD_REJECT,
    CMD_REJECT_ALL,
    CMD_STOP,
    CMD_TAKES,
    CMD_TAKE,
    CMD_TAKE_ORIGINAL,
    CMD_TAKE_NEXT,
    CMD_TAKE_PREVIOUS,
    CMD_KEEP,
    CMD_SHADE,
    CMD_TAKE_FIGURES, /* in the list, instead of words */
    CMD_TAKE_LIKE,    /* more like the one that is shown, */
    CMD_TAKE_DISLIKE, /* or less */
    /* the steering panel; a row and column other than 0 name a line of it */
    CMD_STEER,
    CMD_STEER_NEXT,
    CMD_STEER_PREVIOUS,
    CMD_STEER_LESS,
    CMD_STEER_MORE,
    CMD_STEER_RESET,
    CMD_STEER_TYPE,
    CMD_STEER_POINT,
    /* the inspector */
    CMD_INSPECT,
    CMD_INSPECT_LEFT,
    CMD_INSPECT_RIGHT,
    CMD_INSPECT_UP,
    CMD_INSPECT_DOWN,
    CMD_INSPECT_LAYER_NEXT,
    CMD_INSPECT_LAYER_PREVIOUS,
    CMD_INSPECT_HEAD_NEXT,
    CMD_INSPECT_HEAD_PREVIOUS,
    CMD_INSPECT_MANY,
    CMD_INSPECT_WAY,
    CMD_INSPECT_SCALE,
    CMD_INSPECT_PART,
    CMD_INSPECT_ROW,
    CMD_INSPECT_PIN,
    CMD_INSPECT_MUTE,
    CMD_INSPECT_MUTE_HEAD,
    CMD_INSPECT_MATTERS,
    CMD_INSPECT_SURPRISE,
    CMD_INSPECT_REWRITE,
    CMD_INSPECT_REWRITE_WORST,
    CMD_INSPECT_CHOOSE,
    CMD_INSPECT_LIVE,
    CMD_INSPECT_PAGE,
    CMD_INSPECT_PAGE_BACK,
    CMD_INSPECT_POINT,
    /* the undo tree */
    CMD_HISTORY,
    CMD_HISTORY_OLDER,
    CMD_HISTORY_NEWER,
    CMD_HISTORY_OLDEST,
    CMD_HISTORY_NEWEST,
    CMD_HISTORY_BACK,
    CMD_HISTORY_POINT,
    /* transport */
    CMD_PLAY,
    CMD_PLAY_START,
    CMD_PANIC,
    CMD_LOOP,
    /* a keyboard */
    CMD_RECORD,
    CMD_TAP,        /* a bar line is marked */
    CMD_ANSWER,     /* playing together, or out of it */
    CMD_PIANO_PLAY, /* the mode, or out of it */
    CMD_PIANO_STEP,
    CMD_PIANO_LEAVE,
    CMD_PIANO, /* a key of it; text says which */
    CMD_PIANO_LOWER,
    CMD_PIANO_HIGHER,
    CMD_PIANO_SOFTER,
    CMD_PIANO_LOUDER,
    CMD_STEP_REST,
    CMD_STEP_BACK,
    CMD_METRONOME,
    /* finding one's place; the list of what changes along the piece */
    CMD_MARKER,
    CMD_MARKER_NEXT,
    CMD_MARKER_PREVIOUS,
    CMD_FIND,
    CMD_FIND_NEXT,
    CMD_FIND_PREVIOUS,
    CMD_FIND_SELECT,
    CMD_MAP,
    CMD_MAP_NEXT,
    CMD_MAP_PREVIOUS,
    CMD_MAP_EDIT,
    CMD_MAP_ADD,
    CMD_MAP_REMOVE,
    CMD_MAP_EARLIER,
    CMD_MAP_LATER,
    CMD_MAP_POINT,
    CMD_PIECE_MAP,
    /* files and the program */
    CMD_SAVE,
    CMD_SAVE_AS,
    CMD_OPEN,
    CMD_COMMAND_LINE,
    CMD_PALETTE,
    CMD_HELP,
    CMD_ESCAPE,
    CMD_QUIT,
    CMD_REDRAW,
    CMD_SAVE_QUIT, /* ZZ */
    CMD_QUIT_NOW,  /* ZQ: without saving */
    /* the mouse, in roll coordinates; see struct command */
    CMD_POINT,
    CMD_DRAG,
    CMD_RELEASE,
    CMD_SCROLL_LEFT,
    CMD_SCROLL_RIGHT,
    CMD_SCROLL_UP,
    CMD_SCROLL_DOWN,
    CMD_ZOOM_IN_HERE,
    CMD_ZOOM_OUT_HERE,
    CMD_ZOOM_IN_PITCH_HERE,
    CMD_ZOOM_OUT_PITCH_HERE,
    /* the prompt's line editor */
    CMD_TEXT,
    CMD_SUBMIT,
    CMD_BACKSPACE,
    CMD_INPUT_LEFT,
    CMD_INPUT_RIGHT,
    CMD_INPUT_START,
    CMD_INPUT_END,
    CMD_INPUT_DELETE,
    CMD_INPUT_WORD,  /* take back a word */
    CMD_INPUT_CLEAR, /* and all that is before the cursor */
    CMD_INPUT_OLDER, /* lines typed before */
    CMD_INPUT_NEWER,
    CMD_INPUT_COMPLETE,
    /* finding one's way */
    CMD_HELP_ALL,
    CMD_PALETTE_NEXT,
    CMD_PALETTE_PREVIOUS,
    CMD_PALETTE_POINT, /* a row and column name a line */
    CMD_COUNT,
};

struct command {
    enum command_id id;
    int count;                  /* the number typed before it; 0: none */
    int column, row;            /* mouse: screen cell */
    int button;                 /* mouse: 1 left, 2 middle, 3 right */
    bool with_ctrl, with_shift; /* mouse: what was held down with it */
    uint32_t text;              /* the key's code point: what is typed, or which take */
    uint32_t reg;               /* the register named before it, as in "ay; 0: none */
};

#endif
