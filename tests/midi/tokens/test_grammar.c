/* Whatever is sampled under the mask parses, stays in its hole, and ends; the mask
 * refuses nothing needlessly. Choosers from fair to malicious stand in for a model. */
#include "tests/check.h"
#include "midi/tokens/parser.h"
#include "tests/midi/tokens/hole_run.h"

enum { N_HOLES = 6000, N_PHRASES = 2000 };

/* A beginning of the piece's tokens that stops between notes, after the first meter; and
 * where it stands. */
static size_t context_length(const struct tokens *t, uint64_t *r, int64_t *step)
{
    size_t least = 1 + (size_t)random_below(r, (int)t->n), n = 0;
    struct parser at;
    parser_init(&at);
    while (n < least || (n < t->n && !parser_is_between(&at)))
        assert_true(parser_feed(&at, t->id[n++]));
    *step = at.bar_start + (at.onset > 0 ? at.onset : 0);
    return n;
}

/* Most are declared. */
static int random_track(const struct piece *p, uint64_t *r)
{
    uint64_t declared = random_below(r, 6) ? piece_declared(p) : UINT64_MAX;
    int track = random_below(r, TOKEN_MAX_TRACKS);
    while (declared && !(declared >> track & 1))
        track = (track + 1) % TOKEN_MAX_TRACKS;
    return track;
}

/* Near the context's end, before or after; sometimes empty, or long. */
static struct hole hole_near(const struct piece *p, int64_t near, uint64_t *r)
{
    bool is_long = random_below(r, 16) == 0;
    struct hole h = {.from = near + random_below(r, 120) - 60};
    h.to = h.from + random_below(r, is_long ? 8000 : 50);
    h.pitch_lo = (uint8_t)random_below(r, 128);
    h.pitch_hi = (uint8_t)(h.pitch_lo + (is_long ? 0 : random_below(r, 5)));
    for (int n = random_below(r, 3); n >= 0; n--)
        h.tracks[random_track(p, r)] = true;
    hole_free_tracks(&h);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        if (random_below(r, 6) == 0)
            h.low[t] = (uint8_t)random_below(r, 128);
        if (random_below(r, 6) == 0)
            h.high[t] = (uint8_t)random_below(r, 256);
        h.max_polyphony[t] = random_below(r, 2) ? random_below(r, 5) : 0;
    }
    h.drums = piece_drums(p);
    h.scale = random_below(r, 3) ? 0 : (uint16_t)random_below(r, 0x10000);
    return h;
}

static void start(struct run *run, const struct piece *p, uint64_t *r)
{
    auto_tokens t = piece_tokens(p, false);
    int64_t step;
    run->n_asked = context_length(&t, r, &step);
    run->asked.hole = hole_near(p, step, r);
    grammar_start(run->g, &run->asked.hole);
    block_some(run, r);
    run->n = 0;
    while (run->n < run->n_asked)
        run_feed(run, t.id[run->n]);
}

/* Earlier notes of its track that sound when note i begins; a pitch counts once. */
static int count_voices(const struct piece *p, size_t i)
{
    bool sounds[N_PITCHES] = {false};
    int n = 0;
    for (size_t k = 0; k < i; k++) {
        const struct grid_note *a = &p->notes[k], *b = &p->notes[i];
        if (a->track == b->track && a->step + a->length > b->step) {
            n += !sounds[a->pitch];
            sounds[a->pitch] = true;
        }
    }
    return n;
}

static void check_note(const struct run *run, const struct piece *p, size_t i)
{
    const struct hole *h = &run->asked.hole;
    const struct grid_note *n = &p->notes[i];
    assert_true(n->step >= h->from && n->step + n->length <= h->to);
    assert_true(h->tracks[n->track] && is_pitch_of(h, p, n));
    assert_false(overlaps_any(p->notes, i, n));
    assert_false(overlaps_any(run->asked.blocked, run->asked.n_blocked, n));
    if (h->max_polyphony[n->track] > 0)
        assert_true(count_voices(p, i) < h->max_polyphony[n->track]);
}

/* Returns how many notes were sampled. */
static size_t check_filled(const struct run *run)
{
    auto_piece whole, context;
    assert_ok(tokens_decode(&context, run->ids, run->n_asked));
    assert_ok(tokens_decode(&whole, run->ids, run->n));
    assert_true(whole.n_notes >= context.n_notes);
    for (size_t i = 0; i < context.n_notes; i++)
        assert_int_equal(grid_note_compare(&whole.notes[i], &context.notes[i]), 0);
    for (size_t i = context.n_notes; i < whole.n_notes; i++)
        check_note(run, &whole, i);
    assert_true(grammar_bar_start(run->g) >= run->asked.hole.to);
    size_t n_sampled = whole.n_notes - context.n_notes;
    return n_sampled;
}

