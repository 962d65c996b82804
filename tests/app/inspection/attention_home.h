/* A folder with music and small models, and the program run in it, as scripts would, for
 * tests of continuo attention and continuo score. Include cmocka.h before it. */
#ifndef TESTS_APP_ATTENTION_HOME_H
#define TESTS_APP_ATTENTION_HOME_H

#include "tests/app/grid_data.h"
#include "tests/app/program_home.h"
#include "tests/app/tiny_grid_model.h"
#include "tests/app/voices_score.h"

enum { N_VOICES = 4, N_STEPS = 16, N_NOTES = N_VOICES * N_STEPS };

static inline int pitch_of_four(int voice, int i)
{
    static const int BASE[N_VOICES] = {72, 64, 57, 48};
    return BASE[voice] + i * (voice + 2) % 5;
}

/* Four voices in quarters, four bars. */
static inline void save_music(const char *name, int n_steps)
{
    struct score *s =
        voices_score(QUARTER, "\033[2Jvoice", N_VOICES, n_steps, pitch_of_four);
    assert_ok(smf_save(s, in_folder(name)));
    score_destroy(s);
}

static inline int set_up(void **state)
{
    if (make_own_folder(state) || mkdir(in_folder("models"), 0700) ||
        mkdir(in_folder("music"), 0700) || mkdir(in_folder("music/made"), 0700) ||
        mkdir(in_folder("music/made/train"), 0700))
        return 1;
    save_music("in.mid", N_STEPS);
    save_music("silent.mid", 0);
    save_music("music/made/train/one.mid", N_STEPS);
    save_music("music/made/train/two.mid", N_STEPS / 2);
    return grid_data_write(in_folder("voices.json")) ||
           tiny_grid_train(in_folder("voices.json"),
                           in_folder("models/grid.safetensors"), false) ||
           tiny_grid_train(in_folder("voices.json"),
                           in_folder("models/hears.safetensors"), true) ||
           !tiny_model_save(in_folder("models/continuo.safetensors"), 512, 5);
}

static inline double sum_of(const cJSON *list)
{
    double sum = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        assert_true(cJSON_IsNumber(item));
        sum += item->valuedouble;
    }
    return sum;
}

#endif
