/* The score as data: sorted, cloned, compared. */
#include "tests/check.h"
#include "tests/midi/random_piece.h"
#include "tests/midi/edit/smf_bytes.h"
#include "tests/midi/music.h"

TEST(new_notes_and_tracks_are_written)
{
    BYTES(WANT, HEADER(1, 2, 480),
          TRACK(0, 0xFF, 0x58, 4, 4, 2, 24, 8, 0, 0xFF, 0x51, 3, 7, 0xA1, 0x20, 0, END),
          TRACK(0, 0xFF, 3, 2, 'o', 'b', 0, 0xC1, 68, 0, 0x91, 60, 90, 0, 0x91, 64, 90,
                10, 0x81, 60, 64, 0, 0x91, 60, 90, 0, 0x81, 60, 64, 0, 0x91, 60, 90, 5,
                0x81, 64, 64, 0, 0x81, 60, 64, 0, END));
    /* The off of a note without length is right after its on. */
    auto_score *s = score_of("480 | ob ch1 #68: E4:15@90 =10 C4:0 =10 C4:5 =0 C4:10");
    WRITES(s, WANT);
    auto_score *again = read_bytes(WANT, sizeof WANT, NULL);
    assert_true(score_equal(s, again));
    assert_string_equal(again->tracks[0].name, "ob");
}

TEST(notes_stay_sorted)
{
    uint64_t r = 3, ids[500];
    auto_score *s = score_create(480);
    score_add_track(s, "", 0, 0);
    for (int i = 0; i < 500; i++)
        ids[i] =
            score_add_note(s, 0, note(random_below(&r, 50), 1, random_below(&r, 4)));
    for (int i = 0; i < 500; i += 2)
        assert_true(score_remove_note(s, 0, ids[i]));
    assert_false(score_remove_note(s, 0, ids[0]));
    assert_null(score_find_note(s, 0, ids[0]));
    assert_int_equal(score_find_note(s, 0, ids[1])->id, ids[1]);
    assert_int_equal(score_n_notes(s), 250);
    const struct note *n = s->tracks[0].notes;
    for (size_t i = 1; i < 250; i++)
        assert_true(n[i - 1].start < n[i].start ||
                    (n[i - 1].start == n[i].start &&
                     (n[i - 1].pitch < n[i].pitch ||
                      (n[i - 1].pitch == n[i].pitch && n[i - 1].id < n[i].id))));
    size_t at = score_first_note_at(s, 0, 25);
    assert_true(n[at].start >= 25 && n[at - 1].start < 25);
    assert_int_equal(score_first_note_at(s, 0, 99), 250);
}

TEST(impossible_notes_are_refused)
{
    auto_score *s = score_create(480);
    score_add_track(s, "", 0, 0);
    assert_int_equal(score_add_note(s, 0, note(-1, 5, 60)), 0);
    assert_int_equal(score_add_note(s, 0, note(1, -5, 60)), 0);
    assert_int_equal(score_add_note(s, 0, note(1, INT64_MAX, 60)), 0);
    assert_int_equal(score_add_note(s, 0, note(1, 1, 128)), 0);
    assert_int_equal(score_n_notes(s), 0);
}

TEST(knows_where_it_ends)
{
    BYTES(SONG, HEADER(0, 1, 96),
          TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 5, 0xB0, 1, 1, 6, END));
    auto_score *s = read_bytes(SONG, sizeof SONG, NULL);
    assert_int_equal(score_end_tick(s), 9);
    assert_int_equal(score_last_tick(s), 14);
}

/* No channel is shared while others are free, and none is the drums'. */
TEST(new_tracks_get_channels_of_their_own)
{
    bool is_taken[16] = {[9] = true, [0] = true, [3] = true};
    auto_score *s = score_of("480 | a ch3: | b ch0: | b too ch0: | drums ch9:");
    assert_int_equal(score_free_channel(s, 0), 1);
    assert_int_equal(score_free_channel(s, 2), 4);
    for (int i = 0; i < 13; i++) {
        uint8_t channel = score_free_channel(s, 0);
        assert_true(channel < 16 && !is_taken[channel]);
        assert_int_equal(score_free_channel(s, 1) == channel, false);
        is_taken[channel] = true;
        score_add_track(s, "new", channel, 0);
    }
    for (int i = 0; i < 40; i++) { /* then those of other ports */
        const int channel = score_free_channel(s, i);
        assert_true(channel >= 16 && channel % 16 != 9);
        assert_int_equal(score_free_channel(s, i + 1) == channel, false);
    }
    const int track = score_add_track(s, "far", score_free_channel(s, 0), 5);
    assert_int_equal(s->tracks[track].channel, 0);
    assert_int_equal(score_channel(s, track), 16);
    assert_ok(score_update_timeline(s));
    assert_int_equal(score_channel(s, track), 16);
}

