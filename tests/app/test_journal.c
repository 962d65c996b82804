/* What the journal brings back: the music, the tree, to the id of each note; whatever was
 * cut short or broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/kept.h"
#include "tests/midi/random_piece.h"

#include <errno.h>

/* What can be told of the music and the tree. */
static void assert_same_piece(const struct project *a, const struct project *b)
{
    assert_true(score_equal(a->score, b->score));
    for (size_t t = 0; t < a->score->n_tracks; t++)
        for (size_t i = 0; i < a->score->tracks[t].n_notes; i++)
            assert_int_equal(a->score->tracks[t].notes[i].id,
                             b->score->tracks[t].notes[i].id);
    assert_int_equal(history_n_states(a->history), history_n_states(b->history));
    assert_int_equal(history_state(a->history), history_state(b->history));
    assert_int_equal(a->saved_state, b->saved_state);
    for (uint64_t i = 1; i < history_n_states(a->history); i++) {
        assert_int_equal(history_parent(a->history, i), history_parent(b->history, i));
        assert_int_equal(history_time(a->history, i), history_time(b->history, i));
        assert_string_equal(change_label(history_change(a->history, i)),
                            change_label(history_change(b->history, i)));
    }
}

/* What is there of a piece whose program is killed now, as another piece. */
static struct session *killed_and_opened(struct session *s, const char *from,
                                         const char *to)
{
    char journal_from[64], journal_to[64];
    snprintf(journal_from, sizeof journal_from, "%s.continuo-journal", from);
    snprintf(journal_to, sizeof journal_to, "%s.continuo-journal", to);
    settle(s);
    if (is_there(from))
        copy_file(to, from);
    copy_file(journal_to, journal_from);
    return kept_open(to);
}

static void do_anything(struct session *s, uint64_t *r)
{
    static const enum command_id ANY[] = {
        CMD_TOGGLE_NOTE,  CMD_TOGGLE_NOTE,  CMD_TOGGLE_NOTE, CMD_RIGHT,
        CMD_LEFT,         CMD_UP,           CMD_DOWN,        CMD_BAR_RIGHT,
        CMD_TRANSPOSE_UP, CMD_NUDGE_RIGHT,  CMD_LONGER,      CMD_SELECT_ALL,
        CMD_DELETE,       CMD_DUPLICATE,    CMD_LOUDER,      CMD_TRACK_ADD,
        CMD_TRACK_NEXT,   CMD_UNDO,         CMD_UNDO,        CMD_REDO,
        CMD_ESCAPE,       CMD_HISTORY_OLDER};
    enum command_id id = ANY[random_below(r, sizeof ANY / sizeof ANY[0])];
    do_command(s, id, random_below(r, 3));
    if (random_below(r, 20) == 0)
        act_command_line(s, random_below(r, 2) ? "tempo 97" : "insert 1");
}

static void a_killed_piece_comes_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        char name[32], copy[32];
        uint64_t r = seed;
        snprintf(name, sizeof name, "any%d.mid", (int)seed);
        snprintf(copy, sizeof copy, "again%d.mid", (int)seed);
        struct session *s = kept_open(name);
        for (int i = 0; i < 150; i++) {
            do_anything(s, &r);
            if (seed % 2 && i == 70)
                act_command_line(s, "w");
        }
        struct session *again = killed_and_opened(s, name, copy);
        assert_same_piece(&s->project, &again->project);
        do_anything(s, &r); /* and both go on alike */
        kept_close(s);
        s = kept_open(name); /* left in order, nothing was lost either */
        for (uint64_t to = 0; to < history_n_states(again->project.history); to++) {
            assert_int_equal(project_go(&s->project, to), MIDI_OK);
            assert_int_equal(project_go(&again->project, to), MIDI_OK);
            assert_true(score_equal(s->project.score, again->project.score));
        }
        kept_close(again);
        kept_close(s);
    }
}

