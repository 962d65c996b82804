/* Both ways give the same logits, and the memory the papers say. */
#include "model/decoder/relative_forms.h"
#include "tests/check.h"

TEST(both_ways_agree)
{
    struct relative_shape s = {.length = 37, .n_heads = 3, .width = 24};
    enum { N = 37, HEADS = 3, WIDTH = 8 };
    static float q[HEADS][N][WIDTH], e[HEADS][N][WIDTH];
    static float direct[HEADS][N][N], skewed[HEADS][N][N];
    for (int i = 0; i < HEADS * N * WIDTH; i++) {
        (&q[0][0][0])[i] = sinf((float)i * 1.7f);
        (&e[0][0][0])[i] = cosf((float)i * 2.3f);
    }
    auto_free float *r = malloc(relative_direct_bytes(&s));
    relative_direct(&s, &q[0][0][0], &e[0][0][0], r, &direct[0][0][0]);
    relative_skewed(&s, &q[0][0][0], &e[0][0][0], &skewed[0][0][0]);
    for (int h = 0; h < HEADS; h++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j <= i; j++) {
                double wanted = 0;
                for (int k = 0; k < WIDTH; k++)
                    wanted += (double)q[h][i][k] * (double)e[h][N - 1 - (i - j)][k];
                assert_true(fabs((double)direct[h][i][j] - wanted) < 1e-5);
                assert_true(fabs((double)skewed[h][i][j] - wanted) < 1e-5);
            }
}

/* Huang et al. 2018, table 1: 8.5 GB and 4.2 MB at L = 2048, D = 512. */
TEST(memory_is_what_was_published)
{
    struct relative_shape s = {.length = 2048, .n_heads = 8, .width = 512};
    assert_int_equal(relative_direct_bytes(&s), 8589934592);
    assert_int_equal(relative_skewed_bytes(&s), 4194304);
}
