/* Rows that are handed out while notes are written: they are the attention of the very
 * sequence, told as the notes that come, and whoever looks changes no note. */
#include "tests/check.h"
#include "app/decoding/live_row.h"
#include "tests/app/random_continuation.h"
#include "tests/app/voices_score.h"

#include <math.h>

enum { QUARTER = 480, MAX_NOTES = 2000, CONTEXT = 512 };

struct result {
    struct continued_note notes[MAX_NOTES];
    int n, n_new; /* n_new: how often there was something new to see */
};

static int pitch_of_two(int voice, int i)
{
    return 60 - 12 * voice + i % 5;
}

static struct continuation_options options(int bars)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.bars = bars;
    o.style = STYLE_CHORALE;
    o.sampling.seed = 5;
    return o;
}

static bool has_note(const struct result *r, const struct live_note *n)
{
    for (int i = 0; i < r->n; i++)
        if (r->notes[i].track == n->track && r->notes[i].note.pitch == n->pitch &&
            r->notes[i].note.start == n->tick)
            return true;
    return false;
}

static bool stands(const struct score *s, const struct live_note *n)
{
    for (size_t i = 0; i < s->tracks[n->track].n_notes; i++) {
        const struct note *at = &s->tracks[n->track].notes[i];
        if (at->start == n->tick && at->pitch == n->pitch)
            return true;
    }
    return false;
}

/* Of the newest row: every note that was drawn so far and read, and no other. */
static void check_notes(const struct live_map *m, const struct score *s,
                        const struct result *r)
{
    static struct live_note notes[MAX_NOTES];
    float other, sum = 0;
    int n = live_map_notes(m, m->end - 1, notes, MAX_NOTES, &other), n_drawn = 0;
    for (int i = 0; i < n; i++) {
        sum += notes[i].weight;
        n_drawn += notes[i].is_drawn;
        /* The newest may not be complete. */
        if (i + 1 < n)
            assert_true(notes[i].is_drawn ? has_note(r, &notes[i])
                                          : stands(s, &notes[i]));
    }
    assert_true(n > 0 && fabsf(sum + other - 1.0f) < 1e-4f);
    assert_in_range(n_drawn, r->n - 1, r->n + 1);
    assert_int_equal(live_map_notes(m, m->end - 1, notes, 3, &other), n < 3 ? n : 3);
}

/* The same tokens, read again and watched. */
static void check_rows(const struct fixture *f, const struct live_map *m)
{
    auto_decoder *d;
    static float row[CONTEXT];
    assert_ok(decoder_create(&d, f->model, f->pool));
    decoder_keep_queries(d, true);
    assert_ok(decoder_prefill(d, m->tokens, m->times, m->n, false, NULL));
    for (int place = m->first; place < m->end; place++) {
        struct attention_head h = {ATTENTION_SELF, m->choice.layer, m->choice.head};
        assert_ok(attention_rows(d, h, place, 1, row, CONTEXT));
        for (int k = 0; k <= place; k++)
            assert_float_equal(live_map_row(m, place)[k], row[k], 1e-4);
    }
}

/* Everything of a request; the map, if there is one, is looked at as it grows. */
static void run(struct fixture *f, const struct score *s,
                const struct continuation_options *o, struct live_rows *live,
                struct live_map *map, struct result *r)
{
    *r = (struct result){.n = 0};
    continuation_set_live(f->continuation, live);
    enum continuation_state state = continuation_begin(f->continuation, s, o);
    while (state == CONTINUATION_BEGUN || state == CONTINUATION_NOTE) {
        assert_true(r->n < MAX_NOTES);
        state = continuation_next(f->continuation, &r->notes[r->n]);
        r->n += state == CONTINUATION_NOTE;
        if (!map || !live_rows_take(live, map))
            continue;
        r->n_new++;
        assert_int_equal(map->end, map->n);
        if (o->n_takes == 1)
            check_notes(map, s, r);
    }
    assert_int_equal(state, CONTINUATION_DONE);
}

