/* The real program in a terminal (tmux) where nothing can be written, where folders are
 * read-only, and without a home: it says so on the screen, edits, saves where it can, and
 * leaves. */
#include "tests/check.h"
#include "midi/smf/smf.h"
#include "tests/app/terminal.h"

#include <sys/stat.h>

/* `before`: a command of the shell's before it, or what it is run by. */
static void begin(const char *before)
{
    char line[1200];
    snprintf(line, sizeof line,
             "export HOME=%s XDG_STATE_HOME=%s XDG_CONFIG_HOME=%s LC_ALL=C.UTF-8; "
             "%s '%s' --audio none --model /none song.mid; echo left-with-$?; exec "
             "sleep 100",
             dir, dir, dir, before, of_environment("CONTINUO_BIN"));
    tmux("respawn-pane -k -t w \"%s\"", line);
    wait_for("NORMAL");
}

/* Three in a row, so many semitones over the middle. */
static void draw_three(int above)
{
    for (int i = 0; i < above; i++)
        keys("k");
    keys("i Enter Enter Enter Escape");
    wait_for("NORMAL");
}

static void leave(const char *words)
{
    keys(words);
    wait_for("left-with-0");
}

static size_t n_notes(void)
{
    char path[256];
    struct score *s = NULL;
    in_dir(path, "song.mid");
    assert_ok(smf_load(&s, path, NULL));
    size_t n = score_n_notes(s);
    score_destroy(s);
    return n;
}

/* A song of three notes, and the welcome of the first time over. */
FIXTURE(begin_with_a_song)
{
    make_dir("around");
    tmux("new-session -d -s w -x 100 -y 30 -c %s 'sleep 100'", dir);
    begin("");
    draw_three(0);
    keys("C-s");
    wait_for("saved song.mid, 3 notes");
    leave("ZQ");
    return 0;
}

static int end(void **state)
{
    chmod(dir, 0755);
    return end_terminal(state);
}

static void assert_goes_on_unwritten(const char *surroundings)
{
    begin(surroundings);
    draw_three(1);
    wait_for("not kept");
    keys("C-s");
    wait_for("song.mid cannot be written");
    leave("':q!' Enter");
    assert_int_equal(n_notes(), 3);
}

/* Every byte to any file fails, in all folders at once. Not where TSan watches, which
 * writes a file of its own before the program begins. */
TEST_IN(everything_is_full, begin_with_a_song, end)
{
    const char *flavour = getenv("FLAVOUR");
    if (flavour && !strcmp(flavour, "tsan"))
        skip();
    assert_goes_on_unwritten("ulimit -f 0;");
}

/* Root may write everywhere, so it becomes somebody else. */
TEST_IN(folders_are_read_only, begin_with_a_song, end)
{
    char path[256];
    in_dir(path, "song.mid");
    assert_ok(chmod(path, 0444));
    assert_ok(chmod(dir, 0555));
    assert_goes_on_unwritten(
        geteuid() ? "" : "setpriv --reuid=65534 --regid=65534 --clear-groups");
}

TEST_IN(without_a_home_music_is_edited_and_saved, begin_with_a_song, end)
{
    static const char *const HOMES[] = {
        "env -u HOME -u XDG_STATE_HOME -u XDG_CONFIG_HOME",
        "env HOME=/dev/null XDG_STATE_HOME=/dev/null/x XDG_CONFIG_HOME=/proc/self/mem"};
    for (int i = 0; i < 2; i++) {
        char saved[64];
        begin(HOMES[i]);
        draw_three(i + 1);
        keys("C-s");
        snprintf(saved, sizeof saved, "saved song.mid, %d notes", 6 + 3 * i);
        wait_for(saved);
        leave("ZQ");
        assert_int_equal(n_notes(), 6 + 3 * i);
    }
}
