/* The user's commands, made from keys and the mouse.
 *
 * The table in tui/keys/bindings.c gives commands their keys, counts and help. app/
 * executes commands. */
#ifndef TUI_COMMAND_H
#define TUI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every mode and its name. */
#define MODES(X)                                                                       \
    X(MODE_NORMAL, "NORMAL")                                                           \
    X(MODE_DRAW, "DRAW")                                                               \
    X(MODE_SELECT, "SELECT")                                                           \
    X(MODE_TAKES, "TAKES")                                                             \
    X(MODE_STEER, "STEER")     /* the panel of steering values */                      \
    X(MODE_TRACKS, "TRACKS")   /* the list of tracks */                                \
    X(MODE_MAP, "MAP")         /* the list of tempos, meters and markers */            \
    X(MODE_HISTORY, "HISTORY") /* the list of all that was done */                     \
    X(MODE_LANE, "LANE")       /* the lane under the roll is edited */                 \
    X(MODE_INSPECT, "INSPECT") /* attention of a note */                               \
    X(MODE_PLAY, "PLAY")       /* the computer's keys are a piano */                   \
    X(MODE_STEP, "STEP")       /* played notes are put at the cursor */                \
    X(MODE_HELP, "HELP")                                                               \
    X(MODE_PROMPT, "COMMAND")                                                          \
    X(MODE_PALETTE, "PALETTE") /* a search through all commands */

/* Every command and its name: in the configuration file ("normal.note = Enter"), in the
 * palette, and with spaces for dashes in the box of keys (tui/panels/boxes.c).
 *
 * A command without a name cannot be bound to another key: mouse commands, typed text,
 * and keys with a meaning of their own, like the digits of takes. */
