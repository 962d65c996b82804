/* A change that adds notes is settled by each rule, beside notes of the same track; and what has
 * failed once stays so. */
#include "tests/check.h"
#include "midi/edit/edit.h"
#include "tests/midi/score_of.h"

/* The track's notes of pitch 60 after the change: "0+480 600+120". */
static const char *notes_of(const struct score *s, char text[128])
{
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < s->tracks[0].n_notes; i++) {
        const struct note *at = &s->tracks[0].notes[i];
        n += (size_t)snprintf(text + n, 128 - n, "%s%lld+%lld", n ? " " : "",
                              (long long)at->start, (long long)at->length);
    }
    return text;
}

/* The track has notes at 0 and 960, a half note each; one or two are added. */
TEST(new_notes_meet_others)
{
    static const struct {
        enum overlap_rule rule;
        struct {
            int64_t start, length;
        } added[2];
        enum midi_status failure;
        size_t n; /* of those shortened or left out */
        const char *after;
    } ROWS[] = {
        {OVERLAP_REFUSE, {{480, 480}}, MIDI_OK, 0, "0+480 480+480 960+480"},
        {OVERLAP_REFUSE, {{479, 100}}, MIDI_OVERLAP, 0, NULL},
        {OVERLAP_REFUSE, {{900, 100}}, MIDI_OVERLAP, 0, NULL},
        {OVERLAP_TRUNCATE, {{240, 480}}, MIDI_OK, 1, "0+240 240+480 960+480"},
        {OVERLAP_TRUNCATE, {{500, 900}}, MIDI_OK, 0, "0+480 500+460 960+480"},
        {OVERLAP_TRUNCATE, {{960, 100}}, MIDI_UNISON, 0, NULL},
        {OVERLAP_SKIP, {{240, 480}, {500, 100}}, MIDI_OK, 1, "0+480 500+100 960+480"},
        {OVERLAP_SKIP, {{500, 460}, {600, 50}}, MIDI_OK, 1, "0+480 500+460 960+480"},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char text[128];
        auto_score *s = score_of("480 | a: C4q rq C4q");
        auto_change *c = change_create("x");
        for (int k = 0; k < 2 && ROWS[i].added[k].length; k++)
            change_add_note(
                c, 0,
                music_note(ROWS[i].added[k].start, ROWS[i].added[k].length, 60, 80));
        assert_int_equal(change_settle(c, s, ROWS[i].rule), ROWS[i].n);
        assert_int_equal(change_status(c), ROWS[i].failure);
        if (ROWS[i].failure)
            continue;
        assert_ok(change_apply(c, s, true));
        assert_string_equal(notes_of(s, text), ROWS[i].after);
    }
}

/* A note was cut where the next begins. As it was played, it would be cut there again. */
TEST(what_is_cut_back_to_what_it_was_is_no_edit)
{
    auto_score *s = score_of("480 | a: C4q C4q");
    auto_change *c = change_create("x");
    struct note cut = s->tracks[0].notes[0], played = cut;
    cut.raw_length = 220;
    played.length += 220;
    assert_ok(change_replace_note(c, 0, &cut, played));
    assert_int_equal(change_settle(c, s, OVERLAP_TRUNCATE), 0);
    assert_ok(change_status(c));
    assert_int_equal(c->n_edits, 0);
}

TEST(a_change_that_failed_stays_so)
{
    auto_score *s = score_of("480 | a: C4q");
    auto_change *c = change_create("x");
    auto_change *other = change_create("y");
    auto_history *h = history_create();
    assert_int_equal(change_add_note(c, 0, music_note(-1, 10, 60, 80)), MIDI_BAD_EDIT);
    assert_int_equal(change_add_note(c, 0, music_note(960, 10, 60, 80)), MIDI_BAD_EDIT);
    assert_int_equal(change_fail(c, MIDI_NO_MEMORY), MIDI_BAD_EDIT); /* the first */
    assert_int_equal(c->n_edits, 0);
    assert_int_equal(change_add_all(other, c), MIDI_BAD_EDIT);
    assert_int_equal(change_status(NULL), MIDI_NO_MEMORY);
    assert_int_equal(history_do(h, s, c), MIDI_BAD_EDIT);
    c = NULL; /* taken */
    assert_int_equal(s->tracks[0].n_notes, 1);
}
