/* The musical state against a reader in Python that was written from models/FORMAT.md:
 * the same rows at every token of random pieces and holes. Skipped without python3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "midi/tokens/token_state.h"
#include "tests/midi/random_fill.h"

#include <stdio.h>
#include <unistd.h>

enum { N_SEQUENCES = 60, LINE = 1024 };

static char folder[] = "/tmp/continuo-state-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static struct tokens random_tokens(uint64_t *r)
{
    struct tokens t;
    if (random_below(r, 2)) {
        struct piece p = random_piece(r);
        assert_int_equal(tokens_encode(&t, &p, true), MIDI_OK);
        piece_fini(&p);
        return t;
    }
    struct fill f = random_fill(r);
    if (random_below(r, 2))
        random_inside(&f, r);
    assert_int_equal(fill_encode(&t, &f, true), MIDI_OK);
    fill_fini(&f);
    return t;
}

static void write_tokens(FILE *f, const struct tokens *t)
{
    for (size_t i = 0; i < t->n; i++)
        fprintf(f, "%d ", (int)t->id[i]);
    fputs("\n", f);
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

static void write_both(void)
{
    static struct token_state s;
    uint64_t r = 11;
    FILE *tokens = fopen(in_folder("tokens"), "w"),
         *rows = fopen(in_folder("ours"), "w");
    assert_true(tokens && rows);
    for (int i = 0; i < N_SEQUENCES; i++) {
        struct tokens t = random_tokens(&r);
        token_state_start(&s);
        write_tokens(tokens, &t);
        write_rows(rows, &s, &t);
        tokens_fini(&t);
    }
    assert_int_equal(fclose(tokens) | fclose(rows), 0);
}

static bool read_line(FILE *f, char line[LINE])
{
    return fgets(line, LINE, f) != NULL;
}

static void compare(void)
{
    char ours[LINE], theirs[LINE];
    FILE *a = fopen(in_folder("ours"), "r"), *b = fopen(in_folder("theirs"), "r");
    int n = 0;
    assert_true(a && b);
    for (; read_line(a, ours); n++) {
        assert_true(read_line(b, theirs));
        assert_string_equal(ours, theirs);
    }
    assert_false(read_line(b, theirs));
    assert_true(n > 1000);
    fclose(a);
    fclose(b);
}

static void a_stranger_finds_the_same_rows(void **state)
{
    (void)state;
    char command[256];
    if (system("python3 -c '' 2>/dev/null"))
        skip();
    assert_non_null(mkdtemp(folder));
    write_both();
    snprintf(command, sizeof command,
             "python3 -B tests/midi/state_reader.py <%s/tokens >%s/theirs", folder,
             folder);
    assert_int_equal(system(command), 0);
    compare();
    unlink(in_folder("tokens"));
    unlink(in_folder("ours"));
    unlink(in_folder("theirs"));
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stranger_finds_the_same_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
