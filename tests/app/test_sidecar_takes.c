/* Takes that wait, saved and opened again: they are what they were, replace what they
 * would have replaced, and harm nothing when the music or the file is another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/sidecar.h"
#include "app/takes_pack.h"
#include "midi/smf.h"
#include "tests/app/headless.h"

#include <sys/stat.h>

enum { BAR = 1920, BEAT = 480, BARS = 4 };

static const char *in_folder(const char *name)
{
    static char paths[4][700];
    static int turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static bool exists(const char *name)
{
    struct stat st;
    return lstat(in_folder(name), &st) == 0;
}

static void put(const char *name, const char *bytes, size_t n)
{
    FILE *f = fopen(in_folder(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static char *get(const char *name, size_t *n)
{
    FILE *f = fopen(in_folder(name), "rb");
    if (!f)
        fail_msg("%s is missing", name);
    char *bytes = calloc(1, 1 << 18);
    assert_non_null(bytes);
    *n = fread(bytes, 1, (1 << 18) - 1, f);
    fclose(f);
    return bytes;
}

/* Four bars of quarters on one track. */
static bool add_music(struct session *s)
{
    struct change *c = change_create("music");
    bool ok = c != NULL;
    for (int i = 0; ok && i < 4 * BARS; i++) {
        struct note n = {.start = (int64_t)i * BEAT,
                         .length = BEAT,
                         .pitch = (uint8_t)(60 + i % 4),
                         .velocity = 80,
                         .on_order = ORDER_LAST};
        ok = change_add_note(c, 0, n) == MIDI_OK;
    }
    return ok && session_do(s, c);
}

static int open_session(void **state)
{
    struct session *s = headless_open();
    *state = s;
    if (!s || !add_music(s))
        return -1;
    act_command_line(s, "takes 4");
    return 0;
}

static bool all_have_notes(const struct session *s)
{
    bool all = s->takes.n == 4;
    for (int i = 0; i < s->takes.n; i++)
        all &= s->takes.list[i].n_waiting > 1;
    return all;
}

/* Bars 2 and 3 are asked for, until every take has notes. */
static void ask(struct session *s)
{
    for (int tries = 0; tries < 20; tries++) {
        s->cursor_tick = BAR;
        run_times(s, CMD_CHANGE_BARS, 2);
        wait_for_end(s);
        if (all_have_notes(s))
            return;
        session_drop_take(s);
    }
    fail_msg("no luck with the dice");
}

static void show(struct session *s, int digit)
{
    act_run(s, &(struct command){.id = digit ? CMD_TAKE : CMD_TAKE_ORIGINAL,
                                 .text = (uint32_t)('0' + digit)});
}

static void save_as(struct session *s, const char *name)
{
    assert_true(act_save_as(s, in_folder(name), true));
    assert_false(s->message_is_error);
}

static void open_again(struct session *s, const char *name)
{
    session_open(s, in_folder(name));
    assert_int_equal(s->mode, MODE_NORMAL);
}

/* A copy of the takes, and of the score, to look at afterwards. */
struct before {
    struct proposals takes;
    struct score *score;
};

static struct before look(const struct session *s)
{
    struct before b = {.takes = s->takes, .score = score_clone(s->project.score)};
    for (int i = 0; i < b.takes.n; i++) {
        struct proposal *p = &b.takes.list[i];
        struct ghost *own = calloc(p->n_ghosts + 1, sizeof *own);
        assert_non_null(own);
        if (p->n_ghosts)
            memcpy(own, p->ghosts, p->n_ghosts * sizeof *own);
        p->ghosts = own;
    }
    return b;
}

static void forget(struct before *b)
{
    proposals_clear(&b->takes);
    score_destroy(b->score);
}

