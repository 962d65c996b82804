/* Maps of attention, columns of it, and what is promised of watching: no maximum is lost,
 * no bit depends on what is asked, and what is not there is refused. */
#include "tests/check.h"
#include "tests/model/decoder/attention_fixture.h"

#include <limits.h>

static void set_edges(int *edges, int n, int from, int to)
{
    for (int i = 0; i <= n; i++)
        edges[i] = from + (to - from) * i / n;
}

static float highest_of(const float *weights, int from, int to, int left, int right)
{
    float high = 0;
    for (int r = from; r < to; r++)
        for (int c = left; c < right; c++)
            high = fmaxf(high, weights[(size_t)r * LD + (size_t)c]);
    return high;
}

static void compare_pooled(const struct fixture *b, struct attention_head h, int n_rows,
                           int n_columns)
{
    int rows[READ + 2], columns[SOURCE + 2], n_keys = attention_n_keys(b->decoder, h);
    auto_free float *cells = calloc((size_t)n_rows * (size_t)n_columns, sizeof *cells);
    auto_free float *weights = all_rows(b->decoder, h, READ);
    set_edges(rows, n_rows, n_rows % 7, READ - n_columns % 5);
    set_edges(columns, n_columns, n_columns % 3, n_keys);
    assert_ok(attention_pool(b->decoder, h, rows, n_rows, columns, n_columns, cells));
    for (int r = 0; r < n_rows; r++)
        for (int c = 0; c < n_columns; c++)
            assert_true(cells[r * n_columns + c] == highest_of(weights, rows[r],
                                                               rows[r + 1], columns[c],
                                                               columns[c + 1]));
}

static void compare_columns(const struct fixture *b, struct attention_head h, int key)
{
    float mass[READ], *weights = all_rows(b->decoder, h, READ);
    assert_ok(attention_column(b->decoder, h, key, key + 9, 20, READ - 20, mass));
    for (int query = 20; query < READ; query++) {
        double sum = 0;
        for (int k = key; k < key + 9; k++)
            sum += (double)weights[(size_t)query * LD + (size_t)k];
        assert_true(fabs(sum - (double)mass[query - 20]) < 1e-6);
    }
    free(weights);
}

TEST(pooling_keeps_every_maximum)
{
    FOR_VARIANTS(v, b, 2, F32)
    {
        struct attention_head h;
        decoder_keep_queries(b.decoder, true);
        read_at_once(&b, b.decoder, 0, READ, false, NULL);
        for (int i = 0; nth_head(&b, i, &h); i++) {
            compare_pooled(&b, h, 1, 1);
            compare_pooled(&b, h, 13, 29);
            compare_pooled(&b, h, READ, 64);
            compare_columns(&b, h, 17 + i);
        }
    }
}

/* The last rows alone, and by other threads. */
TEST(bits_do_not_depend_on_threads_or_what_is_asked)
{
    FOR_VARIANTS(v, one, 1, F32)
    {
        struct attention_head h;
        float part[7 * LD];
        auto_fixture many = set_up(&VARIANTS[v].config, 3);
        decoder_keep_queries(one.decoder, true);
        decoder_keep_queries(many.decoder, true);
        read_at_once(&one, one.decoder, 0, READ, false, NULL);
        read_at_once(&one, many.decoder, 0, READ, false, NULL);
        for (int i = 0; nth_head(&one, i, &h); i++) {
            size_t n_keys = (size_t)attention_n_keys(one.decoder, h);
            auto_free float *a = all_rows(one.decoder, h, READ),
                            *b = all_rows(many.decoder, h, READ);
            assert_memory_equal(a, b, (size_t)READ * LD * sizeof *a);
            attention_rows(many.decoder, h, READ - 7, 7, part, LD);
            for (int r = 0; r < 7; r++)
                assert_memory_equal(part + r * LD, a + (size_t)(READ - 7 + r) * LD,
                                    n_keys * sizeof *a);
        }
    }
}

