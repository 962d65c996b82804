/* Changes, undo, redo and the tree. The strongest test is the file: after all is
 * undone the score is written as the bytes it was read from. */
#include "tests/check.h"
#include "tests/midi/random_change.h"
#include "tests/midi/edit/random_smf.h"
#include "tests/midi/edit/smf_bytes.h"

#include "midi/edit/apply.h"
#include "midi/edit/edit.h"
#include "midi/score/notes.h"
#include "tests/midi/score_equal.h"
#include "tests/midi/undo.h"

BYTES(SONG, HEADER(1, 2, 96),
      TRACK(0, 0xFF, 0x58, 4, 4, 2, 24, 8, 0, 0xFF, 0x51, 3, 7, 0xA1, 0x20, 0, END),
      TRACK(0, 0x90, 60, 80, 0, 0xB0, 7, 9, 9, 0x80, 60, 0, 0, 0x90, 60, 70, 9, 0x90,
            60, 0, 3, END));

static void do_add(struct song *song, struct note n)
{
    DO(*song, change_add_note(c, 0, n));
}

TEST(adding_is_written_and_undone)
{
    BYTES(WANT, HEADER(1, 2, 96),
          TRACK(0, 0xFF, 0x58, 4, 4, 2, 24, 8, 0, 0xFF, 0x51, 3, 7, 0xA1, 0x20, 0, END),
          TRACK(0, 0x90, 60, 80, 0, 0xB0, 7, 9, 0, 0x90, 72, 90, 9, 0x80, 72, 64, 0,
                0x80, 60, 0, 0, 0x90, 60, 70, 9, 0x90, 60, 0, 3, END));
    auto_song song = open_song(SONG, sizeof SONG);
    const char *label = NULL;
    struct change *c = change_create("add a note");
    assert_ok(change_add_note(c, 0, note(0, 9, 72)));
    assert_ok(history_do(song.h, song.s, c));
    WRITES(song.s, WANT);
    assert_true(history_undo(song.h, song.s, &label));
    assert_string_equal(label, "add a note");
    WRITES(song.s, SONG);
    assert_false(history_undo(song.h, song.s, NULL));
    assert_true(history_redo(song.h, song.s, &label));
    assert_string_equal(history_at(song.h, 1)->change->label, "add a note");
    WRITES(song.s, WANT);
    assert_false(history_redo(song.h, song.s, NULL));
}

TEST(replacing_keeps_id_and_drops_place)
{
    auto_song song = open_song(SONG, sizeof SONG);
    struct note before = song.s->tracks[0].notes[0], louder = before, moved = before;
    louder.velocity = 127;
    moved.start = 1;
    DO(song, change_replace_note(c, 0, &before, louder));
    const struct note *n = score_find_note(song.s, 0, before.id);
    assert_int_equal(n->on_order, before.on_order);
    assert_int_equal(n->velocity, 127);
    DO(song, change_replace_note(c, 0, &louder, moved));
    n = score_find_note(song.s, 0, before.id);
    assert_int_equal(n->start, 1);
    assert_true(n->on_order == ORDER_LAST && n->off_order == ORDER_FIRST);
}

TEST(a_hanging_note_made_shorter_ends)
{
    BYTES(HANGS, HEADER(0, 1, 96), TRACK(0, 0x90, 60, 80, 9, END));
    BYTES(ENDS, HEADER(0, 1, 96), TRACK(0, 0x90, 60, 80, 4, 0x80, 60, 0, 5, END));
    auto_song song = open_song(HANGS, sizeof HANGS);
    struct note before = song.s->tracks[0].notes[0], after = before;
    after.length = 4;
    DO(song, change_replace_note(c, 0, &before, after));
    EDITED(song, ENDS, HANGS);
}

