/* An inspection of takes: they are read in the layout that they were written in, go on from
 * another choice, and are written and read without some heads. */
#include "tests/check.h"
#include "tests/app/inspection/inspection_desk.h"

static struct result written, other, again;

/* Of a take that was written in one reading. */
static void assert_probabilities_are_those_of_the_take(struct desk *d,
                                                       const struct result *w)
{
    const int n = d->i->now.n_tokens;
    const struct inspected_token *tokens = d->i->now.tokens;
    double sum = 0;
    assert_true(n > w->stats.n_tokens);
    for (int t = n - w->stats.n_tokens; t < n; t++)
        sum -= (double)tokens[t].surprise;
    assert_float_equal(sum, w->stats.own_log_prob, 1e-3);
}

/* A take of what o asks for, of which one note in `step` is read; those that the model drew. The
 * model says of each token of a take that was written in one reading what it said then. Returns
 * how many were read. */
static int write_and_read(const struct continuation_options *o, size_t first,
                          size_t step)
{
    int n_read = 0;
    assert_int_equal(write_take(&desk, o, &written), CONTINUATION_DONE);
    for (size_t k = first; k < written.n; k += step) {
        if (!written.notes[k].n_tokens && o->motif.kind != MOTIF_VARIED)
            continue;
        read_take(&desk, o, &written, k);
        n_read++;
        if (written.stats.n_tokens < 100 && o->motif.kind != MOTIF_VARIED)
            assert_probabilities_are_those_of_the_take(&desk, &written);
    }
    return n_read;
}

static struct continuation_options bars(int n, uint64_t seed)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.style = STYLE_CHORALE;
    o.bars = n;
    o.max_polyphony = 1;
    o.sampling.seed = seed;
    return o;
}

DESK_TEST(test_a_hole_is_read_as_it_was_written, 16)
{
    for (uint64_t seed = 1; seed < 6; seed++) {
        struct continuation_options o = hole_options(seed);
        o.hole.density = seed % 2 ? 3 : FILL_ANY;
        if (write_and_read(&o, 0, 3))
            assert_sums_to_one(&desk, inspection_find(desk.i, written.notes[0].note.id),
                               (struct inspected_look){.layer = 0, .head = 1});
    }
}

DESK_TEST(test_a_continuation_is_read_as_it_was_written, 8)
{
    int n_whole = 0;
    for (uint64_t seed = 1; seed < 6; seed++) {
        struct continuation_options o = bars(1, seed);
        o.tracks = 1;
        n_whole += write_and_read(&o, 0, 2) && written.stats.n_tokens < 100;
    }
    assert_true(n_whole > 0);
}

/* One instrument after the other, so that the notes come not in order of time. */
DESK_TEST(test_a_band_is_read_as_it_was_written, 16)
{
    const int bass = score_add_track(desk.score, "bass", 4, 32),
              drums = score_add_track(desk.score, "drums", 9, 0);
    struct continuation_options o = hole_options(3);
    bool is_later = false, is_out_of_order = false;
    o.hole.from_tick = 0;
    o.hole.to_tick = 24 * QUARTER_TICKS;
    o.hole.pitch_lo = 0;
    o.hole.pitch_hi = 127;
    o.hole.min_notes = 4;
    o.tracks = UINT64_C(1) << bass | UINT64_C(1) << drums;
    o.is_band = true;
    write_and_read(&o, 0, 3);
    for (size_t k = 1; k < written.n; k++) {
        const struct continued_note *n = &written.notes[k];
        is_later |= n->track != n[-1].track;
        is_out_of_order |= n->note.start < n[-1].note.start;
    }
    assert_true(is_later && is_out_of_order);
}

/* Longer than the model's context, so that it was read anew on the way. */
DESK_TEST(test_long_takes_are_read_where_they_were_written, 8)
{
    struct continuation_options o = bars(200, 2), hole = hole_options(5);
    hole.hole.from_tick = 2 * QUARTER_TICKS;
    hole.hole.to_tick = 200 * QUARTER_TICKS;
    hole.hole.min_notes = 40;
    hole.max_polyphony = 1;
    write_and_read(&o, 0, 9);
    assert_true(written.stats.n_tokens > CONTEXT);
    write_and_read(&hole, 0, 9);
    assert_true(written.stats.n_tokens > CONTEXT);
}

