/* The palette: which line fits what is typed best, what is in it, and that choosing a
 * line does it, in the mode it was opened in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/headless.h"

#include "app/document/writer.h"
#include "app/base/fuzzy.h"
#include "app/editor/shell/palette.h"
#include "app/document/state.h"
#include "tests/app/by_keys.h"
#include "app/editor/shell/files.h"

#include <sys/stat.h>

static int open_session(void **state)
{
    *state = headless_open();
    return *state ? 0 : -1;
}

/* -- fitting -- */

static double score(const char *typed_text, const char *text)
{
    double x;
    uint64_t marks;
    if (!fuzzy_match(typed_text, text, &x, &marks))
        fail_msg("%s is not found in %s", typed_text, text);
    return x;
}

static void assert_better(const char *words, const char *a, const char *b)
{
    if (score(words, a) <= score(words, b))
        fail_msg("\"%s\": \"%s\" is not before \"%s\"", words, a, b);
}

static void starts_of_words_and_runs_come_first(void **state)
{
    (void)state;
    assert_better("zi", "zoom in on time", "horizontal lines");
    assert_better("undo", "undo", "under the door");
    assert_better("tempo", "set the tempo", "take a temperature of it, pop");
    assert_better("gf", "grid finer", "going off");
    assert_better("save", "save", "save and quit");
}

static void letters_are_found_in_order(void **state)
{
    (void)state;
    double x;
    uint64_t marks;
    assert_false(fuzzy_match("oz", "zo", &x, &marks));
    assert_false(fuzzy_match("zoom out", "zoom in", &x, &marks));
    assert_true(fuzzy_match("", "anything", &x, &marks));
    assert_true(x == 0 && marks == 0);
    assert_true(fuzzy_match("IN zoom", "zoom in", &x, &marks));
    assert_int_equal(marks, 0x6F); /* all but the space */
    assert_true(fuzzy_match("om", "zoom", &x, &marks));
    assert_int_equal(marks, 0xC);
    assert_false(fuzzy_match("x", "", &x, &marks));
}

/* Nothing that is typed does harm, however long. */
static void long_texts_hold(void **state)
{
    (void)state;
    static char text[4000], words[1000];
    double x;
    uint64_t marks;
    memset(text, 'a', sizeof text - 1);
    memset(words, 'a', sizeof words - 1);
    assert_true(fuzzy_match(words, text, &x, &marks));
    memset(text, 0xC3, sizeof text - 1);
    fuzzy_match(words, text, &x, &marks);
    fuzzy_match(text, text, &x, &marks);
}

/* Marks are where the letters are, as often as there are letters. */
static void marks_spell_what_was_typed(void **state)
{
    (void)state;
    static const char LETTERS[] = "abc ";
    unsigned dice = 3;
    for (int i = 0; i < 20000; i++) {
        char text[13] = "", word[4] = "";
        for (int k = 0; k < 12; k++)
            text[k] = LETTERS[(dice = dice * 1664525u + 1013904223u) >> 30];
        for (int k = 0; k < 3; k++)
            word[k] = LETTERS[((dice = dice * 1664525u + 1013904223u) >> 16) % 3];
        double x;
        uint64_t marks;
        if (!fuzzy_match(word, text, &x, &marks))
            continue;
        int n = 0;
        for (int k = 0; k < 12; k++)
            if (marks >> k & 1)
                assert_int_equal(text[k], word[n++]);
        assert_int_equal(n, 3);
    }
}

/* -- the list -- */

static const char *first_line(struct session *s)
{
    struct view v;
    session_view(s, &v, 0);
    assert_non_null(v.palette);
    return v.palette->n_lines ? v.palette->lines[v.palette->chosen].text : "";
}

static void find(struct session *s, const char *words)
{
    press(s, "C-p");
    assert_int_equal(s->mode, MODE_PALETTE);
    write_text(s, words);
}

static void a_command_is_done(void **state)
{
    struct session *s = *state;
    press(s, "Enter");
    assert_int_equal(score_n_notes(s->project.score), 1);
    find(s, "undo");
    assert_string_equal(first_line(s), "undo");
    press(s, "Enter");
    assert_int_equal(s->mode, MODE_NORMAL);
    assert_int_equal(score_n_notes(s->project.score), 0);
    press(s, "3");
    find(s, "put a note");
    press(s, "Enter"); /* three steps long */
    assert_int_equal(s->project.score->tracks[0].notes[0].length, 360);
}

/* In SELECT the same words find what works there. */
static void it_knows_the_mode(void **state)
{
    struct session *s = *state;
    press(s, "Enter v");
    find(s, "duplicate");
    press(s, "Enter");
    assert_int_equal(score_n_notes(s->project.score), 2);
    find(s, "accept the take that is shown");
    assert_string_equal(first_line(s), ""); /* no take waits */
    press(s, "Enter");
    assert_int_equal(s->mode, MODE_NORMAL);
    press(s, "?");
    find(s, "draw mode");
    press(s, "Enter");
    assert_int_equal(s->mode, MODE_DRAW);
}

static void lines_are_run_or_left_to_complete(void **state)
{
    struct session *s = *state;
    find(s, ":tempo");
    press(s, "Enter");
    assert_int_equal(s->mode, MODE_PROMPT);
    assert_string_equal(s->input, "tempo ");
    write_text(s, "96");
    press(s, "Enter");
    assert_float_equal(timeline_bpm(&s->project.score->timeline, 0), 96, 0.01);
    find(s, "what plays, and where");
    press(s, "Enter");
    assert_true(strlen(s->message) > 0);
    char start[32];
    assert_true(palette_line_start(":w NAME", start, sizeof start));
    assert_string_equal(start, "w ");
    assert_false(palette_line_start(":q  :q!", start, sizeof start));
    assert_string_equal(start, "q");
}

