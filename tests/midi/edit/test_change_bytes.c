/* Changes as bytes and back: a history restored from them leads to the same music,
 * with the same ids. Invalid bytes are refused. */
#include "tests/check.h"
#include "midi/score/notes.h"
#include "tests/midi/random_change.h"
#include "tests/midi/edit/random_smf.h"
#include "tests/midi/edit/smf_bytes.h"

enum { N_SONGS = 40, N_CHANGES = 16 };

static struct song random_song(uint64_t seed)
{
    static struct random_smf file;
    random_smf(&file, seed);
    return open_song(file.plain, file.n_plain);
}

/* Makes random changes, and now and then undoes some before the next. */
static void work_on(struct song *song, uint64_t seed)
{
    uint64_t r = seed;
    for (int i = 1; i <= N_CHANGES; i++) {
        assert_ok(history_do(song->h, song->s, random_change(song->s, &r)));
        for (int k = random_below(&r, 3); k > 0; k--)
            history_undo(song->h, song->s, NULL);
    }
}

static bool seen[EDIT_KIND_COUNT];

/* Copies a change through its bytes. */
static struct change *by_bytes(const struct change *c)
{
    struct bytes_out out = {0}, again = {0};
    change_write(c, &out);
    struct bytes_in in = {out.bytes, out.bytes + out.n, false};
    struct change *copy = change_read(&in);
    assert_non_null(copy);
    assert_int_equal(bytes_left(&in), 0);
    change_write(copy, &again);
    assert_int_equal(again.n, out.n);
    assert_memory_equal(again.bytes, out.bytes, out.n);
    assert_string_equal(copy->label, c->label);
    free(out.bytes);
    free(again.bytes);
    for (size_t i = 0; i < c->n_edits; i++)
        seen[c->edits[i].kind] = true;
    return copy;
}

/* Restores the same tree on the same file. */
static struct song put_together(uint64_t seed, const struct history *from)
{
    struct song song = random_song(seed);
    for (uint64_t i = 1; i < history_n_states(from); i++) {
        struct change *copy = by_bytes(history_at(from, i)->change);
        assert_true(
            history_put(song.h, history_at(from, i)->parent, copy, 1000 + (int)i));
    }
    history_reserve_ids(song.h, song.s);
    return song;
}

TEST(a_history_comes_back_from_its_bytes)
{
    for (uint64_t seed = 1; seed <= N_SONGS; seed++) {
        auto_song was = random_song(seed);
        work_on(&was, seed);
        auto_song is = put_together(seed, was.h);
        assert_int_equal(is.s->next_id, was.s->next_id);
        assert_int_equal(history_at(is.h, 3)->time, 1003);
        uint64_t r = seed;
        for (int i = 0; i < 3 * N_CHANGES; i++) {
            uint64_t to = (uint64_t)random_below(&r, N_CHANGES + 1);
            assert_ok(history_go(was.h, was.s, to));
            assert_ok(history_go(is.h, is.s, to));
            assert_int_equal(history_state(is.h), to);
            assert_same_scores(was.s, is.s);
        }
    }
    for (int kind = 0; kind < EDIT_KIND_COUNT; kind++)
        assert_true(seen[kind]);
}

TEST(distances_are_counted_along_the_tree)
{
    auto_song song = random_song(1);
    for (int i = 0; i < 3; i++) /* 1 2 3 in a row */
        DO(song, change_set_tempo(c, song.s, 10 * i, 90));
    history_go(song.h, song.s, 1);
    DO(song, change_set_tempo(c, song.s, 50, 90)); /* and 4 below 1 */
    assert_int_equal(history_distance(song.h, 3, 4), 3);
    assert_int_equal(history_distance(song.h, 4, 4), 0);
    assert_int_equal(history_distance(song.h, 0, 4), 2);
    assert_int_equal(history_at(song.h, 1)->newest_child, 4);
}

TEST(broken_bytes_are_refused)
{
    auto_song song = random_song(7);
    work_on(&song, 7);
    for (uint64_t i = 1; i < history_n_states(song.h); i++) {
        struct bytes_out out = {0};
        change_write(history_at(song.h, i)->change, &out);
        for (size_t n = 0; n < out.n; n++) {
            struct bytes_in in = {out.bytes, out.bytes + n, false};
            assert_null(change_read(&in));
            assert_true(in.failed);
        }
        for (size_t k = 0; k < out.n; k++) {
            out.bytes[k] ^= (uint8_t)(1 << i % 8);
            struct bytes_in in = {out.bytes, out.bytes + out.n, false};
            change_destroy(change_read(&in)); /* it may have become another change */
            out.bytes[k] ^= (uint8_t)(1 << i % 8);
        }
        free(out.bytes);
    }
}

TEST(numbers_are_what_they_were)
{
    static const int64_t NUMBERS[] = {0,   1,  -1,        63,        64,      -64,
                                      -65, 99, INT64_MAX, INT64_MIN, 1 << 20, -300};
    enum { N = sizeof NUMBERS / sizeof NUMBERS[0] };
    struct bytes_out out = {0};
    for (int i = 0; i < N; i++)
        bytes_put_number(&out, (uint64_t)NUMBERS[i]);
    struct bytes_in in = {out.bytes, out.bytes + out.n, false};
    for (int i = 0; i < N; i++)
        assert_true(bytes_number(&in) == (uint64_t)NUMBERS[i]);
    assert_false(in.failed);
    assert_int_equal(bytes_byte(&in), 0);
    assert_true(in.failed);
    static const uint8_t TOO_LARGE[] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                        0xFF, 0xFF, 0xFF, 0xFF, 0x02};
    in = (struct bytes_in){TOO_LARGE, TOO_LARGE + sizeof TOO_LARGE, false};
    bytes_number(&in);
    assert_true(in.failed);
    free(out.bytes);
}

/* A note is written as its differences from the one before. */
TEST(differences_are_what_they_were)
{
    static const int64_t STARTS[] = {0, 1,  0,        63, 0,       64,
                                     0, 65, TICK_MAX, 0,  1 << 20, 300};
    enum { N = sizeof STARTS / sizeof STARTS[0] };
    auto_change *c = change_create("notes");
    for (int i = 0; i < N; i++) {
        const int32_t played = i % 2 ? INT32_MIN : INT32_MAX;
        const struct note n = {.id = (uint64_t)(i % 3 ? i + 1 : INT64_MAX - i),
                               .start = STARTS[i],
                               .length = TICK_MAX - STARTS[i],
                               .pitch = (uint8_t)(i * 11),
                               .velocity = 127,
                               .raw_start = played,
                               .raw_length = -(played / 2)};
        assert_ok(change_add_note(c, 0, n));
    }
    auto_change *copy = by_bytes(c);
    for (int i = 0; i < N; i++)
        assert_true(note_equal(&copy->edits[i].after, &c->edits[i].after));
}

/* After the largest id there would be none to give out. */
TEST(ids_are_not_used_up)
{
    struct bytes_out out = {0};
    auto_change *c = change_create("last");
    struct note last = {.id = UINT64_MAX - 1, .length = 1, .pitch = 60, .velocity = 80};
    assert_ok(change_add_note(c, 0, last));
    change_write(c, &out);
    struct bytes_in in = {out.bytes, out.bytes + out.n, false};
    assert_null(change_read(&in));
    assert_true(in.failed);
    free(out.bytes);
}
