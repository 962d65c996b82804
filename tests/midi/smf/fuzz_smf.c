/* Any bytes that are read as a file are written as a valid one, which reads without
 * loss, is equal, and is written the same again. */
#include "midi/score/notes.h"
#include "midi/smf/smf.h"
#include "tests/fuzz_replay.h"
#include "tests/midi/auto.h"
#include "tests/midi/score_equal.h"
#include "tests/midi/undo.h"

static void check_notes(const struct score *s)
{
    for (size_t t = 0; t < s->n_tracks; t++)
        for (size_t i = 0; i < s->tracks[t].n_notes; i++) {
            const struct note *n = &s->tracks[t].notes[i];
            require(n->start >= 0 && n->length >= 0 && n->id > 0 && n->id < s->next_id);
            require(n->pitch < 128 && n->velocity >= 1 && n->velocity < 128);
            require(n->start + n->length <= s->chunks[s->tracks[t].chunk].end_tick);
            require(i == 0 || note_compare(n - 1, n) < 0);
            struct bar b = timeline_bar_at(&s->timeline, n->start);
            require(b.start <= n->start && n->start < b.start + b.length);
        }
}

/* Removing every note and undoing it restores the bytes. */
static void check_undo(struct score *s, const uint8_t *bytes, size_t n_bytes)
{
    auto_history *h = history_create();
    struct change *c = change_create("remove all");
    require(h && c);
    for (size_t t = 0; t < s->n_tracks; t++)
        for (size_t i = 0; i < s->tracks[t].n_notes; i++)
            require(!change_remove_note(c, (int)t, &s->tracks[t].notes[i]));
    require(!history_do(h, s, c) && score_n_notes(s) == 0);
    require(history_undo(h, s, NULL));

    uint8_t *again;
    size_t n_again;
    require(!smf_write(s, &again, &n_again));
    require(n_again == n_bytes && memcmp(again, bytes, n_bytes) == 0);
    free(again);
}

static void check_written(struct score *s, bool is_whole)
{
    uint8_t *bytes, *bytes_again;
    size_t n_bytes, n_again;
    struct score *again;
    struct smf_report report;
    require(!smf_write(s, &bytes, &n_bytes));
    require(!smf_read(&again, bytes, n_bytes, &report));
    require(!is_whole || report.n_warnings == 0);
    require(!smf_write(again, &bytes_again, &n_again));
    require(n_again == n_bytes && memcmp(bytes, bytes_again, n_bytes) == 0);
    check_undo(s, bytes, n_bytes);
    free(bytes);
    free(bytes_again);
    score_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct score *s;
    struct smf_report report;
    if (smf_read(&s, bytes, n_bytes, &report))
        return 0;
    check_notes(s);
    check_written(s, report.n_warnings == 0);
    auto_score *clone = score_clone(s);
    require(clone && score_equal(s, clone));
    score_destroy(s);
    return 0;
}
