/* Controllers: what is read of them, and that putting others in their place changes
 * nothing else, byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "midi/edit/controllers.h"
#include "midi/smf/smf.h"
#include "tests/midi/edit/random_smf.h"
#include "tests/midi/edit/smf_bytes.h"

#include <string.h>

static const struct control PEDAL = {CONTROL_CHANGE, CC_PEDAL};
static const struct control VOLUME = {CONTROL_CHANGE, CC_VOLUME};
static const struct control BEND = {CONTROL_BEND, 0};

/* A note, a pedal pressed and lifted, a reset where the pedal would be pressed, a bend. */
BYTES(SMALL, HEADER(0, 1, 96),
      TRACK(0, 0xB0, 121, 0, 0, 0x90, 60, 64, 96, 0xB0, 64, 127, 0, 0xB1, 64, 1, 96,
            0xB0, 64, 0, 0, 0xE0, 1, 65, 0, 0x80, 60, 64, 0, END));

static size_t collect(const struct score *s, int track, struct control k,
                      struct control_point *out, size_t most)
{
    const struct track *t = &s->tracks[track];
    const struct chunk *c = &s->chunks[t->chunk];
    size_t n = 0;
    for (size_t i = 0; i < c->n_events && n < most; i++) {
        int value = control_value(&c->events[i], t->channel, k);
        if (value >= 0)
            out[n++] = (struct control_point){c->events[i].tick, value};
    }
    return n;
}

static void values_are_read(void **state)
{
    (void)state;
    struct score *s = read_bytes(SMALL, sizeof SMALL, NULL);
    struct control_point p[8];
    assert_int_equal(collect(s, 0, PEDAL, p, 8), 2);
    assert_int_equal(p[0].tick, 96);
    assert_int_equal(p[0].value, 127);
    assert_int_equal(collect(s, 0, BEND, p, 8), 1);
    assert_int_equal(p[0].value, 65 << 7 | 1);
    struct control_set set;
    controls_of_track(s, 0, &set);
    assert_true(set.has[CONTROL_BEND] && set.has_change[64] && set.has_change[121]);
    assert_false(set.has[CONTROL_PRESSURE] || set.has_change[7]);
    score_destroy(s);
}

static void what_holds(void **state)
{
    (void)state;
    static const struct control_point P[] = {{10, 5}, {20, 6}, {20, 7}, {30, 8}};
    assert_int_equal(control_held(P, 4, 9, VOLUME), 100);
    assert_int_equal(control_held(P, 4, 10, VOLUME), 5);
    assert_int_equal(control_held(P, 4, 20, VOLUME), 7);
    assert_int_equal(control_held(P, 4, INT64_MAX, VOLUME), 8);
    assert_int_equal(control_held(NULL, 0, 0, BEND), BEND_CENTRE);
    assert_int_equal(control_first_point(P, 4, 20), 1);
    assert_int_equal(control_first_point(P, 4, 31), 4);
}

/* In a broken file data may pass 127, and messages may be cut. */
static void nonsense_says_nothing(void **state)
{
    (void)state;
    uint8_t data[] = {0xB0, 64, 0x80};
    struct event e = {.n_data = 3, .data = data};
    assert_int_equal(control_value(&e, 0, PEDAL), -1);
    data[2] = 127;
    assert_int_equal(control_value(&e, 0, PEDAL), 127);
    assert_int_equal(control_value(&e, 1, PEDAL), -1);
    e.n_data = 2;
    assert_int_equal(control_value(&e, 0, PEDAL), -1);
}

static void do_change(struct history *h, struct score *s, struct control k,
                      int64_t from, int64_t to, const struct control_point *p, size_t n)
{
    struct change *c = change_create("x");
    assert_int_equal(change_control(c, s, 0, k, from, to, p, n), MIDI_OK);
    assert_int_equal(history_do(h, s, c), MIDI_OK);
}

