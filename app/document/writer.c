/* See writer.h. One lock guards all fields; no thread holds it while it waits for a disk. While
 * `writing`, only the writing thread uses the stores. While `syncing`, the syncing thread uses the
 * store's files. At other times the thread that holds the lock may use both. */
#include "app/document/writer.h"

#include "midi/base/thread.h"
#include "midi/base/file.h"
#include "midi/base/clock.h"

#include <errno.h>
#include <glib.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SYNC_MS = 1000, END_MS = 3000 };

/* Jobs of one turn are written in one transaction. The piece comes first, then the session, which may be
 * large, and last the state folder, since its store may wait for another program. */
enum turn { TURN_PIECE, TURN_SESSION, TURN_STATE, TURNS };

/* Jobs in the order in which they were pushed. */
struct queue {
    struct job *first, **last;
};

struct writer {
    pthread_t threads[2]; /* the writing and the syncing thread */
    int wake_fd;

    pthread_mutex_t lock;   /* guards all below */
    pthread_cond_t changed; /* signals any change of the fields below */
    bool quitting;
    struct store *store; /* of the piece; NULL: none */
    struct store *state; /* the writing thread's; made for the first job of JOB_STATE */
    struct queue waiting[TURNS];
    struct job *running; /* jobs that are being written */
    bool is_short; /* there was no memory for a job: later jobs cannot be written */
    bool writing, syncing;
    bool is_named;            /* the folder's entry of the file is on the disk */
    bool unsynced;            /* something is written that is not on the disk */
    struct timespec sync_due; /* when it is synced */
    bool asked;               /* the ui waits to be woken */
    int error;
    uint64_t n_jobs, n_syncs; /* jobs written and syncs done since the start */
    char *path;               /* the file to compare with `seen`; NULL: none */
    struct file_seen seen;
    enum file_news news;
    bool is_comparing, has_news; /* the comparison or its result is still wanted */
};

static void free_job(struct job *j)
{
    if (j->free)
        j->free(j->of);
    free(j);
}

static void free_jobs(struct job *list)
{
    for (struct job *next; list; list = next) {
        next = list->next;
        free_job(list);
    }
}

static void empty_queue(struct queue *q)
{
    *q = (struct queue){.last = &q->first};
}

static void wake(struct writer *w)
{
    pthread_cond_broadcast(&w->changed);
    if (w->asked && w->wake_fd >= 0 && write(w->wake_fd, "j", 1) < 0)
        w->asked = true; /* the pipe is full, which wakes the ui as well */
    w->asked = false;
}

static enum turn turn_of(const struct job *j)
{
    return j->kind == JOB_STATE     ? TURN_STATE
           : j->kind == JOB_SESSION ? TURN_SESSION
                                    : TURN_PIECE;
}

/* Runs the jobs in one transaction. Returns a status. */
static int run_jobs(struct store *s, const struct job *j, uint64_t *n_run)
{
    int status = STORE_OK;
    for (; j && !status; j = j->next) {
        if (!j->run)
            continue;
        if (!*n_run) {
            const char *begin = s->is_state ? "BEGIN IMMEDIATE" : "BEGIN";
            status = store_open(s, true, NULL);
            status = status ? status : store_errno(s, store_exec(s, begin));
        }
        if (!status)
            status = store_errno(s, j->run(s, j));
        ++*n_run;
    }
    if (*n_run && !status)
        status = store_errno(s, store_exec(s, "COMMIT"));
    if (s->db && !sqlite3_get_autocommit(s->db))
        store_exec(s, "ROLLBACK");
    return status;
}

/* Runs the waiting jobs of a turn without the lock, and then frees them. If they fail, they wait again;
 * but jobs of the state folder are freed anyway. */
