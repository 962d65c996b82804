/* What is beside the music outlives the program, whatever ends it: takes that wait, with
 * their notes, and what was set, also of music that was never saved; and what was not
 * meant to be kept is not.
 */
#include "app/editor/takes/takes.h"
#include "app/editor/session/edit.h"
#include "tests/check.h"
#include "tests/app/kept.h"
#include "tests/app/waiting_takes.h"

#include "app/editor/keep/keep.h"
#include "app/editor/inspect/inspect.h"
#include "tests/midi/score_equal.h"
#include "tests/midi/score_of.h"

static int kept_with_model(void **state)
{
    *state = session_with(
        (struct session_options){.model = model, .seed = 5, .journals = true});
    return 0;
}

DOES(music, assert_true(add_music(s)))

/* Four bars in a file, with nothing beside it. */
WORD(piece)
{
    word_leave(s, -1, "");
    assert_true(add_music(s));
    save_score(arguments, score_clone(s->project.score));
    keys(s, ":q!\r‹leave›");
}

/* As long as it takes until all is written that is to be. */
WORD(rest)
{
    session_tick(s);
    WAIT_FOR(s, session_autosave_timeout_ms(s) < 0);
    settle(s);
}

/* Four takes of at least one note, */
WORD(ask_four)
{
    keys(s, ":style any\r:takes 4\r");
    ask(s);
}

/* also of no music at all. */
WORD(continue)
{
    keys(s, ":style any\r:takes 4\r");
    for (int tries = 0; tries < 20 && !all_have_notes(s); tries++) {
        run(s, CMD_CONTINUE);
        wait_for_end(s);
    }
    assert_true(all_have_notes(s));
}

/* What is on the disk now, and nothing else, is what a program that is killed leaves: that piece, or
 * music without a name, as it opens then. */
WORD(kill)
{
    word_sh(s, -1, "rm -rf left && mkdir left && cp -a *.mid* continuo left");
    word_leave(s, -1, "");
    word_sh(s, -1, "rm -rf *.mid* continuo && cp -a left/* .");
    open_kept(s, arguments);
    session_tick(s);
}

DOES(ids, assert_ids(s))

DOES(flush, session_autosave_flush(s))

/* Pieces without a name that have been written in the state folder. */
static int count_unnamed(void)
{
    return system(formatted("exit $(find %s -name 'unnamed-*o' -size +0 | wc -l)",
                            in_folder("continuo"))) >>
           8;
}

NUMBER_FACT(unnamed, count_unnamed())

/* -- tests -- */

SCRIPT(takes_outlive_a_kill, kept_with_model) = {
    {"‹piece a.mid›‹open a.mid›:density 2\r‹rest›‹kill a.mid›", "density 2; clean"},
    {"‹draw 1›‹ask_four›‹rest›‹look›‹kill a.mid›‹as_looked›",
     "takes 4; n 17; says ~1 unsaved edit is restored", "~4 takes wait: T"},
    {"‹ids›TX‹rest›‹kill a.mid›",
     "no take; no error"}, /* rejected, they do not come back */
    {"‹ask_four›a‹rest›‹kill a.mid›",
     "no take; unsaved 2"}, /* accepted, they are notes */
    {":q!\r"},
};

SCRIPT(takes_of_music_without_a_name_do, kept_with_model) = {
    {"‹open unnamed›‹music›‹ask_four›‹rest›‹look›‹kill unnamed›‹as_looked›",
     "takes 4; unnamed 1"},
    {":q\r", "no quit"},
    {"‹file w named.mid›‹sh test -e named.mid.continuo›", "unnamed 0"},
    {"‹open named.mid›‹as_looked›"},
};

SCRIPT(takes_of_no_music_at_all_do, kept_with_model) = {
    {"‹open unnamed›‹continue›‹rest›‹look›‹kill unnamed›‹as_looked›", "takes 4"},
    {":q\r", "no quit", "~:q! quits without"},
    {":e other.mid\r", "", "~opens without"},
    {":q!\r", "quit"},
    {"‹leave›", "unnamed 0"},
    {"‹open unnamed›", "no take"},
};

