/* Copies planted and found, and random music against a search that tries every
 * pair of places. */
#include "tests/check.h"
#include "app/evaluation/copied.h"
#include "model/decoder/sampler.h"
#include "tests/app/hand_piece.h"

static struct hand_piece asked, other, source, decoy;

static struct copied_run find(const struct piece *p, const struct piece *const *sources,
                              int n)
{
    struct copied *c = copied_create(p, 1);
    assert_non_null(c);
    for (int i = 0; i < n; i++)
        copied_read(c, sources[i], i);
    assert_true(copied_finish(c));
    struct copied_run run = copied_longest(c, 0);
    copied_destroy(c);
    return run;
}

static struct copied_run find_one(void)
{
    const struct piece *from = &source.piece;
    return find(&asked.piece, &from, 1);
}

/* Six notes of eight, a fourth higher, two bars later, on another track. */
TEST(test_a_transposed_copy)
{
    hand_begin(&asked, 4);
    hand_begin(&source, 4);
    hand_line(&source, 0, 0, (const int[]){60, 64, 62, 67, 65, 59, 60, 72}, 8);
    hand_line(&asked, 3, 192, (const int[]){50, 69, 67, 72, 70, 64, 65, 50}, 8);
    const struct piece *sources[] = {&decoy.piece, &source.piece};
    hand_begin(&decoy, 1);
    hand_line(&decoy, 0, 0, (const int[]){60, 64, 62, 61}, 4);
    struct copied_run run = find(&asked.piece, sources, 2);
    assert_int_equal(run.n_notes, 6);
    assert_int_equal(run.source, 1);
    assert_int_equal(run.track, 0);
    assert_int_equal(run.step, 6 * QUARTER);
}

TEST(test_durations_end_a_run)
{
    hand_begin(&asked, 4);
    hand_begin(&source, 4);
    hand_line(&source, 0, 0, (const int[]){60, 64, 62, 67, 65}, 5);
    hand_line(&asked, 0, 0, (const int[]){60, 64, 62, 67, 65}, 5);
    assert_int_equal(find_one().n_notes, 5);
    asked.notes[3].length = 12;
    assert_int_equal(find_one().n_notes, 3);
    asked.notes[0].length = 12;
    assert_int_equal(find_one().n_notes, 2);
    asked.notes[2].length = 12;
    assert_int_equal(find_one().n_notes, 0);
}

/* A run is of one track, and of one piece. */
TEST(test_runs_do_not_join)
{
    static const int LINE[] = {60, 64, 62, 67, 65, 59};
    hand_begin(&asked, 4);
    hand_begin(&source, 4);
    hand_begin(&decoy, 4);
    hand_line(&asked, 0, 0, LINE, 6);
    hand_line(&source, 0, 0, LINE, 3);
    hand_line(&source, 1, 3 * QUARTER, LINE + 3, 3);
    assert_int_equal(find_one().n_notes, 3);
    hand_line(&decoy, 0, 0, LINE + 2, 4);
    const struct piece *sources[] = {&source.piece, &decoy.piece};
    struct copied_run run = find(&asked.piece, sources, 2);
    assert_int_equal(run.n_notes, 4);
    assert_int_equal(run.source, 1);
}

/* Each piece is answered for itself, though one holds a longer copy of the
 * same notes than the other. */
TEST(test_pieces_are_told_apart)
{
    static const int LINE[] = {60, 64, 62, 67, 65, 59, 71};
    hand_begin(&decoy, 4);
    hand_begin(&asked, 4);
    hand_begin(&other, 4);
    hand_begin(&source, 4);
    hand_line(&asked, 0, 0, LINE, 7);
    hand_line(&other, 0, 0, LINE + 2, 4);
    hand_line(&source, 0, 0, LINE, 7);
    const struct piece pieces[] = {decoy.piece, asked.piece, other.piece};
    struct copied *c = copied_create(pieces, 3);
    copied_read(c, &source.piece, 0);
    assert_true(copied_finish(c));
    assert_int_equal(copied_longest(c, 0).n_notes, 0);
    assert_int_equal(copied_longest(c, 1).n_notes, 7);
    assert_int_equal(copied_longest(c, 2).n_notes, 4);
    copied_destroy(c);
}

TEST(test_of_nothing)
{
    struct copied *c = copied_create(NULL, 0);
    assert_non_null(c);
    hand_begin(&source, 1);
    hand_line(&source, 0, 0, (const int[]){60, 64, 62}, 3);
    copied_read(c, &source.piece, 0);
    assert_true(copied_finish(c));
    copied_destroy(c);
    hand_begin(&asked, 1);
    assert_int_equal(find_one().n_notes, 0);
    copied_destroy(NULL);
}

/* Few pitches and durations, so that long runs happen; several notes at once. */
static void random_piece(struct hand_piece *h, struct rng *r, int n)
{
    hand_begin(h, n);
    for (int i = 0; i < n; i++)
        h->notes[h->piece.n_notes++] = (struct grid_note){
            .step = (int32_t)(rng_next(r) % (uint32_t)(n * 96)) / 12 * 12,
            .length = rng_next(r) % 4 ? 24 : 12,
            .track = rng_next(r) % 2,
            .pitch = (uint8_t)(60 + 2 * (rng_next(r) % 3)),
        };
    piece_sort(&h->piece);
}

static int track_notes(const struct piece *p, int track, struct grid_note *notes)
{
    int n = 0;
    for (size_t i = 0; i < p->n_notes; i++)
        if (p->notes[i].track == track)
            notes[n++] = p->notes[i];
    return n;
}

static int run_from(const struct grid_note *a, int n_a, const struct grid_note *b,
                    int n_b)
{
    int n = 0;
    while (n < n_a && n < n_b && a[n].length == b[n].length &&
           (n == 0 || a[n].pitch - a[n - 1].pitch == b[n].pitch - b[n - 1].pitch))
        n++;
    return n;
}

static int longest_by_trying(const struct piece *p, const struct piece *q)
{
    static struct grid_note a[HAND_NOTES], b[HAND_NOTES];
    int longest = 0;
    for (int t = 0; t < 2; t++)
        for (int u = 0; u < 2; u++) {
            int n_a = track_notes(p, t, a), n_b = track_notes(q, u, b);
            for (int i = 0; i < n_a; i++)
                for (int j = 0; j < n_b; j++) {
                    int n = run_from(a + i, n_a - i, b + j, n_b - j);
                    longest = n > longest ? n : longest;
                }
        }
    return longest > 1 ? longest : 0;
}

TEST(test_against_trying_everything)
{
    struct rng r;
    rng_seed(&r, 5);
    for (int i = 0; i < 60; i++) {
        random_piece(&asked, &r, 40 + i);
        random_piece(&other, &r, 90 - i);
        random_piece(&source, &r, 120);
        random_piece(&decoy, &r, 80);
        const struct piece pieces[] = {asked.piece, other.piece};
        struct copied *c = copied_create(pieces, 2);
        copied_read(c, &source.piece, 0);
        copied_read(c, &decoy.piece, 1);
        assert_true(copied_finish(c));
        for (size_t k = 0; k < 2; k++) {
            int n[2] = {longest_by_trying(&pieces[k], &source.piece),
                        longest_by_trying(&pieces[k], &decoy.piece)};
            struct copied_run run = copied_longest(c, k);
            assert_int_equal(run.n_notes, n[0] > n[1] ? n[0] : n[1]);
            assert_int_equal(run.n_notes, n[run.source]);
        }
        copied_destroy(c);
    }
}
