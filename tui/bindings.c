/* Rows are in the order the help shows them; within a mode the first hints win
 * the room there is. A row without help is another key for the row above it. */
#include "tui/bindings.h"

#include <stdio.h>

#define NORMAL       IN(MODE_NORMAL)
#define DRAW         IN(MODE_DRAW)
#define SELECT       IN(MODE_SELECT)
#define TAKES        IN(MODE_TAKES)
#define STEER        IN(MODE_STEER)
#define LANE         IN(MODE_LANE)
#define HELP         IN(MODE_HELP)
#define PROMPT       IN(MODE_PROMPT)
#define EDIT         (NORMAL | DRAW | SELECT)
#define ROLL         (EDIT | TAKES | LANE)
#define SCROLL       (ROLL | HELP)
#define ALL          (SCROLL | PROMPT) /* but the panel, which Escape closes */

#define CTRL(letter) KEY_CTRL(letter)

/* clang-format off */
const struct binding bindings[] = {
    /* The machine first: its hints matter most. */
    {ROLL & ~LANE, {'C'}, CMD_CONTINUE, true, GROUP_MACHINE, "continue", NORMAL,
     "continue the music; 8C continues by eight bars"},
    {NORMAL | TAKES, {'c', 'c'}, CMD_CHANGE_BARS, true, GROUP_MACHINE, "change", NORMAL,
     "change this bar of the track; 3cc changes three"},
    {NORMAL | TAKES, {'c', '$'}, CMD_CHANGE_LINE_END, false, GROUP_MACHINE, NULL, 0,
     "change from here to the end of the bar"},
    {NORMAL | TAKES, {'c', 'L'}, CMD_CHANGE_BAR_RIGHT, true, GROUP_MACHINE, NULL, 0,
     "the same; 2cL changes to the end of the next bar"},
    {NORMAL | TAKES, {'c', 'w'}, CMD_CHANGE_NOTE_NEXT, true, GROUP_MACHINE, NULL, 0,
     "change from here to the next note"},
    {NORMAL | TAKES, {'c', 'G'}, CMD_CHANGE_PIECE_END, false, GROUP_MACHINE, NULL, 0,
     "change from here to the end of the music"},
    {SELECT, {'c'}, CMD_CHANGE_SELECTION, true, GROUP_MACHINE, "change", 0,
     "change the box, or the unmuted tracks' bars; 2c: two takes"},
    {SCROLL | STEER, {CTRL('C')}, CMD_STOP, false, GROUP_MACHINE, "stop", TAKES, "stop composing"},

    {TAKES, {'1'}, CMD_TAKE, false, GROUP_TAKES, "hear", 0,
     "show take A, B, ... and hear it from the next beat"},
    {TAKES, {'2'}, CMD_TAKE, false, GROUP_TAKES, NULL, 0, NULL},
    {TAKES, {'3'}, CMD_TAKE, false, GROUP_TAKES, NULL, 0, NULL},
    {TAKES, {'4'}, CMD_TAKE, false, GROUP_TAKES, NULL, 0, NULL},
    {TAKES, {'5'}, CMD_TAKE, false, GROUP_TAKES, NULL, 0, NULL},
    {TAKES, {'6'}, CMD_TAKE, false, GROUP_TAKES, NULL, 0, NULL},
    {TAKES, {'7'}, CMD_TAKE, false, GROUP_TAKES, NULL, 0, NULL},
    {TAKES, {'8'}, CMD_TAKE, false, GROUP_TAKES, NULL, 0, NULL},
    {TAKES, {'n'}, CMD_TAKE_NEXT, false, GROUP_TAKES, NULL, 0, "the next one"},
    {TAKES, {'N'}, CMD_TAKE_PREVIOUS, false, GROUP_TAKES, NULL, 0, "the one before"},
    {TAKES, {'a'}, CMD_ACCEPT, false, GROUP_TAKES, "accept", 0, "accept the take that is shown"},
    {TAKES, {'x'}, CMD_REJECT, false, GROUP_TAKES, "reject", 0, "reject it, and show the next best"},
    {TAKES, {'X'}, CMD_REJECT_ALL, false, GROUP_TAKES, NULL, 0, "reject all of them"},
    {NORMAL | TAKES | STEER, {'r'}, CMD_AGAIN, false, GROUP_TAKES, "more", TAKES | STEER,
     "make as many again"},
    {TAKES, {'0'}, CMD_TAKE_ORIGINAL, false, GROUP_TAKES, "original", 0,
     "show and hear what was there before"},
    {TAKES, {'v'}, CMD_SELECT_BOX, false, GROUP_TAKES, "part", 0,
     "choose a box of it, to accept that alone"},
    {TAKES, {'V'}, CMD_SELECT_BARS, false, GROUP_TAKES, NULL, 0, "choose whole bars of it"},
    {SELECT, {'a'}, CMD_ACCEPT_PART, false, GROUP_TAKES, "accept", 0,
     "accept what begins there; the rest waits"},
    {TAKES, {'k'}, CMD_KEEP, false, GROUP_TAKES, "keep", 0,
     "keep this note in all that r makes, or let it go"},
    {NORMAL | TAKES, {'T'}, CMD_TAKES, false, GROUP_TAKES, "list", TAKES,
     "to the takes that wait; there, the list of them"},
    {TAKES, {'+'}, CMD_TAKE_LIKE, false, GROUP_TAKES, "like", 0,
     "more like this one, when r makes more"},
    {TAKES, {'-'}, CMD_TAKE_DISLIKE, false, GROUP_TAKES, NULL, 0, "less like it"},
    {TAKES, {'%'}, CMD_SHADE, false, GROUP_TAKES, "shade", 0,
     "shade notes by how sure the machine was"},

    {ROLL | STEER, {' '}, CMD_PLAY, false, GROUP_TRANSPORT, "play", ROLL,
     "play from the cursor, or stop; takes are heard too"},
    {ROLL, {K_BACKSPACE}, CMD_PLAY_START, false, GROUP_TRANSPORT, NULL, 0,
     "play from the start"},
    {ROLL, {'\\'}, CMD_LOOP, true, GROUP_TRANSPORT, NULL, 0,
     "loop on or off; 4\\ four bars; a selection: that"},
    {ROLL, {'!'}, CMD_PANIC, false, GROUP_TRANSPORT, NULL, 0, "all sound off"},
    {ROLL, {'t'}, CMD_TEMPO, false, GROUP_TRANSPORT, NULL, 0,
     "set the tempo at the cursor's bar"},

    {ROLL, {'h'}, CMD_LEFT, true, GROUP_MOVE, NULL, 0, "left by one grid step"},
    {ROLL, {K_LEFT}, CMD_LEFT, true, GROUP_MOVE, NULL, 0, NULL},
    {ROLL, {'l'}, CMD_RIGHT, true, GROUP_MOVE, NULL, 0, "right by one grid step"},
    {ROLL, {K_RIGHT}, CMD_RIGHT, true, GROUP_MOVE, NULL, 0, NULL},
    {SCROLL & ~TAKES & ~LANE, {'k'}, CMD_UP, true, GROUP_MOVE, NULL, 0, "up a semitone"},
    {SCROLL & ~LANE, {K_UP}, CMD_UP, true, GROUP_MOVE, NULL, 0, NULL},
    {SCROLL & ~LANE, {'j'}, CMD_DOWN, true, GROUP_MOVE, "scroll", HELP, "down a semitone"},
    {SCROLL & ~LANE, {K_DOWN}, CMD_DOWN, true, GROUP_MOVE, NULL, 0, NULL},
    {ROLL & ~LANE, {'w'}, CMD_NOTE_NEXT, true, GROUP_MOVE, NULL, 0, "to the next note; in TAKES, of the take"},
    {ROLL & ~LANE, {'b'}, CMD_NOTE_PREVIOUS, true, GROUP_MOVE, NULL, 0, "to the note before"},
    {ROLL & ~LANE, {'e'}, CMD_NOTE_END, true, GROUP_MOVE, NULL, 0, "to the end of the note"},
    {ROLL, {'H'}, CMD_BAR_LEFT, true, GROUP_MOVE, NULL, 0, "left by a bar"},
    {ROLL, {K_LEFT | K_WITH_SHIFT}, CMD_BAR_LEFT, true, GROUP_MOVE, NULL, 0, NULL},
    {ROLL, {'L'}, CMD_BAR_RIGHT, true, GROUP_MOVE, NULL, 0, "right by a bar"},
    {ROLL, {K_RIGHT | K_WITH_SHIFT}, CMD_BAR_RIGHT, true, GROUP_MOVE, NULL, 0, NULL},
    {SCROLL & ~LANE, {'K'}, CMD_OCTAVE_UP, true, GROUP_MOVE, NULL, 0, "up an octave"},
    {SCROLL & ~LANE, {K_PAGE_UP}, CMD_OCTAVE_UP, true, GROUP_MOVE, NULL, 0, NULL},
    {SCROLL & ~LANE, {'J'}, CMD_OCTAVE_DOWN, true, GROUP_MOVE, "page", HELP, "down an octave"},
    {SCROLL & ~LANE, {K_PAGE_DOWN}, CMD_OCTAVE_DOWN, true, GROUP_MOVE, NULL, 0, NULL},
    {EDIT | LANE, {'0'}, CMD_LINE_START, false, GROUP_MOVE, NULL, 0, "to the start of the bar"},
    {ROLL, {'$'}, CMD_LINE_END, false, GROUP_MOVE, NULL, 0, "to the end of the bar"},
    {SCROLL, {'g', 'g'}, CMD_PIECE_START, false, GROUP_MOVE, NULL, 0,
     "to the start of the piece"},
    {SCROLL, {K_HOME}, CMD_PIECE_START, false, GROUP_MOVE, NULL, 0, NULL},
    {ROLL, {'G'}, CMD_PIECE_END, true, GROUP_MOVE, NULL, 0,
     "to the end of the piece; 12G to bar 12"},
    {ROLL, {K_END}, CMD_PIECE_END, true, GROUP_MOVE, NULL, 0, NULL},

    {EDIT, {K_ENTER}, CMD_TOGGLE_NOTE, true, GROUP_EDIT, "note", NORMAL | DRAW,
     "put a note, or remove the one here"},
    {EDIT, {'x'}, CMD_DELETE, true, GROUP_EDIT, "delete", SELECT, "delete the selected notes"},
    {EDIT, {'d'}, CMD_DELETE, true, GROUP_EDIT, NULL, 0, NULL},
    {EDIT, {K_DELETE}, CMD_DELETE, true, GROUP_EDIT, NULL, 0, NULL},
    {EDIT, {'y'}, CMD_YANK, false, GROUP_EDIT, "copy", SELECT, "copy"},
    {EDIT, {'p'}, CMD_PASTE, true, GROUP_EDIT, NULL, 0, "paste at the cursor"},
    {EDIT, {'D'}, CMD_DUPLICATE, true, GROUP_EDIT, "duplicate", SELECT,
     "duplicate right after itself"},
    {EDIT, {'s'}, CMD_SPLIT, false, GROUP_EDIT, NULL, 0, "split at the cursor"},
    {EDIT, {'<'}, CMD_NUDGE_LEFT, true, GROUP_EDIT, "earlier", SELECT,
     "earlier by a grid step"},
    {EDIT, {'>'}, CMD_NUDGE_RIGHT, true, GROUP_EDIT, "later", SELECT, "later by a grid step"},
    {EDIT, {'}'}, CMD_TRANSPOSE_UP, true, GROUP_EDIT, "higher", SELECT, "up a semitone"},
    {EDIT, {'{'}, CMD_TRANSPOSE_DOWN, true, GROUP_EDIT, "lower", SELECT, "down a semitone"},
    {EDIT, {'['}, CMD_SHORTER, true, GROUP_EDIT, "shorter", DRAW | SELECT,
     "shorter by a grid step"},
    {EDIT, {']'}, CMD_LONGER, true, GROUP_EDIT, "longer", DRAW | SELECT,
     "longer by a grid step"},
    {EDIT, {'-'}, CMD_SOFTER, true, GROUP_EDIT, "softer", DRAW | SELECT, "softer"},
    {EDIT, {'+'}, CMD_LOUDER, true, GROUP_EDIT, "louder", DRAW | SELECT, "louder"},
    {EDIT, {'='}, CMD_QUANTISE, false, GROUP_EDIT, "quantise", SELECT, "quantise to the grid"},
    {EDIT | LANE, {'.'}, CMD_REPEAT, true, GROUP_EDIT, NULL, 0, "do the last edit again"},
    {ROLL, {'u'}, CMD_UNDO, true, GROUP_EDIT, "undo", NORMAL | DRAW, "undo"},
    {ROLL, {CTRL('R')}, CMD_REDO, true, GROUP_EDIT, NULL, 0, "redo"},
    {EDIT, {'i'}, CMD_DRAW, false, GROUP_EDIT, "draw", NORMAL,
     "draw mode: Enter puts a note and moves on"},

    {EDIT, {'v'}, CMD_SELECT_BOX, false, GROUP_SELECT, "select", NORMAL,
     "select a box from here to the cursor"},
    {EDIT, {'V'}, CMD_SELECT_BARS, false, GROUP_SELECT, "bars", NORMAL, "select whole bars"},
    {EDIT, {'*'}, CMD_SELECT_PITCH, false, GROUP_SELECT, NULL, 0,
     "select every note of this pitch"},
    {EDIT, {CTRL('A')}, CMD_SELECT_ALL, false, GROUP_SELECT, NULL, 0, "select the whole track"},
    {ALL, {K_ESCAPE}, CMD_ESCAPE, false, GROUP_SELECT, "back", DRAW | SELECT | HELP | LANE,
     "step out: of a mode, a selection, this page"},
    {HELP, {'q'}, CMD_ESCAPE, false, GROUP_SELECT, NULL, 0, NULL},
    {PROMPT, {CTRL('C')}, CMD_ESCAPE, false, GROUP_SELECT, NULL, 0, NULL},

    {EDIT | LANE, {'E'}, CMD_LANE, false, GROUP_LANE, "leave", LANE,
     "edit the lane: velocity, pedal, bend ...; leave it"},
    {EDIT | LANE, {'g', 'E'}, CMD_LANE_NEXT, true, GROUP_LANE, "other", LANE,
     "show the next controller in it"},
    {EDIT | LANE, {'g', 'e'}, CMD_LANE_PREVIOUS, true, GROUP_LANE, NULL, 0,
     "the one before"},
    {LANE, {'k'}, CMD_LANE_UP, true, GROUP_LANE, "more", 0,
     "(in the lane) more here, or of all that is chosen"},
    {LANE, {K_UP}, CMD_LANE_UP, true, GROUP_LANE, NULL, 0, NULL},
    {LANE, {'+'}, CMD_LANE_UP, true, GROUP_LANE, NULL, 0, NULL},
    {LANE, {'j'}, CMD_LANE_DOWN, true, GROUP_LANE, "less", 0, "less"},
    {LANE, {K_DOWN}, CMD_LANE_DOWN, true, GROUP_LANE, NULL, 0, NULL},
    {LANE, {'-'}, CMD_LANE_DOWN, true, GROUP_LANE, NULL, 0, NULL},
    {LANE, {'K'}, CMD_LANE_UP_FAR, true, GROUP_LANE, NULL, 0, "more by 16; a pedal: down"},
    {LANE, {K_PAGE_UP}, CMD_LANE_UP_FAR, true, GROUP_LANE, NULL, 0, NULL},
    {LANE, {'J'}, CMD_LANE_DOWN_FAR, true, GROUP_LANE, NULL, 0, "less by 16; a pedal: up"},
    {LANE, {K_PAGE_DOWN}, CMD_LANE_DOWN_FAR, true, GROUP_LANE, NULL, 0, NULL},
    {LANE, {K_ENTER}, CMD_LANE_PUT, true, GROUP_LANE, "put", 0,
     "put a value, 90 as 90 Enter; a pedal: down, or up"},
    {LANE, {'x'}, CMD_LANE_REMOVE, false, GROUP_LANE, "remove", 0,
     "remove what a controller is told here"},
    {LANE, {'d'}, CMD_LANE_REMOVE, false, GROUP_LANE, NULL, 0, NULL},
    {LANE, {K_DELETE}, CMD_LANE_REMOVE, false, GROUP_LANE, NULL, 0, NULL},
    {LANE, {'v'}, CMD_LANE_SPAN, false, GROUP_LANE, "span", 0,
     "choose from here to the cursor; again: nothing"},
    {LANE, {'r'}, CMD_LANE_RAMP, false, GROUP_LANE, "ramp", 0,
     "a straight ramp from the first value to the last"},
    {LANE, {'w'}, CMD_LANE_EVENT_NEXT, true, GROUP_LANE, NULL, 0,
     "to the next value; notes do not take them along"},
    {LANE, {'b'}, CMD_LANE_EVENT_PREVIOUS, true, GROUP_LANE, NULL, 0,
     "to the value before"},

    {NORMAL | SELECT | TAKES, {'P'}, CMD_STEER, false, GROUP_STEER, "steer", 0,
     "a panel of what the machine is to do, kept with the piece"},
    {STEER, {'P'}, CMD_STEER, false, GROUP_STEER, "close", 0, "(in the panel) close it"},
    {STEER, {K_ESCAPE}, CMD_STEER, false, GROUP_STEER, NULL, 0, NULL},
    {STEER, {'j'}, CMD_STEER_NEXT, true, GROUP_STEER, "next", 0, "the next value"},
    {STEER, {K_DOWN}, CMD_STEER_NEXT, true, GROUP_STEER, NULL, 0, NULL},
    {STEER, {K_TAB}, CMD_STEER_NEXT, true, GROUP_STEER, NULL, 0, NULL},
    {STEER, {'k'}, CMD_STEER_PREVIOUS, true, GROUP_STEER, NULL, 0, "the one before"},
    {STEER, {K_UP}, CMD_STEER_PREVIOUS, true, GROUP_STEER, NULL, 0, NULL},
    {STEER, {K_BACKTAB}, CMD_STEER_PREVIOUS, true, GROUP_STEER, NULL, 0, NULL},
    {STEER, {'h'}, CMD_STEER_LESS, true, GROUP_STEER, "less", 0, "a step less"},
    {STEER, {K_LEFT}, CMD_STEER_LESS, true, GROUP_STEER, NULL, 0, NULL},
    {STEER, {K_WHEEL_DOWN}, CMD_STEER_LESS, false, GROUP_STEER, NULL, 0, NULL},
    {STEER, {'l'}, CMD_STEER_MORE, true, GROUP_STEER, "more", 0, "a step more"},
    {STEER, {K_RIGHT}, CMD_STEER_MORE, true, GROUP_STEER, NULL, 0, NULL},
    {STEER, {K_WHEEL_UP}, CMD_STEER_MORE, false, GROUP_STEER, NULL, 0, NULL},
    {STEER, {K_ENTER}, CMD_STEER_TYPE, false, GROUP_STEER, "type", 0,
     "type the value; a digit begins it, too"},
    {STEER, {'0'}, CMD_STEER_RESET, false, GROUP_STEER, "as learnt", 0, "any, or as learnt"},
    {STEER, {K_BACKSPACE}, CMD_STEER_RESET, false, GROUP_STEER, NULL, 0, NULL},
    {STEER, {K_PRESS}, CMD_STEER_POINT, false, GROUP_STEER, NULL, 0,
     "choose a value, change it at its arrows"},

    {ROLL, {K_TAB}, CMD_TRACK_NEXT, true, GROUP_TRACKS, "track", NORMAL, "the next track"},
    {ROLL, {K_BACKTAB}, CMD_TRACK_PREVIOUS, true, GROUP_TRACKS, NULL, 0, "the track before"},
    {EDIT, {'A'}, CMD_TRACK_ADD, false, GROUP_TRACKS, NULL, 0, "add a track"},
    {ROLL, {'M'}, CMD_MUTE, false, GROUP_TRACKS, NULL, 0, "mute or unmute the track"},
    {ROLL, {'S'}, CMD_SOLO, false, GROUP_TRACKS, NULL, 0, "hear only this track, or all again"},

    {ROLL, {'z', 'i'}, CMD_ZOOM_IN, true, GROUP_VIEW, "zoom", NORMAL, "zoom in on time"},
    {ROLL, {K_RIGHT | K_WITH_CTRL}, CMD_ZOOM_IN, true, GROUP_VIEW, NULL, 0, NULL},
    {ROLL, {'z', 'o'}, CMD_ZOOM_OUT, true, GROUP_VIEW, NULL, 0, "zoom out of time"},
    {ROLL, {K_LEFT | K_WITH_CTRL}, CMD_ZOOM_OUT, true, GROUP_VIEW, NULL, 0, NULL},
    {ROLL, {'z', 'I'}, CMD_ZOOM_IN_PITCH, true, GROUP_VIEW, NULL, 0, "taller rows"},
    {ROLL, {K_UP | K_WITH_CTRL}, CMD_ZOOM_IN_PITCH, true, GROUP_VIEW, NULL, 0, NULL},
    {ROLL, {'z', 'O'}, CMD_ZOOM_OUT_PITCH, true, GROUP_VIEW, NULL, 0, "flatter rows"},
    {ROLL, {K_DOWN | K_WITH_CTRL}, CMD_ZOOM_OUT_PITCH, true, GROUP_VIEW, NULL, 0, NULL},
    {ROLL, {')'}, CMD_GRID_FINER, true, GROUP_VIEW, NULL, 0, "finer grid"},
    {ROLL, {'('}, CMD_GRID_COARSER, true, GROUP_VIEW, NULL, 0, "coarser grid"},
    {ROLL, {'F'}, CMD_FOLLOW, false, GROUP_VIEW, NULL, 0,
     "follow the playhead and new notes, or stay"},
    {SCROLL | STEER, {CTRL('L')}, CMD_REDRAW, false, GROUP_VIEW, NULL, 0, "draw the screen anew"},

    {ROLL | STEER, {CTRL('S')}, CMD_SAVE, false, GROUP_FILES, "save", NORMAL, "save"},
    {EDIT, {CTRL('E')}, CMD_SAVE_AS, false, GROUP_FILES, NULL, 0, "save under another name"},
    {EDIT, {CTRL('O')}, CMD_OPEN, false, GROUP_FILES, NULL, 0, "open a file"},
    {ROLL, {CTRL('Q')}, CMD_QUIT, false, GROUP_FILES, NULL, 0, "quit"},
    {EDIT, {'Z', 'Z'}, CMD_SAVE_QUIT, false, GROUP_FILES, NULL, 0, "save and quit"},
    {EDIT, {'Z', 'Q'}, CMD_QUIT_NOW, false, GROUP_FILES, NULL, 0, "quit without saving"},
    {SCROLL | STEER, {'?'}, CMD_HELP, false, GROUP_FILES, NULL, 0, "this page"},
    {SCROLL | STEER, {K_F1}, CMD_HELP, false, GROUP_FILES, NULL, 0, NULL},
    {ROLL | STEER, {':'}, CMD_COMMAND_LINE, false, GROUP_FILES, NULL, 0, "type a command:"},
    {PROMPT, {K_ENTER}, CMD_SUBMIT, false, GROUP_FILES, NULL, 0, "(after : ) do it"},
    {PROMPT, {K_BACKSPACE}, CMD_BACKSPACE, false, GROUP_FILES, NULL, 0,
     "(after : ) take back a letter"},

    {ROLL, {K_PRESS}, CMD_POINT, false, GROUP_MOUSE, NULL, 0,
     "put a note; on one: choose it, with Ctrl as well; right: erase"},
    {ROLL, {K_DRAG}, CMD_DRAG, false, GROUP_MOUSE, NULL, 0,
     "draw; move, copy with Ctrl, resize at an end; Ctrl: a box"},
    {ROLL, {K_RELEASE}, CMD_RELEASE, false, GROUP_MOUSE, NULL, 0,
     "do it; Esc before that: nothing happens"},
    {SCROLL, {K_WHEEL_UP}, CMD_SCROLL_UP, false, GROUP_MOUSE, NULL, 0, "scroll up"},
    {SCROLL, {K_WHEEL_DOWN}, CMD_SCROLL_DOWN, false, GROUP_MOUSE, NULL, 0, "scroll down"},
    {ROLL, {K_WHEEL_LEFT}, CMD_SCROLL_LEFT, false, GROUP_MOUSE, NULL, 0,
     "scroll left; so does the wheel with Shift or Alt"},
    {ROLL, {K_WHEEL_UP | K_WITH_SHIFT}, CMD_SCROLL_LEFT, false, GROUP_MOUSE, NULL, 0, NULL},
    {ROLL, {K_WHEEL_UP | K_WITH_ALT}, CMD_SCROLL_LEFT, false, GROUP_MOUSE, NULL, 0, NULL},
    {ROLL, {K_WHEEL_RIGHT}, CMD_SCROLL_RIGHT, false, GROUP_MOUSE, NULL, 0, "scroll right"},
    {ROLL, {K_WHEEL_DOWN | K_WITH_SHIFT}, CMD_SCROLL_RIGHT, false, GROUP_MOUSE, NULL, 0, NULL},
    {ROLL, {K_WHEEL_DOWN | K_WITH_ALT}, CMD_SCROLL_RIGHT, false, GROUP_MOUSE, NULL, 0, NULL},
    {ROLL, {K_WHEEL_UP | K_WITH_CTRL}, CMD_ZOOM_IN_HERE, false, GROUP_MOUSE, NULL, 0,
     "zoom in on time there; with Shift: taller rows"},
    {ROLL, {K_WHEEL_DOWN | K_WITH_CTRL}, CMD_ZOOM_OUT_HERE, false, GROUP_MOUSE, NULL, 0,
     "zoom out of time there; with Shift: flatter rows"},
    {ROLL, {K_WHEEL_UP | K_WITH_CTRL | K_WITH_SHIFT}, CMD_ZOOM_IN_PITCH_HERE, false,
     GROUP_MOUSE, NULL, 0, "taller rows, about the pointer"},
    {ROLL, {K_WHEEL_DOWN | K_WITH_CTRL | K_WITH_SHIFT}, CMD_ZOOM_OUT_PITCH_HERE, false,
     GROUP_MOUSE, NULL, 0, "flatter rows"},
};
/* clang-format on */
const size_t n_bindings = sizeof bindings / sizeof bindings[0];

