/* The critic: what it prefers, how it learns, what it reads, and how takes are chosen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/training/critic_learn.h"
#include "app/generation/draws.h"
#include "tests/app/critic/critic_music.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The one that comes with the program. */
static struct critic shipped(void)
{
    struct critic c;
    const char *why = critic_read(&c, "models/critic.json");
    if (why)
        fail_msg("models/critic.json %s", why);
    return c;
}

static struct made_take drone_take(void)
{
    struct made_take t = {.n = 0};
    for (int i = 0; i < 4 * TAKE_BARS; i++) {
        add(&t, TUNE, HEARD * BAR_TICKS + i * TPQ, TPQ, 64);
        add(&t, BASS, HEARD * BAR_TICKS + i * TPQ, TPQ, i % 2 ? 36 : 43);
    }
    return t;
}

/* Pitches of no key, and beats of no bar. */
static struct made_take wild_take(void)
{
    struct made_take t = {.n = 0};
    int64_t at = HEARD * BAR_TICKS;
    for (int i = 0; at < (HEARD + TAKE_BARS) * BAR_TICKS - TPQ; i++) {
        add(&t, i % 2 ? TUNE : BASS, at, TPQ / 3, (i % 2 ? 60 : 36) + i * 7 % 13);
        at += TPQ / 6 + i * 5 % 7 * TPQ / 24;
    }
    return t;
}

static void what_a_composer_would_write_wins(void **state)
{
    (void)state;
    const struct critic c = shipped();
    struct score *s = heard_score(false);
    struct made_take good = good_take(), wild = wild_take(), drone = drone_take();
    struct critic_verdict best = verdict(&c, s, &good);
    assert_true(best.is_judged);
    assert_int_equal(best.n_faults, 0);
    assert_true(best.merit > verdict(&c, s, &wild).merit);
    assert_true(best.merit > verdict(&c, s, &drone).merit);
    score_destroy(s);
}

static void faults_come_last_whatever_the_weights(void **state)
{
    (void)state;
    struct critic none = {0};
    struct score *s = heard_score(false);
    struct made_take good = good_take(), drone = drone_take(), silent = good_take(),
                     out = good_take();
    silent.n = 0;
    for (size_t i = 0; i < good.n; i++)
        if (good.notes[i].track == TUNE)
            silent.notes[silent.n++] = good.notes[i];
    for (size_t i = 0; i < out.n; i += 8)
        out.notes[i].note.pitch = 120;
    struct critic_verdict v[] = {verdict(&none, s, &drone), verdict(&none, s, &silent),
                                 verdict(&none, s, &out)};
    assert_true(verdict(&none, s, &good).merit == 0);
    for (int i = 0; i < 3; i++) {
        assert_true(v[i].n_faults > 0);
        assert_true(v[i].merit <= -CRITIC_FAULT);
    }
    score_destroy(s);
}

static void words_say_what_is_so(void **state)
{
    (void)state;
    struct critic none = {0};
    struct score *s = heard_score(false);
    struct made_take good = good_take(), drone = drone_take();
    struct critic_verdict v = verdict(&none, s, &good);
    char text[160], tiny[8];
    critic_say(&v, text, sizeof text);
    assert_non_null(strstr(text, "keeps the key"));
    assert_non_null(strstr(text, "ends on the tonic"));
    assert_true(strlen(critic_say(&v, tiny, sizeof tiny)) < sizeof tiny);
    v = verdict(&none, s, &drone);
    assert_non_null(strstr(critic_say(&v, text, sizeof text), "stays on one note"));
    assert_null(critic_word(0));
    assert_null(critic_word(-1));
    assert_null(critic_word(1000));
    score_destroy(s);
}

/* -- choosing -- */

static struct draw a_draw(const struct made_take *t, struct continuation_stats *stats,
                          double nats)
{
    *stats = (struct continuation_stats){.from_tick = HEARD * BAR_TICKS,
                                         .to_tick = (HEARD + TAKE_BARS) * BAR_TICKS,
                                         .n_tokens = 1,
                                         .own_log_prob = nats,
                                         .is_done = true};
    return (struct draw){t->notes, t->n, stats};
}

/* Likelihood alone would have the drone first, then the same take twice. */
static void the_likeliest_is_not_the_best(void **state)
{
    (void)state;
    const struct critic c = shipped();
    struct score *s = heard_score(false);
    struct made_take takes[4] = {drone_take(), good_take(), good_take(), wild_take()};
    static const double NATS[4] = {-0.1, -1, -1.1, -2};
    struct continuation_stats stats[4];
    struct draw draws[4];
    int chosen[4], again[4];
    for (int i = 0; i < 4; i++)
        draws[i] = a_draw(&takes[i], &stats[i], NATS[i]);
    assert_int_equal(draws_choose(draws, 4, 4, chosen), 4);
    assert_int_equal(chosen[0], 0);
    draws_judge(draws, 4, &c, s);
    assert_int_equal(draws_choose(draws, 4, 2, chosen), 2);
    assert_true(chosen[0] == 1);
    assert_true(chosen[1] == 3 || chosen[1] == 0); /* not the same once more */
    assert_int_equal(draws_choose(draws, 4, 2, again), 2);
    assert_memory_equal(chosen, again, 2 * sizeof chosen[0]);
    assert_int_equal(draws_choose(draws, 4, 4, chosen), 4); /* nothing else is left */
    for (int i = 1; i < 4; i++)
        assert_true(continuation_compare(draws[chosen[i - 1]].stats,
                                         draws[chosen[i]].stats) >= 0);
    score_destroy(s);
}

