/* A list of instruments as people write it: "bass, drums and electric piano". Plain data; pure
 * functions. */
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

/* Reads names with commas or "and" between, each as gm_find does; "drums", "drum kit" or
 * "kit" is a drum kit, with the kit's name before it if it has one ("jazz drums"). false:
 * `wrong` has the name that is not an instrument, or "" if there are none or more than
 * BAND_MOST. */
bool band_read(struct band *out, const char *words, char wrong[BAND_WORDS]);
/* Reads the name of a track, as gm_named does, or of a kit. false: it is neither. */
bool band_part_named(struct band_part *p, const char *name);
/* The instrument's name, or "Drums". */
const char *band_part_name(const struct band_part *p);

#endif
