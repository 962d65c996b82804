#include "midi/base/midi.h"

const char *midi_strerror(enum midi_status st)
{
    static const char *const WORDS[] = {
        [MIDI_OK] = "is fine",
        [MIDI_NO_MEMORY] = "needs more memory than is available",
        [MIDI_NO_FILE] = "cannot be read",
        [MIDI_NOT_REGULAR] = "is not a regular file",
        [MIDI_TOO_BIG] = "is too large to be a piece of music",
        [MIDI_NOT_MIDI] = "is not a MIDI file",
        [MIDI_EMPTY] = "holds nothing readable",
        [MIDI_CANNOT_WRITE] = "cannot be written",
        [MIDI_TOO_LONG] = "is too long for what was asked; use a part of it",
        [MIDI_BAD_TOKEN] = "holds tokens that are not a score",
        [MIDI_BAD_EDIT] = "does not fit this score",
        [MIDI_OVERLAP] = "would overlap a note of the same pitch",
        [MIDI_UNISON] = "would begin with a note of the same pitch",
        [MIDI_STOPPED] = "was stopped and not written",
        [MIDI_NO_SOUND] = "is damaged or not a soundfont",
    };
    if ((unsigned)st >= sizeof WORDS / sizeof WORDS[0])
        return "failed for an unknown reason";
    return WORDS[st];
}
