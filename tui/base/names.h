/* What musicians call things: pitches, keys, instruments. UTF-8; pure functions. */
#ifndef TUI_NAMES_H
#define TUI_NAMES_H

#include <stdbool.h>

enum {
    PITCH_NAME_BYTES = 24,
    SPELL_SHARPS = 3, /* where no signature is known: only naturals and sharps */
};

/* "C♯" or "D♭", as a signature of `sharps` (flats negative) would spell it; 60
 * is C4. buf is returned. */
const char *pitch_name(int pitch, int sharps, char buf[PITCH_NAME_BYTES]);
const char *pitch_name_octave(int pitch, int sharps,
                              char buf[PITCH_NAME_BYTES]); /* "C♯4" */
bool pitch_is_black(int pitch);
const char *key_signature_name(int sharps, bool minor); /* "B minor" */
/* Channel 9 is drums whatever its program. "" when out of range. */
const char *program_name(int channel, int program);

#endif
