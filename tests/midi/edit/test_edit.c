/* Changes, undo, redo and the tree. The strongest test is the file: after all is
 * undone the score is written as the bytes it was read from. */
#include "tests/check.h"
#include "tests/midi/in_use.h"
#include "tests/midi/random_change.h"
#include "tests/midi/edit/random_smf.h"
#include "tests/midi/edit/smf_bytes.h"

#include "midi/score/notes.h"

/* -- rows: a file, edits, and the file that they make -- */

#define SETTINGS                                                                       \
    TRACK(0, 0xFF, 0x58, 4, 4, 2, 24, 8, 0, 0xFF, 0x51, 3, 7, 0xA1, 0x20, 0, END)
#define TWO_NOTES                                                                      \
    TRACK(0, 0x90, 60, 80, 0, 0xB0, 7, 9, 9, 0x80, 60, 0, 0, 0x90, 60, 70, 9, 0x90,    \
          60, 0, 3, END)
BYTES(SONG, HEADER(1, 2, 96), SETTINGS, TWO_NOTES);

BYTES(ONE_NOTE, HEADER(0, 1, 96), TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, END));
BYTES(HANGS, HEADER(0, 1, 96), TRACK(0, 0x90, 60, 80, 9, END));

#define METER_OF(n)   0xFF, 0x58, 4, n, 2, 24, 8
#define METER         0, METER_OF(4)
#define TEMPO_60      0xFF, 0x51, 3, 0x0F, 0x42, 0x40
#define NOTE_62       0x90, 62, 80, 9, 0x80, 62, 0, 3, END
#define TEXT_A        0xFF, 5, 1, 'a'
#define QUARTER_OF_60 0, 0x90, 60, 80, 96, 0x80, 60, 0
BYTES(SET_UP, HEADER(0, 1, 96),
      TRACK(METER, 0, TEXT_A, 0, 0xC0, 5, QUARTER_OF_60, 0, 0xB0, 64, 9, 0, NOTE_62));

BYTES(A_BAR_APART, HEADER(0, 1, 96),
      TRACK(QUARTER_OF_60, 0x82, 0x20, 0x90, 62, 80, 96, 0x80, 62, 0, 0, END));

/* Notes that sound into a bar, in it and over it, and states that are set in it. */
BYTES(STATES, HEADER(0, 1, 96),
      TRACK(0, 0x90, 60, 80, 0, 0x90, 61, 80, 100, 0x80, 60, 0, 0, 0xB0, 7, 1, 0, 0xB0,
            7, 2, 0, 0xB0, 8, 3, 0, TEXT_A, 0, 0x90, 62, 80, 20, 0x80, 62, 0, 80, 0xB0,
            8, 4, 0, 0x90, 63, 80, 50, 0x80, 61, 0, 0, 0x80, 63, 0, 3, END));

#define NAME_AND_3_4 0, 0xFF, 3, 1, 'N', 0, METER_OF(3)
BYTES(FIRST_BAR, HEADER(0, 1, 96),
      TRACK(NAME_AND_3_4, 0, 0xC0, 5, QUARTER_OF_60, 0, 0xC0, 6, 96, 0xFF, 6, 1, 'M',
            96, END));

#define CONDUCTOR TRACK(0, 0xFF, 0x51, 3, 7, 0xA1, 0x20, 0, END)
#define OLD_NAME  0xFF, 3, 3, 'O', 'l', 'd'
/* A track with a bank select, and one without name or program. */
#define NAMED_ON(channel, program, ...)                                                \
    TRACK(0, __VA_ARGS__, 0, 0xB0 + channel, 0, 1, 0, 0xC0 + channel, program, 0,      \
          0x90 + channel, 60, 80, 9, 0x80 + channel, 60, 0, 0, END)
#define NAMED(program, ...) NAMED_ON(0, program, __VA_ARGS__)
#define OF_CHANNEL_1        0x91, 62, 80, 9, 0x81, 62, 0, 0, 0xB1, 7, 9, 0, END
#define NAMELESS            TRACK(0, 0xB1, 0, 2, 0, OF_CHANNEL_1)
BYTES(TRACKS, HEADER(1, 3, 96), CONDUCTOR, NAMED(5, OLD_NAME), NAMELESS);

/* The bank comes second, and no program. */
#define NAME_AND_BANK(...)                                                             \
    TRACK(0, OLD_NAME, 0, 0xB0, 0, 1, 0, __VA_ARGS__ 0x90, 60, 80, 9, 0x80, 60, 0, 0,  \
          END)