TEST(tempo_and_meter_replace_or_insert)
{
    BYTES(WANT, HEADER(1, 2, 96),
          TRACK(0, 0xFF, 0x58, 4, 3, 3, 12, 8, 0, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40, 5,
                0xFF, 0x51, 3, 3, 0xD0, 0x90, 0, END),
          TRACK(0, 0x90, 60, 80, 0, 0xB0, 7, 9, 9, 0x80, 60, 0, 0, 0x90, 60, 70, 9,
                0x90, 60, 0, 3, END));
    auto_song song = open_song(SONG, sizeof SONG);
    DO(song, change_set_tempo(c, song.s, 0, 60) ||
                 change_set_tempo(c, song.s, 5, 240) ||
                 change_set_meter(c, song.s, 0, 3, 8));
    assert_int_equal(history_at(song.h, 1)->change->n_edits, 3);
    WRITES(song.s, WANT);
    assert_float_equal(timeline_bpm(&song.s->timeline, 4), 60, 1e-9);
    assert_float_equal(timeline_bpm(&song.s->timeline, 5), 240, 1e-9);
    assert_int_equal(timeline_bar(&song.s->timeline, 1).start, 144);
    history_undo(song.h, song.s, NULL);
    WRITES(song.s, SONG);
    assert_float_equal(timeline_bpm(&song.s->timeline, 5), 120, 1e-9);
}

TEST(a_track_and_its_notes_come_and_go)
{
    BYTES(ONE, HEADER(0, 1, 96), TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, END));
    BYTES(TWO, HEADER(1, 2, 96), TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, END),
          TRACK(0, 0xFF, 3, 1, 'x', 0, 0xC4, 9, 5, 0x94, 50, 90, 5, 0x84, 50, 64, 0,
                END));
    auto_song song = open_song(ONE, sizeof ONE);
    DO(song,
       change_add_track(c, song.s, "x", 4, 9) || change_add_note(c, 1, note(5, 5, 50)));
    EDITED(song, TWO, ONE);
    history_undo(song.h, song.s, NULL);
    assert_int_equal(song.s->n_tracks, 1);
}

/* Two changes in one: undone at once, and as if one after the other. */
TEST(changes_are_joined)
{
    auto_song one = open_song(SONG, sizeof SONG), two = open_song(SONG, sizeof SONG);
    struct change *a = change_create("a"), *b = change_create("b");
    assert_ok(change_add_track(a, one.s, "new", 3, 7));
    assert_ok(change_set_tempo(a, one.s, 96, 90));
    assert_ok(change_add_note(b, 1, note(0, 9, 72)));
    assert_ok(change_add_all(b, a));
    assert_ok(history_do(one.h, one.s, b));
    assert_ok(history_do(two.h, two.s, a));
    DO(two, change_add_note(c, 1, note(0, 9, 72)));
    assert_true(score_equal(one.s, two.s));
    assert_true(history_undo(one.h, one.s, NULL));
    WRITES(one.s, SONG);
}

TEST(time_moves_all_but_the_setting_up)
{
    BYTES(BEFORE, HEADER(0, 1, 96),
          TRACK(0, 0xFF, 0x58, 4, 4, 2, 24, 8, 0, 0xFF, 5, 1, 'a', 0, 0xC0, 5, 0, 0x90,
                60, 80, 96, 0x80, 60, 0, 0, 0xB0, 64, 9, 0, 0x90, 62, 80, 9, 0x80, 62,
                0, 3, END));
    BYTES(IN_FRONT, HEADER(0, 1, 96),
          TRACK(0, 0xFF, 0x58, 4, 4, 2, 24, 8, 0, 0xC0, 5, 20, 0xFF, 5, 1, 'a', 0, 0x90,
                60, 80, 96, 0x80, 60, 0, 0, 0xB0, 64, 9, 0, 0x90, 62, 80, 9, 0x80, 62,
                0, 3, END));
    BYTES(LATER, HEADER(0, 1, 96),
          TRACK(0, 0xFF, 0x58, 4, 4, 2, 24, 8, 0, 0xFF, 5, 1, 'a', 0, 0xC0, 5, 0, 0x90,
                60, 80, 96, 0x80, 60, 0, 20, 0xB0, 64, 9, 0, 0x90, 62, 80, 9, 0x80, 62,
                0, 3, END));
    auto_song song = open_song(BEFORE, sizeof BEFORE);
    DO(song, change_insert_time(c, song.s, 0, 20));
    EDITED(song, IN_FRONT, BEFORE);
    history_undo(song.h, song.s, NULL);
    DO(song, change_insert_time(c, song.s, 96, 20));
    EDITED(song, LATER, BEFORE);
    REFUSED(change_insert_time(c, song.s, 0, TICK_MAX));
    REFUSED(change_insert_time(c, song.s, 0, 0));
}

