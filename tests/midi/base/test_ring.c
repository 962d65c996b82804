/* The ring between two threads: order, fullness, and a stress run. */
#include "midi/base/ring.h"

#include "tests/check.h"

#include <pthread.h>
#include <sched.h>

enum { N_RECORDS = 50000 };

/* Larger than a word, so that a torn copy would show. */
struct record {
    uint32_t number;
    uint32_t copies[5];
};

static struct record make_record(uint32_t number)
{
    struct record r = {.number = number};
    for (uint32_t i = 0; i < 5; i++)
        r.copies[i] = number * (i + 3);
    return r;
}

TEST(test_impossible_sizes)
{
    assert_null(ring_create(0, 4));
    assert_null(ring_create(4, 0));
    assert_null(ring_create(SIZE_MAX / 8, 64));
    ring_destroy(NULL);
}

static void *write_all(void *ring)
{
    for (uint32_t i = 0; i < N_RECORDS; i++) {
        struct record r = make_record(i);
        while (!ring_push(ring, &r))
            sched_yield();
    }
    return NULL;
}

/* Every record arrives once, whole and in order. */
TEST(test_two_threads)
{
    struct ring *ring = ring_create(64, sizeof(struct record));
    pthread_t writer;
    assert_non_null(ring);
    assert_int_equal(pthread_create(&writer, NULL, write_all, ring), 0);
    for (uint32_t i = 0; i < N_RECORDS; i++) {
        struct record got, wanted = make_record(i);
        while (!ring_pop(ring, &got))
            sched_yield();
        assert_memory_equal(&got, &wanted, sizeof got);
    }
    pthread_join(writer, NULL);
    struct record extra;
    assert_false(ring_pop(ring, &extra));
    ring_destroy(ring);
}
