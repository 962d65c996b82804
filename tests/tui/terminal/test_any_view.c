/* Frames that must merely hold: of random views with text that means harm, of big files. */
#include "tests/tui/scene.h"
#include "tests/tui/shown.h"
#include "tui/view/survey.h"

#include <time.h>

static int64_t wild(uint32_t *seed)
{
    static const int64_t VALUES[] = {INT64_MAX, INT64_MIN,     -1,     0,
                                     1,         INT64_MAX / 2, 1 << 20};
    uint32_t x = noise(seed);
    return x % 3 ? (int64_t)(x >> 5) % 20000 : VALUES[x / 3 % 7];
}

static void set_lane(struct lane_view *l, uint32_t *seed)
{
    static int16_t stroke[CELLS_MAX];
    const enum control_kind kind = (enum control_kind)(noise(seed) % CONTROL_KINDS);
    const uint8_t number = (uint8_t)(noise(seed) % 128);
    l->control = (struct control){kind, kind == CONTROL_CHANGE ? number : 0};
    const uint32_t n_values = (uint32_t)control_most(l->control) + 2;
    for (int k = 0; k < CELLS_MAX; k++)
        stroke[k] = (int16_t)((int)(noise(seed) % n_values) - 1);
    l->stroke = noise(seed) & 1 ? stroke : NULL;
    l->is_tall = noise(seed) & 1;
    l->value = (int)(noise(seed) % 20000);
    l->from = (int64_t)noise(seed) - (1 << 20);
    l->to = l->from + (int64_t)noise(seed);
}

/* Any numbers and any text in a view: no crash, no trap, every cell painted, no control or
 * override in one, and a terminal shows them. */
SCENE(random_views_hold, 80, 24)
{
    static const uint8_t INSTRUMENTS[4] = {0, 127, 5, 40};
    static const struct chord_mark CHORDS[3] = {
        {0, "C"}, {1000, "F#m7b5/A#"}, {INT64_MAX / 4, "N.C."}};
    static const char LETTERS[128] = {[36] = 'z', [127] = 'x'};
    auto_cells held;
    struct terminal terminal = {.cells = &held};
    struct emit e;
    uint32_t seed = 5;
    assert_true(cells_init(&held, 80, 24));
    emit_init(&e, DEPTH_TRUE);
    s->view.file.name = "\033]0;x\a\xE2\x80\xAE\xFF.mid";
    s->view.message = (struct message_view){.text = "cannot read \033[2J"};
    add_takes(s);
    add_list(s);
    for (int i = 0; i < 200; i++) /* controllers and bends */
        add_message(s->score, 0, noise(&seed) % 9000, i % 3 ? 0xB0 : 0xE0,
                    i % 2 ? 7 : 64, noise(&seed) % 128);
    for (int i = 0; i < 600; i++) {
        struct view *v = &s->view;
        v->takes.n = (int)(noise(&seed) % 27);
        v->takes.shown = (int)(noise(&seed) % 28) - 1;
        v->machine.frontier_tick = wild(&seed);
        int64_t tick = wild(&seed);
        cells_resize(&s->cells, 1 + (int)(noise(&seed) % 230),
                     1 + (int)(noise(&seed) % 60));
        v->mode = (enum mode)(noise(&seed) % MODE_COUNT);
        v->port = (struct viewport){wild(&seed),
                                    wild(&seed),
                                    (int)wild(&seed),
                                    (int)wild(&seed),
                                    {{noise(&seed), (uint64_t)wild(&seed)}}};
        v->scale.pitches = (uint16_t)(noise(&seed) % 4096);
        v->scale.tonic = (int)(noise(&seed) % 12);
        v->kit = (struct kit_view){noise(&seed) % 4 == 0,
                                   {{noise(&seed), (uint64_t)wild(&seed)}},
                                   noise(&seed) & 1 ? LETTERS : NULL};
        v->chords =
            (struct chords_view){noise(&seed) & 1, noise(&seed) & 1, wild(&seed),
                                 wild(&seed),      CHORDS,           noise(&seed) % 4};
        v->cursor.tick = tick < 0 ? 0 : tick > INT64_MAX / 4 ? INT64_MAX / 4 : tick;
        v->cursor.pitch = (int)(noise(&seed) % 128);
        v->track = (int)(noise(&seed) % 6) - 1;
        v->grid.ticks = 1 + noise(&seed) % 2000;
        v->hole.box =
            (struct box){wild(&seed), wild(&seed), (int)(noise(&seed) % 128), 127};
        v->selection.has_box = true;
        v->selection.box =
            (struct box){wild(&seed), wild(&seed), 0, (int)(noise(&seed) % 128)};
        v->instruments.programs = INSTRUMENTS;
        for (int id = 0; id < LIST_COUNT; id++)
            v->lists[id] = (struct list_view){noise(&seed) & 1, 0, (int)wild(&seed),
                                              (int)wild(&seed)};
        v->lists[LIST_TAKES].n = v->takes.n;
        v->lists[LIST_TRACKS].n = (int)s->score->n_tracks;
        v->lists[LIST_INSTRUMENTS].n = (int)(noise(&seed) % 4);
        v->lists[LIST_STEER].n = (int)(noise(&seed) % 8);
        v->tracks.hide_others = noise(&seed) & 1;
        v->steer.lines = STEER_LINES;
        set_lane(&v->lane, &seed);
        s->theme = theme_by_name("auto", (enum depth)(noise(&seed) % 4), i & 1, i & 2);
        draw_over_all(&s->cells, v, &s->theme);
        check_cells(&s->cells);
        if (s->theme.depth == DEPTH_TRUE)
            check_shown(&terminal, &e, &s->cells);
    }
    emit_fini(&e);
}

/* Milliseconds, from the second frame on. */
static double ms_a_frame(struct scene *s, int n)
{
    s->view.survey = survey_create();
    s->view.version = 1;
    draw(s);
    clock_t start = clock();
    for (int i = 0; i < n; i++) {
        s->view.port.left_tick = i * 150000;
        draw(s);
    }
    double ms = 1000.0 * (double)(clock() - start) / CLOCKS_PER_SEC / n;
    print_message("%.2f ms a frame\n", ms);
    survey_destroy(s->view.survey);
    return ms;
}

/* A big file costs no more than what is seen of it; generous for sanitizers. */
SCENE(big_files_are_quick, 200, 50)
{
    for (int i = 0; i < 100000; i++)
        add_note(s->score, 0, 30 * (int64_t)i, i % 997 ? 60 : 40000, 30 + i * 7 % 60,
                 80);
    assert_true(ms_a_frame(s, 20) < 100);
}

/* As many tracks as a file may have: each is drawn without looking at all others. */
SCENE(many_tracks_are_quick, 80, 24)
{
    assert_true(score_make_room(s->score, UINT16_MAX));
    for (int i = 0; i < UINT16_MAX; i++)
        assert_true(score_add_track(s->score, "", 0, 0) >= 0);
    assert_true(ms_a_frame(s, 1) < 500);
}
