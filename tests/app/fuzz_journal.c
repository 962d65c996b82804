/* Whatever bytes are read as a journal: it is refused, or it is replayed, every state in
 * it is gone to as far as the music allows, and what it says is written and read again as
 * the same. */
#include "app/journal_contents.h"
#include "tests/fuzz_replay.h"

#include <stdlib.h>
#include <string.h>

/* All that it says, in as few records as that takes. */
static struct bytes_out write_again(const struct journal_contents *c)
{
    struct bytes_out out = {0};
    journal_put_base(&out, c->has_file, c->base, c->n_base);
    for (uint64_t i = 1; i < history_n_states(c->history); i++)
        journal_put_did(&out, history_parent(c->history, i),
                        history_time(c->history, i), history_change(c->history, i));
    for (size_t i = 0; i < c->n_saved; i++)
        journal_put_saved(&out, c->saved[i].state, c->saved[i].as);
    journal_put_went(&out, c->state);
    require(!out.failed);
    return out;
}

static void check_written(const struct journal_contents *c)
{
    struct journal_contents again;
    struct bytes_out out = write_again(c), twice;
    require(journal_contents_read(&again, out.bytes, out.n) == JOURNAL_OK);
    require(!again.is_torn && again.n_whole == out.n);
    twice = write_again(&again);
    require(twice.n == out.n && !memcmp(twice.bytes, out.bytes, out.n));
    journal_contents_fini(&again);
    free(out.bytes);
    free(twice.bytes);
}

/* Undoing what could be done leaves no trace. */
static void check_states(struct journal_contents *c, struct score *s)
{
    struct score *end = score_clone(s);
    uint64_t state = history_state(c->history), n = history_n_states(c->history);
    require(end != NULL);
    for (uint64_t i = 0; i < n && i < 40; i++)
        (void)history_go(c->history, s, i);
    if (!history_go(c->history, s, state))
        require(score_equal(s, end));
    score_destroy(end);
}

static void check_bytes(const uint8_t *bytes, size_t n_bytes)
{
    struct journal_contents c;
    struct score *s = NULL;
    if (journal_contents_read(&c, bytes, n_bytes) == JOURNAL_OK) {
        require(c.n_whole <= n_bytes);
        check_written(&c);
        if (journal_contents_replay(&c, &s, NULL) == JOURNAL_OK)
            check_states(&c, s);
        score_destroy(s);
    }
    journal_contents_fini(&c);
}

/* The bytes as a list of kind, length in two bytes, and content, so that a search need
 * not find checksums: as a journal. */
static struct bytes_out as_records(const uint8_t *at, size_t n)
{
    const uint8_t *end = at + n;
    struct bytes_out out = {0};
    bytes_put(&out, JOURNAL_MAGIC, strlen(JOURNAL_MAGIC));
    while (end - at >= 3) {
        size_t length = (size_t)at[1] | (size_t)at[2] << 8,
               left = (size_t)(end - at) - 3;
        length = length < left ? length : left;
        journal_put_record(&out, at[0], at + 3, length);
        at += 3 + length;
    }
    require(!out.failed);
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct bytes_out records = as_records(bytes, n_bytes);
    check_bytes(bytes, n_bytes);
    check_bytes(records.bytes, records.n);
    free(records.bytes);
    return 0;
}
