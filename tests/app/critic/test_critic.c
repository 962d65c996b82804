/* The critic: what it prefers, how it learns, what it reads, and how takes are chosen. */
#include "tests/check.h"
#include "app/training/critic_passages.h"
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

TEST(what_a_composer_would_write_wins)
{
    const struct critic c = shipped();
    struct made_take good = good_take(), wild = wild_take(), drone = drone_take();
    struct critic_verdict best = verdict(&c, tune_score, &good);
    assert_true(best.is_judged);
    assert_int_equal(best.n_faults, 0);
    assert_true(best.merit > verdict(&c, tune_score, &wild).merit);
    assert_true(best.merit > verdict(&c, tune_score, &drone).merit);
}

/* Nothing goes before it: the tracks are there, their notes are not. */
TEST(a_beginning_is_judged_by_itself)
{
    const struct critic c = shipped();
    auto_score *empty = heard_score(false);
    for (size_t t = 0; t < empty->n_tracks; t++)
        empty->tracks[t].n_notes = 0;
    struct made_take good = good_take(), drone = drone_take(), loop = {.n = 0};
    for (int bar = 0; bar < TAKE_BARS; bar++)
        add_bar(&loop, (HEARD + bar) * BAR_TICKS, 0, 0);
    struct critic_verdict best = verdict(&c, empty, &good);
    assert_true(best.is_judged);
    assert_true(best.merit > verdict(&c, empty, &loop).merit);
    assert_true(verdict(&c, empty, &loop).merit > verdict(&c, empty, &drone).merit);
    good.n = 0;
    assert_false(verdict(&c, empty, &good).is_judged);
}

TEST(faults_come_last_whatever_the_weights)
{
    struct critic none = {0};
    struct made_take good = good_take(), drone = drone_take(), silent = good_take(),
                     out = good_take();
    silent.n = 0;
    for (size_t i = 0; i < good.n; i++)
        if (good.notes[i].track == TUNE)
            silent.notes[silent.n++] = good.notes[i];
    for (size_t i = 0; i < out.n; i += 8)
        out.notes[i].note.pitch = 120;
    struct critic_verdict v[] = {verdict(&none, tune_score, &drone),
                                 verdict(&none, tune_score, &silent),
                                 verdict(&none, tune_score, &out)};
    assert_true(verdict(&none, tune_score, &good).merit == 0);
    for (int i = 0; i < 3; i++) {
        assert_true(v[i].n_faults > 0);
        assert_true(v[i].merit <= -CRITIC_FAULT);
    }
}

TEST(a_lost_groove_costs)
{
    struct critic none = {0};
    struct made_take kept = with_beat(good_take(), 36),
                     lost = with_beat(good_take(), 45), fill = kept;
    fill.notes[fill.n - 1].note.pitch = 49; /* at its end, as fills are */
    assert_true(verdict(&none, band_score, &kept).merit == 0);
    assert_true(verdict(&none, band_score, &fill).merit == 0);
    assert_true(verdict(&none, band_score, &lost).merit < -5);
}

static float merit_of(const struct critic *c, const struct score *s, int from_bar,
                      int to_bar, const struct made_take *t)
{
    struct critic_verdict v;
    critic_judge(c, s, from_bar * BAR_TICKS, to_bar * BAR_TICKS, t->notes, t->n, &v);
    assert_true(v.is_judged);
    return v.merit;
}

TEST(a_long_take_is_judged_by_its_parts)
{
    enum { MIDDLE = HEARD + 8, END = HEARD + 16 };
    const struct critic c = shipped();
    struct made_take t = {.n = 0};
    for (int bar = HEARD; bar < END; bar++)
        add_bar(&t, bar * BAR_TICKS, bar % 4, bar < MIDDLE ? 0 : bar % 3);
    const float first = merit_of(&c, tune_score, HEARD, MIDDLE, &t),
                second = merit_of(&c, tune_score, MIDDLE, END, &t);
    assert_true(first > second);
    assert_float_equal(merit_of(&c, tune_score, HEARD, END, &t), (first + second) / 2,
                       1e-4);
}

