/* Tracks renamed, given instruments and channels: what the file says then, what is read back
 * of it, and that undoing gives the very bytes again. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/midi/edit/track_song.h"

static void names_stand_where_they_stood(void **state)
{
    (void)state;
    BYTES(WANT, HEADER(1, 3, 96), CONDUCTOR,
          TRACK(0, 0xFF, 3, 5, 'C', 'e', 'l', 'l', 'o', 0, 0xB0, 0, 1, 0, 0xC0, 5, 0,
                0x90, 60, 80, 9, 0x80, 60, 0, 0, END),
          TRACK(0, 0xB1, 0, 2, 0, 0x91, 62, 80, 9, 0x81, 62, 0, 0, 0xB1, 7, 9, 0, END));
    struct song song = open_song(SONG, sizeof SONG);
    rename_track(&song, 0, "Cello");
    assert_string_equal(song.s->tracks[0].name, "Cello");
    assert_edited(&song, WANT, sizeof WANT, SONG, sizeof SONG);
    history_undo(song.h, song.s, NULL);
    assert_string_equal(song.s->tracks[0].name, "Old");
    close_song(&song);
}

static void a_track_without_name_gets_one(void **state)
{
    (void)state;
    BYTES(WANT, HEADER(1, 3, 96), CONDUCTOR,
          TRACK(0, 0xFF, 3, 3, 'O', 'l', 'd', 0, 0xB0, 0, 1, 0, 0xC0, 5, 0, 0x90, 60,
                80, 9, 0x80, 60, 0, 0, END),
          TRACK(0, 0xFF, 3, 1, 'B', 0, 0xB1, 0, 2, 0, 0x91, 62, 80, 9, 0x81, 62, 0, 0,
                0xB1, 7, 9, 0, END));
    struct song song = open_song(SONG, sizeof SONG);
    rename_track(&song, 1, "B");
    assert_edited(&song, WANT, sizeof WANT, SONG, sizeof SONG);
    struct score *again = reread(song.s);
    assert_string_equal(again->tracks[1].name, "B");
    score_destroy(again);
    close_song(&song);
}

/* Longer than a track's name can be; the file has what the score has. */
static void long_names_are_cut(void **state)
{
    (void)state;
    char name[200];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    struct song song = open_song(SONG, sizeof SONG);
    rename_track(&song, 1, name);
    assert_int_equal(strlen(song.s->tracks[1].name), 63);
    struct score *again = reread(song.s);
    assert_string_equal(again->tracks[1].name, song.s->tracks[1].name);
    score_destroy(again);
    close_song(&song);
}

static void channels_of_one_chunk_have_names_of_their_own(void **state)
{
    (void)state;
    BYTES(WANT, HEADER(0, 1, 96),
          TRACK(0, 0xFF, 3, 3, 'O', 'n', 'e', 0, 0xC0, 5, 0, 0x90, 60, 80, 0, 0xC1, 6,
                0, 0x91, 62, 80, 0, 0xFF, 0x20, 1, 1, 0, 0xFF, 3, 1, 'A', 9, 0xB1, 7, 9,
                0, 0x80, 60, 0, 0, 0x81, 62, 0, 0, END));
    struct song song = open_song(JAMMED, sizeof JAMMED);
    assert_int_equal(song.s->n_tracks, 2);
    assert_string_equal(song.s->tracks[1].name, "");
    rename_track(&song, 1, "A");
    assert_edited(&song, WANT, sizeof WANT, JAMMED, sizeof JAMMED);
    rename_track(&song, 0, "B");
    rename_track(&song, 1, "C");
    struct score *again = reread(song.s);
    assert_string_equal(again->tracks[0].name, "B");
    assert_string_equal(again->tracks[1].name, "C");
    score_destroy(again);
    while (history_undo(song.h, song.s, NULL))
        continue;
    assert_writes(song.s, JAMMED, sizeof JAMMED);
    close_song(&song);
}

