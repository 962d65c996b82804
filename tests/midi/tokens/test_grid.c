/* The grid tokenizer: exact both ways, with and without hold, and through a score;
 * windows; invalid sequences. */
#include "tests/midi/random_piece.h"

#include "tests/check.h"
#include "tests/midi/grid_decode.h"
#include "tests/midi/score_of.h"

enum { RUNS = 300, MOST_STEPS = 40, MOST_TOKENS = 1 + GRID_VOICES * MOST_STEPS };

/* Canonical: held notes, repeated notes, rests; its last step sounds, so that it
 * survives a score. */
static void random_grid(struct grid *g, uint64_t *r)
{
    assert_ok(grid_init(g, 1 + random_below(r, MOST_STEPS)));
    for (int i = 0; i < g->n_steps; i++)
        for (int v = 0; v < GRID_VOICES; v++) {
            struct grid_cell *cell = grid_at(g, i, v);
            int what = random_below(r, 5);
            if (what == 0 && i + 1 < g->n_steps)
                continue;
            if (what > 2 && i && cell[-GRID_VOICES].pitch >= 0)
                *cell = (struct grid_cell){cell[-GRID_VOICES].pitch, false};
            else
                *cell = (struct grid_cell){(int16_t)random_below(r, 128), true};
        }
}

static struct grid_form all(bool hold)
{
    return (struct grid_form){0, GRID_VOICES, hold};
}

static void silence_others(struct grid *g, struct grid_form form)
{
    for (int i = 0; i < g->n_steps; i++)
        for (int v = 0; v < GRID_VOICES; v++)
            if (v < form.first || v >= form.first + form.n)
                *grid_at(g, i, v) = (struct grid_cell){.pitch = GRID_SILENT};
}

static void assert_there_and_back(struct grid *g, struct grid_form form)
{
    int32_t ids[MOST_TOKENS], again[MOST_TOKENS];
    auto_grid back;
    size_t n = grid_n_tokens(form, g->n_steps);
    grid_encode(g, form, 0, g->n_steps, ids);
    assert_ok(grid_decode(&back, form, ids, n));
    grid_encode(&back, form, 0, back.n_steps, again);
    assert_memory_equal(ids, again, n * sizeof *ids);
    silence_others(g, form);
    assert_true(grid_equal(g, &back));
}

/* All voices, and every run of neighbouring ones, of random music. */
TEST(tokens_are_exact_both_ways)
{
    uint64_t r = 1;
    for (int run = 0; run < 2 * RUNS; run++) {
        int first = run % 2 ? random_below(&r, GRID_VOICES) : 0;
        int n = run % 2 ? 1 + random_below(&r, GRID_VOICES - first) : GRID_VOICES;
        struct grid_form form = {first, n, random_below(&r, 2)};
        auto_grid g;
        random_grid(&g, &r);
        if (!form.hold)
            grid_join_repeats(&g);
        assert_there_and_back(&g, form);
    }
}

TEST(a_part_says_its_own_voices)
{
    auto_grid g;
    int32_t ids[7], times[7];
    assert_ok(grid_init(&g, 2));
    for (int i = 0; i < 2; i++)
        for (int v = 0; v < GRID_VOICES; v++)
            *grid_at(&g, i, v) = (struct grid_cell){(int16_t)(70 - 10 * v + i), true};
    enum { P = GRID_PITCH };
    grid_encode(&g, GRID_LOWER, 0, 2, ids);
    assert_memory_equal(
        ids, ((int32_t[]){GRID_BOS, P + 60, P + 50, P + 40, P + 61, P + 51, P + 41}),
        sizeof ids);
    grid_times(GRID_LOWER, 7, times);
    assert_memory_equal(times, ((int32_t[]){0, 6, 6, 6, 12, 12, 12}), sizeof times);
    grid_times(GRID_ALL, 7, times); /* four voices share a time */
    assert_memory_equal(times, ((int32_t[]){0, 6, 6, 6, 6, 12, 12}), sizeof times);
    grid_encode(&g, GRID_MELODY, 1, 1, ids);
    assert_memory_equal(ids, ((int32_t[]){GRID_INSIDE, P + 71}), 2 * sizeof *ids);
    assert_int_equal(grid_n_steps(GRID_LOWER, 1), 0);
    assert_int_equal(grid_n_steps(GRID_LOWER, 4), 1);
    assert_int_equal(grid_n_steps(GRID_LOWER, 5), 2);
}

/* A grid of one voice, too: the others keep their places. */
TEST(scores_keep_a_grid)
{
    uint64_t r = 3;
    for (int run = 0; run < RUNS / 10; run++) {
        auto_grid g, back;
        random_grid(&g, &r);
        if (run % 4 == 3)
            silence_others(&g, (struct grid_form){.first = run % 3, .n = 1});
        auto_score *s = score_create(480);
        for (int v = 0; v < GRID_VOICES; v++)
            assert_true(
                grid_voice_to_track(&g, v, s, score_add_track(s, "", 0, 0), 80));
        assert_ok(grid_from_score(&back, s));
        assert_true(run % 4 == 3 || grid_equal(&g, &back));
        for (int i = 0; i < back.n_steps; i++)
            for (int v = 0; v < GRID_VOICES; v++)
                assert_true(cell_equal(*grid_at(&g, i, v), *grid_at(&back, i, v)));
    }
}

static void assert_voice(const struct grid *g, const int *pitches, const bool *struck)
{
    for (int i = 0; i < g->n_steps; i++) {
        assert_int_equal(grid_at(g, i, 0)->pitch, pitches[i]);
        assert_int_equal(grid_at(g, i, 0)->is_struck, struck[i]);
        assert_int_equal(grid_at(g, i, 1)->pitch, GRID_SILENT);
    }
}

/* A chord keeps its highest note, a note ends where the next begins, times go to the
 * nearest step, and the shortest note is a sixteenth. */
TEST(a_voice_has_one_note_at_a_time)
{
    auto_score *s = score_of("96 | only: =1 C4:24 =1 E4:96 =46 G4:1 =72 G4:48");
    struct grid g;
    assert_ok(grid_from_score(&g, s));
    assert_int_equal(g.n_steps, 5);
    assert_voice(&g, (int[]){64, 64, 67, 67, 67}, (bool[]){1, 0, 1, 1, 0});
    grid_fini(&g);

    score_put(s, 0, "=288230376151711744 C4");
    assert_int_equal(grid_from_score(&g, s), MIDI_TOO_LONG);
    assert_int_equal(grid_init(&g, GRID_MAX_STEPS + 1), MIDI_TOO_LONG);
    assert_int_equal(grid_init(&g, -1), MIDI_TOO_LONG);
}

TEST(a_window_strikes_what_it_finds)
{
    auto_grid g;
    int32_t ids[9];
    assert_ok(grid_init(&g, 3));
    for (int i = 0; i < 3; i++)
        *grid_at(&g, i, 0) = (struct grid_cell){72, i == 0};
    grid_encode(&g, all(true), 1, 2, ids);
    const int32_t expect[] = {GRID_INSIDE, GRID_PITCH + 72, GRID_REST,
                              GRID_REST,   GRID_REST,       GRID_HOLD,
                              GRID_REST,   GRID_REST,       GRID_REST};
    assert_memory_equal(ids, expect, sizeof expect);
}
