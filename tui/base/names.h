/* Names as musicians use them: pitches, keys, instruments, controllers, timeline
 * events. UTF-8. Pure functions; those with a `buf` return it. */
#ifndef TUI_NAMES_H
#define TUI_NAMES_H

#include "midi/edit/controllers.h"
#include "midi/edit/timeline_events.h"

#include <stdbool.h>

enum {
    PITCH_NAME_BYTES = 24,
    SPELL_SHARPS = 3, /* for music without a signature: only naturals and sharps */
};

/* "C♯" or "D♭", spelled as a signature of `sharps` (negative: flats) spells it. 60 is
 * C4. */
const char *pitch_name(int pitch, int sharps, char buf[PITCH_NAME_BYTES]);
const char *pitch_name_octave(int pitch, int sharps,
                              char buf[PITCH_NAME_BYTES]); /* "C♯4" */
bool pitch_is_black(int pitch);
const char *key_signature_name(int sharps, bool minor); /* "B minor" */
/* The name of a General MIDI program; on channel 9, counted from 0, of a drum kit. ""
 * if out of range. */
const char *program_name(int channel, int program);

enum { SIGN_WORDS_BYTES = 160 };

/* "3/4", "♩=96", "B minor", or a marker's text. Text comes from the file as it is: make
 * it safe with tui/base/text.h before showing it. */
const char *sign_words(const struct score *s, const struct timeline_event *g,
                       char buf[SIGN_WORDS_BYTES]);
const char *sign_kind_name(enum timeline_kind kind); /* "tempo" */

enum { CONTROL_NAME_BYTES = 32 };
/* "sustain", "controller 22"; the short name fits the lane's margin: "ped". */
const char *control_name(struct control k, char buf[CONTROL_NAME_BYTES]);
const char *control_short_name(struct control k, char buf[CONTROL_NAME_BYTES]);
/* "down", "L12", "+300", "96". */
const char *control_value_name(struct control k, int value,
                               char buf[CONTROL_NAME_BYTES]);
/* Finds a control by its name, the beginning of its name or its number. false: none. */
bool control_find(const char *word, struct control *out);

#endif