TEST(what_was_not_watched_is_not_known)
{
    const struct attention_head h = {ATTENTION_SELF, 1, 1};
    const int edges[] = {0, 40};
    float row[LD];
    auto_fixture b = set_up(&VARIANTS[1].config, 1);
    read_at_once(&b, b.decoder, 0, 40, false, NULL);
    assert_int_equal(attention_rows(b.decoder, h, 0, 1, row, LD), MODEL_NO_QUERIES);
    decoder_keep_queries(b.decoder, true);
    read_in_steps(&b, b.decoder, 40, 42, NULL);
    assert_int_equal(attention_rows(b.decoder, h, 39, 1, row, LD), MODEL_NO_QUERIES);
    assert_int_equal(attention_pool(b.decoder, h, edges, 1, edges, 1, row),
                     MODEL_NO_QUERIES);
    assert_ok(attention_rows(b.decoder, h, 40, 2, row, LD / 2));
    decoder_truncate(b.decoder, 30);
    read_in_steps(&b, b.decoder, 30, 41, NULL);
    assert_ok(attention_rows(b.decoder, h, 30, 1, row, LD));
    assert_int_equal(attention_column(b.decoder, h, 0, 9, 29, 2, row),
                     MODEL_NO_QUERIES);
    /* A copy of what nobody watched is not known either, whatever was there before. */
    struct decoder *copy = make_decoder(&b);
    decoder_keep_queries(copy, true);
    read_at_once(&b, copy, 0, 50, false, NULL);
    decoder_copy(copy, b.decoder, 41);
    assert_int_equal(attention_rows(copy, h, 29, 1, row, LD), MODEL_NO_QUERIES);
    assert_ok(attention_rows(copy, h, 30, 1, row, LD));
    decoder_keep_queries(b.decoder, false);
    assert_int_equal(attention_rows(b.decoder, h, 40, 1, row, LD), MODEL_NO_QUERIES);
}

TEST(what_is_not_there_is_refused)
{
    static const struct attention_head WRONG[] = {
        {ATTENTION_SELF, -1, 0}, {ATTENTION_SELF, LAYERS, 0},
        {ATTENTION_SELF, 0, -1}, {ATTENTION_SELF, 0, HEADS},
        {ATTENTION_CROSS, 0, 0},
    };
    const struct attention_head right = {ATTENTION_SELF, 0, 0};
    const int edges[] = {0, 10, 20}, bad[][3] = {{0, 10, 9}, {0, 10, 21}, {-1, 10, 20}};
    float cells[4], row[LD];
    auto_fixture b = set_up(&VARIANTS[0].config, 1);
    decoder_keep_queries(b.decoder, true);
    read_at_once(&b, b.decoder, 0, 20, false, NULL);
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        assert_int_equal(attention_rows(b.decoder, WRONG[i], 0, 1, row, LD),
                         MODEL_NO_HEAD);
        assert_int_equal(decoder_mute_heads(b.decoder, &WRONG[i], 1), MODEL_NO_HEAD);
        assert_int_equal(attention_n_keys(b.decoder, WRONG[i]), 0);
    }
    assert_int_equal(attention_rows(b.decoder, right, 20, 1, row, LD), MODEL_NO_HEAD);
    assert_int_equal(attention_rows(b.decoder, right, -1, 1, row, LD), MODEL_NO_HEAD);
    assert_int_equal(attention_rows(b.decoder, right, 1, INT_MAX, row, LD),
                     MODEL_NO_HEAD);
    assert_int_equal(attention_rows(b.decoder, right, 1, -1, row, LD), MODEL_NO_HEAD);
    assert_int_equal(attention_scores(b.decoder, right, INT_MAX, row, row, row),
                     MODEL_NO_HEAD);
    assert_ok(attention_rows(b.decoder, right, 20, 0, row, LD));
    assert_int_equal(attention_column(b.decoder, right, 15, 21, 0, 20, row),
                     MODEL_NO_HEAD);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(attention_pool(b.decoder, right, bad[i], 2, edges, 2, cells),
                         MODEL_NO_HEAD);
        assert_int_equal(attention_pool(b.decoder, right, edges, 2, bad[i], 2, cells),
                         MODEL_NO_HEAD);
    }
}
