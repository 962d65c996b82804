/* Learning a user's music beside a rehearsal: `continuo train --rehearse`. */
#include "tests/check.h"

#include "app/decoding/styles.h"
#include "app/lab/training/train_music.h"
#include "tests/app/lab/dataset/corpus_folder.h"
#include "tests/app/run_words.h"

/* Tunes to learn, old music to be reminded of, and a model of random weights. */
static int make_lesson(void **state)
{
    if (make_corpora(state) || mkdir(in_folder("tunes"), 0700))
        return -1;
    for (int i = 0; i < 6; i++)
        make_piece(formatted("tunes/%d.mid", i), 20, 70);
    write_excerpts("old.excerpts", "bach-chorales", 60);
    return tiny_model_save(in_folder("from.safetensors"), 128, 3) ? 0 : -1;
}

static int train(const char *more)
{
    return run_words(
        &VERB_TRAIN, STDOUT_FILENO,
        formatted("--data %s --from %s -o %s --rehearsal %s --rehearse 0.5 "
                  "--progress --batch 4 --threads 1 %s",
                  in_folder("tunes"), in_folder("from.safetensors"),
                  in_folder("out.safetensors"), in_folder("old.excerpts"), more));
}

/* The last line: the share, and four losses. */
static void last_losses(double losses[5])
{
    char *end = strrchr(said, '\n');
    assert_non_null(end);
    while (end > said && end[-1] != '\n')
        end--;
    const char *line = end;
    assert_int_equal(sscanf(line, "%lf %lf %lf %lf %lf", &losses[0], &losses[1],
                            &losses[2], &losses[3], &losses[4]),
                     5);
}

TEST(both_kinds_of_music_are_measured_before_and_now)
{
    double l[5];
    assert_int_equal(train("--steps 40 --lr 5e-3"), 0);
    last_losses(l);
    assert_true(fabs(l[0] - 1.0) < 1e-6);
    assert_true(l[2] < l[1] - 0.5 && l[4] < l[3] - 0.5); /* it knew nothing */
    assert_true(is_there("out.safetensors"));
    assert_false(is_there("out.state"));
}

/* The styles it has learnt are still offered. */
TEST(a_model_of_ones_own_has_the_styles_of_the_rehearsal)
{
    assert_int_equal(train("--steps 8 --lr 5e-3"), 0);
    uint64_t styles = learnt_styles_of_file(in_folder("out.safetensors"));
    assert_true(learnt_has(styles, STYLE_CHORALE));
    assert_false(learnt_has(styles, STYLE_DRUMS));
}

/* A rate that spoils it. */
TEST(a_model_that_is_no_better_is_not_written)
{
    unlink(in_folder("out.safetensors"));
    assert_int_equal(train("--steps 150 --lr 5e-3"), 0);
    assert_int_equal(
        rename(in_folder("out.safetensors"), in_folder("from.safetensors")), 0);
    assert_int_equal(train("--steps 2 --lr 1 --warmup 0"), 1);
    assert_false(is_there("out.safetensors"));
}

/* The rows of a step come from both. */
TEST(half_of_a_step_is_rehearsed)
{
    struct train_report quiet = {0};
    struct train_music m;
    struct corpus_batch rows;
    assert_int_equal(train_music_open(&m, in_folder("tunes"), NULL, INFINITY, &quiet),
                     0);
    assert_int_equal(train_music_rehearse(&m, in_folder("old.excerpts"), 0.5, &quiet),
                     0);
    assert_ok(corpus_batch_init(&rows, m.corpus, 4, 128));
    int n_chorales = 0;
    for (uint64_t step = 0; step < 50; step++) {
        assert_ok(train_music_sample(&m, 1, step, &rows));
        for (int i = 0; i < 4; i++) {
            bool is_chorale =
                corpus_batch_at(&rows, i).tokens[1] == TOKEN_STYLE + STYLE_CHORALE;
            assert_false(is_chorale && i >= 2);
            n_chorales += is_chorale;
        }
    }
    assert_in_range(n_chorales, 60, 100); /* a fifth is of no style */
    corpus_batch_fini(&rows);
    train_music_close(&m);
}

