/* The real program where nothing can be written, where folders are read-only, and without a
 * home: it says so on the screen, edits, saves where it can, and leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/kept.h"
#include "tests/app/pty.h"

#include <sys/resource.h>

static struct pty pty;

static struct pty_start poor(void (*prepare)(void))
{
    return (struct pty_start){
        .folder = kept_folder,
        .term = "xterm-256color",
        .words = {"--audio", "none", "--model", "/none", "song.mid"},
        .closed_fd = -1,
        .prepare = prepare,
    };
}

/* Words that nothing on the screen stands in the way of: they come in one piece after the
 * screen is drawn anew. */
static void see(const char *words)
{
    double until = pty_now_ms() + PTY_PATIENCE_MS;
    size_t from = pty.n;
    while (!pty_said_since(&pty, from, words) && pty_now_ms() < until) {
        from = pty.n;
        pty_keys(&pty, "\014"); /* Ctrl-L */
        pty_settle(&pty, 60);
    }
    if (!pty_said_since(&pty, from, words))
        fail_msg("never said %s, but: %s", words, pty.said + from);
}

static void begin(const struct pty_start *s)
{
    pty_open(&pty, s);
    see("NORMAL");
}

static void draw_three(void)
{
    pty_keys(&pty, "i\r\r\r\033");
    see("NORMAL");
}

static void end(const char *keys, int status)
{
    pty_keys(&pty, keys);
    assert_int_equal(pty_end(&pty), status);
    pty_assert_given_back(&pty);
    pty_close(&pty);
}

static size_t n_notes_of(const char *name)
{
    struct score *s = NULL;
    assert_int_equal(smf_load(&s, in_kept(name), NULL), MIDI_OK);
    size_t n = score_n_notes(s);
    score_destroy(s);
    return n;
}

static void put_song(void)
{
    const struct pty_start s = poor(NULL);
    begin(&s);
    draw_three();
    pty_keys(&pty, "\023"); /* Ctrl-S */
    see("saved song.mid, 3 notes");
    end("ZQ", 0);
}

/* -- full -- */

static void let_no_file_grow(void)
{
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_FSIZE, &none);
}

/* Every byte to any file fails, in all folders at once. */
static void everything_is_full(void **state)
{
    (void)state;
    const struct pty_start s = poor(let_no_file_grow);
    put_song();
    begin(&s);
    pty_keys(&pty, "$l");
    draw_three();
    see("song.mid.continuo-journal"); /* it cannot be written, and that is said */
    pty_keys(&pty, "\023");
    see("cannot");
    assert_int_equal(n_notes_of("song.mid"), 3);
    end(":q!\r", 0);
    assert_int_equal(n_notes_of("song.mid"), 3);
}

/* -- read-only -- */

/* Root may write everywhere, so it becomes somebody else. */
static void be_nobody(void)
{
    if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
        _exit(127);
}

static void folders_are_read_only(void **state)
{
    (void)state;
    const struct pty_start s = poor(be_nobody);
    put_song();
    assert_int_equal(chmod(in_kept("song.mid"), 0444), 0);
    assert_int_equal(chmod(kept_folder, 0555), 0);
    begin(&s);
    draw_three();
    see("continuo-journal");
    pty_keys(&pty, "\023");
    see("cannot");
    end(":q!\r", 0);
    assert_int_equal(chmod(kept_folder, 0755), 0);
    assert_int_equal(n_notes_of("song.mid"), 3);
}

/* -- no home -- */

static void have_no_home(void)
{
    static const char *const NAMES[] = {"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
                                        "XDG_DATA_HOME", "XDG_RUNTIME_DIR"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        unsetenv(NAMES[i]);
}

static void have_a_home_that_is_none(void)
{
    setenv("HOME", "/dev/null", 1);
    setenv("XDG_STATE_HOME", "/dev/null/state", 1);
    setenv("XDG_CONFIG_HOME", "/proc/self/mem", 1);
}

static void without_a_home_music_is_edited_and_saved(void **state)
{
    static void (*const HOMES[])(void) = {have_no_home, have_a_home_that_is_none};
    (void)state;
    for (int i = 0; i < 2; i++) {
        const struct pty_start s = poor(HOMES[i]);
        begin(&s);
        draw_three();
        pty_keys(&pty, "\023");
        see("saved song.mid, 3 notes");
        end("ZQ", 0);
        assert_int_equal(n_notes_of("song.mid"), 3);
        unlink(in_kept("song.mid"));
        unlink(in_kept("song.mid.continuo-journal"));
        unlink(in_kept("song.mid.continuo"));
    }
}

static int forget_music(void **state)
{
    (void)state;
    chmod(kept_folder, 0755);
    unlink(in_kept("song.mid"));
    unlink(in_kept("song.mid.continuo"));
    unlink(in_kept("song.mid.continuo-journal"));
    pty = (struct pty){.outer = -1, .inner = -1};
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(everything_is_full, forget_music, forget_music),
        cmocka_unit_test_setup_teardown(folders_are_read_only, forget_music,
                                        forget_music),
        cmocka_unit_test_setup_teardown(without_a_home_music_is_edited_and_saved,
                                        forget_music, forget_music),
    };
    return cmocka_run_group_tests(tests, make_kept_folder, remove_kept_folder);
}
