/* continuo bench frames and vast: that they go through the real workstation and tell what they are
 * to tell, and that the music is what it says. How long anything took is never judged. */
#include "tests/check.h"
#include "app/lab/benchmark/bench_stage.h"
#include "tests/app/bench_lines.h"
#include "tests/midi/score_equal.h"

#include <poll.h>

static bool has_moved(struct stage *g)
{
    return g->loop.session.view.cursor.tick > 0;
}

/* A key goes through the terminal, the key reader and the bindings, and is drawn. */
BENCH_TEST(test_keys_reach_the_session)
{
    static struct stage g;
    assert_ok(stage_open(&g, &quick));
    assert_int_equal(g.loop.columns, 200);
    assert_int_equal(g.loop.rows, 50);
    assert_true(stage_open_example(&g));
    const struct score *s = g.loop.session.project.score;
    assert_int_equal(timeline_bar_at(&s->timeline, score_end_tick(s) - 1).index, 15);
    assert_true(stage_answer(&g, 'l', has_moved) > 0);
    assert_true(g.keys.n == 1 && g.frames.n >= 1);
    /* The thread that makes takes wakes the loop. */
    struct pollfd woken = {.fd = g.wake[0], .events = POLLIN};
    assert_true(stage_run_until(&g, stage_is_ready));
    act_call(&g.loop.session, CMD_CONTINUE);
    assert_int_equal(poll(&woken, 1, 10000), 1);
    stage_close(&g);
}

static void assert_delays(const cJSON *scene, const char *name)
{
    const cJSON *d = json_at(scene, name);
    assert_true(number(d, "n") > 0);
    assert_true(number(d, "median") <= number(d, "percentile_99"));
    assert_true(number(d, "percentile_99") <= number(d, "worst"));
}

BENCH_TEST(test_everything_is_told)
{
    static const char *const FIGURES[] = {"first_frame_ms",   "ready_ms",
                                          "ghost_at_once_ms", "ghost_read_ahead_ms",
                                          "ghost_again_ms",   "idle_percent"};
    setenv("CONTINUO_HOME", ".", 0); /* for the example */
    assert_ok(bench_frames(&quick));
    read_lines(3);
    for (size_t i = 0; i < sizeof FIGURES / sizeof *FIGURES; i++)
        assert_true(number(lines.all[0], FIGURES[i]) > 0);
    assert_true(number(lines.all[0], "first_frame_ms") <=
                number(lines.all[0], "ready_ms"));
    for (int i = 1; i < 3; i++) {
        const cJSON *scene = lines.all[i];
        assert_delays(scene, "frame_ms");
        assert_delays(scene, "key_ms");
        assert_delays(scene, "late_ms");
        assert_true(number(scene, "ui_percent") > 0);
        assert_true(i == 1 || number(scene, "tokens_per_second") > 0);
    }
}

enum { N_NOTES = 3000 };

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

BENCH_TEST(test_every_scene_is_told)
{
    quick.n_notes = N_NOTES;
    assert_ok(bench_vast(&quick));
    read_lines(1 + 9);
    assert_int_equal((int)number(lines.all[0], "notes"), N_NOTES);
    assert_true(number(lines.all[0], "open_ms") > 0);
    for (int i = 1; i < lines.n; i++) {
        assert_true(number(lines.all[i], "keys") > 0);
        assert_true(number(lines.all[i], "percentile_99_ms") <=
                    number(lines.all[i], "worst_ms"));
    }
}
