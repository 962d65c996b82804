/* A session whose mouse is moved by musical places, and its keys pressed as bytes of a
 * terminal would be. Include cmocka.h before it. */
#ifndef TESTS_APP_POINTER_H
#define TESTS_APP_POINTER_H

#include "app/editor/session/session.h"
#include "tui/keys/key_reader.h"

#include <stdlib.h>
#include <string.h>

static inline int open_session(void **state)
{
    struct session *s = malloc(sizeof *s);
    struct session_options o = {.driver = "none",
                                .model = "/nonexistent.safetensors",
                                .n_threads = 1,
                                .wake_fd = -1};
    if (!s || session_init(s, &o)) {
        free(s);
        return -1;
    }
    session_resize(s, 80, 40);
    *state = s;
    return 0;
}

static inline int close_session(void **state)
{
    session_fini(*state);
    free(*state);
    return 0;
}

/* Bytes a terminal would send. */
static inline void send(struct session *s, const char *bytes)
{
    static struct key_reader reader;
    static struct keymap_state keys;
    struct key key;
    struct command c;
    key_reader_feed(&reader, bytes, strlen(bytes));
    while (key_reader_next(&reader, true, &key))
        if (keys_feed(&keys, s->mode, &key, &c))
            act_run(s, &c);
}

enum { WITH_SHIFT = 4, WITH_CTRL = 16, RIGHT = 2, MIDDLE = 1, MOTION = 32, WHEEL = 64 };

/* One SGR report; buttons as in it. */
static inline void report(struct session *s, int buttons, int column, int row, char end)
{
    char bytes[48];
    snprintf(bytes, sizeof bytes, "\033[<%d;%d;%d%c", buttons, column + 1, row + 1,
             end);
    send(s, bytes);
}

static inline int column_of(const struct session *s, int64_t tick)
{
    return (int)layout_column(&s->layout, &s->port, tick);
}

static inline int row_of(const struct session *s, int pitch)
{
    return layout_row(&s->layout, &s->port, pitch);
}

static inline void press(struct session *s, int buttons, int64_t tick, int pitch)
{
    report(s, buttons, column_of(s, tick), row_of(s, pitch), 'M');
}

static inline void drag(struct session *s, int buttons, int64_t tick, int pitch)
{
    report(s, buttons | MOTION, column_of(s, tick), row_of(s, pitch), 'M');
}

static inline void release(struct session *s, int buttons, int64_t tick, int pitch)
{
    report(s, buttons, column_of(s, tick), row_of(s, pitch), 'm');
}

static inline void click(struct session *s, int buttons, int64_t tick, int pitch)
{
    press(s, buttons, tick, pitch);
    release(s, buttons, tick, pitch);
}

/* Pressed at one place, dragged to another, let go there. */
static inline void swipe(struct session *s, int buttons, int64_t from, int pitch_from,
                         int64_t to, int pitch_to)
{
    press(s, buttons, from, pitch_from);
    drag(s, buttons, to, pitch_to);
    release(s, buttons, to, pitch_to);
}

static inline const struct note *note(const struct session *s, size_t i)
{
    assert_true(s->track >= 0 && i < s->project.score->tracks[s->track].n_notes);
    return &s->project.score->tracks[s->track].notes[i];
}

static inline size_t n_notes(const struct session *s)
{
    return score_n_notes(s->project.score);
}

#endif
