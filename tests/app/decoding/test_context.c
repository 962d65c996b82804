/* What a model is given to read: the bars around a hole, and nothing twice. */
#include "tests/check.h"
#include "app/decoding/context.h"
#include "app/decoding/model_reader.h"
#include "tests/app/tiny_model.h"
#include "tests/midi/score_of.h"

enum { BAR = 4 * STEPS_PER_QUARTER, TICKS = 4 * 480, BARS = 30, BARS_AFTER = 2 };

/* A note a bar, of thirty, and a hole of the bars [from, to). */
static void around(struct context_window *w, int from, int to, int64_t before,
                   size_t max_tokens)
{
    struct context c;
    struct continuation_options o = CONTINUATION_DEFAULT;
    auto_score *s = score_of("480 | a: (60q r*3)*30");
    o.hole.from_tick = (int64_t)from * TICKS;
    o.hole.to_tick = (int64_t)to * TICKS;
    assert_ok(context_init(&c, s, &o));
    assert_ok(context_encode(&c, from * BAR, to * BAR, before, max_tokens, w));
    context_fini(&c);
}

/* Of what follows two bars are read first, and the rest where what is before has been read. */
TEST(the_nearest_bars_are_read)
{
    struct context_window w;
    around(&w, 20, 22, 0, 60); /* those before have what else there is */
    assert_true(w.tokens.n <= 60 && w.origin > 0 && w.origin < 18 * BAR);
    assert_int_equal(w.origin / BAR + w.n_bars, 22 + BARS_AFTER);
    tokens_fini(&w.tokens);
    around(&w, 20, 22, 0, 1000);
    assert_int_equal(w.n_bars, BARS);
    tokens_fini(&w.tokens);
    around(&w, 0, 2, 0, 60); /* a lead-in */
    assert_true(w.origin == 0 && w.n_bars > 2 + BARS_AFTER && w.n_bars < BARS);
    tokens_fini(&w.tokens);
}

/* So that it is not read again for each. */
TEST(parts_begin_to_be_read_where_the_one_before_did)
{
    int64_t origin = 0;
    int n_moves = 0;
    for (int from = 14; from < 27; from++) {
        struct context_window w;
        around(&w, from, from + 1, origin, 60);
        n_moves += w.origin != origin;
        origin = w.origin;
        assert_in_range(w.tokens.n, 30, 60);
        tokens_fini(&w.tokens);
    }
    assert_in_range(n_moves, 2, 5);
}

/* The context of four bars of a track without notes, in which a tune plays over a second track at
 * that pitch. */
static struct context beside_tune(int second, int program)
{
    struct context c;
    struct continuation_options o = CONTINUATION_DEFAULT;
    auto_score *s =
        score_of("480 | tune: (72q 73 74 72)*4 | second #42: (%dq)*16 | a #%d:", second,
                 program);
    o.hole.to_tick = 4 * TICKS;
    o.tracks = 1 << 2;
    assert_ok(context_init(&c, s, &o));
    return c;
}

/* A bass lies low and is one line; a keyboard plays chords, between a bass and the tune if there is
 * a bass, else a piano and a guitar a figure. */
TEST(what_is_missing_keeps_to_its_register)
{
    enum { PIANO = 0, ORGAN = 19, GUITAR = 24, BASS = 33, VIOLIN = 40 };
    static const int VOICES[] = {[BAND_CHORDS] = 3, [BAND_FIGURE] = 2};
    static const struct {
        int second, program, low, high, voices;
        enum band_role role;
    } ROWS[] = {
        {60, BASS, 28, 52, 1, BAND_BASS},     {40, ORGAN, 48, 76, 0, BAND_CHORDS},
        {60, ORGAN, 21, 108, 0, BAND_CHORDS}, {40, PIANO, 48, 76, 0, BAND_CHORDS},
        {60, PIANO, 21, 108, 0, BAND_FIGURE}, {60, GUITAR, 38, 84, 0, BAND_FIGURE},
        {40, VIOLIN, 55, 103, 1, BAND_NONE}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct context c = beside_tune(ROWS[i].second, ROWS[i].program);
        const int t = context_token_track(&c, 2);
        assert_int_equal(c.hole.low[t], ROWS[i].low);
        assert_int_equal(c.hole.high[t], ROWS[i].high);
        assert_int_equal(c.hole.max_polyphony[t], ROWS[i].voices);
        assert_int_equal(c.roles[t], ROWS[i].role);
        assert_int_equal(c.request.polyphony, VOICES[ROWS[i].role] - 1);
        context_fini(&c);
    }
}

static void write_chord(struct score *s, int64_t tick, const char *symbol)
{
    score_put_meta(s, tick, META_TEXT, symbol, strlen(symbol));
}

static int n_chord_tokens(const struct tokens *t, int symbol)
{
    int n = 0;
    for (size_t i = 0; i < t->n; i++)
        n += symbol < 0 ? token_kind(t->id[i]) == TOKEN_CHORD
                        : t->id[i] == TOKEN_CHORD + symbol;
    return n;
}