SCRIPT(takes_of_a_file_to_be_do, kept_with_model) = {
    {"‹open to-be.mid›‹continue›‹rest›‹look›‹kill to-be.mid›‹as_looked›‹sh test -e "
     "to-be.mid.continuo›",
     "takes 4"},
    {":q\r", "no quit"},
    {":q!\r‹leave›‹sh test ! -e to-be.mid.continuo && test ! -e to-be.mid›"},
};

SCRIPT(ended_from_outside_they_wait_too, kept_with_model) = {
    {"‹open unnamed›‹continue›‹look›‹flush›‹open unnamed›‹as_looked›", "takes 4"},
    {":q!\r"},
};

/* Takes as they are put beside, and then the time in which they wait is elsewhere. */
SCRIPT(what_does_not_fit_is_left_out, kept_with_model) = {
    {"‹piece moved.mid›‹open moved.mid›‹at 0›:insert 1\r‹music›‹ask_four›‹rest›\033uu",
     "no take"},
    {"‹settle›‹kill moved.mid›", "clean; no take", "~no longer fit"},
};

SCRIPT(leaving_without_gives_back_what_was_saved, kept_with_model) = {
    {"‹piece without.mid›‹open without.mid›:density 3\r:w\r‹ask_four›"},
    {":density 1\r‹rest›:q!\r", "quit"},
    {"‹open without.mid›", "density 3; no take"},
};

/* No key waits for it, and no quiet is waited for. */
TEST_WITH(settings_are_written_while_they_change, kept_with_model)
{
    keys(s, "‹piece restless.mid›‹open restless.mid›");
    for (int i = 0; i < 200; i++) {
        act_command_line(s, formatted("temperature %g", 0.5 + i / 1000.0));
        session_tick(s);
        nap();
    }
    settle(s);
    assert_in_range(writer_status(s->project.autosave.writer).n_jobs, 3, 100);
}

SCRIPT(looking_makes_no_file, kept_with_model) = {
    {"‹piece looked.mid›‹open looked.mid›l‹rest›:q\r", "quit"},
    {"‹leave›‹sh test ! -e looked.mid.continuo›"},
    {"‹open unnamed›:density 2\r‹rest›‹leave›", "unnamed 0"}, /* of no music */
};

NUMBER_FACT(shown, s->takes.shown)
NUMBER_FACT(runs, s->request.is_running)

/* Saved beside the music, and opened again without what was not saved. */
DOES(save, save_as(s, arguments))

WORD(again)
{
    s->quit = false;
    open_again(s, arguments);
}

DOES(rewrite, save_score(arguments, score_of("96 | Piano:")))

/* The music with nothing beside it, as if by another program, just opened. */
WORD(untouched)
{
    save_score(arguments, score_clone(s->project.score));
    open_again(s, arguments);
}

/* Whatever can be wished. */
WORD(wish)
{
    static const char *const LINES[] = {
        "temperature 1.1", "top-p 0.97",  "min-p 0.01",
        "scale F# minor",  "density 2",   "voices 2",
        "note-length 0.5", "register C4", "guidance 1.5",
        "polyphony 3",     "stays 0.35",  "keep rhythm",
        "min-notes 2",     "style folk",  "seed 9223372036854775810",
        "close on",
    };
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++)
        act_command_line(s, LINES[i]);
}

/* The second note of the take that is shown is kept in all that come, or no longer. */
DOES(keep_one, proposals_keep(&s->takes, ghosts(s)[1].note.id, true))

WORD(let_go)
{
    proposals_keep(&s->takes, s->takes.list[1].ghosts[1].note.id, false);
    for (int i = 0; i < s->takes.n; i++)
        assert_int_equal(proposals_n_kept(&s->takes.list[i]), 0);
}

NUMBER_FACT(transposed, s->takes.list[of].stats.motif.kind == MOTIF_TRANSPOSED)

