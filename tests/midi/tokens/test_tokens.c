/* Encode and decode: exact inverses, and decode takes nothing else. */
#include "tests/check.h"
#include "tests/midi/canonical.h"
#include "tests/midi/random_fill.h"

enum { N_PIECES = 10000, N_MUTANTS = 20000, N_WALKS = 500, WALK_TOKENS = 60 };

TEST(spoken_as_the_page_says)
{
    static const char WORDS[] =
        "BOS, STYLE 1, TRACK 0, FAMILY 0, TRACK 1, FAMILY 4, TRACK 3, FAMILY "
        "16, BAR, NUM 4, DEN 4, POS 0, CHORD 0, TRACK 0, VEL 16, PITCH 60, DUR "
        "24, TRACK 1, VEL 20, PITCH 48, DUR 96, POS 24, TRACK 0, PITCH 62, DUR "
        "24, TRACK 1, PITCH 50, DURX 96, DUR 1, POS 48, CHORD 96, BASS 7, BAR, "
        "POS 0, PITCH 52, DURX 6048, DURX 192, DUR 1, POS 36, BAR, NUM 5, DEN "
        "4, POSX 96, POS 4, CHORD 120, PITCH 52, DUR 1, TRACK 3, VEL 20, HIT "
        "36, VEL 9, HIT 42, EOS";
    const int32_t speaks_of[] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0,
                                 0,  0,  0,  1,  1,  1,  1,  2,  2,  2,  2,  3,  3,  3,
                                 3,  -1, -1, -1, -1, 4,  4,  4,  4,  4,  -1, -1, -1, -1,
                                 -1, -1, -1, 5,  5,  6,  6,  6,  7,  7,  -1};
    auto_piece p;
    auto_tokens words = tokens_of(WORDS);
    assert_ok(tokens_decode(&p, words.id, words.n));
    assert_string_equal(told_notes(p.notes, p.n_notes),
                        "0:60@0+24 1:48@0+96 0:62@24+24 1:50@24+97 1:52@96+6241 "
                        "1:52@232+1 3:36@232+1 3:42@232+1 ");
    assert_true(p.style == STYLE_CHORALE && p.n_bars == 3 && p.notes[7].velocity == 9);
    assert_true(p.meters[1].step == 132 && p.meters[1].numerator == 5);
    static const struct grid_chord CHORDS[] = {
        {0, 0, CHORD_MAJOR, 0},
        {48, 9, CHORD_MINOR7, 7},
        {232, CHORD_NO_ROOT, 0, CHORD_NO_ROOT},
    };
    for (int i = 0; i < 3; i++)
        assert_true(p.chords[i].step == CHORDS[i].step &&
                    grid_chord_equal(&p.chords[i], &CHORDS[i]));
    auto_tokens t = piece_tokens(&p, true);
    assert_string_equal(told_tokens(&t), WORDS);
    assert_memory_equal(t.note, speaks_of, sizeof speaks_of);
}

TEST(random_pieces_come_back)
{
    uint64_t r = 1;
    for (int i = 0; i < N_PIECES; i++) {
        auto_piece p = random_piece(&r), back;
        auto_tokens t;
        assert_ok(piece_check(&p));
        assert_ok(tokens_encode(&t, &p, i % 2));
        assert_ok(tokens_decode(&back, t.id, t.n));
        assert_true(pieces_equal(&p, &back));
    }
}

/* One token replaced, left out, doubled, exchanged with the next, or the rest
 * left out. Near values are likelier to pass for legal. */
static size_t mutate(int32_t *ids, size_t n, uint64_t *r)
{
    size_t i = (size_t)random_below(r, (int)n);
    int32_t other = random_below(r, 2) ? random_below(r, TOKEN_COUNT + 2) - 1
                                       : ids[i] + random_below(r, 5) - 2;
    switch (random_below(r, 5)) {
    case 0:
        ids[i] = other;
        return n;
    case 1:
        memmove(ids + i, ids + i + 1, (n - i - 1) * sizeof *ids);
        return n - 1;
    case 2:
        memmove(ids + i + 1, ids + i, (n - i) * sizeof *ids);
        return n + 1;
    case 3:
        if (i + 1 == n)
            return n;
        other = ids[i];
        ids[i] = ids[i + 1];
        ids[i + 1] = other;
        return n;
    default:
        return i;
    }
}

/* Of pieces, and of holes with their notes. */
TEST(mutants_are_refused_or_canonical)
{
    uint64_t r = 2;
    int n_taken[2] = {0};
    for (int i = 0; i < 2 * N_MUTANTS; i++) {
        const bool is_fill = i % 2;
        auto_piece p = random_piece(&r);
        auto_fill f = random_fill(&r);
        if (i % 4 == 3)
            fill_take_chords(&f);
        auto_tokens t = is_fill ? fill_tokens(&f, true) : piece_tokens(&p, i % 4);
        auto_free int32_t *ids = calloc(t.n + 3, sizeof *ids);
        assert_non_null(ids);
        memcpy(ids, t.id, t.n * sizeof *ids);
        size_t n = t.n;
        for (int k = random_below(&r, 3); k >= 0 && n > 0; k--)
            n = mutate(ids, n, &r);
        n_taken[is_fill] +=
            n > 0 && (is_fill ? decodes_as_fill(ids, n) : decodes_as_piece(ids, n));
    }
    for (int k = 0; k < 2; k++)
        assert_in_range(n_taken[k], N_MUTANTS / 50, N_MUTANTS / 2);
}

