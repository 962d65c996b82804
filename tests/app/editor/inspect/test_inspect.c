/* The inspector in the workstation, by commands, with the model that comes with the program:
 * what it shows sums to one, follows edits and undo, and leaves nothing behind. */
#include "tests/check.h"
#include "app/base/paths.h"
#include "tests/app/script.h"
#include "app/editor/inspect/inspect.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int open_example(void **state)
{
    char example[4096], copy[700];
    struct session *s = session_with((struct session_options){.seed = 5});
    if (!s || !paths_find(example, sizeof example, PATHS_EXAMPLE))
        return -1;
    session_resize(s, 200, 50);
    snprintf(copy, sizeof copy, "%s/copy.mid", folder);
    session_open_copy(s, example, copy);
    *state = s;
    return s->project.score->n_tracks ? 0 : -1;
}

static bool has_answer(const struct session *s)
{
    const struct inspecting *i = s->parts.inspect;
    return i->request && !i->is_stale && i->report.wash.of == i->request;
}

static bool is_done(const struct session *s)
{
    return has_answer(s) && s->parts.inspect->report.is_done &&
           !s->parts.inspect->is_new;
}

/* What is asked of the note that it is on. */
WORD(answered)
{
    WAIT_FOR(s, has_answer(s));
}

WORD(all_answered)
{
    WAIT_FOR(s, is_done(s));
}

/* Of the music as it is by now. */
WORD(answered_anew)
{
    WAIT_FOR(s, has_answer(s) && s->parts.inspect->version == s->project.version);
}

/* At bar 3. */
WORD(inspect)
{
    play(s, "3GI", "mode INSPECT", NULL);
    keys(s, "‹answered›");
}

NUMBER_FACT(on_ghost, s->parts.inspect->at.is_ghost)
NUMBER_FACT(muted, s->muted.n)
NUMBER_FACT(open, s->parts.inspect->is_open)

static const struct inspect_view *seen(struct session *s)
{
    assert_non_null(view_of(s)->inspect);
    return view_of(s)->inspect;
}

static int pitch_asked(const struct session *s)
{
    const struct inspector_report *r = &s->parts.inspect->report;
    return r->wash.notes[r->wash.note].pitch;
}

static double sum_of(const struct inspector_report *r)
{
    double sum = 0;
    for (int k = 0; k < r->wash.n_notes; k++)
        sum += (double)r->wash.weights[k];
    for (int k = 0; k < INSPECTED_KINDS; k++)
        sum += (double)r->wash.other[k];
    return sum;
}

/* What is on the screen is what was found: the same note, the same weights, five ranks. */
TEST_WITH(the_view_is_what_was_found, open_example)
{
    keys(s, "‹inspect›‹all_answered›");
    const struct inspect_view *v = seen(s);
    const struct inspector_report *r = &s->parts.inspect->report;
    assert_null(v->busy);
    assert_int_equal(v->notes[v->chosen].id, inspect_chosen(s));
    assert_int_equal((int)v->n_notes, r->wash.n_notes);
    int ranks = 0;
    for (size_t k = 0; k < v->n_notes; k++) {
        bool is_later =
            r->wash.notes[k].first_token > r->wash.notes[r->wash.note].first_token;
        ranks += v->notes[k].rank > 0;
        if (is_later)
            assert_true(v->notes[k].weight < 0 && v->notes[k].shade < 0);
        else if ((int)k != v->chosen)
            assert_true(fabsf(v->notes[k].weight - r->wash.weights[k]) < 1e-6f);
    }
    assert_int_equal(ranks, INSPECT_RANKED);
    assert_int_equal(v->notes[v->pair].rank, 1);
    assert_true(v->has_pair && v->surprise > 0 && v->n_guesses > 1);
    assert_non_null(v->matrix.shades);
    assert_non_null(v->thumbnails);
    assert_true(v->n_bars > 2);
    for (int k = 1; k < v->n_bars; k++)
        assert_int_equal(v->bars[k].bar, v->bars[k - 1].bar + 1);
}