TEST(every_hole_ends_filled_and_nothing_else)
{
    uint64_t r = 5;
    auto_run *run = run_create();
    size_t n_with_notes = 0;
    for (int i = 0; i < N_HOLES; i++) {
        auto_piece p = random_piece(&r);
        if (p.n_bars > 0) {
            start(run, &p, &r);
            run_sample(run, (enum chooser)(i % N_CHOOSERS), &r);
            n_with_notes += check_filled(run) > 0;
        }
    }
    assert_in_range(n_with_notes, N_HOLES / 4, N_HOLES);
}

/* Leaves out meter changes, and notes that overlap an earlier one of their pitch. */
static void make_phrase(struct piece *p)
{
    p->n_meters = 1;
    p->n_bars = (int32_t)piece_bar_at(p, TOKEN_MAX_STEPS / 2);
    size_t kept = 0;
    for (size_t i = 0; i < p->n_notes; i++) {
        if (!overlaps_any(p->notes, kept, &p->notes[i]))
            p->notes[kept++] = p->notes[i];
    }
    p->n_notes = kept;
    p->n_chords = 0; /* none is sampled */
    int32_t last = kept ? p->notes[kept - 1].step : 0;
    p->n_bars = (int32_t)piece_bar_at(p, last) + 1;
}

/* The closest hole that holds all of a piece's notes. */
static struct hole hole_around(const struct piece *p)
{
    struct hole h = {.from = INT32_MAX, .to = 0, .pitch_lo = 127, .pitch_hi = 0};
    hole_free_tracks(&h);
    memset(h.low, 127, sizeof h.low);
    memset(h.high, 0, sizeof h.high);
    for (size_t i = 0; i < p->n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        h.from = n->step < h.from ? n->step : h.from;
        h.to = n->step + n->length > h.to ? n->step + n->length : h.to;
        h.pitch_lo = n->pitch < h.pitch_lo ? n->pitch : h.pitch_lo;
        h.pitch_hi = n->pitch > h.pitch_hi ? n->pitch : h.pitch_hi;
        h.scale |= (uint16_t)(1 << n->pitch % 12);
        h.tracks[n->track] = true;
        uint8_t *low = &h.low[n->track], *high = &h.high[n->track];
        *low = n->pitch < *low ? n->pitch : *low;
        *high = n->pitch > *high ? n->pitch : *high;
        int n_voices = count_voices(p, i) + 1, *most = &h.max_polyphony[n->track];
        *most = n_voices > *most ? n_voices : *most;
    }
    return h;
}

TEST(phrases_that_fit_are_allowed)
{
    uint64_t r = 6;
    auto_grammar *g = grammar_create();
    assert_non_null(g);
    for (int i = 0; i < N_PHRASES; i++) {
        auto_piece p = random_piece(&r);
        if (p.n_notes > 0) {
            make_phrase(&p);
            struct hole h = hole_around(&p);
            auto_tokens t = piece_tokens(&p, false);
            grammar_start(g, &h);
            bool has_meter = false;
            for (size_t k = 0; k < t.n; k++) {
                uint8_t allowed[TOKEN_COUNT];
                grammar_allow(g, allowed);
                assert_true(!has_meter || allowed[t.id[k]]);
                has_meter = has_meter || token_kind(t.id[k]) == TOKEN_DEN;
                assert_ok(grammar_feed(g, t.id[k]));
            }
        }
    }
}

/* One voice in bar 2 of 4/4, from its second beat, pitches 60 to 62. */
TEST(small_hole_by_hand)
{
    struct hole h = hole_of(120, 160, 60, 62, 1);
    h.max_polyphony[0] = 1;
    auto_grammar *g = start_grammar(&h);
    FEED(g, TOKEN_BOS, TOKEN_STYLE, TOKEN_TRACK, TOKEN_FAMILY, TOKEN_BAR, TOKEN_NUM + 3,
         TOKEN_DEN + 2);
    feed_forced(g, TOKEN_BAR);
    assert_allowed(g, TOKEN_POS + 24, 40, 1);
    FEED(g, TOKEN_POS + 62);
    feed_forced(g, TOKEN_TRACK);
    FEED_OF(g, TOKEN_VELOCITIES, TOKEN_VEL + 9);
    FEED_OF(g, 3, TOKEN_PITCH + 61);
    assert_n_allowed(g, 2);
    assert_int_equal(grammar_feed(g, TOKEN_BAR), MIDI_BAD_TOKEN);
    FEED(g, TOKEN_DUR + 1);

    struct grid_note note;
    assert_true(grammar_note(g, &note));
    assert_int_equal(note.step, 158);
    assert_int_equal(note.length, 2);
    assert_int_equal(grammar_step(g), 158);
    assert_int_equal(grammar_bar_start(g), 96);
    assert_n_allowed(g, 1); /* the one voice is taken */
    FEED(g, TOKEN_BAR);
    assert_true(grammar_done(g));
    assert_false(grammar_note(g, &note));
}

