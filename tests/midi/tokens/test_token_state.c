/* The musical state: that of random sequences as a Python reader written from
 * models/FORMAT.md finds it (skipped without python3); and in a few known bars it is as
 * one sees it. */
#include "tests/check.h"
#include "midi/tokens/token_state.h"
#include "tests/midi/own_folder.h"
#include "tests/midi/random_fill.h"

enum { N_SEQUENCES = 40 };

/* Whether the last of these tokens has the row. */
static bool has_row(const int32_t *tokens, int n, int row)
{
    static struct token_state s;
    uint16_t rows[TOKEN_STATE_MOST];
    int n_rows = 0;
    token_state_start(&s);
    for (int i = 0; i < n; i++)
        n_rows = token_state_next(&s, tokens[i], rows);
    for (int i = 0; i < n_rows; i++)
        if (rows[i] == row)
            return true;
    return false;
}

/* Of many a one has more notes and chords than are stored. */
static struct tokens random_tokens(uint64_t *r)
{
    int kind = random_below(r, 8);
    if (kind < 4) {
        auto_piece p = kind ? random_piece(r) : random_piece_of(r, 2000, 500);
        return piece_tokens(&p, true);
    }
    auto_fill f = random_fill(r);
    if (kind < 6)
        random_inside(&f, r);
    return fill_tokens(&f, true);
}

/* As the reader prints them. */
static void write_rows(FILE *f, struct token_state *s, const struct tokens *t)
{
    for (size_t i = 0; i < t->n; i++) {
        uint16_t rows[TOKEN_STATE_MOST];
        int n = token_state_next(s, t->id[i], rows);
        for (int k = 0; k < n; k++)
            fprintf(f, "%s%d", k ? " " : "", rows[k]);
        fputs("\n", f);
    }
}

/* Returns how many tokens. */
static size_t write_both(void)
{
    static struct token_state s;
    uint64_t r = 11;
    size_t n = 0;
    FILE *tokens = fopen(in_folder("tokens"), "w"),
         *rows = fopen(in_folder("ours"), "w");
    assert_true(tokens && rows);
    for (int i = 0; i < N_SEQUENCES; i++) {
        auto_tokens t = random_tokens(&r);
        n += t.n;
        token_state_start(&s);
        for (size_t k = 0; k < t.n; k++)
            fprintf(tokens, "%d%c", (int)t.id[k], k + 1 < t.n ? ' ' : '\n');
        write_rows(rows, &s, &t);
    }
    assert_int_equal(fclose(tokens) | fclose(rows), 0);
    return n;
}

TEST_IN(a_stranger_finds_the_same_rows, make_folder, remove_folder)
{
    char command[256];
    if (system("python3 -c '' 2>/dev/null"))
        skip();
    assert_true(write_both() > 1000);
    snprintf(
        command, sizeof command,
        "cd %s && python3 -B $OLDPWD/tests/midi/state_reader.py <tokens >theirs && "
        "cmp ours theirs",
        folder);
    assert_int_equal(system(command), 0);
    unlink(in_folder("tokens"));
    unlink(in_folder("ours"));
    unlink(in_folder("theirs"));
}

TEST(it_takes_anything)
{
    static struct token_state s;
    uint16_t rows[TOKEN_STATE_MOST];
    uint64_t r = 7;
    token_state_start(&s);
    for (int i = 0; i < 120000; i++) {
        bool is_far = random_below(&r, 50) == 0;
        int n = token_state_next(&s,
                                 is_far ? random_below(&r, 1 << 30) - (1 << 29)
                                        : random_below(&r, TOKEN_COUNT),
                                 rows);
        assert_in_range(n, 10, TOKEN_STATE_MOST);
        for (int k = 0; k < n; k++)
            assert_true(rows[k] < TOKEN_STATE_ROWS && (!k || rows[k] > rows[k - 1]));
    }
}

/* A bar of a C held by the piano and a hit; in a hole from the second quarter on
 * track 0, the C sounds on and the chord holds. */
static const int32_t BARS[] = {
    TOKEN_BOS,        TOKEN_STYLE + 10,  TOKEN_TRACK,       TOKEN_FAMILY,
    TOKEN_TRACK + 1,  TOKEN_FAMILY + 16, TOKEN_BAR,         TOKEN_NUM + 3,
    TOKEN_DEN + 2,    TOKEN_POS,         TOKEN_CHORD + 71,  TOKEN_BASS + 2,
    TOKEN_TRACK,      TOKEN_VEL + 20,    TOKEN_PITCH + 60,  TOKEN_DUR + 47, /* 15 */
    TOKEN_POS + 24,   TOKEN_HOLE,        TOKEN_TRACK + 1,   TOKEN_VEL + 25,
    TOKEN_HIT + 3,    TOKEN_POS + 48,    TOKEN_CHORD + 120, TOKEN_RESUME, /* 23 */
    TOKEN_FILL,       TOKEN_POS + 24,    TOKEN_POS + 48,    TOKEN_PITCH,
    TOKEN_PITCH + 99, TOKEN_TRACK,       TOKEN_POS + 36,    TOKEN_VEL + 9, /* 31 */
    TOKEN_PITCH + 64, TOKEN_DUR + 11,    TOKEN_FILL_END,
};

/* Whether the row is there after so many tokens of BARS. */
struct told {
    int n, row;
    bool is_there;
};

static void assert_rows(const struct told *told, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (has_row(BARS, told[i].n, told[i].row) != told[i].is_there)
            fail_msg("row %d after %d tokens", told[i].row, told[i].n);
}

/* The bar is unknown, then has eight eighths; the bass is the root, then another; the C
 * sounds until the third quarter. */
TEST(it_says_what_a_reader_sees)
{
    static const struct told TOLD[] = {
        {1, STATE_PLACE + 192, true},     {1, STATE_BAR + 32, true},
        {1, STATE_TRACK + 64, true},      {6, STATE_FAMILY + 16, true},
        {13, STATE_FAMILY, true},         {9, STATE_BAR + 8, true},
        {12, STATE_CHORD + 71, true},     {11, STATE_BASS + 7, true},
        {12, STATE_BASS + 2, true},       {14, STATE_VELOCITY + 20, true},
        {15, STATE_SOUNDING + 60, false}, {16, STATE_SOUNDING + 60, true},
        {16, STATE_KEY + 60, true},       {16, STATE_LENGTH + 47, true},
        {17, STATE_PLACE + 24, true},     {17, STATE_SOUNDING + 60, true},
        {21, STATE_KEY + 128 + 3, true},  {22, STATE_SOUNDING + 60, false},
        {23, STATE_CHORD + 120, true},    {23, STATE_BASS + 12, true}};
    assert_rows(TOLD, sizeof TOLD / sizeof TOLD[0]);
}
