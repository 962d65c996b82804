/* A headless session driven by keys, as they are written in tui/keys/key_notation.h, with
 * spaces between: "i Enter k Enter Esc". Include after tests/app/headless.h. */
#ifndef TESTS_APP_BY_KEYS_H
#define TESTS_APP_BY_KEYS_H

#include "tui/keys/key_notation.h"

static struct keymap_state typed;

static inline void press_code(struct session *s, uint32_t code)
{
    struct command c;
    typed.map = s->keymap;
    if (keys_feed(&typed, s->mode, &(struct key){.code = code}, &c))
        act_run(s, &c);
    session_tick(s);
}

static inline void press(struct session *s, const char *keys)
{
    while (*(keys += strspn(keys, " "))) {
        char word[32];
        uint32_t code[2];
        size_t n = strcspn(keys, " ");
        snprintf(word, sizeof word, "%.*s", (int)n, keys);
        if (!key_parse(word, code) || code[1])
            fail_msg("%s is no key", word);
        press_code(s, code[0]);
        keys += n;
    }
}

static inline void write_text(struct session *s, const char *text)
{
    for (; *text; text++)
        press_code(s, (unsigned char)*text);
}

/* Typed on the line that is open, and Tab pressed: what stands there then. */
static inline void assert_completed(struct session *s, const char *text,
                                    const char *wanted)
{
    write_text(s, text);
    press(s, "Tab");
    assert_string_equal(s->input, wanted);
}

#endif
