/* The inspector in the workstation, by keys, on a model of random weights: what it shows is what
 * was found, follows edits and undo, and leaves nothing behind. */
#include "app/editor/takes/takes.h"
#include "tests/check.h"
#include "app/editor/inspect/inspect.h"
#include "tests/app/quarters.h"
#include "tests/app/script.h"

static int open_music(void **state)
{
    if (two_tracks(state))
        return -1;
    session_resize(*state, 200, 50);
    keys(*state, ":min-notes 8\r");
    return 0;
}

static bool has_answer(const struct session *s)
{
    const struct inspecting *i = s->parts.inspect;
    return i->request && !i->is_stale && i->report.notes_for == i->request;
}

/* What is asked of the note that it is on. */
DOES(answered, WAIT_FOR(s, has_answer(s)))

DOES(all_answered, WAIT_FOR(s, has_answer(s) && s->parts.inspect->report.is_done &&
                                   !s->parts.inspect->is_new))

/* Of the music as it is by now. */
DOES(answered_anew,
     WAIT_FOR(s, has_answer(s) && s->parts.inspect->version == s->project.version))

DOES(surprised,
     WAIT_FOR(s, has_answer(s) && s->parts.inspect->report.surprise_is_whole))

DOES(take, WAIT_FOR(s, s->has_take))

static const struct inspect_view *seen(struct session *s)
{
    assert_non_null(view_of(s)->inspect);
    return view_of(s)->inspect;
}

/* Weights below zero are of notes that cannot attend. */
static bool sums_to_one(const struct session *s)
{
    const struct inspect_view *v = &s->parts.inspect->report.found;
    double sum = (double)v->itself;
    for (size_t k = 0; k < v->n_notes; k++)
        sum += fmax((double)v->notes[k].weight, 0);
    for (int k = 0; k < INSPECTED_KINDS; k++)
        sum += (double)v->others[k];
    return fabs(sum - 1) < 1e-4;
}

/* What is on the screen: the notes that were read, and none of what comes later. */
static bool is_as_found(struct session *s)
{
    const struct inspect_view *v = seen(s);
    bool is = v->n_notes > 0 && !v->busy && v->matrix.shades && v->thumbnails.shades &&
              v->n_guesses > 1 && v->notes[v->pair].rank == 1;
    for (size_t k = 0; k < v->n_notes; k++) {
        const struct inspect_note *n = &v->notes[k];
        if (n->first_token > v->notes[v->chosen].first_token)
            is &= n->weight < 0 && n->shade < 0;
        else if ((int)k != v->chosen)
            is &= n->weight >= 0 && n->shade >= 0;
    }
    for (int k = 1; k < v->queries.n_marks; k++)
        is &= v->queries.marks[k].bar == v->queries.marks[k - 1].bar + 1;
    return is;
}

static int count_ranks(struct session *s)
{
    int n = 0;
    for (size_t k = 0; k < seen(s)->n_notes; k++)
        n += seen(s)->notes[k].rank > 0;
    return n;
}

static int asked_pitch(const struct session *s)
{
    const struct inspect_view *v = &s->parts.inspect->report.found;
    return v->notes[v->chosen].note.pitch;
}

NUMBER_FACT(sums_to_one, sums_to_one(s))
NUMBER_FACT(as_found, is_as_found(s))
NUMBER_FACT(ranks, count_ranks(s))
NUMBER_FACT(bars, seen(s)->queries.n_marks)
NUMBER_FACT(asked_pitch, asked_pitch(s))
NUMBER_FACT(shows_asked, seen(s)->notes[seen(s)->chosen].id == inspect_chosen(s))
NUMBER_FACT(open, s->view.inspect != NULL)
NUMBER_FACT(muted, __builtin_popcountll(s->muted.heads))

SCRIPT(the_view_is_what_was_found, open_music) = {
    {"3GI‹all_answered›",
     "mode INSPECT; as_found; shows_asked; ranks 5; sums_to_one; bars 3..9"},
};