/* A note sounds into what comes after, past where bars of another meter begin. The longer answers
 * do not fit the model's context; the first note of each has its place given. */
DESK_TEST(test_answers_keep_the_meter_that_they_began_in, 16)
{
    const struct meter meters[] = {
        {.tick = 0, .numerator = 4, .denominator = 4},
        {.tick = 20 * QUARTER_TICKS, .numerator = 3, .denominator = 8}};
    struct score *s = desk.score;
    int n_long = 0;
    timeline_fini(&s->timeline);
    assert_ok(timeline_init(&s->timeline, QUARTER_TICKS, NULL, 0, meters, 2));
    put_note(s, 1, 16 * QUARTER_TICKS, 80 * QUARTER_TICKS, 30);
    for (uint64_t seed = 1; seed < 5; seed++) {
        struct continuation_options o = CONTINUATION_DEFAULT;
        o.style = STYLE_CHORALE;
        o.tracks = 1;
        o.begin_tick = 17 * QUARTER_TICKS;
        o.end_tick = (seed % 2 ? 26 : 90) * QUARTER_TICKS;
        o.sampling.seed = seed;
        write_and_read(&o, 1, 7);
        for (size_t k = 1; k < written.n; k++)
            assert_true(written.notes[k].note.start >= written.notes[k - 1].note.start);
        n_long += written.stats.n_tokens > CONTEXT;
    }
    assert_true(n_long > 0);
}

/* What was drawn of a take in which a phrase returns: all but an exact one. */
DESK_TEST(test_a_motif_is_read_as_it_was_written, 32)
{
    int n_drawn = 0;
    for (uint64_t seed = 1; seed < 10; seed++) {
        struct continuation_options o = bars(2, seed);
        o.motif = (struct continuation_motif){.kind = 1 + (enum motif_kind)(seed % 3),
                                              .to_tick = 4 * QUARTER_TICKS,
                                              .pitch_hi = 127,
                                              .tracks = 1};
        n_drawn += write_and_read(&o, 0, 1);
    }
    assert_true(n_drawn > 20);
}

static void assert_same_notes(const struct result *a, const struct result *b, size_t n)
{
    for (size_t k = 0; k < n; k++)
        assert_memory_equal(&a->notes[k], &b->notes[k], sizeof a->notes[k]);
}

/* The take goes on from another pitch of that note. */
static enum continuation_state
write_from(int note, int32_t token, struct continuation_options o, struct result *w)
{
    static int32_t ids[sizeof written.tokens / sizeof *written.tokens + 1];
    const int n = inspection_n_given(desk.i, note, INSPECTED_PITCH);
    assert_in_range(n, 0, written.n_tokens);
    memcpy(ids, written.tokens, (size_t)n * sizeof *ids);
    ids[n] = token;
    o.given = ids;
    o.n_given = (size_t)n + 1;
    return write_take(&desk, &o, w);
}

/* A take with enough notes to choose among; its k-th note, which is read. */
static int write_enough(uint64_t seed, size_t k, struct continuation_options *o)
{
    *o = hole_options(seed);
    o->max_polyphony = 4;
    o->hole.min_notes = 8;
    assert_int_equal(write_take(&desk, o, &written), CONTINUATION_DONE);
    read_take(&desk, o, &written, k);
    return inspection_find(desk.i, written.notes[k].note.id);
}

DESK_TEST(test_a_take_goes_on_from_another_choice, 16)
{
    enum { K = 4 };
    size_t n_tried = 0;
    struct continuation_options o;
    const int note = write_enough(7, K, &o);
    const struct note *was = &written.notes[K].note;
    for (int pitch = 0; pitch < 128 && n_tried < 3; pitch++) { /* some are allowed */
        if (pitch == was->pitch ||
            write_from(note, TOKEN_PITCH + pitch, o, &other) != CONTINUATION_DONE)
            continue;
        n_tried++;
        assert_true(other.n > K);
        assert_same_notes(&written, &other, K);
        assert_int_equal(other.notes[K].note.pitch, pitch);
        assert_int_equal(other.notes[K].note.start, was->start);
        write_from(note, TOKEN_PITCH + pitch, o, &again);
        assert_int_equal(other.n, again.n);
        assert_same_notes(&other, &again, other.n);
    }
    assert_true(n_tried > 0);
    /* what is not allowed is refused, and the take is as ever afterwards */
    int32_t wrong = TOKEN_EOS;
    struct continuation_options given = o;
    given.given = &wrong;
    given.n_given = 1;
    assert_int_equal(write_take(&desk, &given, &other), CONTINUATION_ERROR);
    assert_int_equal(write_take(&desk, &o, &other), CONTINUATION_DONE);
    assert_int_equal(other.n, written.n);
    assert_same_notes(&written, &other, written.n);
}

