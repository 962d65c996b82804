/* The music in a journal that was put aside: opened like a MIDI file, it gives what was
 * there at its end. Blocks for no disk. */
#ifndef APP_JOURNAL_MUSIC_H
#define APP_JOURNAL_MUSIC_H

#include "midi/midi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether these bytes begin as a journal does. */
bool journal_music_is_there(const uint8_t *bytes, size_t n);
/* In place of a journal's bytes, those of the music as a MIDI file; of a damaged journal,
 * as it was before the damage. On failure, the bytes are as they were. */
enum midi_status journal_music_take(uint8_t **bytes, size_t *n);

#endif
