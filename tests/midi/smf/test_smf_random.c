/* Properties of reading and writing, over random files. */
#include "tests/check.h"
#include "tests/midi/edit/random_smf.h"
#include "tests/midi/edit/smf_bytes.h"

enum { N_FILES = 400, N_BROKEN = 1500 };

static struct random_smf file; /* too large for a stack under sanitizers */

/* Every note ends after it begins, and notes are in order. */
static void assert_ordered(const struct track *t, int64_t end_tick)
{
    const struct note *n = t->notes;
    for (size_t i = 0; i < t->n_notes; i++) {
        assert_true(n[i].start >= 0 && n[i].length >= 0 && n[i].id > 0);
        assert_true(n[i].start + n[i].length <= end_tick);
        assert_true(i == 0 || n[i].start > n[i - 1].start ||
                    (n[i].start == n[i - 1].start && n[i].pitch >= n[i - 1].pitch));
    }
}

TEST(comes_back_byte_for_byte)
{
    for (uint64_t seed = 1; seed <= N_FILES; seed++) {
        random_smf(&file, seed);
        auto_score *s = read_bytes(file.running, file.n_running, NULL);
        assert_writes(s, file.plain, file.n_plain);
        for (size_t t = 0; t < s->n_tracks; t++)
            assert_ordered(&s->tracks[t], s->chunks[s->tracks[t].chunk].end_tick);
    }
}

/* What is read from a broken file is written as a valid one. */
TEST(mends_broken_files_for_good)
{
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
        assert_ok(smf_write(s, &bytes, &n));
        auto_score *again = read_bytes(bytes, n, NULL);
        assert_writes(again, bytes, n);
        free(bytes);
        score_destroy(s);
    }
}
