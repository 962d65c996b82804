/* Whether the workstation stays responsive while every processor decodes: times the frames of
 * the real session on a screen of 200x50 during constant typing, and how punctual a thread is
 * that is scheduled as the sound's. The goal for a frame is 16 ms, which a display of 60 Hz
 * shows at once. */
#include "midi/base/clock.h"
#include "app/lab/benchmark/bench.h"

#include "app/base/draw.h"
#include "app/base/say.h"
#include "app/lab/benchmark/bench_stage.h"
#include "app/base/json_fields.h"

#include <time.h>

enum {
    ASKED_BARS = 32,    /* at once, so that it seldom ends */
    SCENE_BUDGETS = 10, /* a scene is that many times as long as a figure's budget */
    MOST_ROUNDS = 64,
};
/* The delay before the workstation lets the model read the open piece, and the time for
 * reading it. */
#define READING_SECONDS 0.7

/* From the opening of the screen; from C to a ghost on the screen, 16 bars being open: at
 * once after they were opened, after a moment, and when C was pressed before; and the share
 * of a core while nothing happens. */
enum {
    FIRST_FRAME,
    READY,
    AT_ONCE,
    READ_AHEAD,
    AGAIN,
    N_TIMED,
    IDLE = N_TIMED,
    N_FIGURES
};

static const char *const FIGURES[N_FIGURES] = {
    [FIRST_FRAME] = "first_frame_ms", /* from opening the screen to a frame */
    [READY] = "ready_ms",             /* and until the model is ready */
    [AT_ONCE] =
        "ghost_at_once_ms", /* C to a ghost, 16 bars opened just now; wanted: 50 */
    [READ_AHEAD] = "ghost_read_ahead_ms", /* opened 0.7 s before */
    [AGAIN] = "ghost_again_ms",           /* once more */
    [IDLE] = "idle_percent",              /* processor use; wanted: 1 */
};

/* -- waiting -- */

static bool has_ghost(struct stage *g)
{
    const struct proposals *takes = &g->loop.session.takes;
    for (int i = 0; i < takes->n; i++)
        if (takes->list[i].n_came > 0)
            return true;
    return false;
}

static bool is_still(struct stage *g)
{
    return !g->loop.session.request.is_running;
}

static void run(struct stage *g, enum command_id id, int count)
{
    act_run(&g->loop.session, &(struct command){.id = id, .count = count});
}

/* -- once from the start to the first ghosts -- */

/* r: seconds from the start, and from C to a ghost. */
static bool start(struct stage *g, double r[N_TIMED])
{
    struct generator_progress p;
    r[FIRST_FRAME] = clock_now_seconds() - g->began;
    if (!stage_run_until(g, stage_is_ready))
        return false;
    generator_progress(g->loop.session.generator, &p);
    if (p.failed)
        return !say_error("bench frames", p.error);
    r[READY] = clock_now_seconds() - g->began;
    if (!stage_open_example(g))
        return !say_error("bench frames", "the example was not found");
    stage_turn(g, 0);
    return true;
}

/* Undoes everything except for the model's reading. */
static bool continue_music(struct stage *g, double *seconds)
{
    *seconds = stage_answer(g, 'C', has_ghost);
    stage_run_until(g, is_still);
    run(g, CMD_REJECT_ALL, 0);
    return *seconds >= 0 || !say_error("bench frames", "the model added no notes");
}

/* -- scenes of some seconds -- */

static double tokens_of(struct stage *g)
{
    struct generator_progress p;
    double tokens = 0;
    generator_progress(g->loop.session.generator, &p);
    for (int i = 0; i < p.n_takes; i++)
        tokens += p.takes[i].n_tokens;
    return tokens;
}

/* Keeps the model busy: sends the next request as soon as it is done. *tokens: decoded so
 * far in finished requests. */
static void keep_decoding(struct stage *g, double *tokens)
{
    if (g->loop.session.request.is_running)
        return;
    if (g->loop.session.has_take)
        *tokens += tokens_of(g);
    run(g, CMD_REJECT_ALL, 0);
    run(g, CMD_CONTINUE, ASKED_BARS);
    session_tick(&g->loop.session); /* sees that it runs */
}

/* tokens NULL: nothing is decoded. */
static void let_it_run(struct stage *g, double seconds, double *tokens)
{
    const double end = clock_now_seconds() + seconds;
    while (clock_now_seconds() < end) {
        if (tokens)
            keep_decoding(g, tokens);
        stage_turn(g, 50);
    }
    if (tokens)
        *tokens += tokens_of(g);
    run(g, CMD_REJECT_ALL, 0);
}

