/* A hand-made score, the view of it, and what lies over it; for whole frames against saved
 * screens (golden.h) and for looks at single cells. Include cmocka.h before it. */
#ifndef TESTS_TUI_SCENE_H
#define TESTS_TUI_SCENE_H

#include "tests/tui/golden.h"
#include "tui/terminal/frame.h"

enum { SIXTEENTH = 120 };

struct scene {
    struct score *score;
    struct view view;
    struct theme theme;
    struct cells cells;
    struct ghost ghosts[3];
    struct take_row takes[26];
    uint64_t selected[1], replaced[8];
};

/* Pitch and length in sixteenths, in turn; pitch 0 is a rest. */
static inline void add_line(struct score *s, int track, const int *line, int n)
{
    int64_t at = 0;
    for (int i = 0; i + 1 < n; i += 2) {
        struct note note = {.start = at,
                            .length = (int64_t)SIXTEENTH * line[i + 1],
                            .pitch = (uint8_t)line[i],
                            .velocity = (uint8_t)(60 + 4 * i)};
        if (line[i])
            assert_true(score_add_note(s, track, note) != 0);
        at += note.length;
    }
}

static inline struct score *make_score(void)
{
    static const int SOPRANO[] = {71, 4,  70, 4,  71, 2,  73, 2,  74,
                                  4,  76, 4,  74, 4,  73, 4,  71, 4};
    static const int ALTO[] = {67, 4,  66, 6,  70, 2,  0, 2,  66,
                               2,  66, 2,  66, 1,  66, 1, 67, 8};
    static const int BASS[] = {52, 8, 50, 2, 49, 2, 47, 4, 59, 4, 58, 2, 59, 10};
    struct score *s = score_create(480);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "Soprano", 0, 52), 0);
    assert_int_equal(score_add_track(s, "Alto \033[31m\xE2\x80\xAE", 1, 52), 1);
    assert_int_equal(score_add_track(s, "Bass", 2, 32), 2);
    add_line(s, 0, SOPRANO, sizeof SOPRANO / sizeof SOPRANO[0]);
    add_line(s, 1, ALTO, sizeof ALTO / sizeof ALTO[0]);
    add_line(s, 2, BASS, sizeof BASS / sizeof BASS[0]);
    return s;
}

static inline void scene_init(struct scene *s, int columns, int rows)
{
    *s = (struct scene){.score = make_score()};
    s->theme = theme_for(DEPTH_TRUE, false, false);
    assert_true(cells_init(&s->cells, columns, rows));
    s->view = (struct view){.score = s->score,
                            .cursor.tick = 20 * SIXTEENTH,
                            .cursor.pitch = 69,
                            .grid.ticks = SIXTEENTH,
                            .grid.name = "1/16",
                            .transport.has_sound = true,
                            .file.name = "aus-tiefer-not.mid",
                            .machine.model_name = "chorale",
                            .file.is_modified = true};
    struct layout l = layout_for(columns, rows);
    viewport_fit(&s->view.port, &l, s->score);
}

static inline void scene_fini(struct scene *s)
{
    cells_fini(&s->cells);
    score_destroy(s->score);
}

/* A frame that leaves no cell as it was. */
static inline void draw_over_all(struct cells *c, const struct view *v,
                                 const struct theme *t)
{
    enum { UNPAINTED = 0xE000 }; /* for private use: nothing is drawn with it */
    struct region all = {0, 0, c->columns, c->rows};
    cells_fill(c, all, UNPAINTED, COLOUR_DEFAULT, COLOUR_DEFAULT);
    frame_draw(c, v, t);
    for (int i = 0; i < c->columns * c->rows; i++)
        if (c->at[i].glyph == UNPAINTED)
            fail_msg("%dx%d, mode %d: column %d of row %d is not painted", c->columns,
                     c->rows, v->mode, i % c->columns, i / c->columns);
}

static inline void check(struct scene *s, const char *name)
{
    frame_draw(&s->cells, &s->view, &s->theme);
    compare_with_golden(&s->cells, name);
    scene_fini(s);
}

static inline const struct cell *cell_of(struct scene *s, int64_t tick, int pitch)
{
    struct layout l = layout_for(s->cells.columns, s->cells.rows);
    return cells_at(&s->cells, (int)layout_column(&l, &s->view.port, tick),
                    layout_row(&l, &s->view.port, pitch));
}

static inline void add_takes(struct scene *s)
{
    static const int PITCHES[] = {62, 64, 66};
    for (int i = 0; i < 3; i++)
        s->ghosts[i] = (struct ghost){
            .track = 1,
            .note = {.start = (34 + 4 * i) * SIXTEENTH,
                     .length = 4 * SIXTEENTH,
                     .pitch = (uint8_t)PITCHES[i],
                     .velocity = 80},
            .probability = 0.3f * (float)i,
        };
    s->view.mode = MODE_TAKES;
    s->view.ghosts.notes = s->ghosts;
    s->view.ghosts.n = 3;
    s->view.hole.is_shown = true;
    s->view.hole.box = (struct box){32 * SIXTEENTH, 48 * SIXTEENTH, 60, 68};
    s->view.hole.label = "bar 3";
    s->view.takes.label = "take 2, seed 8";
    s->view.transport.is_playing = true;
    s->view.transport.tick = 26.2 * SIXTEENTH;
}

/* They wait, or are being written: of five, the third is shown, with its second note kept. */
static inline void add_list(struct scene *s)
{
    static const double NATS[] = {0.71, 0.64, 0.92, 1.4, 0.7};
    static const int RANKS[] = {3, 1, 4, 5, 2};
    for (int i = 0; i < 26; i++)
        s->takes[i] = (struct take_row){
            .number = i + 1,
            .rank = i < 5 ? RANKS[i] : i + 1,
            .n_notes = (size_t)(10 + 7 * i),
            .nats = NATS[i % 5],
            .masked = 0.013 * i,
            .is_drawn = i < 5,
            .seed = i == 3 ? UINT64_MAX : 8 + (uint64_t)i,
            .share = 0.2 * i,
        };
    s->ghosts[1].is_kept = true;
    s->view.takes.rows = s->takes;
    s->view.takes.n = 5;
    s->view.takes.shown = 2;
    s->view.takes.is_listed = true;
    s->view.machine.has_frontier = true;
    s->view.machine.frontier_tick = 46 * SIXTEENTH;
}

static const struct steer_line STEER_LINES[] = {
    {"temperature", "how bold", "1", 0.2, false},
    {"seed", "the dice", "18446744073709551615", -1, true},
    {"style", "what it is to sound like", "folk", -1, true},
    {"density", "wish: notes in a quarter on each track", "2.83", 0.8, true},
    {"voices", "wish: notes at once, on the mean", "any", -1, false},
    {"takes", "how many are written side by side", "8", 1, true},
    {"polyphony", "at most so many notes at once on a track", "any", -1, false},
};

static inline void open_panel(struct scene *s, int chosen)
{
    s->view.mode = MODE_STEER;
    s->view.steer.lines = STEER_LINES;
    s->view.steer.n = sizeof STEER_LINES / sizeof STEER_LINES[0];
    s->view.steer.chosen = chosen;
    s->view.steer.summary = "style folk, density 2.83, takes 8";
}

#endif
