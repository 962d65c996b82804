/* Four-voice training data: what is read and what is refused, what the windows
 * drawn from it hold, and that every cell is measured once. The measure itself:
 * tests/app/lab/evaluation/test_eval_grid.c. */
#include "tests/check.h"
#include "app/lab/dataset/corpus_row.h"
#include "tests/app/grid_data.h"
#include "tests/app/own_folder.h"

static struct corpus *corpus;

static int set_up(void **state)
{
    char fault[128];
    return make_own_folder(state) || grid_data_write(in_folder("four.json")) ||
           !corpus_open_grid(&corpus, in_folder("four.json"), fault, sizeof fault);
}

static int tear_down(void **state)
{
    corpus_close(corpus);
    return remove_own_folder(state);
}

TEST(pieces_are_as_written)
{
    const struct corpus_group *all = corpus->groups;
    assert_int_equal(corpus->n_groups, 1);
    assert_string_equal(all->name, "four");
    assert_int_equal(all->n_pieces[CORPUS_TRAIN], 3);
    assert_int_equal(corpus->n_pieces[CORPUS_TRAIN], 3);
    assert_int_equal(corpus->n_pieces[CORPUS_VALID], 2);
    assert_int_equal(all->n_tokens[CORPUS_VALID], 4 * (50 + 55));
    assert_int_equal(all->n_notes[CORPUS_TEST], 4 * 9);
    const struct grid *g = &corpus->pieces[CORPUS_VALID][1].grid;
    for (int k = 0; k < g->n_steps; k++)
        for (int v = 0; v < GRID_VOICES; v++)
            assert_int_equal(grid_at(g, k, v)->pitch, grid_data_pitch(1, k, v));
    assert_int_equal(corpus->low[3], 46);
    assert_int_equal(corpus->high[3], 46 + 4 + 4);
}

static void assert_refused(const char *text, const char *why)
{
    char fault[128] = "";
    struct corpus *c = NULL;
    put_text("bad.json", text);
    assert_false(corpus_open_grid(&c, in_folder("bad.json"), fault, sizeof fault));
    assert_null(c);
    assert_string_equal(fault, why);
}

