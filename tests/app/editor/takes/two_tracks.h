/* A piece of the tests' own: four bars of quarters on two tracks, C4 to F4 and two octaves
 * below. */
#ifndef TESTS_APP_TWO_TRACKS_H
#define TESTS_APP_TWO_TRACKS_H

#include "app/editor/session/session.h"

enum { BAR = 1920, BEAT = 480, BARS = 4 };

static inline bool add_music(struct session *s)
{
    struct change *c = change_create("music");
    bool ok = c && change_add_track(c, s->project.score, "Bass", 1, 32) == MIDI_OK;
    for (int i = 0; ok && i < 4 * BARS; i++)
        for (int t = 0; ok && t < 2; t++) {
            struct note n = {.start = (int64_t)i * BEAT,
                             .length = BEAT,
                             .pitch = (uint8_t)(60 - 24 * t + i % 4),
                             .velocity = 80,
                             .on_order = ORDER_LAST};
            ok = change_add_note(c, t, n) == MIDI_OK;
        }
    return ok && session_do(s, c);
}

#endif