static void instruments_keep_their_banks(void **state)
{
    (void)state;
    BYTES(WANT, HEADER(1, 3, 96), CONDUCTOR,
          TRACK(0, 0xFF, 3, 3, 'O', 'l', 'd', 0, 0xB0, 0, 1, 0, 0xC0, 42, 0, 0x90, 60,
                80, 9, 0x80, 60, 0, 0, END),
          TRACK(0, 0xB1, 0, 2, 0, 0x91, 62, 80, 9, 0x81, 62, 0, 0, 0xB1, 7, 9, 0, END));
    BYTES(BOTH, HEADER(1, 3, 96), CONDUCTOR,
          TRACK(0, 0xFF, 3, 3, 'O', 'l', 'd', 0, 0xB0, 0, 1, 0, 0xC0, 42, 0, 0x90, 60,
                80, 9, 0x80, 60, 0, 0, END),
          TRACK(0, 0xB1, 0, 2, 0, 0xC1, 43, 0, 0x91, 62, 80, 9, 0x81, 62, 0, 0, 0xB1, 7,
                9, 0, END));
    struct song song = open_song(SONG, sizeof SONG);
    set_program(&song, 0, 42);
    assert_int_equal(song.s->tracks[0].program, 42);
    assert_edited(&song, WANT, sizeof WANT, SONG, sizeof SONG);
    set_program(&song, 1, 43);
    assert_edited(&song, BOTH, sizeof BOTH, WANT, sizeof WANT);
    close_song(&song);
}

/* A program chosen after the first note is not the one it begins with. */
static void an_instrument_chosen_later_stays(void **state)
{
    (void)state;
    BYTES(LATE, HEADER(0, 1, 96),
          TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, 0xC0, 5, 0, END));
    BYTES(WANT, HEADER(0, 1, 96),
          TRACK(0, 0xC0, 7, 0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, 0xC0, 5, 0, END));
    struct song song = open_song(LATE, sizeof LATE);
    set_program(&song, 0, 7);
    assert_edited(&song, WANT, sizeof WANT, LATE, sizeof LATE);
    close_song(&song);
}

static void one_channel_has_one_instrument(void **state)
{
    (void)state;
    struct song song = open_song(SONG, sizeof SONG);
    set_channel(&song, 1, 0);
    set_program(&song, 1, 9);
    assert_int_equal(song.s->tracks[0].program, 9);
    struct score *again = reread(song.s);
    assert_int_equal(again->tracks[0].program, 9);
    assert_int_equal(again->tracks[1].program, 9);
    score_destroy(again);
    close_song(&song);
}

static void channels_take_their_messages_along(void **state)
{
    (void)state;
    BYTES(WANT, HEADER(0, 1, 96),
          TRACK(0, 0xFF, 3, 3, 'O', 'n', 'e', 0, 0xC0, 5, 0, 0x90, 60, 80, 0, 0xC9, 6,
                0, 0x99, 62, 80, 9, 0xB9, 7, 9, 0, 0x80, 60, 0, 0, 0x89, 62, 0, 0,
                END));
    struct song song = open_song(JAMMED, sizeof JAMMED);
    set_channel(&song, 1, 9);
    assert_int_equal(song.s->tracks[1].channel, 9);
    assert_edited(&song, WANT, sizeof WANT, JAMMED, sizeof JAMMED);
    struct change *c = change_create("channel");
    assert_int_equal(change_set_channel(c, song.s, 0, 9), MIDI_BAD_EDIT);
    assert_int_equal(change_set_channel(c, song.s, 0, 16), MIDI_BAD_EDIT);
    change_destroy(c);
    close_song(&song);
}

static void loose_notes_keep_their_channel_free(void **state)
{
    (void)state;
    BYTES(LOOSE, HEADER(0, 1, 96),
          TRACK(0, 0x90, 60, 80, 4, 0x81, 60, 0, 5, 0x80, 60, 0, 0, END));
    struct song song = open_song(LOOSE, sizeof LOOSE);
    struct change *c = change_create("channel");
    assert_int_equal(change_set_channel(c, song.s, 0, 1), MIDI_BAD_EDIT);
    assert_int_equal(change_set_channel(c, song.s, 0, 2), MIDI_OK);
    change_destroy(c);
    close_song(&song);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_stand_where_they_stood),
        cmocka_unit_test(a_track_without_name_gets_one),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(channels_of_one_chunk_have_names_of_their_own),
        cmocka_unit_test(instruments_keep_their_banks),
        cmocka_unit_test(an_instrument_chosen_later_stays),
        cmocka_unit_test(one_channel_has_one_instrument),
        cmocka_unit_test(channels_take_their_messages_along),
        cmocka_unit_test(loose_notes_keep_their_channel_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