static void assert_same_options(const struct continuation_options *a,
                                const struct continuation_options *b)
{
    assert_memory_equal(&a->sampling, &b->sampling, sizeof a->sampling);
    assert_true(
        a->hole.from_tick == b->hole.from_tick && a->hole.to_tick == b->hole.to_tick &&
        a->hole.pitch_lo == b->hole.pitch_lo && a->hole.pitch_hi == b->hole.pitch_hi &&
        a->hole.min_notes == b->hole.min_notes);
    assert_true(a->hole.density == b->hole.density &&
                a->hole.polyphony == b->hole.polyphony &&
                a->hole.length == b->hole.length && a->hole.height == b->hole.height);
    assert_true(a->bars == b->bars && a->style == b->style && a->tracks == b->tracks &&
                a->max_polyphony == b->max_polyphony && a->n_takes == b->n_takes &&
                a->guidance == b->guidance && a->scale == b->scale);
    assert_true(a->keep == b->keep && a->stays == b->stays &&
                a->stays_seed == b->stays_seed);
}

static void assert_same_stats(const struct continuation_stats *a,
                              const struct continuation_stats *b)
{
    assert_true(a->from_tick == b->from_tick && a->to_tick == b->to_tick &&
                a->at_tick == b->at_tick && a->n_tokens == b->n_tokens &&
                a->log_prob == b->log_prob && a->own_log_prob == b->own_log_prob &&
                a->masked == b->masked && a->is_done == b->is_done);
}

static void assert_same_ghosts(const struct proposal *a, const struct proposal *b)
{
    assert_int_equal(a->n_ghosts, b->n_ghosts);
    assert_int_equal(a->n_waiting, b->n_waiting);
    for (size_t i = 0; i < a->n_ghosts; i++) {
        struct ghost x = a->ghosts[i], y = b->ghosts[i];
        x.note.id = y.note.id = 0;
        assert_memory_equal(&x.note, &y.note, sizeof x.note);
        assert_true(x.track == y.track && x.probability == y.probability &&
                    x.is_kept == y.is_kept && x.stands == y.stands);
    }
}

static void assert_same_takes(const struct proposals *a, const struct proposals *b)
{
    assert_true(a->n == b->n && a->n_letters == b->n_letters && a->shown == b->shown);
    for (int i = 0; i < a->n; i++) {
        const struct proposal *x = &a->list[i], *y = &b->list[i];
        assert_true(x->letter == y->letter && x->liking == y->liking &&
                    x->rank == y->rank && x->n_came == y->n_came &&
                    x->style == y->style && x->model_hash == y->model_hash);
        assert_string_equal(x->model_name, y->model_name);
        assert_same_options(&x->options, &y->options);
        assert_same_stats(&x->stats, &y->stats);
        assert_same_ghosts(x, y);
        assert_int_equal(y->slot, -1);
    }
}

/* Ghosts that wait have ids of the score that no note of it has, nor will have. */
static void assert_ids(const struct session *s)
{
    for (int i = 0; i < s->takes.n; i++)
        for (size_t k = 0; k < s->takes.list[i].n_ghosts; k++) {
            const struct ghost *g = &s->takes.list[i].ghosts[k];
            const struct note *found =
                score_find_note(s->project.score, g->track, g->note.id);
            assert_true(g->note.id > 0 && g->note.id < s->project.score->next_id);
            assert_true((found != NULL) == g->stands);
        }
}

static void wish(struct session *s)
{
    static const char *const LINES[] = {
        "temperature 1.1", "top-p 0.97",  "min-p 0.01",
        "scale F# minor",  "density 2",   "voices 2",
        "note-length 0.5", "register C4", "guidance 1.5",
        "polyphony 3",     "stays 0.35",  "keep rhythm",
        "min-notes 2",     "style folk",  "seed 9223372036854775810",
    };
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++)
        act_command_line(s, LINES[i]);
}

