/* What every file of this room shares: its error codes.
 * Zero is success. Nothing in midi/ prints, exits or asserts on input; app/
 * turns a status and a file name into a sentence. */
#ifndef MIDI_MIDI_H
#define MIDI_MIDI_H

/* clang 20 checks this; elsewhere it documents: no locks, no allocation. */
#if defined(__has_attribute)
#if __has_attribute(nonblocking)
#define REALTIME __attribute__((nonblocking))
#endif
#endif
#ifndef REALTIME
#define REALTIME
#endif

enum midi_status {
    MIDI_OK = 0,
    MIDI_NO_MEMORY,
    MIDI_NO_FILE,      /* cannot be opened or read; errno says why */
    MIDI_NOT_REGULAR,  /* a folder, a pipe, a device */
    MIDI_TOO_BIG,      /* larger than this program reads */
    MIDI_NOT_MIDI,     /* no MThd where one must be */
    MIDI_EMPTY,        /* a MIDI file with nothing readable in it */
    MIDI_CANNOT_WRITE, /* errno says why */
    MIDI_TOO_LONG,     /* a time or a piece too long for what was asked */
    MIDI_BAD_TOKEN,    /* a token sequence that no score encodes to */
    MIDI_BAD_EDIT,     /* an edit that does not fit the score it is applied to */
    MIDI_STOPPED,      /* because it was asked to */
    MIDI_NO_SOUND,     /* no soundfont, or the synth could not be made */
};

/* One plain lower-case phrase, without a file name: "is not a MIDI file". */
const char *midi_strerror(enum midi_status st);

#endif
