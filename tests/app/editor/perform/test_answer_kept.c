/* What is kept of playing together: pedals with the take that they were played in, and all
 * of it beside the music. */
#include "app/editor/takes/takes.h"
#include "tests/check.h"
#include "tests/app/editor/perform/answering.h"
#include "tests/app/kept.h"

/* How often a controller has that value. */
static int n_controls(const struct score *s, int number, int value)
{
    int n = 0;
    const struct track *t = &s->tracks[s->n_tracks - 1];
    const struct chunk *c = &s->chunks[t->chunk];
    for (size_t i = 0; i < c->n_events; i++)
        n += c->events[i].n_data == 3 && c->events[i].data[0] == (0xb0 | t->channel) &&
             c->events[i].data[1] == number && c->events[i].data[2] == value;
    return n;
}

/* Of the first pedal, down and up, and of the second: "1 1, 1 1". */
static const char *pedals_of(const struct score *s)
{
    static char text[32];
    snprintf(text, sizeof text, "%d %d, %d %d", n_controls(s, 64, 127),
             n_controls(s, 64, 0), n_controls(s, 66, 127), n_controls(s, 66, 0));
    return text;
}

NUMBER_FACT(events, s->takes.list[0].n_gestures)
TEXT_FACT(pedals, pedals_of(s->project.score))

/* The second is down where all ends, and goes up there. */
DOES(
    play_with_pedals,
    play(s,
         "‹begin 1›‹control 64 127›‹touch 60 30›‹control 64 0›‹pass 20›‹control 66 127›"
         "‹touch 64 30›&",
         "ghosts 2", NULL))

WORD(hear)
{
    struct score *heard = session_heard(s);
    assert_int_equal(n_controls(heard, 64, 127), 1);
    score_destroy(heard);
}

SCRIPT(pedals_wait_with_the_take, two_play) = {
    {"‹play_with_pedals›", "pedals 0 0, 0 0"},
    {"‹hear›a", "pedals 1 1, 1 1"},
    {"u", "pedals 0 0, 0 0; n 0"},
};

/* A part of the take has those of its time, and the rest does not bring them again. */
TEST_WITH(a_part_has_its_own_pedals, two_play)
{
    keys(s, "‹play_with_pedals›");
    /* The third event is the second pedal, down a moment before its note. */
    s->selection.box = (struct box){0, s->takes.list[0].gestures[2].tick, 0, 127};
    s->view.mode = MODE_SELECT;
    s->selection.has_box = true;
    play(s, "a", "n 1; pedals 1 1, 0 0", NULL);
    run(s, CMD_ACCEPT);
    play(s, "", "n 2; pedals 1 1, 1 1", NULL);
}

TEXT_FACT(figures, view_of(s)->takes.label)
NUMBER_FACT(drawn, view_of(s)->takes.rows[0].is_drawn)

/* Nothing of it was drawn: the model had no part in it. */
SCRIPT(what_was_played_alone_has_no_figures, two_play) = {
    {"‹play_with_pedals›", "figures take 1  seed 0  2 notes; no drawn"},
};

SCRIPT(what_is_rejected_leaves_no_pedal, two_play) = {
    {"‹play_with_pedals›x", "no take; events 0"},
    {"‹begin 1›‹touch 60 20›&a", "pedals 0 0, 0 0"},
};

static const char *last_label(const struct session *s)
{
    const struct history *h = s->project.history;
    return history_at(h, history_state(h))->change->label;
}

TEXT_FACT(label, last_label(s))

/* Saved with the music, and opened again: what a part of it had already does not come
 * twice, and what is down where all ended goes up there. */
SCRIPT(pedals_come_back_with_the_take, two_play) = {
    {"‹play_with_pedals›‹file w a.mid›‹open a.mid›", "ghosts 2"},
    {"‹hear›Ta", "pedals 1 1, 1 1; label ~play together"},
};

/* What a program that is killed now leaves of b.mid. */
WORD(killed)
{
    settle(s);
    copy_piece("left.mid", "b.mid");
    struct session *other = session_with(last_options);
    open_kept(other, "left.mid");
    check_facts(other, arguments);
    kept_close(other);
}

NUMBER_FACT(ends_with, s->takes.list[0].played_to == note_end(&ghost_of(s, of)->note))

/* What was down then goes up after the last that was played. */
SCRIPT(what_was_played_outlives_a_kill, two_play) = {
    {"‹file w b.mid›‹begin 1›‹touch 60 30›‹asked 1›‹answer 1b 1q 72›‹pass 900›"
     "‹killed ghosts 2; ghost60; ghost72›"},
    {"&X‹begin 4›‹control 64 127›‹touch 60 20›‹touch 61 20›‹pass 900›"
     "‹killed ghosts 2; events 1; ends_with61›",
     "listens"},
};

GROUP(make_own_folder, remove_own_folder)