/* A program rules its whole channel: new drums take the kit that is there, or another port. */
TEST(new_drums_leave_the_kit_as_it_is)
{
    auto_score *s = score_create(480);
    uint8_t kit = 0;
    assert_int_equal(score_drum_channel(s, &kit), 9);
    assert_int_equal(kit, 0);
    score_add_track(s, "piano", 0, 0);
    score_add_track(s, "hats", 9, 25);
    const int kick = score_add_track(s, "kick", 9, 0);
    s->tracks[kick].lacks_program = true;
    assert_int_equal(score_drum_channel(s, &kit), 9);
    assert_int_equal(kit, 25);
    assert_int_equal(score_drum_channel(s, &kit), 9);
    kit = 32;
    assert_int_equal(score_drum_channel(s, &kit), 16 + 9);
    assert_int_equal(kit, 32);
    score_add_track(s, "brushes", 16 + 9, 32);
    assert_ok(score_update_timeline(s));
    assert_int_equal(score_drum_channel(s, &kit), 16 + 9);
}

static void add_sysex(struct score *s, const uint8_t *data, size_t n)
{
    uint8_t bytes[32];
    memcpy(bytes, data, n);
    struct event e = {.order = ORDER_LAST, .n_data = (uint32_t)n, .data = bytes};
    assert_ok(chunk_insert_event(&s->chunks[0], &e));
    assert_ok(score_update_timeline(s));
}

/* GS numbers its parts 10, 1 to 9, 11 to 16; XG as channels. */
TEST(parts_become_drums_and_drums_a_melody)
{
    static const uint8_t GS[] = {0xF0, 10,   0x41, 0x10, 0x42, 0x12,
                                 0x40, 0x12, 0x15, 0x01, 0x18, 0xF7},
                         GS_TEN[] = {0xF0, 10,   0x41, 0x10, 0x42, 0x12,
                                     0x40, 0x10, 0x15, 0x00, 0x1b, 0xF7},
                         XG[] = {0xF0, 8,    0x43, 0x10, 0x4C,
                                 0x08, 0x05, 0x07, 0x01, 0xF7};
    auto_score *s = score_of("480 | set ch1: | ten ch9: | six ch5:");
    assert_false(track_is_drums(&s->tracks[0]) || track_is_drums(&s->tracks[2]));
    assert_true(track_is_drums(&s->tracks[1]));
    add_sysex(s, GS, sizeof GS);
    assert_true(track_is_drums(&s->tracks[0]));
    assert_int_equal(track_sound_channel(&s->tracks[0]), 9);
    add_sysex(s, GS_TEN, sizeof GS_TEN);
    assert_false(track_is_drums(&s->tracks[1]));
    assert_int_equal(track_sound_channel(&s->tracks[1]), 0);
    add_sysex(s, XG, sizeof XG);
    assert_true(track_is_drums(&s->tracks[2]));
}

TEST(a_kit_may_be_split_over_tracks)
{
    int home[128];
    uint64_t tracks;
    auto_score *s = score_of("480 | bass #32: 36*4 | kick ch9: 36*20 | snare ch9:");
    assert_int_equal(score_split_kit(s, home, &tracks), -1); /* one track of drums */
    score_put(s, 2, "38*20 =0 36");                          /* one that strayed */
    assert_int_equal(score_split_kit(s, home, &tracks), 1);
    assert_int_equal(tracks, 6);
    assert_int_equal(home[36], 1);
    assert_int_equal(home[38], 2);
    assert_int_equal(home[42], -1);
    score_put(s, 2, "36*20"); /* both play both */
    assert_int_equal(score_split_kit(s, home, &tracks), -1);
}

/* The notation of score_of.h says what it seems to. */
TEST(music_in_a_line)
{
    char text[256] = "";
    auto_score *s = score_of("48 3/4 2/4=1h. 90bpm | two words ch9 #5: r | bass:"
                             "C4h C#3q.@99 re ([Eb4 G4])*2 =2q10 F#-1:5@1");
    assert_int_equal(timeline_bar(&s->timeline, 1).length, 2 * 48);
    assert_true(fabs(timeline_bpm(&s->timeline, 0) - 90) < 1e-3);
    assert_string_equal(s->tracks[0].name, "two words");
    assert_int_equal(s->tracks[0].channel, 9);
    assert_int_equal(s->tracks[0].program, 5);
    assert_int_equal(s->tracks[1].channel, 1);
    for (size_t i = 0; i < s->tracks[1].n_notes; i++) {
        const struct note *n = &s->tracks[1].notes[i];
        sprintf(text + strlen(text), "%d+%d:%d@%d ", (int)n->start, (int)n->length,
                n->pitch, n->velocity);
    }
    assert_string_equal(text, "0+96:60@80 96+72:49@99 106+5:6@1 192+24:63@99 "
                              "192+24:67@99 216+24:63@99 216+24:67@99 ");
}
