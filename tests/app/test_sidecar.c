/* What is kept beside the music: that it comes back, that files which are damaged, made
 * to hurt or somebody else's are refused as a whole and kept, and the workstation's
 * saving and opening with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/sidecar.h"
#include "tests/app/headless.h"

#include <sys/stat.h>

static const char *in_folder(const char *name)
{
    static char paths[4][700];
    static int turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static bool exists(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

/* A new file each time: what is written over is flushed to the disk by ext4. */
static void put(const char *path, const char *bytes, size_t n)
{
    unlink(path);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static char *get(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("%s is missing", path);
    char *bytes = calloc(1, 1 << 16);
    assert_non_null(bytes);
    *n = fread(bytes, 1, (1 << 16) - 1, f);
    fclose(f);
    return bytes;
}

static void assert_holds(const char *path, const char *text)
{
    size_t n;
    char *bytes = get(path, &n);
    assert_string_equal(bytes, text);
    free(bytes);
}

/* No value as learnt, and texts, big numbers and fractions among them. */
static struct sidecar full(void)
{
    static const char *const VALUES[] = {
        "1.15", "0.9",  "0.02",     "18446744073709551615",
        "8",    "folk", "F# minor", "pitches",
        "0.25", "2.83", "3",        "0.354",
        "Eb3",  "on",   "4",        "17",
        "4",
    };
    struct sidecar s;
    sidecar_init(&s);
    for (size_t i = 0; i < sizeof VALUES / sizeof VALUES[0]; i++)
        assert_true(steer_set(steer_row((int)i), &s.steering, VALUES[i]));
    return s;
}

static void assert_same(const struct steering *a, const struct steering *b)
{
    char told[200];
    steer_tell(a, b, told, sizeof told);
    assert_string_equal(told, "");
}

static void it_comes_back(void **state)
{
    (void)state;
    char why[SIDECAR_WHY_BYTES];
    struct sidecar s = full(), t;
    const char *midi = in_folder("back.mid");
    assert_int_equal(sidecar_load(&t, midi, why), SIDECAR_NONE);
    assert_same(&t.steering, &STEERING_DEFAULT);
    assert_int_equal(sidecar_save(&s, midi, why), SIDECAR_OK);
    assert_int_equal(sidecar_load(&t, midi, why), SIDECAR_OK);
    assert_same(&t.steering, &s.steering);
    assert_true(t.steering.temperature == s.steering.temperature &&
                t.steering.note_length == s.steering.note_length);
    sidecar_init(
        &s); /* as learnt again: the file is there and must not say otherwise */
    assert_int_equal(sidecar_save(&s, midi, why), SIDECAR_OK);
    assert_int_equal(sidecar_load(&t, midi, why), SIDECAR_OK);
    assert_same(&t.steering, &STEERING_DEFAULT);
}

static void nothing_to_keep_makes_no_file(void **state)
{
    (void)state;
    char why[SIDECAR_WHY_BYTES];
    struct sidecar s;
    sidecar_init(&s);
    assert_int_equal(sidecar_save(&s, in_folder("none.mid"), why), SIDECAR_NONE);
    assert_false(exists(in_folder("none.mid.continuo")));
}

static void permissions_stay(void **state)
{
    (void)state;
    char why[SIDECAR_WHY_BYTES];
    struct sidecar s = full();
    struct stat st;
    const char *midi = in_folder("mode.mid"), *path = in_folder("mode.mid.continuo");
    assert_int_equal(sidecar_save(&s, midi, why), SIDECAR_OK);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(sidecar_save(&s, midi, why), SIDECAR_OK);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
}

static void what_is_not_known_does_no_harm(void **state)
{
    (void)state;
    static const char TEXT[] =
        "{\"later\": [1, {\"a\": null}], \"continuo\": 1,\n"
        " \"steering\": {\"colour\": \"red\", \"density\": 2, \"takes\": \"3\"}}";
    char why[SIDECAR_WHY_BYTES];
    struct sidecar s;
    put(in_folder("later.mid.continuo"), TEXT, strlen(TEXT));
    assert_int_equal(sidecar_load(&s, in_folder("later.mid"), why), SIDECAR_OK);
    assert_true(s.steering.density == 2);
    assert_int_equal(s.steering.n_takes, 3);
}

static void hostile_files_are_refused(void **state)
{
    (void)state;
    static const char *const FILES[][2] = {
        {"", "no whole JSON"},
        {"{\"continuo\": 1", "no whole JSON"},
        {"{\"continuo\": 1} more", "no whole JSON"},
        {"[1]", "not one of continuo's"},
        {"null", "not one of continuo's"},
        {"{}", "not one of continuo's"},
        {"{\"continuo\": \"1\"}", "not one of continuo's"},
        {"{\"continuo\": 0}", "not one of continuo's"},
        {"{\"continuo\": 2}", "a newer continuo wrote it"},
        {"{\"continuo\": 1, \"steering\": [1]}", "its steering is no object"},
        {"{\"continuo\": 1, \"steering\": {\"voices\": 9}}", "voices wants a whole"},
        {"{\"continuo\": 1, \"steering\": {\"voices\": 1.5}}", "voices wants"},
        {"{\"continuo\": 1, \"steering\": {\"voices\": {}}}", "voices wants"},
        {"{\"continuo\": 1, \"steering\": {\"voices\": null}}", "voices wants"},
        {"{\"continuo\": 1, \"steering\": {\"density\": -1e999}}", "density wants"},
        {"{\"continuo\": 1, \"steering\": {\"density\": 2, \"seed\": -4}}",
         "seed wants"},
        {"{\"continuo\": 1, \"steering\": {\"style\": \"\\u001b[2J\"}}", "style wants"},
        {"{\"continuo\": 1, \"steering\": {\"style\": "
         "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}}",
         "style wants"},
        {"{\"continuo\": 1, \"loop\": {\"from\": 5, \"to\": 5, \"on\": 1}}",
         "loop is no"},
        {"{\"continuo\": 1, \"loop\": {\"from\": -1, \"to\": 5, \"on\": 1}}",
         "loop is no"},
        {"{\"continuo\": 1, \"loop\": {\"from\": 0, \"to\": 1e300, \"on\": 1}}",
         "loop is no"},
        {"{\"continuo\": 1, \"loop\": {\"from\": 0, \"to\": \"9.5\", \"on\": 1}}",
         "loop is no"},
        {"{\"continuo\": 1, \"loop\": {\"from\": 0, \"to\": 9}}", "loop is no"},
    };
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        char why[SIDECAR_WHY_BYTES] = "";
        struct sidecar s = full();
        put(in_folder("bad.mid.continuo"), FILES[i][0], strlen(FILES[i][0]));
        assert_int_equal(sidecar_load(&s, in_folder("bad.mid"), why), SIDECAR_FAILED);
        if (!strstr(why, FILES[i][1]))
            fail_msg("%s: %s", FILES[i][0], why);
        assert_same(&s.steering, &STEERING_DEFAULT);
    }
}

