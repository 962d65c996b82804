#include "app/benchmark/bench_stage.h"

#include "midi/base/clock.h"
#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/base/values.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 200, ROWS = 50, TIMEOUT_SECONDS = 30 };

static int open_session(struct stage *g, const struct bench *b)
{
    struct session_options o = {.model = b->model,
                                .driver = "none", /* this must be silent */
                                .seed = 1,
                                .n_threads = pool_n_threads(b->pool),
                                .precision = PRECISION_DEFAULT,
                                .wake_fd = g->wake[1]};
    enum midi_status st = session_init(&g->loop.session, &o);
    return st ? say_error("bench frames", midi_strerror(st)) : 0;
}

static int open_screen(struct stage *g)
{
    if (pipe2(g->wake, O_NONBLOCK | O_CLOEXEC))
        return say_error("bench frames", strerror(errno));
    g->terminal = bench_terminal_open(COLUMNS, ROWS);
    g->began = clock_now_seconds();
    g->loop.screen = g->terminal ? screen_open(bench_terminal_fd(g->terminal)) : NULL;
    g->loop.wake_fd = g->wake[0];
    return g->loop.screen ? 0 : say_error("bench frames", "no terminal is available");
}

static void release(struct stage *g)
{
    screen_close(g->loop.screen);
    bench_terminal_close(g->terminal);
    for (int i = 0; i < 2; i++)
        if (g->wake[i] >= 0)
            close(g->wake[i]);
    delays_fini(&g->frames);
    delays_fini(&g->keys);
}

int stage_open(struct stage *g, const struct bench *b)
{
    *g = (struct stage){.wake = {-1, -1}};
    if (open_screen(g) || open_session(g, b)) {
        release(g);
        return 1;
    }
    ui_loop_show(&g->loop);
    return 0;
}

void stage_close(struct stage *g)
{
    session_fini(&g->loop.session);
    release(g);
}

/* What was done may not be written yet, or the terminal be behind. */
static bool is_drawn(const struct stage *g)
{
    return !g->loop.put_off_ms && !screen_is_behind(g->loop.screen);
}

void stage_turn(struct stage *g, int most_ms)
{
    const int news = ui_loop_wait(&g->loop, most_ms);
    const double woken = clock_now_seconds();
    ui_loop_obey(&g->loop, news);
    ui_loop_show(&g->loop);
    const double shown = clock_now_seconds();
    if (news & SCREEN_KEYS && g->pressed == 0)
        g->pressed = bench_terminal_see_key(g->terminal);
    if (!is_drawn(g))
        return;
    delays_add(&g->frames, shown - woken);
    if (g->pressed > 0)
        delays_add(&g->keys, shown - g->pressed);
    g->pressed = 0;
}

void stage_run(struct stage *g, double seconds)
{
    const double end = clock_now_seconds() + seconds;
    double left = seconds;
    while (left > 0) {
        stage_turn(g, left < 1 ? 1 + (int)(1e3 * left) : 1000);
        left = end - clock_now_seconds();
    }
}

bool stage_is_ready(struct stage *g)
{
    struct generator_progress p;
    generator_progress(g->loop.session.generator, &p);
    return p.loaded || p.failed;
}

bool stage_run_until(struct stage *g, bool (*is_so)(struct stage *g))
{
    const double end = clock_now_seconds() + TIMEOUT_SECONDS;
    while (!(is_so(g) && is_drawn(g)) && clock_now_seconds() < end)
        stage_turn(g, 1000);
    return is_so(g);
}

double stage_answer(struct stage *g, char key, bool (*is_so)(struct stage *g))
{
    const double pressed = clock_now_seconds();
    bench_terminal_press(g->terminal, key);
    stage_turn(g, 1000);
    return stage_run_until(g, is_so) ? clock_now_seconds() - pressed : -1;
}

/* The notes of the first `length` ticks, which are all, again after them up to `end`. */
static bool repeat_track(struct score *s, int track, int64_t length, int64_t end)
{
    const size_t n = s->tracks[track].n_notes;
    bool ok = true;
    for (int64_t shift = length; shift < end; shift += length)
        for (size_t i = 0; ok && i < n; i++) {
            struct note copy =
                s->tracks[track].notes[i]; /* which move as some are added */
            copy.id = 0;
            copy.start += shift;
            copy.on_order = ORDER_LAST;
            copy.off_order = ORDER_FIRST;
            ok = copy.start >= end || score_add_note(s, track, copy);
        }
    return ok;
}

static bool repeat(struct score *s, int bars)
{
    const int64_t last = score_end_tick(s);
    if (last <= 0)
        return false;
    const struct bar bar = timeline_bar_at(&s->timeline, last - 1);
    bool ok = true;
    for (int t = 0; ok && t < (int)s->n_tracks; t++)
        ok = repeat_track(s, t, bar.start + bar.length, bars * bar.length);
    return ok;
}

/* As a file, since that is how music comes into a session. */
static bool open_by_file(struct session *s, const struct score *music, double *began)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/continuo-bench-XXXXXX",
                     folder ? folder : "/tmp");
    int fd = n > 0 && (size_t)n < sizeof path ? mkstemp(path) : -1;
    if (fd < 0)
        return false;
    close(fd);
    bool ok = smf_save(music, path) == MIDI_OK;
    *began = clock_now_seconds();
    if (ok)
        session_open(s, path);
    unlink(path);
    return ok && score_n_notes(s->project.score) > 0;
}

bool stage_open_score(struct stage *g, const struct score *music, double *ms)
{
    double began;
    if (!open_by_file(&g->loop.session, music, &began))
        return false;
    ui_loop_show(&g->loop);
    *ms = 1e3 * (clock_now_seconds() - began);
    return true;
}

bool stage_open_music(struct stage *g, int bars)
{
    char path[4096];
    double began;
    struct score *music = NULL;
    bool ok = paths_find(path, sizeof path, PATHS_EXAMPLE) &&
              smf_load(&music, path, NULL) == MIDI_OK && repeat(music, bars) &&
              open_by_file(&g->loop.session, music, &began);
    score_destroy(music);
    return ok;
}
