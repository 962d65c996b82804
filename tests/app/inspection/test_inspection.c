/* What an inspection promises, on models of random weights: that it reads what the model
 * reads, says of every token what the model says, and changes nothing. */
#include "tests/check.h"
#include "app/inspection/inspection.h"
#include "app/inspection/inspector.h"
#include "tests/app/inspection/inspection_desk.h"

DESK_TEST(test_notes_are_those_of_the_score, 16)
{
    const int note = read_note(&desk, 0, 5), n = desk.i->now.n_notes;
    const struct inspect_note *notes = desk.i->now.notes;
    const struct inspected_token *tokens = desk.i->now.tokens;
    assert_int_equal(n, 32);
    assert_int_equal(notes[note].note.start, 5 * QUARTER_TICKS);
    assert_int_equal(notes[note].note.length, QUARTER_TICKS);
    assert_int_equal(notes[note].note.pitch, 60 + 5 * 7 % 12);
    assert_int_equal(notes[note].track, 0);
    for (int k = 0; k < n; k++) {
        double sum = 0;
        for (int t = 0; t < notes[k].n_tokens; t++) {
            assert_int_equal(tokens[notes[k].first_token + t].note, k);
            sum += (double)tokens[notes[k].first_token + t].surprise;
        }
        assert_float_equal(sum, notes[k].surprise, 1e-3);
        assert_true(notes[k].surprise_of[INSPECTED_PITCH] > 0);
    }
    assert_surprise_is_the_models(&desk);
}

DESK_TEST(test_an_edit_is_followed, 16)
{
    read_note(&desk, 0, 15);
    uint64_t id = id_at(desk.score, 1, 9);
    assert_true(score_remove_note(desk.score, 1, id));
    read_note(&desk, 0, 15);
    assert_int_equal(inspection_find(desk.i, id), -1);
    assert_surprise_is_the_models(&desk);
    put_note(desk.score, 1, 9 * QUARTER_TICKS, QUARTER_TICKS, 48 - 9 * 5 % 7);
    read_note(&desk, 0, 15);
    assert_surprise_is_the_models(&desk);
}

DESK_TEST(test_looks_sum_to_one, 16)
{
    int note = read_note(&desk, 1, 10);
    for (int layer = -1; layer < 2; layer++)
        for (int head = -1; head < 2; head++) {
            struct inspected_look look = {.layer = layer, .head = head};
            assert_sums_to_one(&desk, note, look);
            look.many = LOOK_STRONGEST;
            assert_sums_to_one(&desk, note, look);
            look.many = 0;
            look.row = LOOK_OWN;
            assert_sums_to_one(&desk, note, look);
            look.row = 0;
            look.parts = 1 << INSPECTED_PITCH;
            assert_sums_to_one(&desk, note, look);
        }
}

/* By the rows of one head: what b gave to a is what a was given by b. */
DESK_TEST(test_being_looked_at_is_looking, 16)
{
    int b = read_note(&desk, 0, 12),
        a = inspection_find(desk.i, id_at(desk.score, 1, 3));
    const size_t n = (size_t)desk.i->now.n_notes;
    auto_free float *at = calloc(n, sizeof *at), *by = calloc(n, sizeof *by);
    float other[INSPECTED_KINDS];
    assert_non_null(at);
    assert_non_null(by);
    struct inspected_look look = {.layer = 1, .head = 1};
    assert_ok(inspection_weights(desk.i, b, &look, at, other));
    look.way = IS_LOOKED_AT_BY;
    assert_ok(inspection_weights(desk.i, a, &look, by, other));
    assert_true(other[INSPECTED_START - INSPECTED_NOTE_PARTS] ==
                0); /* nothing chose it */
    assert_true(at[a] > 0);
    assert_float_equal(at[a], by[b], 1e-6);
    struct inspected_pair pair;
    look.way = LOOKS_AT;
    assert_ok(inspection_pair(desk.i, b, a, &look, &pair));
    assert_true(pair.largest >= at[a] / 4 && pair.entropy > 0);
}

static double probability_without(struct desk *d, int track, int gone, int asked)
{
    auto_score *less = score_clone(d->score);
    struct inspection *i;
    assert_non_null(less);
    assert_true(score_remove_note(less, track, id_at(less, track, gone)));
    assert_ok(inspection_create(&i, d->f.model, d->f.pool, NULL));
    struct inspection_request r = of_note(id_at(d->score, 0, asked));
    assert_ok(inspection_read(i, less, &r));
    double nats = (double)i->now.notes[inspection_find(i, r.note)].surprise;
    inspection_destroy(i);
    return -nats;
}

DESK_TEST(test_muting_is_reading_without, 16)
{
    int note = read_note(&desk, 0, 12);
    const struct inspect_note *notes = desk.i->now.notes;
    for (int gone = 2; gone < 12; gone += 4) {
        struct inspected_effect e = muted(note, mute_note(1, gone));
        assert_float_equal(e.before, -notes[note].surprise, 1e-4);
        assert_float_equal(e.after, probability_without(&desk, 1, gone, 12), 1e-3);
        assert_true(fabsf(e.after - e.before) > 1e-6f);
    }
    struct inspected_effect later = muted(note, mute_note(1, 15));
    assert_float_equal(later.before, later.after, 1e-4);
    assert_matters(note, (struct inspected_mute){.what = MUTE_HEAD,
                                                 .head = {ATTENTION_SELF, 1, 1}});
    assert_matters(note, (struct inspected_mute){.what = MUTE_TRACK, .track = 1});
    assert_matters(note, (struct inspected_mute){.what = MUTE_SPAN,
                                                 .from = 4 * QUARTER_TICKS,
                                                 .to = 8 * QUARTER_TICKS});
    assert_surprise_is_the_models(&desk); /* what was read stands */
}

