/* Whether the workstation stays at hand with far more notes than a piece has: keys as a
 * user would press them, in the real session on a screen of 200x50, each timed from its
 * being pressed to the end of the frame that answers it. */
#include "app/benchmark/bench_vast.h"

#include "app/benchmark/bench_stage.h"
#include "app/benchmark/bench_vast_music.h"
#include "app/base/say.h"

#include <stdlib.h>

enum { MANY = 100000, VERY_MANY = 1000000 };

/* `keys` again and again, `times` times, after `before` once. */
static const struct script {
    const char *name, *about, *before, *keys;
    int times;
    bool plays; /* all the while, and every frame counts, of a key or not */
} SCRIPTS[] = {
    {"scroll", "by steps, bars and octaves", "gg", "lllLLLkkKjjJhH", 20, false},
    {"jump", "to a bar, to the end, by notes", "", "777GbwGb", 20, false},
    {"edit", "put, longer, higher, louder, removed", "500G", "\r]}+\r", 40, false},
    {"undo", "four steps back, and again", "", "uuuu\x12\x12\x12\x12", 20, false},
    {"select", "a box, moved, copied, put elsewhere", "400G", "vllkkk>\x1byp", 15,
     false},
    {"zoom", "out to where all is seen, and in",
     "\x1b"
     "500G",
     "zozozozozozozozozizizizizizizizi", 6, false},
    {"far out", "moving where all is seen", "zozozozozozozozo", "lhkjLH", 40, false},
    {"play", "and edited all the while", "gg ", "\r]}+\r", 20, true},
    {"all", "every note moved, and back", " gg\x01", "}>uu", 3, false},
};
enum { N_SCRIPTS = sizeof SCRIPTS / sizeof *SCRIPTS };

static void press(struct stage *g, char key)
{
    const size_t n = g->keys.n;
    bench_terminal_press(g->terminal, key);
    while (g->keys.n == n && !g->keys.incomplete)
        stage_turn(g, 1000);
}

static void press_all(struct stage *g, const char *keys, double pause)
{
    for (; *keys; keys++) {
        press(g, *keys);
        if (pause > 0)
            stage_run(g, pause);
    }
}

static void play_script(struct stage *g, const struct script *script,
                        struct vast_scene *scene)
{
    press_all(g, script->before, 0);
    g->keys.n = g->frames.n = 0;
    for (int i = 0; i < script->times; i++)
        press_all(g, script->keys, script->plays ? 0.02 : 0);
    *scene = (struct vast_scene){script->name, script->about,
                                 delays_figures(script->plays ? &g->frames : &g->keys)};
}

static bool is_ready(struct stage *g)
{
    struct generator_progress p;
    generator_progress(g->desk.session.generator, &p);
    return p.loaded || p.failed;
}

static bool play_scenes(struct stage *g, struct vast *v)
{
    for (int i = 0; i < N_SCRIPTS; i++) {
        play_script(g, &SCRIPTS[i], &v->scenes[i]);
        v->n_scenes = i + 1;
    }
    return !g->keys.incomplete || !say_error("bench vast", "not enough memory");
}

static bool open_music(struct stage *g, struct vast *v)
{
    struct score *music = vast_music(v->n_notes);
    const bool ok = music && stage_open_score(g, music, &v->open_ms);
    score_destroy(music);
    return ok || !say_error("bench vast", "the music could not be made");
}

static int measure(struct stage *g, const struct bench *b, size_t n_notes)
{
    struct vast v = {.n_notes = n_notes};
    if (stage_open(g, b))
        return 1;
    stage_run_until(g, is_ready); /* with a model or without */
    const bool ok = open_music(g, &v) && play_scenes(g, &v);
    stage_close(g);
    if (ok)
        vast_report(b, &v);
    return !ok;
}

int bench_vast(const struct bench *b)
{
    struct stage *g = calloc(1, sizeof *g);
    if (!g)
        return say_error("bench vast", "not enough memory");
    int status = measure(g, b, b->n_notes ? b->n_notes : MANY);
    if (!status && b->large)
        status = measure(g, b, VERY_MANY);
    free(g);
    return status;
}