TEST(bad_files_are_refused_with_the_place)
{
    static const char *const JSON = "is not a JSON object of pieces",
                             *PITCH = "step 2 of piece 1 of train has a pitch that is "
                                      "not a number from -1 to 127",
                             *EMPTY = "holds no pieces to train on",
                             *STEPS = "piece 1 of train is not a list of steps";
    const char *const CASES[][2] = {
        {"", "is not JSON"},
        {"[1, 2]", JSON},
        {"{\"train\": [[[60,60,60,60]]]", "is not JSON"},
        {"{}", EMPTY},
        {"{\"train\": []}", EMPTY},
        {"{\"train\": {}}", "has a split that is not a list of pieces"},
        {"{\"train\": [7]}", STEPS},
        {"{\"train\": [[]]}", STEPS},
        {"{\"train\": [[[60,60,60]]]}",
         "step 1 of piece 1 of train must be four pitches"},
        {"{\"train\": [[[1,2,3,4]]], \"test\": [[[1,2,3,4],{}]]}",
         "step 2 of piece 1 of test must be four pitches"},
        {"{\"train\": [[[1,2,3,4],[1,2,3,128]]]}", PITCH},
        {"{\"train\": [[[1,2,3,4],[1,2,3,-2]]]}", PITCH},
        {"{\"train\": [[[1,2,3,4],[1,2,3,1e300]]]}", PITCH},
        {"{\"train\": [[[1,2,3,4],[1,2,3,60.5]]]}", PITCH},
        {"{\"train\": [[[1,2,3,4],[1,2,3,\"60\"]]]}", PITCH},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        assert_refused(CASES[i][0], CASES[i][1]);

    char fault[128];
    struct corpus *c = NULL;
    assert_false(corpus_open_grid(&c, "/tmp", fault, sizeof fault));
    assert_false(corpus_open_grid(&c, "/tmp/no/such", fault, sizeof fault));
}

static struct row_room room;

static void draw(const struct grid_lesson *l, uint64_t seed, uint64_t step, int index,
                 int length)
{
    const struct corpus_sequence row = row_in(&room, length);
    corpus->lesson = *l;
    assert_ok(corpus_draw(corpus, seed, step, index, &row));
}

/* That of a cell, so many semitones higher; -1: the piece is over. */
static int32_t token_of(const struct grid *g, int step, int voice, int shift)
{
    const int pitch = step < g->n_steps ? grid_at(g, step, voice)->pitch : 0;
    return step >= g->n_steps ? -1 : pitch < 0 ? GRID_REST : GRID_PITCH + pitch + shift;
}

/* The row is a window of this piece from this step on, shifted, then padding; the melody that is
 * heard and the voices that are told are those of the same window. */
static bool is_window(const struct grid *g, int first, int shift,
                      const struct grid_lesson *l, int length)
{
    const int n = l->told.n;
    for (int i = 0; i < length; i++) {
        const int32_t token = token_of(g, first + i / n, l->told.first + i % n, shift);
        const bool goes_on = i + 1 < length && first + (i + 1) / n < g->n_steps;
        if (room.targets[i] != token || (token < 0 && room.tokens[i] != GRID_PAD) ||
            (goes_on && room.tokens[i + 1] != token))
            return false;
    }
    for (int i = 1; l->heard.n && i < grid_lesson_source_length(l, length); i++)
        if (room.sources[i] != token_of(g, first + i - 1, 0, shift))
            return false;
    return room.tokens[0] == (first ? GRID_INSIDE : GRID_BOS) &&
           (!l->heard.n || room.sources[0] == room.tokens[0]);
}

/* Finds the piece that the row is of. */
static void find_window(const struct grid_lesson *l, int length, int *first, int *shift)
{
    for (int i = 0; i < corpus->n_pieces[CORPUS_TRAIN]; i++)
        for (*first = 0; *first < corpus->pieces[CORPUS_TRAIN][i].grid.n_steps;
             *first += 16)
            for (*shift = -12; *shift <= 12; ++*shift)
                if (is_window(&corpus->pieces[CORPUS_TRAIN][i].grid, *first, *shift, l,
                              length))
                    return;
    fail_msg("it is no window");
}

/* Of pieces that are shorter than a row, too, which is padded. */
TEST(drawn_rows_are_windows_in_other_keys)
{
    static const int LENGTHS[] = {100, ROW_MOST};
    const struct grid_lesson l = grid_lesson_for(false, false);
    int n_begin = 0, n_end = 0, n_shifted = 0;
    for (uint64_t step = 0; step < 220; step++) {
        const int length = LENGTHS[step >= 200];
        int first, shift;
        draw(&l, 3, step, 1, length);
        find_window(&l, length, &first, &shift);
        for (int i = 0; i < length; i++) {
            const int pitch = room.targets[i] - GRID_PITCH;
            assert_true(room.targets[i] < 0 ||
                        room.times[i] == grid_time(GRID_ALL, (size_t)i));
            assert_true(pitch < 0 ||
                        (pitch >= corpus->low[i % 4] && pitch <= corpus->high[i % 4]));
        }
        n_begin += first == 0;
        n_end += first >= 64;
        n_shifted += shift != 0;
    }
    assert_true(n_begin > 20 && n_end > 20 && n_shifted > 50 && n_shifted < 220);
}

/* However little of a piece a row holds, there is something in it to learn. */
TEST(short_rows_are_never_empty)
{
    const struct grid_lesson l = grid_lesson_for(false, false);
    for (int length = 5; length < 80; length += 3)
        for (uint64_t step = 0; step < 300; step++) {
            draw(&l, 3, step, 0, length);
            assert_true(room.targets[0] >= 0 && room.tokens[0] != GRID_PAD);
        }
}

TEST(a_melody_is_heard_with_what_accompanies_it)
{
    enum { LENGTH = 200, HEARD = 1 + 67 };
    const struct grid_lesson l = grid_lesson_for(true, false);
    assert_int_equal(grid_lesson_source_length(&l, LENGTH), HEARD);
    for (uint64_t step = 0; step < 100; step++) {
        int first, shift;
        draw(&l, 1, step, 0, LENGTH);
        find_window(&l, LENGTH, &first, &shift);
        for (int i = 1; i < LENGTH; i++)
            assert_int_equal(room.times[i], room.source_times[(i + 2) / 3]);
    }
}

static void count_cells(int index, int length, int counted[2][4 * 60])
{
    const struct grid_form told = corpus->lesson.told;
    struct grid_window w;
    const struct corpus_sequence row = row_in(&room, length);
    grid_window_find(corpus, CORPUS_VALID, length, index, &w);
    const struct grid *g = &corpus->pieces[CORPUS_VALID][w.piece].grid;
    assert_ok(corpus_window(corpus, CORPUS_VALID, CORPUS_PLAIN, index, 0, &row));
    for (int i = 0; i < length; i++) {
        const int cell = told.n * w.first_step + i;
        if (room.targets[i] < 0)
            continue;
        assert_true(i >= length / 2 || w.first_step == 0);
        assert_int_equal(room.targets[i],
                         token_of(g, cell / told.n, told.first + cell % told.n, 0));
        counted[w.piece][cell]++;
    }
}

static void assert_counted_once(struct grid_form told, int length)
{
    int counted[2][4 * 60] = {0};
    corpus->lesson = (struct grid_lesson){.told = told};
    const int n = corpus_n_windows(corpus, CORPUS_VALID, 1, length);
    assert_true(n >= 2);
    for (int i = 0; i < n; i++)
        count_cells(i, length, counted);
    for (int i = 0; i < told.n * 50; i++)
        assert_int_equal(counted[0][i], 1);
    for (int i = 0; i < told.n * 55; i++)
        assert_int_equal(counted[1][i], 1);
}

TEST(every_cell_counts_once_after_half_a_context)
{
    static const int LENGTHS[] = {8, 9, 16, 17, 30, 64, 127, 128, 129, 200, 512};
    for (size_t k = 0; k < sizeof LENGTHS / sizeof *LENGTHS; k++) {
        assert_counted_once(GRID_ALL, LENGTHS[k]);
        assert_counted_once(GRID_LOWER, LENGTHS[k]);
    }
}

GROUP(set_up, tear_down)
