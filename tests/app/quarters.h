/* A headless session with music: four bars of quarters on one track, C D flat D E flat
 * over and over. Include cmocka.h before it. */
#ifndef TESTS_APP_QUARTERS_H
#define TESTS_APP_QUARTERS_H

#include "tests/app/headless.h"

enum { BAR = 1920, BEAT = 480, BARS = 4 };

static inline bool add_music(struct session *s)
{
    struct change *c = change_create("music");
    bool ok = c != NULL;
    for (int i = 0; ok && i < 4 * BARS; i++) {
        struct note n = {.start = (int64_t)i * BEAT,
                         .length = BEAT,
                         .pitch = (uint8_t)(60 + i % 4),
                         .velocity = 80,
                         .on_order = ORDER_LAST};
        ok = change_add_note(c, 0, n) == MIDI_OK;
    }
    return ok && session_do(s, c);
}

/* As a group's set-up: one take at a time, or as many as `takes` says. */
static inline int open_quarters(void **state, int takes)
{
    char line[16];
    struct session *s = headless_open();
    *state = s;
    if (!s || !add_music(s))
        return -1;
    snprintf(line, sizeof line, "takes %d", takes);
    act_command_line(s, line);
    return 0;
}

#endif
