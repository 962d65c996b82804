/* A phrase returns in what a model of random weights writes: it knows no music, so the program
 * alone brings the phrase back. */
#include "tests/check.h"
#include "app/decoding/motif.h"
#include "tests/app/one_fixture.h"

enum { BAR = 4 * QUARTER, C_MAJOR = 0xAB5, N_PHRASE = 7 };

/* Two bars, one note off the grid; then six bars of another line, and a bass in whole
 * notes on the third track. */
#define PHRASE_TEXT "64q 67:233 =727 65:240 =960 60h 60:720 62:240 71:900"
static const struct note PHRASE[N_PHRASE] = {
    {.start = 0, .length = 480, .pitch = 64},
    {.start = 480, .length = 233, .pitch = 67},
    {.start = 727, .length = 240, .pitch = 65},
    {.start = 960, .length = 960, .pitch = 60},
    {.start = 1920, .length = 720, .pitch = 60},
    {.start = 2640, .length = 240, .pitch = 62},
    {.start = 2880, .length = 900, .pitch = 71},
};

FIXTURE(begin)
{
    music = score_of("480 | a: %s =2w (72q 71 69 67 65 64 62 60)*3 | b: | "
                     "c: (48w 53)*4",
                     PHRASE_TEXT);
    set_up(&f, 512, TOKEN_COUNT, 1);
    return 0;
}

static struct continuation_options returning(enum motif_kind kind, uint64_t seed)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.bars = 8;
    o.style = STYLE_CHORALE;
    o.sampling.seed = seed;
    o.motif = (struct continuation_motif){
        .kind = kind, .to_tick = 2 * BAR, .pitch_hi = 127, .tracks = 1};
    return o;
}

/* The phrase's notes in the take, which its track has alone while it lasts. */
static void find_return(const struct continued_note *found[N_PHRASE])
{
    const int64_t from = r.stats.motif.tick, to = from + 2880 + 900;
    int n = 0;
    for (size_t i = 0; i < r.n; i++) {
        const struct continued_note *it = &r.notes[i];
        if (it->track != 0 || it->note.start >= to ||
            it->note.start + it->note.length <= from)
            continue;
        assert_in_range(n, 0, N_PHRASE - 1);
        assert_int_equal(it->note.start - from, PHRASE[n].start);
        assert_int_equal(it->note.length, PHRASE[n].length);
        found[n++] = it;
    }
    assert_int_equal(n, N_PHRASE);
    assert_int_equal(from % BAR, 0);
}

/* Wherever the seed puts it. Returns how many places there were. */
static int each_return(enum motif_kind kind,
                       void (*assert_is)(const struct continued_note *found[N_PHRASE]))
{
    uint64_t places = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const struct continued_note *found[N_PHRASE];
        const struct continuation_options o = returning(kind, seed);
        assert_int_equal(run(&f, music, &o, &r), CONTINUATION_DONE);
        assert_int_equal(r.stats.motif.kind, kind);
        assert_true(r.stats.motif.tick >= 8 * BAR);
        for (size_t i = 1; i < r.n; i++)
            assert_true(r.notes[i].note.start >= r.notes[i - 1].note.start);
        struct continuation_options whole = o;
        whole.hole.from_tick = 8 * BAR;
        whole.hole.to_tick = 16 * BAR;
        assert_legal(music, &whole, &r);
        find_return(found);
        assert_is(found);
        places |= UINT64_C(1) << (r.stats.motif.tick / BAR);
    }
    return __builtin_popcountll(places);
}

static void is_the_same(const struct continued_note *found[N_PHRASE])
{
    for (int i = 0; i < N_PHRASE; i++) {
        assert_int_equal(found[i]->note.pitch, PHRASE[i].pitch);
        assert_int_equal(found[i]->note.velocity, 80);
    }
}

TEST_IN(it_returns_exactly, begin, end)
{
    assert_true(each_return(MOTIF_EXACT, is_the_same) > 1);
}

/* By the same steps of the key, which is C major's. */
static void is_moved(const struct continued_note *found[N_PHRASE])
{
    const int steps = r.stats.motif.steps;
    assert_int_not_equal(steps, 0);
    for (int i = 0; i < N_PHRASE; i++)
        assert_int_equal(found[i]->note.pitch,
                         degree_move(C_MAJOR, PHRASE[i].pitch, steps));
}

TEST_IN(it_returns_transposed, begin, end)
{
    each_return(MOTIF_TRANSPOSED, is_moved);
}

/* Of a piece in G major in whose last bars the seventh is often C sharp; of one that an export says is in
 * C; and of a blues in A, whose sevenths are G. */
