/* What belongs to a piece but not into its MIDI file: FILE.mid.continuo, beside it.
 *
 * JSON, an object of sections: {"continuo": 1, "steering": {"density": 2, ...},
 * "loop": {"from": 0, "to": 7680, "on": 1}, "takes": {...}, "tracks": {...}, ...}, as
 * app/sidecar_takes.h and the others below say; ticks of the file. The number is the format's
 * version. Sections and members that are not known are passed over. The file is not
 * trusted: what is not wholly right is not used at all. Such a file is never written
 * over, but put aside as FILE.mid.continuo.bad first. All block for the disk; one
 * thread at a time (app/beside.h). */
#ifndef APP_SIDECAR_H
#define APP_SIDECAR_H

#include "app/sidecar_groove.h"
#include "app/sidecar_loop.h"
#include "app/sidecar_roll.h"
#include "app/sidecar_takes.h"
#include "app/sidecar_taps.h"
#include "app/sidecar_tracks.h"
#include "app/steer.h"

enum { SIDECAR_VERSION = 1, SIDECAR_MAX_BYTES = 4 << 20, SIDECAR_WHY_BYTES = 200 };

/* A section each; to add one, see the table in sidecar.c. */
struct sidecar {
    struct steering steering;
    struct sidecar_loop loop;
    struct sidecar_takes takes;
    struct groove groove;     /* of quantising, */
    struct humanise humanise; /* and humanising: but the seed */
    struct sidecar_roll roll;
    struct sidecar_tracks tracks;
    struct taps taps;
};

void sidecar_init(struct sidecar *s); /* what there is without a file */
void sidecar_fini(struct sidecar *s); /* it may be loaded again after that */

enum sidecar_status {
    SIDECAR_OK,
    SIDECAR_NONE, /* there is no such file */
    SIDECAR_FAILED,
};

/* What is kept beside the MIDI file of that path, to be freed. FAILED: `why` has a plain
 * phrase, without text from the file; *s is then as sidecar_init leaves it, as it is of
 * NONE. */
enum sidecar_status sidecar_load(struct sidecar *s, const char *midi_path,
                                 char why[SIDECAR_WHY_BYTES]);
/* Written whole or not at all: synced, then renamed over. NONE: there is
 * nothing to keep and no file, and none is made. FAILED also of takes that are too large
 * to be kept; then the rest is. */
enum sidecar_status sidecar_save(const struct sidecar *s, const char *midi_path,
                                 char why[SIDECAR_WHY_BYTES]);
/* What there is goes out of the way, as a damaged file does. NONE: there is none. */
enum sidecar_status sidecar_put_aside(const char *midi_path,
                                      char why[SIDECAR_WHY_BYTES]);
/* The same for the same content; malloc'd. NULL: out of memory. */
char *sidecar_text(const struct sidecar *s);

#endif