static void what_is_back_is_said(void **state)
{
    (void)state;
    struct session *s = kept_open("said.mid");
    draw(s, 3);
    struct session *again = killed_and_opened(s, "said.mid", "said2.mid");
    assert_string_equal(again->message,
                        "3 notes; 3 unsaved edits are back: :revert drops them");
    act_command_line(again, "revert");
    assert_int_equal(n_notes(again), 0);
    assert_false(project_modified(&again->project));
    act_command_line(again, "undo 2");
    assert_int_equal(n_notes(again), 2);
    act_command_line(again, "w");
    kept_close(again);
    again = kept_open("said2.mid");
    assert_int_equal(n_notes(again), 2);
    assert_null(strstr(again->message, "unsaved"));
    do_command(again, CMD_UNDO, 9);
    assert_int_equal(n_notes(again), 0);
    kept_close(again);
    kept_close(s);
}

static void looking_makes_no_file(void **state)
{
    (void)state;
    struct session *s = kept_open("drawn.mid");
    draw(s, 1);
    act_command_line(s, "w");
    kept_close(s);
    unlink(in_kept("drawn.mid.continuo-journal"));
    s = kept_open("drawn.mid");
    do_command(s, CMD_RIGHT, 3);
    act_command_line(s, "w"); /* nothing was done, and nothing is to be kept */
    kept_close(s);
    assert_false(is_there("drawn.mid.continuo-journal"));
}

/* A small piece with a journal of a dozen records, by its bytes. */
static uint8_t *small_journal(size_t *n)
{
    struct session *s = kept_open("small.mid");
    draw(s, 4);
    do_command(s, CMD_UNDO, 2);
    draw(s, 1);
    kept_close(s);
    uint8_t *bytes = get_bytes("small.mid.continuo-journal", n);
    assert_non_null(bytes);
    return bytes;
}

static void a_torn_end_is_cut_off(void **state)
{
    (void)state;
    size_t n, last = 0;
    uint8_t *bytes = small_journal(&n);
    for (size_t k = 0; k <= n; k++) {
        put_bytes("torn.mid.continuo-journal", bytes, k);
        struct session *s = kept_open("torn.mid");
        assert_true(s->project.found.kind == RECOVERY_BACK ||
                    s->project.found.kind == RECOVERY_NONE);
        size_t n_states = history_n_states(s->project.history);
        assert_true(n_states >= last);
        last = n_states;
        if (k % 7 == 0) { /* it can be gone on with */
            act_command_line(s, "tempo 90");
            struct session *again = killed_and_opened(s, "torn.mid", "torn2.mid");
            assert_same_piece(&s->project, &again->project);
            kept_close(again);
        }
        kept_close(s);
    }
    assert_int_equal(last, 6);
    static const uint8_t ZEROS[64];
    uint8_t *longer = malloc(n + sizeof ZEROS);
    memcpy(longer, bytes, n);
    memcpy(longer + n, ZEROS, sizeof ZEROS);
    put_bytes("torn.mid.continuo-journal", longer, n + sizeof ZEROS);
    struct session *s = kept_open("torn.mid");
    assert_int_equal(history_n_states(s->project.history), 6);
    kept_close(s);
    free(longer);
    free(bytes);
}

static void damage_is_put_aside(void **state)
{
    (void)state;
    size_t n, n_aside;
    int n_damaged = 0;
    uint8_t *bytes = small_journal(&n);
    for (size_t k = 0; k < n; k++) {
        bytes[k] ^= (uint8_t)(1 << k % 8);
        put_bytes("bad.mid.continuo-journal", bytes, n);
        struct session *s = kept_open("bad.mid");
        if (s->project.found.kind == RECOVERY_DAMAGED) {
            assert_true(s->message_is_error);
            assert_non_null(strstr(s->message, "bad.mid.continuo-journal.1"));
            uint8_t *aside = get_bytes("bad.mid.continuo-journal.1", &n_aside);
            assert_int_equal(n_aside, n);
            assert_memory_equal(aside, bytes, n);
            free(aside);
            unlink(in_kept("bad.mid.continuo-journal.1"));
            n_damaged++;
        }
        kept_close(s);
        bytes[k] ^= (uint8_t)(1 << k % 8);
    }
    assert_true(n_damaged > (int)n / 2);
    free(bytes);
}