static void a_span_is_replaced(void **state)
{
    (void)state;
    struct score *s = read_bytes(SMALL, sizeof SMALL, NULL);
    struct history *h = history_create();
    struct control_point p[8], new[] = {{0, 127}, {96, 1}, {100, 64}};
    do_change(h, s, PEDAL, 0, 150, new, 3);
    assert_int_equal(collect(s, 0, PEDAL, p, 8), 4);
    for (int i = 0; i < 3; i++)
        assert_true(p[i].tick == new[i].tick &&p[i].value == new[i].value);
    assert_int_equal(p[3].tick, 192);
    /* After the reset at that tick, which would have undone it; the notes as before. */
    BYTES(WANT, HEADER(0, 1, 96),
          TRACK(0, 0xB0, 121, 0, 0, 0xB0, 64, 127, 0, 0x90, 60, 64, 96, 0xB0, 64, 1, 0,
                0xB1, 64, 1, 4, 0xB0, 64, 64, 92, 0xB0, 64, 0, 0, 0xE0, 1, 65, 0, 0x80,
                60, 64, 0, END));
    uint8_t *got = NULL;
    size_t n_got = 0;
    assert_int_equal(smf_write(s, &got, &n_got), MIDI_OK);
    struct score *again = NULL;
    assert_int_equal(smf_read(&again, got, n_got, NULL), MIDI_OK);
    struct score *want = read_bytes(WANT, sizeof WANT, NULL);
    assert_true(score_equal(again, want));
    free(got);
    score_destroy(again);
    score_destroy(want);
    assert_true(history_undo(h, s, NULL));
    assert_writes(s, SMALL, sizeof SMALL);
    history_destroy(h);
    score_destroy(s);
}

static void bends_keep_fourteen_bits(void **state)
{
    (void)state;
    struct score *s = score_create(96);
    struct history *h = history_create();
    assert_int_equal(score_add_track(s, "a", 3, 0), 0);
    enum { N = 1024 };
    struct control_point in[N], out[N];
    for (int i = 0; i < N; i++)
        in[i] = (struct control_point){10 * i, i == N - 1 ? 0x3FFF : i * 16 + i % 16};
    do_change(h, s, BEND, 0, 10 * N, in, N);
    uint8_t *bytes = NULL;
    size_t n = 0;
    assert_int_equal(smf_write(s, &bytes, &n), MIDI_OK);
    struct score *again = read_bytes(bytes, n, NULL);
    assert_int_equal(collect(again, 0, BEND, out, N), N);
    for (int i = 0; i < N; i++) {
        assert_int_equal(out[i].tick, in[i].tick);
        assert_int_equal(out[i].value, in[i].value);
    }
    free(bytes);
    score_destroy(again);
    score_destroy(s);
    history_destroy(h);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct score *s = read_bytes(SMALL, sizeof SMALL, NULL);
    struct change *c = change_create("x");
    struct control_point p[] = {{10, 128}, {5, 1}};
    struct control program = {CONTROL_PROGRAM, 0};
    assert_int_equal(change_control(c, s, 0, PEDAL, 0, 20, p, 1), MIDI_BAD_EDIT);
    p[0].value = 5;
    assert_int_equal(change_control(c, s, 0, PEDAL, 0, 20, p, 2), MIDI_BAD_EDIT);
    assert_int_equal(change_control(c, s, 0, PEDAL, 11, 20, p, 1), MIDI_BAD_EDIT);
    assert_int_equal(change_control(c, s, 9, PEDAL, 0, 20, p, 1), MIDI_BAD_EDIT);
    assert_int_equal(change_control(c, s, 0, program, 0, 20, p, 1), MIDI_BAD_EDIT);
    assert_int_equal(change_n_edits(c), 0);
    assert_int_equal(
        change_control(c, s, 0, PEDAL, 90, 100, (struct control_point[]){{96, 127}}, 1),
        MIDI_OK);
    assert_int_equal(change_n_edits(c), 0); /* it says so already */
    change_destroy(c);
    score_destroy(s);
}

/* -- random files -- */

static struct control random_control(uint64_t *seed)
{
    static const struct control KINDS[] = {{CONTROL_CHANGE, 60},
                                           {CONTROL_CHANGE, 61},
                                           {CONTROL_CHANGE, 62},
                                           {CONTROL_BEND, 0},
                                           {CONTROL_PRESSURE, 0}};
    return KINDS[random_below(seed, 5)];
}

