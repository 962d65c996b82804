/* Renaming tracks, setting instruments and channels: the file's bytes, what is read
 * back, and undo to the byte. */
#include "tests/check.h"
#include "tests/midi/edit/track_song.h"
#include "tests/midi/undo.h"

TEST(names_stand_where_they_stood)
{
    BYTES(WANT, HEADER(1, 3, 96), CONDUCTOR,
          NAMED(5, 0xFF, 3, 5, 'C', 'e', 'l', 'l', 'o'), NAMELESS);
    auto_song song = open_song(SONG, sizeof SONG);
    DO(song, change_rename_track(c, song.s, 0, "Cello"));
    assert_string_equal(song.s->tracks[0].name, "Cello");
    EDITED(song, WANT, SONG);
    history_undo(song.h, song.s, NULL);
    assert_string_equal(song.s->tracks[0].name, "Old");
}

/* Both in one change, and both undone. */
TEST(a_name_and_an_instrument_at_once)
{
    auto_song song = open_song(SONG, sizeof SONG);
    struct change *c = change_create("test");
    assert_int_equal(change_set_program(c, song.s, 0, 9), MIDI_OK);
    assert_int_equal(change_rename_track(c, song.s, 0, "Bells"), MIDI_OK);
    assert_int_equal(history_do(song.h, song.s, c), MIDI_OK);
    auto_score *again = reread(song.s);
    assert_string_equal(again->tracks[0].name, "Bells");
    assert_int_equal(again->tracks[0].program, 9);
    undo_all(&song);
    assert_string_equal(song.s->tracks[0].name, "Old");
}

/* The bank still comes before the program; the other channel has its messages. */
TEST(a_track_is_duplicated_with_its_messages)
{
    auto_song song = open_song(SONG, sizeof SONG);
    DO(song, change_duplicate_track(c, song.s, 0, "New", 5));
    auto_score *again = reread(song.s);
    assert_int_equal(again->n_tracks, 3);
    const struct track *t = &again->tracks[2];
    const struct chunk *made = &again->chunks[t->chunk];
    assert_string_equal(t->name, "New");
    assert_int_equal(t->channel, 5);
    assert_int_equal(t->n_notes, 1);
    assert_int_equal(made->n_events, 3);
    assert_memory_equal(made->events[1].data, ((uint8_t[]){0xB5, 0, 1}), 3);
    assert_memory_equal(made->events[2].data, ((uint8_t[]){0xC5, 5}), 2);
    DO(song, change_set_program(c, song.s, 2, 7));
    assert_int_equal(song.s->chunks[song.s->tracks[2].chunk].events[2].data[1], 7);
    DO(song, change_duplicate_track(c, song.s, 1, "Bare", 6));
    assert_int_equal(song.s->tracks[3].n_notes, 1);
    undo_all(&song);
}

TEST(a_track_without_name_gets_one)
{
    BYTES(WANT, HEADER(1, 3, 96), CONDUCTOR, NAMED(5, OLD_NAME),
          TRACK(0, 0xFF, 3, 1, 'B', 0, 0xB1, 0, 2, 0, 0x91, 62, 80, 9, 0x81, 62, 0, 0,
                0xB1, 7, 9, 0, END));
    auto_song song = open_song(SONG, sizeof SONG);
    DO(song, change_rename_track(c, song.s, 1, "B"));
    EDITED(song, WANT, SONG);
    auto_score *again = reread(song.s);
    assert_string_equal(again->tracks[1].name, "B");
}

/* Names longer than struct track holds are cut, in the file, too. */
TEST(long_names_are_cut)
{
    char name[200];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    auto_song song = open_song(SONG, sizeof SONG);
    DO(song, change_rename_track(c, song.s, 1, name));
    assert_int_equal(strlen(song.s->tracks[1].name), 63);
    auto_score *again = reread(song.s);
    assert_string_equal(again->tracks[1].name, song.s->tracks[1].name);
}

