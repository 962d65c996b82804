/* What times mean: buckets that tell near differences apart and keep their sign. Turns by place
 * and time are seen in test_decoder.c, whose reference has its own. */
#include "model/decoder/position.h"
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
