/* continuo bench vast: that it presses its keys in the real workstation and tells what it
 * is to tell, and that its music is what it says. How long anything took is not judged. */
#include "tests/check.h"
#include "app/lab/benchmark/bench.h"
#include "tests/app/bench_lines.h"
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
    struct bench_lines lines;
    struct bench b = {.to = bench_lines_open(&lines),
                      .pool = pool_create(2),
                      .budget = {.rounds = 1},
                      .model = model,
                      .n_notes = N_NOTES};
    assert_ok(bench_vast(&b));
    bench_lines_read(&lines);
    assert_int_equal((int)number(lines.all[0], "notes"), N_NOTES);
    assert_true(number(lines.all[0], "open_ms") > 0);
    assert_int_equal(lines.n, 1 + 9);
    for (int i = 1; i < lines.n; i++) {
        assert_true(number(lines.all[i], "keys") > 0);
        assert_true(number(lines.all[i], "percentile_99_ms") <=
                    number(lines.all[i], "worst_ms"));
    }
    bench_lines_close(&lines);
    pool_destroy(b.pool);
}

GROUP(set_up, remove_own_folder)
