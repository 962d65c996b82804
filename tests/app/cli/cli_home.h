/* What the tests of the command line work with: a folder with music of two voices and a
 * small model. Include cmocka.h before it. */
#ifndef TESTS_APP_CLI_HOME_H
#define TESTS_APP_CLI_HOME_H

#include "tests/app/program_home.h"

static inline struct score *load(const char *name)
{
    struct score *s = NULL;
    assert_ok(smf_load(&s, in_folder(name), NULL));
    return s;
}

/* Two bars of two voices; a name that would clear the screen. */
static inline void save_music(const char *name)
{
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "\033[2Jhigh", 0, 0), 0);
    assert_int_equal(score_add_track(s, "low", 1, 32), 1);
    for (int i = 0; i < 16; i++) {
        struct note n = {.start = i / 2 * QUARTER,
                         .length = QUARTER,
                         .pitch = (uint8_t)(i % 2 ? 48 + i / 2 : 72 - i / 2),
                         .velocity = 70,
                         .on_order = ORDER_LAST};
        assert_int_not_equal(score_add_note(s, i % 2, n), 0);
    }
    assert_ok(smf_save(s, in_folder(name)));
    score_destroy(s);
}

static inline int set_up(void **state)
{
    if (make_own_folder(state) || mkdir(in_folder("models"), 0700))
        return 1;
    save_music("in.mid");
    save_music("models/example.mid");
    return !tiny_model_save(in_folder("models/tiny.safetensors"), 256, 5);
}

#endif
