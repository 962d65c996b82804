/* Training data from a folder: what is found and how it is split, and what the
 * windows drawn from it hold. */
#include "tests/check.h"

#include "tests/app/lab/dataset/corpus_folder.h"
#include "tests/app/run_words.h"

#include <signal.h>
#include <sys/wait.h>

TEST(folders_decide_the_split)
{
    auto_corpus *c = open_all(NULL);
    const struct corpus_group *bach = group(c, "bach-chorales"),
                              *rest = group(c, "unsplit");
    assert_int_equal(bach->n_pieces[CORPUS_TRAIN], 2);
    assert_int_equal(bach->n_pieces[CORPUS_VALID], 1);
    assert_int_equal(bach->style, STYLE_CHORALE);
    assert_int_equal(bach->n_notes[CORPUS_VALID], 160);
    assert_int_equal(rest->n_pieces[CORPUS_TRAIN] + rest->n_pieces[CORPUS_VALID], 40);
    assert_in_range(rest->n_pieces[CORPUS_VALID], 1, 12);
    assert_int_equal(rest->style, STYLE_ANY);
    assert_int_equal(c->n_skipped, 1);
    assert_non_null(strstr(c->skipped, "broken.mid"));
}

TEST(names_choose_corpora)
{
    struct corpus *c = open_all("other,bach-chorales");
    assert_int_equal(c->n_pieces[CORPUS_TRAIN], 2);
    assert_int_equal(c->n_skipped, 0);
    corpus_close(c);
    assert_int_equal(corpus_open(&c, folder, "bach", NULL), MIDI_EMPTY);
    assert_int_equal(corpus_open(&c, in_folder("nowhere"), NULL, NULL), MIDI_NO_FILE);
}

/* A folder of train and valid is a corpus itself. */
TEST(a_corpus_can_be_the_folder)
{
    auto_corpus *c = NULL;
    assert_ok(corpus_open(&c, in_folder("bach-chorales/"), NULL, NULL));
    assert_int_equal(group(c, "bach-chorales")->n_pieces[CORPUS_VALID], 1);
}

TEST(drawn_rows_are_music_and_repeat)
{
    auto_corpus *c = open_all(NULL);
    int32_t tokens[2][LENGTH], targets[2][LENGTH];
    int differ = 0;
    for (int step = 0; step < 60; step++) {
        draw_row(c, (struct corpus_shares){0}, step, 0, tokens[0], targets[0]);
        draw_row(c, (struct corpus_shares){0}, step, 0, tokens[1], targets[1]);
        assert_memory_equal(tokens[0], tokens[1], sizeof tokens[0]);
        check_row(tokens[0], targets[0]);
        draw_row(c, (struct corpus_shares){0}, step, 1, tokens[1], targets[1]);
        differ += memcmp(tokens[0], tokens[1], sizeof tokens[0]) != 0;
    }
    assert_true(differ > 55);
}

TEST(drawn_holes_can_be_filled)
{
    auto_corpus *c = open_all(NULL);
    int32_t tokens[LENGTH], targets[LENGTH];
    int n_holes = 0, n_plain = 0;
    for (int step = 0; step < 200; step++) {
        draw_row(c, (struct corpus_shares){.holes = 0.5}, step, 0, tokens, targets);
        for (int from = 0, to; from < LENGTH; from = to) {
            to = sequence_end(tokens, from);
            bool is_hole = has_hole(tokens, from, to);
            if (is_hole)
                check_hole(tokens, targets, from, to);
            n_holes += is_hole;
            n_plain += !is_hole && to < LENGTH;
        }
    }
    assert_true(n_holes > 60 && n_plain > 60);
}

/* Of a held-out hole only what fills it is measured. */
TEST(held_out_holes_are_fixed)
{
    auto_corpus *c = open_all(NULL);
    int32_t tokens[2][LENGTH], targets[2][LENGTH];
    int n_measured = 0;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 2; k++)
            assert_ok(
                fixed_row(c, CORPUS_VALID, CORPUS_HOLE, i, 4, tokens[k], targets[k]));
        assert_memory_equal(tokens[0], tokens[1], sizeof tokens[0]);
        assert_memory_equal(targets[0], targets[1], sizeof targets[0]);
        bool is_filling = false;
        for (int j = 0; j < LENGTH; j++) {
            is_filling = is_filling || tokens[0][j] == TOKEN_FILL;
            assert_true(is_filling || targets[0][j] < 0);
            n_measured += targets[0][j] >= 0;
        }
    }
    assert_true(n_measured > 0);
}

