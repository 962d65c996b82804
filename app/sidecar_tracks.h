/* What belongs to tracks but not into a MIDI file: mute, solo, arm, hide, colour. Kept
 * as {"list": [{"index": 1, "name": "Alto", "mute": true, "colour": 3}, ...]}, of those
 * tracks alone that are not as a file leaves them, by index from 0. A name is the
 * file's bytes, each as the character of that number. */
#ifndef APP_SIDECAR_TRACKS_H
#define APP_SIDECAR_TRACKS_H

#include "midi/score.h"

#include <cjson/cJSON.h>

struct kept_marks {
    int index;
    char name[sizeof((struct track *)0)->name];
    bool mute, solo, arm, hide;
    int colour;
};

struct sidecar_tracks {
    struct kept_marks *list; /* owned; indices ascend */
    size_t n;
};

void sidecar_tracks_fini(struct sidecar_tracks *t);

/* What there is to keep of a score; *t is overwritten. false: out of memory, and it is
 * empty. */
bool sidecar_tracks_gather(struct sidecar_tracks *t, const struct score *s);
/* Each goes to the track of its index when that has its name; else to the only one that
 * is called so; else to none. */
void sidecar_tracks_give(const struct sidecar_tracks *t, struct score *s);

/* false: out of memory. */
bool sidecar_tracks_write(cJSON *to, const struct sidecar_tracks *t);
/* *t is zero before; sidecar_tracks_fini it also on failure. NULL: all is well; else the
 * name of what cannot be right. */
const char *sidecar_tracks_read(struct sidecar_tracks *t, const cJSON *from);

#endif
