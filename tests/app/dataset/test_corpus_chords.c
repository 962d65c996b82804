/* Chords in training windows: said in a share of them, learnt only where nobody gives
 * them; and how often each corpus is drawn. */
#include "tests/check.h"
#include "tests/app/dataset/corpus_folder.h"

#include <math.h>

static int count_kind(const int32_t *ids, enum token kind)
{
    int n = 0;
    for (int i = 0; i < LENGTH; i++)
        n += ids[i] >= 0 && token_kind(ids[i]) == kind;
    return n;
}

/* Said in the share of windows that is asked for; learnt, but in those with a hole. */
TEST(chords_are_said_in_a_share)
{
    auto_corpus *c = open_all(NULL);
    int32_t tokens[LENGTH], targets[LENGTH];
    int n_said[3] = {0};
    for (int kind = 0; kind < 3; kind++)
        for (int step = 0; step < 100; step++) {
            const struct corpus_shares shares = {.chords = kind * 0.5};
            draw_row(c, shares, step, 0, tokens, targets);
            n_said[kind] += count_kind(targets, TOKEN_CHORD);
            check_row(tokens, targets);
        }
    assert_int_equal(n_said[0], 0);
    assert_in_range(n_said[1], n_said[2] / 3, n_said[2] * 2 / 3);
    assert_true(n_said[2] > 100);
}

TEST(chords_around_a_hole_are_given)
{
    auto_corpus *c = open_all(NULL);
    int32_t tokens[LENGTH], targets[LENGTH];
    int n_said = 0;
    for (int step = 0; step < 50; step++) {
        draw_row(c, (struct corpus_shares){1, 1}, step, 0, tokens, targets);
        for (int from = 0, to; from < LENGTH; from = to) {
            to = sequence_end(tokens, from);
            bool is_hole = has_hole(tokens, from, to);
            if (is_hole)
                check_hole(tokens, targets, from, to);
            for (int i = from; is_hole && i < to - 1; i++)
                if (token_kind(tokens[i + 1]) == TOKEN_CHORD) {
                    assert_int_equal(targets[i], -1);
                    n_said++;
                }
        }
    }
    assert_true(n_said > 30);
}

/* The same notes are measured over given chords as without, in a piece that fits. */
TEST(given_chords_are_not_measured)
{
    auto_corpus *c = open_all("unsplit");
    int32_t tokens[2][LENGTH], targets[2][LENGTH];
    assert_ok(corpus_window(c, CORPUS_VALID, CORPUS_PLAIN, 0, 4, LENGTH, tokens[0],
                            targets[0]));
    assert_ok(corpus_window(c, CORPUS_VALID, CORPUS_CHORDS, 0, 4, LENGTH, tokens[1],
                            targets[1]));
    assert_int_equal(count_kind(tokens[0], TOKEN_CHORD), 0);
    assert_true(count_kind(tokens[1], TOKEN_CHORD) > 0);
    assert_int_equal(count_kind(targets[1], TOKEN_CHORD), 0);
    for (int kind = TOKEN_EOS; kind < TOKEN_COUNT; kind++)
        assert_int_equal(count_kind(targets[0], (enum token)kind),
                         count_kind(targets[1], (enum token)kind));
}

/* Share of the draws that the pieces of a corpus have. */
static double drawn_share(const struct corpus *c, const char *name)
{
    double share = 0;
    for (int i = 0; i < c->n_pieces[CORPUS_TRAIN]; i++)
        if (&c->groups[c->pieces[CORPUS_TRAIN][i].group] == group(c, name))
            share += c->cumulative[i] - (i ? c->cumulative[i - 1] : 0);
    return share;
}

TEST(corpora_are_drawn_by_a_power)
{
    auto_corpus *c = open_all(NULL);
    double a = (double)group(c, "bach-chorales")->n_tokens[CORPUS_TRAIN];
    double b = (double)group(c, "unsplit")->n_tokens[CORPUS_TRAIN];
    for (int i = 0; i <= 4; i++) {
        double power = i / 4.0;
        corpus_weigh(c, power);
        assert_true(fabs(drawn_share(c, "bach-chorales") / drawn_share(c, "unsplit") -
                         pow(a / b, power)) < 1e-6);
    }
}

GROUP(make_corpora, remove_own_folder)
