/* Promise 3 by every way of asking: whatever key asked for a hole, and whichever tracks are
 * heard, accepting its take changes nothing outside of the rectangle that was named, and
 * undoing brings that back.
 *
 * The stress test's author saw notes appear on track 0 while "filling bar 1" was shown and
 * the muted track 1 was active. That is the third row: V chooses bars, and c of bars asks
 * for the tracks that are heard (tui/keys/commands.h), of which the active one was none. */
#include "tests/check.h"
#include "tests/app/heard.h"
#include "tests/app/invariants.h"
#include "tests/app/promises.h"
#include "tests/app/quarters.h"

enum { ACTIVE = 1 };

static struct session *open_piece(int muted)
{
    void *state;
    assert_int_equal(two_tracks(&state), 0);
    struct session *s = state;
    if (muted >= 0) {
        s->view.track = muted;
        run(s, CMD_MUTE);
    }
    s->view.track = ACTIVE;
    s->view.cursor.tick = BAR;
    s->view.cursor.pitch = 36;
    return s;
}

static void accept_and_undo(struct session *s, const struct asked_hole *a)
{
    struct music_bytes was = music_of(s);
    run(s, CMD_ACCEPT);
    assert_true(check_filled(s, a));
    check_invariants(s);
    run(s, CMD_UNDO);
    assert_same_bytes(s, &was);
    free(was.at);
}

static const struct {
    const char *keys; /* that ask */
    int muted;        /* track; -1: none */
    uint64_t tracks;  /* that are asked for */
    int64_t from, to; /* ticks; 0: wherever */
} WAYS[] = {
    {"cc", 1, 1 << 1, BAR, 2 * BAR},
    {"2cc", -1, 1 << 1, BAR, 3 * BAR},
    {"Vc", 1, 1 << 1, BAR, 2 * BAR},
    {"Vc", 0, 1 << 1, BAR, 2 * BAR},
    {"VLc", -1, 1 << 1, BAR, 3 * BAR},
    {"gVc", 0, 3, BAR, 2 * BAR},
    {"vllkkc", 1, 1 << 1, BAR, 0},
    {"c$", 0, 1 << 1, BAR, 2 * BAR},
    {"cG", -1, 1 << 1, BAR, 4 * BAR},
    {"Ir", 1, 1 << 1, BAR, 2 * BAR},
    {"IR", -1, 3, 0, 0},
    {"IR", 0, 1 << 1, 0, 0},
};

TEST(nothing_outside_changes)
{
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++) {
        struct session *s = open_piece(WAYS[i].muted);
        keys(s, WAYS[i].keys);
        word_wait(s, -1, "");
        const struct asked_hole a = asked_hole(s);
        if (!a.is_one || a.tracks != WAYS[i].tracks)
            fail_msg("%s asked for tracks %#lx", WAYS[i].keys, (unsigned long)a.tracks);
        assert_true(WAYS[i].to == 0 || a.hole.to_tick == WAYS[i].to);
        assert_true(WAYS[i].from == 0 || a.hole.from_tick == WAYS[i].from);
        check_invariants(s);
        accept_and_undo(s, &a);
        close_session((void **)&s);
    }
}

/* Where nothing is heard the worst bar cannot be asked for, which is said; what is selected
 * can. */
TEST(muted_music_is_asked_for_by_its_selection)
{
    struct session *s = open_piece(0);
    run(s, CMD_MUTE);
    act_command_line(s, "lead-in 1");
    assert_false(s->has_take);
    assert_non_null(strstr(s->view.message.text, "no audible track has notes"));
    keys(s, "Vc");
    assert_true(s->has_take);
    close_session((void **)&s);
}

GROUP(make_model, remove_own_folder)
