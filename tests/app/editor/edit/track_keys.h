/* A session with four tracks, and its list of tracks by keys and the mouse. Include cmocka.h
 * before it. */
#ifndef TESTS_APP_TRACK_KEYS_H
#define TESTS_APP_TRACK_KEYS_H

#include "tests/app/keyed.h"
#include "tui/keys/bindings.h"

/* Whether it was a command. */
static inline bool press(struct session *s, struct keymap_state *keys, uint32_t code)
{
    struct command c;
    struct key key = {.code = code};
    bool is_command = keys_feed(keys, s->mode, &key, &c);
    if (is_command)
        act_run(s, &c);
    return is_command;
}

/* As typed: ~ is Enter, ^ Escape, _ Backspace, \x01 Down, \x02 Up. */
static inline void type(struct session *s, const char *text)
{
    struct keymap_state keys = {0};
    for (; *text; text++)
        press(s, &keys,
              *text == '~'    ? (uint32_t)K_ENTER
              : *text == '^'  ? (uint32_t)K_ESCAPE
              : *text == '_'  ? (uint32_t)K_BACKSPACE
              : *text == '\t' ? (uint32_t)K_TAB
              : *text == 1    ? (uint32_t)K_DOWN
              : *text == 2    ? (uint32_t)K_UP
                              : (uint32_t)*text);
}

static inline void click(struct session *s, int column, int row)
{
    struct command c;
    struct keymap_state keys = {0};
    struct key key = {.code = K_PRESS, .column = column, .row = row, .button = 1};
    assert_true(keys_feed(&keys, s->mode, &key, &c));
    act_run(s, &c);
}

/* Four tracks: Piano, and Alto, Tenor and Bass after it, with a note each. */
static inline int open_session(void **state)
{
    struct session *s = keyed_open();
    if (!s)
        return -1;
    type(s, "~:track Alto~~:track Tenor~~:track Bass~~");
    assert_int_equal(s->project.score->n_tracks, 4);
    assert_int_equal(score_n_notes(s->project.score), 4);
    *state = s;
    return 0;
}

static inline struct track *track(const struct session *s, int i)
{
    assert_true((size_t)i < s->project.score->n_tracks);
    return &s->project.score->tracks[i];
}

#endif
