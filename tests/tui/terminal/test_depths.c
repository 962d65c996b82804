/* The main view at many sizes and in every depth of colour, against saved screens: the
 * text, and below it a letter for each cell that tells its colours and attributes.
 * CONTINUO_GOLDEN=write saves them anew; look at them before committing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tui/terminal/frame.h"
#include "tui/view/layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 120, TRACKS = 4, MOST_PENS = 52, FILE_BYTES = 1 << 20 };

struct scene {
    struct score *score;
    struct view view;
    struct ghost ghosts[3];
    struct take_row take;
    uint64_t selected, replaced;
    struct cells cells;
};

static uint64_t add(struct score *s, int track, int step, int length, int pitch)
{
    struct note n = {.start = (int64_t)step * STEP,
                     .length = (int64_t)length * STEP,
                     .pitch = (uint8_t)pitch,
                     .velocity = (uint8_t)(40 + 20 * (step % 5))};
    uint64_t id = score_add_note(s, track, n);
    assert_true(id != 0);
    return id;
}

/* Everything that is to be told apart at once: tracks, a muted one, a selection, a hole
 * with ghosts and what they replace, the playhead and the cursor. */
static void scene_init(struct scene *s, int columns, int rows)
{
    *s = (struct scene){.score = score_create(480)};
    assert_non_null(s->score);
    for (int t = 0; t < TRACKS; t++)
        assert_int_equal(score_add_track(s->score, "", (uint8_t)t, (uint8_t)(8 * t)),
                         t);
    s->score->tracks[3].mute = true;
    for (int i = 0; i < 12; i++)
        for (int t = 0; t < TRACKS; t++)
            add(s->score, t, 4 * i, 3 + (i + t) % 2, 72 - 5 * t + (i * 5 + t) % 7);
    s->selected = add(s->score, 0, 50, 2, 70);
    s->replaced = add(s->score, 0, 20, 2, 64);
    for (int i = 0; i < 3; i++)
        s->ghosts[i] = (struct ghost){.track = i % 2,
                                      .note = {.start = (18 + 3 * i) * STEP,
                                               .length = 3 * STEP,
                                               .pitch = (uint8_t)(67 - i),
                                               .velocity = 90},
                                      .probability = 0.4f,
                                      .is_kept = i == 2};
    s->take = (struct take_row){
        .number = 1, .rank = 1, .n_notes = 3, .is_drawn = true, .share = 1};
    struct layout l = layout_for(columns, rows);
    s->view = (struct view){.score = s->score,
                            .version = 1,
                            .mode = MODE_TAKES,
                            .cursor.tick = 8 * STEP,
                            .cursor.pitch = 69,
                            .grid.ticks = STEP,
                            .ghosts.notes = s->ghosts,
                            .ghosts.n = 3,
                            .takes.rows = &s->take,
                            .takes.n = 1,
                            .hole.is_shown = true,
                            .hole.box = {16 * STEP, 28 * STEP, 60, 71},
                            .hole.label = "bar 2",
                            .takes.label = "take 1",
                            .selection.ids = &s->selected,
                            .selection.n = 1,
                            .selection.has_box = true,
                            .selection.box = {50 * STEP, 54 * STEP, 68, 72},
                            .ghosts.replaced = &s->replaced,
                            .ghosts.n_replaced = 1,
                            .transport.is_playing = true,
                            .transport.tick = 12.5 * STEP,
                            .file.name = "depths.mid",
                            .machine.model_name = "model"};
    viewport_fit(&s->view.port, &l, s->score);
    assert_true(cells_init(&s->cells, columns, rows));
}

static void scene_fini(struct scene *s)
{
    cells_fini(&s->cells);
    score_destroy(s->score);
}

/* -- cells as a file -- */

struct pen {
    uint32_t fg, bg;
    int attr;
};

/* Of a blank the ink does not count. */
static struct pen pen_of(const struct cell *c)
{
    bool blank = c->glyph == ' ' && !c->attr;
    return (struct pen){blank ? COLOUR_DEFAULT : c->fg, c->bg, c->attr};
}

