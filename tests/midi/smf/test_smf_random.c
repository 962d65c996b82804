/* Properties of reading and writing, over random files. */
#include "tests/check.h"
#include "tests/midi/edit/random_smf.h"
#include "tests/midi/edit/smf_bytes.h"
#include "tests/midi/smf/fuzz_smf.c"

enum { N_FILES = 400, N_BROKEN = 1500 };

static struct random_smf file; /* too large for a stack under sanitizers */

TEST(comes_back_byte_for_byte)
{
    for (uint64_t seed = 1; seed <= N_FILES; seed++) {
        random_smf(&file, seed);
        auto_score *s = read_bytes(file.running, file.n_running, NULL);
        assert_writes(s, file.plain, file.n_plain);
        assert_ok(LLVMFuzzerTestOneInput(file.running, file.n_running));
    }
}

/* Broken files keep what fuzz_smf.c says of any bytes. */
TEST(mends_broken_files_for_good)
{
    uint64_t r = 99;
    for (int i = 0; i < N_BROKEN; i++) {
        random_smf(&file, (uint64_t)i % 50 + 1);
        for (int k = random_below(&r, 5); k >= 0; k--)
            file.running[random_below(&r, (int)file.n_running)] =
                (uint8_t)random_below(&r, 256);
        assert_ok(LLVMFuzzerTestOneInput(file.running, file.n_running));
    }
}
