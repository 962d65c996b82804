/* What the tests of the command line work with: a folder with music of two voices and a
 * small model. Include cmocka.h before it. */
#ifndef TESTS_APP_CLI_HOME_H
#define TESTS_APP_CLI_HOME_H

#include "tests/app/program_home.h"
#include "tests/app/voices_score.h"

static inline struct score *load(const char *name)
{
    struct score *s = NULL;
    assert_ok(smf_load(&s, in_folder(name), NULL));
    return s;
}

static inline int pitch_of_two(int voice, int i)
{
    return voice ? 48 + i : 72 - i;
}

/* Two bars of two voices; a name that would clear the screen. */
static inline void save_music(const char *name)
{
    auto_score *s = voices_score(QUARTER, "\033[2Jhigh", 2, 8, pitch_of_two);
    assert_ok(smf_save(s, in_folder(name)));
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