/* Two tracks of a band, one of them drums whatever the hole says, and one that is
 * not declared. Each has its own range, drums in keys. */
TEST(drums_are_hit)
{
    struct hole h = hole_of(0, 96, 60, 72, 3);
    h.scale = h.max_polyphony[0] = 1;
    h.low[0] = 65;
    h.low[1] = 36;
    auto_grammar *g = start_grammar(&h);
    FEED(g, TOKEN_BOS, TOKEN_STYLE, TOKEN_TRACK, TOKEN_FAMILY + 4);
    FEED(g, TOKEN_TRACK + 1, TOKEN_FAMILY + FAMILY_DRUMS);
    FEED(g, TOKEN_BAR, TOKEN_NUM + 3, TOKEN_DEN + 2, TOKEN_POS + 24, TOKEN_CHORD + 7);
    FEED_OF(g, 1 + 71 + 2, TOKEN_TRACK, TOKEN_VEL);
    assert_allowed(g, TOKEN_PITCH + 72, 1, 0);
    FEED(g, TOKEN_PITCH + 72, TOKEN_DUR + 71, TOKEN_TRACK + 1, TOKEN_VEL + 30);
    assert_allowed(g, TOKEN_HIT + 1, HIT_COUNT - 1, 0);
    FEED(g, TOKEN_HIT + 10);
    struct grid_note note;
    assert_true(grammar_note(g, &note));
    assert_int_equal(note.pitch, 45);
    assert_int_equal(note.length, HIT_STEPS);
    /* each key once, ascending */
    assert_allowed(g, TOKEN_HIT + 11, HIT_COUNT - 11, 1 + 71 + TOKEN_VELOCITIES - 1);
    FEED(g, TOKEN_POS + 25);
    FEED_OF(g, TOKEN_VELOCITIES - 1 + HIT_COUNT - 1, TOKEN_HIT + 10, TOKEN_BAR);
    assert_true(grammar_done(g));
}

TEST(blocked_notes_are_kept_off)
{
    struct hole h = hole_of(0, 96, 60, 60, 1);
    auto_grammar *g = start_grammar(&h);
    assert_ok(grammar_block(g, 0, 60, 30, 10));
    assert_ok(grammar_block(g, 0, 61, 0, 96));
    assert_ok(grammar_block(g, 0, 60, 20, 4));
    assert_int_equal(grammar_block(g, TOKEN_MAX_TRACKS, 60, 0, 1), MIDI_TOO_LONG);
    FEED(g, TOKEN_BOS, TOKEN_STYLE, TOKEN_TRACK, TOKEN_FAMILY, TOKEN_BAR, TOKEN_NUM + 3,
         TOKEN_DEN + 2);
    assert_allowed(g, TOKEN_POS, 20, 1 + 6 + 56);
    assert_allowed(g, TOKEN_POS + 24, 6, 1 + 20 + 56);
    assert_allowed(g, TOKEN_POS + 40, 56, 1 + 20 + 6);
    FEED(g, TOKEN_POS + 24, TOKEN_TRACK, TOKEN_VEL, TOKEN_PITCH + 60);
    assert_n_allowed(g, 6);
}

/* Holes at and past the limits of a sequence, or empty. */
TEST(extreme_holes_still_end)
{
    const struct hole holes[] = {
        {.from = INT64_MIN, .to = INT64_MAX, .pitch_hi = 255, .tracks = {true}},
        {.from = INT64_MAX, .to = INT64_MIN, .pitch_hi = 127, .tracks = {true}},
        {.to = 1000, .pitch_lo = 9, .pitch_hi = 8, .tracks = {true}},
        {.to = 1000, .pitch_hi = 127}};
    uint8_t allowed[TOKEN_COUNT];
    for (size_t i = 0; i < sizeof holes / sizeof *holes; i++) {
        struct hole h = holes[i];
        h.high[0] = h.tracks[0] ? 127 : 0;
        int64_t most = hole_max_tokens(&h);
        assert_true(most >= 0);
        auto_grammar *g = start_grammar(&h);
        FEED(g, TOKEN_BOS, TOKEN_STYLE, TOKEN_TRACK, TOKEN_FAMILY, TOKEN_BAR,
             TOKEN_NUM + 63, TOKEN_DEN);
        for (; !grammar_done(g); most--) {
            assert_true(most > 0);
            assert_true(grammar_allow(g, allowed) > 0 && allowed[TOKEN_BAR]);
            FEED(g, TOKEN_BAR);
        }
    }
}
