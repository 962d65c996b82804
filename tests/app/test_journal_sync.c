/* The journal's syncer beside its writer, at moments that the test chooses: fdatasync and
 * pwrite here stand before the system's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/journal.h"
#include "midi/bytes.h"

#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A call that stops on its way when it is told to, says so, and goes on when it may. */
struct gate {
    atomic_bool is_shut;
    sem_t came, may_go;
};

static struct gate sync_gate, write_gate;

static bool pass(struct gate *g)
{
    if (!atomic_exchange(&g->is_shut, false))
        return true;
    sem_post(&g->came);
    sem_wait(&g->may_go);
    return false;
}

/* One that was stopped fails. */
int fdatasync(int fd)
{
    if (pass(&sync_gate))
        return (int)syscall(SYS_fdatasync, fd);
    errno = EIO;
    return -1;
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
    pass(&write_gate);
    return syscall(SYS_pwrite64, fd, bytes, n, at);
}

static char folder[] = "/tmp/continuo-sync-XXXXXX", path[64];

static int set_up(void **state)
{
    struct journal *j = journal_create(-1);
    *state = j;
    return j && journal_begin(j, path, 0600) ? 0 : -1;
}

static int tear_down(void **state)
{
    journal_end(*state, true);
    journal_destroy(*state);
    unlink(path);
    return 0;
}

static void write_one(struct journal *j)
{
    struct bytes_out record = {0};
    bytes_put(&record, (const uint8_t *)"note", 4);
    journal_push(j, &record);
}

static void wait_for_writes(struct journal *j, uint64_t n)
{
    for (int i = 0; i < 2000 && journal_counts(j).n_writes < n; i++)
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    assert_int_equal(journal_counts(j).n_writes, n);
}

static int error_after_syncs(struct journal *j, uint64_t n)
{
    for (int i = 0; i < 2000 && journal_counts(j).n_syncs < n; i++)
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    return journal_error(j);
}

/* The disk lost something, while more was being written without complaint. */
static void a_failed_sync_is_told_whatever_is_written(void **state)
{
    struct journal *j = *state;
    atomic_store(&sync_gate.is_shut, true);
    write_one(j);
    sem_wait(&sync_gate.came);
    wait_for_writes(j, 1);
    atomic_store(&write_gate.is_shut, true);
    write_one(j);
    sem_wait(&write_gate.came);
    sem_post(&sync_gate.may_go);
    assert_int_equal(error_after_syncs(j, 1), EIO);
    sem_post(&write_gate.may_go);
    wait_for_writes(j, 2);
    assert_int_equal(journal_error(j), EIO);
}

/* Who is about to end asks in time whether what was done is kept. */
static void a_failed_sync_is_known_once_it_has_settled(void **state)
{
    struct journal *j = *state;
    atomic_store(&sync_gate.is_shut, true);
    sem_post(&sync_gate.may_go);
    write_one(j);
    journal_settle(j);
    assert_int_equal(journal_counts(j).n_writes, 1);
    assert_int_equal(journal_error(j), EIO);
    sem_wait(&sync_gate.came);
}

/* Nobody would sync it later: not after the program has ended, say. */
static void a_journal_that_stays_is_on_the_disk(void **state)
{
    struct journal *j = *state;
    write_one(j);
    journal_end(j, false);
    assert_int_equal(journal_counts(j).n_writes, 1);
    assert_int_equal(journal_counts(j).n_syncs, 1);
}

static void a_journal_that_is_lent_out_is_on_the_disk(void **state)
{
    struct journal *j = *state;
    size_t n;
    write_one(j);
    int fd = journal_release(j, &n);
    assert_true(fd >= 0);
    assert_int_equal(journal_counts(j).n_syncs, 1);
    close(fd);
}

static int make_folder(void **state)
{
    (void)state;
    struct gate *gates[] = {&sync_gate, &write_gate};
    for (int i = 0; i < 2; i++)
        if (sem_init(&gates[i]->came, 0, 0) || sem_init(&gates[i]->may_go, 0, 0))
            return -1;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/journal", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_failed_sync_is_told_whatever_is_written,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_failed_sync_is_known_once_it_has_settled,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_journal_that_stays_is_on_the_disk, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_journal_that_is_lent_out_is_on_the_disk,
                                        set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