static void run_turn(struct writer *w, enum turn turn)
{
    struct queue *q = &w->waiting[turn], begun = *q;
    struct store *s = w->store;
    const bool is_state = turn == TURN_STATE;
    uint64_t n_run = 0;
    int error = 0;
    w->writing = true;
    w->running = begun.first;
    empty_queue(q);
    pthread_mutex_unlock(&w->lock); /* nobody else touches the stores while `writing` */
    if (is_state)
        s = w->state = w->state ? w->state : store_of_state();
    else if (!store_is_there(s)) /* jobs of a piece wait only while there is a store */
        error = ESTALE;
    else
        store_follow_music(s); /* the user may have made the music private since */
    if (s && !error)
        error = run_jobs(s, begun.first, &n_run);
    if (!is_state && !error)
        store_remember_size(s);
    pthread_mutex_lock(&w->lock);
    w->running = NULL;
    w->writing = false;
    if (error && !is_state) {
        w->error = error;
        *begun.last = q->first;
        q->last = q->first ? q->last : begun.last;
        q->first = begun.first;
    } else {
        free_jobs(begun.first);
        w->n_jobs += n_run;
    }
    if (n_run && !error && !is_state && !w->unsynced) {
        w->sync_due = clock_after_ms(SYNC_MS);
        w->unsynced = true;
    }
    wake(w);
}

/* Returns the turn that is written next; TURNS: nothing waits. After an error of the piece's store only
 * the state folder has turns. */
static enum turn next_turn(const struct writer *w)
{
    enum turn turn = w->error ? TURN_STATE : TURN_PIECE;
    while (turn < TURNS && !w->waiting[turn].first)
        turn++;
    return turn;
}

