/* See journal.h: what the ui thread does with the journal. */
#include "app/journal_threads.h"

#include "app/journal_file.h"
#include "midi/thread.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { END_MS = 3000 };

static void init_condition(pthread_cond_t *c)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(c, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void stop(struct journal *j)
{
    pthread_mutex_lock(&j->lock);
    j->quitting = true;
    pthread_cond_broadcast(&j->work);
    pthread_cond_broadcast(&j->old);
    pthread_mutex_unlock(&j->lock);
}

static void dismantle(struct journal *j)
{
    pthread_cond_destroy(&j->work);
    pthread_cond_destroy(&j->done);
    pthread_cond_destroy(&j->old);
    pthread_mutex_destroy(&j->lock);
    free(j);
}

struct journal *journal_create(int wake_fd)
{
    struct journal *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    j->wake_fd = wake_fd;
    j->fd = -1;
    pthread_mutex_init(&j->lock, NULL);
    init_condition(&j->work);
    init_condition(&j->done);
    init_condition(&j->old);
    bool has_writer = thread_start(&j->writer, journal_write_records, j);
    if (has_writer && thread_start(&j->syncer, journal_sync_records, j))
        return j;
    if (has_writer) {
        stop(j);
        pthread_join(j->writer, NULL);
    }
    dismantle(j);
    return NULL;
}

void journal_destroy(struct journal *j)
{
    if (!j)
        return;
    journal_end(j, false);
    journal_wait_until_free(j);
    stop(j);
    pthread_join(j->writer, NULL);
    pthread_join(j->syncer, NULL);
    dismantle(j);
}

/* -- pieces -- */

bool journal_resume(struct journal *j, const char *path, int fd, size_t n)
{
    char *copy = strdup(path);
    if (!copy) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    pthread_mutex_lock(&j->lock);
    j->path = copy;
    j->fd = fd;
    j->n = n;
    j->is_named = false; /* for all we know */
    j->error = 0;
    pthread_mutex_unlock(&j->lock);
    return true;
}

bool journal_begin(struct journal *j, const char *path, mode_t mode)
{
    j->mode = mode; /* nobody looks at it while there is no piece */
    return journal_resume(j, path, -1, 0);
}

static bool is_kept_up(const struct journal *j)
{
    return j->error || !j->path || (!j->waiting.n && !j->waiting.failed && !j->writing);
}

/* With the lock. */
static bool wait_until_written(struct journal *j, int most_ms)
{
    struct timespec due = journal_after_ms(most_ms);
    while (!is_kept_up(j))
        if (pthread_cond_timedwait(&j->done, &j->lock, &due))
            break;
    return is_kept_up(j);
}

/* With the lock. What is left behind is on the disk: nobody would see to that later. */
static void sync_now(struct journal *j)
{
    struct timespec due = journal_after_ms(END_MS);
    j->sync_due = journal_after_ms(0);
    pthread_cond_signal(&j->old);
    while (j->unsynced || j->syncing)
        if (pthread_cond_timedwait(&j->done, &j->lock, &due))
            break;
}

/* Neither thread has the file. Without end: they are in the middle of it. */
static void wait_for_threads(struct journal *j)
{
    while (j->writing || j->syncing)
        pthread_cond_wait(&j->done, &j->lock);
}

static void forget(struct journal *j)
{
    free(j->path);
    free(j->waiting.bytes);
    j->path = NULL;
    j->waiting = (struct bytes_out){0};
    j->fd = -1;
    j->n = 0;
    j->error = 0;
    j->unsynced = false;
}

void journal_end(struct journal *j, bool remove)
{
    pthread_mutex_lock(&j->lock);
    wait_until_written(j, END_MS);
    if (!remove)
        sync_now(j);
    wait_for_threads(j);
    if (j->path && j->fd >= 0 && remove)
        unlink(j->path);
    if (j->fd >= 0)
        close(j->fd);
    forget(j);
    pthread_mutex_unlock(&j->lock);
}

int journal_release(struct journal *j, size_t *n)
{
    pthread_mutex_lock(&j->lock);
    wait_until_written(j, END_MS);
    sync_now(j);
    wait_for_threads(j);
    int fd = j->fd;
    *n = j->n;
    forget(j);
    pthread_mutex_unlock(&j->lock);
    return fd;
}

void journal_push(struct journal *j, struct bytes_out *record)
{
    pthread_mutex_lock(&j->lock);
    if (j->path && !j->waiting.n && !j->waiting.failed && !record->failed) {
        free(j->waiting.bytes);
        j->waiting = *record;
        *record = (struct bytes_out){0};
    } else if (j->path) {
        bytes_put(&j->waiting, record->bytes, record->n);
        j->waiting.failed |= record->failed;
    }
    pthread_cond_signal(&j->work);
    pthread_mutex_unlock(&j->lock);
    free(record->bytes);
    *record = (struct bytes_out){0};
}

bool journal_keeps_up(struct journal *j)
{
    pthread_mutex_lock(&j->lock);
    bool keeps_up = is_kept_up(j);
    j->asked |= !keeps_up;
    pthread_mutex_unlock(&j->lock);
    return keeps_up;
}

bool journal_wait(struct journal *j, int most_ms)
{
    pthread_mutex_lock(&j->lock);
    bool keeps_up = wait_until_written(j, most_ms);
    pthread_mutex_unlock(&j->lock);
    return keeps_up;
}

void journal_settle(struct journal *j)
{
    pthread_mutex_lock(&j->lock);
    wait_until_written(j, END_MS);
    sync_now(j);
    pthread_mutex_unlock(&j->lock);
}

int journal_error(struct journal *j)
{
    pthread_mutex_lock(&j->lock);
    int error = j->error;
    pthread_mutex_unlock(&j->lock);
    return error;
}

void journal_retry(struct journal *j)
{
    pthread_mutex_lock(&j->lock);
    j->error = 0;
    pthread_cond_signal(&j->work);
    pthread_mutex_unlock(&j->lock);
}

struct journal_counts journal_counts(struct journal *j)
{
    pthread_mutex_lock(&j->lock);
    struct journal_counts counts = j->counts;
    pthread_mutex_unlock(&j->lock);
    return counts;
}

/* -- lending -- */

bool journal_lend(struct journal *j, void (*work)(void *), void *with)
{
    pthread_mutex_lock(&j->lock);
    bool is_free = !j->lent;
    if (is_free) {
        j->lent = work;
        j->lent_with = with;
        pthread_cond_signal(&j->old);
    }
    pthread_mutex_unlock(&j->lock);
    return is_free;
}

bool journal_is_free(struct journal *j)
{
    pthread_mutex_lock(&j->lock);
    bool is_free = !j->lent;
    pthread_mutex_unlock(&j->lock);
    return is_free;
}

void journal_wait_until_free(struct journal *j)
{
    pthread_mutex_lock(&j->lock);
    while (j->lent)
        pthread_cond_wait(&j->done, &j->lock);
    pthread_mutex_unlock(&j->lock);
}

/* -- moving -- */

static void leave_old(struct journal *j, const struct bytes_out *farewell, bool remove)
{
    if (j->fd < 0)
        return;
    if (remove)
        unlink(j->path);
    else if (!journal_file_write(j->fd, farewell->bytes, farewell->n, (off_t)j->n))
        errno = 0; /* it tells of edits that are elsewhere now, which loses nothing */
    close(j->fd);
}

/* With the lock, and the file nobody's. What waits goes on in the new one. */
static bool move(struct journal *j, const char *path, mode_t mode,
                 const struct bytes_out *farewell, bool remove)
{
    char *copy = strdup(path);
    int fd = copy && j->fd >= 0 ? journal_file_create(path, mode) : -1;
    bool ok = copy && (j->fd < 0 || (fd >= 0 && journal_file_copy(fd, j->fd, j->n)));
    if (!ok) {
        int why = errno;
        if (fd >= 0) {
            unlink(path);
            close(fd);
        }
        free(copy);
        errno = why;
        return false;
    }
    leave_old(j, farewell, remove);
    free(j->path);
    j->path = copy;
    j->mode = mode;
    j->fd = fd;
    j->is_named = false;
    j->error = 0;
    j->unsynced = false;
    if (fd >= 0)
        journal_ask_sync(j);
    pthread_cond_signal(&j->work);
    return true;
}

bool journal_move(struct journal *j, const char *path, mode_t mode,
                  const struct bytes_out *farewell, bool remove)
{
    pthread_mutex_lock(&j->lock);
    wait_until_written(j, END_MS);
    wait_for_threads(j);
    bool ok = move(j, path, mode, farewell, remove);
    pthread_mutex_unlock(&j->lock);
    return ok;
}