/* What is said to be allowed is drawn on from, and nothing else. */
DESK_TEST(test_choices_that_are_allowed_can_be_made, 16)
{
    struct inspect_guess all[TOKEN_COUNT];
    int n_allowed = 0, n_refused = 0;
    struct continuation_options o;
    const int note = write_enough(7, 4, &o);
    int n = inspection_alternatives(desk.i, note, INSPECTED_PITCH, all, TOKEN_COUNT);
    for (int k = 0; k < n; k += 7) {
        assert_int_equal(write_from(note, all[k].token, o, &other),
                         all[k].is_allowed ? CONTINUATION_DONE : CONTINUATION_ERROR);
        n_allowed += all[k].is_allowed;
        n_refused += !all[k].is_allowed;
    }
    assert_true(n_allowed > 0 && n_refused > 0);
}

DESK_TEST(test_muted_heads_write_otherwise, 16)
{
    struct continuation_options o = hole_options(3), muted = o;
    const struct attention_head heads[] = {{ATTENTION_SELF, 0, 1},
                                           {ATTENTION_SELF, 1, 0}};
    muted.muted = heads;
    muted.n_muted = 2;
    assert_int_equal(write_take(&desk, &o, &written), CONTINUATION_DONE);
    assert_int_equal(write_take(&desk, &muted, &other), CONTINUATION_DONE);
    assert_true(fabs(other.stats.own_log_prob - written.stats.own_log_prob) > 1e-6);
    read_take(&desk, &muted, &other, 0); /* and are read so */
    assert_probabilities_are_those_of_the_take(&desk, &other);
    read_note(&desk, 0, 3);
    assert_surprise_is_the_models(&desk);
    assert_int_equal(write_take(&desk, &o, &again), CONTINUATION_DONE);
    assert_int_equal(again.n, written.n);
    assert_same_notes(&written, &again, written.n);
    assert_int_equal(write_take(&desk, &muted, &again), CONTINUATION_DONE);
    assert_int_equal(again.n, other.n);
    assert_same_notes(&other, &again, other.n);
}

/* The model has two layers: a head of a tenth is refused, and then no other is left out. */
DESK_TEST(test_a_head_that_is_not_there_is_not_left_out, 16)
{
    const struct attention_head heads[] = {{ATTENTION_SELF, 0, 1},
                                           {ATTENTION_SELF, 9, 0}};
    struct continuation_options o = hole_options(3), muted = o;
    struct inspected_mute gone = {.what = MUTE_HEAD, .head = heads[1]};
    struct inspected_effect e;
    muted.muted = heads;
    muted.n_muted = 2;
    assert_int_equal(write_take(&desk, &o, &written), CONTINUATION_DONE);
    const struct inspection_request r = of_take(&muted, &written, 0);
    assert_int_equal(inspection_read(desk.i, desk.score, &r), INSPECTION_FAILED);
    const int note = read_note(&desk, 0, 3);
    assert_surprise_is_the_models(&desk);
    assert_int_equal(inspection_mute(desk.i, note, &gone, &e), INSPECTION_FAILED);
    assert_matters(note, mute_note(1, 2));
    assert_int_equal(inspection_read(desk.i, desk.score, &r), INSPECTION_FAILED);
}

DESK_TEST(test_a_note_of_a_take_is_asked_for_its_cause, 16)
{
    struct continuation_options o = hole_options(4);
    assert_int_equal(write_take(&desk, &o, &written), CONTINUATION_DONE);
    assert_true(written.n > 2);
    read_take(&desk, &o, &written, written.n - 1);
    int note = inspection_find(desk.i, written.notes[written.n - 1].note.id);
    /* a note of the score after the hole, which stands before it in the sequence */
    assert_matters(note, mute_note(1, 13));
    assert_matters(note, (struct inspected_mute){.what = MUTE_NOTE,
                                                 .note = written.notes[0].note.id});
}