static void all_of_every_take_comes_back(void **state)
{
    struct session *s = *state;
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
    size_t n_there = s->rewritten.n_there;
    struct generation asked = s->asked;
    asked.options.n_takes = 1; /* told anew by each request */
    int64_t from = s->hole_from, to = s->hole_to;
    assert_true(b.takes.n == 7 && n_there > 0 && n_there < 8);
    save_as(s, "all.mid");
    assert_non_null(strstr(s->message, "and beside it the takes that wait"));
    session_open(s, in_folder("elsewhere.mid"));
    assert_false(s->has_take);
    open_again(s, "all.mid");
    assert_true(s->has_take && !s->message_is_error);
    assert_same_takes(&b.takes, &s->takes);
    assert_ids(s);
    assert_int_equal(s->rewritten.n_there, n_there);
    assert_int_equal(s->asked.bars, asked.bars);
    assert_same_options(&s->asked.options, &asked.options);
    assert_true(s->hole_from == from && s->hole_to == to);
    kept = s->takes.list[1].ghosts[1].note.id; /* the same in all that have it */
    proposals_keep(&s->takes, kept, false);
    for (int i = 0; i < s->takes.n; i++)
        assert_int_equal(proposals_n_kept(&s->takes.list[i]), 0);
    forget(&b);
}

static void a_reopened_take_does_what_it_would_have_done(void **state)
{
    struct session *s = *state;
    ask(s);
    show(s, 3);
    save_as(s, "accept.mid");
    run(s, CMD_ACCEPT);
    struct score *wanted = score_clone(s->project.score);
    open_again(s, "accept.mid");
    struct score *heard = session_heard(s);
    run(s, CMD_TAKES);
    assert_int_equal(s->mode, MODE_TAKES);
    run(s, CMD_ACCEPT);
    assert_false(s->has_take);
    assert_true(score_equal(wanted, s->project.score));
    assert_true(score_equal(wanted, heard));
    run(s, CMD_UNDO);
    assert_int_equal(score_n_notes(s->project.score), 4 * BARS);
    score_destroy(wanted);
    score_destroy(heard);
}

static void more_can_be_made_of_it(void **state)
{
    struct session *s = *state;
    ask(s);
    save_as(s, "more.mid");
    uint64_t last = s->takes.list[3].options.sampling.seed;
    run(s, CMD_AGAIN);
    wait_for_end(s);
    struct before b = look(s);
    open_again(s, "more.mid");
    run(s, CMD_AGAIN);
    wait_for_end(s);
    assert_int_equal(s->takes.n, 8);
    assert_int_equal(s->takes.list[4].letter, 'E');
    assert_true(s->takes.list[4].options.sampling.seed == last + 1);
    for (int i = 4; i < 8; i++)
        assert_same_ghosts(&b.takes.list[i], &s->takes.list[i]);
    forget(&b);
}

static void a_continuation_comes_back(void **state)
{
    struct session *s = *state;
    run_times(s, CMD_CONTINUE, 2);
    wait_for_end(s);
    show(s, 0); /* the original is shown */
    struct before b = look(s);
    int64_t music_end = s->music_end;
    save_as(s, "end.mid");
    s->music_end = s->takes_once = 0;
    open_again(s, "end.mid");
    assert_same_takes(&b.takes, &s->takes);
    assert_int_equal(s->takes.shown, -1);
    assert_true(s->hole_from == 4 * BAR && s->hole_to == 6 * BAR);
    assert_true(s->music_end == music_end && !s->rewritten.asked);
    forget(&b);
}

/* What was accepted of a take is a note like others, and a ghost again when it goes. */
static void what_stands_is_known_again(void **state)
{
    struct session *s = *state;
    ask(s);
    s->box = (struct box){BAR, 2 * BAR, 0, 127};
    s->has_box = true;
    s->mode = MODE_SELECT;
    while (s->takes.shown < 3 && ghosts(s)[0].note.start >= 2 * BAR)
        show(s, s->takes.shown + 2);
    run(s, CMD_ACCEPT_PART);
    const struct proposal *t = proposals_shown(&s->takes);
    assert_true(s->has_take && t->n_waiting < t->n_ghosts);
    struct before b = look(s);
    size_t n_there = s->rewritten.n_there;
    save_as(s, "part.mid");
    open_again(s, "part.mid");
    assert_ids(s);
    assert_int_equal(s->rewritten.n_there, n_there);
    t = proposals_shown(&s->takes);
    assert_same_ghosts(&b.takes.list[b.takes.shown], t);
    size_t n_waiting = t->n_waiting;
    struct change *c = change_create("take one out");
    const struct note *one =
        score_find_note(s->project.score, 0, t->ghosts[t->n_ghosts - 1].note.id);
    assert_non_null(one);
    assert_int_equal(change_remove_note(c, 0, one), MIDI_OK);
    assert_true(session_do(s, c));
    assert_int_equal(t->n_waiting, n_waiting + 1);
    forget(&b);
}

