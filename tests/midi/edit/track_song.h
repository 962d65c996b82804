/* Songs as the bytes of a file. Each test edits a track by one change, and undoes it
 * to the byte. */
#ifndef TESTS_MIDI_TRACK_SONG_H
#define TESTS_MIDI_TRACK_SONG_H

#include "midi/edit/track_edit.h"
#include "tests/midi/edit/random_smf.h"
#include "tests/midi/edit/smf_bytes.h"
#include "tests/midi/undo.h"

#define CONDUCTOR TRACK(0, 0xFF, 0x51, 3, 7, 0xA1, 0x20, 0, END)
#define OLD_NAME  0xFF, 3, 3, 'O', 'l', 'd'
/* A track with a bank select, and one without name or program. */
#define NAMED(program, ...)                                                            \
    TRACK(0, __VA_ARGS__, 0, 0xB0, 0, 1, 0, 0xC0, program, 0, 0x90, 60, 80, 9, 0x80,   \
          60, 0, 0, END)
#define NAMELESS                                                                       \
    TRACK(0, 0xB1, 0, 2, 0, 0x91, 62, 80, 9, 0x81, 62, 0, 0, 0xB1, 7, 9, 0, END)

BYTES(SONG, HEADER(1, 3, 96), CONDUCTOR, NAMED(5, OLD_NAME), NAMELESS);

/* Format 0: two channels in one chunk. */
BYTES(JAMMED, HEADER(0, 1, 96),
      TRACK(0, 0xFF, 3, 3, 'O', 'n', 'e', 0, 0xC0, 5, 0, 0x90, 60, 80, 0, 0xC1, 6, 0,
            0x91, 62, 80, 9, 0xB1, 7, 9, 0, 0x80, 60, 0, 0, 0x81, 62, 0, 0, END));

#endif