/* Bars inserted where a 3/4 begins are 3/4, and so are those after. */
TEST(time_is_put_in_as_bars_of_its_place)
{
    BYTES(BEFORE, HEADER(0, 1, 96),
          TRACK(0, 0x90, 60, 80, 96, 0x80, 60, 0, 0x82, 0x20, 0x90, 62, 80, 96, 0x80,
                62, 0, 0, END));
    auto_song song = open_song(BEFORE, sizeof BEFORE);
    DO(song,
       change_set_tempo(c, song.s, 384, 60) || change_set_meter(c, song.s, 384, 3, 4));
    auto_score *before = score_clone(song.s);
    int64_t by = 2 * timeline_bar_ticks(&song.s->timeline, 384);
    DO(song, change_insert_time(c, song.s, 384, by));
    for (int bar = 1; bar < 5; bar++) {
        struct bar b = timeline_bar(&song.s->timeline, bar);
        assert_int_equal(b.start, 384 + (bar - 1) * 288);
        assert_int_equal(b.length, 288);
    }
    assert_int_equal(song.s->tracks[0].notes[1].start, 384 + 2 * 288);
    assert_true(timeline_bpm(&song.s->timeline, 384) < 61);
    assert_true(history_undo(song.h, song.s, NULL));
    assert_true(score_equal(song.s, before));
}

/* What it leaves: the rest of notes that sound into it or over it, and the last of each
 * kind of state; a text goes with it, and what is set anew after it needs no more. */
TEST(time_is_taken_out)
{
    BYTES(BEFORE, HEADER(0, 1, 96),
          TRACK(0, 0x90, 60, 80, 0, 0x90, 61, 80, 100, 0x80, 60, 0, /* into it */
                0, 0xB0, 7, 1, 0, 0xB0, 7, 2, 0, 0xB0, 8, 3, 0, 0xFF, 5, 1, 'a', 0,
                0x90, 62, 80, 20, 0x80, 62, 0, 80, 0xB0, 8, 4, 0, 0x90, 63, 80, 50,
                0x80, 61, 0, 0, 0x80, 63, 0, 3, END));
    BYTES(WITHOUT, HEADER(0, 1, 96),
          TRACK(0, 0x90, 60, 80, 0, 0x90, 61, 80, 96, 0x80, 60, 0, 0, 0xB0, 7, 2, 0,
                0xB0, 8, 4, 0, 0x90, 63, 80, 50, 0x80, 61, 0, 0, 0x80, 63, 0, 3, END));
    auto_song song = open_song(BEFORE, sizeof BEFORE);
    DO(song, change_remove_time(c, song.s, 96, 104));
    EDITED(song, WITHOUT, BEFORE);
    REFUSED(change_remove_time(c, song.s, 0, 0));
    REFUSED(change_remove_time(c, song.s, -1, 5));
    REFUSED(change_remove_time(c, song.s, 5, TICK_MAX));
}

/* Names and programs of the first bar stay, and so does the music's end. */
TEST(the_first_bar_is_taken_out)
{
    BYTES(BEFORE, HEADER(0, 1, 96),
          TRACK(0, 0xFF, 3, 1, 'N', 0, 0xFF, 0x58, 4, 3, 2, 24, 8, 0, 0xC0, 5, 0, 0x90,
                60, 80, 96, 0x80, 60, 0, 0, 0xC0, 6, 96, 0xFF, 6, 1, 'M', 96, END));
    BYTES(WITHOUT, HEADER(0, 1, 96),
          TRACK(0, 0xFF, 3, 1, 'N', 0, 0xFF, 0x58, 4, 3, 2, 24, 8, 0, 0xC0, 6, 0, END));
    auto_song song = open_song(BEFORE, sizeof BEFORE);
    DO(song, change_remove_time(c, song.s, 0, 384));
    EDITED(song, WITHOUT, BEFORE);
}

