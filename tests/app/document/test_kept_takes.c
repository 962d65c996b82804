/* Takes that wait, saved and opened again: they are what they were and replace what they
 * would have replaced, as far as the music is what it was. And leaving a piece whose music
 * is saved: what was set and what waits is kept beside it, and no file is made for nothing. */
#include "tests/check.h"
#include "tests/app/kept.h"
#include "tests/app/waiting_takes.h"
#include "app/editor/inspect/inspect.h"
#include "tests/midi/score_equal.h"

NUMBER_FACT(shown, s->takes.shown)
NUMBER_FACT(runs, s->request.is_running)

/* Saved beside the music, and opened again without what was not saved. */
WORD(save)
{
    save_as(s, arguments);
}

WORD(again)
{
    s->quit = false;
    open_again(s, arguments);
}

WORD(rewrite)
{
    struct score *other = score_create(96);
    assert_int_equal(score_add_track(other, "Piano", 0, 0), 0);
    rewrite(arguments, other);
}

/* The music with nothing beside it, as if by another program, just opened. */
WORD(untouched)
{
    rewrite(arguments, score_clone(s->project.score));
    open_again(s, arguments);
}

static void wish(struct session *s)
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

/* The phrase that returns in them, and where, for r and the inspector. */
TEST_WITH(a_motif_comes_back, open_session)
{
    keys(s, "gggg0V");
    act_command_line(s, "motif transposed");
    keys(s, "4C");
    wait_for_end(s);
    assert_int_equal(s->takes.n, 4);
    const struct continuation_motif asked = s->request.asked.options.motif;
    struct motif_place at[4];
    for (int i = 0; i < 4; i++) {
        at[i] = s->takes.list[i].stats.motif;
        assert_int_equal(at[i].kind, MOTIF_TRANSPOSED);
    }
    save_as(s, "motif.mid");
    open_again(s, "motif.mid");
    const struct continuation_motif *m = &s->request.asked.options.motif;
    assert_true(m->kind == asked.kind && m->tracks == asked.tracks);
    assert_true(m->from_tick == asked.from_tick && m->to_tick == asked.to_tick);
    assert_true(m->pitch_lo == asked.pitch_lo && m->pitch_hi == asked.pitch_hi);
    assert_int_equal(s->takes.n, 4);
    for (int i = 0; i < 4; i++) {
        assert_memory_equal(&s->takes.list[i].stats.motif, &at[i], sizeof at[i]);
        assert_int_equal(s->takes.list[i].options.motif.kind, MOTIF_TRANSPOSED);
    }
}

TEST_WITH(the_chords_of_a_take_come_back, open_session)
{
    ask(s);
    struct continuation_stats *one = &s->takes.list[0].stats;
    one->n_chords = 2;
    one->chords[0] = (struct planned_chord){0, 10, CHORD_MAJOR7, 2, true};
    one->chords[1] = (struct planned_chord){96, CHORD_NO_ROOT, 0, CHORD_NO_ROOT, false};
    s->takes.list[1].stats.n_chords = 0;
    const struct continuation_stats was = *one;
    save_as(s, "chords.mid");
    open_again(s, "chords.mid");
    one = &s->takes.list[0].stats;
    assert_int_equal(one->n_chords, 2);
    assert_int_equal(s->takes.list[1].stats.n_chords, 0);
    for (int i = 0; i < 2; i++) {
        const struct planned_chord *a = &one->chords[i], *b = &was.chords[i];
        assert_true(a->tick == b->tick && a->root == b->root && a->flats == b->flats &&
                    a->quality == b->quality && a->bass == b->bass);
    }
}