#define COMMANDS(X)                                                                    \
    /* moving */                                                                       \
    X(CMD_LEFT, "left")                                                                \
    X(CMD_RIGHT, "right")                                                              \
    X(CMD_UP, "up")                                                                    \
    X(CMD_DOWN, "down")                                                                \
    X(CMD_BAR_LEFT, "bar-left")                                                        \
    X(CMD_BAR_RIGHT, "bar-right")                                                      \
    X(CMD_OCTAVE_UP, "octave-up")                                                      \
    X(CMD_OCTAVE_DOWN, "octave-down")                                                  \
    X(CMD_NOTE_NEXT, "next-note")                                                      \
    X(CMD_NOTE_PREVIOUS, "note-before")                                                \
    X(CMD_NOTE_END, "note-end")                                                        \
    X(CMD_LINE_START, "bar-start")                                                     \
    X(CMD_LINE_END, "bar-end")                                                         \
    X(CMD_PIECE_START, "start")                                                        \
    X(CMD_PIECE_END, "end")                                                            \
    X(CMD_TRACK_NEXT, "next-track")                                                    \
    X(CMD_TRACK_PREVIOUS, "track-before")                                              \
    /* view */                                                                         \
    X(CMD_ZOOM_IN, "zoom-in")                                                          \
    X(CMD_ZOOM_OUT, "zoom-out")                                                        \
    X(CMD_ZOOM_IN_PITCH, "taller")                                                     \
    X(CMD_ZOOM_OUT_PITCH, "flatter")                                                   \
    X(CMD_GRID_FINER, "grid-finer")                                                    \
    X(CMD_GRID_COARSER, "grid-coarser")                                                \
    X(CMD_GRID_TRIPLET, "grid-triplets")                                               \
    X(CMD_GRID_DOTTED, "grid-dotted")                                                  \
    X(CMD_GRID_FREE, "grid-off")                                                       \
    X(CMD_SCALE, "scale")                                                              \
    X(CMD_SNAP, "scale-snap")                                                          \
    X(CMD_FOLD, "scale-fold")                                                          \
    X(CMD_CHORD_ROW, "chord-row")                                                      \
    X(CMD_FOLLOW, "follow")                                                            \
    /* editing */                                                                      \
    X(CMD_TOGGLE_NOTE, "note")                                                         \
    X(CMD_DELETE, "delete")                                                            \
    X(CMD_YANK, "copy")                                                                \
    X(CMD_PASTE, "paste")                                                              \
    X(CMD_REGISTER,                                                                    \
      "register") /* names a register for the next command; handled by keys_feed */    \
    X(CMD_DUPLICATE, "duplicate")                                                      \
    X(CMD_SPLIT, "split")                                                              \
    X(CMD_NUDGE_LEFT, "earlier")                                                       \
    X(CMD_NUDGE_RIGHT, "later")                                                        \
    X(CMD_TRANSPOSE_UP, "higher")                                                      \
    X(CMD_TRANSPOSE_DOWN, "lower")                                                     \
    X(CMD_SHORTER, "shorter")                                                          \
    X(CMD_LONGER, "longer")                                                            \
    X(CMD_SOFTER, "softer")                                                            \
    X(CMD_LOUDER, "louder")                                                            \
    X(CMD_CHORD, "chord")                                                              \
    X(CMD_HUMANISE, "humanise")                                                        \
    X(CMD_RESTORE_PLAYED, "as-played")                                                 \
    X(CMD_LEGATO, "legato")                                                            \
    X(CMD_STACCATO, "staccato")                                                        \
    X(CMD_JOIN, "join")                                                                \
    X(CMD_SCALE_STEP_UP, "step-higher")                                                \
    X(CMD_SCALE_STEP_DOWN, "step-lower")                                               \
    X(CMD_NOTES_OCTAVE_UP, "octave-higher")                                            \
    X(CMD_NOTES_OCTAVE_DOWN, "octave-lower")                                           \
    X(CMD_NOTES_TRACK_NEXT, "to-next-track")                                           \
    X(CMD_NOTES_TRACK_PREVIOUS, "to-track-before")                                     \
    X(CMD_QUANTISE,                                                                    \
      "quantise") /* `.` repeats the commands from CMD_TOGGLE_NOTE to here */          \
    X(CMD_QUANTISE_ASK, "quantise-how")                                                \
    X(CMD_REPEAT, "repeat")                                                            \
    X(CMD_UNDO, "undo")                                                                \
    X(CMD_REDO, "redo")                                                                \
    X(CMD_SELECT_BOX, "select")                                                        \
    X(CMD_SELECT_BARS, "select-bars")                                                  \
    X(CMD_SELECT_BARS_ALL, "select-bars-all")                                          \
    X(CMD_SELECT_ALL, "select-all")                                                    \
    X(CMD_SELECT_TRACK, "select-track")                                                \
    X(CMD_SELECT_TRACKS, "select-tracks")                                              \
    X(CMD_SELECT_PITCH, "select-pitch")                                                \
    X(CMD_SELECT_PITCH_CLASS, "select-octaves")                                        \
    X(CMD_SELECT_OUT_OF_SCALE, "select-off-scale")                                     \
    X(CMD_SELECT_REST, "select-others")                                                \
    X(CMD_SELECT_AGAIN, "select-again")                                                \
    X(CMD_DRAW, "draw")                                                                \
    X(CMD_TRACK_ADD, "add-track")                                                      \
    X(CMD_MUTE, "mute")                                                                \
    X(CMD_SOLO, "solo")                                                                \
    X(CMD_ARM, "arm")                                                                  \
    X(CMD_HIDE, "hide")                                                                \
    X(CMD_GHOST_NOTES, "other-tracks") /* of other tracks */                           \
    /* the list of tracks */                                                           \
    X(CMD_TRACKS, "tracks")                                                            \
    X(CMD_TRACK_RENAME, "track-rename")                                                \
    X(CMD_TRACK_INSTRUMENT, "instrument")                                              \
    X(CMD_TRACK_COLOUR, "track-colour")                                                \
    X(CMD_TRACK_CHANNEL, "track-channel")                                              \
    X(CMD_TRACK_REMOVE, "track-remove")                                                \
    X(CMD_TRACK_DUPLICATE, "track-duplicate")                                          \
    X(CMD_TRACK_UP, "track-up")                                                        \
    X(CMD_TRACK_DOWN, "track-down")                                                    \
    X(CMD_TRACKS_POINT, "")                                                            \
    X(CMD_TRACKS_SCROLL_DOWN, "")                                                      \
    X(CMD_TRACKS_SCROLL_UP, "")                                                        \
    X(CMD_MIX_NEXT,                                                                    \
      "mix-next") /* the next mixer column: volume, pan, reverb, chorus */             \
    X(CMD_MIX_PREVIOUS, "mix-before")                                                  \
    X(CMD_MIX_MORE, "mix-more")                                                        \
    X(CMD_MIX_LESS, "mix-less")                                                        \
    X(CMD_MIX_RESET, "mix-reset")                                                      \
    X(CMD_TEMPO, "tempo")                                                              \
    /* the lane */                                                                     \
    X(CMD_LANE, "lane")                                                                \
    X(CMD_LANE_NEXT, "next-lane")                                                      \
    X(CMD_LANE_PREVIOUS, "lane-before")                                                \
    X(CMD_LANE_EVENT_NEXT, "next-value")                                               \
    X(CMD_LANE_EVENT_PREVIOUS, "value-before")                                         \
    X(CMD_LANE_SPAN, "lane-span")                                                      \
    X(CMD_LANE_UP, "lane-more")                                                        \
    X(CMD_LANE_DOWN, "lane-less")                                                      \
    X(CMD_LANE_UP_FAR, "lane-far-more")                                                \
    X(CMD_LANE_DOWN_FAR, "lane-far-less")                                              \
    X(CMD_LANE_PUT, "lane-put")                                                        \
    X(CMD_LANE_REMOVE, "lane-remove")                                                  \
    X(CMD_LANE_RAMP, "lane-ramp")                                                      \
    /* the machine */                                                                  \
    X(CMD_CONTINUE, "continue")                                                        \
    X(CMD_CHANGE_BARS, "change-bar")                                                   \
    X(CMD_CHANGE_LINE_END, "change-to-end")                                            \
    X(CMD_CHANGE_BAR_RIGHT, "change-rest")                                             \
    X(CMD_CHANGE_NOTE_NEXT, "change-to-note")                                          \
    X(CMD_CHANGE_PIECE_END, "change-all")                                              \
    X(CMD_CHANGE_SELECTION, "change")                                                  \
    X(CMD_MOTIF, "motif") /* the phrase returns in the next takes */                   \
    X(CMD_AGAIN, "more-takes")                                                         \
    X(CMD_ACCEPT, "accept")                                                            \
    X(CMD_ACCEPT_PART, "accept-part")                                                  \
    X(CMD_REJECT, "reject")                                                            \
    X(CMD_REJECT_ALL, "reject-all")                                                    \
    X(CMD_STOP, "stop")                                                                \
    X(CMD_TAKES, "takes")                                                              \
    X(CMD_TAKE, "")                                                                    \
    X(CMD_TAKE_ORIGINAL, "original")                                                   \
    X(CMD_TAKE_NEXT, "next-take")                                                      \
    X(CMD_TAKE_PREVIOUS, "take-before")                                                \
    X(CMD_KEEP, "keep")                                                                \
    X(CMD_SHADE, "shade")                                                              \
    X(CMD_TAKE_FIGURES, "figures") /* figures instead of words in the list */          \
    X(CMD_TAKE_LIKE, "like")       /* more like the shown take */                      \
    X(CMD_TAKE_DISLIKE, "dislike") /* less like it */                                  \
    /* the steering panel; row and column, if not 0, name a line of it */              \
    X(CMD_STEER, "steer")                                                              \
    X(CMD_STEER_NEXT, "steer-next")                                                    \
    X(CMD_STEER_PREVIOUS, "steer-before")                                              \
    X(CMD_STEER_LESS, "steer-less")                                                    \
    X(CMD_STEER_MORE, "steer-more")                                                    \
    X(CMD_STEER_RESET, "steer-reset")                                                  \
    X(CMD_STEER_TYPE, "steer-type")                                                    \
    X(CMD_STEER_POINT, "")                                                             \
    /* the inspector */                                                                \
    X(CMD_INSPECT, "inspect")                                                          \
    X(CMD_INSPECT_LEFT, "inspect-before")                                              \
    X(CMD_INSPECT_RIGHT, "inspect-after")                                              \
    X(CMD_INSPECT_UP, "inspect-above")                                                 \
    X(CMD_INSPECT_DOWN, "inspect-below")                                               \
    X(CMD_INSPECT_LAYER_NEXT, "next-layer")                                            \
    X(CMD_INSPECT_LAYER_PREVIOUS, "layer-before")                                      \
    X(CMD_INSPECT_HEAD_NEXT, "next-head")                                              \
    X(CMD_INSPECT_HEAD_PREVIOUS, "head-before")                                        \
    X(CMD_INSPECT_MANY, "heads-together")                                              \
    X(CMD_INSPECT_WAY, "attended-by")                                                  \
    X(CMD_INSPECT_SCALE, "weights-scale")                                              \
    X(CMD_INSPECT_PART, "next-token")                                                  \
    X(CMD_INSPECT_ROW, "token-rows")                                                   \
    X(CMD_INSPECT_PIN, "pin")                                                          \
    X(CMD_INSPECT_MUTE, "without")                                                     \
    X(CMD_INSPECT_MUTE_HEAD, "mute-head")                                              \
    X(CMD_INSPECT_MATTERS, "who-matters")                                              \
    X(CMD_INSPECT_SURPRISE, "surprise")                                                \
    X(CMD_INSPECT_REWRITE, "rewrite-from-here")                                        \
    X(CMD_INSPECT_REWRITE_WORST, "rewrite-worst-bar")                                  \
    X(CMD_INSPECT_CHOOSE, "instead")                                                   \
    X(CMD_INSPECT_LIVE, "follow-live")                                                 \
    X(CMD_INSPECT_EXPLAIN, "inspect-explain")                                          \
    X(CMD_INSPECT_EXPORT, "inspect-export")                                            \
    X(CMD_INSPECT_PAGE, "inspector-page")                                              \
    X(CMD_INSPECT_PAGE_BACK, "page-before")                                            \
    X(CMD_INSPECT_POINT, "")                                                           \
    /* the undo tree */                                                                \
    X(CMD_HISTORY, "history")                                                          \
    X(CMD_HISTORY_OLDER, "history-older")                                              \
    X(CMD_HISTORY_NEWER, "history-newer")                                              \
    X(CMD_HISTORY_OLDEST, "history-oldest")                                            \
    X(CMD_HISTORY_NEWEST, "history-newest")                                            \
    X(CMD_HISTORY_BACK, "history-back")                                                \
    X(CMD_HISTORY_POINT, "")                                                           \
    /* transport */                                                                    \
    X(CMD_PLAY, "play")                                                                \
    X(CMD_PLAY_START, "play-start")                                                    \
    X(CMD_PANIC, "all-off")                                                            \
    X(CMD_LOOP, "loop")                                                                \
    /* recording and playing */                                                        \
    X(CMD_RECORD, "record")                                                            \
    X(CMD_TAP, "mark-bar")     /* marks a bar line */                                  \
    X(CMD_LAY, "lay")          /* on the grid, by guessed bar lines */                 \
    X(CMD_ANSWER, "answer")    /* starts and ends playing together */                  \
    X(CMD_PIANO_PLAY, "piano") /* enters and leaves the mode */                        \
    X(CMD_PIANO_STEP, "step")                                                          \
    X(CMD_PIANO_LEAVE, "piano-leave")                                                  \
    X(CMD_PIANO, "") /* a key of the piano, in text */                                 \
    X(CMD_PIANO_LOWER, "piano-lower")                                                  \
    X(CMD_PIANO_HIGHER, "piano-higher")                                                \
    X(CMD_PIANO_SOFTER, "piano-softer")                                                \
    X(CMD_PIANO_LOUDER, "piano-louder")                                                \
    X(CMD_STEP_REST, "step-rest")                                                      \
    X(CMD_STEP_BACK, "step-back")                                                      \
    X(CMD_METRONOME, "metronome")                                                      \
    /* finding; the list of timeline events */                                         \
    X(CMD_MARKER, "marker")                                                            \
    X(CMD_MARKER_NEXT, "next-marker")                                                  \
    X(CMD_MARKER_PREVIOUS, "marker-before")                                            \
    X(CMD_FIND, "find")                                                                \
    X(CMD_FIND_NEXT, "find-next")                                                      \
    X(CMD_FIND_PREVIOUS, "find-before")                                                \
    X(CMD_FIND_SELECT, "find-select")                                                  \
    X(CMD_MAP, "map")                                                                  \
    X(CMD_MAP_NEXT, "map-next")                                                        \
    X(CMD_MAP_PREVIOUS, "map-before")                                                  \
    X(CMD_MAP_EDIT, "map-edit")                                                        \
    X(CMD_MAP_ADD, "map-add")                                                          \
    X(CMD_MAP_REMOVE, "map-remove")                                                    \
    X(CMD_MAP_EARLIER, "map-earlier")                                                  \
    X(CMD_MAP_LATER, "map-later")                                                      \
    X(CMD_MAP_POINT, "")                                                               \
    X(CMD_PIECE_MAP, "minimap")                                                        \
    /* files and the program */                                                        \
    X(CMD_SAVE, "save")                                                                \
    X(CMD_SAVE_AS, "save-as")                                                          \
    X(CMD_OPEN, "open")                                                                \
    X(CMD_COMMAND_LINE, "command")                                                     \
    X(CMD_PALETTE, "palette")                                                          \
    X(CMD_HELP, "help")                                                                \
    X(CMD_ESCAPE, "back")                                                              \
    X(CMD_QUIT, "quit")                                                                \
    X(CMD_REDRAW, "redraw")                                                            \
    X(CMD_SAVE_QUIT, "save-quit") /* ZZ */                                             \
    X(CMD_QUIT_NOW, "quit-now")   /* ZQ: without saving */                             \
    /* the mouse; see struct command */                                                \
    X(CMD_POINT, "")                                                                   \
    X(CMD_DRAG, "")                                                                    \
    X(CMD_RELEASE, "")                                                                 \
    X(CMD_SCROLL_LEFT, "")                                                             \
    X(CMD_SCROLL_RIGHT, "")                                                            \
    X(CMD_SCROLL_UP, "")                                                               \
    X(CMD_SCROLL_DOWN, "")                                                             \
    X(CMD_ZOOM_IN_HERE, "")                                                            \
    X(CMD_ZOOM_OUT_HERE, "")                                                           \
    X(CMD_ZOOM_IN_PITCH_HERE, "")                                                      \
    X(CMD_ZOOM_OUT_PITCH_HERE, "")                                                     \
    /* the prompt's line editor */                                                     \
    X(CMD_TEXT, "")                                                                    \
    X(CMD_SUBMIT, "enter")                                                             \
    X(CMD_BACKSPACE, "backspace")                                                      \
    X(CMD_INPUT_LEFT, "input-left")                                                    \
    X(CMD_INPUT_RIGHT, "input-right")                                                  \
    X(CMD_INPUT_START, "input-start")                                                  \
    X(CMD_INPUT_END, "input-end")                                                      \
    X(CMD_INPUT_DELETE, "input-delete")                                                \
    X(CMD_INPUT_WORD, "input-word")   /* deletes a word */                             \
    X(CMD_INPUT_CLEAR, "input-clear") /* deletes all before the cursor */              \
    X(CMD_INPUT_OLDER, "input-older") /* lines typed before */                         \
    X(CMD_INPUT_NEWER, "input-newer")                                                  \
    X(CMD_INPUT_COMPLETE, "complete")                                                  \
    /* help and palette */                                                             \
    X(CMD_HELP_ALL, "help-all")                                                        \
    X(CMD_PALETTE_NEXT, "palette-next")                                                \
    X(CMD_PALETTE_PREVIOUS, "palette-before")                                          \
    X(CMD_PALETTE_REMOVE, "palette-remove")                                            \
    X(CMD_PALETTE_POINT, "") /* row and column name a line */                          \
    X(CMD_NO_KEY, "")        /* one or two keys without a command here */

#define NAMED_ID(id, name) id,
enum mode { MODES(NAMED_ID) MODE_COUNT };
enum command_id { CMD_NONE, COMMANDS(NAMED_ID) CMD_COUNT };

struct command {
    enum command_id id;
    int count;                  /* typed before it; 0: none */
    int column, row;            /* mouse: screen cell */
    int button;                 /* mouse: 1 left, 2 middle, 3 right */
    bool with_ctrl, with_shift; /* mouse: modifiers held */
    uint32_t text;              /* the key's code point: text typed, or which take */
    uint32_t reg;               /* the register named before it, as in "ay; 0: none */
    uint32_t keys[2];           /* CMD_NO_KEY: the pressed keys; keys[1] 0: one key */
    double ms;                  /* when its last key came; 0: now */
};

/* "" for a command without one. */
const char *command_name(enum command_id id);
/* CMD_NONE: no command has this name. */
enum command_id command_find(const char *name);
const char *mode_name(enum mode mode); /* "NORMAL" */

#endif
