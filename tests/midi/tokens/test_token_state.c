/* The musical state: that of random sequences as a Python reader written from
 * models/FORMAT.md finds it (skipped without python3); anything is taken. */
#include "tests/check.h"
#include "midi/tokens/token_state.h"
#include "tests/temp_file.h"
#include "tests/midi/random_fill.h"

enum { N_SEQUENCES = 20 };

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
    FILE *tokens = fopen(temp_path("tokens"), "w"),
         *rows = fopen(temp_path("ours"), "w");
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

TEST(a_stranger_finds_the_same_rows)
{
    char command[256];
    if (system("python3 -c '' 2>/dev/null"))
        skip();
    assert_true(write_both() > 1000);
    snprintf(
        command, sizeof command,
        "cd %s && python3 -B $OLDPWD/tests/midi/state_reader.py <tokens >theirs && "
        "cmp ours theirs",
        temp_folder);
    assert_int_equal(system(command), 0);
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
        assert_true(s.clock.at >= 0);
        for (int k = 0; k < n; k++)
            assert_true(rows[k] < TOKEN_STATE_ROWS && (!k || rows[k] > rows[k - 1]));
    }
}
