/* Frames of the inspector, from weights made by hand: the wash, the strip, the matrix, the
 * heads and the figures, at several sizes and depths of colour; what the mouse finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/tui/scene.h"
#include "tui/view/inspect.h"

#include <math.h>
#include <time.h>

enum { MOST = 64, SIDE = 48, LAYERS = 4, HEADS = 8, TOKENS = 96 };

static struct inspect_note notes[MOST];
static float matrix[SIDE * SIDE];
static float thumbnails[LAYERS * HEADS * INSPECT_THUMBNAIL * INSPECT_THUMBNAIL];
static const struct inspect_bar BARS[] = {{3, 0}, {40, 1}, {77, 2}};
static struct inspect_view inspect;

/* A diagonal, a bar back, and what holds the beginning. */
static float weight_at(int query, int key, int n, int period)
{
    if (key > query)
        return -1;
    int back = query - key;
    double near = exp(-back * 24.0 / n), far = exp(-abs(back - period) * 12.0 / n);
    return (float)(0.9 * near + 0.7 * far + (key == 0 ? 0.3 : 0));
}

static void fill_map(float *to, int n, int period)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[i * n + j] = weight_at(i, j, n, period);
    shade_weights(SHADE_LINEAR, to, (size_t)n * (size_t)n, to);
}

static size_t collect_notes(const struct score *s)
{
    size_t n = 0;
    for (size_t t = 0; t < s->n_tracks; t++)
        for (size_t i = 0; i < s->tracks[t].n_notes && n < MOST; i++)
            notes[n++] = (struct inspect_note){.id = s->tracks[t].notes[i].id,
                                               .track = (int)t,
                                               .note = s->tracks[t].notes[i]};
    return n;
}

/* The chosen one is the alto's at the third bar's line; those before it are seen. */
static void weigh_notes(size_t n, int64_t here)
{
    float weights[MOST], shades[MOST];
    for (size_t i = 0; i < n; i++) {
        int64_t back = here - notes[i].note.start;
        weights[i] = back <= 0 ? -1 : 0.4f / (1 + (float)(i * 7 % 11));
        notes[i].surprise = (float)(i % 5);
    }
    shade_weights(inspect.scale, weights, n, shades);
    for (size_t i = 0; i < n; i++) {
        notes[i].weight = weights[i];
        notes[i].shade = shades[i];
    }
}

static void rank_notes(size_t n)
{
    for (int rank = 1; rank <= INSPECT_RANKED; rank++) {
        size_t best = n;
        for (size_t i = 0; i < n; i++)
            if (!notes[i].rank && notes[i].weight > 0 &&
                (best == n || notes[i].weight > notes[best].weight))
                best = i;
        if (best < n)
            notes[best].rank = (uint8_t)rank;
    }
}

static void add_figures(void)
{
    inspect.has_pair = inspect.has_time = true;
    inspect.weight = 0.412f;
    inspect.content = 2.68f;
    inspect.time = 1.44f;
    inspect.entropy = 1.9f;
    inspect.surprise = 0.31f;
    inspect.n_guesses = 3;
    inspect.guesses[0] = (struct inspect_guess){"G4", 0.73f, true};
    inspect.guesses[1] = (struct inspect_guess){"E4", 0.18f, false};
    inspect.guesses[2] = (struct inspect_guess){"A4", 0.09f, false};
    inspect.effects[0] = (struct inspect_effect){"bar 2", 0.73f, 0.41f, true};
    inspect.n_effects = 1;
    inspect.n_others = 3;
    inspect.others[0] = (struct inspect_share){"bar line", 0.09f};
    inspect.others[1] = (struct inspect_share){"start", 0.05f};
    inspect.others[2] = (struct inspect_share){"meter", 0.03f};
    inspect.n_parts = 3;
    inspect.parts[0] = (struct inspect_part){"pitch", 0.21f};
    inspect.parts[1] = (struct inspect_part){"duration", 0.08f};
    inspect.parts[2] = (struct inspect_part){"velocity", 0.02f};
}

