/* The takes that wait, as they are kept beside a piece (app/sidecar.h): all that
 * app/proposals.h knows of each, and what they would replace.
 *
 * A reopened score has other note ids, and a track that holds nothing is not in its
 * file. So ghosts are numbered from 1 here, notes of the score are told by where they
 * are, and tracks, which go by their index in the score, by the chunk and the channel
 * they come from. app/takes_pack.h goes from one to the other.
 *
 *   {"ticks-per-quarter": 480, "bars": 4, "shown": "B", ...,
 *    "tracks":   [[chunk, channel], ...],
 *    "replaced": [[track, start, length, pitch], ...],
 *    "standing": [[track, start, length, pitch, ghost], ...],
 *    "ghosts":   [[track, start, length, pitch, velocity, probability, kept], ...],
 *    "settings": what was asked, for another take,
 *    "takes":    [{"letter": "A", ..., "settings": {...}, "ghosts": [1, 2, ...],
 *                  "given": [token, ...], "muted": [[layer, head], ...]}, ...],
 *    "played":   {"to": 7680, "events": [[track, tick, status, data, ...], ...]}}
 *
 * Not trusted: what is read fits together and is in range, but may not fit the score. How
 * much it can be is bounded by SIDECAR_MAX_BYTES. UI thread only. */
#ifndef APP_SIDECAR_TAKES_H
#define APP_SIDECAR_TAKES_H

#include "app/proposals.h"
#include "midi/record.h"

#include <cjson/cJSON.h>

struct kept_track {
    int chunk, channel;
};

/* Where a note of the score is. */
struct kept_place {
    int track;
    int64_t start, length; /* ticks */
    int pitch;
    int ghost; /* number of the one that it is; 0: none */
};

/* What take A has where two have played (app/answer.h), but for the notes. */
struct kept_playing {
    bool is_there;
    int64_t to; /* tick: what is held goes up there */
    struct recorded_event *events;
    size_t n_events;
};

#define TAKES_UNTOLD INT64_MIN

/* Empty when no take waits. All owned; zero-initialise. */
struct sidecar_takes {
    int ticks_per_quarter;
    struct kept_track *tracks;
    size_t n_tracks;
    struct kept_place *replaced, *standing;
    size_t n_replaced, n_standing;

    struct ghost *ghosts;   /* each once, however many takes it is in; */
    size_t n_ghosts;        /* note.id is its number, its place here and 1 */
    struct proposals takes; /* with copies of them; in order of letters */
    struct kept_playing playing;

    /* Which music they fit: what has been done to it since it was saved. Unsaved edits
     * may be newer than this, or be gone. */
    int64_t time_put_in;  /* ticks; TAKES_UNTOLD: not known */
    uint64_t arrangement; /* of tracks; 0: the saved one */

    struct generation asked; /* these as in struct session */
    int takes_once;
    int64_t hole_from, hole_to, music_end;
};

void sidecar_takes_fini(struct sidecar_takes *t); /* also when zeroed */

/* false: out of memory. */
bool sidecar_takes_write(cJSON *to, const struct sidecar_takes *t);
/* Into *t, which is empty. NULL: all is well, else the name of what is wrong in it, and
 * *t is to be freed all the same. */
const char *sidecar_takes_read(struct sidecar_takes *t, const cJSON *from);

#endif
