/* The fixture of all tests that draw: a score, a view of it, and a grid of cells. Whole
 * frames are compared with saved screens, which CONTINUO_GOLDEN=write saves again: the text,
 * then a sign for each cell, the colours and attributes of each sign, and the cursor. */
#ifndef TESTS_TUI_SCENE_H
#define TESTS_TUI_SCENE_H

#include "tests/midi/music.h"
#include "tests/tui/cells_text.h"
#include "tests/tui/noise.h"
#include "tui/terminal/frame.h"
#include "tui/view/layout.h"

#include <inttypes.h>

enum { SIXTEENTH = 120 };

/* -- saved screens, in tests/tui/golden: look at them before committing -- */

static inline char *golden_read(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("%s is missing; CONTINUO_GOLDEN=write makes it", path);
    char *text = calloc(1, 1 << 20);
    assert_true(text && fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

static inline void compare_text_with_golden(const char *got, const char *name)
{
    char path[4096];
    const char *home = getenv("CONTINUO_HOME");
    snprintf(path, sizeof path, "%s/tests/tui/golden/%s.txt", home ? home : ".", name);
    for (char *c = strrchr(path, '/'); *c; c++)
        *c = *c == '_' ? '-' : *c;
    const char *mode = getenv("CONTINUO_GOLDEN");
    if (mode && !strcmp(mode, "write")) {
        fprintf(stderr, "writes %s\n", path);
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        assert_true(fputs(got, f) >= 0);
        assert_int_equal(fclose(f), 0);
    }
    auto_free char *want = golden_read(path);
    if (strcmp(got, want) != 0)
        fail_msg("%s differs; now it is\n%s", path, got);
}

static const char PENS[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    "!#$%&()*+,-./:;<=>?@[]^_{|}~";
enum { MOST_PENS = sizeof PENS - 1 };

/* Of the first cell with the same colours and attributes; the ink of a blank does not count. */
static inline int find_pen(struct cell *pens, int *n, const struct cell *c)
{
    bool blank = c->glyph == ' ' && !c->attr;
    uint32_t fg = blank ? COLOUR_DEFAULT : c->fg;
    for (int i = 0; i < *n; i++)
        if (pens[i].fg == fg && pens[i].bg == c->bg && pens[i].attr == c->attr)
            return i;
    if (*n == MOST_PENS)
        return MOST_PENS - 1; /* the rest share a sign */
    pens[*n] = (struct cell){.fg = fg, .bg = c->bg, .attr = c->attr};
    return (*n)++;
}

/* What cells_to_text gives, the colours, and where the cursor is. The caller frees it. */
static inline char *cells_to_golden(const struct cells *c)
{
    enum { PEN_BYTES = 32 };
    struct cell pens[MOST_PENS];
    int n = 0, n_cells = c->columns * c->rows;
    char *text = cells_to_text(c);
    size_t used = strlen(text),
           room = used + (size_t)(n_cells + c->rows) + (MOST_PENS + 1) * PEN_BYTES;
    text = realloc(text, room);
    assert_non_null(text);
    for (int i = 0; i < n_cells; i++) {
        text[used++] = PENS[find_pen(pens, &n, &c->at[i])];
        if ((i + 1) % c->columns == 0)
            text[used++] = '\n';
    }
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, room - used,
                                 "%c %08" PRIx32 " %08" PRIx32 " %d\n", PENS[i],
                                 pens[i].fg, pens[i].bg, pens[i].attr);
    snprintf(text + used, room - used, "cursor %d %d\n", c->cursor_column,
             c->cursor_row);
    return text;
}

/* -- the scene -- */

struct scene {
    struct score *score;
    struct view view;
    struct theme theme;
    struct cells cells;
    struct ghost ghosts[3];
    struct take_row takes[26];
    uint64_t selected[1], replaced[8];
    struct layout layout; /* of the cells' size */
    char *text;           /* of the last rows_from */
};

static inline uint64_t add_note(struct score *s, int track, int64_t start,
                                int64_t length, int pitch, int velocity)
{
    uint64_t id = score_add_note(s, track, music_note(start, length, pitch, velocity));
    assert_true(id != 0);
    return id;
}

/* Three voices; the name of one is hostile. */
#define VOICES                                                                         \
    "480 | Soprano #52: 71q@60 70@68 71e@76 73@84 74q@92 76@100 74@108 73@116 71@124"  \
    " | Alto \033[31m\xE2\x80\xAE #52: 67q@60 66q.@68 70e@76 re 66@92 66@100 66s@108"  \
    " 66@116 67h@124"                                                                  \
    " | Bass #32: 52h@60 50e@68 49@76 47q@84 59@92 58e@100 59:2q1e@108"

/* Takes the score, which has one track at least. Without a port in the view it fits. */
static inline void scene_open(struct scene *s, struct score *score, int columns,
                              int rows, struct view view)
{
    *s = (struct scene){.score = score, .view = view};
    s->theme = theme_by_name("auto", DEPTH_TRUE, false, false);
    assert_true(cells_init(&s->cells, columns, rows));
    s->view.score = score;
    s->layout = layout_of(&(const struct view){0}, columns, rows);
    if (!view.port.ticks_per_column)
        viewport_fit(&s->view.port, &s->layout, score);
}

static inline void scene_init(struct scene *s, int columns, int rows)
{
    scene_open(s, score_of(VOICES), columns, rows,
               (struct view){.cursor = {20 * SIXTEENTH, 69},
                             .grid = {SIXTEENTH, "1/16"},
                             .transport.has_sound = true,
                             .file = {"aus-tiefer-not.mid", true, false},
                             .machine.model_name = "chorale"});
}

static inline void scene_fini(struct scene *s)
{
    cells_fini(&s->cells);
    score_destroy(s->score);
    free(s->text);
}

#define auto_scene __attribute__((cleanup(scene_fini))) struct scene

static inline void draw(struct scene *s)
{
    frame_draw(&s->cells, &s->view, &s->theme);
}

/* Draws; the screen's text from a row on, valid until the next call. */
static inline const char *rows_from(struct scene *s, int row)
{
    draw(s);
    free(s->text);
    s->text = cells_to_text(&s->cells);
    const char *at = s->text;
    while (row-- > 0)
        at = strchr(at, '\n') + 1;
    return at;
}

static inline void assert_ascii(const struct cells *c)
{
    for (int i = 0; i < c->columns * c->rows; i++)
        assert_in_range(c->at[i].glyph, ' ', '~');
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

typedef void scene_begin_fn(struct scene *s, int columns, int rows);

/* "steer_mono_40x12" begins as its name says: 40 columns, 12 rows, without colours. */
static inline void scene_begin(struct scene *s, scene_begin_fn *begin, const char *name)
{
    int columns = 0, rows = 0;
    const bool is_ascii = strstr(name, "_ascii_");
    const enum depth depth = is_ascii || strstr(name, "_mono_") ? DEPTH_MONO
                             : strstr(name, "_16_")             ? DEPTH_16
                             : strstr(name, "_256_")            ? DEPTH_256
                                                                : DEPTH_TRUE;
    assert_int_equal(sscanf(strrchr(name, '_'), "_%dx%d", &columns, &rows), 2);
    begin(s, columns, rows);
    s->theme = theme_by_name(strstr(name, "_contrast_") ? "contrast" : "auto", depth,
                             strstr(name, "_light_"), is_ascii);
}

static inline void scene_end(struct scene *s, const char *name)
{
    draw(s);
    auto_free char *now = cells_to_golden(&s->cells);
    compare_text_with_golden(now, name);
    if (s->theme.ascii)
        assert_ascii(&s->cells);
    scene_fini(s);
}

/* Draws screens of these names, up to NULL. `set` changes the i-th; NULL: it is left. */
static inline void check_screens(scene_begin_fn *begin,
                                 void (*set)(struct scene *, int),
                                 const char *const *names)
{
    for (int i = 0; names[i]; i++) {
        struct scene s;
        scene_begin(&s, begin, names[i]);
        if (set)
            set(&s, i);
        scene_end(&s, names[i]);
    }
}

/* A test against the saved screen of its name; the body sets what the view shows.
 *
 *   SCREEN(help_80x24) { s->view.mode = MODE_HELP; } */
#define SCREEN_OF(begin, name)                                                         \
    static void name##_sets(struct scene *s);                                          \
    TEST(name)                                                                         \
    {                                                                                  \
        struct scene s;                                                                \
        scene_begin(&s, begin, #name);                                                 \
        name##_sets(&s);                                                               \
        scene_end(&s, #name);                                                          \
    }                                                                                  \
    static void name##_sets(struct scene *s)
#define SCREEN(name) SCREEN_OF(scene_init, name)
/* With one statement as its body. */
#define SCREEN_WITH(begin, name, set)                                                  \
    SCREEN_OF(begin, name)                                                             \
    {                                                                                  \
        set;                                                                           \
    }

/* A test with a scene of its own. */
#define SCENE_OF(begin, name, columns, rows)                                           \
    static void name##_in(struct scene *s);                                            \
    TEST(name)                                                                         \
    {                                                                                  \
        struct scene s;                                                                \
        begin(&s, columns, rows);                                                      \
        name##_in(&s);                                                                 \
        scene_fini(&s);                                                                \
    }                                                                                  \
    static void name##_in(struct scene *s)
#define SCENE(name, columns, rows) SCENE_OF(scene_init, name, columns, rows)

static inline void add_takes(struct scene *s)
{
    static const int PITCHES[] = {62, 64, 66};
    for (int i = 0; i < 3; i++)
        s->ghosts[i] = (struct ghost){.track = 1,
                                      .note = {.start = (34 + 4 * i) * SIXTEENTH,
                                               .length = 4 * SIXTEENTH,
                                               .pitch = (uint8_t)PITCHES[i],
                                               .velocity = 80},
                                      .probability = 0.3f * (float)i};
    s->view.mode = MODE_TAKES;
    s->view.ghosts = (struct ghosts_view){.notes = s->ghosts, .n = 3};
    s->view.hole = (struct hole_view){
        true, {32 * SIXTEENTH, 48 * SIXTEENTH, 60, 68}, "bar 3", NULL};
    strcpy(s->view.takes.label, "take 2, seed 8");
    s->view.transport.is_playing = true;
    s->view.transport.tick = 26.2 * SIXTEENTH;
}

/* They wait, or are being written: of five, the third is shown, with its second note kept. */
static inline void add_list(struct scene *s)
{
    static const double NATS[] = {0.71, 0.64, 0.92, 1.4, 0.7};
    static const int RANKS[] = {3, 1, 4, 5, 2};
    for (int i = 0; i < 26; i++)
        s->takes[i] = (struct take_row){.number = i + 1,
                                        .rank = i < 5 ? RANKS[i] : i + 1,
                                        .n_notes = (size_t)(10 + 7 * i),
                                        .nats = NATS[i % 5],
                                        .masked = 0.013 * i,
                                        .is_drawn = i < 5,
                                        .seed = i == 3 ? UINT64_MAX : 8 + (uint64_t)i,
                                        .share = 0.2 * i};
    s->ghosts[1].is_kept = true;
    s->view.takes.rows = s->takes;
    s->view.takes.n = 5;
    s->view.takes.shown = 2;
    s->view.lists[LIST_TAKES] = (struct list_view){true, 5, 2, 0};
    s->view.machine.has_frontier = true;
    s->view.machine.frontier_tick = 46 * SIXTEENTH;
}

static const struct steer_line STEER_LINES[] = {
    {"temperature", "how bold", "1", 0.2, false},
    {"seed", "the dice", "18446744073709551615", -1, true},
    {"style", "the style", "folk", -1, true},
    {"density", "wish: notes per quarter on each track", "2.83", 0.8, true},
    {"voices", "wish: notes at once, on average", "any", -1, false},
    {"takes", "takes written at a time", "8", 1, true},
    {"polyphony", "most notes at once on a track", "any", -1, false}};

static inline void open_panel(struct scene *s, int chosen)
{
    s->view.mode = MODE_STEER;
    s->view.steer.lines = STEER_LINES;
    s->view.lists[LIST_STEER] =
        (struct list_view){true, sizeof STEER_LINES / sizeof STEER_LINES[0], chosen, 0};
    strcpy(s->view.steer.summary, "style folk, density 2.83, takes 8");
}

#endif