static void begin(struct scene *s, int columns, int rows, const struct theme *t)
{
    scene_init(s, columns, rows);
    s->theme = *t;
    memset(notes, 0, sizeof notes);
    inspect = (struct inspect_view){.n_layers = LAYERS,
                                    .n_heads = HEADS,
                                    .layer = 2,
                                    .head = 4,
                                    .head_name = "same voice, a bar back",
                                    .muted_heads = 2,
                                    .matrix = {matrix, SIDE, SIDE},
                                    .thumbnails = thumbnails,
                                    .n_tokens = TOKENS,
                                    .chosen_from = 88,
                                    .chosen_to = 92,
                                    .pair_from = 52,
                                    .pair_to = 56,
                                    .bars = BARS,
                                    .n_bars = 3,
                                    .notes = notes,
                                    .chosen = 6,
                                    .pair = 11};
    fill_map(matrix, SIDE, SIDE / 3);
    for (int i = 0; i < LAYERS * HEADS; i++)
        fill_map(thumbnails + i * INSPECT_THUMBNAIL * INSPECT_THUMBNAIL,
                 INSPECT_THUMBNAIL, 1 + i % 7);
    inspect.n_notes = collect_notes(s->score);
    weigh_notes(inspect.n_notes, notes[inspect.chosen].note.start);
    rank_notes(inspect.n_notes);
    add_figures();
    s->view.mode = MODE_INSPECT;
    s->view.inspect = &inspect;
    struct layout l = layout_for(columns, rows);
    layout_inspect(&l);
    viewport_fit(&s->view.port, &l, s->score);
}

static void whole_screens(void **state)
{
    static const int SIZES[][2] = {{40, 12}, {80, 24}, {100, 34}, {132, 46}, {200, 50}};
    const struct theme t = theme_for(DEPTH_TRUE, false, false);
    (void)state;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        struct scene s;
        char name[64];
        begin(&s, SIZES[i][0], SIZES[i][1], &t);
        snprintf(name, sizeof name, "inspect-%dx%d", SIZES[i][0], SIZES[i][1]);
        check(&s, name);
    }
}

static void pages(void **state)
{
    static const char *const NAMES[INSPECT_PAGES] = {"", "matrix", "grid", "panel"};
    const struct theme t = theme_for(DEPTH_TRUE, false, false);
    (void)state;
    for (int page = INSPECT_MATRIX; page < INSPECT_PAGES; page++)
        for (int wide = 0; wide < 2; wide++) {
            struct scene s;
            char name[64];
            begin(&s, wide ? 132 : 80, wide ? 46 : 24, &t);
            inspect.page = (enum inspect_page)page;
            snprintf(name, sizeof name, "inspect-%s-%s", NAMES[page],
                     wide ? "132x46" : "80x24");
            check(&s, name);
        }
}

/* One is pinned: what the other looks at stands beside it. */
static void two_are_compared(void **state)
{
    static const int SIZES[][2] = {{80, 24}, {132, 46}};
    (void)state;
    for (int mono = 0; mono < 2; mono++)
        for (int i = 0; i < 2; i++) {
            struct scene s;
            char name[64];
            const struct theme t =
                theme_for(mono ? DEPTH_MONO : DEPTH_TRUE, false, false);
            begin(&s, SIZES[i][0], SIZES[i][1], &t);
            inspect.is_pinned = true;
            for (size_t k = 0; k < inspect.n_notes; k++)
                notes[k].compared = k % 3 ? 0 : 0.1f;
            snprintf(name, sizeof name, "inspect-pinned%s-%dx%d", mono ? "-mono" : "",
                     SIZES[i][0], SIZES[i][1]);
            check(&s, name);
        }
}

/* Without colour, and without more than ASCII, everything is still told apart. */
static void plain_screens(void **state)
{
    const struct {
        const char *name;
        struct theme theme;
        int columns, rows;
    } ALL[] = {
        {"mono-80x24", theme_for(DEPTH_MONO, false, false), 80, 24},
        {"mono-132x46", theme_for(DEPTH_MONO, false, false), 132, 46},
        {"ascii-80x24", theme_for(DEPTH_MONO, false, true), 80, 24},
        {"ascii-200x50", theme_for(DEPTH_MONO, false, true), 200, 50},
        {"16-132x46", theme_for(DEPTH_16, false, false), 132, 46},
        {"256-132x46", theme_for(DEPTH_256, false, false), 132, 46},
    };
    (void)state;
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++) {
        struct scene s;
        char name[64];
        begin(&s, ALL[i].columns, ALL[i].rows, &ALL[i].theme);
        snprintf(name, sizeof name, "inspect-%s", ALL[i].name);
        if (ALL[i].theme.ascii) {
            frame_draw(&s.cells, &s.view, &s.theme);
            for (int at = 0; at < ALL[i].columns * ALL[i].rows; at++)
                assert_in_range(s.cells.at[at].glyph, ' ', '~');
        }
        check(&s, name);
    }
}