TEST_WITH(all_of_every_take_comes_back, open_session)
{
    wish(s);
    ask(s);
    show(s, 2);
    run(s, CMD_TAKE_LIKE);
    uint64_t kept = ghosts(s)[1].note.id;
    proposals_keep(&s->takes, kept, true);
    run(s, CMD_AGAIN); /* around what is kept, which four more have */
    wait_for_end(s);
    show(s, 3);
    run(s, CMD_TAKE_DISLIKE);
    run(s, CMD_REJECT);
    show(s, 2);
    struct before b = look(s);
    size_t n_there = s->request.rewritten.n_there;
    struct generation asked = s->request.asked;
    asked.options.n_takes = 1; /* told anew by each request */
    int64_t from = s->request.from, to = s->request.to;
    assert_true(b.takes.n == 7 && n_there > 0 && n_there < 8);
    save_as(s, "all.mid");
    assert_said(s, "and its store with the waiting takes");
    session_open(s, in_folder("elsewhere.mid"));
    assert_false(s->has_take);
    open_again(s, "all.mid");
    assert_true(s->has_take && !s->message.is_error);
    assert_string_equal(s->message.text, "16 notes, and 7 takes wait: T shows them");
    assert_same_takes(&b.takes, &s->takes);
    assert_ids(s);
    assert_int_equal(s->request.rewritten.n_there, n_there);
    assert_int_equal(s->request.asked.bars, asked.bars);
    assert_same_options(&s->request.asked.options, &asked.options);
    assert_true(s->request.from == from && s->request.to == to);
    kept = s->takes.list[1].ghosts[1].note.id; /* the same in all that have it */
    proposals_keep(&s->takes, kept, false);
    for (int i = 0; i < s->takes.n; i++)
        assert_int_equal(proposals_n_kept(&s->takes.list[i]), 0);
    forget(&b);
}

/* Such as a take that went on from another choice, without a head. */
TEST_WITH(what_it_began_with_and_went_without_comes_back, open_session)
{
    int32_t given[] = {TOKEN_POS + 12};
    ask(s);
    s->muted.heads[s->muted.n++] = (struct attention_head){.layer = 1, .head = 0};
    s->request.asked.options.given = given;
    s->request.asked.options.n_given = 1;
    run(s, CMD_AGAIN);
    s->request.asked.options.given = NULL;
    s->request.asked.options.n_given = 0;
    given[0] = TOKEN_PAD; /* it has its own */
    const struct proposal *t = &s->takes.list[s->takes.n - 1];
    assert_true(t->n_given == 1 && t->given[0] == TOKEN_POS + 12 && t->n_muted == 1);
    wait_for_end(s);
    struct before b = look(s);
    save_and_open(s, "choices.mid");
    assert_same_takes(&b.takes, &s->takes);
    t = &s->takes.list[b.takes.n - 1];
    assert_true(t->muted[0].layer == 1 && t->muted[0].head == 0);
    run(s, CMD_REJECT);
    forget(&b);
}

TEST_WITH(a_reopened_take_does_what_it_would_have_done, open_session)
{
    ask(s);
    show(s, 3);
    save_as(s, "accept.mid");
    run(s, CMD_ACCEPT);
    auto_score *wanted = score_clone(s->project.score);
    open_again(s, "accept.mid");
    auto_score *heard = session_heard(s);
    run(s, CMD_TAKES);
    assert_int_equal(s->mode, MODE_TAKES);
    run(s, CMD_ACCEPT);
    assert_false(s->has_take);
    assert_true(score_equal(wanted, s->project.score));
    assert_true(score_equal(wanted, heard));
    run(s, CMD_UNDO);
    assert_int_equal(score_n_notes(s->project.score), 4 * BARS);
}

TEST_WITH(more_can_be_made_of_it, open_session)
{
    s->steering.n_draws = 4; /* all are shown */
    keys(s, "‹ask›‹save more.mid›");
    uint64_t last = 0; /* takes stand by rank */
    for (int i = 0; i < 4; i++)
        if (s->takes.list[i].options.sampling.seed > last)
            last = s->takes.list[i].options.sampling.seed;
    keys(s, "r‹made›");
    struct before b = look(s);
    play(s, "‹again more.mid›r‹made›", "takes 8", NULL);
    assert_int_equal(s->takes.list[4].letter, 'E');
    for (int i = 4; i < 8; i++) {
        const uint64_t seed = s->takes.list[i].options.sampling.seed;
        assert_true(seed > last && seed <= last + 4);
        assert_same_ghosts(&b.takes.list[i], &s->takes.list[i]);
    }
    forget(&b);
}