DESK_TEST(test_windows_have_every_note_once, 400)
{
    struct inspection_request r = of_note(0);
    size_t n_notes = 0;
    int own, n_windows = 1;
    for (int k = 0; k < n_windows; k++) {
        assert_ok(inspection_read_window(desk.i, desk.score, &r, k, &own));
        n_windows = (int)desk.i->windows.n;
        const int n = desk.i->now.n_notes;
        n_notes += (size_t)(n - own);
        assert_true(k == 0 || own > n / 2);
    }
    assert_int_equal(n_notes, 800);
    assert_true(n_windows > 5);
    int note = read_note(&desk, 0, 300);
    assert_true(note > 30); /* most of the context is before it */
}

static int32_t first_of_window(const struct score *s, int64_t tick)
{
    struct inspection_windows w;
    assert_ok(inspection_windows_init(&w, s, NULL, CONTEXT));
    int32_t first = w.list[inspection_windows_at(&w, tick)].first;
    inspection_windows_fini(&w);
    return first;
}

/* An edit far before moves the windows, but not what is being looked at. */
DESK_TEST(test_a_window_stands_while_it_serves, 400)
{
    int64_t from, from_after, tick = 300 * QUARTER_TICKS;
    while (desk.score->tracks[1].n_notes) /* so that windows are several bars apart */
        assert_true(score_remove_note(desk.score, 1, id_at(desk.score, 1, 0)));
    int note = read_note(&desk, 0, 300);
    from = desk.i->now.from_tick;
    int32_t first = first_of_window(desk.score, tick);
    for (int k = 0; k < 100 && first_of_window(desk.score, tick) == first; k++)
        put_note(desk.score, 1, (80 + k % 7) * QUARTER_TICKS + 10 * k, 60, 30 + k % 20);
    assert_int_not_equal(first_of_window(desk.score, tick), first);
    assert_int_equal(read_note(&desk, 0, 300), note);
    from_after = desk.i->now.from_tick;
    assert_int_equal(from, from_after);
    assert_surprise_is_the_models(&desk);
    struct inspection_request another = of_note(id_at(desk.score, 0, 300));
    another.piece = 1; /* as if it were */
    assert_ok(inspection_read(desk.i, desk.score, &another));
    from_after = desk.i->now.from_tick;
    assert_int_not_equal(from, from_after);
}

/* A piece that has become short is read whole, from wherever it was looked at. */
DESK_TEST(test_what_has_become_short_is_read_whole, 100)
{
    read_note(&desk, 0, 99);
    assert_true(desk.i->windows.n > 1);
    while (desk.score->tracks[1].n_notes)
        assert_true(score_remove_note(desk.score, 1, id_at(desk.score, 1, 0)));
    for (int k = 0; k < 60; k++) /* of those in the middle */
        assert_true(score_remove_note(desk.score, 0, id_at(desk.score, 0, 30)));
    read_note(&desk, 0, 39);
    assert_int_equal(desk.i->windows.n, 1);
    assert_int_equal(desk.i->now.n_notes, 40);
}

DESK_TEST(test_the_worst_bar, 4)
{
    struct bar bar;
    float mean;
    const struct note_surprise notes[] = {
        {.id = 1, .tick = 0, .nats = 2},    {.id = 2, .tick = 480, .nats = 2},
        {.id = 3, .tick = 1920, .nats = 1}, {.id = 4, .tick = 2400, .nats = 4},
        {.id = 5, .tick = 3840, .nats = 9}, /* alone in its bar */
    };
    const struct timeline *t = &desk.score->timeline;
    assert_true(surprise_worst_bar(t, notes, 5, &bar, &mean));
    assert_int_equal(bar.index, 1);
    assert_float_equal(mean, 2.5, 1e-6);
    assert_true(surprise_worst_bar(t, notes, 2, &bar, &mean));
    assert_int_equal(bar.index, 0);
    assert_false(surprise_worst_bar(t, notes, 0, &bar, &mean));
    assert_ptr_equal(surprise_find(notes, 5, 4), &notes[3]);
    assert_null(surprise_find(notes, 5, 6));
}

/* A cell of the matrix is the largest weight between its tokens, and -1 where no query of them sees
 * such a key. */
DESK_TEST(test_cells_are_the_largest_weights, 12)
{
    enum { ROWS = 7, COLUMNS = 9 };
    const struct inspected_look look = {.layer = 1, .head = 0, .of = ATTENTION_SELF};
    float cells[ROWS * COLUMNS], want[ROWS * COLUMNS], row[CONTEXT];
    read_note(&desk, 0, 3);
    const struct reading now = desk.i->now;
    const struct attention_head head = inspected_head(desk.i, &look, 0);
    for (int k = 0; k < ROWS * COLUMNS; k++)
        want[k] = -1;
    for (int q = 0, r = 0; q < now.n_tokens; q++) {
        int first, end;
        attention_visible(model_reader_decoder(desk.i->main), head, q, &first, &end);
        assert_ok(inspection_row(desk.i, q, &look, row));
        while ((r + 1) * now.n_tokens / ROWS <= q)
            r++;
        for (int k = first, c = 0; k < end; k++) {
            while ((c + 1) * now.n_tokens / COLUMNS <= k)
                c++;
            want[r * COLUMNS + c] = fmaxf(want[r * COLUMNS + c], row[k]);
        }
    }
    assert_ok(inspection_pool(desk.i, head, 1, ROWS, COLUMNS, cells));
    for (int k = 0; k < ROWS * COLUMNS; k++)
        assert_float_equal(cells[k], want[k], 1e-6);
}
