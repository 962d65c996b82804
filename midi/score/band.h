/* Reads a list of instruments as people write it: "bass, drums and electric piano".
 * Plain data; pure functions. */
#ifndef MIDI_BAND_H
#define MIDI_BAND_H

#include <stdbool.h>
#include <stdint.h>

enum { BAND_MOST = 8, BAND_WORDS = 40 };

struct band_part {
    bool is_drums;
    uint8_t program; /* the instrument, or the kit */
};

struct band {
    struct band_part parts[BAND_MOST];
    int n;
};

/* Reads names that are separated by commas or "and", each as gm_find does. "drums",
 * "drum kit" or "kit" is a drum kit, and a word before it chooses the kit ("jazz
 * drums"). Returns false if a name is no instrument; `wrong` receives that name.
 * Returns false with `wrong` empty if there is no name or there are more than
 * BAND_MOST. */
bool band_read(struct band *out, const char *words, char wrong[BAND_WORDS]);
/* Reads the name of a track, as gm_named does, or of a drum kit. Returns false if the
 * name is neither. */
bool band_part_named(struct band_part *p, const char *name);
/* The instrument's name, or "Drums". */
const char *band_part_name(const struct band_part *p);

#endif
