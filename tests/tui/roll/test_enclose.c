/* A view that encloses a take: whatever the notes and the screen, all of it is seen, each
 * pitch in a row of its own while there are rows, and no more is moved than it takes. */
#include "tests/check.h"
#include "tests/tui/noise.h"

#include "tui/roll/enclose.h"

enum { QUARTER = 480, BAR = 4 * QUARTER, MOST = 400 };

static const int SIZES[][2] = {{40, 12}, {80, 24}, {100, 30}, {200, 50}};
enum { N_SIZES = sizeof SIZES / sizeof *SIZES };

struct some {
    struct ghost ghosts[MOST];
    struct enclosing e;
};

static void add(struct some *s, int64_t start, int64_t length, int pitch)
{
    s->ghosts[s->e.n_ghosts++] = (struct ghost){
        .note = {.start = start, .length = length, .pitch = (uint8_t)pitch}};
    pitch_set_add(&s->e.needed, pitch);
    pitch_set_add(&s->e.wanted, pitch);
}

static void begin(struct some *s, int64_t from, int64_t to)
{
    s->e = (struct enclosing){
        .from = from, .to = to, .quarter = QUARTER, .lead = BAR, .ghosts = s->ghosts};
}

static void assert_seen(const struct viewport *p, const struct layout *l,
                        const struct enclosing *e)
{
    const struct region *r = &l->roll;
    assert_true(layout_column(l, p, e->from) >= r->column);
    assert_true(layout_column(l, p, e->to - 1) < r->column + r->columns);
    for (int pitch = 0; pitch < 128; pitch++) {
        int row = layout_row(l, p, pitch);
        if (pitch_set_has(&e->needed, pitch))
            assert_in_range(row, r->row + (pitch < 127), r->row + r->rows - 1);
    }
}

static int n_rows_of(const struct viewport *p, const struct layout *l,
                     const struct pitch_set *s)
{
    bool has[CELLS_MAX] = {false};
    int n = 0;
    for (int pitch = 0; pitch < 128; pitch++)
        if (pitch_set_has(s, pitch) && !has[layout_row(l, p, pitch)]) {
            has[layout_row(l, p, pitch)] = true;
            n++;
        }
    return n;
}

TEST(anything_is_seen)
{
    uint32_t seed = 7;
    for (int turn = 0; turn < 2000; turn++) {
        static struct some s;
        const int *size = SIZES[noise(&seed) % N_SIZES];
        struct layout l = layout_for(size[0], size[1]);
        int64_t from = (int64_t)(noise(&seed) % 50) * QUARTER;
        int64_t to = from + (int64_t)(1 + noise(&seed) % 64) * QUARTER;
        int n = (int)(noise(&seed) % 60), lo = (int)(noise(&seed) % 100);
        int width = 1 + (int)(noise(&seed) % (uint32_t)(128 - lo));
        begin(&s, from, to);
        for (int i = 0; i < n; i++)
            add(&s, from + (to - from) * i / n, QUARTER,
                lo + (int)(noise(&seed) % (uint32_t)width));
        struct viewport p = {.left_tick = (int64_t)(noise(&seed) % 100) * QUARTER,
                             .ticks_per_column = 1 + (int64_t)(noise(&seed) % 300),
                             .top_pitch = (int)(noise(&seed) % 128),
                             .rows_per_pitch = 1 + (int)(noise(&seed) % 3)};
        const int64_t zoom = p.ticks_per_column;
        viewport_enclose(&p, &l, &s.e);
        assert_seen(&p, &l, &s.e);
        assert_true(p.ticks_per_column == zoom || QUARTER % p.ticks_per_column == 0 ||
                    p.ticks_per_column % QUARTER == 0); /* beats are whole columns */
        int pitches = __builtin_popcountll(s.e.needed.at[0]) +
                      __builtin_popcountll(s.e.needed.at[1]);
        int rows = n_rows_of(&p, &l, &s.e.needed);
        if (pitches < l.roll.rows)
            assert_int_equal(rows, pitches);
    }
}

/* Two voices that move in thirds all the time have rows of their own; those that never
 * sound together share one. */
TEST(rows_are_shared_where_nothing_is_hidden)
{
    static struct some s;
    struct layout l = layout_for(80, 12);
    begin(&s, 0, 16 * BAR);
    for (int i = 0; i < 40; i++) {
        add(&s, i * QUARTER, QUARTER, 40 + i);
        add(&s, i * QUARTER, QUARTER, 80 + i);
    }
    struct viewport p = {.ticks_per_column = 120, .rows_per_pitch = 1};
    viewport_enclose(&p, &l, &s.e);
    assert_seen(&p, &l, &s.e);
    assert_int_equal(n_rows_of(&p, &l, &s.e.needed), l.roll.rows - 1);
    for (int i = 0; i < 40; i++)
        assert_int_not_equal(layout_row(&l, &p, 40 + i), layout_row(&l, &p, 80 + i));
}