static void deep_and_large_files_are_refused(void **state)
{
    (void)state;
    enum { DEEP = 1 << 20 };
    char why[SIDECAR_WHY_BYTES];
    struct sidecar s;
    char *deep = malloc(DEEP);
    assert_non_null(deep);
    memset(deep, '[', DEEP);
    put(in_folder("deep.mid.continuo"), deep, DEEP);
    free(deep);
    assert_int_equal(sidecar_load(&s, in_folder("deep.mid"), why), SIDECAR_FAILED);
    put(in_folder("large.mid.continuo"), "{", 1);
    assert_int_equal(truncate(in_folder("large.mid.continuo"), (off_t)1 << 40), 0);
    assert_int_equal(sidecar_load(&s, in_folder("large.mid"), why), SIDECAR_FAILED);
    assert_string_equal(why, "it is too large");
}

/* Neither waits, nor goes away. */
static void what_is_no_file_stays(void **state)
{
    (void)state;
    char why[SIDECAR_WHY_BYTES];
    struct sidecar s = full(), t;
    assert_int_equal(mkfifo(in_folder("pipe.mid.continuo"), 0600), 0);
    assert_int_equal(mkdir(in_folder("folder.mid.continuo"), 0700), 0);
    static const char *const NAMES[] = {"pipe.mid", "folder.mid"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sidecar_load(&t, in_folder(NAMES[i]), why), SIDECAR_FAILED);
        assert_string_equal(why, "it is no regular file");
        assert_int_equal(sidecar_save(&s, in_folder(NAMES[i]), why), SIDECAR_FAILED);
    }
    assert_true(exists(in_folder("pipe.mid.continuo")));
    assert_true(exists(in_folder("folder.mid.continuo")));
    assert_int_equal(sidecar_save(&s, in_folder("no/such/folder.mid"), why),
                     SIDECAR_FAILED);
}

static void a_damaged_one_is_kept(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"mine, not JSON", "{\"continuo\": 7}"};
    char why[SIDECAR_WHY_BYTES];
    struct sidecar s = full(), t;
    const char *midi = in_folder("kept.mid");
    for (int i = 0; i < 2; i++) {
        put(in_folder("kept.mid.continuo"), TEXTS[i], strlen(TEXTS[i]));
        assert_int_equal(sidecar_save(&s, midi, why), SIDECAR_OK);
        assert_int_equal(sidecar_load(&t, midi, why), SIDECAR_OK);
        assert_same(&t.steering, &s.steering);
    }
    assert_holds(in_folder("kept.mid.continuo.bad"), TEXTS[0]);
    assert_holds(in_folder("kept.mid.continuo.bad-2"), TEXTS[1]);
}

static uint32_t noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Bytes changed, cut out or doubled. It is read, or refused as a whole; what is read
 * can be written again. */
