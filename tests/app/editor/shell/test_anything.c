/* Whatever one does with the workstation, in whatever order: no two notes of a pitch
 * overlap on a track, ghosts are in their hole and on tracks there are, every frame can
 * be drawn, and undoing all of it gives back what there was. Commands and lines are
 * drawn at random, the same each time, but not when notes come. CONTINUO_SESSIONS says
 * how many sessions. */
#include "tests/check.h"
#include "model/decoder/sampler.h"
#include "tests/app/invariants.h"
#include "tests/app/driver.h"
#include "tui/cells/theme.h"
#include "tui/terminal/frame.h"
#include "tests/midi/score_equal.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    COLUMNS = 80,
    ROWS = 24,
    ACTIONS = 250,
    SESSIONS = 12,
    BAR = 1920,
    EIGHTH = 240
};

static const enum command_id COMMANDS[] = {
    CMD_LEFT,         CMD_RIGHT,        CMD_UP,
    CMD_BAR_LEFT,     CMD_BAR_RIGHT,    CMD_NOTE_NEXT,
    CMD_LINE_END,     CMD_PIECE_START,  CMD_TRACK_NEXT,
    CMD_TOGGLE_NOTE,  CMD_DELETE,       CMD_YANK,
    CMD_PASTE,        CMD_DUPLICATE,    CMD_SPLIT,
    CMD_NUDGE_RIGHT,  CMD_TRANSPOSE_UP, CMD_LONGER,
    CMD_QUANTISE,     CMD_REPEAT,       CMD_UNDO,
    CMD_UNDO,         CMD_REDO,         CMD_SELECT_BOX,
    CMD_SELECT_BARS,  CMD_SELECT_ALL,   CMD_DRAW,
    CMD_TRACK_ADD,    CMD_MUTE,         CMD_SOLO,
    CMD_CONTINUE,     CMD_CHANGE_BARS,  CMD_CHANGE_LINE_END,
    CMD_CHANGE_BARS,  CMD_AGAIN,        CMD_CHANGE_SELECTION,
    CMD_ACCEPT,       CMD_ACCEPT_PART,  CMD_CHANGE_PIECE_END,
    CMD_REJECT,       CMD_REJECT_ALL,   CMD_STOP,
    CMD_TAKES,        CMD_TAKE,         CMD_TAKE_ORIGINAL,
    CMD_TAKE_NEXT,    CMD_SHADE,        CMD_TAKE_LIKE,
    CMD_TAKE_DISLIKE, CMD_STEER,        CMD_STEER_NEXT,
    CMD_STEER_LESS,   CMD_STEER_MORE,   CMD_STEER_RESET,
    CMD_PLAY,         CMD_ESCAPE,       CMD_HELP,
    CMD_POINT,        CMD_DRAG,         CMD_RELEASE,
    CMD_TRACK_REMOVE, CMD_TRACK_UP,     CMD_TRACK_DOWN,
    CMD_HIDE,         CMD_GHOST_NOTES,  CMD_TRACKS,
};
static const char *const LINES[] = {
    "lead-in 2",        "harmonise 2",    "harmonise",     "insert 3",
    "keep rhythm",      "keep pitches",   "keep nothing",  "stays 0.6",
    "stays 0",          "scale F# minor", "scale any",     "density 2",
    "density any",      "min-notes 3",    "min-notes any", "polyphony 1",
    "polyphony any",    "takes 1",        "takes 8",       "meter 3/4",
    "meter 7/8",        "tempo 90",       "guidance 1",    "guidance 3",
    "temperature 0",    "temperature 1",  "register C5",   "channel 2",
    "instrument cello", "rename Other",
};
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* 0..n - 1; of nothing 0 */
static int below(struct rng *r, int n)
{
    return n > 0 ? (int)(rng_next(r) % (uint64_t)n) : 0;
}

static bool overlap(const struct ghost *a, const struct ghost *b)
{
    return a->track == b->track && a->note.pitch == b->note.pitch &&
           a->note.start < note_end(&b->note) && b->note.start < note_end(&a->note);
}