/* From the parser's side: whatever it lets by, stopped anywhere. */
TEST(random_walks_are_canonical)
{
    uint64_t r = 3;
    int n_taken = 0;
    for (int i = 0; i < N_WALKS; i++) {
        int32_t ids[WALK_TOKENS];
        struct parser at;
        parser_init(&at);
        for (size_t n = 0; n < WALK_TOKENS; n++) {
            ids[n] = any_legal_token(&at, TOKEN_EOS, &r);
            if (ids[n] < 0)
                break;
            assert_true(parser_feed(&at, ids[n]));
            n_taken += decodes_as_piece(ids, n + 1);
        }
    }
    assert_in_range(n_taken, N_WALKS, N_WALKS * WALK_TOKENS);
}

/* Of bars of 4/4 and one track: notes; chords, "step:root/bass "; meters that say 4/4. */
static const struct {
    const char *notes, *chords;
    int n_meters, n_bars;
    uint8_t family;
    enum midi_status status;
} PIECES[] = {
    {"0:0@0+1 0:0@24+1", "", 1, 1, 0, MIDI_OK},
    {"0:0@24+1 0:0@0+1", "", 1, 1, 0, MIDI_BAD_TOKEN}, /* not in order */
    {"0:0@0+1", "", 2, 2, 0, MIDI_BAD_TOKEN},          /* the second says nothing new */
    {"0:0@0+1 0:0@192+1", "", 1, 2, 0, MIDI_BAD_TOKEN}, /* after the last bar */
    {"0:0@24+16777216", "", 1, 2, 0, MIDI_TOO_LONG},
    {"0:0@0+1", "", 1, 2, FAMILY_NONE, MIDI_BAD_TOKEN},  /* undeclared */
    {"0:0@0+1", "", 1, 2, FAMILY_DRUMS, MIDI_BAD_TOKEN}, /* no such drum */
    {"0:35@0+1", "", 1, 2, FAMILY_DRUMS, MIDI_OK},
    {"0:35@0+2", "", 1, 2, FAMILY_DRUMS, MIDI_BAD_TOKEN}, /* longer than a hit */
    {"", "0:4/4 24:4/4", 1, 2, 0, MIDI_BAD_TOKEN},        /* says nothing new */
    {"", "0:4/4 24:4/12", 1, 2, 0, MIDI_BAD_TOKEN},       /* no such bass */
    {"", "0:4/4 24:4/7", 1, 2, 0, MIDI_OK},
    {"", "0:4/4 192:4/7", 1, 2, 0, MIDI_BAD_TOKEN}, /* after the last bar */
    {"", "", 1, INT32_MAX, 0, MIDI_TOO_LONG},
    {"", "", 1, -1, 0, MIDI_BAD_TOKEN},
};

TEST(only_canonical_pieces_are_encoded)
{
    for (size_t i = 0; i < sizeof PIECES / sizeof *PIECES; i++) {
        struct grid_note notes[2];
        struct grid_meter meters[] = {{0, 4, 4}, {96, 4, 4}};
        struct grid_chord chords[2] = {{0}};
        struct piece p;
        auto_tokens t;
        int step, root, bass, used;
        piece_init(&p, STYLE_ANY);
        p.families[0] = PIECES[i].family;
        p.notes = notes;
        p.meters = meters;
        p.chords = chords;
        p.n_notes = notes_of(PIECES[i].notes, notes);
        p.n_meters = (size_t)PIECES[i].n_meters;
        p.n_bars = PIECES[i].n_bars;
        for (const char *at = PIECES[i].chords;
             sscanf(at, "%d:%d/%d %n", &step, &root, &bass, &used) == 3; at += used)
            chords[p.n_chords++] =
                (struct grid_chord){step, (uint8_t)root, 0, (uint8_t)bass};
        assert_int_equal(tokens_encode(&t, &p, true), PIECES[i].status);
    }
}

/* Other names are seen in spoken_as_the_page_says. */
TEST(tokens_have_names)
{
    char buf[24];
    assert_int_equal(TOKEN_COUNT, 882); /* what models have learnt */
    assert_true(tokens_fit(882) && !tokens_fit(680));
    assert_string_equal(token_name(TOKEN_COUNT, buf, sizeof buf), "? 882");
    assert_string_equal(token_name(INT32_MIN, buf, sizeof buf), "? -2147483648");
}
