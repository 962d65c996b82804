/* The critic: what it prefers, what it says and reads, and how takes are chosen. */
#include "tests/check.h"
#include "app/generation/draws.h"
#include "tests/app/critic/critic_music.h"

/* The one that comes with the program. */
static struct critic shipped(void)
{
    struct critic c;
    const char *why = critic_read(&c, "models/critic.json");
    if (why)
        fail_msg("models/critic.json %s", why);
    return c;
}

static struct critic_verdict verdict(const struct critic *c, const struct score *s,
                                     struct made_take *t)
{
    struct take take = drawn(t);
    critic_judge(c, s, &CONTINUATION_DEFAULT, &take);
    return take.stats.verdict;
}

static struct made_take drone_take(void)
{
    return take_of(score_of("480 | tune: =8w E4q*16 | bass: =8w (G2q C2)*8"));
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

static struct made_take silent_take(void)
{
    return take_of(score_of("480 | tune: | bass: =8w " BASS_BARS));
}

TEST(what_a_musician_would_keep_wins)
{
    const struct critic c = shipped();
    struct made_take good = good_take(),
                     bad[] = {wild_take(), drone_take(), silent_take()};
    struct critic_verdict best = verdict(&c, tune_score, &good);
    assert_true(best.is_judged);
    for (int i = 0; i < 3; i++) {
        struct critic_verdict v = verdict(&c, tune_score, &bad[i]);
        assert_true(v.is_judged);
        assert_true(best.merit > v.merit);
        assert_true(best.n_faults < v.n_faults);
    }
}

/* Nothing goes before it: the tracks are there, their notes are not. */
TEST(a_beginning_is_judged_by_itself)
{
    const struct critic c = shipped();
    auto_score *empty = heard_score("");
    for (size_t t = 0; t < empty->n_tracks; t++)
        empty->tracks[t].n_notes = 0;
    struct made_take good = good_take(), drone = drone_take(), wild = wild_take();
    struct critic_verdict best = verdict(&c, empty, &good);
    assert_true(best.is_judged);
    assert_true(best.merit > verdict(&c, empty, &drone).merit);
    assert_true(best.merit > verdict(&c, empty, &wild).merit);
    good.n = 0;
    assert_false(verdict(&c, empty, &good).is_judged);
}

/* Weights are those of the kind of request, and a feature counts up to a limit. */
TEST(a_request_has_weights_of_its_kind)
{
    struct critic c = {0};
    struct critic_weight *w = &c.features[FEATURE_SILENCE];
    double features[N_FEATURES] = {0};
    float gives[N_FEATURES];
    *w = (struct critic_weight){.mean = 1, .scale = 2, .weights = {1, 10, 100}};
    features[FEATURE_SILENCE] = 2;
    assert_float_equal(critic_merit(&c, CRITIC_CONTINUE, features, gives), 0.5, 1e-6);
    assert_float_equal(critic_merit(&c, CRITIC_HOLE, features, gives), 5, 1e-6);
    assert_float_equal(gives[FEATURE_SILENCE], 5, 1e-6);
    features[FEATURE_SILENCE] = -1e6;
    assert_float_equal(critic_merit(&c, CRITIC_CLOSE, features, gives),
                       -100 * CRITIC_FAR, 1e-3);
}

/* Stores of older programs have words by these numbers, also those of features that went. */
TEST(numbers_of_words_never_change)
{
    static const struct {
        int word;
        const char *text;
    } KEPT[] = {{100, "chords leave the key"},
                {138, "backbeat lost"},
                {142, "no steady hat"},
                {144, "out of range"},
                {146, "one note again and again"},
                {150, "wide leaps"},
                {170, "chords leave the key"},
                {171, "chords of the key"},
                {186, "ends in the air"},
                {187, "ends on tonic or dominant"},
                {188, "does not close"},
                {189, "closes on the tonic"},
                {205, "note lengths as given"},
                {208, "backbeat lost"},
                {222, "parallel fifths or octaves"},
                {224, "voices cross"},
                {230, "copies the given bars"}};
    for (size_t i = 0; i < sizeof KEPT / sizeof *KEPT; i++) {
        const char *text = critic_word(KEPT[i].word);
        assert_non_null(text);
        assert_string_equal(text, KEPT[i].text);
    }
    const struct critic_verdict v = {.words = {152, 138, 208}}; /* one says nothing */
    char text[160];
    assert_string_equal(critic_say(&v, text, sizeof text),
                        "backbeat lost, backbeat lost");
    for (int i = 0; i < N_FEATURES; i++)
        for (int k = 0; k <= i; k++) {
            assert_true(FEATURES[i].word < CRITIC_MOST_WORDS);
            assert_true(k == i || abs(FEATURES[i].word - FEATURES[k].word) > 1);
        }
}

/* Praise and blame: the strongest first, and nothing that is not so. */
TEST(words_say_what_is_so)
{
    const struct critic c = shipped();
    struct made_take silent = silent_take(), drone = drone_take();
    struct critic_verdict v = verdict(&c, tune_score, &silent);
    char text[160], tiny[8];
    critic_say(&v, text, sizeof text);
    assert_non_null(strstr(text, "silent"));
    assert_true(strlen(critic_say(&v, tiny, sizeof tiny)) < sizeof tiny);
    v = verdict(&c, tune_score, &drone);
    if (!strstr(critic_say(&v, text, sizeof text), "the same bar again and again"))
        fail_msg("%s", text);
    assert_null(critic_word(0));
    assert_null(critic_word(-1));
    assert_null(critic_word(37));  /* of the first critic */
    assert_null(critic_word(152)); /* which meant two things */
    assert_null(critic_word(CRITIC_MOST_WORDS));
    float gives[N_FEATURES] = {0};
    double features[N_FEATURES] = {0};
    gives[FEATURE_BASS_ON_ROOT] = 1;
    gives[FEATURE_SEMITONES] = -2;
    gives[FEATURE_LOOPS] = -3; /* but there are none */
    features[FEATURE_BASS_ON_ROOT] = 0.9;
    features[FEATURE_SEMITONES] = 0.5;
    assert_int_equal(critic_find_words(features, gives, v.words), 1);
    assert_string_equal(critic_word(v.words[0]), "semitones clash");
    assert_string_equal(critic_word(v.words[1]), "bass on the roots");
    assert_int_equal(v.words[2], 0);
}

/* -- choosing -- */

static struct take a_draw(struct made_take *t, double nats)
{
    struct take take = drawn(t);
    take.stats.n_tokens = 1;
    take.stats.own_log_prob = nats;
    return take;
}

/* The places of the k that are shown. */
static void choose(const struct take *draws, int n, int k, int chosen[])
{
    struct take sorted[4];
    memcpy(sorted, draws, (size_t)n * sizeof *draws);
    for (int i = 0; i < n; i++)
        sorted[i].seed = (uint64_t)i;
    draws_sort(sorted, n, k);
    for (int i = 0; i < k; i++)
        chosen[i] = (int)sorted[i].seed;
}

/* Beats that keep a groove are alike, and no less shown; the same once more is not. Beside
 * a tune they do not count. */
TEST(takes_of_drums_may_keep_their_groove)
{
    struct made_take beat = take_of(score_of("480 | t: | b: | d: =8w " BEAT "*8")),
                     other = beat, tune = good_band(), wild = wild_take();
    other.notes[3].note.pitch = other.notes[7].note.pitch = 49;
    memcpy(wild.notes + wild.n, beat.notes, beat.n * sizeof *beat.notes);
    wild.n += beat.n;
    struct made_take *of[2][3] = {{&beat, &beat, &other}, {&tune, &tune, &wild}};
    for (int k = 0; k < 2; k++) {
        struct take draws[3];
        int chosen[3];
        for (int i = 0; i < 3; i++)
            draws[i] = a_draw(of[k][i], -1 - i);
        choose(draws, 3, 2, chosen);
        assert_true(chosen[0] == 0 && chosen[1] == 2);
    }
}

/* Likelihood alone would have the drone first, then the same take twice. */
TEST(the_likeliest_is_not_the_best)
{
    const struct critic c = shipped();
    struct made_take takes[4] = {drone_take(), good_take(), good_take(), wild_take()};
    static const double NATS[4] = {-0.1, -1, -1.1, -2};
    struct take draws[4];
    int chosen[4], again[4];
    for (int i = 0; i < 4; i++)
        draws[i] = a_draw(&takes[i], NATS[i]);
    choose(draws, 4, 4, chosen);
    assert_int_equal(chosen[0], 0);
    draws_judge(draws, 4, &CONTINUATION_DEFAULT, &c, tune_score);
    choose(draws, 4, 2, chosen);
    assert_true(chosen[0] == 1);
    assert_true(chosen[1] == 3 || chosen[1] == 0); /* not the same once more */
    choose(draws, 4, 2, again);
    assert_memory_equal(chosen, again, 2 * sizeof chosen[0]);
    choose(draws, 4, 4, chosen); /* nothing else is left */
    for (int i = 1; i < 4; i++)
        assert_true(continuation_compare(&draws[chosen[i - 1]].stats,
                                         &draws[chosen[i]].stats) >= 0);
}

/* A close was asked for: the critic hears it, and its judgement alone decides. */
TEST(a_take_that_closes_wins)
{
    const struct critic c = shipped();
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.hole.close = true;
    struct made_take closes = good_take(), open = closes;
    for (size_t i = 0; i < open.n; i++)
        if (open.notes[i].note.start >= (HEARD + TAKE_BARS - 1) * BAR_TICKS)
            open.notes[i].note.pitch += open.notes[i].track == BASS ? 7 : 2;
    struct take draws[2] = {a_draw(&open, -1), a_draw(&closes, -1)};
    draws_judge(draws, 2, &o, &c, tune_score);
    assert_int_equal(continuation_compare(&draws[1].stats, &draws[0].stats), 1);
}

/* What most of them share comes first, without a critic and where it cannot judge. */
TEST(what_most_takes_agree_on_fills_a_hole)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.hole.to_tick = BAR_TICKS;
    struct made_take takes[4] = {wild_take(), good_take(), good_take(), good_take()};
    static const double NATS[4] = {-0.1, -3, -1, -2};
    struct take draws[4];
    int chosen[4];
    takes[1].notes[3].note.pitch++;
    takes[2].notes[7].note.pitch--;
    takes[2].notes[5].note.pitch--;
    for (int i = 0; i < 4; i++)
        draws[i] = a_draw(&takes[i], NATS[i]);
    draws_judge(draws, 4, &o, NULL, tune_score);
    choose(draws, 4, 4, chosen);
    assert_int_equal(chosen[0], 3);
    assert_int_equal(chosen[1], 1);
    assert_int_equal(chosen[2], 2);
    assert_int_equal(chosen[3], 0);
    /* A part that is missing has none that plays around it: the critic alone judges. */
    const struct critic c = shipped();
    auto_score *s = heard_score("");
    clear_track(s, TUNE);
    clear_track(s, BASS);
    o.tracks = 1u << TUNE | 1u << BASS;
    draws_judge(draws, 4, &o, &c, s);
    for (int i = 0; i < 4; i++) {
        struct take take = drawn(&takes[i]);
        critic_judge(&c, s, &o, &take);
        const struct critic_verdict v = take.stats.verdict;
        assert_true(v.is_judged && draws[i].stats.verdict.merit == v.merit);
    }
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

/* -- the file -- */

static const char *parse(const char *text)
{
    struct critic c;
    return critic_parse(&c, text, strlen(text));
}

#define HEAD "{\"format\": \"continuo-critic-2\", \"features\": ["
#define ONE(name, scale, weight)                                                       \
    "{\"name\": \"" name "\", \"mean\": 0, \"scale\": " scale                          \
    ", \"continue\": " weight ", \"hole\": 1, \"close\": 1}"

TEST(what_is_no_critic_is_refused)
{
    static const char *const BAD[] = {
        "",
        "{",
        "[]",
        "null",
        "{\"format\": 1}",
        "{\"format\": \"continuo-critic-2\"}",
        "{\"format\": \"continuo-critic-1\", \"features\": [" ONE("loops", "1",
                                                                  "1") "]}",
        HEAD "]}",
        HEAD ONE("rough", "1", "1") ", " ONE("rough", "1", "1") "]}",
        HEAD "{\"name\": \"none\"}]}",
        HEAD "3]}",
        HEAD ONE("rough", "0", "1") "]}",
        HEAD ONE("rough", "1", "1e9") "]}",
        HEAD ONE("rough", "\"1\"", "1") "]}",
        HEAD "{\"name\": \"rough\", \"mean\": 0, \"scale\": 1, \"continue\": 1}]}",
    };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        assert_non_null(parse(BAD[i]));
    assert_null(parse(HEAD ONE("rough", "1", "1") "]}"));
    struct critic c;
    auto_free char *large = calloc(CRITIC_FILE_BYTES + 2, 1);
    memset(large, ' ', CRITIC_FILE_BYTES + 1);
    assert_non_null(critic_parse(&c, large, CRITIC_FILE_BYTES + 1));
    assert_non_null(critic_read(&c, "no/such/file"));
    assert_non_null(critic_read(&c, "/dev/zero"));
}

/* No weight is against what a musician expects. */
TEST(the_shipped_critic_has_all_features)
{
    const struct critic c = shipped();
    for (int i = 0; i < N_FEATURES; i++) {
        assert_true(c.features[i].scale > 0);
        assert_int_equal(feature_find(FEATURES[i].name), i);
        for (int k = 0; k < N_CRITIC_KINDS; k++)
            assert_true(FEATURES[i].is_merit ? c.features[i].weights[k] >= 0
                                             : c.features[i].weights[k] <= 0);
    }
}

GROUP(make_scores, destroy_scores)
