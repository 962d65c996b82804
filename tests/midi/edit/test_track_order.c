/* Tracks taken out and moved, and random edits of random files: what the file says then, what
 * is read back of it, and that undoing gives the very bytes again. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/midi/edit/track_song.h"

#include <time.h>

static void a_chunk_goes_with_its_only_track(void **state)
{
    (void)state;
    BYTES(WANT, HEADER(1, 2, 96), CONDUCTOR,
          TRACK(0, 0xB1, 0, 2, 0, 0x91, 62, 80, 9, 0x81, 62, 0, 0, 0xB1, 7, 9, 0, END));
    struct song song = open_song(SONG, sizeof SONG);
    song.s->tracks[0].mute = true;
    song.s->tracks[0].colour = 3;
    uint64_t before = history_arrangement(song.h);
    remove_track(&song, 0);
    assert_int_equal(song.s->n_tracks, 1);
    assert_int_equal(song.s->tracks[0].chunk, 1);
    assert_int_not_equal(history_arrangement(song.h), before);
    assert_edited(&song, WANT, sizeof WANT, SONG, sizeof SONG);
    history_undo(song.h, song.s, NULL);
    assert_int_equal(history_arrangement(song.h), before);
    assert_int_equal(song.s->n_tracks, 2);
    assert_string_equal(song.s->tracks[0].name, "Old");
    assert_true(song.s->tracks[0].mute && song.s->tracks[0].colour == 3);
    close_song(&song);
}

static void of_a_shared_chunk_only_its_channel_goes(void **state)
{
    (void)state;
    BYTES(WANT, HEADER(0, 1, 96),
          TRACK(0, 0xFF, 3, 3, 'O', 'n', 'e', 0, 0xC0, 5, 0, 0x90, 60, 80, 9, 0x80, 60,
                0, 0, END));
    struct song song = open_song(JAMMED, sizeof JAMMED);
    remove_track(&song, 1);
    assert_edited(&song, WANT, sizeof WANT, JAMMED, sizeof JAMMED);
    remove_track(&song, 0);
    assert_int_equal(song.s->n_tracks, 0);
    assert_int_equal(song.s->n_chunks, 1);
    while (history_undo(song.h, song.s, NULL))
        continue;
    assert_writes(song.s, JAMMED, sizeof JAMMED);
    close_song(&song);
}

/* Tempo, markers and another channel's messages belong to more than the track. */
static void what_concerns_others_keeps_its_chunk(void **state)
{
    (void)state;
    BYTES(MARKED, HEADER(1, 2, 96), CONDUCTOR,
          TRACK(0, 0xFF, 3, 1, 'A', 0, 0xFF, 6, 1, 'M', 0, 0x90, 60, 80, 9, 0x80, 60, 0,
                0, END));
    BYTES(WANT, HEADER(1, 2, 96), CONDUCTOR,
          TRACK(0, 0xFF, 3, 1, 'A', 0, 0xFF, 6, 1, 'M', 9, END));
    struct song song = open_song(MARKED, sizeof MARKED);
    remove_track(&song, 0);
    assert_edited(&song, WANT, sizeof WANT, MARKED, sizeof MARKED);
    close_song(&song);
}

/* Of events at one place, put there by hand, those that stay keep their order. */
static void order_at_one_place_comes_back(void **state)
{
    (void)state;
    struct song song = open_song(JAMMED, sizeof JAMMED);
    rename_track(&song, 0, "A"); /* at one place: prefix, name, */
    rename_track(&song, 1, "B"); /* and those of the other */
    uint8_t *before, *after;
    size_t n_before, n_after;
    assert_int_equal(smf_write(song.s, &before, &n_before), MIDI_OK);
    remove_track(&song, 0);
    history_undo(song.h, song.s, NULL);
    assert_int_equal(smf_write(song.s, &after, &n_after), MIDI_OK);
    assert_int_equal(n_before, n_after);
    assert_memory_equal(before, after, n_before);
    free(before);
    free(after);
    close_song(&song);
}

static void tracks_change_places_in_the_file(void **state)
{
    (void)state;
    BYTES(WANT, HEADER(1, 3, 96), CONDUCTOR,
          TRACK(0, 0xB1, 0, 2, 0, 0x91, 62, 80, 9, 0x81, 62, 0, 0, 0xB1, 7, 9, 0, END),
          TRACK(0, 0xFF, 3, 3, 'O', 'l', 'd', 0, 0xB0, 0, 1, 0, 0xC0, 5, 0, 0x90, 60,
                80, 9, 0x80, 60, 0, 0, END));
    struct song song = open_song(SONG, sizeof SONG);
    move_track(&song, 0, 1);
    assert_string_equal(song.s->tracks[1].name, "Old");
    assert_edited(&song, WANT, sizeof WANT, SONG, sizeof SONG);
    close_song(&song);
}

static void the_first_chunk_stays_first(void **state)
{
    (void)state;
    BYTES(FULL, HEADER(1, 2, 96), TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, END),
          TRACK(0, 0x91, 60, 80, 9, 0x81, 60, 0, 0, END));
    struct song song = open_song(FULL, sizeof FULL);
    struct change *c = change_create("move");
    assert_int_equal(change_move_track(c, song.s, 0, 1), MIDI_BAD_EDIT);
    assert_int_equal(change_move_track(c, song.s, 1, 0), MIDI_BAD_EDIT);
    assert_int_equal(change_move_track(c, song.s, 1, 1), MIDI_BAD_EDIT);
    change_destroy(c);
    close_song(&song);
}

