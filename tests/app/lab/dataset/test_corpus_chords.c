/* Chords in training windows: said in a share of them, learnt only where nobody gives
 * them; and how often each corpus is drawn. */
#include "tests/check.h"
#include "tests/app/lab/dataset/corpus_folder.h"

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

/* Those around are not learnt; those that fill it, in about half of the holes, are. */
TEST(chords_around_a_hole_are_given)
{
    auto_corpus *c = open_all(NULL);
    int32_t tokens[LENGTH], targets[LENGTH];
    int n_said = 0, n_learnt = 0;
    for (int step = 0; step < 50; step++) {
        draw_row(c, (struct corpus_shares){1, 1}, step, 0, tokens, targets);
        for (int from = 0, to; from < LENGTH; from = to) {
            to = sequence_end(tokens, from);
            bool is_hole = has_hole(tokens, from, to);
            if (is_hole)
                check_hole(tokens, targets, from, to);
            bool is_asked = false;
            for (int i = from; is_hole && i < to - 1; i++) {
                is_asked = is_asked || tokens[i] == TOKEN_FILL;
                if (token_kind(tokens[i + 1]) == TOKEN_CHORD) {
                    assert_int_equal(targets[i], is_asked ? tokens[i + 1] : -1);
                    n_said += !is_asked;
                    n_learnt += is_asked;
                }
            }
        }
    }
    assert_true(n_said > 30);
    assert_in_range(n_learnt, n_said / 8, n_said);
}

/* The same notes are measured over given chords as without, in a piece that fits. */
TEST(given_chords_are_not_measured)
{
    auto_corpus *c = open_all("unsplit");
    int32_t tokens[2][LENGTH], targets[2][LENGTH];
    assert_ok(fixed_row(c, CORPUS_VALID, CORPUS_PLAIN, 0, 4, tokens[0], targets[0]));
    assert_ok(fixed_row(c, CORPUS_VALID, CORPUS_CHORDS, 0, 4, tokens[1], targets[1]));
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
    const double *cumulative = c->lengths[0].cumulative;
    double share = 0;
    for (int i = 0; i < c->n_pieces[CORPUS_TRAIN]; i++)
        if (&c->groups[c->pieces[CORPUS_TRAIN][i].group] == group(c, name))
            share += cumulative[i] - (i ? cumulative[i - 1] : 0);
    return share;
}

TEST(corpora_are_drawn_by_a_power)
{
    auto_corpus *c = open_all(NULL);
    double a = (double)group(c, "bach-chorales")->n_tokens[CORPUS_TRAIN];
    double b = (double)group(c, "unsplit")->n_tokens[CORPUS_TRAIN];
    for (int i = 0; i <= 4; i++) {
        double power = i / 4.0;
        assert_ok(corpus_mix(c, &(struct corpus_mixture){.power = power}));
        assert_true(fabs(drawn_share(c, "bach-chorales") / drawn_share(c, "unsplit") -
                         pow(a / b, power)) < 1e-6);
    }
}

/* A part has its share whatever its size; the first part that names a corpus counts; one without
 * music leaves its share to the others. */
TEST(parts_of_a_mixture_have_their_share)
{
    auto_corpus *c = open_all(NULL);
    struct corpus_mixture m = {.power = 0.5};
    put_text("parts", "# a remark\n\n0.2 none-*\n0.2 bach-* other\n0.5 b*  # later\n");
    assert_int_equal(mixture_read_parts(&m, in_folder("parts")), 0);
    assert_int_equal(m.n_parts, 3);
    assert_ok(corpus_mix(c, &m));
    /* 0.2 and, of no part, 0.1 */
    assert_true(fabs(drawn_share(c, "bach-chorales") - 2.0 / 3) < 1e-9);
    put_text("parts", "1 none-*\n");
    assert_int_equal(mixture_read_parts(&m, in_folder("parts")), 0);
    assert_ok(corpus_mix(c, &m)); /* all for music that is not there */
    assert_true(drawn_share(c, "bach-chorales") > 0.1);
    const char *const wrong[] = {"0.1 a\nshare b\n", "0.1 a\n0.2\n", "0.1 a\n-0.1 b\n",
                                 "0.6 a\n0.5 b\n", "0.1 a\nnan b\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        put_text("parts", wrong[i]);
        assert_int_equal(mixture_read_parts(&m, in_folder("parts")), 2);
    }
    assert_int_equal(mixture_read_parts(&m, in_folder("nothing")), -1);
}

/* Forty bars of one piece take more than 300 tokens, all else less: so half of that piece is
 * drawn in rows of 600, and nothing else. */
TEST(dense_music_is_drawn_in_long_rows)
{
    auto_corpus *c = open_all(NULL);
    int n_long = 0;
    assert_ok(corpus_mix(c, &(struct corpus_mixture){.power = 1,
                                                     .longest = 2 * LENGTH,
                                                     .shortest = LENGTH}));
    assert_int_equal(c->n_lengths, 2);
    const struct corpus_length *all = c->lengths;
    double seen[2] = {0}, share[2] = {all[0].share, 1 - all[0].share};
    for (int i = 0; i < c->n_pieces[CORPUS_TRAIN]; i++)
        for (int k = 0; k < 2; k++) {
            const double *to = all[k].cumulative;
            const bool is_dense = c->pieces[CORPUS_TRAIN][i].piece.n_bars == 40;
            seen[k] += is_dense ? share[k] * (to[i] - (i ? to[i - 1] : 0)) : 0;
            assert_true(is_dense || k || to[i] - (i ? to[i - 1] : 0) < 1e-12);
        }
    assert_true(seen[0] > 0.1 && fabs(seen[0] - seen[1]) < 1e-9);
    for (uint64_t step = 0; step < 1000; step++) {
        const int length = corpus_row_length(c, 1, step);
        assert_true(length == LENGTH || length == 2 * LENGTH);
        n_long += length > LENGTH;
    }
    assert_in_range(n_long, 1000 * share[0] - 50, 1000 * share[0] + 50);
}

GROUP(make_corpora, remove_own_folder)
