/* What places and times mean: buckets that tell near differences apart and keep their
 * sign, and turns of which only the difference is seen. */
#include "model/decoder/position.h"
#include "model/kernels/train_kernels.h"
#include "tests/check.h"

TEST(buckets_ascend_and_mirror)
{
    int last = -1;
    for (int64_t delta = -20000; delta <= 20000; delta++) {
        int row = position_time_bucket(delta);
        assert_true(row >= last && row <= last + 1 + (last < 0));
        assert_int_equal(row + position_time_bucket(-delta), MODEL_TIME_BUCKETS - 1);
        last = row;
    }
    assert_int_equal(position_time_bucket(-20000), 0);
    assert_int_equal(last, MODEL_TIME_BUCKETS - 1);
}

TEST(near_differences_have_a_row_each)
{
    for (int delta = -48; delta < 48; delta++)
        assert_int_equal(position_time_bucket(delta) + 1,
                         position_time_bucket(delta + 1));
    assert_int_equal(position_time_bucket(49), position_time_bucket(50));
}

TEST(the_table_is_the_function)
{
    const uint8_t *rows = position_time_rows();
    const int64_t far[] = {INT64_MIN / 2, -POSITION_FAR - 1, POSITION_FAR + 1,
                           INT64_MAX / 2};
    for (int64_t delta = -POSITION_FAR; delta <= POSITION_FAR; delta++)
        assert_int_equal(position_time_row(rows, delta), position_time_bucket(delta));
    for (int i = 0; i < 4; i++)
        assert_int_equal(position_time_row(rows, far[i]), far[i] < 0 ? 0 : 192);
}

enum { WIDTH = 12 };

static double turned_dot(const struct model_config *c, int i, int32_t m, int j,
                         int32_t n)
{
    float q[WIDTH], k[WIDTH], turns[WIDTH];
    double sum = 0;
    for (int x = 0; x < WIDTH; x++) {
        q[x] = sinf((float)x + 1);
        k[x] = cosf((float)x * 2);
    }
    position_set_rotation(turns, c, i, m);
    position_rotate(q, turns, WIDTH);
    position_set_rotation(turns, c, j, n);
    position_rotate(k, turns, WIDTH);
    for (int x = 0; x < WIDTH; x++)
        sum += (double)q[x] * (double)k[x];
    return sum;
}

static struct model_config turning(enum model_relative relative, enum model_time time)
{
    return (struct model_config){
        .d_model = 2 * WIDTH, .n_heads = 2, .relative = relative, .time = time};
}

TEST(only_differences_are_seen)
{
    struct model_config c = turning(RELATIVE_ROTARY, TIME_ROTARY);
    double far = turned_dot(&c, 9, 70, 4, 10);
    assert_true(fabs(far - turned_dot(&c, 109, 370, 104, 310)) < 1e-4);
    assert_true(fabs(far - turned_dot(&c, 10, 70, 4, 10)) > 1e-3);
    assert_true(fabs(far - turned_dot(&c, 9, 71, 4, 10)) > 1e-3);
}

TEST(each_turns_by_its_own)
{
    struct model_config index = turning(RELATIVE_ROTARY, TIME_NONE);
    struct model_config time = turning(RELATIVE_NONE, TIME_ROTARY);
    assert_true(turned_dot(&index, 5, 1, 2, 9) == turned_dot(&index, 5, 3, 2, 4));
    assert_true(turned_dot(&time, 5, 8, 2, 9) == turned_dot(&time, 1, 8, 7, 9));
}
