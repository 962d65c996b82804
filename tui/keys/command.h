/* The user's commands, made from keys and the mouse.
 *
 * The list in tui/keys/commands.h gives them names, keys and help. app/ executes them. */
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

#define NAMED_ID(id, name) id,
enum mode { MODES(NAMED_ID) MODE_COUNT };
enum command_id {
    CMD_NONE,
#define COMMAND(id, ...) id,
#include "tui/keys/commands.h"
    CMD_COUNT
};

/* The lines that are typed at the foot of the screen. */
enum prompt {
#define PROMPT_LINE(kind, label, texts, run) kind,
#include "tui/keys/lines.h"
};

enum command_flags {
    COUNTS = 1 << 0,   /* a count may precede it */
    REPEATS = 1 << 1,  /* `.` does it again: it changes notes or the lane */
    OF_TAKES = 1 << 2, /* about takes: playing together ends first */
    OF_TRACK = 1 << 3, /* of the list of tracks; the palette has it without the list */
    KEEPS_CHORD = 1 << 4, /* a chord that is shown, and not put yet, stays */
    PLAYS = 1 << 5,       /* of the piano: the chord that is stepped in goes on */
    MOUSE = 1 << 6,    /* with a position, or Escape; what the mouse holds stays held */
    QUIET = 1 << 7,    /* the last message stays, as it does for MOUSE */
    UNLISTED = 1 << 8, /* not in the palette */
};

/* A command's name: in the configuration file ("normal.note = Enter"), in the palette, and
 * with spaces for dashes in the box of keys (tui/panels/boxes.c). Without one it cannot be
 * bound to another key: mouse commands, typed text, and keys with a meaning of their own,
 * like the digits of takes. */
struct command_about {
    const char *name;
    const char *words; /* that people have for it: the palette looks for these, too */
    unsigned flags;    /* of enum command_flags */
};

extern const struct command_about commands[CMD_COUNT];

struct command {
    enum command_id id;
    int count;                  /* typed before it; 0: none */
    int by;                     /* its row's argument, once its function runs */
    int column, row;            /* mouse: screen cell */
    int button;                 /* mouse: 1 left, 2 middle, 3 right */
    bool with_ctrl, with_shift; /* mouse: modifiers held */
    uint32_t text;              /* the key's code point: text typed, or which take */
    uint32_t reg;               /* the register named before it, as in "ay; 0: none */
    uint32_t keys[2];           /* CMD_NO_KEY: the pressed keys; keys[1] 0: one key */
    double ms;                  /* when its last key was read; 0: now */
};

/* CMD_NONE: no command has this name. */
enum command_id command_find(const char *name);
const char *mode_name(enum mode mode); /* "NORMAL" */

#endif