/* -- cells -- */

static const struct cell *cell_of_note(struct scene *s, int i)
{
    struct layout l = layout_for(s->cells.columns, s->cells.rows);
    const struct note *n = &notes[i].note;
    layout_inspect(&l);
    int64_t column =
        layout_column(&l, &s->view.port, n->start + n->length - SIXTEENTH / 2);
    return cells_at(&s->cells, (int)column, layout_row(&l, &s->view.port, n->pitch));
}

/* The more weight, the further from the ground; what cannot be seen is the grey of notes
 * that are not asked about. */
static void the_wash_is_by_weight(void **state)
{
    (void)state;
    for (int light = 0; light < 2; light++) {
        struct scene s;
        const struct theme t = theme_for(DEPTH_TRUE, light, false);
        begin(&s, 132, 46, &t);
        frame_draw(&s.cells, &s.view, &s.theme);
        struct cell most = {0}, least = {0};
        bool has_most = false, has_least = false;
        for (int i = 0; i < (int)inspect.n_notes; i++) {
            const struct cell *cell = cell_of_note(&s, i);
            if (notes[i].weight < 0 || !cell)
                continue;
            if (notes[i].rank == 1) {
                most = *cell;
                has_most = true;
            } else if (notes[i].shade < 0.3f) {
                least = *cell;
                has_least = true;
            }
            assert_int_equal(cell->bg, shade_colour(&t, (double)notes[i].shade));
        }
        assert_true(has_most && has_least);
        assert_true(theme_contrast(most.bg, t.row_white) >
                    theme_contrast(least.bg, t.row_white));
        assert_int_equal(cell_of_note(&s, inspect.chosen)->bg, t.selected);
        scene_fini(&s);
    }
}

static double luminance_of(uint32_t rgb)
{
    return theme_contrast(rgb, 0);
}

static void shades_are_monotone(void **state)
{
    (void)state;
    for (int light = 0; light < 2; light++) {
        const struct theme t = theme_for(DEPTH_TRUE, light, false);
        for (int i = 1; i <= 200; i++) {
            double before = luminance_of(shade_colour(&t, (i - 1) / 200.0));
            double now = luminance_of(shade_colour(&t, i / 200.0));
            assert_true(light ? now <= before : now >= before);
        }
    }
    for (int ascii = 0; ascii < 2; ascii++) {
        const struct theme t = theme_for(DEPTH_MONO, false, ascii);
        uint32_t last = shade_glyph(&t, 0);
        int n = 1;
        assert_int_equal(last, ' ');
        for (int i = 1; i <= 100; i++) {
            n += shade_glyph(&t, i / 100.0) != last;
            last = shade_glyph(&t, i / 100.0);
        }
        assert_int_equal(n, ascii ? 10 : 6);
    }
}

static void scales(void **state)
{
    const float w[] = {-1, 0, 0.001f, 0.01f, 0.1f, 1, 0.1f};
    float s[7];
    (void)state;
    shade_weights(SHADE_LINEAR, w, 7, s);
    assert_true(s[0] < 0 && s[1] == 0 && s[5] == 1 && fabsf(s[4] - 0.1f) < 1e-6f);
    shade_weights(SHADE_LOG, w, 7, s);
    assert_true(s[0] < 0 && s[1] == 0 && s[5] == 1);
    assert_true(fabsf(s[2]) < 1e-5f && fabsf(s[4] - 2.0f / 3) < 1e-5f);
    shade_weights(SHADE_RANK, w, 7, s);
    assert_true(s[0] < 0 && s[1] == 0 && s[5] == 1);
    assert_true(s[4] == s[6] && s[3] < s[4] && s[2] < s[3] && s[2] > 0);
}

