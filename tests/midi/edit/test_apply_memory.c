/* Applies and undoes changes while memory fails, at each allocation in turn and from
 * each one on: it succeeds, or the score is unchanged.
 *
 * The sources of applying are compiled here again, with allocators that fail when
 * told to. */
#include "tests/check.h"

static int n_good = -1; /* allocations before a failure; negative: none fails */
static bool goes_on;    /* all fail after it */

static bool fails(void)
{
    if (n_good < 0 || n_good-- > 0)
        return false;
    n_good = goes_on ? 0 : -1;
    return true;
}

static void *try_malloc(size_t n)
{
    return fails() ? NULL : malloc(n);
}

static void *try_calloc(size_t n, size_t size)
{
    return fails() ? NULL : calloc(n, size);
}

static void *try_realloc(void *old, size_t n)
{
    return fails() ? NULL : realloc(old, n);
}

#define malloc  try_malloc
#define calloc  try_calloc
#define realloc try_realloc
#include "midi/base/array.c"
#include "midi/edit/apply.c"
#include "midi/score/chunk.c"
#include "midi/score/notes.c"
#include "midi/score/score.c"
#include "midi/edit/retime.c"
#undef malloc
#undef calloc
#undef realloc

#include "tests/midi/edit/random_smf.h"
#include "tests/midi/edit/smf_bytes.h"

#include "tests/midi/random_change.h"

/* Until it succeeds. The notes of the score are shared, as with the player's. */
static void try_all(struct change *c, struct score *s, bool is_forwards)
{
    auto_score *before = score_clone(s);
    enum midi_status st = MIDI_NO_MEMORY;
    assert_non_null(before);
    for (int n = 0; st; n++) {
        assert_true(n < 10000);
        n_good = n / 2;
        goes_on = n % 2;
        st = change_apply(c, s, is_forwards);
        n_good = -1;
        if (st) {
            assert_int_equal(st, MIDI_NO_MEMORY);
            assert_same_scores(s, before);
        }
    }
}

TEST(without_memory_nothing_is_done)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        static struct random_smf file;
        uint64_t r = seed;
        random_smf(&file, seed);
        struct score *s = read_bytes(file.plain, file.n_plain, NULL), *before;
        for (int i = 0; i < 10; i++) {
            auto_change *c = random_change(s, &r);
            before = score_clone(s);
            try_all(c, s, true);
            try_all(c, s, false);
            assert_same_scores(s, before);
            try_all(c, s, true);
            score_destroy(before);
        }
        score_destroy(s);
    }
}
