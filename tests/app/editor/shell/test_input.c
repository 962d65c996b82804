/* The line that is typed: editing it, what was typed before, and Tab. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/headless.h"

#include "app/editor/shell/input.h"
#include "tests/app/by_keys.h"

#include <sys/stat.h>

static int open_session(void **state)
{
    *state = headless_open();
    return *state ? 0 : -1;
}

static void the_cursor_moves_and_edits(void **state)
{
    struct session *s = *state;
    write_text(s, ":tempo 96");
    press(s, "Left Left Backspace");
    assert_string_equal(s->input, "tempo96");
    press(s, "C-a Delete C-e 5");
    assert_string_equal(s->input, "empo965");
    press(s, "Home t End Left Left Left C-w");
    assert_string_equal(s->input, "965");
    assert_int_equal(input_cursor(s), 0);
    press(s, "Right C-u");
    assert_string_equal(s->input, "65");
    press(s, "End Right Right Delete"); /* past the end is the end */
    assert_string_equal(s->input, "65");
    press(s, "Esc");
    write_text(s, ":a b  ");
    press(s, "C-w");
    assert_string_equal(s->input, "a ");
    press(s, "C-w C-w C-w");
    assert_string_equal(s->input, "");
    press(s, "Backspace");
    assert_int_equal(s->mode, MODE_NORMAL);
}

static void letters_stay_whole(void **state)
{
    struct session *s = *state;
    press(s, ":");
    press_code(s, 0x97F3); /* 音 */
    press_code(s, 0xE9);
    press(s, "Left Backspace");
    assert_string_equal(s->input, "\xC3\xA9");
    press(s, "Delete");
    assert_string_equal(s->input, "");
    for (int i = 0; i < 400; i++)
        press_code(s, 0x97F3);
    assert_true(s->n_input < sizeof s->input && s->n_input % 3 == 0);
    for (int i = 0; i < 400; i++)
        press(s, i % 3 ? "Left" : "x"); /* full: nothing more */
    assert_true(strlen(s->input) == s->n_input);
}

static void what_was_typed_comes_back(void **state)
{
    struct session *s = *state;
    write_text(s, ":tempo 90");
    press(s, "Enter");
    write_text(s, ":tempo 91");
    press(s, "Enter");
    write_text(s, ":tempo 91");
    press(s, "Enter t"); /* another prompt has lines of its own */
    press(s, "Up");
    assert_string_equal(s->input, "");
    write_text(s, "77");
    press(s, "Enter");
    write_text(s, ":x");
    press(s, "Up");
    assert_string_equal(s->input, "tempo 91");
    press(s, "Up");
    assert_string_equal(s->input, "tempo 90");
    press(s, "Up");
    assert_string_equal(s->input, "tempo 90");
    press(s, "Down Down");
    assert_string_equal(s->input, "x");
    press(s, "Down");
    assert_string_equal(s->input, "x");
    press(s, "Up Enter");
    assert_float_equal(timeline_bpm(&s->project.score->timeline, 0), 91, 0.01);
    for (int i = 0; i < 3 * INPUT_HISTORY; i++) {
        char line[32];
        snprintf(line, sizeof line, "%d", i);
        input_remember(s->parts.input, PROMPT_COMMAND, line);
    }
    assert_int_equal(s->parts.input->n, INPUT_HISTORY);
}

static void tab_completes_lines(void **state)
{
    struct session *s = *state;
    assert_completed(s, ":temper", "temperature ");
    press(s, "C-u");
    assert_completed(s, "temp", "temp"); /* tempo, temperature */
    assert_non_null(strstr(s->message, "temperature  tempo"));
    press(s, "C-u");
    assert_completed(s, "set fol", "set follow ");
    press(s, "C-u");
    assert_completed(s, "map C-z und", "map C-z undo ");
    press(s, "C-u");
    assert_completed(s, "no such", "no such");
    press(s, "Esc");
}

static void make(const char *name)
{
    char path[800];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (path[strlen(path) - 1] == '/')
        assert_int_equal(mkdir(path, 0700), 0);
    else
        fclose(fopen(path, "w"));
}

static void tab_completes_files(void **state)
{
    struct session *s = *state;
    char want[800];
    make("songs/");
    make("songs/fugue in C.mid");
    make("songs/fugue in D.mid");
    make("songs/.hidden.mid");
    press(s, ":");
    write_text(s, "e ");
    write_text(s, folder);
    write_text(s, "/so");
    press(s, "Tab");
    snprintf(want, sizeof want, "e %s/songs/", folder);
    assert_string_equal(s->input, want);
    press(s, "Tab");
    snprintf(want, sizeof want, "e %s/songs/fugue in ", folder);
    assert_string_equal(s->input, want);
    assert_string_equal(s->message, "fugue in C.mid  fugue in D.mid");
    press(s, "D Tab");
    snprintf(want, sizeof want, "e %s/songs/fugue in D.mid", folder);
    assert_string_equal(s->input, want);
    press(s, "Esc C-o");
    write_text(s, folder);
    write_text(s, "/songs/.");
    press(s, "Tab");
    snprintf(want, sizeof want, "%s/songs/.hidden.mid", folder);
    assert_string_equal(s->input, want);
    press(s, "C-u");
    assert_completed(s, "/no/such/folder/x", "/no/such/folder/x");
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        CASE(the_cursor_moves_and_edits), CASE(letters_stay_whole),
        CASE(what_was_typed_comes_back),  CASE(tab_completes_lines),
        CASE(tab_completes_files),
    };
    return cmocka_run_group_tests(tests, make_model, remove_model);
}