static size_t random_points(uint64_t *seed, struct control k, int64_t from, int64_t to,
                            struct control_point *out)
{
    size_t n = (size_t)random_below(seed, 8);
    int64_t tick = from;
    for (size_t i = 0; i < n; i++) {
        tick += random_below(seed, 40);
        if (tick >= to)
            return i;
        out[i] = (struct control_point){tick, random_below(seed, control_most(k) + 1)};
    }
    return n;
}

/* Everything but the events of `k` on that channel, in file order. */
static bool others_equal(const struct score *a, const struct score *b, int track,
                         struct control k)
{
    const struct track *t = &a->tracks[track];
    for (size_t i = 0; i < a->n_chunks; i++) {
        const struct chunk *x = &a->chunks[i], *y = &b->chunks[i];
        bool is_its = (int)i == t->chunk;
        size_t m = 0, n = 0;
        for (;;) {
            while (m < x->n_events && is_its &&
                   control_value(&x->events[m], t->channel, k) >= 0)
                m++;
            while (n < y->n_events && is_its &&
                   control_value(&y->events[n], t->channel, k) >= 0)
                n++;
            if (m == x->n_events || n == y->n_events)
                break;
            const struct event *e = &x->events[m++], *f = &y->events[n++];
            if (e->tick != f->tick || e->order != f->order || e->n_data != f->n_data ||
                memcmp(e->data, f->data, e->n_data) != 0)
                return false;
        }
        if (m < x->n_events || n < y->n_events)
            return false;
    }
    return true;
}

/* Points in the span are those that were put; those beside it are as they were. */
static void assert_put(const struct score *before, const struct score *after, int track,
                       struct control k, int64_t from, int64_t to,
                       const struct control_point *points, size_t n)
{
    enum { MOST = 2000 };
    static struct control_point was[MOST], is[MOST];
    size_t n_was = collect(before, track, k, was, MOST),
           n_is = collect(after, track, k, is, MOST), at = 0, i = 0;
    for (size_t j = 0; j < n_is; j++) {
        bool inside = is[j].tick >= from && is[j].tick < to;
        while (!inside && i < n_was && was[i].tick >= from && was[i].tick < to)
            i++;
        const struct control_point *want = inside ? &points[at++] : &was[i++];
        assert_int_equal(is[j].tick, want->tick);
        assert_int_equal(is[j].value, want->value);
    }
    assert_int_equal(at, n);
}

static void random_edits_change_nothing_else(void **state)
{
    (void)state;
    static struct random_smf f;
    int n_edits = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        random_smf(&f, seed);
        struct score *s = NULL;
        if (smf_read(&s, f.plain, f.n_plain, NULL) || s->n_tracks == 0) {
            score_destroy(s);
            continue;
        }
        struct score *first = score_clone(s);
        struct history *h = history_create();
        uint64_t noise = seed;
        for (int i = 0; i < 25; i++) {
            struct control_point p[8] = {{0, 0}};
            struct control k = random_control(&noise);
            int track = random_below(&noise, (int)s->n_tracks);
            int64_t from = random_below(&noise, 3000);
            int64_t to = from + 1 + random_below(&noise, 600);
            size_t n = random_points(&noise, k, from, to, p);
            struct score *before = score_clone(s);
            struct change *c = change_create("x");
            assert_int_equal(change_control(c, s, track, k, from, to, p, n), MIDI_OK);
            n_edits += change_n_edits(c) > 0;
            assert_int_equal(history_do(h, s, c), MIDI_OK);
            assert_true(others_equal(before, s, track, k));
            assert_put(before, s, track, k, from, to, p, n);
            assert_true(history_undo(h, s, NULL));
            assert_true(score_equal(before, s));
            assert_true(history_redo(h, s, NULL));
            score_destroy(before);
        }
        while (history_undo(h, s, NULL))
            continue;
        assert_true(score_equal(first, s));
        history_destroy(h);
        score_destroy(first);
        score_destroy(s);
    }
    assert_true(n_edits > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(what_holds),
        cmocka_unit_test(nonsense_says_nothing),
        cmocka_unit_test(a_span_is_replaced),
        cmocka_unit_test(bends_keep_fourteen_bits),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(random_edits_change_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