static int find_pen(struct pen *pens, int *n, struct pen pen)
{
    for (int i = 0; i < *n; i++)
        if (pens[i].fg == pen.fg && pens[i].bg == pen.bg && pens[i].attr == pen.attr)
            return i;
    if (*n == MOST_PENS)
        return MOST_PENS - 1; /* the rest share a letter */
    pens[*n] = pen;
    return (*n)++;
}

static char letter(int i)
{
    return (char)(i < 26 ? 'a' + i : 'A' + i - 26);
}

static void write_colours(char *to, size_t room, const struct cells *c)
{
    struct pen pens[MOST_PENS];
    int n = 0;
    size_t used = strlen(to);
    for (int row = 0; row < c->rows; row++)
        for (int column = 0; column <= c->columns && used + 2 < room; column++)
            to[used++] =
                column == c->columns
                    ? '\n'
                    : letter(find_pen(pens, &n,
                                      pen_of(&c->at[row * c->columns + column])));
    to[used] = '\0';
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(to + used, room - used,
                                 "%c %08" PRIx32 " %08" PRIx32 " %d\n", letter(i),
                                 pens[i].fg, pens[i].bg, pens[i].attr);
}

static void read_golden(const char *path, char *to, size_t room)
{
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(to, 1, room - 1, f) : 0;
    to[n] = '\0';
    if (f)
        fclose(f);
}

static void write_golden(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void check(const char *name, int columns, int rows, const struct theme *t,
                  bool colours)
{
    static char now[FILE_BYTES], want[FILE_BYTES];
    char path[256];
    struct scene s;
    scene_init(&s, columns, rows);
    frame_draw(&s.cells, &s.view, t);
    char *text = cells_to_text(&s.cells);
    assert_non_null(text);
    snprintf(now, sizeof now, "%s", text);
    if (colours)
        write_colours(now, sizeof now, &s.cells);
    free(text);
    scene_fini(&s);
    snprintf(path, sizeof path, "tests/tui/golden/depth-%s-%dx%d.txt", name, columns,
             rows);
    const char *wish = getenv("CONTINUO_GOLDEN");
    if (wish && !strcmp(wish, "write"))
        write_golden(path, now);
    read_golden(path, want, sizeof want);
    if (strcmp(now, want) != 0)
        fail_msg("%s differs; now it is\n%s", path, now);
}

static void test_sizes(void **state)
{
    static const int SIZES[][2] = {
        {40, 12}, {80, 24}, {132, 46}, {200, 50}, {400, 120}};
    const struct theme t = theme_for(DEPTH_MONO, false, false);
    (void)state;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++)
        check("mono", SIZES[i][0], SIZES[i][1], &t, false);
}

static void test_depths(void **state)
{
    const struct {
        const char *name;
        struct theme theme;
    } themes[] = {
        {"mono-attributes", theme_for(DEPTH_MONO, false, false)},
        {"ascii", theme_for(DEPTH_MONO, false, true)},
        {"16-dark", theme_for(DEPTH_16, false, false)},
        {"16-light", theme_for(DEPTH_16, true, false)},
        {"256-dark", theme_for(DEPTH_256, false, false)},
        {"true-dark", theme_for(DEPTH_TRUE, false, false)},
        {"true-light", theme_for(DEPTH_TRUE, true, false)},
        {"contrast", theme_by_name("contrast", DEPTH_TRUE, false, false)},
    };
    (void)state;
    for (size_t i = 0; i < sizeof themes / sizeof *themes; i++)
        check(themes[i].name, 80, 24, &themes[i].theme, true);
}

/* Every size between draws, and stays within itself. */
static void test_every_size(void **state)
{
    const struct theme t = theme_for(DEPTH_TRUE, false, false);
    (void)state;
    for (int columns = 1; columns <= 420; columns += 19)
        for (int rows = 1; rows <= 130; rows += 7) {
            struct scene s;
            scene_init(&s, columns, rows);
            frame_draw(&s.cells, &s.view, &t);
            assert_true(s.cells.columns == columns && s.cells.rows == rows);
            scene_fini(&s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_depths),
        cmocka_unit_test(test_every_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