/* A meter and a tempo of the bars taken out hold on, unless others begin there. */
TEST(what_follows_is_barred_as_before)
{
    auto_song song = open_song(SONG, sizeof SONG);
    DO(song,
       change_set_meter(c, song.s, 384, 3, 4) || change_set_tempo(c, song.s, 480, 60));
    DO(song, change_set_meter(c, song.s, 960, 5, 4));
    DO(song, change_remove_time(c, song.s, 384, 288));
    assert_int_equal(timeline_bar_at(&song.s->timeline, 384).numerator, 3);
    assert_int_equal(timeline_bar_at(&song.s->timeline, 672).numerator, 5);
    assert_true(timeline_bpm(&song.s->timeline, 384) < 61);
    assert_int_equal(history_follow(song.h, 2, 3, 700, false), 412);
    assert_int_equal(history_follow(song.h, 2, 3, 500, false), 384);
    assert_int_equal(history_follow(song.h, 3, 2, 412, false), 700);
    DO(song, change_remove_time(c, song.s, 384, 288));
    assert_int_equal(timeline_bar_at(&song.s->timeline, 384).numerator, 5);
    assert_int_equal(song.s->timeline.n_meters, 2);
    undo_all(&song);
}

TEST(what_does_not_fit_changes_nothing)
{
    auto_song song = open_song(SONG, sizeof SONG);
    struct note stale = song.s->tracks[0].notes[0];
    stale.velocity++;
    for (int i = 0; i < 3; i++) {
        struct change *c = change_create("bad");
        change_add_track(c, song.s, "x", 4, 9);
        change_set_tempo(c, song.s, 0, 90);
        change_add_note(c, 0, note(0, 5, 50));
        if (i == 0)
            change_remove_note(c, 0, &stale);
        if (i == 1)
            change_add_note(c, 9, note(0, 5, 50));
        if (i == 2)
            change_add_note(c, 0, song.s->tracks[0].notes[0]); /* its id is taken */
        assert_int_equal(history_do(song.h, song.s, c), MIDI_BAD_EDIT);
        assert_int_equal(song.s->n_tracks, 1);
        WRITES(song.s, SONG);
        assert_int_equal(history_state(song.h), 0);
    }
    REFUSED(change_add_note(c, 0, note(0, -1, 50)));
    REFUSED(change_set_tempo(c, song.s, 0, 0));
    REFUSED(change_set_tempo(c, song.s, 0, 1));
    REFUSED(change_set_meter(c, song.s, 0, 3, 5));
    REFUSED(change_set_meter(c, song.s, -1, 3, 4));
    REFUSED(change_add_track(c, song.s, "", 0, 128));
}

TEST(keeps_every_branch)
{
    auto_song song = open_song(SONG, sizeof SONG);
    do_add(&song, note(0, 1, 1)); /* 1 */
    do_add(&song, note(0, 1, 2)); /* 2, below 1 */
    history_undo(song.h, song.s, NULL);
    do_add(&song, note(0, 1, 3)); /* 3, below 1 */
    assert_int_equal(history_state(song.h), 3);
    assert_int_equal(history_n_states(song.h), 4);
    assert_int_equal(history_at(song.h, 3)->parent, 1);
    history_undo(song.h, song.s, NULL);
    history_undo(song.h, song.s, NULL);
    history_redo(song.h, song.s, NULL);
    history_redo(song.h, song.s, NULL);
    assert_int_equal(history_state(song.h), 3); /* the newest branch */

    assert_ok(history_go(song.h, song.s, 2));
    assert_int_equal(song.s->tracks[0].notes[1].pitch, 2);
    assert_int_equal(song.s->tracks[0].n_notes, 4);
    assert_ok(history_go(song.h, song.s, 0));
    WRITES(song.s, SONG);
    assert_null(history_at(song.h, 0)->change);
}

/* Else they would pass those before them. */
TEST(a_move_back_takes_out_the_taps_in_its_way)
{
    struct taps t = {0};
    for (int i = 0; i < 4; i++)
        assert_true(taps_put(&t, (struct tap){(int[]){10, 80, 152, 232}[i], TAP_BAR}));
    taps_shift(&t, 153, -100);
    assert_int_equal(t.n, 2);
    assert_int_equal(t.list[0].tick, 10);
    assert_int_equal(t.list[1].tick, 132);
    taps_fini(&t);
}