TEST(words_say_what_is_so)
{
    struct critic none = {0};
    struct made_take good = good_take(), drone = drone_take();
    struct critic_verdict v = verdict(&none, tune_score, &good);
    char text[160], tiny[8];
    critic_say(&v, text, sizeof text);
    assert_non_null(strstr(text, "keeps the key"));
    assert_non_null(strstr(text, "ends on the tonic"));
    assert_true(strlen(critic_say(&v, tiny, sizeof tiny)) < sizeof tiny);
    v = verdict(&none, tune_score, &drone);
    assert_non_null(strstr(critic_say(&v, text, sizeof text), "stays on one note"));
    assert_null(critic_word(0));
    assert_null(critic_word(-1));
    assert_null(critic_word(1000));
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

/* Beats that keep a groove are alike, and no less shown; the same once more is not. Beside
 * a tune they do not count. */
TEST(takes_of_drums_may_keep_their_groove)
{
    struct made_take beat = with_beat((struct made_take){.n = 0}, 36), other = beat,
                     tune = with_beat(good_take(), 36),
                     wild = with_beat(wild_take(), 36);
    other.notes[3].note.pitch = other.notes[7].note.pitch = 49;
    const struct made_take *of[2][3] = {{&beat, &beat, &other}, {&tune, &tune, &wild}};
    for (int k = 0; k < 2; k++) {
        struct continuation_stats stats[3];
        struct draw draws[3];
        int chosen[3];
        for (int i = 0; i < 3; i++)
            draws[i] = a_draw(of[k][i], &stats[i], -1 - i);
        assert_int_equal(draws_choose(draws, 3, 2, chosen), 2);
        assert_int_equal(chosen[0], 0);
        assert_int_equal(chosen[1], 2);
    }
}

/* Likelihood alone would have the drone first, then the same take twice. */
TEST(the_likeliest_is_not_the_best)
{
    const struct critic c = shipped();
    struct made_take takes[4] = {drone_take(), good_take(), good_take(), wild_take()};
    static const double NATS[4] = {-0.1, -1, -1.1, -2};
    struct continuation_stats stats[4];
    struct draw draws[4];
    int chosen[4], again[4];
    for (int i = 0; i < 4; i++)
        draws[i] = a_draw(&takes[i], &stats[i], NATS[i]);
    assert_int_equal(draws_choose(draws, 4, 4, chosen), 4);
    assert_int_equal(chosen[0], 0);
    draws_judge(draws, 4, &CONTINUATION_DEFAULT, &c, tune_score);
    assert_int_equal(draws_choose(draws, 4, 2, chosen), 2);
    assert_true(chosen[0] == 1);
    assert_true(chosen[1] == 3 || chosen[1] == 0); /* not the same once more */
    assert_int_equal(draws_choose(draws, 4, 2, again), 2);
    assert_memory_equal(chosen, again, 2 * sizeof chosen[0]);
    assert_int_equal(draws_choose(draws, 4, 4, chosen), 4); /* nothing else is left */
    for (int i = 1; i < 4; i++)
        assert_true(continuation_compare(draws[chosen[i - 1]].stats,
                                         draws[chosen[i]].stats) >= 0);
}

/* What most of them share comes first, without a critic and where it cannot judge. */
TEST(what_most_takes_agree_on_fills_a_hole)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.hole.to_tick = BAR_TICKS;
    struct made_take takes[4] = {wild_take(), good_take(), good_take(), good_take()};
    static const double NATS[4] = {-0.1, -3, -1, -2};
    struct continuation_stats stats[4];
    struct draw draws[4];
    int chosen[4];
    takes[1].notes[3].note.pitch++;
    takes[2].notes[7].note.pitch--;
    takes[2].notes[5].note.pitch--;
    for (int i = 0; i < 4; i++)
        draws[i] = a_draw(&takes[i], &stats[i], NATS[i]);
    draws_judge(draws, 4, &o, NULL, tune_score);
    assert_int_equal(draws_choose(draws, 4, 4, chosen), 4);
    assert_int_equal(chosen[0], 3);
    assert_int_equal(chosen[1], 1);
    assert_int_equal(chosen[2], 2);
    assert_int_equal(chosen[3], 0);
    stats[3].verdict.n_faults = 1; /* most draws have it where the piece has it */
    draws_judge(draws, 4, &o, NULL, tune_score);
    assert_int_equal(draws_choose(draws, 4, 1, chosen), 1);
    assert_int_equal(chosen[0], 3);
}

