/* Rows are in the order the help shows them; within a mode the first hints win
 * the room there is. A row without help is another key for the row above it. */
#include "tui/bindings.h"

#include <stdio.h>

#define NORMAL       IN(MODE_NORMAL)
#define DRAW         IN(MODE_DRAW)
#define SELECT       IN(MODE_SELECT)
#define TAKES        IN(MODE_TAKES)
#define STEER        IN(MODE_STEER)
#define TRACKS       IN(MODE_TRACKS)
#define HELP         IN(MODE_HELP)
#define PROMPT       IN(MODE_PROMPT)
#define EDIT         (NORMAL | DRAW | SELECT)
#define ROLL         (EDIT | TAKES)
#define SCROLL       (ROLL | HELP)
#define ALL          (SCROLL | PROMPT) /* but the panel, which Escape closes */

#define CTRL(letter) KEY_CTRL(letter)

/* clang-format off */
const struct binding bindings[] = {
    /* The machine first: its hints matter most. */
    {ROLL, {'C'}, CMD_CONTINUE, true, GROUP_MACHINE, "continue", NORMAL,
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
    {SCROLL | STEER | TRACKS, {CTRL('C')}, CMD_STOP, false, GROUP_MACHINE, "stop", TAKES, "stop composing"},

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

    {ROLL | STEER | TRACKS, {' '}, CMD_PLAY, false, GROUP_TRANSPORT, "play", ROLL,
     "play from the cursor, or stop; takes are heard too"},
    {ROLL | TRACKS, {K_BACKSPACE}, CMD_PLAY_START, false, GROUP_TRANSPORT, NULL, 0,
     "play from the start"},
    {ROLL, {'\\'}, CMD_LOOP, true, GROUP_TRANSPORT, NULL, 0,
     "loop on or off; 4\\ four bars; a selection: that"},
    {ROLL | TRACKS, {'!'}, CMD_PANIC, false, GROUP_TRANSPORT, NULL, 0, "all sound off"},
    {ROLL, {'t'}, CMD_TEMPO, false, GROUP_TRANSPORT, NULL, 0,
     "set the tempo at the cursor's bar"},

    {ROLL, {'h'}, CMD_LEFT, true, GROUP_MOVE, NULL, 0, "left by one grid step"},
    {ROLL, {K_LEFT}, CMD_LEFT, true, GROUP_MOVE, NULL, 0, NULL},
    {ROLL, {'l'}, CMD_RIGHT, true, GROUP_MOVE, NULL, 0, "right by one grid step"},
    {ROLL, {K_RIGHT}, CMD_RIGHT, true, GROUP_MOVE, NULL, 0, NULL},
    {SCROLL & ~TAKES, {'k'}, CMD_UP, true, GROUP_MOVE, NULL, 0, "up a semitone"},
    {SCROLL, {K_UP}, CMD_UP, true, GROUP_MOVE, NULL, 0, NULL},
    {SCROLL, {'j'}, CMD_DOWN, true, GROUP_MOVE, "scroll", HELP, "down a semitone"},
    {SCROLL, {K_DOWN}, CMD_DOWN, true, GROUP_MOVE, NULL, 0, NULL},
    {ROLL, {'w'}, CMD_NOTE_NEXT, true, GROUP_MOVE, NULL, 0, "to the next note; in TAKES, of the take"},
    {ROLL, {'b'}, CMD_NOTE_PREVIOUS, true, GROUP_MOVE, NULL, 0, "to the note before"},
    {ROLL, {'e'}, CMD_NOTE_END, true, GROUP_MOVE, NULL, 0, "to the end of the note"},
    {ROLL, {'H'}, CMD_BAR_LEFT, true, GROUP_MOVE, NULL, 0, "left by a bar"},
    {ROLL, {K_LEFT | K_WITH_SHIFT}, CMD_BAR_LEFT, true, GROUP_MOVE, NULL, 0, NULL},
    {ROLL, {'L'}, CMD_BAR_RIGHT, true, GROUP_MOVE, NULL, 0, "right by a bar"},
    {ROLL, {K_RIGHT | K_WITH_SHIFT}, CMD_BAR_RIGHT, true, GROUP_MOVE, NULL, 0, NULL},
    {SCROLL, {'K'}, CMD_OCTAVE_UP, true, GROUP_MOVE, NULL, 0, "up an octave"},
    {SCROLL, {K_PAGE_UP}, CMD_OCTAVE_UP, true, GROUP_MOVE, NULL, 0, NULL},
    {SCROLL, {'J'}, CMD_OCTAVE_DOWN, true, GROUP_MOVE, "page", HELP, "down an octave"},
    {SCROLL, {K_PAGE_DOWN}, CMD_OCTAVE_DOWN, true, GROUP_MOVE, NULL, 0, NULL},
    {EDIT, {'0'}, CMD_LINE_START, false, GROUP_MOVE, NULL, 0, "to the start of the bar"},
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
    {EDIT, {'p'}, CMD_PASTE, true, GROUP_EDIT, NULL, 0, "paste at the cursor; 3p three times over"},
    {EDIT, {'"', K_LETTER}, CMD_REGISTER, true, GROUP_EDIT, NULL, 0,
     "by way of a register: before x y p D; A-Z add to it"},
    {EDIT, {'D'}, CMD_DUPLICATE, true, GROUP_EDIT, "duplicate", SELECT,
     "duplicate right after itself"},
    {EDIT, {'s'}, CMD_SPLIT, true, GROUP_EDIT, NULL, 0,
     "split at the cursor; 3s into three"},
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
    {EDIT, {'g', '}'}, CMD_SCALE_STEP_UP, true, GROUP_EDIT, NULL, 0, "up a step of the :scale"},
    {EDIT, {'g', '{'}, CMD_SCALE_STEP_DOWN, true, GROUP_EDIT, NULL, 0, "down a step of it"},
    {EDIT, {'g', 'K'}, CMD_NOTES_OCTAVE_UP, true, GROUP_EDIT, NULL, 0, "notes up an octave"},
    {EDIT, {'g', 'J'}, CMD_NOTES_OCTAVE_DOWN, true, GROUP_EDIT, NULL, 0, "notes down an octave"},
    {EDIT, {'g', 'l'}, CMD_LEGATO, true, GROUP_EDIT, NULL, 0,
     "legato: up to the next note; 90gl nine tenths of it"},
    {EDIT, {'g', '.'}, CMD_STACCATO, true, GROUP_EDIT, NULL, 0,
     "staccato: half as long; 30g. thirty percent"},
    {EDIT, {'g', 'j'}, CMD_JOIN, true, GROUP_EDIT, NULL, 0,
     "join with the next of its pitch, or all selected"},
    {EDIT, {'o'}, CMD_CHORD, true, GROUP_EDIT, "chord", DRAW,
     "put a chord of the scale: 3o a triad, 4o a seventh"},
    {EDIT, {'='}, CMD_QUANTISE, true, GROUP_EDIT, "quantise", SELECT,
     "quantise to the grid; 80= most of the way"},
    {EDIT, {'g', '='}, CMD_QUANTISE_ASK, false, GROUP_EDIT, NULL, 0, "ask how to quantise"},
    {EDIT, {'g', 'u'}, CMD_RESTORE_PLAYED, false, GROUP_EDIT, NULL, 0,
     "back to the timing as it was played"},
    {EDIT, {'~'}, CMD_HUMANISE, true, GROUP_EDIT, NULL, 0,
     "humanise; again draws anew, 3~ is stronger"},
    {EDIT, {'.'}, CMD_REPEAT, true, GROUP_EDIT, NULL, 0, "do the last edit again"},
    {ROLL | TRACKS, {'u'}, CMD_UNDO, true, GROUP_EDIT, "undo", NORMAL | DRAW, "undo"},
    {ROLL | TRACKS, {CTRL('R')}, CMD_REDO, true, GROUP_EDIT, NULL, 0, "redo"},
    {EDIT, {'i'}, CMD_DRAW, false, GROUP_EDIT, "draw", NORMAL,
     "draw mode: Enter puts a note and moves on"},

    {EDIT, {'v'}, CMD_SELECT_BOX, false, GROUP_SELECT, "select", NORMAL,
     "select a box from here to the cursor"},
    {EDIT, {'V'}, CMD_SELECT_BARS, false, GROUP_SELECT, "bars", NORMAL, "select whole bars"},
    {EDIT, {'g', 'V'}, CMD_SELECT_BARS_ALL, false, GROUP_SELECT, NULL, 0,
     "whole bars of all tracks that are seen"},
    {EDIT, {'*'}, CMD_SELECT_PITCH, false, GROUP_SELECT, NULL, 0,
     "select every note of this pitch"},
    {EDIT, {'g', '*'}, CMD_SELECT_PITCH_CLASS, false, GROUP_SELECT, NULL, 0,
     "and of its octaves"},
    {EDIT, {'g', 'O'}, CMD_SELECT_OUT_OF_SCALE, false, GROUP_SELECT, NULL, 0,
     "select the notes out of the scale"},
    {EDIT, {CTRL('A')}, CMD_SELECT_ALL, false, GROUP_SELECT, NULL, 0, "select the whole track"},
    {EDIT, {'g', 't'}, CMD_SELECT_TRACK, true, GROUP_SELECT, NULL, 0, "the same; 2gt selects track 2"},
    {EDIT, {'g', 'A'}, CMD_SELECT_TRACKS, false, GROUP_SELECT, NULL, 0, "select all tracks"},
    {EDIT, {'g', 'i'}, CMD_SELECT_REST, false, GROUP_SELECT, NULL, 0,
     "select the others instead"},
    {EDIT, {'g', 'v'}, CMD_SELECT_AGAIN, false, GROUP_SELECT, NULL, 0,
     "select what was selected before"},
    {ALL, {K_ESCAPE}, CMD_ESCAPE, false, GROUP_SELECT, "back", DRAW | SELECT | HELP,
     "step out: of a mode, a selection, this page"},
    {HELP, {'q'}, CMD_ESCAPE, false, GROUP_SELECT, NULL, 0, NULL},
    {PROMPT, {CTRL('C')}, CMD_ESCAPE, false, GROUP_SELECT, NULL, 0, NULL},

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

    {ROLL | TRACKS, {K_TAB}, CMD_TRACK_NEXT, true, GROUP_TRACKS, "track", NORMAL,
     "the next track; j in the list"},
    {TRACKS, {'j'}, CMD_TRACK_NEXT, true, GROUP_TRACKS, NULL, 0, NULL},
    {TRACKS, {K_DOWN}, CMD_TRACK_NEXT, true, GROUP_TRACKS, NULL, 0, NULL},
    {ROLL | TRACKS, {K_BACKTAB}, CMD_TRACK_PREVIOUS, true, GROUP_TRACKS, NULL, 0,
     "the track before; k in the list"},
    {TRACKS, {'k'}, CMD_TRACK_PREVIOUS, true, GROUP_TRACKS, NULL, 0, NULL},
    {TRACKS, {K_UP}, CMD_TRACK_PREVIOUS, true, GROUP_TRACKS, NULL, 0, NULL},
    {ROLL | TRACKS, {'B'}, CMD_TRACKS, false, GROUP_TRACKS, "tracks", NORMAL,
     "the list of tracks, or close it"},
    {TRACKS, {K_ESCAPE}, CMD_TRACKS, false, GROUP_TRACKS, "close", 0, NULL},
    {TRACKS, {K_ENTER}, CMD_TRACK_RENAME, false, GROUP_TRACKS, "rename", 0, "(in the list) give the track another name"},
    {TRACKS, {'i'}, CMD_TRACK_INSTRUMENT, false, GROUP_TRACKS, "instrument", 0,
     "(in the list) its instrument, by a few letters"},
    {PROMPT, {K_DOWN}, CMD_CHOICE_NEXT, false, GROUP_TRACKS, NULL, 0,
     "(after :instrument ) the next that fits"},
    {PROMPT, {K_UP}, CMD_CHOICE_PREVIOUS, false, GROUP_TRACKS, NULL, 0, "(after :instrument ) the one before"},
    {TRACKS, {'c'}, CMD_TRACK_COLOUR, true, GROUP_TRACKS, "colour", 0,
     "(in the list) its next colour; 3c: the third"},
    {TRACKS, {'n'}, CMD_TRACK_CHANNEL, true, GROUP_TRACKS, "channel", 0,
     "(in the list) its channel; 10n: the drums'"},
    {ROLL | TRACKS, {'M'}, CMD_MUTE, false, GROUP_TRACKS, "mute", TRACKS, "mute or unmute the track"},
    {ROLL | TRACKS, {'S'}, CMD_SOLO, false, GROUP_TRACKS, "solo", TRACKS,
     "hear only this track, or all again"},
    {TRACKS, {'a'}, CMD_ARM, false, GROUP_TRACKS, "arm", 0, "(in the list) record onto it, or not"},
    {ROLL, {'g', 'h'}, CMD_HIDE, false, GROUP_TRACKS, NULL, 0,
     "hide the track, though it is heard; h in the list"},
    {TRACKS, {'h'}, CMD_HIDE, false, GROUP_TRACKS, "hide", 0, NULL},
    {EDIT | TRACKS, {'A'}, CMD_TRACK_ADD, false, GROUP_TRACKS, "add", TRACKS, "add a track"},
    {TRACKS, {'X'}, CMD_TRACK_REMOVE, false, GROUP_TRACKS, "remove", 0, "(in the list) remove it with its notes"},
    {TRACKS, {'J'}, CMD_TRACK_DOWN, true, GROUP_TRACKS, "move", 0, "(in the list) move it down"},
    {TRACKS, {'K'}, CMD_TRACK_UP, true, GROUP_TRACKS, NULL, 0, "(in the list) move it up"},
    {ROLL, {'g', 'b'}, CMD_GHOST_NOTES, false, GROUP_TRACKS, NULL, 0,
     "show the notes of other tracks, or not"},
    {TRACKS, {K_PRESS}, CMD_TRACKS_POINT, false, GROUP_TRACKS, NULL, 0,
     "(in the list) choose a track, change its marks"},
    {TRACKS, {K_WHEEL_DOWN}, CMD_TRACKS_SCROLL_DOWN, false, GROUP_TRACKS, NULL, 0,
     "(in the list) scroll down"},
    {TRACKS, {K_WHEEL_UP}, CMD_TRACKS_SCROLL_UP, false, GROUP_TRACKS, NULL, 0,
     "(in the list) scroll up"},

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
    {ROLL, {'g', '3'}, CMD_GRID_TRIPLET, false, GROUP_VIEW, NULL, 0, "a grid of triplets, or straight again"},
    {ROLL, {'g', 'd'}, CMD_GRID_DOTTED, false, GROUP_VIEW, NULL, 0, "a dotted grid, or straight again"},
    {ROLL, {'g', '0'}, CMD_GRID_FREE, false, GROUP_VIEW, NULL, 0, "no grid, or the grid again"},
    {ROLL, {'O'}, CMD_SCALE, false, GROUP_VIEW, NULL, 0, "set the scale: it is shaded, and the machine keeps to it"},
    {ROLL, {'z', 's'}, CMD_SNAP, false, GROUP_VIEW, NULL, 0, "notes and j k go by the scale, or by semitones"},
    {ROLL, {'z', 'f'}, CMD_FOLD, false, GROUP_VIEW, NULL, 0, "only the scale's rows, or all"},
    {ROLL, {'F'}, CMD_FOLLOW, false, GROUP_VIEW, NULL, 0,
     "follow the playhead and new notes, or stay"},
    {SCROLL | STEER | TRACKS, {CTRL('L')}, CMD_REDRAW, false, GROUP_VIEW, NULL, 0, "draw the screen anew"},

    {ROLL | STEER | TRACKS, {CTRL('S')}, CMD_SAVE, false, GROUP_FILES, "save", NORMAL, "save"},
    {EDIT, {CTRL('E')}, CMD_SAVE_AS, false, GROUP_FILES, NULL, 0, "save under another name"},
    {EDIT, {CTRL('O')}, CMD_OPEN, false, GROUP_FILES, NULL, 0, "open a file"},
    {ROLL, {CTRL('Q')}, CMD_QUIT, false, GROUP_FILES, NULL, 0, "quit"},
    {EDIT, {'Z', 'Z'}, CMD_SAVE_QUIT, false, GROUP_FILES, NULL, 0, "save and quit"},
    {EDIT, {'Z', 'Q'}, CMD_QUIT_NOW, false, GROUP_FILES, NULL, 0, "quit without saving"},
    {SCROLL | STEER | TRACKS, {'?'}, CMD_HELP, false, GROUP_FILES, NULL, 0, "this page"},
    {SCROLL | STEER | TRACKS, {K_F1}, CMD_HELP, false, GROUP_FILES, NULL, 0, NULL},
    {ROLL | STEER | TRACKS, {':'}, CMD_COMMAND_LINE, false, GROUP_FILES, NULL, 0, "type a command:"},
    {PROMPT, {K_ENTER}, CMD_SUBMIT, false, GROUP_FILES, NULL, 0, "(after : ) do it"},
    {PROMPT, {K_BACKSPACE}, CMD_BACKSPACE, false, GROUP_FILES, NULL, 0,
     "(after : ) take back a letter"},

    {ROLL, {K_PRESS}, CMD_POINT, false, GROUP_MOUSE, NULL, 0,
     "cursor here; again: a note; right: remove it"},
    {ROLL, {K_DRAG}, CMD_DRAG, false, GROUP_MOUSE, NULL, 0,
     "move a note, or select a box"},
    {ROLL, {K_RELEASE}, CMD_RELEASE, false, GROUP_MOUSE, NULL, 0, "done moving"},
    {SCROLL, {K_WHEEL_UP}, CMD_SCROLL_UP, false, GROUP_MOUSE, NULL, 0, "scroll up"},
    {SCROLL, {K_WHEEL_DOWN}, CMD_SCROLL_DOWN, false, GROUP_MOUSE, NULL, 0, "scroll down"},
    {ROLL, {K_WHEEL_LEFT}, CMD_SCROLL_LEFT, false, GROUP_MOUSE, NULL, 0, "scroll left"},
    {ROLL, {K_WHEEL_UP | K_WITH_SHIFT}, CMD_SCROLL_LEFT, false, GROUP_MOUSE, NULL, 0, NULL},
    {ROLL, {K_WHEEL_RIGHT}, CMD_SCROLL_RIGHT, false, GROUP_MOUSE, NULL, 0, "scroll right"},
    {ROLL, {K_WHEEL_DOWN | K_WITH_SHIFT}, CMD_SCROLL_RIGHT, false, GROUP_MOUSE, NULL, 0, NULL},
};
/* clang-format on */
const size_t n_bindings = sizeof bindings / sizeof bindings[0];

const struct typed_line typed_lines[] = {
    {":w", "save"},
    {":w NAME", "save under another name"},
    {":e NAME", "open a file; :e! leaves unsaved changes"},
    {":theme NAME", "other colours: dark, light, contrast, mono, auto"},
    {":q  :q!", "quit; with ! without saving"},
    {":wq", "save and quit"},
    {":track NAME", "add a track"},
    {":rename NAME", "give the track another name"},
    {":instrument NAME", "or a number, or a few letters: its instrument"},
    {":channel 4", "the track's channel, 1 to 16; 10 plays drums"},
    {":colour 3", "its colour, by number or name; :colour auto"},
    {":tempo 96", "set the tempo at the cursor's bar"},
    {":meter 3/4", "set the meter from the cursor's bar"},
    {":insert 2", "put empty bars in before the cursor's"},
    {":lead-in 2", "write that many bars before the music"},
    {":harmonise", "write the other tracks anew; a number adds as many"},
    {":keep rhythm", "and change only the pitches; :keep pitches, :keep nothing"},
    {":stays 0.6", "vary: so large a share of the notes stays"},
    {":scale G", "the scale, also of new notes; :scale any, :scale guess"},
    {":takes 4", "how many takes it makes at a time, 1 to 8"},
    {":seed 7", "the dice the machine throws"},
    {":style NAME", "guess, any, chorale, piano, song, quartet, folk"},
    {":temperature 1", "lower is safer, higher is wilder"},
    {":density 2", "or another value of P's panel, by its name there"},
    {":select velocity>90", "or length<1/16, pitch C3-G4, bar 3-5; also together"},
    {":registers", "what was copied and taken away, by letter and number"},
    {":grid 1/16t", "the grid: triplets; 1/8. is dotted, off is none"},
    {":quantise 80%", "how far, start end length, swing 56, within 30%"},
    {":swing 56", "quantise with the off-beats so late, 50 to 75"},
    {":humanise 10ms", "how far; 8 of velocity, seed 7"},
    {":transpose -7", "the selected notes, or the one here, by semitones"},
    {":invert E4", "turn them over at a note; without one, at the first"},
    {":stretch 200%", "their time, from where they begin; or :stretch 2/3"},
    {":reverse", "play them backwards"},
    {":velocity 60-100", "a crescendo; or :velocity 80, *1.2, -10"},
    {":chord G7/B", "put a chord at the cursor: m7, sus4, dim7, 13 ..."},
    {":sound", "what plays, and where"},
};
const size_t n_typed_lines = sizeof typed_lines / sizeof typed_lines[0];

const char *binding_group_name(enum binding_group group)
{
    static const char *const NAMES[GROUP_COUNT] = {
        "The machine", "Takes",   "Steering it",       "Sound",
        "Moving",      "Editing", "Choosing notes",    "Tracks",
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
                                                  "STEER", "TRACKS", "HELP", "COMMAND"};
    return mode < MODE_COUNT ? NAMES[mode] : "";
}
