/* Properties of reading and writing over random files. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/midi/edit/random_smf.h"
#include "tests/midi/edit/smf_bytes.h"

enum { N_FILES = 400, N_BROKEN = 1500 };

static struct random_smf file; /* too large for a stack under sanitizers */

static void comes_back_byte_for_byte(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= N_FILES; seed++) {
        random_smf(&file, seed);
        struct score *s = read_bytes(file.running, file.n_running, NULL);
        assert_writes(s, file.plain, file.n_plain);
        score_destroy(s);
    }
}

static void a_clone_writes_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= N_FILES / 4; seed++) {
        random_smf(&file, seed);
        struct score *s = read_bytes(file.plain, file.n_plain, NULL);
        struct score *clone = score_clone(s);
        assert_true(score_equal(s, clone));
        score_destroy(s); /* the clone borrows nothing */
        assert_writes(clone, file.plain, file.n_plain);
        score_destroy(clone);
    }
}

/* Note-ons and their ends counted straight from the bytes would need a reader;
 * what any reader must agree on is that nothing sounds before it begins. */
static void notes_are_in_order_and_in_bounds(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= N_FILES / 4; seed++) {
        random_smf(&file, seed);
        struct score *s = read_bytes(file.plain, file.n_plain, NULL);
        for (size_t t = 0; t < s->n_tracks; t++) {
            const struct note *n = s->tracks[t].notes;
            for (size_t i = 0; i < s->tracks[t].n_notes; i++) {
                assert_true(n[i].start >= 0 && n[i].length >= 0 && n[i].id > 0);
                assert_true(n[i].start + n[i].length <=
                            s->chunks[s->tracks[t].chunk].end_tick);
                assert_true(
                    i == 0 || n[i].start > n[i - 1].start ||
                    (n[i].start == n[i - 1].start && n[i].pitch >= n[i - 1].pitch));
            }
        }
        score_destroy(s);
    }
}

/* Whatever is read from a broken file is written as a file that is whole. */
static void mends_broken_files_for_good(void **state)
{
    (void)state;
    uint64_t r = 99;
    for (int i = 0; i < N_BROKEN; i++) {
        random_smf(&file, (uint64_t)i % 50 + 1);
        for (int k = random_below(&r, 5); k >= 0; k--)
            file.running[random_below(&r, (int)file.n_running)] =
                (uint8_t)random_below(&r, 256);
        struct score *s;
        if (smf_read(&s, file.running, file.n_running, NULL))
            continue;
        uint8_t *bytes;
        size_t n;
        assert_int_equal(smf_write(s, &bytes, &n), MIDI_OK);
        struct score *again = read_bytes(bytes, n, NULL);
        assert_true(score_equal(s, again));
        assert_writes(again, bytes, n);
        free(bytes);
        score_destroy(again);
        score_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back_byte_for_byte),
        cmocka_unit_test(a_clone_writes_the_same),
        cmocka_unit_test(notes_are_in_order_and_in_bounds),
        cmocka_unit_test(mends_broken_files_for_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
