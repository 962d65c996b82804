/* A session without notes, and notes put, edited and looked at in it. Include cmocka.h before
 * it. */
#ifndef TESTS_APP_SHAPED_H
#define TESTS_APP_SHAPED_H

#include "tests/app/keyed.h"

#include <stdio.h>

static inline void line(struct session *s, const char *text)
{
    keys(s, ":");
    keys(s, text);
    keys(s, "\r");
}

static inline int open_session(void **state)
{
    *state = keyed_open();
    return *state ? 0 : -1;
}

static inline void put(struct session *s, int track, int64_t start, int64_t length,
                       int pitch)
{
    put_note(s, track, start, length, pitch, 80);
}

/* "start+length pitch, ..." of the active track, or with velocities "start+length
 * pitch@velocity". */
static inline void expect(const struct session *s, bool velocities, const char *wanted)
{
    char text[512] = "";
    size_t n = 0;
    const struct track *t = &s->project.score->tracks[s->track];
    for (size_t i = 0; i < t->n_notes; i++) {
        const struct note *k = &t->notes[i];
        n +=
            (size_t)snprintf(text + n, sizeof text - n, "%s%lld+%lld %d", i ? ", " : "",
                             (long long)k->start, (long long)k->length, k->pitch);
        if (velocities)
            n += (size_t)snprintf(text + n, sizeof text - n, "@%d", k->velocity);
    }
    assert_string_equal(text, wanted);
}

#define NOTES(wanted)      expect(s, false, wanted)
#define VELOCITIES(wanted) expect(s, true, wanted)

static inline void select_all(struct session *s)
{
    act_run(s, &(struct command){.id = CMD_SELECT_ALL});
}

static inline void undo(struct session *s, const char *label)
{
    keys(s, "u");
    char wanted[100];
    snprintf(wanted, sizeof wanted, "undone: %s", label);
    assert_string_equal(s->message, wanted);
}

#endif
