/* Sessions with music: four bars of quarters, C D flat D E flat over and over, on one track, or
 * on two, of which the other is called Bass and is two octaves lower. Include cmocka.h before. */
#ifndef TESTS_APP_QUARTERS_H
#define TESTS_APP_QUARTERS_H

#include "app/editor/session/edit.h"
#include "tests/app/driver.h"

enum { BAR = 1920, BEAT = 480, BARS = 4 };

static inline bool add_quarters(struct session *s, int n_tracks)
{
    struct change *c = change_create("music");
    bool ok =
        c && (n_tracks < 2 || !change_add_track(c, s->project.score, "Bass", 1, 32));
    for (int i = 0; ok && i < 4 * BARS * n_tracks; i++) {
        int t = i % n_tracks, at = i / n_tracks;
        ok = !change_add_note(c, t,
                              edit_new_note(at * BEAT, BEAT, 60 - 24 * t + at % 4, 80));
    }
    return ok && edit_do(s, c);
}

static inline bool add_music(struct session *s)
{
    return add_quarters(s, 1);
}

/* As a group's set-up: one take at a time, or as many as `takes` says. */
static inline int open_quarters(void **state, int takes)
{
    char text[16];
    if (model_session(state) || !add_quarters(*state, 1))
        return -1;
    snprintf(text, sizeof text, "takes %d", takes);
    act_command_line(*state, text);
    return 0;
}

/* On two tracks, one take at a time. */
static inline int two_tracks(void **state)
{
    return model_session(state) || !add_quarters(*state, 2);
}

#endif
