/* A session with two notes to copy: C4 and, a quarter later, E4, eighths both. Include
 * cmocka.h before it. */
#ifndef TESTS_APP_COPIED_NOTES_H
#define TESTS_APP_COPIED_NOTES_H

#include "tests/app/driver.h"

enum { BAR = 1920 };

static inline int open_session(void **state)
{
    struct session *s = keyed_open();
    if (!s)
        return -1;
    put_note(s, 0, 0, 240, 60, 80);
    put_note(s, 0, 480, 240, 64, 90);
    s->cursor.pitch = 60;
    *state = s;
    return 0;
}

#endif
