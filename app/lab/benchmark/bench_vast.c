/* Whether the workstation stays responsive with far more notes than a piece has. It presses
 * keys as a user would, in the real session on a screen of 200x50, and times each from the
 * press to the end of the frame that answers it. */
#include "app/lab/benchmark/bench.h"

#include "app/base/say.h"
#include "app/lab/benchmark/bench_stage.h"
#include "app/base/json_fields.h"

/* -- the music: notes come in order, so that each is appended to its track at once, except
 * for the last, which lies among the first ones -- */

enum { QUARTER = 480, STEP = QUARTER / 4, CHORD = 4 };

/* xorshift32: Marsaglia 2003. */
static uint32_t next_random(uint32_t *rng)
{
    *rng ^= *rng << 13;
    *rng ^= *rng >> 17;
    *rng ^= *rng << 5;
    return *rng;
}

static bool put_note(struct score *s, int track, int64_t start, int64_t length,
                     int pitch, int velocity)
{
    const struct note n = {.start = start,
                           .length = length,
                           .pitch = (uint8_t)pitch,
                           .velocity = (uint8_t)velocity,
                           .on_order = ORDER_LAST,
                           .off_order = ORDER_FIRST};
    return score_add_note(s, track, n) != 0;
}

/* A chord of up to four at each sixteenth, so that they are many and none meets itself. */
static bool fill_track(struct score *s, int track, size_t n_notes, uint32_t *rng)
{
    bool ok = true;
    int64_t tick = 0;
    for (size_t i = 0; ok && i < n_notes; tick += STEP)
        for (int voice = 0; ok && voice < CHORD && i < n_notes; voice++, i++)
            ok = put_note(s, track, tick,
                          STEP / 2 + (int64_t)(next_random(rng) % (STEP / 2)),
                          36 + 14 * voice + (int)(next_random(rng) % 14),
                          40 + (int)(next_random(rng) % 80));
    return ok;
}

struct score *vast_music(size_t n_notes)
{
    uint32_t rng = 2463534242u;
    const size_t half = n_notes / 2, others = (n_notes - half) / (VAST_TRACKS - 1);
    struct score *s = score_create(QUARTER);
    bool ok = s;
    for (int t = 0; ok && t < VAST_TRACKS; t++)
        ok = score_add_track(s, "", (uint8_t)t, (uint8_t)(8 * t)) == t &&
             fill_track(s, t, t ? others : half, &rng);
    if (ok && put_note(s, 0, 0, score_end_tick(s), 24, 64))
        return s;
    score_destroy(s);
    return NULL;
}

/* -- the scenes -- */

enum { MANY = 100000, VERY_MANY = 1000000 };

/* `keys` again and again, `times` times, after `before` once. */
static const struct script {
    const char *name, *before, *keys;
    int times;
    bool plays; /* all the while, and every frame counts, of a key or not */
} SCRIPTS[] = {
    {"scroll", "gg", "lllLLLkkKjjJhH", 20, false},
    {"jump", "", "777GbwGb", 20, false},
    {"edit", "500G", "\r]}+\r", 40, false},
    {"undo", "", "uuuu\x12\x12\x12\x12", 20, false},
    {"select", "400G", "vllkkk>\x1byp", 15, false},
    {"zoom",
     "\x1b"
     "500G",
     "zozozozozozozozozizizizizizizizi", 6, false},
    {"far out", "zozozozozozozozo", "lhkjLH", 40, false},
    {"play", "gg ", "\r]}+\r", 20, true},
    {"all", " gg\x01", "}>uu", 3, false},
};
enum { N_SCRIPTS = sizeof SCRIPTS / sizeof *SCRIPTS };

static void press_all(struct stage *g, const char *keys, double pause)
{
    for (; *keys; keys++) {
        const size_t n = g->keys.n;
        bench_terminal_press(g->terminal, *keys);
        while (g->keys.n == n && !g->keys.incomplete)
            stage_turn(g, 1000);
        if (pause > 0)
            stage_run(g, pause);
    }
}

/* A line for each, as soon as it was played. */
static bool play_scenes(struct stage *g, const struct bench *b)
{
    for (int i = 0; i < N_SCRIPTS; i++) {
        const struct script *s = &SCRIPTS[i];
        press_all(g, s->before, 0);
        g->keys.n = g->frames.n = 0;
        for (int k = 0; k < s->times; k++)
            press_all(g, s->keys, s->plays ? 0.02 : 0);
        const struct delay_figures k = delays_figures(s->plays ? &g->frames : &g->keys);
        bench_print(
            b, json_add(cJSON_CreateObject(),
                        "part %s scene %s keys %zu median_ms %.2f percentile_99_ms "
                        "%.2f worst_ms %.2f",
                        "vast", s->name, k.n, k.median, k.percentile_99, k.worst));
    }
    return !g->keys.incomplete || !say_error("bench vast", "not enough memory");
}

static int measure(const struct bench *b, size_t n_notes)
{
    static struct stage g;
    double open_ms;
    if (stage_open(&g, b))
        return 1;
    stage_run_until(&g, stage_is_ready); /* with a model or without */
    struct score *music = vast_music(n_notes);
    bool ok = music && stage_open_score(&g, music, &open_ms);
    score_destroy(music);
    if (ok) {
        bench_print(b, json_add(cJSON_CreateObject(), "part %s notes %zu open_ms %.1f",
                                "vast", n_notes, open_ms));
        ok = play_scenes(&g, b);
    } else {
        say_error("bench vast", "the music could not be created");
    }
    stage_close(&g);
    return !ok;
}

int bench_vast(const struct bench *b)
{
    const int status = measure(b, b->n_notes ? b->n_notes : MANY);
    return !status && b->large ? measure(b, VERY_MANY) : status;
}