static void a_failing_disk_is_said_and_tried_again(void **state)
{
    (void)state;
    struct session *s = kept_open("full.mid");
    assert_int_equal(mkdir(in_kept("full.mid.continuo-journal"), 0700), 0);
    draw(s, 2);
    settle(s);
    session_tick(s);
    assert_true(s->message_is_error);
    assert_non_null(strstr(s->message, "journal"));
    assert_false(project_is_kept(&s->project));
    draw(s, 1);
    session_tick(s);
    assert_false(s->message_is_error); /* it is said once */
    rmdir(in_kept("full.mid.continuo-journal"));
    act_command_line(s, "w");
    assert_true(project_is_kept(&s->project));
    struct session *again = killed_and_opened(s, "full.mid", "full2.mid");
    assert_same_piece(&s->project, &again->project);
    kept_close(again);
    kept_close(s);
}

static void a_large_history_begins_anew(void **state)
{
    (void)state;
    struct session *s = kept_open("large.mid");
    draw(s, 2);
    act_command_line(s, "w");
    kept_close(s);
    struct bytes_out more = {0};
    static uint8_t label[1 << 20];
    memset(label, 'x', sizeof label - 1);
    struct change *c = change_create((char *)label);
    while (more.n <= RECOVERY_FULL_BYTES)
        journal_put_did(&more, 0, 1, c);
    journal_put_went(&more, 2);
    FILE *f = fopen(in_kept("large.mid.continuo-journal"), "ab");
    assert_int_equal(fwrite(more.bytes, 1, more.n, f), more.n);
    fclose(f);
    s = kept_open("large.mid");
    assert_int_equal(s->project.found.kind, RECOVERY_FULL);
    assert_int_equal(n_notes(s), 2);
    assert_false(is_there("large.mid.continuo-journal"));
    kept_close(s);
    change_destroy(c);
    free(more.bytes);
}

/* Nothing after a record that there was no memory for could be read again. */
static void a_record_that_was_not_made_is_said(void **state)
{
    (void)state;
    struct bytes_out broken = {.failed = true}, next = {0};
    struct journal *j = journal_create(-1);
    assert_non_null(j);
    assert_true(journal_begin(j, in_kept("broken.mid.continuo-journal"), 0600));
    journal_push(j, &broken);
    assert_true(journal_wait(j, 10000));
    assert_int_equal(journal_error(j), ENOMEM);
    journal_put_went(&next, 0);
    journal_retry(j);
    journal_push(j, &next);
    assert_true(journal_wait(j, 10000));
    assert_int_equal(journal_error(j), ENOMEM);
    journal_end(j, true);
    journal_destroy(j);
    assert_false(is_there("broken.mid.continuo-journal"));
}

/* What no clock has told is not counted with. */
static void strange_times_are_not_believed(void **state)
{
    (void)state;
    static const int64_t TIMES[] = {INT64_MIN, -1, INT64_MAX};
    for (size_t i = 0; i < sizeof TIMES / sizeof TIMES[0]; i++) {
        struct bytes_out all = {0};
        struct journal_contents contents;
        struct change *c = change_create("nothing");
        journal_put_base(&all, true, (const uint8_t *)"", 0);
        journal_put_did(&all, 0, TIMES[i], c);
        assert_int_equal(journal_contents_read(&contents, all.bytes, all.n),
                         JOURNAL_OK);
        assert_int_equal(history_time(contents.history, 1), 0);
        journal_contents_fini(&contents);
        change_destroy(c);
        free(all.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_piece_comes_back),
        cmocka_unit_test(what_is_back_is_said),
        cmocka_unit_test(looking_makes_no_file),
        cmocka_unit_test(a_torn_end_is_cut_off),
        cmocka_unit_test(damage_is_put_aside),
        cmocka_unit_test(a_failing_disk_is_said_and_tried_again),
        cmocka_unit_test(a_record_that_was_not_made_is_said),
        cmocka_unit_test(strange_times_are_not_believed),
        cmocka_unit_test(a_large_history_begins_anew),
    };
    return cmocka_run_group_tests(tests, make_kept_folder, remove_kept_folder);
}
