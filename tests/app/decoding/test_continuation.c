/* What a continuation promises, on a model of random weights: they know no
 * music, so whatever holds here is held by the program alone. */
#include "tests/check.h"
#include "tests/app/one_fixture.h"

/* n_quarters quarter notes on two tracks; a third track stays empty. */
static struct score *make_score(int ticks_per_quarter, int n_quarters)
{
    struct score *s = score_of("%d | one: (60q 61 62 63 64)*8 | empty: | "
                               "two: (48q 47 46)*14",
                               ticks_per_quarter);
    for (int t = 0; t <= 2; t += 2)
        s->tracks[t].n_notes = (size_t)n_quarters;
    return s;
}

static void begin(int n_quarters, int context, int n_threads)
{
    music = make_score(QUARTER, n_quarters);
    set_up(&f, context, TOKEN_COUNT, n_threads);
}

static struct continuation_options options(int bars, uint64_t seed)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.bars = bars;
    o.style = STYLE_CHORALE;
    o.sampling.seed = seed;
    return o;
}

static void run_done(const struct score *s, const struct continuation_options *o,
                     struct result *to)
{
    assert_int_equal(run(&f, s, o, to), CONTINUATION_DONE);
}

/* Between so many quarters, on tracks with notes, near their pitches. */
static void assert_legal_from(int ticks_per_quarter, int from, int to)
{
    assert_int_equal(r.stats.from_tick, from * ticks_per_quarter);
    assert_int_equal(r.stats.to_tick, to * ticks_per_quarter);
    assert_legal(music, &CONTINUATION_DEFAULT, &r);
    for (size_t i = 0; i < r.n; i++) {
        const struct continued_note *n = &r.notes[i];
        assert_in_range(n->note.pitch, 46 - 12, 64 + 12);
        assert_true(n->log_prob <= 0.0f && n->masked >= 0.0f && n->masked <= 1.0f);
        assert_true(n->n_tokens >= 2);
    }
}

TEST(it_stays_in_its_hole)
{
    static const struct {
        int ticks, n_quarters, context, bars, first_seed, last_seed, from, to;
    } CASES[] = {
        {QUARTER, 16, 512, 2, 1, 5, 16, 24},
        {QUARTER, 6, 256, 2, 3, 3, 6, 16}, /* the bar that has begun is completed, */
        {QUARTER, 7, 256, 2, 3, 3, 8, 16}, /* unless only its last beat is silent */
        {4, 6, 256, 4, 2, 2, 6, 24}, /* most of the model's steps fall between ticks */
        {QUARTER, 40, 96, 12, 1, 20, 40, 88}, /* far longer than the context */
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const int last = CASES[i].last_seed, context = CASES[i].context;
        int n_slid = 0;
        music = make_score(CASES[i].ticks, CASES[i].n_quarters);
        set_up(&f, context, TOKEN_COUNT, 1);
        for (int seed = CASES[i].first_seed; seed <= last; seed++) {
            struct continuation_options o = options(CASES[i].bars, (uint64_t)seed);
            o.max_polyphony = context == 96 ? 4 : 0; /* a line may become chords */
            run_done(music, &o, &r);
            n_slid += r.stats.n_tokens > 2 * context;
            assert_legal_from(CASES[i].ticks, CASES[i].from, CASES[i].to);
        }
        assert_true(context > 96 || n_slid >= 10);
        end(NULL);
    }
}

/* A bar with more notes than the context has tokens. */
TEST_IN(a_bar_may_be_too_full, NULL, end)
{
    struct continuation_options o = options(1, 1);
    begin(4, 64, 1);
    for (int i = 0; i < 96; i++)
        put_note(music, 0, 4 * QUARTER + i * 20, 20, 50 + i % 12);
    o.style = CONTINUATION_STYLE_GUESS;
    run_done(music, &o, &r);
    assert_legal_from(QUARTER, 8, 12);
}

TEST_IN(it_begins_an_empty_score, NULL, end)
{
    static const enum style STYLES[] = {STYLE_PIANO, STYLE_DRUMS, STYLE_LEADSHEET};
    struct continuation_options o = options(4, 4);
    o.style = CONTINUATION_STYLE_GUESS;
    music = score_create(QUARTER);
    set_up(&f, 256, TOKEN_COUNT, 1);
    for (int n_tracks = 0; n_tracks <= 2; n_tracks++) {
        run_done(music, &o, &r);
        assert_int_equal(continuation_style(f.continuation), STYLES[n_tracks]);
        assert_int_equal(r.stats.from_tick, 0);
        assert_int_equal(r.stats.to_tick, 16 * QUARTER);
        assert_true(r.n > 0);
        bool plays[2] = {false, false};
        for (size_t i = 0; i < r.n; i++)
            plays[r.notes[i].track] = true;
        assert_true(plays[0] && plays[1] == (n_tracks == 2));
        assert_true(score_add_track(music, "t", n_tracks == 0 ? 9 : 0, 0) >= 0);
    }
}