static void tracks_are_gone_to(void **state)
{
    struct session *s = *state;
    act_command_line(s, "track Alto\033[2J");
    act_command_line(s, "track Tenor");
    find(s, "go alto");
    press(s, "Enter");
    assert_int_equal(s->track, 1);
    assert_int_equal(s->mode, MODE_NORMAL);
}

static void one_walks_through_it(void **state)
{
    struct session *s = *state;
    press(s, "C-p");
    const struct palette *p = s->parts.palette;
    size_t n = p->n_found;
    assert_true(n > 60);
    press(s, "Up");
    assert_int_equal(p->chosen, n - 1);
    struct view v;
    session_view(s, &v, 0);
    assert_int_equal(v.palette->chosen, n - 1);
    assert_int_equal(v.palette->first + v.palette->n_lines, n);
    press(s, "C-n Down Down");
    assert_int_equal(p->chosen, 2);
    write_text(s, "zz");
    press(s, "C-w C-u Backspace"); /* of nothing: closes */
    assert_int_equal(s->mode, MODE_NORMAL);
    press(s, "C-p Esc");
    assert_int_equal(s->mode, MODE_NORMAL);
    find(s, "no such thing at all");
    press(s, "Down Enter");
    assert_int_equal(s->mode, MODE_NORMAL);
}

static void the_mouse_chooses(void **state)
{
    struct session *s = *state;
    press(s, "Enter");
    find(s, "undo");
    first_line(s);
    struct region r = palette_box(&s->layout, 1, 0).items;
    act_run(s, &(struct command){
                   .id = CMD_PALETTE_POINT, .column = r.column + 3, .row = r.row});
    assert_int_equal(score_n_notes(s->project.score), 0);
    press(s, "C-p");
    act_run(s, &(struct command){.id = CMD_PALETTE_POINT, .column = 0, .row = 0});
    assert_int_equal(s->mode, MODE_NORMAL);
}

/* Everything with a key in this mode is in it, and all lines. */
static void nothing_is_left_out(void **state)
{
    struct session *s = *state;
    struct palette *p = palette_create(s);
    size_t n_lines = 0;
    for (size_t i = 0; i < n_bindings; i++) {
        const struct binding *b = &bindings[i];
        bool found = !(b->modes & IN(MODE_NORMAL)) || b->group == GROUP_MOUSE ||
                     b->id == CMD_ESCAPE || b->id == CMD_PALETTE;
        for (size_t k = 0; k < p->n_items; k++)
            found |= p->items[k].command.id == b->id;
        if (!found)
            fail_msg("not in the palette: %s", b->help);
    }
    for (size_t k = 0; k < p->n_items; k++)
        n_lines += p->items[k].kind == PALETTE_LINE;
    assert_int_equal(n_lines, n_typed_lines);
    palette_destroy(p);
}

/* -- files -- */

static void files_opened_are_remembered(void **state)
{
    struct session *s = *state;
    char state_home[700], path[700], full[4096];
    snprintf(state_home, sizeof state_home, "%s/state", folder);
    setenv("XDG_STATE_HOME", state_home, 1);
    snprintf(path, sizeof path, "%s/tune one.mid", folder);
    s->remembers_files = true;
    press(s, "Enter");
    assert_true(act_save_as(s, path, false));
    /* The session's writer may be at the same store. */
    assert_true(!s->project.keep.writer || writer_wait(s->project.keep.writer, 10000));
    for (int i = 0; i < 2; i++)
        recent_add(NULL, path);
    recent_add(NULL, "/no/such/file.mid"); /* is nowhere, and not kept */
    struct recent r;
    recent_read(&r);
    assert_int_equal(r.n, 1);
    assert_non_null(realpath(path, full));
    assert_string_equal(r.paths[0], full);
    recent_forget(&r);
    find(s, "open tune one");
    press(s, "Enter");
    assert_int_equal(score_n_notes(s->project.score), 1);
    assert_non_null(strstr(s->message, "1 note"));
    for (int i = 0; i < 2 * RECENT_MAX; i++) { /* the oldest go */
        snprintf(path, sizeof path, "%s/%d.mid", folder, i);
        fclose(fopen(path, "w"));
        recent_add(NULL, path);
    }
    recent_read(&r);
    assert_int_equal(r.n, RECENT_MAX);
    assert_non_null(strstr(r.paths[0], "/39.mid"));
    recent_forget(&r);
    unsetenv("XDG_STATE_HOME");
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_of_words_and_runs_come_first),
        cmocka_unit_test(letters_are_found_in_order),
        cmocka_unit_test(long_texts_hold),
        cmocka_unit_test(marks_spell_what_was_typed),
        CASE(a_command_is_done),
        CASE(it_knows_the_mode),
        CASE(lines_are_run_or_left_to_complete),
        CASE(tracks_are_gone_to),
        CASE(one_walks_through_it),
        CASE(the_mouse_chooses),
        CASE(nothing_is_left_out),
        CASE(files_opened_are_remembered),
    };
    return cmocka_run_group_tests(tests, make_model, remove_model);
}