TEST_WITH(it_follows_edits_and_undo, open_example)
{
    keys(s, "‹inspect›");
    uint64_t id = inspect_chosen(s);
    struct inspect_spot before, after;
    assert_true(inspect_find(s, id, &before));
    play(s, "\033", "mode NORMAL", NULL);
    select_one(s, id);
    run_times(s, CMD_TRANSPOSE_UP, 2);
    session_clear_selection(s);
    s->cursor.pitch = before.note.pitch + 2;
    keys(s, "I‹answered›");
    assert_int_equal(inspect_chosen(s), id);
    assert_int_equal(pitch_asked(s), before.note.pitch + 2);
    run(s, CMD_UNDO);
    keys(s, "‹answered_anew›");
    assert_int_equal(inspect_chosen(s), id);
    assert_int_equal(pitch_asked(s), before.note.pitch);
    assert_true(inspect_find(s, id, &after));
    /* And where the note is gone, the one that is nearest. */
    select_one(s, id);
    run(s, CMD_DELETE);
    keys(s, "‹answered_anew›");
    assert_true(inspect_chosen(s) != id && inspect_chosen(s));
    assert_int_equal(seen(s)->notes[seen(s)->chosen].id, inspect_chosen(s));
}

TEST_WITH(one_walks_from_note_to_note, open_example)
{
    keys(s, "‹inspect›");
    const struct inspect_spot *at = &s->parts.inspect->at, was = *at;
    keys(s, "l");
    assert_true(at->track == was.track && at->note.start > was.note.start);
    keys(s, "h");
    assert_true(at->note.start == was.note.start);
    keys(s, "j");
    assert_true(at->note.pitch < was.note.pitch);
    keys(s, "k");
    assert_true(at->note.pitch > was.note.pitch - 24);
    play(s, "9999hh", NULL, "~left");
    run_times(s, CMD_PIECE_END, 5); /* the cursor is moved otherwise */
    struct bar bar = timeline_bar(&s->project.score->timeline, 4);
    assert_true(at->note.start >= bar.start - bar.length / 2);
}

TEST_WITH(a_pin_compares_two, open_example)
{
    keys(s, "‹inspect›");
    uint64_t pinned = inspect_chosen(s);
    keys(s, "p2h‹all_answered›");
    const struct inspect_view *v = seen(s);
    assert_int_equal(v->notes[v->chosen].id, pinned);
    assert_int_equal(v->notes[v->pair].id, s->parts.inspect->at.id);
    assert_true(v->has_pair);
    assert_true(fabsf(v->weight - v->notes[v->pair].weight) < 1e-5f);
    float of_other = 0;
    for (size_t k = 0; k < v->n_notes; k++)
        of_other += v->notes[k].compared;
    assert_true(of_other > 0 && of_other < 1.0001f);
    run(s, CMD_INSPECT_PIN);
    assert_int_equal(inspect_chosen(s), pinned);
}

TEST_WITH(leaving_out_tells_what_it_does, open_example)
{
    keys(s, "‹inspect›‹all_answered›");
    for (int k = WITHOUT_NOTE; k < WITHOUT_COUNT; k++) {
        keys(s, "x‹all_answered›");
        const struct inspect_view *v = seen(s);
        assert_int_equal(v->n_effects, 1);
        const struct inspect_effect *e = &v->effects[0];
        assert_true(e->is_known && e->with > 0 && e->with <= 1 && e->without > 0);
        assert_true(fabs(log((double)e->with) + (double)v->surprise) < 1e-3);
    }
    play(s, "x}M‹all_answered›", "muted 1", NULL);
    assert_int_equal(seen(s)->n_effects, 1);
    assert_true(seen(s)->effects[0].is_known);
    play(s, "M", "muted 0", NULL);
}

TEST_WITH(every_note_has_its_surprise, open_example)
{
    play(s, "gs", "mode INSPECT", NULL);
    WAIT_FOR(s, has_answer(s) && s->parts.inspect->report.surprise.is_whole);
    assert_int_equal(s->parts.inspect->report.surprise.n,
                     score_n_notes(s->project.score));
    const struct inspect_view *v = seen(s);
    assert_true(v->n_notes > 10);
    for (size_t k = 0; k < v->n_notes; k++)
        assert_true(v->notes[k].shade >= 0 && v->notes[k].shade <= 1 &&
                    v->notes[k].surprise > 0);
}

/* Four bars of a take, and the inspector on its n-th note. */
static void enter_take(struct session *s, int n)
{
    keys(s, ":takes 1\r4C‹made›");
    assert_true(n_ghosts(s) > (size_t)n);
    const struct ghost *g = &ghosts(s)[n];
    s->cursor.tick = g->note.start;
    s->cursor.pitch = g->note.pitch;
    play(s, "I‹all_answered›", "on_ghost", NULL);
}

