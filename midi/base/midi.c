#include "midi/base/midi.h"

const char *midi_strerror(enum midi_status st)
{
    static const char *const WORDS[] = {
        [MIDI_OK] = "is fine",
        [MIDI_NO_MEMORY] = "needs more memory than there is",
        [MIDI_NO_FILE] = "cannot be read",
        [MIDI_NOT_REGULAR] = "is not a regular file",
        [MIDI_TOO_BIG] = "is too large to be a piece of music",
        [MIDI_NOT_MIDI] = "is not a MIDI file",
        [MIDI_EMPTY] = "holds nothing that can be read",
        [MIDI_CANNOT_WRITE] = "cannot be written",
        [MIDI_TOO_LONG] = "is too long for this",
        [MIDI_BAD_TOKEN] = "holds tokens that make no score",
        [MIDI_BAD_EDIT] = "does not fit the score as it is",
        [MIDI_STOPPED] = "was stopped, and is not written",
        [MIDI_NO_SOUND] = "is damaged, or no soundfont",
    };
    if ((unsigned)st >= sizeof WORDS / sizeof WORDS[0])
        return "failed in an unknown way";
    return WORDS[st];
}
