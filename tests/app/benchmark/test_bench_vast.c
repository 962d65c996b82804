/* continuo bench vast: that it presses its keys in the real workstation and tells what it
 * is to tell, and that its music is what it says. How long anything took is not judged. */
#include "tests/check.h"
#include "app/benchmark/bench.h"
#include "tests/app/json_at.h"
#include "tests/app/model_folder.h"
#include "tests/midi/score_equal.h"

enum { N_NOTES = 3000 };

static int set_up(void **state)
{
    setenv("CONTINUO_HOME", ".", 0);
    return make_model(state);
}

TEST(test_music_has_its_notes)
{
    auto_score *s = vast_music(N_NOTES), *again = vast_music(N_NOTES);
    assert_non_null(s);
    assert_int_equal(s->n_tracks, VAST_TRACKS);
    assert_in_range(score_n_notes(s), N_NOTES - VAST_TRACKS, N_NOTES + 1);
    assert_in_range(s->tracks[0].n_notes, N_NOTES / 2, N_NOTES / 2 + 1);
    assert_int_equal(s->tracks[0].notes[0].length, score_end_tick(s));
    assert_true(score_equal(s, again));
}

TEST(test_every_scene_is_told)
{
    struct bench b = {.pool = pool_create(2),
                      .budget = {.rounds = 1},
                      .model = model,
                      .n_notes = N_NOTES,
                      .json = cJSON_CreateObject()};
    assert_ok(bench_vast(&b));
    const cJSON *vast = json_at(b.json, "vast.0"), *scene;
    assert_int_equal((int)number(vast, "notes"), N_NOTES);
    assert_true(number(vast, "open_ms") > 0);
    assert_true(cJSON_GetArraySize(json_at(vast, "scenes")) >= 9);
    cJSON_ArrayForEach(scene, json_at(vast, "scenes"))
    {
        assert_true(number(scene, "n") > 0);
        assert_true(number(scene, "percentile_99_ms") <= number(scene, "worst_ms"));
    }
    cJSON_Delete(b.json);
    pool_destroy(b.pool);
}

GROUP(set_up, remove_own_folder)