static void assert_sound(const struct session *s)
{
    check_invariants(s);
    assert_int_equal(count_overlaps(s->project.score), 0);
    for (int take = 0; take < s->takes.n; take++) {
        const struct proposal *t = &s->takes.list[take];
        for (size_t i = 0; i < t->n_waiting; i++)
            for (size_t k = 0; k < i; k++)
                assert_false(overlap(&t->ghosts[i], &t->ghosts[k]));
    }
    assert_true(s->takes.shown < s->takes.n);
    assert_true(s->has_take == (s->takes.n > 0));
}

/* What one does with a ghost: keeps it, draws where it is, accepts what is around. */
static void do_at_ghost(struct session *s, struct rng *r)
{
    const struct ghost *g = &ghosts(s)[below(r, (int)n_ghosts(s))];
    s->cursor.tick = grid_floor(s, g->note.start);
    s->cursor.pitch = g->note.pitch;
    switch (below(r, 3)) {
    case 0:
        run(s, CMD_KEEP);
        return;
    case 1:
        s->track = g->track;
        s->mode = MODE_NORMAL;
        run(s, CMD_TOGGLE_NOTE);
        return;
    default:
        s->mode = MODE_SELECT;
        s->selection.has_box = true;
        s->selection.box =
            (struct box){g->note.start, g->note.start + EIGHTH * (1 + below(r, 12)),
                         below(r, 2) ? 0 : g->note.pitch, 127};
        run(s, CMD_ACCEPT_PART);
    }
}

static void do_anything(struct session *s, struct rng *r)
{
    if (n_ghosts(s) && below(r, 4) == 0)
        do_at_ghost(s, r);
    else if (below(r, 5) == 0)
        act_command_line(s, LINES[below(r, COUNT(LINES))]);
    else
        act_run(s, &(struct command){.id = COMMANDS[below(r, COUNT(COMMANDS))],
                                     .count = below(r, 3) ? 0 : below(r, 5),
                                     .text = '1' + (uint32_t)below(r, 8),
                                     .column = below(r, COLUMNS),
                                     .row = below(r, ROWS),
                                     .button = 1 + below(r, 3)});
}

static void add_music(struct session *s, struct rng *r)
{
    struct change *c = change_create("music");
    assert_non_null(c);
    for (int i = 0; i < 24; i++)
        assert_int_equal(
            change_add_note(c, 0,
                            edit_new_note((int64_t)i * EIGHTH * (1 + below(r, 2)),
                                          EIGHTH, 60 + i, 80)),
            MIDI_OK);
    assert_true(session_do(s, c));
}

static void undo_all(struct session *s)
{
    session_drop_take(s);
    while (history_state(s->project.history) > 0) {
        uint64_t state = history_state(s->project.history);
        run(s, CMD_UNDO);
        assert_true(history_state(s->project.history) < state);
    }
}

static void live(uint64_t seed)
{
    struct rng r;
    struct cells cells;
    struct session *s = headless_open();
    rng_seed(&r, seed);
    assert_non_null(s);
    assert_true(cells_init(&cells, COLUMNS, ROWS));
    struct score *before = score_clone(s->project.score);
    assert_non_null(before);
    add_music(s, &r);
    for (int i = 0; i < ACTIONS; i++) {
        do_anything(s, &r);
        assert_sound(s);
        if (below(&r, 2))
            session_tick(s);
        if (below(&r, 4) == 0)
            wait_for_end(s);
        if (below(&r, 4) == 0)
            paint(s, &cells);
        assert_sound(s);
        if (score_end_tick(s->project.score) > 100 * BAR)
            break; /* it only gets slower */
    }
    undo_all(s);
    assert_true(score_equal(s->project.score, before));
    score_destroy(before);
    cells_fini(&cells);
    close_session((void **)&s);
}

TEST(anything_may_be_done)
{
    const char *wanted = getenv("CONTINUO_SESSIONS");
    int n = wanted ? (int)strtol(wanted, NULL, 10) : SESSIONS;
    for (int i = 0; i < n; i++)
        live(1000 + (uint64_t)i);
}

GROUP(make_model, remove_own_folder)
