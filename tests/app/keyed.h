/* A session without a screen, sound or machine, driven by keys as they are typed: letters
 * stand for themselves, and Enter, Escape, Tab, Backspace and control keys are '\r', '\033',
 * '\t', '\b' and their characters. Include cmocka.h before it. */
#ifndef TESTS_APP_KEYED_H
#define TESTS_APP_KEYED_H

#include "app/editor/session/edit.h"
#include "tui/keys/keys.h"

#include <stdlib.h>
#include <string.h>

static inline uint32_t code_of_char(char c)
{
    return c == '\r'     ? (uint32_t)K_ENTER
           : c == '\033' ? (uint32_t)K_ESCAPE
           : c == '\t'   ? (uint32_t)K_TAB
           : c == '\b'   ? (uint32_t)K_BACKSPACE
                         : (unsigned char)c;
}

static inline void keys(struct session *s, const char *typed)
{
    struct keymap_state state = {0};
    struct command c;
    for (; *typed; typed++)
        if (keys_feed(&state, s->mode, &(struct key){.code = code_of_char(*typed)}, &c))
            act_run(s, &c);
}

static inline void put_note(struct session *s, int track, int64_t start, int64_t length,
                            int pitch, int velocity)
{
    struct change *c = change_create("put");
    assert_non_null(c);
    assert_int_equal(
        change_add_note(c, track, edit_new_note(start, length, pitch, velocity)),
        MIDI_OK);
    assert_true(session_do(s, c));
}

static inline const struct note *note_of(const struct session *s, int track, size_t i)
{
    assert_true(track >= 0 && (size_t)track < s->project.score->n_tracks);
    assert_true(i < s->project.score->tracks[track].n_notes);
    return &s->project.score->tracks[track].notes[i];
}

/* One track of 480 ticks a quarter, at 80x24. */
static inline struct session *keyed_open(void)
{
    struct session *s = malloc(sizeof *s);
    struct session_options o = {.driver = "none",
                                .model = "/nonexistent.safetensors",
                                .n_threads = 1,
                                .wake_fd = -1,
                                .journals = getenv("XDG_STATE_HOME") != NULL};
    if (!s || session_init(s, &o)) {
        free(s);
        return NULL;
    }
    session_resize(s, 80, 24);
    return s;
}

/* As a test's set-up; and what puts it away. */
static inline int keyed_set_up(void **state)
{
    *state = keyed_open();
    return *state ? 0 : -1;
}

static inline int keyed_close(void **state)
{
    session_fini(*state);
    free(*state);
    return 0;
}

#endif