static void only_continuations_are_drawn_widely(void **state)
{
    (void)state;
    struct critic c = {0};
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.n_takes = 4;
    o.n_draws = 16;
    assert_int_equal(draws_wanted(&o, &c), 16);
    assert_int_equal(draws_wanted(&o, NULL), 4);
    o.n_draws = 3;
    assert_int_equal(draws_wanted(&o, &c), 4);
    o.n_draws = 16;
    o.hole.to_tick = 1;
    assert_int_equal(draws_wanted(&o, &c), 4);
    o.hole.to_tick = 0;
    o.end_tick = 1;
    assert_int_equal(draws_wanted(&o, &c), 4);
}

/* -- learning -- */

static float noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / (float)(1 << 23) - 1;
}

/* The real ones have more of feature 0, and feature 1 nearer to its mean. */
static void make_pairs(struct critic_pair *pairs, int n, uint32_t seed)
{
    memset(pairs, 0, (size_t)n * sizeof *pairs);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 4; i++) {
            pairs[k].real[i] = noise(&seed) + (i == 0 ? 0.5f : 0);
            pairs[k].ours[i] = noise(&seed);
            if (i == 1)
                pairs[k].real[i] *= 0.3f;
        }
}

static void it_learns_more_and_nearer(void **state)
{
    (void)state;
    enum { N = 400 };
    static struct critic_pair pairs[2 * N];
    struct critic c;
    double nats;
    make_pairs(pairs, 2 * N, 7);
    struct critic_lesson lesson = {pairs, pairs + N, N, N, 0.001, 2000};
    assert_true(critic_learn(&c, &lesson) > 10);
    assert_true(c.weights[0].linear > 0.3f);
    assert_true(c.weights[1].square < -0.3f);
    assert_true(fabsf(c.weights[2].linear) < 0.3f);
    assert_true(critic_accuracy(&c, pairs + N, N, &nats) > 0.75);
    assert_true(nats < 0.55);
    lesson.n_learn = 0;
    assert_int_equal(critic_learn(&c, &lesson), 0);
}

/* -- the file -- */

static const char *parse(const char *text)
{
    struct critic c;
    return critic_parse(&c, text, strlen(text));
}

#define HEAD "{\"format\": \"continuo-critic-1\", \"features\": ["
#define KEY                                                                            \
    "{\"name\": \"key\", \"mean\": 0, \"scale\": 1, \"linear\": 1, \"square\": 0}"

static void what_is_no_critic_is_refused(void **state)
{
    (void)state;
    static const char *const BAD[] = {
        "",
        "{",
        "[]",
        "null",
        "{\"format\": 1}",
        "{\"format\": \"continuo-critic-1\"}",
        "{\"format\": \"other\", \"features\": [" KEY "]}",
        HEAD "]}",
        HEAD KEY ", " KEY "]}",
        HEAD "{\"name\": \"none\"}]}",
        HEAD "3]}",
        HEAD "{\"name\": \"key\", \"mean\": 0, \"scale\": 0, \"linear\": 1, "
             "\"square\": 0}]}",
        HEAD "{\"name\": \"key\", \"mean\": 0, \"scale\": 1, \"linear\": 1e9, "
             "\"square\": 0}]}",
        HEAD "{\"name\": \"key\", \"mean\": \"0\", \"scale\": 1, \"linear\": 1, "
             "\"square\": 0}]}",
        HEAD "{\"name\": \"key\", \"mean\": 0, \"scale\": 1, \"linear\": 1}]}",
    };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        assert_non_null(parse(BAD[i]));
    assert_null(parse(HEAD KEY "]}"));
    struct critic c;
    char *large = calloc(CRITIC_FILE_BYTES + 2, 1);
    memset(large, ' ', CRITIC_FILE_BYTES + 1);
    assert_non_null(critic_parse(&c, large, CRITIC_FILE_BYTES + 1));
    free(large);
    assert_non_null(critic_read(&c, "no/such/file"));
    assert_non_null(critic_read(&c, "/dev/zero"));
}

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    char path[] = "/tmp/critic-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    struct critic c = shipped(), again;
    cJSON *card = cJSON_Parse("{\"pairs\": 3}");
    assert_true(critic_write(&c, card, path));
    assert_null(critic_read(&again, path));
    for (int i = 0; i < features_count(); i++) {
        assert_true(fabsf(c.weights[i].linear - again.weights[i].linear) < 1e-4f);
        assert_true(fabsf(c.weights[i].square - again.weights[i].square) < 1e-4f);
    }
    cJSON_Delete(card);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_composer_would_write_wins),
        cmocka_unit_test(faults_come_last_whatever_the_weights),
        cmocka_unit_test(words_say_what_is_so),
        cmocka_unit_test(the_likeliest_is_not_the_best),
        cmocka_unit_test(only_continuations_are_drawn_widely),
        cmocka_unit_test(it_learns_more_and_nearer),
        cmocka_unit_test(what_is_no_critic_is_refused),
        cmocka_unit_test(what_is_written_is_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