TEST_WITH(a_continuation_comes_back, open_session)
{
    keys(s, "2C‹made›0"); /* the original is shown */
    struct before b = look(s);
    int64_t music_end = s->request.music_end;
    keys(s, "‹save end.mid›");
    s->request.music_end = s->request.n_once = 0;
    play(s, "‹again end.mid›", "shown -1; from 4b", NULL);
    assert_same_takes(&b.takes, &s->takes);
    assert_int_equal(s->request.to, 6 * BAR);
    assert_true(s->request.music_end == music_end && !s->request.rewritten.asked);
    forget(&b);
}

/* What was accepted of a take is a note like others, and a ghost again when it goes. */
TEST_WITH(what_stands_is_known_again, open_session)
{
    ask(s);
    s->selection.box = (struct box){BAR, 2 * BAR, 0, 127};
    s->selection.has_box = true;
    s->mode = MODE_SELECT;
    while (s->takes.shown < 3 && ghosts(s)[0].note.start >= 2 * BAR)
        show(s, s->takes.shown + 2);
    run(s, CMD_ACCEPT_PART);
    const struct proposal *t = proposals_shown(&s->takes);
    assert_true(s->has_take && t->n_waiting < t->n_ghosts);
    struct before b = look(s);
    size_t n_there = s->request.rewritten.n_there;
    save_and_open(s, "part.mid");
    assert_ids(s);
    assert_int_equal(s->request.rewritten.n_there, n_there);
    t = proposals_shown(&s->takes);
    assert_same_ghosts(&b.takes.list[b.takes.shown], t);
    size_t n_waiting = t->n_waiting;
    struct change *c = change_create("take one out");
    const struct note *one =
        score_find_note(s->project.score, 0, t->ghosts[t->n_ghosts - 1].note.id);
    assert_non_null(one);
    assert_ok(change_remove_note(c, 0, one));
    assert_true(session_do(s, c));
    assert_int_equal(t->n_waiting, n_waiting + 1);
    forget(&b);
}

SCRIPT(one_that_has_no_notes_yet_is_not_kept, open_session) = {
    {"‹at 1b›2cc", "take; runs"}, /* and what came was not looked at */
    {"‹save soon.mid›‹again soon.mid›", "no take"},
};

TEST_WITH(a_number_of_takes_is_asked_again, open_session)
{
    play(s, "‹at 1b›V2c‹made›", "takes 2", NULL);
    keys(s, "‹save two.mid›");
    s->request.n_once = 0;
    play(s, "‹again two.mid›r‹made›", "takes 4", NULL);
}

SCRIPT(rejected_takes_are_saved_as_none, open_session) = {
    {"‹ask›‹save none.mid›X‹save none.mid›‹again none.mid›", "no take"},
};

/* -- another program's music -- */

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
    rewrite("less.mid", other);
    open_again(s, "less.mid");
    check_facts(s, "takes 4; gone 6");
}

TEST_WITH(other_ticks_fit_no_take, open_session)
{
    keys(s, "‹ask›‹save ticks.mid›");
    struct score *mine = score_clone(s->project.score);
    play(s, "‹rewrite ticks.mid›‹again ticks.mid›", "no take; error",
         "opened, but the music has changed: the waiting takes no longer fit");
    play(s, ":q\r", "quit", NULL); /* which leaves them where they are */
    rewrite("ticks.mid", mine);
    play(s, "‹again ticks.mid›", "takes 4", NULL);
}

