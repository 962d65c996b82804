/* How many bytes small things cost on the screen: bounds, which grow with the screen's
 * edges and not with its area, and nothing for a frame in which nothing happened. */
#include "tests/check.h"
#include "app/benchmark/bench.h"
#include "app/base/paths.h"
#include "midi/smf/smf.h"

#include <stdlib.h>

static struct score *open_example(void)
{
    char path[4096];
    struct score *s = NULL;
    setenv("CONTINUO_HOME", ".", 0);
    assert_true(paths_find(path, sizeof path, PATHS_EXAMPLE));
    assert_ok(smf_load(&s, path, NULL));
    return s;
}

TEST(test_small_things_are_small)
{
    struct score *s = open_example();
    for (int large = 0; large <= 1; large++)
        for (int depth = DEPTH_MONO; depth <= DEPTH_TRUE; depth++) {
            struct bytes b = {.columns = large ? 200 : 80,
                              .rows = large ? 50 : 24,
                              .depth = (enum depth)depth};
            const size_t edge = (size_t)(large ? 50 : 24), area = 80 * 24;
            assert_true(bytes_measure(&b, s));
            assert_int_equal(b.n[BYTES_IDLE], 0);
            assert_in_range(b.n[BYTES_RIGHT], 1, 42 * edge);
            assert_in_range(b.n[BYTES_UP], 1, 48 * edge);
            assert_in_range(b.n[BYTES_PLAYHEAD], 1, 64 * edge);
            assert_in_range(b.n[BYTES_GHOST], 1, 240);
            assert_in_range(b.n[BYTES_WHOLE], 1, area * (large ? 24 : 7));
            assert_true(b.n[BYTES_COLUMN] < b.n[BYTES_WHOLE]);
            assert_true(b.n[BYTES_ROW] < b.n[BYTES_WHOLE]);
        }
    score_destroy(s);
}