static void *write_jobs(void *writer)
{
    struct writer *w = writer;
    pthread_mutex_lock(&w->lock);
    while (!w->quitting) {
        const enum turn turn = next_turn(w);
        if (turn < TURNS)
            run_turn(w, turn);
        else
            pthread_cond_wait(&w->changed, &w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* Compares the MIDI file or syncs the store, without the lock. The disk of the file may be slow or hang,
 * and edits are written meanwhile. The store stays open while `syncing`; its log may be written to. */
static void *sync_stores(void *writer)
{
    struct writer *w = writer;
    pthread_mutex_lock(&w->lock);
    while (!w->quitting) {
        if (w->path) {
            struct file_seen seen = w->seen;
            char *path = w->path;
            w->path = NULL;
            w->is_comparing = true;
            pthread_mutex_unlock(&w->lock);
            const enum file_news news = file_compare(&seen, path);
            free(path);
            pthread_mutex_lock(&w->lock);
            if (!w->is_comparing) /* it is not wanted any more */
                continue;
            w->seen = seen;
            w->news = news;
            w->has_news = true;
            w->is_comparing = false;
            w->asked |= news != FILE_SAME;
            wake(w);
        } else if (!w->unsynced || w->writing) {
            pthread_cond_wait(&w->changed, &w->lock);
        } else if (!clock_wait(&w->changed, &w->lock, &w->sync_due) && w->unsynced &&
                   !w->writing) {
            struct store *s = w->store;
            const bool is_named = w->is_named;
            w->unsynced = false;
            w->syncing = true;
            pthread_mutex_unlock(&w->lock);
            const int failed = s ? store_sync(s, !is_named) : 0;
            if (s && !is_named) /* the file is new in its folder */
                file_sync_folder(s->path);
            pthread_mutex_lock(&w->lock);
            w->syncing = false;
            w->is_named |= s != NULL;
            w->n_syncs++;
            w->error = failed ? failed : w->error;
            pthread_cond_broadcast(&w->changed);
        }
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* Ends the first n threads, which run, and frees all. */
static void destroy(struct writer *w, int n)
{
    pthread_mutex_lock(&w->lock);
    w->quitting = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    for (int i = 0; i < n; i++)
        pthread_join(w->threads[i], NULL);
    store_close(w->state, false);
    for (int turn = 0; turn < TURNS; turn++)
        free_jobs(w->waiting[turn].first);
    free(w->path);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

struct writer *writer_create(int wake_fd)
{
    void *(*const RUN[])(void *) = {write_jobs, sync_stores};
    struct writer *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->wake_fd = wake_fd;
    for (int turn = 0; turn < TURNS; turn++)
        empty_queue(&w->waiting[turn]);
    pthread_mutex_init(&w->lock, NULL);
    clock_init_condition(&w->changed);
    for (int i = 0; i < 2; i++)
        if (!thread_start(&w->threads[i], RUN[i], w)) {
            destroy(w, i);
            return NULL;
        }
    return w;
}

void writer_destroy(struct writer *w)
{
    if (!w)
        return;
    store_close(writer_release(w, true), false);
    destroy(w, 2);
}

void writer_begin(struct writer *w, struct store *s)
{
    pthread_mutex_lock(&w->lock);
    w->store = s;
    w->is_named = false; /* it is not known */
    w->error = 0;
    w->is_short = false;
    pthread_mutex_unlock(&w->lock);
}

static bool is_kept_up(const struct writer *w)
{
    return !w->writing && next_turn(w) == TURNS;
}

/* Waits with the lock held. Returns whether the writer keeps up. */
static bool wait_until_written(struct writer *w, int most_ms)
{
    struct timespec due = clock_after_ms(most_ms);
    while (!is_kept_up(w))
        if (!clock_wait(&w->changed, &w->lock, &due))
            break;
    return is_kept_up(w);
}

/* Waits with the lock held until what was written is on the disk. */
static void sync_now(struct writer *w)
{
    struct timespec due = clock_after_ms(END_MS);
    w->sync_due = clock_after_ms(0);
    pthread_cond_broadcast(&w->changed);
    while (w->unsynced || w->syncing)
        if (!clock_wait(&w->changed, &w->lock, &due))
            break;
}

struct store *writer_release(struct writer *w, bool waits)
{
    pthread_mutex_lock(&w->lock);
    if (waits) {
        wait_until_written(w, END_MS);
        sync_now(w);
    }
    /* This wait has no end, since the threads use the store. */
    while (w->writing || w->syncing)
        pthread_cond_wait(&w->changed, &w->lock);
    struct store *s = w->store;
    for (int turn = 0; turn < TURN_STATE; turn++) {
        free_jobs(w->waiting[turn].first);
        empty_queue(&w->waiting[turn]);
    }
    w->store = NULL;
    w->error = 0;
    w->unsynced = w->is_short = false;
    pthread_mutex_unlock(&w->lock);
    return s;
}

void writer_push(struct writer *w, const struct job *job)
{
    struct job *j = job ? malloc(sizeof *j) : NULL;
    pthread_mutex_lock(&w->lock);
    const bool is_state = job && job->kind == JOB_STATE;
    const bool is_taken = j && (is_state || (w->store && !w->is_short));
    if (!j && w->store && !is_state && !(job && !job->run)) {
        w->is_short = true;
        w->error = ENOMEM;
    }
    if (is_taken) {
        struct queue *q = &w->waiting[turn_of(job)];
        struct job **at = job->is_latest ? &q->first : q->last;
        *j = *job;
        j->next = NULL;
        j->pushed_ms = clock_now_ms();
        while (*at) { /* older jobs that this one replaces are freed */
            struct job *older = *at;
            if (older->is_latest && older->kind == j->kind) {
                *at = older->next;
                free_job(older);
            } else {
                at = &older->next;
            }
        }
        *at = j;
        q->last = &j->next;
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
    if (!is_taken && job && job->free)
        job->free(job->of);
    if (!is_taken)
        free(j);
}

static int run_text(struct store *s, const struct job *j)
{
    const char *text = j->of;
    return store_run(s, text, text + strlen(text) + 1, j->as);
}

void writer_do(struct writer *w, enum job_kind kind, char *sql, const void *bytes,
               size_t n)
{
    const size_t n_sql = sql ? strlen(sql) + 1 : 0;
    char *of = sql ? malloc(n_sql + n) : NULL;
    if (of)
        memcpy(of, sql, n_sql);
    if (of && n)
        memcpy(of + n_sql, bytes, n);
    sqlite3_free(sql);
    const struct job j = {
        .kind = kind, .run = run_text, .of = of, .as = n, .free = free};
    if (of)
        writer_push(w, &j);
    else if (kind != JOB_STATE)
        writer_push(w, NULL);
}

void writer_look(struct writer *w)
{
    writer_push(w, &(struct job){.kind = JOB_CHECK, .is_latest = true});
}

void writer_watch(struct writer *w, const char *path, const struct file_seen *seen)
{
    pthread_mutex_lock(&w->lock);
    if (!path) {
        free(w->path);
        w->path = NULL;
        w->is_comparing = w->has_news = false;
    } else if (!w->path && !w->is_comparing && (w->path = strdup(path))) {
        w->seen = *seen;
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
}

enum file_news writer_news(struct writer *w, struct file_seen *seen)
{
    pthread_mutex_lock(&w->lock);
    const enum file_news news = w->has_news ? w->news : FILE_SAME;
    if (w->has_news && news == FILE_SAME)
        *seen = w->seen;
    w->has_news = false;
    pthread_mutex_unlock(&w->lock);
    return news;
}

bool writer_keeps_up(struct writer *w)
{
    pthread_mutex_lock(&w->lock);
    bool keeps_up = is_kept_up(w);
    w->asked |= !keeps_up;
    pthread_mutex_unlock(&w->lock);
    return keeps_up;
}

struct writer_status writer_status(struct writer *w)
{
    struct writer_status s = {.late_ms = 0};
    pthread_mutex_lock(&w->lock);
    const double now = clock_now_ms();
    for (int turn = -1; turn < TURNS && !w->error; turn++)
        for (const struct job *j = turn < 0 ? w->running : w->waiting[turn].first; j;
             j = j->next) {
            s.n_late[j->kind]++;
            s.late_ms = MAX(s.late_ms, (int64_t)(now - j->pushed_ms) + 1);
        }
    s.error = w->error;
    s.is_elsewhere = w->store && w->store->is_elsewhere;
    s.n_jobs = w->n_jobs;
    s.n_syncs = w->n_syncs;
    pthread_mutex_unlock(&w->lock);
    return s;
}

bool writer_wait(struct writer *w, int most_ms)
{
    pthread_mutex_lock(&w->lock);
    bool keeps_up = wait_until_written(w, most_ms);
    pthread_mutex_unlock(&w->lock);
    return keeps_up;
}

void writer_settle(struct writer *w)
{
    writer_look(w);
    pthread_mutex_lock(&w->lock);
    wait_until_written(w, END_MS);
    sync_now(w);
    pthread_mutex_unlock(&w->lock);
}

void writer_retry(struct writer *w)
{
    pthread_mutex_lock(&w->lock);
    if (!w->is_short)
        w->error = 0;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

/* -- the MIDI file -- */

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

struct file_seen file_look(const char *path)
{
    struct file_seen seen = {.exists = false};
    seen.exists = !stat(path, &seen.status);
    return seen;
}

enum file_news file_compare(struct file_seen *seen, const char *path)
{
    struct file_seen now = file_look(path);
    uint8_t *bytes;
    size_t n;
    const struct stat *a = &seen->status, *b = &now.status;
    if (!now.exists)
        return seen->exists ? FILE_GONE : FILE_SAME;
    if (seen->exists && a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
        a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
        a->st_mtim.tv_nsec == b->st_mtim.tv_nsec)
        return FILE_SAME;
    if (file_read(path, FILE_MAX_BYTES, &bytes, &n))
        return FILE_CHANGED;
    now.content = fingerprint_of(bytes, n);
    free(bytes);
    if (!seen->exists || !fingerprint_equal(now.content, seen->content))
        return FILE_CHANGED;
    *seen = now;
    return FILE_SAME;
}