SCRIPT(it_follows_edits_and_undo, open_music) = {
    {"3GI‹answered›", "asked_pitch 60"},
    {"\0332}I‹answered›", "asked_pitch 62"},
    {"u‹answered_anew›", "asked_pitch 60"},
    {"\033‹pitch 60›xuI‹answered›‹C-r›‹answered_anew›", "shows_asked; n 31"},
};

SCRIPT(one_walks_from_note_to_note, open_music) = {
    {"3GIl", "at 2b1q; pitch 61"},
    {"h", "at 2b; pitch 60"},
    {"j", "at 2b; pitch 36"},
    {"k", "at 2b; pitch 60"},
    {"9999hh", "at 0", "~left"},
    {"4G", "at 3b; mode INSPECT"}, /* the cursor is moved otherwise */
};

/* A list lies over it, and the lane that is chosen by name comes after it. */
SCRIPT(it_comes_back_after_a_list, open_music) = {
    {"3GI‹all_answered›:history\r", "mode HISTORY; no open"},
    {"\033‹all_answered›", "mode INSPECT; as_found; shows_asked"},
    {":lane pedal\r", "mode INSPECT", "~when Esc has closed this"},
    {"\033:lane pedal\r", "mode NORMAL", "~E edits it"},
};

/* The other is what h has led to. */
static bool is_compared(struct session *s)
{
    const struct inspect_view *v = seen(s);
    float of_other = 0;
    for (size_t k = 0; k < v->n_notes; k++)
        of_other += v->notes[k].compared;
    return v->notes[v->chosen].id == s->parts.inspect->pinned && v->has_pair &&
           v->notes[v->pair].id == s->parts.inspect->at.id && of_other > 0 &&
           of_other < 1.0001f && fabsf(v->weight - v->notes[v->pair].weight) < 1e-5f;
}

NUMBER_FACT(compared, is_compared(s))
NUMBER_FACT(chosen_start, seen(s)->notes[seen(s)->chosen].note.start)

SCRIPT(a_pin_compares_two, open_music) = {
    {"3GI‹answered›p2h‹all_answered›", "compared; chosen_start 2b; at 1b2q"},
    {"p", "chosen_start 2b"},
};

/* One: what a note's probability is with something and without it. */
static bool has_effect(struct session *s)
{
    const struct inspect_view *v = seen(s);
    const struct inspect_effect *e = &v->effects[0];
    return v->n_effects == 1 && e->is_known && e->with > 0 && e->with <= 1 &&
           e->without > 0 && fabs(log((double)e->with) + (double)v->surprise) < 1e-3;
}

NUMBER_FACT(effect, has_effect(s))
NUMBER_FACT(layer, s->parts.inspect->look.layer)

SCRIPT(leaving_out_tells_what_it_does, open_music) = {
    {"3GI‹all_answered›x‹all_answered›", "effect"}, /* the note, */
    {"x‹all_answered›", "effect"},                  /* its bar, */
    {"x‹all_answered›", "effect"},                  /* its track */
    {"x]}M‹all_answered›", "muted 1; effect"},
    {"M", "muted 0"},
    {"M:model continuo\r‹all_answered›",
     "muted 0; layer -1"}, /* they were of the other model */
};

static bool are_all_surprises(struct session *s)
{
    const struct inspect_view *v = seen(s);
    bool are = s->parts.inspect->report.n_surprise == n_notes(s) && v->n_notes > 10;
    for (size_t k = 0; k < v->n_notes; k++)
        are &= v->notes[k].shade >= 0 && v->notes[k].shade <= 1 &&
               v->notes[k].surprise > 0;
    return are;
}

NUMBER_FACT(all_surprises, are_all_surprises(s))

SCRIPT(every_note_has_its_surprise, open_music) = {
    {"gs‹surprised›", "mode INSPECT; all_surprises"},
};

NUMBER_FACT(on_ghost, s->parts.inspect->at.is_ghost)
NUMBER_FACT(given, s->parts.inspect->report.choices_for &&
                       s->parts.inspect->report.n_given >= 0)

