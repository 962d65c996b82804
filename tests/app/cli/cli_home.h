/* What the tests of the command line work with: a folder with music of two voices and a
 * small model. Include cmocka.h before it. */
#ifndef TESTS_APP_CLI_HOME_H
#define TESTS_APP_CLI_HOME_H

#include "tests/app/program_home.h"
#include "tests/midi/score_of.h"

/* Two bars of two voices; a name that would clear the screen. */
static inline void save_music(const char *name)
{
    save_score(name, score_of("96 | \033[2Jhigh: 72q 71 70 69 68 67 66 65 | "
                              "\033[2Jhigh: 48q 49 50 51 52 53 54 55"));
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