/* Whatever is set and saved meanwhile, they come back with their music; and once. */
TEST_WITH(what_fits_no_more_is_not_lost, open_session)
{
    keys(s, "‹ask›2");
    struct before b = look(s);
    keys(s, "‹save lost.mid›");
    struct score *mine = score_clone(s->project.score);
    play(s, "‹rewrite lost.mid›‹again lost.mid›", "no take; error", NULL);
    keys(s, ":density 2\r:w\r");
    play(s, "‹again lost.mid›", "no take; no error", NULL); /* said once */
    keys(s, ":density 1\r:w\r");
    rewrite("lost.mid", mine);
    play(s, "‹again lost.mid›", "takes 4", NULL);
    for (int i = 0; i < 4; i++)
        assert_same_ghosts(&b.takes.list[i], &s->takes.list[i]);
    assert_ids(s);
    play(s, "TX:w\r‹again lost.mid›", "no take", NULL);
    forget(&b);
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
    save_and_open(s, "voices.mid");
    assert_int_equal(s->takes.n, n);
    struct score *mine = score_clone(s->project.score);
    struct score *other = score_create(480);
    assert_int_equal(score_add_track(other, "Piano", 0, 0), 0);
    assert_int_equal(score_add_track(other, "Voice", 1, 0), 1);
    rewrite("voices.mid", other);
    open_again(s, "voices.mid");
    assert_true(s->message.is_error);
    assert_said(s, "the music has changed");
    assert_int_equal(s->takes.n, n_there);
    if (s->has_take)
        run(s, CMD_REJECT_ALL);
    act_command_line(s, "w"); /* those that are left out are not rejected */
    rewrite("voices.mid", mine);
    open_again(s, "voices.mid");
    assert_int_equal(s->takes.n, n - n_there);
}

/* A track is found where its notes come from, whatever its number is by now. */
TEST_WITH(a_track_that_has_moved, open_session)
{
    act_command_line(s, "track Bass");
    s->track = 0;
    ask(s);
    size_t n = s->takes.list[0].n_waiting;
    save_as(s, "moved.mid");
    struct score *other = score_create(480);
    assert_int_equal(score_add_track(other, "Bass", 1, 0), 0);
    assert_int_equal(score_add_track(other, "Piano", 0, 0), 1);
    for (size_t i = 0; i < s->project.score->tracks[0].n_notes; i++) {
        struct note note = s->project.score->tracks[0].notes[i];
        note.id = 0;
        assert_true(score_add_note(other, 1, note) != 0);
    }
    rewrite("moved.mid", other);
    session_open(s, in_folder("elsewhere.mid"));
    spoil("moved.mid.continuo", /* as if they had been so before */
          "UPDATE track SET chunk = 3 - chunk");
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
    {"‹ask›‹save gone.mid›‹remove gone.mid›‹again gone.mid›", "no take"},
    /* a new piece, and the old one's takes are not lost */
    {"‹save gone.mid›‹there gone.mid.continuo.1›"},
};

/* -- leaving -- */

NUMBER_FACT(seed, s->steering.seed)

SCRIPT(leaving_untouched_music_makes_no_file, open_session) = {
    {"‹untouched calm.mid›:q\r", "quit"},
    {"‹ask›X:q\r", "quit"},
    {"‹file e other.mid›‹not_there calm.mid.continuo›"},
};

SCRIPT(leaving_keeps_what_was_set, open_session) = {
    {"‹untouched set.mid›:density 2\r:q\r", "quit"},
    {"‹file e other.mid›‹again set.mid›", "density 2"},
    {":seed 77\r:e nothing.mid\r‹again set.mid›", "seed 77"}, /* leaves it, too */
    {":seed 78\r:q!\r‹again set.mid›", "seed 77"},
};

TEST_WITH(leaving_keeps_takes_that_wait, open_session)
{
    keys(s, "‹untouched wait.mid›:takes 4\r‹ask›");
    struct before b = look(s);
    play(s, ":q\r", "quit", NULL);
    keys(s, "‹again wait.mid›");
    assert_same_takes(&b.takes, &s->takes);
    play(s, ":q\r", "quit", NULL);
    s->quit = false;
    play(s, "TX:q\r", "quit", NULL);
    play(s, "‹again wait.mid›", "no take", NULL);
    forget(&b);
}

TEST_WITH(what_cannot_be_kept_is_said, open_session)
{
    assert_ok(mkdir(in_folder("no.mid.continuo"), 0700));
    setenv("XDG_STATE_HOME", "/dev/null/x", 1); /* nor elsewhere */
    play(s, "‹untouched no.mid›:density 2\r:q\r", "no quit", "!:q! quits without");
    play(s, ":q!\r", "quit", NULL);
    setenv("XDG_STATE_HOME", folder, 1);
}

GROUP(make_model, remove_own_folder)