/* Those of the file are read around a hole and inside it. */
TEST(a_hole_is_over_the_chords_of_the_file)
{
    struct context c;
    struct context_window w;
    struct continuation_options o = CONTINUATION_DEFAULT;
    auto_score *s = score_of("480 | a: (60q r*3)*4");
    write_chord(s, 0, "C");
    write_chord(s, TICKS, "no chord");
    write_chord(s, 2 * TICKS, "Am7");
    write_chord(s, 9 * TICKS, "F"); /* after the music */
    o.hole.from_tick = TICKS;
    o.hole.to_tick = 3 * TICKS;
    assert_ok(context_init(&c, s, &o));
    assert_int_equal(c.music.n_chords, 2);
    assert_ok(piece_check(&c.music));
    assert_ok(context_encode(&c, BAR, 3 * BAR, 0, 1000, &w));
    assert_int_equal(n_chord_tokens(&w.tokens, -1), 2);
    assert_int_equal(n_chord_tokens(&w.tokens, 9 * CHORD_QUALITIES + CHORD_MINOR7), 1);
    tokens_fini(&w.tokens);
    context_fini(&c);
}

/* C, and from bar 5 on E minor. */
TEST(a_hole_is_in_the_key_that_is_in_force)
{
    enum { OF_C = 0xab5, OF_G = 0xad5 };
    struct context c;
    struct continuation_options o = CONTINUATION_DEFAULT;
    auto_score *s = score_of("480 | a: 60w*8");
    score_put_meta(s, 0, META_KEY, "\0\0", 2);
    score_put_meta(s, 4 * TICKS, META_KEY, "\1\1", 2);
    assert_ok(context_init(&c, s, &o));
    assert_true(c.signature.scale == OF_G && c.signature.tonic == 4);
    context_fini(&c);
    o.hole.from_tick = TICKS;
    o.hole.to_tick = 2 * TICKS;
    assert_ok(context_init(&c, s, &o));
    assert_true(c.signature.scale == OF_C && c.signature.tonic == 0);
    context_fini(&c);
}

/* Chords written ahead make it a hole; chords of what has been are not told. */
TEST(a_continuation_is_over_chords_to_come)
{
    struct context c;
    struct continuation_options o = CONTINUATION_DEFAULT;
    auto_score *s = score_of("480 | a: 60w");
    write_chord(s, 0, "C");
    assert_ok(context_init(&c, s, &o));
    assert_true(!c.is_hole && !c.music.n_chords);
    context_fini(&c);
    o.hole.close = true; /* which makes it a hole, too */
    assert_ok(context_init(&c, s, &o));
    assert_true(c.is_hole && !c.music.n_chords);
    context_fini(&c);
    o.hole.close = false;
    write_chord(s, TICKS, "F");
    write_chord(s, 4 * TICKS, "G");
    assert_ok(context_init(&c, s, &o));
    assert_true(c.is_hole && c.music.n_chords == 3 && c.music.n_bars == 5);
    assert_ok(piece_check(&c.music));
    context_fini(&c);
}

/* It is numbered before those behind it, the last of which then are not read. */
TEST(a_track_without_notes_is_written_on_beside_more_than_tokens_can_name)
{
    char many[TOKEN_MAX_TRACKS * 12 + 1] = "";
    struct context c;
    struct continuation_options o = CONTINUATION_DEFAULT;
    for (int i = 0; i < TOKEN_MAX_TRACKS; i++)
        strcat(many, "| b: 60w*4 ");
    auto_score *s = score_of("480 | a: 60w*4 | empty: %s", many);
    o.hole.to_tick = TICKS;
    o.tracks = 1 << 1;
    assert_ok(context_init(&c, s, &o));
    assert_int_equal(c.request.tracks, 1 << 1);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        assert_int_equal(c.track_map[t], t);
    context_fini(&c);
}

/* A cancelled reader can read nothing, so what it still gives it had. */
TEST(what_was_read_is_not_read_again)
{
    atomic_bool cancel = false;
    struct model_config config = tiny_config(256);
    auto_model *m = NULL;
    struct model_reader *r = NULL, *other = NULL;
    struct context_window w, longer;
    const float *logits;
    float before;
    config.vocab = TOKEN_COUNT;
    assert_ok(model_random(&m, &config, 7));
    auto_pool *pool = pool_create(1);
    assert_ok(model_reader_create(&r, m, pool, &cancel));
    assert_ok(model_reader_create(&other, m, pool, &cancel));
    around(&w, 20, 22, 0, 100);
    around(&longer, 20, 22, 0, 200);
    assert_ok(model_reader_read(r, &w.tokens));
    assert_ok(model_reader_next(&r, 1, &logits));
    before = logits[7];
    model_reader_push(r, TOKEN_BAR);
    assert_ok(model_reader_next(&r, 1, &logits));
    assert_true(logits[7] != before);

    cancel = true;
    assert_ok(model_reader_copy(other, r, READ_ALL));
    assert_ok(model_reader_read(r, &w.tokens));
    assert_ok(model_reader_read(other, &w.tokens));
    assert_ok(model_reader_next(&r, 1, &logits));
    assert_true(logits[7] == before);
    assert_ok(model_reader_next(&other, 1, &logits));
    assert_true(logits[7] == before);
    assert_int_equal(model_reader_read(r, &longer.tokens), MODEL_CANCELLED);
    tokens_fini(&w.tokens);
    tokens_fini(&longer.tokens);
    model_reader_destroy(r);
    model_reader_destroy(other);
}