TEST_WITH(a_waiting_take_is_asked_as_well, open_example)
{
    enter_take(s, 12);
    const struct inspector_report *r = &s->parts.inspect->report;
    assert_true(fabs(sum_of(r) - 1) < 1e-4);
    assert_true(r->wash.notes[r->wash.note].is_take);
    assert_non_null(r->alternatives.given);
    const struct inspect_view *v = seen(s);
    assert_int_equal(v->notes[v->chosen].note.pitch, s->parts.inspect->at.note.pitch);
    play(s, "\033", "mode TAKES", NULL);
}

/* Another pitch: what came before it is as it was, what comes after is new. */
TEST_WITH(a_take_goes_on_with_another_note, open_example)
{
    enter_take(s, 12);
    struct note before[12], at = s->parts.inspect->at.note;
    const int track = s->parts.inspect->at.track;
    size_t n = 0;
    for (size_t k = 0; k < n_ghosts(s); k++)
        if (ghosts(s)[k].note.start < at.start && n < 12)
            before[n++] = ghosts(s)[k].note;
    run(s, CMD_INSPECT_CHOOSE);
    wait_for_end(s);
    check_facts(s, "mode INSPECT; takes 2");
    assert_int_equal(s->takes.shown, 1);
    for (size_t k = 0; k < n; k++)
        assert_true(ghosts(s)[k].note.start == before[k].start &&
                    ghosts(s)[k].note.pitch == before[k].pitch &&
                    ghosts(s)[k].note.length == before[k].length);
    bool has_same = false;
    for (size_t k = 0; k < n_ghosts(s); k++)
        has_same |= ghosts(s)[k].note.start == at.start &&
                    ghosts(s)[k].note.pitch == at.pitch && ghosts(s)[k].track == track;
    assert_false(has_same);
    play(s, "‹all_answered›", "on_ghost", NULL); /* the newest note is asked about */
}

/* Of a note of the piece: one step to undo, and takes for what follows. */
TEST_WITH(a_note_gets_another_pitch, open_example)
{
    keys(s, "‹inspect›‹all_answered›");
    struct inspect_spot at = s->parts.inspect->at, now;
    act_command_line(s, "takes 1");
    run(s, CMD_INSPECT_CHOOSE);
    assert_true(inspect_find(s, at.id, &now));
    assert_true(now.note.pitch != at.note.pitch);
    assert_true(s->has_take);
    session_drop_take(s);
    run(s, CMD_UNDO);
    assert_true(inspect_find(s, at.id, &now) && now.note.pitch == at.note.pitch);
}

TEST_WITH(the_worst_bar_is_rewritten, open_example)
{
    keys(s, "‹inspect›");
    act_command_line(s, "takes 1");
    run(s, CMD_INSPECT_REWRITE_WORST);
    WAIT_FOR(s, s->has_take);
    struct bar bar = timeline_bar_at(&s->project.score->timeline, s->request.from);
    assert_true(bar.start == s->request.from &&
                bar.start + bar.length == s->request.to);
    WAIT_FOR(s, s->parts.inspect->live_choice.layer < 0 && !s->request.is_running);
    assert_int_equal(s->mode, MODE_INSPECT);
}

/* Closed, it asks nothing; and the screen is as it was. */
TEST_WITH(it_leaves_nothing_behind, open_example)
{
    struct layout before = s->layout;
    keys(s, "‹inspect›");
    assert_true(s->layout.roll.columns < before.roll.columns);
    play(s, "?", "open", NULL); /* over it */
    play(s, "\033\033", "no open", NULL);
    assert_int_equal(memcmp(&before.roll, &s->layout.roll, sizeof before.roll), 0);
    uint64_t request = s->parts.inspect->request;
    run(s, CMD_TRANSPOSE_UP);
    for (int k = 0; k < 5; k++)
        session_tick(s);
    assert_int_equal(s->parts.inspect->request, request);
    assert_null(view_of(s)->inspect);
}

/* Six tokens in blocks of two: a query sees its own block up to itself, and the one
 * before; coarser cells are seen where any of theirs is. */