static void one_that_has_no_notes_yet_is_not_kept(void **state)
{
    struct session *s = *state;
    s->cursor_tick = BAR;
    run_times(s, CMD_CHANGE_BARS, 2);
    assert_true(s->has_take && s->was_running); /* and what came was not looked at */
    save_as(s, "soon.mid");
    open_again(s, "soon.mid");
    assert_false(s->has_take);
}

static void a_number_of_takes_is_asked_again(void **state)
{
    struct session *s = *state;
    s->box = (struct box){BAR, 2 * BAR, 0, 127};
    s->has_box = true;
    s->mode = MODE_SELECT;
    run_times(s, CMD_CHANGE_SELECTION, 2);
    wait_for_end(s);
    assert_int_equal(s->takes.n, 2);
    save_as(s, "two.mid");
    s->takes_once = 0;
    open_again(s, "two.mid");
    run(s, CMD_AGAIN);
    wait_for_end(s);
    assert_int_equal(s->takes.n, 4);
}

static void without_takes_there_is_no_section(void **state)
{
    struct session *s = *state;
    size_t n;
    ask(s);
    save_as(s, "none.mid");
    char *with = get("none.mid.continuo", &n);
    run(s, CMD_REJECT_ALL);
    save_as(s, "none.mid");
    char *without = get("none.mid.continuo", &n);
    assert_non_null(strstr(with, "\"takes\":"));
    assert_null(strstr(without, "\"takes\":\t{"));
    open_again(s, "none.mid");
    assert_false(s->has_take);
    free(with);
    free(without);
}

/* -- another program's music -- */

static void rewrite(const char *name, struct score *s)
{
    assert_int_equal(smf_save(s, in_folder(name)), MIDI_OK);
    score_destroy(s);
}

static void what_is_gone_is_not_replaced(void **state)
{
    struct session *s = *state;
    ask(s);
    assert_int_equal(s->rewritten.n_there, 8);
    save_as(s, "less.mid");
    struct score *other = score_clone(s->project.score);
    assert_true(score_remove_note(other, 0, other->tracks[0].notes[5].id));
    struct note longer = other->tracks[0].notes[6];
    assert_true(score_remove_note(other, 0, longer.id));
    longer.length--;
    assert_true(score_add_note(other, 0, longer) != 0);
    rewrite("less.mid", other);
    open_again(s, "less.mid");
    assert_int_equal(s->takes.n, 4);
    assert_int_equal(s->rewritten.n_there, 6);
}

static void other_ticks_fit_no_take(void **state)
{
    struct session *s = *state;
    size_t n, m;
    ask(s);
    save_as(s, "ticks.mid");
    char *was = get("ticks.mid.continuo", &n);
    struct score *other = score_create(96);
    assert_int_equal(score_add_track(other, "Piano", 0, 0), 0);
    rewrite("ticks.mid", other);
    open_again(s, "ticks.mid");
    assert_false(s->has_take);
    assert_true(s->message_is_error);
    assert_string_equal(s->message, "opened, but the music was changed since: the "
                                    "takes that waited no longer fit");
    act_command_line(s, "q"); /* which leaves them where they are */
    char *is = get("ticks.mid.continuo", &m);
    assert_true(s->quit && n == m);
    assert_memory_equal(was, is, n);
    free(is);
    save_as(s, "ticks.mid"); /* and this puts them aside */
    is = get("ticks.mid.continuo.bad", &m);
    assert_int_equal(n, m);
    assert_memory_equal(was, is, n);
    free(was);
    free(is);
}

/* Two voices are added for the takes. When one has no track any more, takes with notes
 * there are left out; when all is well, each voice is found by where it was. */