TEST(fixed_windows_are_as_written)
{
    auto_corpus *c = open_all("bach-chorales");
    struct baseline b = {0};
    int32_t tokens[LENGTH], targets[LENGTH];
    assert_ok(fixed_row(c, CORPUS_VALID, CORPUS_PLAIN, 0, 4, tokens, targets));
    assert_int_equal(tokens[1], TOKEN_STYLE + STYLE_CHORALE);
    int first = 0;
    while (first < LENGTH && token_kind(tokens[first]) != TOKEN_PITCH)
        first++;
    assert_in_range(tokens[first], TOKEN_PITCH + 52,
                    TOKEN_PITCH + 64); /* not transposed */
    assert_int_equal(fixed_row(c, CORPUS_TEST, CORPUS_PLAIN, 0, 4, tokens, targets),
                     MIDI_EMPTY);

    corpus_baseline(c, tokens, targets, LENGTH, &b);
    assert_true(b.n_notes > 0 && b.n_tokens > b.n_notes);
    assert_true(b.bigram < b.unigram); /* so regular a piece */
    assert_true(b.unigram / (double)b.n_tokens < log(TOKEN_COUNT));
}

/* Trains with these options more; it ends with that status. */
static void train(int expect, const char *out, const char *more)
{
    const char *words =
        formatted("--data %s -o %s --preset tiny --threads 1 %s", folder, out, more);
    assert_int_equal(run_words(&VERB_TRAIN, STDOUT_FILENO, words), expect);
}

#define SHORT "--length 32 --batch 2 --f32 "

/* Trains in a child that is asked to stop, after MS milliseconds, until it does. Before and after
 * its run the child ignores the signal, so it ends by itself wherever the signal falls. */
static void interrupt_train(const char *out, const char *more, int ms)
{
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGTERM, SIG_IGN);
        train(0, out, more);
        _exit(0);
    }
    for (; waitpid(child, &status, WNOHANG) == 0; ms = 20) {
        usleep((useconds_t)ms * 1000);
        kill(child, SIGTERM);
    }
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(an_interrupted_run_ends_as_the_whole_one)
{
    const char *whole = in_folder("whole.safetensors");
    const char *broken = in_folder("broken.safetensors");
    auto_model *one = NULL, *two = NULL;
    train(0, whole, SHORT "--steps 16");
    interrupt_train(broken, SHORT "--steps 16", 20);
    for (int ms = 40; ms <= 160; ms += 40)
        interrupt_train(broken, SHORT "--steps 16 --resume", ms);
    train(0, broken, SHORT "--steps 16 --resume");
    assert_ok(model_open(&one, whole, NULL, 0));
    assert_ok(model_open(&two, broken, NULL, 0));
    assert_int_equal(model_hash(one), model_hash(two));
    assert_non_null(strstr(model_metadata(one, "tokenizer"), "\"name\":\"score\""));
    assert_non_null(strstr(model_metadata(one, "provenance"), "\"nats_per_note\""));
    assert_int_equal(one->config.vocab, TOKEN_COUNT);
    train(1, folder, SHORT "--steps 16 --resume"); /* no such state */
}

TEST(a_run_goes_on_with_other_lengths)
{
    const char *out = in_folder("staged.safetensors");
    struct model *m = NULL;
    train(0, out, "--length 32 --batch 2 --steps 4 --cooldown 0");
    train(0, out, "--length 48 --batch 1 --steps 7 --lr 1e-3 --resume");
    assert_ok(model_open(&m, out, NULL, 0));
    const char *about = model_metadata(m, "provenance");
    assert_non_null(strstr(about, "\"steps\":7,"));
    assert_non_null(strstr(about, "\"tokens_seen\":400,")); /* 4 2 32 + 3 48 */
    model_close(m);
    train(1, out, "--length 32 --batch 2 --steps 9 --resume --optimiser adamw");
    train(1, out, "--length 32 --batch 2 --steps 9 --resume --seed 2");
    train(1, out, "--length 32 --batch 2 --steps 9 --resume --layers 1");
    train(0, out, "--length 32 --batch 2 --steps 9 --resume");
}

static long steps_done(const char *state_path)
{
    struct safetensors *f = NULL;
    assert_ok(safetensors_open(&f, state_path, NULL, 0));
    long steps = strtol(safetensors_metadata(f, "steps"), NULL, 10);
    safetensors_close(f);
    return steps;
}

/* Minutes are of all runs together: with more of them, it goes on. */
TEST(a_run_of_minutes_goes_on_for_longer)
{
    const char *out = in_folder("minutes.safetensors");
    const char *kept = in_folder("minutes.state");
    train(0, out, "--length 32 --batch 1 --minutes 0.01");
    const long steps = steps_done(kept);
    train(0, out, "--length 32 --batch 1 --minutes 0.01 --resume");
    assert_int_equal(steps_done(kept), steps); /* the time is over */
    /* On a busy machine the first step may have taken longer than a few seconds. */
    static const char *const LONGER[] = {"0.02", "0.1", "1"};
    for (size_t i = 0; i < 3 && steps_done(kept) == steps; i++) {
        train(0, out,
              formatted("--length 24 --batch 1 --minutes %s --resume", LONGER[i]));
    }
    assert_true(steps_done(kept) > steps);
}

GROUP(make_corpora, remove_own_folder)
