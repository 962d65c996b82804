/* Frames of the inspector, from weights made by hand: the wash, the strip, the matrix, the
 * heads and the figures, at several sizes and depths of colour; what the mouse finds. */
#include "tests/tui/scene.h"
#include "tui/view/inspect.h"

enum { MOST = 64, SIDE = 48, LAYERS = 4, HEADS = 8, TOKENS = 96 };

static struct inspect_note notes[MOST];
static float matrix[SIDE * SIDE];
static float thumbnails[LAYERS * HEADS * INSPECT_THUMBNAIL * INSPECT_THUMBNAIL];
static const struct inspect_mark BARS[] = {{3, 0, ""}, {40, 1, ""}, {77, 2, ""}};
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
    shade_weights(SHADE_LINEAR, to, to, (size_t)n * (size_t)n, sizeof *to);
}

/* All of a score, seen from the one that begins here: the weights of those before it differ, and
 * five are ranked. */
static void weigh_notes(const struct score *s, int64_t here)
{
    size_t n = 0;
    for (size_t t = 0; t < s->n_tracks; t++)
        for (size_t i = 0; i < s->tracks[t].n_notes && n < MOST; i++, n++) {
            const struct note *note = &s->tracks[t].notes[i];
            const int nth = (int)n * 7 % 11;
            const float weight = note->start < here ? 0.4f / (float)(1 + nth) : -1;
            notes[n] = (struct inspect_note){
                .id = note->id,
                .track = (int)t,
                .note = *note,
                .weight = weight,
                .shade = weight < 0 ? -1 : weight / 0.4f,
                .rank = n < 11 && weight > 0 && nth < INSPECT_RANKED
                            ? (uint8_t)(nth + 1)
                            : 0,
                .is_chosen = (int)n == inspect.chosen,
                .first_token = (int)n == inspect.chosen ? 88
                               : (int)n == inspect.pair ? 52
                                                        : 0,
                .surprise = (float)(n % 5)};
        }
    inspect.n_notes = n;
}

static void begin(struct scene *s, int columns, int rows)
{
    scene_init(s, columns, rows);
    inspect = (struct inspect_view){
        .n_layers = LAYERS,
        .n_heads = HEADS,
        .layer = 2,
        .head = 4,
        .head_name = "same voice, a bar back",
        .most = 0.4f,
        .muted_heads = 2,
        .matrix = {matrix, SIDE, SIDE, NULL},
        .thumbnails = {thumbnails, INSPECT_THUMBNAIL, INSPECT_THUMBNAIL, NULL},
        .queries = {TOKENS, BARS, 3},
        .keys = {TOKENS, BARS, 3},
        .notes = notes,
        .chosen = 6,
        .pair = 11,
        .has_pair = true,
        .has_time = true,
        .weight = 0.412f,
        .content = 2.68f,
        .time = 1.44f,
        .entropy = 1.9f,
        .surprise = 0.31f,
        .n_guesses = 3,
        .guesses = {{"G4", 0.73f, true, true, 0},
                    {"E4", 0.18f, false, true, 0},
                    {"A4", 0.09f, false, true, 0}},
        .n_effects = 1,
        .effects = {{"bar 2", 0.73f, 0.41f, true}},
        .others[INSPECTED_BAR - INSPECTED_NOTE_PARTS] = 0.09f,
        .others[INSPECTED_START - INSPECTED_NOTE_PARTS] = 0.05f,
        .others[INSPECTED_METER - INSPECTED_NOTE_PARTS] = 0.03f,
        .surprise_of = {[INSPECTED_PITCH] = 0.21f,
                        [INSPECTED_DURATION] = 0.08f,
                        [INSPECTED_VELOCITY] = 0.02f}};
    fill_map(matrix, SIDE, SIDE / 3);
    for (int i = 0; i < LAYERS * HEADS; i++)
        fill_map(thumbnails + i * INSPECT_THUMBNAIL * INSPECT_THUMBNAIL,
                 INSPECT_THUMBNAIL, 1 + i % 7);
    weigh_notes(s->score, s->score->tracks[0].notes[inspect.chosen].start);
    s->view.mode = MODE_INSPECT;
    s->view.inspect = &inspect;
    const struct layout l = layout_of(&s->view, columns, rows);
    viewport_fit(&s->view.port, &l, s->score);
}