const struct typed_line typed_lines[] = {
    {":w", "save"},
    {":w NAME", "save under another name"},
    {":e NAME", "open a file; :e! leaves unsaved changes"},
    {":q  :q!", "quit; with ! without saving"},
    {":wq", "save and quit"},
    {":track NAME", "add a track"},
    {":tempo 96", "set the tempo at the cursor's bar"},
    {":meter 3/4", "set the meter from the cursor's bar"},
    {":insert 2", "put empty bars in before the cursor's"},
    {":lead-in 2", "write that many bars before the music"},
    {":harmonise", "write the other tracks anew; a number adds as many"},
    {":keep rhythm", "and change only the pitches; :keep pitches, :keep nothing"},
    {":stays 0.6", "vary: so large a share of the notes stays"},
    {":scale G", "new notes are of this scale; :scale any"},
    {":takes 4", "how many takes it makes at a time, 1 to 8"},
    {":seed 7", "the dice the machine throws"},
    {":style NAME", "guess, any, chorale, piano, song, quartet, folk"},
    {":temperature 1", "lower is safer, higher is wilder"},
    {":density 2", "or another value of P's panel, by its name there"},
    {":lane pedal", "show velocity, pedal, bend, pan, ... or a number, as :lane 11"},
    {":value 90", "put that value in the lane, or all that is chosen of it"},
    {":sound", "what plays, and where"},
};
const size_t n_typed_lines = sizeof typed_lines / sizeof typed_lines[0];

