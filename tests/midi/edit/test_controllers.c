/* Reading controllers; replacing them changes nothing else, byte for byte. */
#include "tests/check.h"
#include "midi/edit/controllers.h"
#include "tests/midi/edit/random_smf.h"
#include "tests/midi/edit/smf_bytes.h"

static const struct control PEDAL = {CONTROL_CHANGE, CC_PEDAL};
enum { MOST = 2000 };

/* A note, a pedal pressed and lifted, a reset at the tick of the press, a bend. */
BYTES(SMALL, HEADER(0, 1, 96),
      TRACK(0, 0xB0, 121, 0, 0, 0x90, 60, 64, 96, 0xB0, 64, 127, 0, 0xB1, 64, 1, 96,
            0xB0, 64, 0, 0, 0xE0, 1, 65, 0, 0x80, 60, 64, 0, END));

/* The values of `k` in [from, to). */
static size_t collect(const struct score *s, struct control k, int64_t from, int64_t to,
                      int track, struct control_point *out)
{
    const struct chunk *c = &s->chunks[s->tracks[track].chunk];
    size_t n = 0;
    for (size_t i = 0; i < c->n_events && n < MOST; i++) {
        const int64_t tick = c->events[i].tick;
        int value = control_value(&c->events[i], s->tracks[track].channel, k);
        if (value >= 0 && tick >= from && tick < to)
            out[n++] = (struct control_point){tick, value};
    }
    return n;
}

/* In a broken file data may exceed 127, and messages may be cut. */
TEST(nonsense_says_nothing)
{
    uint8_t data[] = {0xB0, 64, 0x80};
    struct event e = {.n_data = 3, .data = data};
    assert_int_equal(control_value(&e, 0, PEDAL), -1);
    data[2] = 127;
    assert_int_equal(control_value(&e, 0, PEDAL), 127);
    assert_int_equal(control_value(&e, 1, PEDAL), -1);
    e.n_data = 2;
    assert_int_equal(control_value(&e, 0, PEDAL), -1);
}

TEST(a_span_is_replaced)
{
    auto_song song = open_song(SMALL, sizeof SMALL);
    struct control_point p[MOST], new[] = {{0, 127}, {96, 1}, {100, 64}};
    DO(song, change_control(c, song.s, 0, PEDAL, 0, 150, new, 3));
    assert_int_equal(collect(song.s, PEDAL, 0, INT64_MAX, 0, p), 4);
    for (int i = 0; i < 3; i++)
        assert_true(p[i].tick == new[i].tick &&p[i].value == new[i].value);
    assert_int_equal(p[3].tick, 192);
    /* After the reset at that tick, which would undo it; the notes are unchanged. */
    BYTES(WANT, HEADER(0, 1, 96),
          TRACK(0, 0xB0, 121, 0, 0, 0xB0, 64, 127, 0, 0x90, 60, 64, 96, 0xB0, 64, 1, 0,
                0xB1, 64, 1, 4, 0xB0, 64, 64, 92, 0xB0, 64, 0, 0, 0xE0, 1, 65, 0, 0x80,
                60, 64, 0, END));
    auto_score *again = reread(song.s), *want = read_bytes(WANT, sizeof WANT, NULL);
    assert_true(score_equal(again, want));
    assert_true(history_undo(song.h, song.s, NULL));
    WRITES(song.s, SMALL);
}

TEST(what_cannot_be_is_refused)
{
    auto_score *s = read_bytes(SMALL, sizeof SMALL, NULL);
    const struct control program = {CONTROL_PROGRAM, 0};
    const struct {
        int chunk;
        struct control control;
        int64_t from;
        struct control_point points[2];
        size_t n;
    } BAD[] = {{0, PEDAL, 0, {{10, 128}}, 1},
               {0, PEDAL, 0, {{10, 5}, {5, 1}}, 2},
               {0, PEDAL, 11, {{10, 5}}, 1},
               {9, PEDAL, 0, {{10, 5}}, 1},
               {0, program, 0, {{10, 5}}, 1}};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        auto_change *c = change_create("x");
        assert_int_equal(change_control(c, s, BAD[i].chunk, BAD[i].control, BAD[i].from,
                                        20, BAD[i].points, BAD[i].n),
                         MIDI_BAD_EDIT);
        assert_int_equal(c->n_edits, 0);
    }
    auto_change *c = change_create("x");
    assert_ok(change_control(c, s, 0, PEDAL, 90, 100,
                             (struct control_point[]){{96, 127}}, 1));
    assert_int_equal(c->n_edits, 0); /* it has that value already */
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

/* A copy that lacks these values. */
static struct score *without(const struct score *s, struct control k, int64_t from,
                             int64_t to, int track)
{
    struct score *rest = score_clone(s);
    struct chunk *c = &rest->chunks[rest->tracks[track].chunk];
    size_t n = 0;
    for (size_t i = 0; i < c->n_events; i++) {
        const struct event e = c->events[i];
        if (e.tick < from || e.tick >= to ||
            control_value(&e, rest->tracks[track].channel, k) < 0)
            c->events[n++] = e;
    }
    c->n_events = n;
    return rest;
}

static void assert_put(const struct score *before, const struct score *after,
                       struct control k, int64_t from, int64_t to, int track,
                       const struct control_point *points, size_t n)
{
    static struct control_point now[MOST];
    auto_score *a = without(before, k, from, to, track),
               *b = without(after, k, from, to, track);
    assert_true(score_equal(a, b));
    assert_int_equal(collect(after, k, from, to, track, now), n);
    for (size_t i = 0; i < n; i++)
        assert_true(now[i].tick == points[i].tick && now[i].value == points[i].value);
}

TEST(random_edits_change_nothing_else)
{
    static struct random_smf f;
    int n_edits = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        random_smf(&f, seed);
        struct score *s = NULL;
        if (smf_read(&s, f.plain, f.n_plain, NULL) || s->n_tracks == 0) {
            score_destroy(s);
            continue;
        }
        auto_score *first = score_clone(s);
        auto_song song = {s, history_create()};
        uint64_t noise = seed;
        for (int i = 0; i < 25; i++) {
            struct control_point p[8] = {{0, 0}};
            struct control k = random_control(&noise);
            int track = random_below(&noise, (int)s->n_tracks);
            int64_t from = random_below(&noise, 3000);
            int64_t to = from + 1 + random_below(&noise, 600);
            size_t n = random_points(&noise, k, from, to, p);
            auto_score *before = score_clone(s);
            struct change *c = change_create("x");
            assert_ok(change_control(c, s, track, k, from, to, p, n));
            n_edits += c->n_edits > 0;
            assert_ok(history_do(song.h, s, c));
            assert_put(before, s, k, from, to, track, p, n);
            assert_true(history_undo(song.h, s, NULL));
            assert_true(score_equal(before, s));
            assert_true(history_redo(song.h, s, NULL));
        }
        undo_all(&song);
        assert_true(score_equal(first, s));
    }
    assert_true(n_edits > 300);
}