TEST(the_key_signature_is_the_key_in_which_it_returns)
{
    static const struct {
        const char *notes, *key;
        unsigned scale;
    } PIECES[] = {
        {"(67q 69 71 74 76 78 79 67 71 73)*4", "\x01", 0xAD5},
        {"(68q 70 72 73 75 77 79 68 72 75)*4", "\x00", 0x5AB}, /* A flat major's */
        {"(69q 73 76 79 72 69 73 76 74 66)*4", "\x03", 0xAD6}, /* D major's */
    };
    for (size_t i = 0; i < sizeof PIECES / sizeof *PIECES; i++) {
        auto_score *s = score_of("480 | a: %s", PIECES[i].notes);
        struct context c;
        struct continuation_options o = returning(MOTIF_TRANSPOSED, 1);
        score_put_meta(s, 0, META_KEY, PIECES[i].key, 2);
        assert_int_equal(score_update_timeline(s), MIDI_OK);
        assert_int_equal(context_init(&c, s, &o), MIDI_OK);
        assert_int_equal(c.motif.scale, PIECES[i].scale);
        context_fini(&c);
    }
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

/* It rises and falls as before, in the key and near; some notes change. */
static int n_kept;
static void is_varied(const struct continued_note *found[N_PHRASE])
{
    int n_changed = 0;
    for (int i = 0; i < N_PHRASE; i++) {
        const int pitch = found[i]->note.pitch;
        n_changed += pitch != PHRASE[i].pitch;
        assert_true(abs(pitch - PHRASE[i].pitch) <= 4);
        assert_true(scale_has(C_MAJOR, pitch));
        if (i)
            assert_int_equal(sign(pitch - found[i - 1]->note.pitch),
                             sign(PHRASE[i].pitch - PHRASE[i - 1].pitch));
    }
    assert_true(n_changed > 0);
    n_kept += N_PHRASE - n_changed;
}

TEST_IN(it_returns_varied, begin, end)
{
    n_kept = 0;
    assert_true(each_return(MOTIF_VARIED, is_varied) > 1);
    assert_true(n_kept > N_PHRASE); /* others do not */
}

/* What lies outside the hole's time, pitches and tracks stays empty, or it is refused. */
TEST_IN(it_returns_in_a_hole, begin, end)
{
    const struct continued_note *found[N_PHRASE];
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct continuation_options o =
            returning(1 + (enum motif_kind)(seed % 3), seed);
        struct continuation_options taken = o;
        o.hole = whole_hole(7 * BAR).hole;
        o.hole.from_tick = 4 * BAR;
        o.hole.pitch_lo = 55;
        o.tracks = 1;
        taken.hole = o.hole;
        assert_int_equal(run(&f, music, &taken, &r), CONTINUATION_DONE);
        for (size_t i = music->tracks[0].n_notes; i-- > 0;) {
            const struct note *n = &music->tracks[0].notes[i];
            if (n->start >= 4 * BAR && n->start < 7 * BAR)
                assert_true(score_remove_note(music, 0, n->id));
        }
        assert_int_equal(run(&f, music, &o, &r), CONTINUATION_DONE);
        assert_legal(music, &o, &r);
        find_return(found);
    }
}

/* Notes of one pitch that overlap in the phrase do not in its return. */
TEST_IN(it_returns_without_overlaps, begin, end)
{
    put_note(music, 0, 100, 700, 64);
    put_note(music, 0, 480, 100, 67);
    put_note(music, 0, 960, 2000, 60);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct continuation_options o =
            returning(1 + (enum motif_kind)(seed % 3), seed);
        assert_int_equal(run(&f, music, &o, &r), CONTINUATION_DONE);
        o.hole = whole_hole(16 * BAR).hole;
        o.hole.from_tick = 8 * BAR;
        assert_legal(music, &o, &r);
    }
}

/* A place that is given is kept, whatever the seed. */
TEST_IN(it_returns_where_it_is_told, begin, end)
{
    const struct continued_note *found[N_PHRASE];
    for (uint64_t seed = 1; seed < 4; seed++) {
        struct continuation_options o = returning(MOTIF_TRANSPOSED, seed);
        o.motif.at = (struct motif_place){MOTIF_TRANSPOSED, 11 * BAR, -1};
        assert_int_equal(run(&f, music, &o, &r), CONTINUATION_DONE);
        assert_int_equal(r.stats.motif.tick, 11 * BAR);
        find_return(found);
        is_moved(found);
    }
}

/* C E G E over an F chord is F A C A. */
TEST_IN(it_moves_to_the_chords, begin, end)
{
    while (music->tracks[0].n_notes)
        score_remove_note(music, 0, music->tracks[0].notes[0].id);
    score_put(music, 0, "(60q 64 67 64)*8");
    score_put_meta(music, 8 * BAR, META_TEXT, "F", 1);
    const struct continuation_options o = returning(MOTIF_TRANSPOSED, 0); /* the best */
    assert_int_equal(run(&f, music, &o, &r), CONTINUATION_DONE);
    assert_int_equal((r.stats.motif.steps + 7) % 7, 3);
}
