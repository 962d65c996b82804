/* Status codes of midi/, and the numbers of MIDI controllers. Status 0 is success.
 * Nothing in midi/ prints, exits, or asserts on input: app/ turns a status and a file's
 * name into a sentence. */
#ifndef MIDI_MIDI_H
#define MIDI_MIDI_H

/* Marks functions that never lock or allocate. clang 20 checks this; for other
 * compilers it is documentation. */
#if defined(__has_attribute)
#if __has_attribute(nonblocking)
#define REALTIME __attribute__((nonblocking))
#endif
#endif
#ifndef REALTIME
#define REALTIME
#endif

/* Controllers (MIDI 1.0). CC_PEDAL is the sustain pedal, the first of the six
 * pedals. */
enum {
    CC_BANK = 0, /* 120 (General MIDI 2) and 127 (Yamaha XG): drum kits */
    BANK_KITS = 120,
    BANK_KITS_XG = 127,
    BANK_MELODY = 121, /* General MIDI 2: the bank of a channel without drums */
    CC_MODULATION = 1,
    CC_BREATH = 2,
    CC_FOOT = 4,
    CC_DATA = 6,
    CC_VOLUME = 7,
    CC_BALANCE = 8,
    CC_PAN = 10,
    CC_EXPRESSION = 11,
    CC_BANK_LOW = 32,
    CC_DATA_LOW = 38,
    CC_PEDAL = 64,
    CC_SOSTENUTO = 66,
    CC_PEDAL_LAST = 69,
    CC_SOUND_FIRST = 70,
    CC_SOUND_LAST = 79,
    CC_REVERB = 91,
    CC_CHORUS = 93,
    CC_EFFECT_LAST = 95,
    CC_INCREMENT = 96,
    CC_NRPN_LOW = 98,
    CC_NRPN = 99,
    CC_RPN_LOW = 100,
    CC_RPN = 101,
    CC_CHANNEL_MODE = 120, /* from here on: channel mode messages */
    CC_SOUND_OFF = 120,
    CC_RESET = 121,
    CC_NOTES_OFF = 123,
};

enum midi_status {
    MIDI_OK = 0,
    MIDI_NO_MEMORY,
    MIDI_NO_FILE,      /* cannot be opened or read; errno says why */
    MIDI_NOT_REGULAR,  /* a folder, a pipe, a device */
    MIDI_TOO_BIG,      /* larger than this program reads */
    MIDI_NOT_MIDI,     /* no MThd chunk */
    MIDI_EMPTY,        /* a MIDI file with nothing readable */
    MIDI_CANNOT_WRITE, /* errno says why */
    MIDI_TOO_LONG,     /* a time or a piece is too long */
    MIDI_BAD_TOKEN,    /* no score encodes to these tokens */
    MIDI_BAD_EDIT,     /* the edit does not fit the score */
    MIDI_OVERLAP,      /* a note would overlap another of its pitch */
    MIDI_UNISON,       /* a note would begin as one of its pitch does */
    MIDI_STOPPED,      /* the caller stopped the work */
    MIDI_NO_SOUND,     /* no soundfont or no synthesizer */
};

/* Returns a lower-case phrase to follow a file's name: "is not a MIDI file". */
const char *midi_strerror(enum midi_status st);

#endif