/* Drawn down to any size, a spike is not lost. */
static void no_spike_is_lost(void **state)
{
    const struct theme t = theme_for(DEPTH_TRUE, false, false);
    (void)state;
    for (int at = 0; at < SIDE; at += 5) {
        struct scene s;
        begin(&s, 80, 24, &t);
        inspect.page = INSPECT_MATRIX;
        for (int i = 0; i < SIDE * SIDE; i++)
            matrix[i] = 0;
        matrix[(SIDE - 1 - at / 2) * SIDE + at] = 1;
        frame_draw(&s.cells, &s.view, &s.theme);
        int n = 0;
        for (int i = 0; i < 80 * 24; i++)
            n += s.cells.at[i].fg == shade_viridis(1) ||
                 s.cells.at[i].bg == shade_viridis(1);
        assert_true(n > 0);
        scene_fini(&s);
    }
}

static void the_mouse_finds_heads_and_cells(void **state)
{
    const struct theme t = theme_for(DEPTH_TRUE, false, false);
    struct scene s;
    int seen = 0, layer, head, query, key;
    (void)state;
    begin(&s, 132, 46, &t);
    struct layout l = layout_for(132, 46);
    layout_inspect(&l);
    bool has[LAYERS][HEADS] = {{false}};
    for (int row = 0; row < 46; row++)
        for (int column = 0; column < 132; column++) {
            if (inspect_thumbnail_at(&l, &inspect, column, row, &layer, &head))
                has[layer][head] = true;
            if (inspect_cell_at(&l, &inspect, column, row, &query, &key)) {
                assert_in_range(query, 0, TOKENS - 1);
                assert_in_range(key, 0, TOKENS - 1);
                seen++;
            }
        }
    for (int i = 0; i < LAYERS * HEADS; i++)
        assert_true(has[i / HEADS][i % HEADS]);
    assert_true(seen > 300);
    scene_fini(&s);
}

/* Every size draws, and leaves no cell as it was; also with nothing to show. */
static void every_size_is_painted(void **state)
{
    const struct theme t = theme_for(DEPTH_TRUE, false, false);
    (void)state;
    for (int columns = 1; columns <= 260; columns += 23)
        for (int rows = 1; rows <= 80; rows += 7)
            for (int page = 0; page < INSPECT_PAGES; page++) {
                struct scene s;
                begin(&s, columns, rows, &t);
                inspect.page = (enum inspect_page)page;
                draw_over_all(&s.cells, &s.view, &s.theme);
                inspect = (struct inspect_view){
                    .page = inspect.page, .chosen = -1, .pair = -1, .busy = "reading"};
                draw_over_all(&s.cells, &s.view, &s.theme);
                scene_fini(&s);
            }
}

/* Generous, for sanitizers and busy machines. */
static void frames_are_quick(void **state)
{
    const struct theme t = theme_for(DEPTH_TRUE, false, false);
    enum { FRAMES = 40 };
    struct scene s;
    (void)state;
    begin(&s, 200, 50, &t);
    frame_draw(&s.cells, &s.view, &s.theme);
    clock_t start = clock();
    for (int i = 0; i < FRAMES; i++) {
        inspect.page = (enum inspect_page)(i % INSPECT_PAGES);
        frame_draw(&s.cells, &s.view, &s.theme);
    }
    double ms = 1000.0 * (double)(clock() - start) / CLOCKS_PER_SEC / FRAMES;
    print_message("%.2f ms a frame\n", ms);
    assert_true(ms < 100);
    scene_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_screens),
        cmocka_unit_test(pages),
        cmocka_unit_test(two_are_compared),
        cmocka_unit_test(plain_screens),
        cmocka_unit_test(the_wash_is_by_weight),
        cmocka_unit_test(shades_are_monotone),
        cmocka_unit_test(scales),
        cmocka_unit_test(no_spike_is_lost),
        cmocka_unit_test(the_mouse_finds_heads_and_cells),
        cmocka_unit_test(every_size_is_painted),
        cmocka_unit_test(frames_are_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