TEST_IN(it_can_be_cancelled, NULL, end)
{
    atomic_bool cancel = true;
    struct continued_note n;
    struct continuation_options o = options(2, 9);
    begin(16, 256, 2);
    continuation_set_cancel(f.continuation, &cancel);
    o.style = STYLE_PIANO; /* so that there is something to read */
    assert_int_equal(continuation_begin(f.continuation, music, &o),
                     CONTINUATION_CANCELLED);
    assert_int_equal(continuation_next(f.continuation, &n), CONTINUATION_CANCELLED);

    o.style = STYLE_CHORALE;
    cancel = false;
    assert_int_equal(continuation_begin(f.continuation, music, &o), CONTINUATION_BEGUN);
    assert_int_equal(continuation_next(f.continuation, &n), CONTINUATION_NOTE);
    cancel = true;
    int late = 0;
    while (continuation_next(f.continuation, &n) == CONTINUATION_NOTE)
        late++;
    assert_true(late <= 1);
    assert_int_equal(continuation_next(f.continuation, &n), CONTINUATION_CANCELLED);
}

TEST(other_models_are_refused)
{
    struct continuation *c = NULL;
    struct model *m;
    auto_pool *pool = pool_create(1);
    struct model_config other = tiny_config(256), narrow = tiny_config(16);
    other.vocab = 100;
    assert_ok(model_random(&m, &other, 1));
    assert_int_equal(continuation_create(&c, m, pool), MODEL_OTHER_TOKENS);
    model_close(m);
    assert_ok(model_random(&m, &narrow, 1));
    assert_int_equal(continuation_create(&c, m, pool), MODEL_BAD_CONFIG);
    model_close(m);
}

TEST_IN(it_says_what_is_too_long, NULL, end)
{
    struct continuation_options o = options(2, 1);
    struct continuation_stats none;
    begin(4, 256, 1);
    run_done(music, &o, &r);
    put_note(music, 0, INT64_C(1) << 40, QUARTER, 60);
    assert_int_equal(run(&f, music, &o, &r), CONTINUATION_ERROR);
    assert_true(strlen(continuation_error(f.continuation)) > 0);
    for (int i = 0; i < CONTINUATION_MAX_TAKES; i++) { /* none was begun */
        continuation_stats(f.continuation, i, &none);
        assert_true(none.n_tokens == 0 && none.to_tick == 0);
    }
}

/* Ends up to a beat over the bar line, as of a rolled chord or a player's own, do not move
 * the start. Other pitches begin there; what rings on is not sounded over. */
TEST(it_begins_at_the_bar_line_that_is_heard)
{
    static const int OVER[] = {1, 37, 128, QUARTER};
    const int64_t line = 16 * QUARTER;
    int n_at_line = 0, n_on_ringing = 0;
    for (size_t i = 0; i < sizeof OVER / sizeof *OVER; i++) {
        begin(14, 512, 1);
        for (int track = 0; track <= 2; track += 2)
            put_note(music, track, line - 2 * QUARTER, 2 * QUARTER + OVER[i],
                     50 + track);
        for (uint64_t seed = 1; seed <= 8; seed++) {
            const struct continuation_options o = options(4, seed);
            run_done(music, &o, &r);
            assert_legal_from(QUARTER, 16, 32);
            for (size_t k = 0; k < r.n; k++) {
                const struct continued_note *n = &r.notes[k];
                const bool rings = n->note.pitch == 50 + n->track;
                assert_true(n->note.start % (QUARTER / STEPS_PER_QUARTER) == 0);
                assert_true(!rings || n->note.start >= line + OVER[i]);
                n_at_line += n->note.start < line + QUARTER;
                n_on_ringing += rings;
            }
        }
        end(NULL);
    }
    assert_true(n_at_line > 0 && n_on_ringing > 0);
}

/* So is one whose last notes leave a beat to rest, and end a little early. */
TEST(a_bar_that_rests_on_its_last_beat_is_complete)
{
    const struct continuation_options o = options(4, 1);
    begin(14, 512, 1);
    for (int track = 0; track <= 2; track += 2)
        put_note(music, track, 12 * QUARTER, 3 * QUARTER - QUARTER / 8, 50 + track);
    run_done(music, &o, &r);
    assert_legal_from(QUARTER, 16, 32);
    end(NULL);
}

/* A piece that was cut at a bar line may have the next bar's first notes, which were played a
 * little before it. */
TEST(a_note_before_the_bar_line_begins_no_bar)
{
    static const int EARLY[] = {1, 9}, LENGTH[] = {1, 60, QUARTER};
    const int64_t line = 16 * QUARTER;
    for (int i = 0; i < 6; i++) {
        const struct continuation_options o = options(4, (uint64_t)i);
        begin(14, 512, 1);
        for (int track = 0; track <= 2; track += 2)
            put_note(music, track, line - EARLY[i / 3], LENGTH[i % 3], 50 + track);
        run_done(music, &o, &r);
        assert_legal_from(QUARTER, 16, 32);
        end(NULL);
    }
}

/* One that rings on for longer does. */
TEST_IN(what_is_held_longer_ends_first, NULL, end)
{
    const struct continuation_options o = options(2, 1);
    begin(14, 512, 1);
    put_note(music, 0, 14 * QUARTER, 4 * QUARTER, 50);
    run_done(music, &o, &r);
    assert_legal_from(QUARTER, 18, 28);
}
