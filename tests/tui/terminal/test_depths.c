/* The main view at many sizes and in every depth of colour, against saved screens: the
 * text, and below it a letter for each cell that tells its colours and attributes.
 * CONTINUO_GOLDEN=write saves them anew; look at them before committing. */
#include "tests/tui/scene.h"

#include <inttypes.h>

enum { STEP = 120, TRACKS = 4, MOST_PENS = 52, FILE_BYTES = 1 << 20 };

static uint64_t add(struct score *s, int track, int step, int length, int pitch)
{
    return add_note(s, track, (int64_t)step * STEP, (int64_t)length * STEP, pitch,
                    40 + 20 * (step % 5));
}

/* Everything that is to be told apart at once: tracks, a muted one, a selection, a hole
 * with ghosts and what they replace, the playhead and the cursor. */
static void full_init(struct scene *s, int columns, int rows)
{
    static const struct take_row TAKE = {
        .number = 1, .rank = 1, .n_notes = 3, .is_drawn = true, .share = 1};
    struct score *score = score_create(480);
    for (int t = 0; t < TRACKS; t++)
        assert_int_equal(score_add_track(score, "", (uint8_t)t, (uint8_t)(8 * t)), t);
    score->tracks[3].mute = true;
    for (int i = 0; i < 12; i++)
        for (int t = 0; t < TRACKS; t++)
            add(score, t, 4 * i, 3 + (i + t) % 2, 72 - 5 * t + (i * 5 + t) % 7);
    uint64_t selected = add(score, 0, 50, 2, 70), replaced = add(score, 0, 20, 2, 64);
    scene_open(s, score, columns, rows,
               (struct view){.version = 1,
                             .mode = MODE_TAKES,
                             .cursor = {8 * STEP, 69},
                             .grid.ticks = STEP,
                             .ghosts = {.notes = s->ghosts,
                                        .n = 3,
                                        .replaced = s->replaced,
                                        .n_replaced = 1},
                             .takes = {.rows = &TAKE, .n = 1, .label = "take 1"},
                             .hole = {true, {16 * STEP, 28 * STEP, 60, 71}, "bar 2", 0},
                             .selection = {.ids = s->selected,
                                           .n = 1,
                                           .has_box = true,
                                           .box = {50 * STEP, 54 * STEP, 68, 72}},
                             .transport = {.is_playing = true, .tick = 12.5 * STEP},
                             .file.name = "depths.mid",
                             .machine.model_name = "model"});
    s->selected[0] = selected;
    s->replaced[0] = replaced;
    for (int i = 0; i < 3; i++)
        s->ghosts[i] = (struct ghost){.track = i % 2,
                                      .note = {.start = (18 + 3 * i) * STEP,
                                               .length = 3 * STEP,
                                               .pitch = (uint8_t)(67 - i),
                                               .velocity = 90},
                                      .probability = 0.4f,
                                      .is_kept = i == 2};
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

static void check_depth(const char *name, int columns, int rows, const struct theme *t,
                        bool colours)
{
    static char now[FILE_BYTES];
    char file[64];
    struct scene s;
    full_init(&s, columns, rows);
    s.theme = *t;
    snprintf(now, sizeof now, "%s", rows_from(&s, 0));
    if (colours)
        write_colours(now, sizeof now, &s.cells);
    scene_fini(&s);
    snprintf(file, sizeof file, "depth-%s-%dx%d", name, columns, rows);
    compare_text_with_golden(now, file);
}

TEST(test_sizes)
{
    static const int SIZES[][2] = {
        {40, 12}, {80, 24}, {132, 46}, {200, 50}, {400, 120}};
    const struct theme t = theme_for(DEPTH_MONO, false, false);
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++)
        check_depth("mono", SIZES[i][0], SIZES[i][1], &t, false);
}

TEST(test_depths)
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
    for (size_t i = 0; i < sizeof themes / sizeof *themes; i++)
        check_depth(themes[i].name, 80, 24, &themes[i].theme, true);
}