/* Around what is kept, which four more have. */
SCRIPT(all_of_every_take_comes_back, open_session) = {
    {"‹wish›‹ask›2+‹keep_one›r‹made›3-x2", "takes 7; gone 1..7"},
    {"‹look›‹save all.mid›", "", "~and its store with the waiting takes"},
    {"‹file e elsewhere.mid›", "no take"},
    {"‹again all.mid›‹as_looked›", "take", "16 notes, and 7 takes wait: T shows them"},
    {"r‹made›‹look›‹again all.mid›r‹made›‹as_looked›",
     "takes 11"}, /* as if it had stayed */
    {"‹let_go›"},
};

/* The phrase that returns in them, and where, for r and the inspector. */
SCRIPT(a_motif_comes_back, open_session) = {
    {"gggg0V‹line motif transposed›4C‹made›", "takes 4; transposed0; transposed3"},
    {"‹look›‹save motif.mid›‹again motif.mid›‹as_looked›"},
};

WORD(plan)
{
    struct continuation_stats *one = &s->takes.list[0].stats;
    one->n_chords = 2;
    one->chords[0] = (struct planned_chord){0, 10, CHORD_MAJOR7, 2, true};
    one->chords[1] = (struct planned_chord){96, CHORD_NO_ROOT, 0, CHORD_NO_ROOT, false};
    s->takes.list[1].stats.n_chords = 0;
}

SCRIPT(the_chords_of_a_take_come_back, open_session) = {
    {"‹ask›‹plan›‹look›‹save chords.mid›‹again chords.mid›‹as_looked›"},
};

/* The last take is from another choice, without a head; it has its tokens. */
static void assert_choice(const struct session *s)
{
    const struct proposal *t = &s->takes.list[s->takes.n - 1];
    assert_true(t->n_tokens > 1 && t->tokens[0] == TOKEN_POS + 12 && t->n_muted == 1 &&
                t->muted[0].layer == 1);
}

WORD(choose_and_mute)
{
    int32_t given[] = {TOKEN_POS + 12};
    s->muted.heads = 1 << 2; /* layer 2, head 1 */
    s->muted.n_heads = 2;
    s->request.asked.options.given = given;
    s->request.asked.options.n_given = 1;
    run(s, CMD_AGAIN);
    s->request.asked.options.given = NULL;
    s->request.asked.options.n_given = 0;
    given[0] = TOKEN_PAD; /* it has its own */
    wait_for_end(s);
    assert_choice(s);
}

DOES(chosen, assert_choice(s))

SCRIPT(what_it_began_with_and_went_without_comes_back, open_session) = {
    {"‹ask›‹choose_and_mute›‹look›‹save choices.mid›‹again "
     "choices.mid›‹as_looked›‹chosen›"},
};

TEST_WITH(a_reopened_take_does_what_it_would_have_done, open_session)
{
    keys(s, "‹ask›3‹save accept.mid›a");
    auto_score *wanted = score_clone(s->project.score);
    keys(s, "‹again accept.mid›");
    auto_score *heard = session_heard(s);
    play(s, "T", "mode TAKES", NULL);
    play(s, "a", "no take", NULL);
    assert_true(score_equal(wanted, s->project.score) && score_equal(wanted, heard));
    play(s, "u", "n 16", NULL);
}

TEST_WITH(more_can_be_made_of_it, open_session)
{
    uint64_t last = 0;       /* takes stand by rank */
    s->steering.n_draws = 4; /* all are shown */
    keys(s, "‹ask›‹save more.mid›");
    for (int i = 0; i < 4; i++)
        if (s->takes.list[i].options.sampling.seed > last)
            last = s->takes.list[i].options.sampling.seed;
    play(s, "r‹made›‹look›‹again more.mid›r‹made›‹as_looked›", "takes 8", NULL);
    assert_int_equal(s->takes.list[4].letter, 'E');
    for (int i = 4; i < 8; i++) {
        const uint64_t seed = s->takes.list[i].options.sampling.seed;
        assert_true(seed > last && seed <= last + 4);
    }
}

DOES(forget_end, s->request.music_end = s->request.n_once = 0)

NUMBER_FACT(end_as_it_was, s->request.music_end == looked.music_end)

