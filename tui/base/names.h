/* What musicians call things: pitches, keys, instruments. UTF-8; pure functions. */
#ifndef TUI_NAMES_H
#define TUI_NAMES_H

#include "midi/edit/controllers.h"
#include "midi/edit/signs.h"

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

enum { SIGN_WORDS_BYTES = 160 };

/* "3/4", "♩=96", "B minor", or what a marker says: text from the file, as it is there and
 * to be made safe (tui/base/text.h). buf is returned. */
const char *sign_words(const struct score *s, const struct sign *g,
                       char buf[SIGN_WORDS_BYTES]);
const char *sign_kind_name(enum sign_kind kind); /* "tempo" */

enum { CONTROL_NAME_BYTES = 32 };
/* "sustain pedal", "controller 22"; and as the lane's margin has room for: "ped". buf is
 * returned. */
const char *control_name(struct control k, char buf[CONTROL_NAME_BYTES]);
const char *control_short_name(struct control k, char buf[CONTROL_NAME_BYTES]);
/* "down", "L 12", "+300", "96". buf is returned. */
const char *control_value_name(struct control k, int value,
                               char buf[CONTROL_NAME_BYTES]);
/* What a word names: a name, the beginning of one, or a controller's number. */
bool control_find(const char *word, struct control *out);

#endif