/* Without colour, and without more than ASCII, everything is still told apart. */
TEST(whole_screens)
{
    static const char *const NAMES[] = {"inspect_40x12", "inspect_80x24",
                                        "inspect_light_132x46", "inspect_ascii_80x24",
                                        NULL};
    check_screens(begin, NULL, NAMES);
}

static void turn_page(struct scene *s, int i)
{
    inspect.page = (enum inspect_page)(INSPECT_MATRIX + i);
}

TEST(pages)
{
    static const char *const NAMES[] = {"inspect_matrix_80x24", "inspect_grid_80x24",
                                        "inspect_panel_80x24", NULL};
    check_screens(begin, turn_page, NAMES);
}

static void pin(struct scene *s, int i)
{
    inspect.is_pinned = true;
    for (size_t k = 0; k < inspect.n_notes; k++)
        notes[k].compared = k % 3 ? 0 : 0.1f;
}

/* One is pinned: what the other looks at stands beside it. */
TEST(two_are_compared)
{
    static const char *const NAMES[] = {"inspect_pinned_132x46", NULL};
    check_screens(begin, pin, NAMES);
}

TEST(scales)
{
    const float w[] = {-1, 0, 0.001f, 0.01f, 0.1f, 1, 0.1f};
    float s[7];
    assert_true(shade_weights(SHADE_LINEAR, w, s, 7, sizeof *s) == 1);
    assert_true(s[0] < 0 && s[1] == 0 && s[5] == 1 && fabsf(s[4] - 0.1f) < 1e-6f);
    assert_true(shade_weights(SHADE_LOG, w, s, 7, sizeof *s) == 1);
    assert_true(s[0] < 0 && s[1] == 0 && s[5] == 1);
    assert_true(fabsf(s[2]) < 1e-5f && fabsf(s[4] - 2.0f / 3) < 1e-5f);
    assert_true(shade_weights(SHADE_RANK, w, s, 7, sizeof *s) == 1);
    assert_true(s[0] < 0 && s[1] == 0 && s[5] == 1);
    assert_true(s[4] == s[6] && s[3] < s[4] && s[2] < s[3] && s[2] > 0);
}

/* Drawn down to any size, a spike is not lost. */
TEST(no_spike_is_lost)
{
    for (int at = 0; at < SIDE; at += 5) {
        auto_scene s;
        begin(&s, 80, 24);
        inspect.page = INSPECT_MATRIX;
        for (int i = 0; i < SIDE * SIDE; i++)
            matrix[i] = 0;
        matrix[(SIDE - 1 - at / 2) * SIDE + at] = 1;
        draw(&s);
        int n = 0;
        for (int i = 0; i < 80 * 24; i++)
            n += s.cells.at[i].fg == shade_viridis(1) ||
                 s.cells.at[i].bg == shade_viridis(1);
        assert_true(n > 0);
    }
}

TEST(the_mouse_finds_heads_and_cells)
{
    auto_scene s;
    int seen = 0, layer, head, query, key;
    begin(&s, 132, 46);
    const struct layout l = layout_of(&s.view, 132, 46);
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
}

/* Every size draws, and leaves no cell as it was; also with nothing to show. */
TEST(every_size_is_painted)
{
    for (int columns = 1; columns <= 260; columns += 23)
        for (int rows = 1; rows <= 80; rows += 7)
            for (int page = 0; page < INSPECT_PAGES; page++) {
                auto_scene s;
                begin(&s, columns, rows);
                inspect.page = (enum inspect_page)page;
                draw_over_all(&s.cells, &s.view, &s.theme);
                inspect = (struct inspect_view){
                    .page = inspect.page, .chosen = -1, .pair = -1, .busy = "reading"};
                draw_over_all(&s.cells, &s.view, &s.theme);
            }
}