TEST(local_blocks_have_an_outline)
{
    const struct inspect_grid one = {0, 6, 6, 6, 2}, coarse = {0, 6, 3, 3, 2},
                              all = {0, 6, 6, 6, 0};
    for (int query = 0; query < 6; query++)
        for (int key = 0; key < 6; key++) {
            bool is_past = key <= query, is_near = key / 2 >= query / 2 - 1;
            assert_int_equal(inspect_cell_is_seen(&one, query, key),
                             is_past && is_near);
            assert_int_equal(inspect_cell_is_seen(&all, query, key), is_past);
        }
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            assert_int_equal(inspect_cell_is_seen(&coarse, row, column),
                             column <= row && column >= row - 1);
}

/* The playhead is followed where notes are edited, not away from the one that is asked
 * about. */
TEST_WITH(music_that_plays_leaves_the_note_in_sight, open_example)
{
    session_resize(s, 80, 24);
    run_times(s, CMD_PIECE_END, 1);
    run(s, CMD_INSPECT);
    int64_t left = s->port.left_tick,
            far = left + 2 * s->port.ticks_per_column * s->layout.roll.columns;
    assert_true(s->roll.follow);
    session_publish(s);
    player_play(s->player, far);
    WAIT_FOR(s, player_tick(s->player) > (double)far);
    assert_int_equal(s->port.left_tick, left);
    run(s, CMD_ESCAPE);
    WAIT_FOR(s, s->port.left_tick != left);
}

/* Keys that choose heads, where no model has said how many it has. */
SCRIPT(without_a_model_no_head_is_muted, empty_session) = {
    {"\rI", "mode INSPECT"},
    {"M", "", "~M mutes one head"},
    {"]}M", "mode INSPECT", "~M mutes one head"},
    {"mM", "mode INSPECT", "~M mutes one head"},
    {"mM", "mode INSPECT", "~M mutes one head"},
};

TEST_WITH(without_a_note_it_says_so, open_example)
{
    session_open(s, in_folder("empty.mid")); /* which is not there */
    play(s, "gs", NULL, "~there is no note");
}

/* -- what is explained, and written to a file -- */

static void assert_explained(struct session *s, const char *head)
{
    const struct view *v = view_of(s);
    assert_int_equal(v->banner.n, *head ? 3 : 0);
    if (*head)
        assert_string_equal(v->banner.lines[0], head);
}

TEST_WITH(a_key_explains_what_is_shown, open_example)
{
    keys(s, "‹inspect›‹all_answered›");
    assert_explained(s, "");
    keys(s, "i");
    assert_explained(s, "The mean of several heads; ] } choose a layer and a head.");
    assert_non_null(strstr(view_of(s)->banner.lines[2], "nats"));
    keys(s, "]}‹all_answered›");
    assert_explained(s,
                     "“voice's last note” attends to the note before it on its track.");
    keys(s, "\033");
    assert_explained(s, "");
    keys(s, "I‹answered›i");
    assert_explained(s, "");
}

/* Whose lines the test counts. */
static int n_lines(const char *path, char first[200])
{
    FILE *f = fopen(path, "r");
    char line[200];
    int n = 0;
    assert_non_null(f);
    while (fgets(line, sizeof line, f))
        if (n++ == 0)
            strcpy(first, line);
    fclose(f);
    return n;
}

static void export_as(struct session *s, const char *path)
{
    keys(s, "e‹C-u›");
    assert_string_equal(s->prompt.text, "");
    keys(s, path);
    keys(s, "\r");
}

TEST_WITH(a_key_exports_what_is_shown, open_example)
{
    char table[700], picture[700], first[200];
    snprintf(table, sizeof table, "%s/shown.csv", folder);
    snprintf(picture, sizeof picture, "%s/shown.png", folder);
    keys(s, "‹inspect›‹all_answered›");
    export_as(s, table);
    assert_false(s->message.is_error);
    assert_int_equal(n_lines(table, first), seen(s)->n_notes + 1);
    assert_string_equal(first, "bar,beat,track,pitch,chosen,weight,surprise_nats\n");
    export_as(s, picture);
    assert_false(s->message.is_error);
    n_lines(picture, first);
    assert_memory_equal(first, "\x89PNG", 4);
    export_as(s, picture); /* it is there */
    assert_true(s->message.is_error && s->mode == MODE_INSPECT);
    export_as(s, "shown.txt");
    assert_true(s->message.is_error && access("shown.txt", F_OK));
    keys(s, "e");
    assert_string_equal(s->prompt.text, "copy-attention.png");
    keys(s, "\033");
    unlink(table);
    unlink(picture);
}

GROUP(make_model, remove_own_folder)