static void add_delays(cJSON *line, const char *name, struct delays *delays)
{
    const struct delay_figures d = delays_figures(delays);
    json_add(cJSON_AddObjectToObject(line, name),
             "median %.2f percentile_99 %.2f worst %.2f n %zu", d.median,
             d.percentile_99, d.worst, d.n);
}

/* Somebody types for some seconds; decodes: and four takes are being made all the time. */
static bool play_scene(struct stage *g, const struct bench *b, bool decodes,
                       double seconds)
{
    struct delays late = {0};
    struct metronome *m = metronome_start();
    double tokens = 0;
    g->frames.n = g->keys.n = 0;
    bench_terminal_type(g->terminal, true);
    const double begun = clock_now_seconds(),
                 worked = bench_cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
    let_it_run(g, seconds, decodes ? &tokens : NULL);
    const double lasted = clock_now_seconds() - begun,
                 drew = bench_cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - worked;
    bench_terminal_type(g->terminal, false);
    metronome_stop(m, &late);
    const bool complete = m && !g->frames.incomplete && !late.incomplete;
    if (complete) {
        cJSON *line =
            json_add(cJSON_CreateObject(), "part %s scene %s ui_percent %.1f", "frames",
                     decodes ? "decoding" : "typing", 100 * drew / lasted);
        if (decodes)
            json_add(line, "tokens_per_second %.1f", tokens / lasted);
        add_delays(line, "frame_ms", &g->frames);
        add_delays(line, "key_ms", &g->keys);
        add_delays(line, "late_ms", &late);
        bench_print(b, line);
    }
    delays_fini(&late);
    return complete || !say_error("bench frames",
                                  "not enough memory, or no threads can be started");
}

/* Of a core, while nothing happens and nobody types. */
static double idle_share(struct stage *g, double seconds)
{
    stage_run(g, READING_SECONDS); /* and become idle */
    const double begun = clock_now_seconds(),
                 worked = bench_cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
    stage_run(g, seconds);
    return (bench_cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - worked) /
           (clock_now_seconds() - begun);
}

/* -- all of it -- */

/* Each in its own workstation, whose model has read nothing. */
static bool play_round(struct stage *g, const struct bench *b, double r[N_TIMED])
{
    if (stage_open(g, b))
        return false;
    bool ok =
        start(g, r) && continue_music(g, &r[AT_ONCE]) && continue_music(g, &r[AGAIN]);
    stage_close(g);
    if (!ok || stage_open(g, b))
        return false;
    ok = start(g, r);
    if (ok) {
        stage_run(g, READING_SECONDS);
        ok = continue_music(g, &r[READ_AHEAD]);
    }
    stage_close(g);
    return ok;
}

/* Fills in the medians of those that are timed, in milliseconds. */
static bool play_rounds(struct stage *g, const struct bench *b, int n,
                        double figures[N_TIMED])
{
    double rounds[MOST_ROUNDS][N_TIMED] = {{0}};
    for (int i = 0; i < n; i++)
        if (!play_round(g, b, rounds[i]))
            return false;
    for (int k = 0; k < N_TIMED; k++) {
        double x[MOST_ROUNDS];
        for (int i = 0; i < n; i++)
            x[i] = rounds[i][k];
        figures[k] = 1e3 * turn_spread_of(x, n).median;
    }
    return true;
}

int bench_frames(const struct bench *b)
{
    static struct stage g;
    const double seconds = 0.2 + SCENE_BUDGETS * b->budget.seconds;
    const int n = at_most(b->budget.rounds, MOST_ROUNDS);
    double figures[N_FIGURES], unused[N_TIMED];
    if (!play_rounds(&g, b, n, figures) || stage_open(&g, b))
        return 1;
    bool ok = start(&g, unused);
    if (ok) {
        cJSON *line = json_add(cJSON_CreateObject(), "part %s rounds %d", "frames", n);
        figures[IDLE] = 100 * idle_share(&g, seconds < 1 ? seconds : 1);
        for (int i = 0; i < N_FIGURES; i++)
            json_add(line, "%s %.2f", FIGURES[i], figures[i]);
        bench_print(b, line);
    }
    ok = ok && play_scene(&g, b, false, seconds) && play_scene(&g, b, true, seconds);
    stage_close(&g);
    return !ok;
}