BYTES(BANK_ONLY, HEADER(0, 1, 96), NAME_AND_BANK());

/* Format 0: two channels in one chunk. */
#define NAME_ONE 0, 0xFF, 3, 3, 'O', 'n', 'e', 0, 0xC0, 5, 0, 0x90, 60, 80
BYTES(JAMMED, HEADER(0, 1, 96),
      TRACK(NAME_ONE, 0, 0xC1, 6, 0, 0x91, 62, 80, 9, 0xB1, 7, 9, 0, 0x80, 60, 0, 0,
            0x81, 62, 0, 0, END));

BYTES(LATE, HEADER(0, 1, 96),
      TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, 0xC0, 5, 0, END));
BYTES(LOOSE, HEADER(0, 1, 96),
      TRACK(0, 0x90, 60, 80, 4, 0x81, 60, 0, 5, 0x80, 60, 0, 0, END));
BYTES(MARKED, HEADER(1, 2, 96), CONDUCTOR,
      TRACK(0, 0xFF, 3, 1, 'A', 0, 0xFF, 6, 1, 'M', 0, 0x90, 60, 80, 9, 0x80, 60, 0, 0,
            END));
BYTES(FULL, HEADER(1, 2, 96), TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, END),
      TRACK(0, 0x91, 60, 80, 9, 0x81, 60, 0, 0, END));

/* Edits with commas between are one change; another begins after a semicolon. `after` is
 * what the last change makes. */
