/* Playing together, without a screen, with a machine that the test writes for: whose turn
 * it is, what the machine is given to hear, that the transport waits for it, and what is
 * left in the end. The transport runs on the system's clock. */
#include "tests/check.h"
#include "tests/app/editor/perform/answering.h"

enum { QUARTER = 480, BAR = 4 * QUARTER };

/* -- turns -- */

SCRIPT(a_phrase_is_answered_and_both_wait, two_play) = {
    {"‹begin 1›‹touch 60 30›‹asked 1›", /* in time */
     "begin_asked 1b; end_asked 2b; heard_notes 1; tick 0..1919"},
    {"‹answer 1b 1q 72›‹answer 1b1q 1q 74›‹done›‹pass 20›", "writes"},
    {"‹play_to 3850›", "listens; turn_to 3b; n 0"},
    {"&", "mode TAKES; ghosts 3; no plays"},
    {"a", "n 3; no take"},
    {"u", "n 0"},
};

SCRIPT(a_turn_in_which_nothing_is_played_is_followed_by_another, two_play) = {
    {"‹begin 1›‹play_to 1b240›", "started 0; turn_to 2b"},
    {"&", "mode NORMAL; no take"},
};

NUMBER_FACT(begin_in_step, s->parts.answer->begin % (QUARTER / 24) == 0)
NUMBER_FACT(begin_in_beat, s->parts.answer->begin % QUARTER == 0)
NUMBER_FACT(begin_after, s->parts.answer->begin - s->parts.answer->phrase_to)
NUMBER_FACT(bars, s->parts.answer->bars)
NUMBER_FACT(end_in_bar, fake.wanted.end_tick % BAR == 0)

/* A key goes up, and the machine is asked in that very look. */
SCRIPT(a_free_turn_without_a_pause_ends_with_the_last_key, two_play) = {
    {":answer free once pause 0\r‹pass 30›‹strike 60›‹pass 40›‹strike 64›‹pass 20›"
     "‹let_go 60›‹pass 20›",
     "started 0"}, /* one is held */
    {"‹let_go 64›‹asked 1›",
     "begin_in_step; begin_after 1..479; bars 1; heard_notes 2; end_in_bar"},
};

SCRIPT(a_pause_ends_a_free_turn_on_the_beat, two_play) = {
    {":answer free beat pause 2\r‹pass 20›‹touch 60 50›", "started 0"},
    {"‹asked 1›", "begin_in_beat; begin_after 960..1919"},
};

/* -- taking over -- */

static int noted;

/* A number to compare with later: "‹note_cancelled›" and so on. */
DOES(note_cancelled, noted = fake.n_cancelled)
DOES(note_phrase, noted = (int)s->parts.answer->phrase_from)
DOES(note_read, noted = fake.n_read)
DOES(note_lead, noted = (int)(1000 * s->parts.answer->lead_ms))
NUMBER_FACT(cancelled_since, fake.n_cancelled - noted)
NUMBER_FACT(read_since, fake.n_read - noted)
NUMBER_FACT(phrase_as_noted, s->parts.answer->phrase_from == noted)
NUMBER_FACT(lead_as_noted, (int)(1000 * s->parts.answer->lead_ms) == noted)
NUMBER_FACT(turn_in_bar, s->parts.answer->turn_to % BAR)
NUMBER_FACT(ghost_length, ghost_of(s, of)->note.length)
NUMBER_FACT(joined, ghost_of(s, 62)->note.start == note_end(&ghost_of(s, 72)->note))

SCRIPT(a_key_ends_the_answer, two_play) = {
    {"‹begin 1›‹touch 60 30›‹asked 1›‹answer 1b 1b 72›‹answer 1b2q 1q 74›‹play_to "
     "1b240›"
     "‹note_cancelled›‹strike 62›‹pass 20›",
     "listens; ghost72; no ghost74; cancelled_since 1; ghost_length72 1..959"},
    {"‹let_go 62›‹pass 12›", "ghost62; joined; turn_in_bar 0"},
};

/* Struck before the answer has begun, it goes on with the phrase. */
SCRIPT(a_free_phrase_may_go_on, two_play) = {
    {":answer free bar pause 0\r‹pass 20›‹touch 60 20›‹asked 1›‹note_phrase›‹strike 62›"
     "‹pass 10›",
     "listens; phrase_as_noted"},
    {"‹let_go 62›‹asked 2›", "heard_notes 2"},
};

/* -- a slow machine -- */

SCRIPT(the_transport_waits_for_the_machine, two_play) = {
    {"‹begin 2›‹touch 60 30›‹asked 1›‹pass 400›",
     "held; tick 2b"},                                  /* before the first note, */
    {"‹answer 2b 1q 72›‹pass 300›", "held; tick 2b1q"}, /* before the second beat, */
    {"‹answer 3b3q 1q 74›‹pass 600›",
     "held; tick 3b"}, /* before a bar that is not all there, */
    {"‹done›‹pass 100›", "no held; tick 6001..99999"}, /* and then no more */
};