static void compare(const struct continuation_options *o, int take)
{
    static struct result unseen, seen;
    struct fixture f;
    struct live_map map = {0};
    struct live_rows *live = live_rows_create(-1);
    auto_score *s = voices_score(QUARTER, "one", 2, 16, pitch_of_two);
    set_up(&f, CONTEXT, TOKEN_COUNT, 2);
    run(&f, s, o, live, &map, &unseen);
    assert_int_equal(unseen.n_new, 0);
    live_rows_look(live, (struct live_choice){1, 0, take});
    run(&f, s, o, live, &map, &seen);
    assert_true(seen.n_new > 3);
    assert_int_equal(map.choice.layer, 1);
    assert_int_equal(map.choice.take, take);
    check_rows(&f, &map);
    assert_int_equal(seen.n, unseen.n);
    for (int i = 0; i < seen.n; i++)
        assert_memory_equal(&seen.notes[i].note, &unseen.notes[i].note,
                            sizeof seen.notes[i].note);
    live_map_fini(&map);
    tear_down(&f);
    live_rows_destroy(live);
}

TEST(what_is_decoded_is_seen)
{
    struct continuation_options o = options(4), takes = options(2), hole = options(1);
    compare(&o, 0);
    takes.n_takes = 3;
    compare(&takes, 2);
    hole.hole.from_tick = 16 * QUARTER;
    hole.hole.to_tick = 24 * QUARTER;
    hole.hole.min_notes = 12;
    compare(&hole, 0);
    hole.hole.density = 3;
    hole.hole.length = 2;
    hole.guidance = 1.5f;
    compare(&hole, 0);
}

/* Takes what comes, at whatever rate, of a sequence that is made up. */
struct made_up {
    int32_t tokens[900], times[900];
    struct live_map map;
    float row[900];
};

static void give(struct made_up *u, struct live_rows *l, int n)
{
    u->map.cap = 900;
    u->map.n = n;
    u->tokens[n - 1] = n % 100;
    for (int i = 0; i < n; i++)
        u->row[i] = (float)(n * 1000 + i);
    live_rows_give(l, &u->map, u->tokens, u->times, u->row);
}

static void check_map(const struct live_map *m, int first, int end)
{
    assert_int_equal(m->first, first);
    assert_int_equal(m->end, end);
    for (int p = first; p < end; p++)
        for (int i = 0; i <= p; i += 7)
            assert_true(live_map_row(m, p)[i] == (float)((p + 1) * 1000 + i));
    assert_int_equal(m->tokens[end - 1], end % 100);
}

TEST(the_newest_rows_are_kept)
{
    static struct made_up u;
    struct live_map map = {0};
    struct live_rows *l = live_rows_create(-1);
    u.map.reading = 7;
    assert_false(live_rows_take(l, &map));
    for (int n = 11; n <= 700; n++) {
        give(&u, l, n);
        if (n % 90 && n < 650)
            continue;
        assert_true(live_rows_take(l, &map));
        check_map(&map, n - LIVE_ROWS > 10 ? n - LIVE_ROWS : 10, n);
        assert_false(live_rows_take(l, &map));
    }
    /* Another sequence; a token of it that nobody saw; another head. */
    u.map.reading = 8;
    for (int i = 0; i < 3; i++) {
        static const int LENGTHS[] = {300, 302, 303};
        u.map.choice.head = i == 2 ? 3 : 0;
        give(&u, l, LENGTHS[i]);
        assert_true(live_rows_take(l, &map));
        check_map(&map, LENGTHS[i] - 1, LENGTHS[i]);
    }
    live_map_fini(&map);
    live_rows_destroy(l);
}

TEST(a_choice_is_what_was_chosen)
{
    static const struct live_choice CHOICES[] = {{1023, 1023, 7}, {0, 0, 0}};
    struct live_rows *l = live_rows_create(-1);
    assert_int_equal(live_rows_choice(l).layer, -1);
    for (int i = 0; i < 2; i++) {
        live_rows_look(l, CHOICES[i]);
        const struct live_choice c = live_rows_choice(l);
        assert_memory_equal(&c, &CHOICES[i], sizeof c);
    }
    live_rows_look(l, (struct live_choice){0, -1, 0});
    assert_int_equal(live_rows_choice(l).layer, -1);
    live_rows_destroy(l);
}