SCRIPT(a_waiting_take_is_asked_as_well, open_music) = {
    {"2C‹made›3wI‹all_answered›", "on_ghost; sums_to_one; given; shows_asked"},
    {"\033", "mode TAKES"},
};

static bool is_seen_live(const struct session *s)
{
    const struct inspecting *i = s->parts.inspect;
    return s->request.is_running && i->at.is_ghost && i->request &&
           i->report.notes_for == i->request;
}

DOES(seen_live, WAIT_FOR(s, is_seen_live(s)))

/* While it is being written, and its last note when it has ended. */
SCRIPT(a_take_is_watched, open_music) = {
    {"200CI‹seen_live›", "on_ghost; sums_to_one"},
    {"‹C-c›‹all_answered›", "on_ghost; sums_to_one; given; shows_asked"},
};

/* With the model that comes with the program: random weights have few other pitches. */
static int open_example(void **state)
{
    char example[4096];
    struct session *s = session_with((struct session_options){.seed = 5});
    if (!s || !paths_find(example, sizeof example, PATHS_EXAMPLE))
        return -1;
    session_open_copy(s, example, in_folder("copy.mid"));
    s->steering.n_draws = 1;
    *state = s;
    return s->project.score->n_tracks ? 0 : -1;
}

/* What is shown of six draws has the tokens of its own notes. */
TEST_WITH(the_best_of_many_draws_can_be_inspected, open_example)
{
    s->steering.n_draws = 6;
    keys(s, ":takes 2\r2C‹made›9wI");
    play(s, "‹all_answered›", "on_ghost; sums_to_one", NULL);
}

/* Another pitch: what came before it is as it was, what comes after is new. */
TEST_WITH(a_take_goes_on_with_another_note, open_example)
{
    struct note before[64], at = {0};
    int track = -1;
    size_t n = 0;
    keys(s, ":takes 1\r2C‹made›9wI");
    for (int i = 0; i < 20 && s->takes.n < 2; i++) { /* where another is possible */
        play(s, "l‹all_answered›", "on_ghost", NULL);
        at = s->parts.inspect->at.note;
        track = s->parts.inspect->at.track;
        n = 0;
        for (size_t k = 0; k < n_ghosts(s) && n < 64; k++)
            if (ghosts(s)[k].note.start < at.start)
                before[n++] = ghosts(s)[k].note;
        keys(s, "\r‹made›");
    }
    check_facts(s, "mode INSPECT; takes 2");
    assert_int_equal(s->takes.shown, 1);
    for (size_t k = 0; k < n_ghosts(s); k++) {
        const struct note *now = &ghosts(s)[k].note;
        assert_true(k >= n ||
                    (now->start == before[k].start && now->pitch == before[k].pitch &&
                     now->length == before[k].length));
        assert_false(now->start == at.start && now->pitch == at.pitch &&
                     ghosts(s)[k].track == track);
    }
    play(s, "‹all_answered›", "on_ghost", NULL); /* the newest note is asked about */
}

/* Of a note of the piece: one step to undo, and takes for what follows. */
TEST_WITH(a_note_gets_another_pitch, open_example)
{
    keys(s, ":takes 1\r3GI‹all_answered›");
    const struct inspect_spot at = s->parts.inspect->at;
    play(s, "\r", "take", NULL);
    assert_true(score_find_note(s->project.score, at.track, at.id)->pitch !=
                at.note.pitch);
    play(s, "‹drop_take›u", "no take", NULL);
    assert_true(score_find_note(s->project.score, at.track, at.id)->pitch ==
                at.note.pitch);
}

/* The bar that is asked for, as a whole. */
static bool is_bar_asked(const struct session *s)
{
    struct bar bar = timeline_bar_at(&s->project.score->timeline, s->request.from);
    return bar.start == s->request.from && bar.start + bar.length == s->request.to;
}

NUMBER_FACT(bar_asked, is_bar_asked(s))

SCRIPT(the_worst_bar_is_rewritten, open_music) = {
    {"gs‹surprised›R‹take›", "bar_asked"},
    {"‹made›", "mode INSPECT"},
};