TEST(what_can_be_chosen_is_drawn_widely)
{
    struct critic c = {0};
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.n_takes = 4;
    o.n_draws = 16;
    assert_int_equal(draws_wanted(&o, &c), 16);
    assert_int_equal(draws_wanted(&o, NULL), 4);
    o.n_draws = 3;
    assert_int_equal(draws_wanted(&o, &c), 4);
    o.n_draws = 16;
    o.hole.to_tick = TPQ;
    assert_int_equal(draws_wanted(&o, &c), 16);
    assert_int_equal(draws_wanted(&o, NULL), 16);
    o.hole.to_tick = 0;
    o.end_tick = 1;
    assert_int_equal(draws_wanted(&o, &c), 4);
}

/* Of two bars in the middle of a piece, the one that meets what follows is better. */
TEST(a_hole_joins_what_follows)
{
    enum { FROM = 4 * BAR_TICKS, TO = 5 * BAR_TICKS };
    struct critic none = {0};
    auto_score *s = heard_score(false);
    struct made_take meets = {.n = 0}, leaps;
    struct critic_verdict v[2];
    for (int i = 0; i < 4; i++)
        add(&meets, TUNE, FROM + i * TPQ, TPQ, in_c(TUNES[0][i]));
    leaps = meets;
    leaps.notes[3].note.pitch = (uint8_t)in_c(9); /* its highest; D follows */
    for (size_t i = 0; i < s->tracks[TUNE].n_notes;) {
        const struct note *n = &s->tracks[TUNE].notes[i];
        if (n->start >= FROM && n->start < TO)
            score_remove_note(s, TUNE, n->id);
        else
            i++;
    }
    critic_judge(&none, s, FROM, TO, meets.notes, meets.n, &v[0]);
    critic_judge(&none, s, FROM, TO, leaps.notes, leaps.n, &v[1]);
    assert_true(v[0].is_judged && v[1].is_judged);
    assert_int_equal(v[0].n_faults, v[1].n_faults);
    assert_true(v[0].merit > v[1].merit);
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

TEST(it_learns_more_and_nearer)
{
    enum { N = 400 };
    static struct critic_pair pairs[2 * N];
    struct critic c;
    double nats;
    make_pairs(pairs, 2 * N, 7);
    for (int k = 0; k < N; k++)
        pairs[k].group = k;
    assert_true(critic_learn(&c, pairs, N, 0.01));
    assert_true(c.weights[0].linear > 0.3f);
    assert_true(c.weights[1].square < -0.3f);
    assert_true(fabsf(c.weights[2].linear) < 0.3f);
    assert_true(critic_accuracy(&c, pairs + N, N, &nats) > 0.75);
    assert_true(nats < 0.55);
    assert_false(critic_learn(&c, pairs, 0, 0.01));
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

TEST(what_is_no_critic_is_refused)
{
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
    auto_free char *large = calloc(CRITIC_FILE_BYTES + 2, 1);
    memset(large, ' ', CRITIC_FILE_BYTES + 1);
    assert_non_null(critic_parse(&c, large, CRITIC_FILE_BYTES + 1));
    assert_non_null(critic_read(&c, "no/such/file"));
    assert_non_null(critic_read(&c, "/dev/zero"));
}

TEST(what_is_written_is_read_again)
{
    char path[] = "/tmp/critic-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    struct critic c = shipped(), again;
    auto_json *card = cJSON_Parse("{\"pairs\": 3}");
    assert_true(critic_write(&c, card, path));
    assert_null(critic_read(&again, path));
    for (int i = 0; i < features_count(); i++) {
        assert_true(fabsf(c.weights[i].linear - again.weights[i].linear) < 1e-4f);
        assert_true(fabsf(c.weights[i].square - again.weights[i].square) < 1e-4f);
    }
    remove(path);
}

GROUP(make_scores, destroy_scores)
