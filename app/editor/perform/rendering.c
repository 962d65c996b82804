#include "app/editor/perform/rendering.h"

#include "midi/base/thread.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct rendering {
    pthread_t thread;
    struct score *score; /* as the next three, constant while it runs */
    char *path, *soundfont;
    struct render_options options;

    atomic_bool stop; /* ui writes, the thread reads; below the other way round */
    _Atomic double share;
    enum midi_status status; /* with `why`, before is_over */
    int why;
    double took;
    atomic_bool is_over;
};

static bool go_on(void *context, double share)
{
    struct rendering *r = context;
    atomic_store(&r->share, share);
    return !atomic_load(&r->stop);
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *run(void *context)
{
    struct rendering *r = context;
    double from = seconds_now();
    errno = 0;
    r->status = render_to_file(r->score, r->path, &r->options);
    r->why = errno;
    r->took = seconds_now() - from;
    atomic_store(&r->is_over, true);
    return NULL;
}

static void free_rendering(struct rendering *r)
{
    score_destroy(r->score);
    free(r->path);
    free(r->soundfont);
    free(r);
}

struct rendering *rendering_start(struct score *snapshot, const char *path,
                                  const struct render_options *options)
{
    struct rendering *r = calloc(1, sizeof *r);
    if (!r) {
        score_destroy(snapshot);
        return NULL;
    }
    r->score = snapshot;
    r->path = strdup(path);
    r->soundfont = strdup(options->soundfont ? options->soundfont : "");
    r->options = *options;
    r->options.soundfont = r->soundfont;
    r->options.go_on = go_on;
    r->options.context = r;
    if (!r->path || !r->soundfont || !thread_start(&r->thread, run, r)) {
        free_rendering(r);
        return NULL;
    }
    return r;
}

double rendering_share(const struct rendering *r)
{
    return atomic_load(&r->share);
}

void rendering_stop(struct rendering *r)
{
    atomic_store(&r->stop, true);
}

bool rendering_is_over(const struct rendering *r, enum midi_status *st)
{
    if (!atomic_load(&r->is_over))
        return false;
    *st = r->status;
    errno = r->why;
    return true;
}

const char *rendering_path(const struct rendering *r)
{
    return r->path;
}

double rendering_seconds(const struct rendering *r)
{
    return timeline_seconds(&r->score->timeline, (double)score_end_tick(r->score));
}

double rendering_took(const struct rendering *r)
{
    return r->took;
}

void rendering_destroy(struct rendering *r)
{
    if (!r)
        return;
    rendering_stop(r);
    pthread_join(r->thread, NULL);
    free_rendering(r);
}