TEST_WITH(a_quick_one_is_never_waited_for, two_play)
{
    keys(s, "‹begin 1›‹touch 60 30›‹asked 1›‹answer 1b 1q 72›‹done›");
    while (player_tick(s->player) < 2 * BAR) {
        pass_ms(s, 1);
        assert_false(player_is_held(s->player));
    }
}

/* -- what the machine hears -- */

/* As long as a key is held nothing after it is known; and nothing is given again. */
SCRIPT(what_is_known_is_given_to_be_read, two_play) = {
    {"‹begin 4›‹touch 60 20›‹pass 20›", "read_notes 1"},
    {"‹strike 64›‹pass 30›‹touch 67 20›‹pass 20›", "read_notes 1"},
    {"‹note_read›‹let_go 64›‹pass 30›", "read_notes 3"},
    {"‹pass 50›", "read_since 1; started 0"},
};

SCRIPT(it_answers_on_another_track, two_play) = {
    {":track Flute\r‹track 0›:answer 1 beat on 2\r‹pass 20›‹touch 60 30›‹asked 1›",
     "tracks_asked 2"},
    {"‹answer 1b 1q 72›‹pass 10›", "ghost_track60 0; ghost_track72 1"},
};

NUMBER_FACT(heard, s->parts.answer->is_heard)
NUMBER_FACT(scheduled, s->parts.answer->n_scheduled)

/* Muted meanwhile, what comes is not handed to the player; heard again, the rest is. */
SCRIPT(a_muted_answer_is_not_heard, two_play) = {
    {"‹begin 1›‹touch 60 30›‹asked 1›‹answer 1b 1q 72›‹answer 1b3q 1q 74›‹pass 10›",
     "heard"},
    {"M‹pass 10›", "no heard"},
    {"‹play_to 1b240›M‹tick›", "heard; scheduled 2; ghost74"},
};

/* How long the first note took is known, though it goes to the player twice. */
SCRIPT(a_mute_makes_no_answer_slow, two_play) = {
    {"‹begin 1›‹touch 60 30›‹asked 1›‹answer 1b3q 1q 72›‹pass 10›‹note_lead›M‹pass 60›",
     "scheduled 1"},
    {"M‹tick›", "scheduled 1; lead_as_noted"},
};

/* -- endings -- */

DOES(loop, session_set_loop(s, 0, read_ticks(&arguments)))

DOES(click_ruler, point(s, K_PRESS, s->layout.ruler.column + 4, s->layout.ruler.row))

/* Its turns are where it plays. */
SCRIPT(a_loop_waits_and_a_click_on_the_ruler_ends_it, two_play) = {
    {"‹begin 1›‹loop 1q›‹pass 150›", "tick 481..9999"},
    {"&‹loop 0›‹begin 1›‹touch 60 10›‹click_ruler›", "off; ghosts 1"},
};

SCRIPT(keys_for_takes_end_it, two_play) = {
    {"‹begin 1›‹touch 60 30›‹strike 62›‹pass 20›T", /* which is held */
     "off; mode TAKES; ghosts 2"},
    {"x", "no take; n 0"},
};

SCRIPT(space_ends_it, two_play) = {
    {"‹begin 1›‹pass 10› ", "off"},
    {"gg ‹pass 150›", "no held; tick 481..9999"}, /* nothing is waited for any more */
};

/* What was played cannot be asked for again: its track stays, by whatever way. */
SCRIPT(its_track_is_not_undone_away, two_play) = {
    {"‹begin 1›‹touch 60 10›", "state 2; tracks 2"},
    {"2u‹pass 10›", "off; mode TAKES; error; ghosts 1; state 2"}, /* tempo and track */
    {"‹line earlier 9›", "", "!"},
    {"UG", "ghosts 1; state 2"},
    {"‹line undo›", "ghosts 1; state 1"}, /* which leaves the track */
    {"\033Txu", "tracks 1"},
};

SCRIPT(undo_ends_one_in_which_nothing_was_played, two_play) = {
    {"‹begin 1›", "tracks 2"},
    {"2u", "off; no take; tracks 1"},
};

NUMBER_FACT(wanted_bars, s->parts.answer->options.bars)
NUMBER_FACT(on_the_bar, s->parts.answer->options.when == ANSWER_BAR)

SCRIPT(lines_say_what_is_wrong, two_play) = {
    {"‹refused answer sometimes|answer on 9|answer pause›", "off"},
    {":answer 3 bar\r", "listens; wanted_bars 3; on_the_bar"},
    {":answer off\r", "off"},
};