const char *binding_group_name(enum binding_group group)
{
    static const char *const NAMES[GROUP_COUNT] = {
        "The machine", "Takes",   "Steering it",       "Sound",
        "Moving",      "Editing", "Choosing notes", "The lane", "Tracks",
        "View",        "Mouse",   "Files and program",
    };
    return NAMES[group];
}

const char *binding_keys(const struct binding *b, char buf[64])
{
    char first[32], second[32] = "";
    key_name(b->keys[0], first);
    if (b->keys[1])
        key_name(b->keys[1], second);
    snprintf(buf, 64, "%s%s", first, second);
    return buf;
}

const char *binding_keys_range(const struct binding *b, char buf[64])
{
    const struct binding *last = b, *end = bindings + n_bindings;
    bool is_digit = b->keys[0] >= '0' && b->keys[0] <= '9' && !b->keys[1];
    while (is_digit && last + 1 < end && !last[1].help &&
           last[1].keys[0] == last->keys[0] + 1)
        last++;
    if (last == b)
        return binding_keys(b, buf);
    snprintf(buf, 64, "%c-%c", (char)b->keys[0], (char)last->keys[0]);
    return buf;
}

const char *mode_name(enum mode mode)
{
    static const char *const NAMES[MODE_COUNT] = {"NORMAL", "DRAW", "SELECT", "TAKES",
                                                  "STEER",  "LANE", "HELP", "COMMAND"};
    return mode < MODE_COUNT ? NAMES[mode] : "";
}
