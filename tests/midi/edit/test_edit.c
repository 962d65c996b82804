/* Changes, undo, redo and the tree. The strongest test is the file: after all
 * is undone the score is written as the very bytes it was read from. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/midi/random_change.h"
#include "tests/midi/edit/random_smf.h"
#include "tests/midi/edit/smf_bytes.h"

#include "midi/edit/apply.h"
#include "midi/edit/follow.h"
#include "midi/score/note.h"

BYTES(SONG, HEADER(1, 2, 96),
      TRACK(0, 0xFF, 0x58, 4, 4, 2, 24, 8, 0, 0xFF, 0x51, 3, 7, 0xA1, 0x20, 0, END),
      TRACK(0, 0x90, 60, 80, 0, 0xB0, 7, 9, 9, 0x80, 60, 0, 0, 0x90, 60, 70, 9, 0x90,
            60, 0, 3, END));

struct song {
    struct score *s;
    struct history *h;
};

static struct song open_song(const uint8_t *bytes, size_t n)
{
    struct song song = {read_bytes(bytes, n, NULL), history_create()};
    assert_non_null(song.h);
    return song;
}

static void close_song(struct song *song)
{
    history_destroy(song->h);
    score_destroy(song->s);
}

static void do_add(struct song *song, struct note n)
{
    struct change *c = change_create("add a note");
    assert_int_equal(change_add_note(c, 0, n), MIDI_OK);
    assert_int_equal(history_do(song->h, song->s, c), MIDI_OK);
}

static void adding_is_written_and_undone(void **state)
{
    (void)state;
    BYTES(WANT, HEADER(1, 2, 96),
          TRACK(0, 0xFF, 0x58, 4, 4, 2, 24, 8, 0, 0xFF, 0x51, 3, 7, 0xA1, 0x20, 0, END),
          TRACK(0, 0x90, 60, 80, 0, 0xB0, 7, 9, 0, 0x90, 72, 90, 9, 0x80, 72, 64, 0,
                0x80, 60, 0, 0, 0x90, 60, 70, 9, 0x90, 60, 0, 3, END));
    struct song song = open_song(SONG, sizeof SONG);
    const char *label = NULL;
    do_add(&song, note(0, 9, 72));
    assert_writes(song.s, WANT, sizeof WANT);
    assert_true(history_undo(song.h, song.s, &label));
    assert_string_equal(label, "add a note");
    assert_writes(song.s, SONG, sizeof SONG);
    assert_false(history_undo(song.h, song.s, NULL));
    assert_true(history_redo(song.h, song.s, &label));
    assert_writes(song.s, WANT, sizeof WANT);
    assert_false(history_redo(song.h, song.s, NULL));
    close_song(&song);
}

static void redo_gives_the_same_ids(void **state)
{
    (void)state;
    struct song song = open_song(SONG, sizeof SONG);
    do_add(&song, note(50, 9, 72));
    uint64_t id = song.s->tracks[0].notes[2].id, next = song.s->next_id;
    history_undo(song.h, song.s, NULL);
    assert_null(score_find_note(song.s, 0, id));
    history_redo(song.h, song.s, NULL);
    assert_non_null(score_find_note(song.s, 0, id));
    assert_int_equal(song.s->next_id, next);
    close_song(&song);
}

static void replacing_keeps_id_and_drops_place(void **state)
{
    (void)state;
    struct song song = open_song(SONG, sizeof SONG);
    struct note before = song.s->tracks[0].notes[0], louder = before, moved = before;
    louder.velocity = 127;
    moved.start = 1;

    struct change *c = change_create("louder");
    change_replace_note(c, 0, &before, louder);
    assert_int_equal(history_do(song.h, song.s, c), MIDI_OK);
    const struct note *n = score_find_note(song.s, 0, before.id);
    assert_int_equal(n->on_order, before.on_order);
    assert_int_equal(n->velocity, 127);

    c = change_create("move");
    change_replace_note(c, 0, &louder, moved);
    assert_int_equal(history_do(song.h, song.s, c), MIDI_OK);
    n = score_find_note(song.s, 0, before.id);
    assert_int_equal(n->start, 1);
    assert_true(n->on_order == ORDER_LAST && n->off_order == ORDER_FIRST);
    close_song(&song);
}

static void a_hanging_note_made_shorter_ends(void **state)
{
    (void)state;
    BYTES(HANGS, HEADER(0, 1, 96), TRACK(0, 0x90, 60, 80, 9, END));
    BYTES(ENDS, HEADER(0, 1, 96), TRACK(0, 0x90, 60, 80, 4, 0x80, 60, 0, 5, END));
    struct song song = open_song(HANGS, sizeof HANGS);
    struct note before = song.s->tracks[0].notes[0], after = before;
    after.length = 4;
    struct change *c = change_create("shorter");
    change_replace_note(c, 0, &before, after);
    assert_int_equal(history_do(song.h, song.s, c), MIDI_OK);
    assert_writes(song.s, ENDS, sizeof ENDS);
    history_undo(song.h, song.s, NULL);
    assert_writes(song.s, HANGS, sizeof HANGS);
    close_song(&song);
}

static void tempo_and_meter_replace_or_insert(void **state)
{
    (void)state;
    BYTES(WANT, HEADER(1, 2, 96),
          TRACK(0, 0xFF, 0x58, 4, 3, 3, 12, 8, 0, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40, 5,
                0xFF, 0x51, 3, 3, 0xD0, 0x90, 0, END),
          TRACK(0, 0x90, 60, 80, 0, 0xB0, 7, 9, 9, 0x80, 60, 0, 0, 0x90, 60, 70, 9,
                0x90, 60, 0, 3, END));
    struct song song = open_song(SONG, sizeof SONG);
    struct change *c = change_create("tempo and meter");
    assert_int_equal(change_set_tempo(c, song.s, 0, 60), MIDI_OK);
    assert_int_equal(change_set_tempo(c, song.s, 5, 240), MIDI_OK);
    assert_int_equal(change_set_meter(c, song.s, 0, 3, 8), MIDI_OK);
    assert_int_equal(change_n_edits(c), 3);
    assert_int_equal(history_do(song.h, song.s, c), MIDI_OK);
    assert_writes(song.s, WANT, sizeof WANT);
    assert_float_equal(timeline_bpm(&song.s->timeline, 4), 60, 1e-9);
    assert_float_equal(timeline_bpm(&song.s->timeline, 5), 240, 1e-9);
    assert_int_equal(timeline_bar(&song.s->timeline, 1).start, 144);
    history_undo(song.h, song.s, NULL);
    assert_writes(song.s, SONG, sizeof SONG);
    assert_float_equal(timeline_bpm(&song.s->timeline, 5), 120, 1e-9);
    close_song(&song);
}

/* Two that an edit put on one tick keep their order when one is replaced. */
static void replaced_events_stay_in_place(void **state)
{
    (void)state;
    struct song song = open_song(SONG, sizeof SONG);
    uint8_t *want, *have;
    size_t n_want, n_have;
    struct change *c = change_create("both");
    change_set_tempo(c, song.s, 7, 100);
    change_set_meter(c, song.s, 7, 3, 4);
    assert_int_equal(history_do(song.h, song.s, c), MIDI_OK);
    smf_write(song.s, &want, &n_want);

    c = change_create("tempo");
    change_set_tempo(c, song.s, 7, 90);
    assert_int_equal(history_do(song.h, song.s, c), MIDI_OK);
    assert_true(history_undo(song.h, song.s, NULL));
    smf_write(song.s, &have, &n_have);
    assert_int_equal(n_have, n_want);
    assert_memory_equal(have, want, n_want);
    free(want);
    free(have);
    close_song(&song);
}

