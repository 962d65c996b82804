/* See journal_threads.h. */
#include "app/journal_threads.h"

#include "app/journal_file.h"
#include "midi/smf.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { SYNC_MS = 1000 };

struct timespec journal_after_ms(int ms)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += ms / 1000;
    t.tv_nsec += ms % 1000 * 1000000L;
    if (t.tv_nsec >= 1000000000L) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000L;
    }
    return t;
}

/* -- the writer -- */

static void wake(struct journal *j)
{
    pthread_cond_broadcast(&j->done);
    if (j->asked && j->wake_fd >= 0 && write(j->wake_fd, "j", 1) < 0)
        j->asked = true; /* a full pipe wakes as well */
    j->asked = false;
}

/* What could not be written goes before what has come since. */
static void put_back(struct journal *j, struct bytes_out *batch)
{
    bytes_put(batch, j->waiting.bytes, j->waiting.n);
    free(j->waiting.bytes);
    j->waiting = *batch;
}

/* Without the lock: nobody else touches path, mode and fd while `writing`. */
static int write_out(struct journal *j, int *fd, const struct bytes_out *batch)
{
    if (*fd < 0)
        *fd = journal_file_create(j->path, j->mode);
    if (*fd < 0)
        return errno;
    return journal_file_write(*fd, batch->bytes, batch->n, (off_t)j->n) ? 0 : errno;
}

static void write_batch(struct journal *j)
{
    struct bytes_out batch = j->waiting;
    int fd = j->fd;
    j->waiting = (struct bytes_out){0};
    j->writing = true;
    pthread_mutex_unlock(&j->lock);
    int error = batch.failed ? ENOMEM : write_out(j, &fd, &batch);
    pthread_mutex_lock(&j->lock);
    j->writing = false;
    j->fd = fd;
    if (error) {
        j->error = error;
        put_back(j, &batch);
    } else {
        j->n += batch.n;
        j->counts.n_bytes += batch.n;
        j->counts.n_writes++;
        journal_ask_sync(j);
        free(batch.bytes);
    }
    wake(j);
}

void *journal_write_records(void *journal)
{
    struct journal *j = journal;
    pthread_mutex_lock(&j->lock);
    while (!j->quitting) {
        if (j->path && (j->waiting.n || j->waiting.failed) && !j->error)
            write_batch(j);
        else
            pthread_cond_wait(&j->work, &j->lock);
    }
    pthread_mutex_unlock(&j->lock);
    return NULL;
}

/* -- the syncer -- */

static int sync_content(int fd)
{
    int failed;
    do {
        failed = fdatasync(fd);
    } while (failed && errno == EINTR);
    return failed ? errno : 0;
}

/* A new file lasts once its folder is on the disk, too. */
static void sync_file(struct journal *j)
{
    int fd = j->fd;
    bool is_named = j->is_named;
    j->unsynced = false;
    j->syncing = true;
    pthread_mutex_unlock(&j->lock);
    int failed = fd >= 0 ? sync_content(fd) : 0;
    if (fd >= 0 && !is_named)
        smf_file_sync_folder(j->path);
    pthread_mutex_lock(&j->lock);
    j->syncing = false;
    j->is_named = fd >= 0;
    j->counts.n_syncs++;
    if (failed && failed != EINVAL)
        j->error = failed;
    pthread_cond_broadcast(&j->done);
}

void journal_ask_sync(struct journal *j)
{
    if (!j->unsynced)
        j->sync_due = journal_after_ms(SYNC_MS);
    j->unsynced = true;
    pthread_cond_signal(&j->old);
}

static void do_lent(struct journal *j)
{
    void (*work)(void *) = j->lent;
    void *with = j->lent_with;
    pthread_mutex_unlock(&j->lock);
    work(with);
    pthread_mutex_lock(&j->lock);
    j->lent = NULL;
    pthread_cond_broadcast(&j->done);
    if (j->wake_fd >= 0 && write(j->wake_fd, "j", 1) < 0)
        j->lent_with = NULL; /* a full pipe wakes as well */
}

void *journal_sync_records(void *journal)
{
    struct journal *j = journal;
    pthread_mutex_lock(&j->lock);
    while (!j->quitting) {
        if (j->lent)
            do_lent(j);
        else if (!j->unsynced)
            pthread_cond_wait(&j->old, &j->lock);
        else if (pthread_cond_timedwait(&j->old, &j->lock, &j->sync_due) == ETIMEDOUT &&
                 j->unsynced)
            sync_file(j);
    }
    pthread_mutex_unlock(&j->lock);
    return NULL;
}