static void a_track_that_is_gone(void **state)
{
    struct session *s = *state;
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
    save_as(s, "voices.mid");
    open_again(s, "voices.mid");
    assert_int_equal(s->takes.n, n);
    struct score *other = score_create(480);
    assert_int_equal(score_add_track(other, "Piano", 0, 0), 0);
    assert_int_equal(score_add_track(other, "Voice", 1, 0), 1);
    rewrite("voices.mid", other);
    open_again(s, "voices.mid");
    assert_true(s->message_is_error);
    assert_non_null(strstr(s->message, "the music was changed since"));
    assert_int_equal(s->takes.n, n_there);
}

/* A track is found where its notes come from, whatever its number is by now. */
static void a_track_that_has_moved(void **state)
{
    struct session *s = *state;
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
    size_t n_text;
    char *text = get("moved.mid.continuo", &n_text);
    char *at = strstr(text, "[[1, 0], [2, 1]]"); /* as if they had been so before */
    assert_non_null(at);
    memcpy(at, "[[2, 0], [1, 1]]", 16);
    put("moved.mid.continuo", text, n_text);
    free(text);
    open_again(s, "moved.mid");
    assert_int_equal(s->takes.n, 4);
    assert_int_equal(s->takes.list[0].n_waiting, n);
    assert_int_equal(s->takes.list[0].ghosts[0].track, 1);
    assert_int_equal(s->rewritten.n_there, 8);
    assert_true(s->asked.options.tracks == 2 && s->takes.list[0].options.tracks == 2);
}

/* Takes of a file that is no longer there wait for nothing. */
static void a_file_that_is_gone(void **state)
{
    struct session *s = *state;
    ask(s);
    save_as(s, "gone.mid");
    assert_int_equal(unlink(in_folder("gone.mid")), 0);
    open_again(s, "gone.mid");
    assert_false(s->has_take);
    assert_true(exists("gone.mid.continuo"));
}

/* -- hostile files -- */

#define TAKES                                                                          \
    "{\"continuo\": 1, \"steering\": {\"density\": 2}, \"takes\": {"                   \
    "\"ticks-per-quarter\": 480, \"letters\": 2, \"bars\": 2, \"shown\": \"B\","       \
    "\"from\": 1920, \"to\": 5760, \"tracks\": [[1, 0]],"                              \
    "\"settings\": {\"from\": 1920, \"to\": 5760, \"tracks\": \"1\"},"                 \
    "\"replaced\": [[0, 1920, 480, 60]], \"standing\": [[0, 0, 480, 60, 1]],"          \
    "\"ghosts\": [[0, 1920, 120, 64, 90, 0.5, false], [0, 2040, 120, 65, 90, 1, "      \
    "true]],"                                                                          \
    "\"takes\": [{\"letter\": \"A\", \"ghosts\": [1]},"                                \
    "{\"letter\": \"B\", \"model\": \"\\u001b[2J\", \"ghosts\": [2, 1]}]}}"

/* The first `what` becomes `instead`. */
static void put_changed(const char *name, const char *what, const char *instead)
{
    char text[2000];
    const char *at = strstr(TAKES, what);
    if (!at)
        fail_msg("there is no %s", what);
    int n = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - TAKES), TAKES, instead,
                     at + strlen(what));
    put(name, text, (size_t)n);
}

static void a_file_by_hand_is_read(void **state)
{
    struct session *s = *state;
    save_as(s, "hand.mid");
    put("hand.mid.continuo", TAKES, strlen(TAKES));
    open_again(s, "hand.mid");
    assert_false(s->message_is_error);
    assert_int_equal(s->takes.n, 2);
    assert_int_equal(s->takes.shown, 1);
    assert_int_equal(s->rewritten.n_there, 1);
    assert_int_equal(s->takes.list[0].n_waiting, 0);
    assert_int_equal(s->takes.list[1].n_waiting, 1);
    assert_null(strchr(s->takes.list[1].model_name, '\33'));
    assert_ids(s);
}