static void a_track_and_its_notes_come_and_go(void **state)
{
    (void)state;
    BYTES(ONE, HEADER(0, 1, 96), TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, END));
    BYTES(TWO, HEADER(1, 2, 96), TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, END),
          TRACK(0, 0xFF, 3, 1, 'x', 0, 0xC4, 9, 5, 0x94, 50, 90, 5, 0x84, 50, 64, 0,
                END));
    struct song song = open_song(ONE, sizeof ONE);
    for (int i = 0; i < 2; i++) {
        if (i == 0) {
            struct change *c = change_create("add a track");
            assert_int_equal(change_add_track(c, song.s, "x", 4, 9), MIDI_OK);
            assert_int_equal(change_add_note(c, 1, note(5, 5, 50)), MIDI_OK);
            assert_int_equal(history_do(song.h, song.s, c), MIDI_OK);
        } else {
            assert_true(history_redo(song.h, song.s, NULL));
        }
        assert_writes(song.s, TWO, sizeof TWO);
        assert_true(history_undo(song.h, song.s, NULL));
        assert_int_equal(song.s->n_tracks, 1);
        assert_writes(song.s, ONE, sizeof ONE);
    }
    close_song(&song);
}

static void time_moves_all_but_the_setting_up(void **state)
{
    (void)state;
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
    struct song song = open_song(BEFORE, sizeof BEFORE);
    for (int later = 0; later < 2; later++) {
        struct change *c = change_create("insert a bar");
        assert_int_equal(change_insert_time(c, song.s, later ? 96 : 0, 20), MIDI_OK);
        assert_int_equal(history_do(song.h, song.s, c), MIDI_OK);
        if (later)
            assert_writes(song.s, LATER, sizeof LATER);
        else
            assert_writes(song.s, IN_FRONT, sizeof IN_FRONT);
        assert_true(history_undo(song.h, song.s, NULL));
        assert_writes(song.s, BEFORE, sizeof BEFORE);
    }
    struct change *c = change_create("too much");
    assert_int_equal(change_insert_time(c, song.s, 0, TICK_MAX), MIDI_BAD_EDIT);
    assert_int_equal(change_insert_time(c, song.s, 0, 0), MIDI_BAD_EDIT);
    change_destroy(c);
    close_song(&song);
}