static void mutations_are_read_or_refused(void **state)
{
    (void)state;
    char why[SIDECAR_WHY_BYTES];
    uint32_t seed = 3;
    size_t n, n_read = 0;
    struct sidecar s = full();
    assert_int_equal(sidecar_save(&s, in_folder("m.mid"), why), SIDECAR_OK);
    char *good = get(in_folder("m.mid.continuo"), &n), *bad = malloc(2 * n);
    assert_non_null(bad);
    for (int i = 0; i < 600; i++) {
        size_t at = noise(&seed) % n, from = noise(&seed) % n, k = n;
        memcpy(bad, good, n);
        for (uint32_t times = noise(&seed) % 4 + 1; times; times--)
            bad[noise(&seed) % n] = "{}[]\",:0123456789eE-.\\\0x"[noise(&seed) % 24];
        if (i % 3 == 1)
            k = at;
        if (i % 3 == 2) {
            memcpy(bad + at, good + from, n - from);
            k = at + n - from;
        }
        put(in_folder("m.mid.continuo"), bad, k);
        enum sidecar_status st = sidecar_load(&s, in_folder("m.mid"), why);
        if (st == SIDECAR_OK) {
            n_read++;
            assert_int_equal(sidecar_save(&s, in_folder("m.mid"), why), SIDECAR_OK);
        } else {
            assert_same(&s.steering, &STEERING_DEFAULT);
        }
    }
    assert_true(n_read > 0 && n_read < 300);
    free(bad);
    free(good);
}

/* -- in the workstation -- */

static int open_session(void **state)
{
    *state = headless_open();
    return *state ? 0 : -1;
}

static void type(struct session *s, const char *line)
{
    act_command_line(s, line);
}

static void save_as(struct session *s, const char *name)
{
    assert_true(act_save_as(s, in_folder(name), true));
}

static void settings_are_saved_with_the_piece(void **state)
{
    struct session *s = *state;
    type(s, "density 2");
    type(s, "seed 77");
    run(s, CMD_TOGGLE_NOTE);
    save_as(s, "piece.mid");
    assert_false(s->message_is_error);
    type(s, "density 4");
    save_as(s, "other.mid");
    session_open(s, in_folder("piece.mid"));
    assert_true(s->steering.density == 2 && s->steering.seed == 77);
    assert_int_equal(s->steering.style, STYLE_ANY); /* headless.h */
    session_open(s, in_folder("other.mid"));
    assert_true(s->steering.density == 4);
    session_open(s, in_folder("new.mid")); /* another piece is asked for as learnt, */
    type(s, "seed 77");                    /* but for the dice */
    assert_true(s->steering.density == 0 && s->steering.seed == 77);
    assert_int_equal(s->steering.style, CONTINUATION_STYLE_GUESS);
}

static void damaged_settings_are_said_and_kept(void **state)
{
    struct session *s = *state;
    run(s, CMD_TOGGLE_NOTE);
    save_as(s, "hurt.mid");
    put(in_folder("hurt.mid.continuo"), "{", 1);
    session_open(s, in_folder("hurt.mid"));
    assert_true(s->message_is_error);
    assert_string_equal(s->message, "opened, but not what is in hurt.mid.continuo:"
                                    " it is no whole JSON");
    assert_int_equal(score_n_notes(s->project.score), 1);
    type(s, "density 2");
    assert_true(act_save_as(s, NULL, false));
    assert_false(s->message_is_error);
    assert_holds(in_folder("hurt.mid.continuo.bad"), "{");
    session_open(s, in_folder("hurt.mid"));
    assert_true(s->steering.density == 2);
}

static void the_music_is_saved_even_so(void **state)
{
    struct session *s = *state;
    assert_int_equal(mkdir(in_folder("alone.mid.continuo"), 0700), 0);
    run(s, CMD_TOGGLE_NOTE);
    type(s, "density 2");
    save_as(s, "alone.mid");
    assert_true(s->message_is_error);
    assert_non_null(strstr(s->message, "saved, but not all that belongs in"));
    assert_false(project_modified(&s->project));
    assert_true(exists(in_folder("alone.mid")));
}

int main(void)
{
#define IN_SESSION(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_comes_back),
        cmocka_unit_test(nothing_to_keep_makes_no_file),
        cmocka_unit_test(permissions_stay),
        cmocka_unit_test(what_is_not_known_does_no_harm),
        cmocka_unit_test(hostile_files_are_refused),
        cmocka_unit_test(deep_and_large_files_are_refused),
        cmocka_unit_test(what_is_no_file_stays),
        cmocka_unit_test(a_damaged_one_is_kept),
        cmocka_unit_test(mutations_are_read_or_refused),
        IN_SESSION(settings_are_saved_with_the_piece),
        IN_SESSION(damaged_settings_are_said_and_kept),
        IN_SESSION(the_music_is_saved_even_so),
    };
    return cmocka_run_group_tests(tests, make_model, remove_model);
}