TEST(channels_of_one_chunk_have_names_of_their_own)
{
    BYTES(WANT, HEADER(0, 1, 96),
          TRACK(0, 0xFF, 3, 3, 'O', 'n', 'e', 0, 0xC0, 5, 0, 0x90, 60, 80, 0, 0xC1, 6,
                0, 0x91, 62, 80, 0, 0xFF, 0x20, 1, 1, 0, 0xFF, 3, 1, 'A', 9, 0xB1, 7, 9,
                0, 0x80, 60, 0, 0, 0x81, 62, 0, 0, END));
    auto_song song = open_song(JAMMED, sizeof JAMMED);
    assert_int_equal(song.s->n_tracks, 2);
    assert_string_equal(song.s->tracks[1].name, "");
    DO(song, change_rename_track(c, song.s, 1, "A"));
    EDITED(song, WANT, JAMMED);
    DO(song, change_rename_track(c, song.s, 0, "B"));
    DO(song, change_rename_track(c, song.s, 1, "C"));
    auto_score *again = reread(song.s);
    assert_string_equal(again->tracks[0].name, "B");
    assert_string_equal(again->tracks[1].name, "C");
    undo_all(&song);
    WRITES(song.s, JAMMED);
}

TEST(instruments_keep_their_banks)
{
    BYTES(WANT, HEADER(1, 3, 96), CONDUCTOR, NAMED(42, OLD_NAME), NAMELESS);
    BYTES(BOTH, HEADER(1, 3, 96), CONDUCTOR, NAMED(42, OLD_NAME),
          TRACK(0, 0xB1, 0, 2, 0, 0xC1, 43, 0, 0x91, 62, 80, 9, 0x81, 62, 0, 0, 0xB1, 7,
                9, 0, END));
    auto_song song = open_song(SONG, sizeof SONG);
    DO(song, change_set_program(c, song.s, 0, 42));
    assert_int_equal(song.s->tracks[0].program, 42);
    EDITED(song, WANT, SONG);
    DO(song, change_set_program(c, song.s, 1, 43));
    EDITED(song, BOTH, WANT);
}

/* A program change after the first note is not the track's instrument. */
TEST(an_instrument_chosen_later_stays)
{
    BYTES(LATE, HEADER(0, 1, 96),
          TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, 0xC0, 5, 0, END));
    BYTES(WANT, HEADER(0, 1, 96),
          TRACK(0, 0xC0, 7, 0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, 0xC0, 5, 0, END));
    auto_song song = open_song(LATE, sizeof LATE);
    DO(song, change_set_program(c, song.s, 0, 7));
    EDITED(song, WANT, LATE);
}

TEST(one_channel_has_one_instrument)
{
    auto_song song = open_song(SONG, sizeof SONG);
    DO(song, change_set_channel(c, song.s, 1, 0));
    DO(song, change_set_program(c, song.s, 1, 9));
    assert_int_equal(song.s->tracks[0].program, 9);
    auto_score *again = reread(song.s);
    assert_int_equal(again->tracks[0].program, 9);
    assert_int_equal(again->tracks[1].program, 9);
}

TEST(channels_take_their_messages_along)
{
    BYTES(WANT, HEADER(0, 1, 96),
          TRACK(0, 0xFF, 3, 3, 'O', 'n', 'e', 0, 0xC0, 5, 0, 0x90, 60, 80, 0, 0xC9, 6,
                0, 0x99, 62, 80, 9, 0xB9, 7, 9, 0, 0x80, 60, 0, 0, 0x89, 62, 0, 0,
                END));
    auto_song song = open_song(JAMMED, sizeof JAMMED);
    DO(song, change_set_channel(c, song.s, 1, 9));
    assert_int_equal(song.s->tracks[1].channel, 9);
    EDITED(song, WANT, JAMMED);
    REFUSED(change_set_channel(c, song.s, 0, 9));
    REFUSED(change_set_channel(c, song.s, 0, 16));
}

TEST(loose_notes_keep_their_channel_free)
{
    BYTES(LOOSE, HEADER(0, 1, 96),
          TRACK(0, 0x90, 60, 80, 4, 0x81, 60, 0, 5, 0x80, 60, 0, 0, END));
    auto_song song = open_song(LOOSE, sizeof LOOSE);
    REFUSED(change_set_channel(c, song.s, 0, 1));
    DO(song, change_set_channel(c, song.s, 0, 2));
}
