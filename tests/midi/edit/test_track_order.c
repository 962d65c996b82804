/* Removing and moving tracks: the file's bytes, what is read back, and undo to the byte. */
#include "tests/check.h"
#include "tests/midi/edit/track_song.h"
#include "tests/midi/score_of.h"
#include "tests/midi/undo.h"

#include <time.h>

TEST(a_chunk_goes_with_its_only_track)
{
    BYTES(WANT, HEADER(1, 2, 96), CONDUCTOR, NAMELESS);
    auto_song song = open_song(SONG, sizeof SONG);
    song.s->tracks[0].mute = true;
    song.s->tracks[0].colour = 3;
    uint64_t before = history_now(song.h)->arrangement;
    DO(song, change_remove_track(c, song.s, 0));
    assert_int_equal(song.s->n_tracks, 1);
    assert_int_equal(song.s->tracks[0].chunk, 1);
    assert_int_not_equal(history_now(song.h)->arrangement, before);
    EDITED(song, WANT, SONG);
    history_undo(song.h, song.s, NULL);
    assert_int_equal(history_now(song.h)->arrangement, before);
    assert_int_equal(song.s->n_tracks, 2);
    assert_string_equal(song.s->tracks[0].name, "Old");
    assert_true(song.s->tracks[0].mute && song.s->tracks[0].colour == 3);
}

TEST(of_a_shared_chunk_only_its_channel_goes)
{
    BYTES(WANT, HEADER(0, 1, 96),
          TRACK(0, 0xFF, 3, 3, 'O', 'n', 'e', 0, 0xC0, 5, 0, 0x90, 60, 80, 9, 0x80, 60,
                0, 0, END));
    auto_song song = open_song(JAMMED, sizeof JAMMED);
    DO(song, change_remove_track(c, song.s, 1));
    EDITED(song, WANT, JAMMED);
    DO(song, change_remove_track(c, song.s, 0));
    assert_int_equal(song.s->n_tracks, 0);
    assert_int_equal(song.s->n_chunks, 1);
    undo_all(&song);
    WRITES(song.s, JAMMED);
}

/* Tempo, markers and another channel's messages belong to more than the track. */
TEST(what_concerns_others_keeps_its_chunk)
{
    BYTES(MARKED, HEADER(1, 2, 96), CONDUCTOR,
          TRACK(0, 0xFF, 3, 1, 'A', 0, 0xFF, 6, 1, 'M', 0, 0x90, 60, 80, 9, 0x80, 60, 0,
                0, END));
    BYTES(WANT, HEADER(1, 2, 96), CONDUCTOR,
          TRACK(0, 0xFF, 3, 1, 'A', 0, 0xFF, 6, 1, 'M', 9, END));
    auto_song song = open_song(MARKED, sizeof MARKED);
    DO(song, change_remove_track(c, song.s, 0));
    EDITED(song, WANT, MARKED);
}

/* Of events at one tick and order, put there by hand, those that stay keep their
 * order. */
TEST(order_at_one_place_comes_back)
{
    auto_song song = open_song(JAMMED, sizeof JAMMED);
    DO(song, change_rename_track(c, song.s, 0, "A")); /* at one tick: prefix, name */
    DO(song, change_rename_track(c, song.s, 1, "B")); /* and the other's */
    auto_written before = write_song(song.s);
    DO(song, change_remove_track(c, song.s, 0));
    history_undo(song.h, song.s, NULL);
    assert_writes(song.s, before.at, before.n);
}

TEST(tracks_change_places_in_the_file)
{
    BYTES(WANT, HEADER(1, 3, 96), CONDUCTOR, NAMELESS, NAMED(5, OLD_NAME));
    auto_song song = open_song(SONG, sizeof SONG);
    DO(song, change_move_track(c, song.s, 0, 1));
    assert_string_equal(song.s->tracks[1].name, "Old");
    EDITED(song, WANT, SONG);
}

TEST(the_first_chunk_stays_first)
{
    BYTES(FULL, HEADER(1, 2, 96), TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, END),
          TRACK(0, 0x91, 60, 80, 9, 0x81, 60, 0, 0, END));
    auto_song song = open_song(FULL, sizeof FULL);
    REFUSED(change_move_track(c, song.s, 0, 1));
    REFUSED(change_move_track(c, song.s, 1, 0));
    REFUSED(change_move_track(c, song.s, 1, 1));
}

/* A change that does not fit leaves the score unchanged. */
TEST(a_stranger_change_does_nothing)
{
    auto_song song = open_song(SONG, sizeof SONG);
    auto_song other = open_song(SONG, sizeof SONG);
    struct change *strange = change_create("remove");
    DO(other, change_rename_track(c, other.s, 0, "Else"));
    assert_ok(change_remove_track(strange, other.s, 0));
    assert_int_equal(history_do(song.h, song.s, strange), MIDI_BAD_EDIT);
    strange = change_create("channel");
    DO(other, change_set_program(c, other.s, 0, 8));
    assert_ok(change_set_channel(strange, other.s, 0, 7));
    assert_int_equal(history_do(song.h, song.s, strange), MIDI_BAD_EDIT);
    WRITES(song.s, SONG);
    assert_int_equal(song.s->n_tracks, 2);
}

/* Two channels in one chunk, with equally many notes and bends; the limit is
 * generous, for sanitizers. */
TEST(long_tracks_are_quick)
{
    enum { N = 50000 };
    auto_song song = open_song(JAMMED, sizeof JAMMED);
    struct change *fill = change_create("fill");
    for (int i = 0; i < N; i++) {
        uint8_t data[3] = {(uint8_t)(0xE0 | i % 2), 1, 2};
        struct event e = {.tick = 10 + i, .order = 1, .n_data = 3, .data = data};
        assert_ok(change_event(fill, 0, NULL, &e));
        struct note n = {.start = 10 + i, .length = 5, .pitch = 60, .velocity = 80};
        assert_ok(change_add_note(fill, i % 2, n));
    }
    assert_ok(history_do(song.h, song.s, fill));
    clock_t start = clock();
    DO(song, change_set_channel(c, song.s, 0, 5));
    DO(song, change_remove_track(c, song.s, 0));
    assert_true(history_undo(song.h, song.s, NULL));
    assert_true(history_undo(song.h, song.s, NULL));
    print_message("%.0f ms\n", 1000.0 * (double)(clock() - start) / CLOCKS_PER_SEC);
}