/* The original is shown. */
SCRIPT(a_continuation_comes_back, open_session) = {
    {"2C‹made›0‹look›‹save end.mid›‹forget_end›"},
    {"‹again end.mid›‹as_looked›", "shown -1; from 4b; to 6b; end_as_it_was; gone 0"},
};

/* What was accepted of a take is a note like others, and a ghost again when it goes. */
TEST_WITH(what_stands_is_known_again, open_session)
{
    ask(s);
    s->selection.box = (struct box){BAR, 2 * BAR, 0, 127};
    s->selection.has_box = true;
    s->view.mode = MODE_SELECT;
    while (s->takes.shown < 3 && ghosts(s)[0].note.start >= 2 * BAR)
        show(s, s->takes.shown + 2);
    run(s, CMD_ACCEPT_PART);
    assert_true(s->has_take && n_ghosts(s) < proposals_shown(&s->takes)->n_ghosts);
    keys(s, "‹look›‹save part.mid›‹again part.mid›‹as_looked›");
    const struct proposal *t = proposals_shown(&s->takes);
    const size_t n_waiting = t->n_waiting;
    auto_change *c = change_create("take one out");
    const struct note *one =
        score_find_note(s->project.score, 0, t->ghosts[t->n_ghosts - 1].note.id);
    assert_non_null(one);
    assert_ok(change_remove_note(c, 0, one));
    struct change *taken = c;
    c = NULL;
    assert_true(edit_do(s, taken));
    assert_int_equal(t->n_waiting, n_waiting + 1);
}

SCRIPT(one_that_has_no_notes_yet_is_not_kept, open_session) = {
    {"‹at 1b›2cc", "take; runs"}, /* and what came was not looked at */
    {"‹save soon.mid›‹again soon.mid›", "no take"},
};

SCRIPT(a_number_of_takes_is_asked_again, open_session) = {
    {"‹at 1b›V2c‹made›", "takes 2"},
    {"‹save two.mid›‹forget_end›‹again two.mid›r‹made›", "takes 4"},
};

/* -- another program's music -- */

/* Whatever is set and saved meanwhile, they come back with their music; and once. */
SCRIPT(what_fits_no_more_is_not_lost, open_session) = {
    {"‹ask›0‹look›‹save lost.mid›‹sh cp lost.mid mine›‹rewrite lost.mid›‹again "
     "lost.mid›",
     "no take; error", "opened, but the music has changed: 4 of 4 takes no longer fit"},
    {":density 2\r:w\r‹again lost.mid›", "no take; no error"}, /* said once */
    {":density 1\r:w\r‹sh cp mine lost.mid›‹again lost.mid›‹as_looked›", "takes 4"},
    {"TX:w\r‹again lost.mid›", "no take"},
    {"‹at 1b›V1c‹made›‹save one.mid›‹rewrite one.mid›‹again one.mid›", "no take; error",
     "~1 of 1 takes no longer fits"},
};

TEST_WITH(what_is_gone_is_not_replaced, open_session)
{
    ask(s);
    assert_int_equal(s->request.rewritten.n_there, 8);
    save_as(s, "less.mid");
    struct score *other = score_clone(s->project.score);
    assert_true(score_remove_note(other, 0, other->tracks[0].notes[5].id));
    struct note longer = other->tracks[0].notes[6];
    assert_true(score_remove_note(other, 0, longer.id));
    longer.length--;
    assert_true(score_add_note(other, 0, longer) != 0);
    save_score("less.mid", other);
    open_again(s, "less.mid");
    check_facts(s, "takes 4; gone 6");
}

/* Two voices are added for the takes. When one has no track any more, takes with notes
 * there are left out; when all is well, each voice is found by where it was. */