static const struct {
    struct file before;
    const char *edits;
    struct file after;
} EDITS[] = {
    {FILE_OF(SONG), "note 0 0 9",
     FILE(HEADER(1, 2, 96), SETTINGS,
          TRACK(0, 0x90, 60, 80, 0, 0xB0, 7, 9, 0, 0x90, 72, 90, 9, 0x80, 72, 64, 0,
                0x80, 60, 0, 0, 0x90, 60, 70, 9, 0x90, 60, 0, 3, END))},
    {FILE_OF(HANGS), "shorten 0 4",
     FILE(HEADER(0, 1, 96), TRACK(0, 0x90, 60, 80, 4, 0x80, 60, 0, 5, END))},
    {FILE_OF(SONG), "tempo 0 60, tempo 5 240, meter 0 3 8", /* replaced or put in */
     FILE(HEADER(1, 2, 96),
          TRACK(0, 0xFF, 0x58, 4, 3, 3, 12, 8, 0, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40, 5,
                0xFF, 0x51, 3, 3, 0xD0, 0x90, 0, END),
          TWO_NOTES)},
    {FILE_OF(ONE_NOTE), "track x 4 9, note 1 5 5",
     FILE(HEADER(1, 2, 96), TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, END),
          TRACK(0, 0xFF, 3, 1, 'x', 0, 0xC4, 9, 5, 0x94, 72, 90, 5, 0x84, 72, 64, 0,
                END))},
    /* Time moves all but the setting up. */
    {FILE_OF(SET_UP), "in 0 20",
     FILE(HEADER(0, 1, 96), TRACK(METER, 0, 0xC0, 5, 20, TEXT_A, QUARTER_OF_60, 0, 0xB0,
                                  64, 9, 0, NOTE_62))},
    {FILE_OF(SET_UP), "in 96 20",
     FILE(HEADER(0, 1, 96), TRACK(METER, 0, TEXT_A, 0, 0xC0, 5, QUARTER_OF_60, 20, 0xB0,
                                  64, 9, 0, NOTE_62))},
    /* Time that is taken out leaves the rest of notes that sound into it or over it, and the
     * last of each kind of state; what is set anew after it needs no more. */
    {FILE_OF(STATES), "out 96 104",
     FILE(HEADER(0, 1, 96),
          TRACK(0, 0x90, 60, 80, 0, 0x90, 61, 80, 96, 0x80, 60, 0, 0, 0xB0, 7, 2, 0,
                0xB0, 8, 4, 0, 0x90, 63, 80, 50, 0x80, 61, 0, 0, 0x80, 63, 0, 3, END))},
    /* Names and programs of the first bar stay, and so does the music's end. */
    {FILE_OF(FIRST_BAR), "out 0 384",
     FILE(HEADER(0, 1, 96), TRACK(NAME_AND_3_4, 0, 0xC0, 6, 0, END))},
    /* Bars are of the meter of their place, which holds on where its bar is taken out. */
    {FILE_OF(A_BAR_APART), "tempo 384 60, meter 384 3 4; in 384 576",
     FILE(HEADER(0, 1, 96), TRACK(QUARTER_OF_60, 0x82, 0x20, TEMPO_60, 0, METER_OF(3),
                                  0x84, 0x40, 0x90, 62, 80, 96, 0x80, 62, 0, 0, END))},
    {FILE_OF(A_BAR_APART), "meter 384 3 4, tempo 480 60; meter 960 5 4; out 384 288",
     FILE(HEADER(0, 1, 96), TRACK(QUARTER_OF_60, 0x82, 0x20, METER_OF(3), 0, TEMPO_60,
                                  0x82, 0x20, METER_OF(5), 0, END))},
    {FILE_OF(A_BAR_APART), "meter 384 3 4, tempo 480 60; meter 960 5 4; out 384 576",
     FILE(HEADER(0, 1, 96),
          TRACK(QUARTER_OF_60, 0x82, 0x20, METER_OF(5), 0, TEMPO_60, 0, END))},
    {FILE_OF(TRACKS), "rename Cello 0",
     FILE(HEADER(1, 3, 96), CONDUCTOR, NAMED(5, 0xFF, 3, 5, 'C', 'e', 'l', 'l', 'o'),
          NAMELESS)},
    {FILE_OF(TRACKS), "rename B 1",
     FILE(HEADER(1, 3, 96), CONDUCTOR, NAMED(5, OLD_NAME),
          TRACK(0, 0xFF, 3, 1, 'B', 0, 0xB1, 0, 2, 0, OF_CHANNEL_1))},
    {FILE_OF(TRACKS), /* cut, in the file, too */
     "rename xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx 1",
     {0}},
    /* Channels of one chunk have names of their own. */
    {FILE_OF(JAMMED), "rename A 1",
     FILE(HEADER(0, 1, 96),
          TRACK(NAME_ONE, 0, 0xC1, 6, 0, 0x91, 62, 80, 0, 0xFF, 0x20, 1, 1, 0, 0xFF, 3,
                1, 'A', 9, 0xB1, 7, 9, 0, 0x80, 60, 0, 0, 0x81, 62, 0, 0, END))},
    /* The bank still comes before the program; the other channel has its messages. */
    {FILE_OF(TRACKS), "copy New 0 5",
     FILE(HEADER(1, 4, 96), CONDUCTOR, NAMED(5, OLD_NAME), NAMELESS,
          NAMED_ON(5, 5, 0xFF, 3, 3, 'N', 'e', 'w'))},
    {FILE_OF(TRACKS), "program 0 42; program 1 43",
     FILE(HEADER(1, 3, 96), CONDUCTOR, NAMED(42, OLD_NAME),
          TRACK(0, 0xB1, 0, 2, 0, 0xC1, 43, 0, OF_CHANNEL_1))},
    {FILE_OF(BANK_ONLY), "program 0 9",
     FILE(HEADER(0, 1, 96), NAME_AND_BANK(0xC0, 9, 0, ))},
    {FILE_OF(TRACKS),
     "channel 1 0; program 1 9",
     {0}}, /* of both: it is one channel's */
    /* A program change after the first note is not the track's instrument. */
    {FILE_OF(LATE), "program 0 7",
     FILE(HEADER(0, 1, 96),
          TRACK(0, 0xC0, 7, 0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, 0xC0, 5, 0, END))},
    {FILE_OF(JAMMED), "channel 1 9",
     FILE(HEADER(0, 1, 96), TRACK(NAME_ONE, 0, 0xC9, 6, 0, 0x99, 62, 80, 9, 0xB9, 7, 9,
                                  0, 0x80, 60, 0, 0, 0x89, 62, 0, 0, END))},
    {FILE_OF(TRACKS), "remove 0", FILE(HEADER(1, 2, 96), CONDUCTOR, NAMELESS)},
    {FILE_OF(JAMMED), "remove 1",
     FILE(HEADER(0, 1, 96), TRACK(NAME_ONE, 9, 0x80, 60, 0, 0, END))},
    {FILE_OF(JAMMED), "remove 1; remove 0",
     FILE(HEADER(0, 1, 96), TRACK(0, 0xFF, 3, 3, 'O', 'n', 'e', 9, END))},
    /* Tempo, markers and another channel's messages belong to more than the track. */
    {FILE_OF(MARKED), "remove 0",
     FILE(HEADER(1, 2, 96), CONDUCTOR,
          TRACK(0, 0xFF, 3, 1, 'A', 0, 0xFF, 6, 1, 'M', 9, END))},
    /* Of events at one tick and order, put there by hand, those that stay keep their order. */
    {FILE_OF(JAMMED), "rename A 0; rename B 1; remove 0", {0}},
    {FILE_OF(TRACKS), "move 0 1",
     FILE(HEADER(1, 3, 96), CONDUCTOR, NAMELESS, NAMED(5, OLD_NAME))},
};

