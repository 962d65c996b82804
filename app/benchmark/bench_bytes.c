/* See bench.h. It needs no terminal and no session: it paints a frame, encodes it and
 * counts the bytes. Each event is undone before the next, so all start from the same
 * screen. */
#include "app/benchmark/bench.h"

#include "app/benchmark/bench_race.h"
#include "app/base/paths.h"
#include "app/base/say.h"
#include "midi/smf/smf.h"
#include "tui/cells/emit.h"
#include "tui/terminal/frame.h"
#include "tui/view/layout.h"
#include "app/base/json_fields.h"

#include <stdio.h>

static const char *const NAMES[BYTES_EVENTS] = {
    "whole screen", "cursor right", "cursor up",  "scroll a column",
    "scroll a row", "playhead on",  "ghost more", "nothing",
};

struct frame_encoder {
    struct cells cells;
    struct emit emit;
    struct theme theme;
    struct view view;
    struct ghost ghosts[2];
};

static void set_up_view(struct frame_encoder *c, const struct score *score)
{
    struct layout l = layout_for(c->cells.columns, c->cells.rows);
    int64_t step = score->ticks_per_quarter / 4;
    c->view = (struct view){.score = score,
                            .version = 1,
                            .grid.ticks = step > 0 ? step : 1,
                            .cursor.tick = 10 * step,
                            .transport.has_sound = true,
                            .transport.is_playing = true,
                            .file.name = "example.mid",
                            .machine.model_name = "model",
                            .ghosts.notes = c->ghosts,
                            .ghosts.n = 1};
    viewport_fit(&c->view.port, &l, score);
    int pitch = c->view.port.top_pitch - 6;
    c->view.cursor.pitch = pitch;
    for (int i = 0; i < 2; i++)
        c->ghosts[i] = (struct ghost){.note = {.start = (20 + 2 * i) * step,
                                               .length = 2 * step,
                                               .pitch = (uint8_t)(pitch - 2 * i),
                                               .velocity = 80},
                                      .probability = -1};
}

static void apply_event(struct view *v, enum bytes_event e)
{
    switch (e) {
    case BYTES_RIGHT:
        v->cursor.tick += v->grid.ticks;
        break;
    case BYTES_UP:
        v->cursor.pitch++;
        break;
    case BYTES_COLUMN:
        v->port.left_tick += v->port.ticks_per_column;
        break;
    case BYTES_ROW:
        v->port.top_pitch--;
        break;
    case BYTES_PLAYHEAD:
        v->transport.tick += (double)v->port.ticks_per_column;
        break;
    case BYTES_GHOST:
        v->ghosts.n++;
        break;
    default:
        break;
    }
}

static size_t encode_frame(struct frame_encoder *c, const struct view *v)
{
    frame_draw(&c->cells, v, &c->theme);
    return emit_frame(&c->emit, &c->cells);
}

bool bytes_measure(struct bytes *b, const struct score *score)
{
    struct frame_encoder c = {.theme = theme_for(b->depth, false, false)};
    if (!cells_init(&c.cells, b->columns, b->rows))
        return false;
    emit_init(&c.emit, b->depth);
    set_up_view(&c, score);
    for (int e = 0; e < BYTES_EVENTS; e++) {
        struct view v = c.view;
        if (e == BYTES_WHOLE)
            c.emit.whole = true;
        else
            encode_frame(&c, &c.view);
        apply_event(&v, (enum bytes_event)e);
        b->n[e] = encode_frame(&c, &v);
    }
    bool ok = !c.emit.failed;
    emit_fini(&c.emit);
    cells_fini(&c.cells);
    return ok;
}

/* -- the table -- */

enum { N_SCREENS = 6 };

static void print(const struct bytes screens[N_SCREENS])
{
    static const char *const DEPTHS[] = {"none", "16", "256", "all"};
    printf("\nBytes a frame, by screen and colours\n\n%-18s", "");
    for (int i = 0; i < N_SCREENS; i++)
        printf(" %6dx%d", screens[i].columns, screens[i].rows);
    printf("\n%-18s", "");
    for (int i = 0; i < N_SCREENS; i++)
        printf(" %9s", DEPTHS[screens[i].depth]);
    puts("");
    for (int e = 0; e < BYTES_EVENTS; e++) {
        printf("%-18s", NAMES[e]);
        for (int i = 0; i < N_SCREENS; i++)
            printf(" %9zu", screens[i].n[e]);
        puts("");
    }
}

static void add(const struct bench *b, const struct bytes screens[N_SCREENS])
{
    cJSON *list = report_list(b->json, "bytes");
    for (int i = 0; i < N_SCREENS; i++) {
        cJSON *item =
            json_append(list, "columns %d rows %d depth %d", screens[i].columns,
                        screens[i].rows, (int)screens[i].depth);
        for (int e = 0; e < BYTES_EVENTS; e++)
            cJSON_AddNumberToObject(item, NAMES[e], (double)screens[i].n[e]);
    }
}

static bool measure_all(struct bytes screens[N_SCREENS], const struct score *score)
{
    static const enum depth OF[N_SCREENS / 2] = {DEPTH_MONO, DEPTH_256, DEPTH_TRUE};
    bool ok = true;
    for (int i = 0; ok && i < N_SCREENS; i++) {
        bool large = i >= N_SCREENS / 2;
        screens[i] = (struct bytes){.columns = large ? 200 : 80,
                                    .rows = large ? 50 : 24,
                                    .depth = OF[i % (N_SCREENS / 2)]};
        ok = bytes_measure(&screens[i], score);
    }
    return ok;
}

int bench_bytes(const struct bench *b)
{
    char path[4096];
    struct bytes screens[N_SCREENS];
    struct score *score = NULL;
    if (!paths_find(path, sizeof path, PATHS_EXAMPLE) || smf_load(&score, path, NULL))
        return say_error("bench bytes", "the example was not found");
    const bool ok = measure_all(screens, score);
    score_destroy(score);
    if (!ok)
        return say_error("bench bytes", "not enough memory");
    if (b->json)
        add(b, screens);
    else
        print(screens);
    return 0;
}