/* A change that does not fit leaves all as it was. */
static void a_stranger_change_does_nothing(void **state)
{
    (void)state;
    struct song song = open_song(SONG, sizeof SONG);
    struct song other = open_song(SONG, sizeof SONG);
    struct change *c = change_create("remove");
    rename_track(&other, 0, "Else");
    assert_int_equal(change_remove_track(c, other.s, 0), MIDI_OK);
    assert_int_equal(history_do(song.h, song.s, c), MIDI_BAD_EDIT);
    c = change_create("channel");
    set_program(&other, 0, 8);
    assert_int_equal(change_set_channel(c, other.s, 0, 7), MIDI_OK);
    assert_int_equal(history_do(song.h, song.s, c), MIDI_BAD_EDIT);
    assert_writes(song.s, SONG, sizeof SONG);
    assert_int_equal(song.s->n_tracks, 2);
    close_song(&other);
    close_song(&song);
}

static enum midi_status random_change(struct change *c, const struct score *s,
                                      uint64_t *seed)
{
    int n = (int)s->n_tracks, track = random_below(seed, n);
    switch (random_below(seed, 5)) {
    case 0:
        return change_rename_track(c, s, track, random_below(seed, 2) ? "Name" : "");
    case 1:
        return change_set_program(c, s, track, (uint8_t)random_below(seed, 128));
    case 2:
        return change_set_channel(c, s, track, (uint8_t)random_below(seed, 16));
    case 3:
        return change_remove_track(c, s, track);
    default:
        return change_move_track(c, s, track, random_below(seed, n));
    }
}

/* The name and instrument of each track that has notes are what is read again. */
static void assert_reread(const struct score *s)
{
    struct score *again = reread(s);
    assert_true(score_equal(s, again));
    for (size_t i = 0; i < s->n_tracks; i++)
        for (size_t k = 0; s->tracks[i].n_notes && k < again->n_tracks; k++) {
            const struct track *a = &s->tracks[i], *b = &again->tracks[k];
            if (a->chunk == b->chunk && a->channel == b->channel)
                assert_int_equal(a->n_notes, b->n_notes);
        }
    score_destroy(again);
}

static void random_edits_are_undone_to_the_byte(void **state)
{
    (void)state;
    static struct random_smf f;
    int done = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        random_smf(&f, seed);
        struct song song = open_song(f.running, f.n_running);
        uint64_t dice = seed;
        for (int i = 0; i < 12 && song.s->n_tracks; i++) {
            struct change *c = change_create("any");
            if (random_change(c, song.s, &dice)) {
                change_destroy(c);
                continue;
            }
            assert_int_equal(history_do(song.h, song.s, c), MIDI_OK);
            assert_reread(song.s);
            done++;
        }
        uint64_t last = history_state(song.h);
        uint8_t *after;
        size_t n_after;
        assert_int_equal(smf_write(song.s, &after, &n_after), MIDI_OK);
        assert_int_equal(history_go(song.h, song.s, 0), MIDI_OK);
        assert_writes(song.s, f.plain, f.n_plain);
        assert_int_equal(history_go(song.h, song.s, last), MIDI_OK);
        assert_writes(song.s, after, n_after);
        free(after);
        close_song(&song);
    }
    assert_true(done > 1000);
}

/* Two channels of as many notes and bends in one chunk; the limit is generous, for
 * sanitizers. */
static void long_tracks_are_quick(void **state)
{
    (void)state;
    enum { N = 50000 };
    struct song song = open_song(JAMMED, sizeof JAMMED);
    struct change *c = change_create("fill");
    for (int i = 0; i < N; i++) {
        uint8_t data[3] = {(uint8_t)(0xE0 | i % 2), 1, 2};
        struct event e = {.tick = 10 + i, .order = 1, .n_data = 3, .data = data};
        assert_int_equal(change_event(c, 0, NULL, &e), MIDI_OK);
        struct note n = {.start = 10 + i, .length = 5, .pitch = 60, .velocity = 80};
        assert_int_equal(change_add_note(c, i % 2, n), MIDI_OK);
    }
    assert_int_equal(history_do(song.h, song.s, c), MIDI_OK);
    clock_t start = clock();
    set_channel(&song, 0, 5);
    remove_track(&song, 0);
    assert_true(history_undo(song.h, song.s, NULL));
    assert_true(history_undo(song.h, song.s, NULL));
    print_message("%.0f ms\n", 1000.0 * (double)(clock() - start) / CLOCKS_PER_SEC);
    close_song(&song);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chunk_goes_with_its_only_track),
        cmocka_unit_test(of_a_shared_chunk_only_its_channel_goes),
        cmocka_unit_test(what_concerns_others_keeps_its_chunk),
        cmocka_unit_test(order_at_one_place_comes_back),
        cmocka_unit_test(tracks_change_places_in_the_file),
        cmocka_unit_test(the_first_chunk_stays_first),
        cmocka_unit_test(a_stranger_change_does_nothing),
        cmocka_unit_test(random_edits_are_undone_to_the_byte),
        cmocka_unit_test(long_tracks_are_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