static const struct {
    struct file of;
    const char *edits; /* each is refused by itself */
} REFUSED[] = {
    {FILE_OF(SET_UP), "in 0 1152921504606846976; in 0 0; out 0 0; out -1 5; "
                      "out 5 1152921504606846976"},
    {FILE_OF(SONG),
     "note 0 0 -1; note 0 -1 5; tempo 0 0; tempo 0 1; meter 0 3 5; meter -1 3 4; "
     "track x 0 128"},
    {FILE_OF(JAMMED), "channel 0 1; channel 0 16"},
    {FILE_OF(LOOSE), "channel 0 1"},                 /* on which a note ends */
    {FILE_OF(FULL), "move 0 1; move 1 0; move 1 1"}, /* the first chunk stays first */
};

static int64_t next_number(const char **at)
{
    return strtoll(*at, (char **)at, 10);
}

/* Reads one edit to the comma or the end. */
static enum midi_status put_edit(struct change *c, const struct score *s,
                                 const char **at)
{
    char kind[16] = "", name[128] = "";
    int used = 0;
    sscanf(*at, " %15s%n", kind, &used);
    *at += used + 1;
    if (isupper((unsigned char)**at) || **at == 'x') {
        sscanf(*at, "%127s%n", name, &used);
        *at += used;
    }
    const int64_t a = next_number(at), b = next_number(at), d = next_number(at);
    const int track = (int)a;
#define EDIT(word, call)                                                               \
    if (!strcmp(kind, word))                                                           \
    return call
    EDIT("note", change_add_note(c, track, note(b, d, 72)));
    EDIT("tempo", change_set_tempo(c, s, a, (double)b));
    EDIT("meter", change_set_meter(c, s, a, (int)b, (int)d));
    EDIT("in", change_insert_time(c, s, a, b));
    EDIT("out", change_remove_time(c, s, a, b));
    EDIT("track", change_add_track(c, s, name, (uint8_t)a, (uint8_t)b));
    EDIT("rename", change_rename_track(c, s, track, name));
    EDIT("program", change_set_program(c, s, track, (uint8_t)b));
    EDIT("channel", change_set_channel(c, s, track, (uint8_t)b));
    EDIT("copy", change_duplicate_track(c, s, track, name, (uint8_t)b));
    EDIT("remove", change_remove_track(c, s, track));
    EDIT("move", change_move_track(c, s, track, (int)b));
    assert_string_equal(kind, "shorten");
    struct note after = s->tracks[a].notes[0];
    after.length = b;
    return change_replace_note(c, track, &s->tracks[a].notes[0], after);
}

/* Does one change more, and moves past it. */
static void do_edits(struct song *song, const char **at)
{
    struct change *c = change_create(*at);
    do
        assert_ok(put_edit(c, song->s, at));
    while (*(*at)++ == ',');
    assert_ok(history_do(song->h, song->s, c));
}

/* Names and instruments are read back. */
static void assert_tracks_are_written(const struct score *s)
{
    auto_score *again = reread(s);
    for (size_t i = 0; i < again->n_tracks; i++) {
        assert_string_equal(again->tracks[i].name, s->tracks[i].name);
        assert_int_equal(again->tracks[i].program, s->tracks[i].program);
    }
}

TEST(edits_are_written_and_undone)
{
    for (size_t i = 0; i < sizeof EDITS / sizeof *EDITS; i++) {
        auto_song song = open_song(EDITS[i].before.at, EDITS[i].before.n);
        const char *at = EDITS[i].edits;
        while (strchr(at, ';'))
            do_edits(&song, &at);
        auto_written before = write_song(song.s);
        do_edits(&song, &at);
        auto_written now = write_song(song.s);
        if (!strstr(EDITS[i].edits, "remove"))
            assert_tracks_are_written(song.s);
        if (EDITS[i].after.n)
            assert_writes(song.s, EDITS[i].after.at, EDITS[i].after.n);
        assert_edited(&song, now.at, now.n, before.at, before.n);
        undo_all(&song);
        assert_writes(song.s, EDITS[i].before.at, EDITS[i].before.n);
    }
}

TEST(what_cannot_be_is_refused)
{
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
        auto_score *s = read_bytes(REFUSED[i].of.at, REFUSED[i].of.n, NULL);
        for (const char *at = REFUSED[i].edits; *at; at += *at == ';') {
            auto_change *c = change_create(at);
            assert_int_equal(put_edit(c, s, &at), MIDI_BAD_EDIT);
            assert_int_equal(c->n_edits, 0);
        }
    }
}