enum { N_SONGS = 60, N_CHANGES = 12 };

/* Every state is reached again exactly, along the tree and across it. */
TEST(random_edits_come_undone)
{
    static struct random_smf file;
    for (uint64_t seed = 1; seed <= N_SONGS; seed++) {
        struct written was[N_CHANGES + 1];
        uint64_t r = seed;
        random_smf(&file, seed);
        auto_song song = open_song(file.plain, file.n_plain);
        was[0] = write_song(song.s);
        for (int i = 1; i <= N_CHANGES; i++) {
            assert_ok(history_do(song.h, song.s, random_change(song.s, &r)));
            was[i] = write_song(song.s);
            if (random_below(&r, 4) == 0)
                history_undo(song.h, song.s, NULL);
        }
        for (int i = 0; i < 3 * N_CHANGES; i++) {
            int to = random_below(&r, N_CHANGES + 1);
            assert_ok(history_go(song.h, song.s, (uint64_t)to));
            assert_writes(song.s, was[to].at, was[to].n);
        }
        undo_all(&song);
        assert_writes(song.s, file.plain, file.n_plain);
        for (int i = 0; i <= N_CHANGES; i++)
            free(was[i].at);
    }
}

/* What becomes of tracks is what the file says. */
TEST(edited_tracks_are_read_back)
{
    static struct random_smf file;
    for (uint64_t seed = 1; seed <= N_SONGS; seed++) {
        uint64_t r = seed;
        random_smf(&file, seed);
        auto_song song = open_song(file.running, file.n_running);
        for (int i = 0; i < N_CHANGES && song.s->n_tracks; i++) {
            struct change *c = change_create("any");
            if (random_track_change(c, song.s, &r))
                change_destroy(c);
            else
                assert_ok(history_do(song.h, song.s, c));
            auto_score *again = reread(song.s);
            assert_true(score_equal(song.s, again));
        }
    }
}

/* Moving a whole song takes one pass, not one for each note. */
TEST(a_change_of_100000_notes_is_quick)
{
    enum { N = 100000 };
    auto_song song = open_song(SONG, sizeof SONG);
    struct change *c = change_create("all");
    for (int i = 0; i < N; i++)
        assert_ok(change_add_note(c, 0, note(N - i, 1, 60)));
    assert_ok(history_do(song.h, song.s, c));
    c = change_create("move all");
    for (size_t i = 0; i < song.s->tracks[0].n_notes; i++) {
        struct note moved = song.s->tracks[0].notes[i];
        moved.start += 7;
        change_replace_note(c, 0, &song.s->tracks[0].notes[i], moved);
    }
    assert_ok(history_do(song.h, song.s, c));
    assert_int_equal(song.s->tracks[0].n_notes, N + 2);
    history_undo(song.h, song.s, NULL);
    history_undo(song.h, song.s, NULL);
    WRITES(song.s, SONG);
}

/* Nothing in a score, not even the end of an empty chunk, is later than TICK_MAX. */
TEST(time_has_an_end)
{
    auto_score *s = score_create(480);
    auto_history *h = history_create();
    for (int i = 0; i < 10; i++) {
        struct change *c = change_create("time");
        enum midi_status st = change_insert_time(c, s, 0, TICK_MAX);
        assert_int_equal(st, i ? MIDI_BAD_EDIT : MIDI_OK);
        if (i) /* as in a hostile history */
            change_put(c, (struct edit){.kind = EDIT_TIME, .time.by = TICK_MAX});
        assert_int_equal(history_do(h, s, c), i ? MIDI_BAD_EDIT : MIDI_OK);
    }
    for (int i = 0; i < 10; i++) {
        struct change *c = change_create("time");
        change_put(c, (struct edit){.kind = EDIT_TIME, .time.by = TICK_MAX});
        assert_true(history_put(h, history_n_states(h) - 1, c, 0));
    }
    assert_true(history_follow(h, 0, history_n_states(h) - 1, 5, false) == TICK_MAX);
}