/* Bars put in where three beats begin are of three beats, and so are those after. */
static void time_is_put_in_as_bars_of_its_place(void **state)
{
    (void)state;
    BYTES(BEFORE, HEADER(0, 1, 96),
          TRACK(0, 0x90, 60, 80, 96, 0x80, 60, 0, 0x82, 0x20, 0x90, 62, 80, 96, 0x80,
                62, 0, 0, END));
    struct song song = open_song(BEFORE, sizeof BEFORE);
    struct change *c = change_create("three beats, and slower");
    assert_int_equal(change_set_tempo(c, song.s, 384, 60), MIDI_OK);
    assert_int_equal(change_set_meter(c, song.s, 384, 3, 4), MIDI_OK);
    assert_int_equal(history_do(song.h, song.s, c), MIDI_OK);
    struct score *before = score_clone(song.s);
    c = change_create("two bars");
    int64_t by = 2 * timeline_bar_ticks(&song.s->timeline, 384);
    assert_int_equal(change_insert_time(c, song.s, 384, by), MIDI_OK);
    assert_int_equal(history_do(song.h, song.s, c), MIDI_OK);
    for (int bar = 1; bar < 5; bar++) {
        struct bar b = timeline_bar(&song.s->timeline, bar);
        assert_int_equal(b.start, 384 + (bar - 1) * 288);
        assert_int_equal(b.length, 288);
    }
    assert_int_equal(song.s->tracks[0].notes[1].start, 384 + 2 * 288);
    assert_true(timeline_bpm(&song.s->timeline, 384) < 61);
    assert_true(history_undo(song.h, song.s, NULL));
    assert_true(score_equal(song.s, before));
    score_destroy(before);
    close_song(&song);
}

static void what_does_not_fit_changes_nothing(void **state)
{
    (void)state;
    struct song song = open_song(SONG, sizeof SONG);
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
        assert_writes(song.s, SONG, sizeof SONG);
        assert_int_equal(history_state(song.h), 0);
    }
    struct change *c = change_create("bad");
    assert_int_equal(change_add_note(c, 0, note(0, -1, 50)), MIDI_BAD_EDIT);
    assert_int_equal(change_set_tempo(c, song.s, 0, 0), MIDI_BAD_EDIT);
    assert_int_equal(change_set_tempo(c, song.s, 0, 1), MIDI_BAD_EDIT);
    assert_int_equal(change_set_meter(c, song.s, 0, 3, 5), MIDI_BAD_EDIT);
    assert_int_equal(change_set_meter(c, song.s, -1, 3, 4), MIDI_BAD_EDIT);
    assert_int_equal(change_add_track(c, song.s, "", 16, 0), MIDI_BAD_EDIT);
    assert_int_equal(change_n_edits(c), 0);
    change_destroy(c);
    close_song(&song);
}

static void keeps_every_branch(void **state)
{
    (void)state;
    struct song song = open_song(SONG, sizeof SONG);
    do_add(&song, note(0, 1, 1)); /* 1 */
    do_add(&song, note(0, 1, 2)); /* 2, below 1 */
    history_undo(song.h, song.s, NULL);
    do_add(&song, note(0, 1, 3)); /* 3, below 1 */
    assert_int_equal(history_state(song.h), 3);
    assert_int_equal(history_n_states(song.h), 4);
    assert_int_equal(history_parent(song.h, 3), 1);
    history_undo(song.h, song.s, NULL);
    history_undo(song.h, song.s, NULL);
    history_redo(song.h, song.s, NULL);
    history_redo(song.h, song.s, NULL);
    assert_int_equal(history_state(song.h), 3); /* the newest branch */

    assert_int_equal(history_go(song.h, song.s, 2), MIDI_OK);
    assert_int_equal(song.s->tracks[0].notes[1].pitch, 2);
    assert_int_equal(song.s->tracks[0].n_notes, 4);
    assert_string_equal(change_label(history_change(song.h, 2)), "add a note");
    assert_int_equal(history_go(song.h, song.s, 0), MIDI_OK);
    assert_writes(song.s, SONG, sizeof SONG);
    assert_null(history_change(song.h, 0));
    close_song(&song);
}

enum { N_SONGS = 40, N_CHANGES = 12 };