/* -- others -- */

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
}

/* Another chunk sets its channel's bank. */
TEST(a_track_that_comes_or_comes_back_plays_as_its_channel_does)
{
    BYTES(KIT, HEADER(0, 1, 96),
          TRACK(0, 0xB2, 0, BANK_KITS, 0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, END));
    auto_song song = open_song(KIT, sizeof KIT);
    DO(song, change_add_track(c, song.s, "x", 2, 0));
    assert_int_equal(song.s->tracks[1].mode, PART_DRUMS);
    DO(song, change_remove_track(c, song.s, 1));
    assert_true(history_undo(song.h, song.s, NULL));
    assert_int_equal(song.s->tracks[1].mode, PART_DRUMS);
    DO(song, change_set_channel(c, song.s, 1, 3));
    assert_int_equal(song.s->tracks[1].mode, PART_BY_CHANNEL);
    assert_true(history_undo(song.h, song.s, NULL));
    assert_int_equal(song.s->tracks[1].mode, PART_DRUMS);
}

TEST(a_state_names_the_last_that_rearranged_tracks)
{
    auto_song song = open_song(TRACKS, sizeof TRACKS);
    DO(song, change_rename_track(c, song.s, 0, "Else"));
    assert_int_equal(history_now(song.h)->arrangement, 0);
    DO(song, change_move_track(c, song.s, 0, 1));
    assert_int_equal(history_now(song.h)->arrangement, 2);
    DO(song, change_add_note(c, 0, note(0, 9, 72)));
    assert_int_equal(history_now(song.h)->arrangement, 2);
    DO(song, change_remove_track(c, song.s, 0));
    assert_int_equal(history_now(song.h)->arrangement, 4);
    assert_true(history_undo(song.h, song.s, NULL));
    assert_int_equal(history_now(song.h)->arrangement, 2);
}

/* A change that does not fit leaves the score unchanged. */
TEST(a_stranger_change_does_nothing)
{
    auto_song song = open_song(TRACKS, sizeof TRACKS);
    auto_song other = open_song(TRACKS, sizeof TRACKS);
    struct change *strange = change_create("remove");
    DO(other, change_rename_track(c, other.s, 0, "Else"));
    assert_ok(change_remove_track(strange, other.s, 0));
    assert_int_equal(history_do(song.h, song.s, strange), MIDI_BAD_EDIT);
    strange = change_create("channel");
    DO(other, change_set_program(c, other.s, 0, 8));
    assert_ok(change_set_channel(strange, other.s, 0, 7));
    assert_int_equal(history_do(song.h, song.s, strange), MIDI_BAD_EDIT);
    WRITES(song.s, TRACKS);
    assert_int_equal(song.s->n_tracks, 2);
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

/* Every state is what its file says, and is reached again exactly, along the tree and across
 * it. */
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
            auto_score *again = read_bytes(was[i].at, was[i].n, NULL);
            assert_true(score_equal(song.s, again));
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

/* Bytes: label, node of the tree, malloc's overhead. Sanitizers have their own allocators;
 * with them nothing is counted. */
TEST(a_small_change_is_kept_small)
{
    enum { CHANGES = 2000, BESIDE = 300 };
    auto_song song = open_song(SONG, sizeof SONG);
    for (int i = 0; i < CHANGES; i++)
        DO(song, change_add_note(c, 0, note(i * 10, 10, 60)));
    long before = memory_in_use();
    history_destroy(song.h);
    song.h = NULL;
    long bytes = (before - memory_in_use()) / CHANGES;
    print_message("%ld bytes a change\n", bytes);
    assert_true(bytes <= (long)sizeof(struct edit) + BESIDE);
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
        if (i) { /* as in a hostile history */
            change_destroy(c);
            c = change_create("time");
            assert_ok(
                change_put(c, (struct edit){.kind = EDIT_TIME, .time.by = TICK_MAX}));
        }
        assert_int_equal(history_do(h, s, c), i ? MIDI_BAD_EDIT : MIDI_OK);
    }
    for (int i = 0; i < 10; i++) {
        struct change *c = change_create("time");
        change_put(c, (struct edit){.kind = EDIT_TIME, .time.by = TICK_MAX});
        assert_true(history_put(h, history_n_states(h) - 1, c, 0));
    }
    assert_true(history_follow(h, 0, history_n_states(h) - 1, 5, false) == TICK_MAX);
}