TEST_WITH(a_track_that_is_gone, open_session)
{
    act_command_line(s, "harmonise 2");
    wait_for_end(s);
    assert_int_equal(s->project.score->n_tracks, 3);
    int n_there = 0, n = s->takes.n;
    for (int i = 0; i < n; i++) {
        bool fits = true;
        for (size_t k = 0; k < s->takes.list[i].n_ghosts; k++)
            fits &= s->takes.list[i].ghosts[k].track != 2;
        n_there += fits;
    }
    keys(s, "‹save voices.mid›‹again voices.mid›");
    assert_int_equal(s->takes.n, n);
    struct score *mine = score_clone(s->project.score);
    save_score("voices.mid", score_of("480 | Piano: | Voice:"));
    open_again(s, "voices.mid");
    assert_true(s->view.message.is_error);
    assert_said(s, "the music has changed");
    assert_int_equal(s->takes.n, n_there);
    if (s->has_take)
        run(s, CMD_REJECT_ALL);
    act_command_line(s, "w"); /* those that are left out are not rejected */
    save_score("voices.mid", mine);
    open_again(s, "voices.mid");
    assert_int_equal(s->takes.n, n - n_there);
}

/* A track is found where its notes come from, whatever its number is by now. */
TEST_WITH(a_track_that_has_moved, open_session)
{
    act_command_line(s, "track Bass");
    s->view.track = 0;
    ask(s);
    size_t n = s->takes.list[0].n_waiting;
    save_as(s, "moved.mid");
    struct score *other = score_of("480 | Bass ch1: | Piano ch0:");
    for (size_t i = 0; i < s->project.score->tracks[0].n_notes; i++) {
        struct note note = s->project.score->tracks[0].notes[i];
        note.id = 0;
        assert_true(score_add_note(other, 1, note) != 0);
    }
    save_score("moved.mid", other);
    session_open(s, in_folder("elsewhere.mid"));
    spoil("moved.mid.continuo", /* as if they had been so before */
          "UPDATE session SET data = json_set(data, '$.track_places', json_array("
          "json_array(3 - (data ->> '$.track_places[0][0]'), 0), "
          "json_array(3 - (data ->> '$.track_places[1][0]'), 1))) "
          "WHERE part = 'request'");
    open_again(s, "moved.mid");
    assert_int_equal(s->takes.n, 4);
    assert_int_equal(s->takes.list[0].n_waiting, n);
    assert_int_equal(s->takes.list[0].ghosts[0].track, 1);
    assert_int_equal(s->request.rewritten.n_there, 8);
    assert_true(s->request.asked.options.tracks == 2 &&
                s->takes.list[0].options.tracks == 2);
}

/* Takes of a file that is no longer there wait for nothing. */
SCRIPT(a_file_that_is_gone, open_session) = {
    {"‹ask›‹save gone.mid›‹sh rm -f gone.mid›‹again gone.mid›", "no take"},
    /* a new piece, and the old one's takes are not lost */
    {"‹save gone.mid›‹sh test -e gone.mid.continuo.1›"},
};

/* -- leaving -- */

SCRIPT(leaving_keeps_what_was_set, open_session) = {
    {"‹untouched set.mid›:density 2\r:q\r", "quit"},
    {"‹file e other.mid›‹again set.mid›", "density 2"},
    {":seed 77\r:e nothing.mid\r‹again set.mid›", "seed 77"}, /* leaves it, too */
    {":seed 78\r:q!\r‹again set.mid›", "seed 77"},
};

SCRIPT(leaving_keeps_takes_that_wait, open_session) = {
    {"‹untouched wait.mid›:takes 4\r‹ask›‹look›:q\r", "quit"},
    {"‹again wait.mid›‹as_looked›:q\r", "quit"},
    {"‹again wait.mid›TX:q\r", "quit"},
    {"‹again wait.mid›", "no take"},
};

TEST_WITH(what_cannot_be_kept_is_said, open_session)
{
    assert_ok(mkdir(in_folder("no.mid.continuo"), 0700));
    setenv("XDG_STATE_HOME", "/dev/null/x", 1); /* nor elsewhere */
    play(s, "‹untouched no.mid›:density 2\r:q\r", "no quit", "!:q! quits without");
    play(s, ":q!\r", "quit", NULL);
    setenv("XDG_STATE_HOME", folder, 1);
}

GROUP(make_model, remove_own_folder)
