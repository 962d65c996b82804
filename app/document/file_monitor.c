#include "app/document/autosave.h"

#include "midi/base/thread.h"
#include "midi/base/file.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct file_seen file_look(const char *path)
{
    struct stat st;
    if (stat(path, &st))
        return (struct file_seen){.exists = false};
    return (struct file_seen){
        .exists = true,
        .device = st.st_dev,
        .inode = st.st_ino,
        .size = st.st_size,
        .seconds = st.st_mtim.tv_sec,
        .nanoseconds = st.st_mtim.tv_nsec,
    };
}

enum file_news file_compare(struct file_seen *seen, const char *path)
{
    struct file_seen now = file_look(path);
    uint8_t *bytes;
    size_t n;
    if (seen->exists == now.exists && seen->device == now.device &&
        seen->inode == now.inode && seen->size == now.size &&
        seen->seconds == now.seconds && seen->nanoseconds == now.nanoseconds)
        return FILE_SAME;
    if (!now.exists)
        return FILE_GONE;
    if (file_read(path, &bytes, &n))
        return FILE_CHANGED;
    now.content = fingerprint_of(bytes, n);
    free(bytes);
    if (!seen->exists || !fingerprint_equal(now.content, seen->content))
        return FILE_CHANGED;
    *seen = now;
    return FILE_SAME;
}

struct file_monitor {
    pthread_t thread;
    int wake_fd;

    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t asked;
    bool quitting;
    char *path; /* not NULL: it is being looked at */
    struct file_seen seen;
    bool is_dropped; /* the running comparison */
    bool has_answer;
    enum file_news news;
};

static void look(struct file_monitor *w)
{
    struct file_seen seen = w->seen;
    pthread_mutex_unlock(&w->lock);
    enum file_news news = file_compare(&seen, w->path);
    pthread_mutex_lock(&w->lock);
    w->seen = seen;
    w->news = news;
    w->has_answer = !w->is_dropped;
    free(w->path);
    w->path = NULL;
    if (w->has_answer && news != FILE_SAME && w->wake_fd >= 0 &&
        write(w->wake_fd, "w", 1) < 0)
        errno = 0; /* a full pipe wakes as well */
}

static void *watch_files(void *watch)
{
    struct file_monitor *w = watch;
    pthread_mutex_lock(&w->lock);
    while (!w->quitting) {
        if (w->path)
            look(w);
        else
            pthread_cond_wait(&w->asked, &w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

struct file_monitor *file_monitor_create(int wake_fd)
{
    struct file_monitor *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->wake_fd = wake_fd;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->asked, NULL);
    if (thread_start(&w->thread, watch_files, w))
        return w;
    pthread_cond_destroy(&w->asked);
    pthread_mutex_destroy(&w->lock);
    free(w);
    return NULL;
}

void file_monitor_destroy(struct file_monitor *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->quitting = true;
    pthread_cond_signal(&w->asked);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->asked);
    pthread_mutex_destroy(&w->lock);
    free(w->path);
    free(w);
}

void file_monitor_ask(struct file_monitor *w, const char *path,
                      const struct file_seen *seen)
{
    pthread_mutex_lock(&w->lock);
    if (!w->path && (w->path = strdup(path))) {
        w->seen = *seen;
        w->is_dropped = false;
        pthread_cond_signal(&w->asked);
    }
    pthread_mutex_unlock(&w->lock);
}

enum file_news file_monitor_take(struct file_monitor *w, struct file_seen *seen)
{
    enum file_news news = FILE_SAME;
    pthread_mutex_lock(&w->lock);
    if (w->has_answer) {
        w->has_answer = false;
        news = w->news;
        if (news == FILE_SAME)
            *seen = w->seen;
    }
    pthread_mutex_unlock(&w->lock);
    return news;
}

void file_monitor_drop(struct file_monitor *w)
{
    pthread_mutex_lock(&w->lock);
    w->is_dropped = true;
    w->has_answer = false;
    pthread_mutex_unlock(&w->lock);
}
