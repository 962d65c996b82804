/* How notes are quantised and humanised comes back with the piece. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/session.h"
#include "app/sidecar_groove.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/continuo-groove-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"a.mid", "a.mid.continuo"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, NAMES[i]);
        unlink(path);
    }
    return rmdir(folder);
}

static struct session *open_session(void)
{
    struct session *s = malloc(sizeof *s);
    struct session_options o = {.driver = "none",
                                .model = "/nonexistent.safetensors",
                                .n_threads = 1,
                                .wake_fd = -1};
    assert_non_null(s);
    assert_int_equal(session_init(s, &o), MIDI_OK);
    session_resize(s, 80, 24);
    return s;
}

static void close_session(struct session *s)
{
    session_fini(s);
    free(s);
}

static void it_is_kept_beside_the_music(void **state)
{
    (void)state;
    char path[128], text[GROOVE_TEXT];
    snprintf(path, sizeof path, "%s/a.mid", folder);
    struct session *s = open_session();
    act_command_line(s, "quantise 70% start end swing 60");
    act_command_line(s, "humanise 25ms 9 seed 4");
    assert_true(act_save_as(s, path, false));
    close_session(s);
    s = open_session();
    session_open(s, path);
    assert_string_equal(groove_format(&s->groove, text), "70% start end swing 60");
    assert_true(s->humanise.ms == 25);
    assert_int_equal(s->humanise.velocity, 9);
    assert_int_equal(s->humanise.seed, HUMANISE_DEFAULT.seed);
    close_session(s);
}

static void as_it_comes_says_nothing(void **state)
{
    (void)state;
    cJSON *to = cJSON_CreateObject();
    assert_true(sidecar_groove_write(to, &GROOVE_DEFAULT, &HUMANISE_DEFAULT));
    assert_null(to->child);
    cJSON_Delete(to);
}

static void what_is_wrong_changes_nothing(void **state)
{
    (void)state;
    static const char *const BAD[] = {"{\"quantise\": 80}",
                                      "{\"quantise\": \"80% swing 90\"}",
                                      "{\"ms\": -1}",
                                      "{\"ms\": 1e300}",
                                      "{\"ms\": \"10\"}",
                                      "{\"velocity\": 128}",
                                      "{\"quantise\": \"50%\", \"velocity\": []}"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        struct groove g = GROOVE_DEFAULT;
        struct humanise h = HUMANISE_DEFAULT;
        cJSON *from = cJSON_Parse(BAD[i]);
        assert_non_null(from);
        assert_non_null(sidecar_groove_read(&g, &h, from));
        assert_int_equal(g.strength, GROOVE_DEFAULT.strength);
        assert_true(h.ms == HUMANISE_DEFAULT.ms);
        cJSON_Delete(from);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_kept_beside_the_music),
        cmocka_unit_test(as_it_comes_says_nothing),
        cmocka_unit_test(what_is_wrong_changes_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
