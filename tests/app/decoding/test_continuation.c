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

/* Where takes begin and end, in quarters: all lies between, on tracks with notes and near their
 * pitches. */
static const struct {
    int n_quarters;
    const char *more; /* on both tracks */
    int bars, from, to, ticks, context;
} PLACES[] = {
    {16, "", 2, 16, 24},
    {6, "", 2, 6, 16},           /* the bar that has begun is completed, */
    {7, "", 2, 8, 16},           /* unless only its last beat is silent */
    {6, "", 4, 6, 24, 4},        /* most of the model's steps fall between ticks */
    {40, "", 12, 40, 88, 0, 96}, /* far longer than the context */
    {4, "=4q (50:20 51 52 53 54 55 56 57)*12", 1, 8, 12, 0,
     64}, /* more than a context */
    /* Ends up to a beat over the bar line, as of a rolled chord or a player's own, do not move the
     * start; what rings on is not sounded over. One that rings on for longer ends first. */
    {14, "=14q 50:2q1", 4, 16, 32},
    {14, "=14q 50:2q37", 4, 16, 32},
    {14, "=14q 50:2q128", 4, 16, 32},
    {14, "=14q 50:3q", 4, 16, 32},
    {14, "=14q 50:4q", 2, 18, 28},
    /* A bar whose last notes leave a beat to rest, and end a little early, is complete. */
    {14, "=12q 50:2q420", 4, 16, 32},
    /* A piece that was cut at a bar line may have the next bar's first notes, which were played a
     * little before it. */
    {14, "=15q479 50:1", 4, 16, 32},
    {14, "=15q479 50:1q", 4, 16, 32},
    {14, "=15q471 50:60", 4, 16, 32},
    {14, "=15q471 50:1q", 4, 16, 32},
};

TEST(it_stays_in_its_hole)
{
    int n_slid = 0, n_at_line = 0, n_ringing = 0;
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
        const int ticks = PLACES[i].ticks ? PLACES[i].ticks : QUARTER,
                  context = PLACES[i].context ? PLACES[i].context : 512;
        music = make_score(ticks, PLACES[i].n_quarters);
        set_up(&f, context, TOKEN_COUNT, 1);
        for (int track = 0; track <= 2; track += 2)
            score_put(music, track, "%s", PLACES[i].more);
        for (uint64_t seed = 1; seed <= (context == 96 ? 20 : 5); seed++) {
            struct continuation_options o = options(PLACES[i].bars, seed);
            o.max_polyphony = context == 96 ? 4 : 0; /* a line may become chords */
            run_done(music, &o, &r);
            n_slid += r.stats.n_tokens > 2 * context;
            assert_int_equal(r.stats.from_tick, PLACES[i].from * ticks);
            assert_int_equal(r.stats.to_tick, PLACES[i].to * ticks);
            assert_legal(music, &CONTINUATION_DEFAULT, &r);
            for (size_t k = 0; k < r.n; k++) {
                const struct continued_note *n = &r.notes[k];
                assert_in_range(n->note.pitch, 46 - 12, 64 + 12);
                assert_true(n->log_prob <= 0.0f && n->masked >= 0.0f &&
                            n->masked <= 1.0f && n->n_tokens >= 2);
                assert_true(ticks < QUARTER ||
                            n->note.start % (QUARTER / STEPS_PER_QUARTER) == 0);
                n_at_line += n->note.start < r.stats.from_tick + ticks;
                n_ringing += *PLACES[i].more && n->note.pitch == 50;
            }
        }
        end(NULL);
    }
    assert_true(n_slid >= 10 && n_at_line > 0 && n_ringing > 0);
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
        assert_int_equal(r.style, STYLES[n_tracks]);
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
    struct take take = {0};
    struct continuation_options o = options(2, 9);
    begin(16, 256, 2);
    f.cancel = true;
    o.style = STYLE_PIANO; /* so that there is something to read */
    assert_int_equal(continuation_begin(f.continuation, music, &o, &take, 1),
                     CONTINUATION_CANCELLED);
    assert_int_equal(continuation_next(f.continuation), CONTINUATION_CANCELLED);

    o.style = STYLE_CHORALE;
    f.cancel = false;
    assert_int_equal(continuation_begin(f.continuation, music, &o, &take, 1),
                     CONTINUATION_BEGUN);
    while (!take.n_notes)
        assert_int_equal(continuation_next(f.continuation), CONTINUATION_BEGUN);
    f.cancel = true;
    const size_t n_tokens = take.n_tokens;
    while (continuation_next(f.continuation) == CONTINUATION_BEGUN)
        continue;
    assert_true(take.n_tokens <= n_tokens + 1);
    assert_int_equal(continuation_next(f.continuation), CONTINUATION_CANCELLED);
    f.cancel = false;
    take_fini(&take);
}

TEST(other_models_are_refused)
{
    struct continuation *c = NULL;
    struct model *m;
    auto_pool *pool = pool_create(1);
    struct model_config other = tiny_config(256), narrow = tiny_config(16);
    other.vocab = 100;
    assert_ok(model_random(&m, &other, 1));
    assert_int_equal(continuation_create(&c, m, pool, NULL), MODEL_OTHER_TOKENS);
    model_close(m);
    assert_ok(model_random(&m, &narrow, 1));
    assert_int_equal(continuation_create(&c, m, pool, NULL), MODEL_BAD_CONFIG);
    model_close(m);
}

TEST_IN(it_says_what_is_too_long, NULL, end)
{
    struct continuation_options o = options(2, 1);
    struct take none = {0};
    begin(4, 256, 1);
    run_done(music, &o, &r);
    put_note(music, 0, INT64_C(1) << 40, QUARTER, 60);
    assert_int_equal(run(&f, music, &o, &r), CONTINUATION_ERROR);
    assert_true(strlen(continuation_error(f.continuation)) > 0);
    struct continuation_options vast = whole_hole((int64_t)1 << 60);
    assert_int_equal(run(&f, music, &vast, &r), CONTINUATION_ERROR);
    assert_int_equal(continuation_begin(f.continuation, music, &vast, &none, 1),
                     CONTINUATION_ERROR);
    assert_true(none.n_tokens == 0 && none.stats.to_tick == 0); /* it was not begun */
}

/* A hole far past the music, the whole of a long piece, and bars of four whole notes: filled in as
 * many parts as it takes, each hearing the ones before. */
TEST(however_long_a_hole_is)
{
    static const struct {
        int n, numerator, denominator;
        int64_t from, to;
    } CASES[] = {
        {3, 4, 4, 300 * 1920, 301 * 1920},
        {0, 4, 4, 0, 150 * 1920},
        {5, 4, 1, 0, 30 * 7680},
        {2, 64, 1, 0, 3 * (int64_t)64 * 1920},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const struct meter meter = {.numerator = CASES[i].numerator,
                                    .denominator = CASES[i].denominator};
        struct continuation_options o = whole_hole(CASES[i].to);
        music = CASES[i].n ? some_score(CASES[i].n) : score_of("480 | a:");
        set_up(&f, 256, TOKEN_COUNT, 1);
        timeline_fini(&music->timeline);
        assert_ok(timeline_init(&music->timeline, QUARTER, NULL, 0, &meter, 1));
        o.hole.from_tick = CASES[i].from;
        o.hole.min_notes = 1;
        o.tracks = 1;
        run_done(music, &o, &r);
        assert_legal(music, &o, &r);
        assert_true(r.n >= 1);
        end(NULL);
    }
}