/* The line that is typed meanwhile stays, and the bar is rewritten after it. */
SCRIPT(the_worst_bar_waits_for_a_typed_line, open_music) = {
    {"gsR:se‹surprised›‹tick›‹tick›", "mode COMMAND; input se; no take"},
    {"\033‹take›", "bar_asked"},
};

static uint64_t request_then;

DOES(note_request, request_then = s->parts.inspect->request)

NUMBER_FACT(asked_since, s->parts.inspect->request - request_then)

/* Closed, it asks nothing; and the screen is as it was. */
SCRIPT(it_leaves_nothing_behind, open_music) = {
    {"", "roll_columns 194"},
    {"3GI‹answered›", "roll_columns 60..190"},
    {"?", "open"}, /* over it */
    {"\033\033‹note_request›", "no open; roll_columns 194"},
    {"}‹tick›‹tick›‹tick›", "asked_since 0"},
};

/* The playhead is followed where notes are edited, not away from the one that is asked
 * about. */
TEST_WITH(music_that_plays_leaves_the_note_in_sight, open_music)
{
    session_resize(s, 80, 24);
    play(s, "GI", "mode INSPECT", NULL);
    int64_t left = s->view.port.left_tick,
            far = left + 2 * s->view.port.ticks_per_column * s->layout.roll.columns;
    assert_true(s->roll.follow);
    session_publish(s);
    player_play(s->player, far);
    WAIT_FOR(s, player_tick(s->player) > (double)far);
    assert_int_equal(s->view.port.left_tick, left);
    keys(s, "\033");
    WAIT_FOR(s, s->view.port.left_tick != left);
}

/* Keys that choose heads, where no model has said how many it has. */
SCRIPT(without_a_model_no_head_is_muted, empty_session) = {
    {"\rI", "mode INSPECT"},
    {"M", "", "~M mutes one head"},
    {"]}M", "mode INSPECT", "~M mutes one head"},
    {"mM", "mode INSPECT", "~M mutes one head"},
    {"mM", "mode INSPECT", "~M mutes one head"},
};

SCRIPT(without_a_note_it_says_so, model_session) = {
    {"gs", NULL, "~there is no note"},
};

/* -- what is explained, and written to a file -- */

TEXT_FACT(explained, view_of(s)->banner.n == 3 ? view_of(s)->banner.lines[0] : "")
TEXT_FACT(units, view_of(s)->banner.lines[2])

SCRIPT(a_key_explains_what_is_shown, open_music) = {
    {"3GI‹all_answered›", "explained "},
    {"i", "explained ~The mean of several heads; units ~nats"},
    {"]}‹all_answered›", "explained ~head"},
    {"\033", "explained "},
    {"I‹answered›i", "explained "},
};

WORD(export)
{
    keys(s, "e‹C-u›");
    keys(s, in_folder(arguments));
    keys(s, "\r");
}

static const char *first_line(const char *name)
{
    static char line[200];
    FILE *f = fopen(in_folder(name), "r");
    if (!f || !fgets(line, sizeof line, f))
        line[0] = '\0';
    if (f)
        fclose(f);
    return line;
}

static size_t count_lines(const char *name)
{
    size_t n, n_lines = 0;
    auto_free char *text = get_bytes(name, &n);
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        n_lines++;
    return n_lines;
}

TEXT_FACT(table, first_line("shown.csv"))
TEXT_FACT(picture, first_line("shown.png"))
NUMBER_FACT(table_is_whole, count_lines("shown.csv") == seen(s)->n_notes + 1)
NUMBER_FACT(other, is_there("shown.txt"))

SCRIPT(a_key_exports_what_is_shown, open_music) = {
    {"3GI‹all_answered›‹export shown.csv›",
     "no error; table_is_whole; "
     "table bar,beat,track,pitch,chosen,weight,surprise_nats\n"},
    {"‹export shown.png›", "no error; picture ~PNG"},
    {"‹export shown.png›", "mode INSPECT", "!"}, /* it is there */
    {"‹export shown.txt›", "no other", "!"},
    {"e", "input ~-attention.png"},
};

GROUP(make_model, remove_own_folder)