static void what_cannot_be_right_is_refused_whole(void **state)
{
    static const char *const CHANGES[][3] = {
        {"\"letters\": 2", "\"letters\": 27", "letters"},
        {"\"letters\": 2", "\"letters\": 1", "letters"},
        {"\"letters\": 2", "\"letters\": \"2\"", "letters"},
        {"\"letter\": \"B\"", "\"letter\": \"A\"", "letter"},
        {"\"letter\": \"B\"", "\"letter\": \"b\"", "letter"},
        {"\"letter\": \"B\"", "\"letter\": 66", "letter"},
        {"\"letter\": \"B\"", "\"letter\": \"BC\"", "letter"},
        {"\"bars\": 2", "\"bars\": 0", "bars"},
        {"\"bars\": 2", "\"bars\": 1.5", "bars"},
        {"\"shown\": \"B\"", "\"shown\": \"C\"", "shown"},
        {"\"shown\": \"B\"", "\"shown\": {}", "shown"},
        {"\"from\": 1920", "\"from\": -1", "from"},
        {"\"from\": 1920", "\"from\": 5761", "from"},
        {"\"to\": 5760", "\"to\": 1e300", "to"},
        {"\"to\": 5760", "\"to\": \"1152921504606846977\"", "to"},
        {"{\"from\": 1920", "{\"from\": 5760", "from"},
        {"\"tracks\": \"1\"", "\"tracks\": 1", "tracks"},
        {"\"tracks\": \"1\"", "\"lowest\": 128", "lowest"},
        {"\"tracks\": \"1\"", "\"lowest\": 60, \"highest\": 59", "lowest"},
        {"\"tracks\": \"1\"", "\"density-level\": 12", "density-level"},
        {"\"tracks\": \"1\"", "\"keep\": 3", "keep"},
        {"\"tracks\": \"1\"", "\"temperature\": -1e999", "temperature"},
        {"\"tracks\": \"1\"", "\"seed\": \"18446744073709551616\"", "seed"},
        {"[[1, 0]]", "[[1, 16]]", "tracks"},
        {"[[1, 0]]", "[[1]]", "tracks"},
        {"[[1, 0]]", "[]", "ghosts"},
        {"[[1, 0]]", "{}", "tracks"},
        {"[0, 1920, 480, 60]", "[1, 1920, 480, 60]", "replaced"},
        {"[0, 1920, 480, 60]", "[0, 1920, -480, 60]", "replaced"},
        {"[0, 1920, 480, 60]", "7", "replaced"},
        {"[0, 0, 480, 60, 1]", "[0, 0, 480, 60, 3]", "standing"},
        {"[0, 0, 480, 60, 1]", "[0, 0, 480, 60]", "standing"},
        {"[0, 1920, 120, 64, 90,", "[0, 1920, 0, 64, 90,", "ghosts"},
        {"[0, 1920, 120, 64, 90,", "[0, 1920, 120, 128, 90,", "ghosts"},
        {"[0, 1920, 120, 64, 90,", "[0, 1920, 120, 64, 0,", "ghosts"},
        {"[0, 1920, 120, 64, 90,", "[-1, 1920, 120, 64, 90,", "ghosts"},
        {"[0, 1920, 120, 64, 90,", "[0, \"x\", 120, 64, 90,", "ghosts"},
        {"0.5, false", "0.5, 0", "ghosts"},
        {"0.5, false", "2, false", "ghosts"},
        {"0.5, false", "0.5", "ghosts"},
        {"\"ghosts\": [1]", "\"ghosts\": [0]", "ghosts"},
        {"\"ghosts\": [1]", "\"ghosts\": [3]", "ghosts"},
        {"\"ghosts\": [1]", "\"ghosts\": [1, 1]", "ghosts"},
        {"\"ghosts\": [1]", "\"ghosts\": \"1\"", "ghosts"},
        {"\"model\": \"\\u001b[2J\"", "\"model\": []", "model"},
        {"\"model\": \"\\u001b[2J\"", "\"settings\": []", "settings"},
        {"\"model\": \"\\u001b[2J\"", "\"liking\": 2", "liking"},
        {"\"model\": \"\\u001b[2J\"", "\"done\": 1", "done"},
        {"\"model\": \"\\u001b[2J\"", "\"tokens\": 1e10", "tokens"},
        {"\"model\": \"\\u001b[2J\"", "\"log-prob\": -1e999", "log-prob"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CHANGES / sizeof CHANGES[0]; i++) {
        struct sidecar side;
        char why[SIDECAR_WHY_BYTES] = "", wanted[SIDECAR_WHY_BYTES];
        put_changed("bad.mid.continuo", CHANGES[i][0], CHANGES[i][1]);
        enum sidecar_status st = sidecar_load(&side, in_folder("bad.mid"), why);
        snprintf(wanted, sizeof wanted, "of its takes, %s cannot be right",
                 CHANGES[i][2]);
        if (st != SIDECAR_FAILED || strcmp(why, wanted))
            fail_msg("%s: %s", CHANGES[i][1], why);
        assert_true(!side.takes.takes.n && side.steering.density == 0);
        sidecar_fini(&side);
    }
}

/* One more than there are letters. */
static void too_many_takes_are_refused(void **state)
{
    (void)state;
    char list[4000] = "\"takes\": [", why[SIDECAR_WHY_BYTES];
    for (int i = 0; i <= PROPOSALS_MAX; i++)
        sprintf(list + strlen(list), "{\"letter\": \"%c\"},", 'A' + i);
    put_changed("many.mid.continuo", "\"takes\": [", list);
    struct sidecar side;
    assert_int_equal(sidecar_load(&side, in_folder("many.mid"), why), SIDECAR_FAILED);
}

static void a_refused_file_is_said_and_kept(void **state)
{
    struct session *s = *state;
    save_as(s, "hurt.mid");
    put_changed("hurt.mid.continuo", "[0, 0, 480, 60, 1]", "[]");
    open_again(s, "hurt.mid");
    assert_false(s->has_take);
    assert_string_equal(s->message, "opened, but not what is in hurt.mid.continuo: of "
                                    "its takes, standing cannot be right");
    assert_int_equal(score_n_notes(s->project.score), 4 * BARS);
    act_command_line(s, "density 4");
    save_as(s, "hurt.mid");
    assert_true(exists("hurt.mid.continuo.bad"));
}

static uint32_t noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* What a workstation does with what it was able to read. */
static void use(struct session *s, struct sidecar *side)
{
    int n_left_out;
    assert_true(takes_unpack(s, &side->takes, &n_left_out));
    if (!s->has_take)
        return;
    assert_ids(s);
    struct score *heard = session_heard(s);
    score_destroy(heard);
    struct view v;
    session_view(s, &v, 0);
    run(s, CMD_TAKE_NEXT);
    run(s, CMD_ACCEPT);
    run(s, CMD_UNDO);
    session_drop_take(s);
}

/* Bytes changed, cut out or doubled: it is read, or refused as a whole. */
static void mutations_do_no_harm(void **state)
{
    struct session *s = *state;
    char why[SIDECAR_WHY_BYTES];
    uint32_t seed = 7;
    size_t n, n_read = 0;
    ask(s);
    save_as(s, "m.mid");
    session_drop_take(s);
    char *good = get("m.mid.continuo", &n), *bad = malloc(2 * n);
    assert_non_null(bad);
    for (int i = 0; i < 800; i++) {
        size_t at = noise(&seed) % n, from = noise(&seed) % n, k = n;
        memcpy(bad, good, n);
        for (uint32_t times = noise(&seed) % 3 + 1; times; times--)
            bad[noise(&seed) % n] = "{}[]\",:0123456789eE-.\\\0x"[noise(&seed) % 24];
        if (i % 8 == 1) {
            memcpy(bad + at, good + from, n - from);
            k = at + n - from;
        }
        put("m.mid.continuo", bad, k);
        struct sidecar side;
        if (sidecar_load(&side, in_folder("m.mid"), why) == SIDECAR_OK) {
            n_read++;
            assert_int_equal(sidecar_save(&side, in_folder("m2.mid"), why), SIDECAR_OK);
            use(s, &side);
        } else {
            assert_int_equal(side.takes.takes.n, 0);
        }
        sidecar_fini(&side);
    }
    assert_true(n_read > 20 && n_read < 700);
    free(bad);
    free(good);
}

/* -- leaving -- */

static void quit(struct session *s)
{
    act_command_line(s, "q");
    assert_true(s->quit);
    s->quit = false;
}

/* The music with nothing beside it, as if by another program, just opened. */
static void open_untouched(struct session *s, const char *name)
{
    rewrite(name, score_clone(s->project.score));
    open_again(s, name);
}

static void leaving_untouched_music_makes_no_file(void **state)
{
    struct session *s = *state;
    open_untouched(s, "calm.mid");
    quit(s);
    ask(s); /* throws the dice */
    run(s, CMD_REJECT_ALL);
    quit(s);
    assert_false(exists("calm.mid.continuo"));
}

static void leaving_keeps_what_was_set(void **state)
{
    struct session *s = *state;
    open_untouched(s, "set.mid");
    act_command_line(s, "density 2");
    quit(s);
    session_open(s, in_folder("other.mid"));
    open_again(s, "set.mid");
    assert_true(s->steering.density == 2);
    act_command_line(s, "seed 77");
    act_command_line(s, "e nothing.mid"); /* leaves it, too */
    open_again(s, "set.mid");
    assert_true(s->steering.seed == 77);
    act_command_line(s, "seed 78");
    act_command_line(s, "q!");
    open_again(s, "set.mid");
    assert_true(s->steering.seed == 77);
}

static void leaving_keeps_takes_that_wait(void **state)
{
    struct session *s = *state;
    size_t n, m;
    open_untouched(s, "wait.mid");
    act_command_line(s, "takes 4");
    ask(s);
    struct before b = look(s);
    quit(s);
    open_again(s, "wait.mid");
    assert_same_takes(&b.takes, &s->takes);
    char *was = get("wait.mid.continuo", &n);
    put("wait.mid.continuo", was, n - 1); /* the end of the line: it still says so */
    quit(s);
    char *is = get("wait.mid.continuo", &m);
    assert_int_equal(m, n - 1); /* nothing has changed, and it was not touched */
    run(s, CMD_REJECT_ALL);
    quit(s);
    open_again(s, "wait.mid");
    assert_false(s->has_take);
    free(was);
    free(is);
    forget(&b);
}

static void what_cannot_be_kept_is_said(void **state)
{
    struct session *s = *state;
    open_untouched(s, "no.mid");
    assert_int_equal(mkdir(in_folder("no.mid.continuo"), 0700), 0);
    act_command_line(s, "density 2");
    act_command_line(s, "q");
    assert_false(s->quit);
    assert_true(s->message_is_error);
    assert_non_null(strstr(s->message, ":q! leaves without"));
    act_command_line(s, "q!");
    assert_true(s->quit);
}

int main(void)
{
#define IN_SESSION(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        IN_SESSION(all_of_every_take_comes_back),
        IN_SESSION(a_reopened_take_does_what_it_would_have_done),
        IN_SESSION(more_can_be_made_of_it),
        IN_SESSION(a_continuation_comes_back),
        IN_SESSION(what_stands_is_known_again),
        IN_SESSION(one_that_has_no_notes_yet_is_not_kept),
        IN_SESSION(a_number_of_takes_is_asked_again),
        IN_SESSION(without_takes_there_is_no_section),
        IN_SESSION(what_is_gone_is_not_replaced),
        IN_SESSION(other_ticks_fit_no_take),
        IN_SESSION(a_track_that_is_gone),
        IN_SESSION(a_track_that_has_moved),
        IN_SESSION(a_file_that_is_gone),
        IN_SESSION(a_file_by_hand_is_read),
        cmocka_unit_test(what_cannot_be_right_is_refused_whole),
        cmocka_unit_test(too_many_takes_are_refused),
        IN_SESSION(a_refused_file_is_said_and_kept),
        IN_SESSION(mutations_do_no_harm),
        IN_SESSION(leaving_untouched_music_makes_no_file),
        IN_SESSION(leaving_keeps_what_was_set),
        IN_SESSION(leaving_keeps_takes_that_wait),
        IN_SESSION(what_cannot_be_kept_is_said),
    };
    return cmocka_run_group_tests(tests, make_model, remove_model);
}