struct snapshot {
    uint8_t *bytes;
    size_t n;
};

static void assert_is(const struct score *s, const struct snapshot *want)
{
    assert_writes(s, want->bytes, want->n);
}

/* Every state is reached again exactly, along the tree and across it. */
static void random_edits_come_undone(void **state)
{
    (void)state;
    static struct random_smf file;
    for (uint64_t seed = 1; seed <= N_SONGS; seed++) {
        struct snapshot was[N_CHANGES + 1];
        uint64_t r = seed;
        random_smf(&file, seed);
        struct song song = open_song(file.plain, file.n_plain);
        smf_write(song.s, &was[0].bytes, &was[0].n);
        for (int i = 1; i <= N_CHANGES; i++) {
            struct change *c = random_change(song.s, &r);
            assert_int_equal(history_do(song.h, song.s, c), MIDI_OK);
            assert_int_equal(smf_write(song.s, &was[i].bytes, &was[i].n), MIDI_OK);
            if (random_below(&r, 4) == 0)
                history_undo(song.h, song.s, NULL);
        }
        for (int i = 0; i < 3 * N_CHANGES; i++) {
            int to = random_below(&r, N_CHANGES + 1);
            assert_int_equal(history_go(song.h, song.s, (uint64_t)to), MIDI_OK);
            assert_is(song.s, &was[to]);
        }
        while (history_undo(song.h, song.s, NULL))
            continue;
        assert_writes(song.s, file.plain, file.n_plain);
        for (int i = 0; i <= N_CHANGES; i++)
            free(was[i].bytes);
        close_song(&song);
    }
}

/* Moving a whole song is one pass, not one for each note. */
static void a_change_of_100000_notes_is_quick(void **state)
{
    (void)state;
    enum { N = 100000 };
    struct song song = open_song(SONG, sizeof SONG);
    struct change *c = change_create("all");
    for (int i = 0; i < N; i++)
        assert_int_equal(change_add_note(c, 0, note(N - i, 1, 60)), MIDI_OK);
    assert_int_equal(history_do(song.h, song.s, c), MIDI_OK);
    c = change_create("move all");
    for (size_t i = 0; i < song.s->tracks[0].n_notes; i++) {
        struct note moved = song.s->tracks[0].notes[i];
        moved.start += 7;
        change_replace_note(c, 0, &song.s->tracks[0].notes[i], moved);
    }
    assert_int_equal(history_do(song.h, song.s, c), MIDI_OK);
    assert_int_equal(song.s->tracks[0].n_notes, N + 2);
    history_undo(song.h, song.s, NULL);
    history_undo(song.h, song.s, NULL);
    assert_writes(song.s, SONG, sizeof SONG);
    close_song(&song);
}

/* Nothing of a score is later than TICK_MAX, nor the end of a chunk without events. */
static void time_has_an_end(void **state)
{
    (void)state;
    struct score *s = score_create(480);
    struct history *h = history_create();
    for (int i = 0; i < 10; i++) {
        struct change *c = change_create("time");
        enum midi_status st = change_insert_time(c, s, 0, TICK_MAX);
        assert_int_equal(st, i ? MIDI_BAD_EDIT : MIDI_OK);
        struct edit *e = i ? change_append(c, EDIT_TIME, 0) : NULL;
        if (e)
            e->time.by = TICK_MAX; /* as a hostile journal may say */
        assert_int_equal(history_do(h, s, c), i ? MIDI_BAD_EDIT : MIDI_OK);
    }
    for (int i = 0; i < 10; i++) {
        struct change *c = change_create("time");
        change_append(c, EDIT_TIME, 0)->time.by = TICK_MAX;
        assert_true(history_put(h, history_n_states(h) - 1, c, 0));
    }
    assert_true(history_follow(h, 0, history_n_states(h) - 1, 5, false) == TICK_MAX);
    score_destroy(s);
    history_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adding_is_written_and_undone),
        cmocka_unit_test(redo_gives_the_same_ids),
        cmocka_unit_test(replacing_keeps_id_and_drops_place),
        cmocka_unit_test(a_hanging_note_made_shorter_ends),
        cmocka_unit_test(tempo_and_meter_replace_or_insert),
        cmocka_unit_test(replaced_events_stay_in_place),
        cmocka_unit_test(a_track_and_its_notes_come_and_go),
        cmocka_unit_test(time_moves_all_but_the_setting_up),
        cmocka_unit_test(time_is_put_in_as_bars_of_its_place),
        cmocka_unit_test(time_has_an_end),
        cmocka_unit_test(what_does_not_fit_changes_nothing),
        cmocka_unit_test(keeps_every_branch),
        cmocka_unit_test(random_edits_come_undone),
        cmocka_unit_test(a_change_of_100000_notes_is_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