/* A piece for a piano alone is not taken for drums; one whose folder tells its style keeps it. */
TEST(music_of_no_style_gets_one_that_fits)
{
    struct train_report quiet = {0};
    struct train_music m;
    auto_model *from = bundled_model(NULL);
    assert_int_equal(train_music_open(&m, in_folder("tunes"), NULL, INFINITY, &quiet),
                     0);
    m.corpus->pieces[CORPUS_TRAIN][0].piece.style = STYLE_HYMN;
    assert_ok(train_music_guess_styles(&m, from));
    assert_int_equal(m.corpus->pieces[CORPUS_TRAIN][0].piece.style, STYLE_HYMN);
    for (int i = 1; i < m.corpus->n_pieces[CORPUS_TRAIN]; i++) {
        enum style style = m.corpus->pieces[CORPUS_TRAIN][i].piece.style;
        assert_true(style != STYLE_ANY && style != STYLE_DRUMS && style < STYLE_COUNT);
    }
    train_music_close(&m);
}

/* It learns from those that it has read; so it ends in time. */
TEST(reading_takes_a_share_of_the_time)
{
    assert_ok(mkdir(in_folder("many"), 0700));
    make_piece("many/0.mid", 200, 70);
    for (int i = 1; i < 4000; i++)
        assert_ok(
            link(in_folder("many/0.mid"), in_folder(formatted("many/%d.mid", i))));
    int n = 0;
    run_words(&VERB_TRAIN, STDERR_FILENO,
              formatted("--data %s --from %s -o %s --rehearsal %s --rehearse 0.5 "
                        "--threads 1 --minutes 0.01",
                        in_folder("many"), in_folder("from.safetensors"),
                        in_folder("out.safetensors"), in_folder("old.excerpts")));
    const char *at = strstr(said, "read ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "read %d files: more would take too much", &n), 1);
    assert_true(n > 0 && n < 4000);
}

TEST(what_does_not_go_together_is_refused)
{
    assert_int_equal(train("--resume --steps 4"), 2);
    assert_int_equal(run_words(&VERB_TRAIN, STDERR_FILENO,
                               formatted("--data %s -o x.safetensors --rehearse 0.5",
                                         in_folder("tunes"))),
                     2);
    assert_non_null(strstr(said, "--from"));
    assert_int_equal(
        run_words(&VERB_TRAIN, STDERR_FILENO,
                  formatted("--data %s --from %s -o %s --rehearse 0.5 "
                            "--rehearsal %s --steps 1",
                            in_folder("tunes"), in_folder("from.safetensors"),
                            in_folder("x.safetensors"), in_folder("tunes/0.mid"))),
        1);
}

/* -- what a terminal shows -- */

static int show_two_steps(int argc, char **argv)
{
    struct train_report r = {.terminal = true};
    struct train_progress p = {.step = 3,
                               .max_steps = 6,
                               .loss = 2,
                               .tokens_per_second = 90,
                               .seconds_left = -1};
    train_report_step(&r, &p);
    r.last_bar = 0;
    p.valid = 1.5;
    p.seconds_left = 61;
    train_report_step(&r, &p);
    return 0;
}

/* The loss on held-out music, too, once there is one. */
TEST(a_terminal_shows_how_far_it_is)
{
    const struct verb shows = {.name = "train", .main = show_two_steps};
    assert_int_equal(run_words(&shows, STDERR_FILENO, ""), 0);
    assert_string_equal(said,
                        "\r[############............] step 3  loss 2.000  90 tokens/s"
                        "  measuring speed\033[K"
                        "\r[############............] step 3  loss 2.000  valid 1.500"
                        "  90 tokens/s  1 min 01 s left\033[K");
}

GROUP(make_lesson, remove_own_folder)
