/* The real program at a terminal where nothing can be written, where folders are
 * read-only, and without a home: it says so on the screen, edits, saves where it can, and
 * leaves. */
#include "tests/check.h"
#include "tests/app/terminal.h"

/* `before`: a command of the shell's before it, and what it is run by. */
static void begin(const char *before)
{
    term_open(100, 30);
    term_run(formatted("%s $C --audio none --model /none song.mid", before));
    wait_to_see("NORMAL");
}

/* Three in a row, so many semitones over the middle. */
static void draw_three(int above)
{
    for (int i = 0; i < above; i++)
        type("k");
    type("i\r\r\r");
    wait_to_see("DRAW");
    type("\033");
    wait_to_see("NORMAL");
}

static void leave(const char *keys)
{
    type(keys);
    assert_ends_with(0);
    term_close(NULL);
}

static size_t n_notes(void)
{
    struct score *s = load_score("song.mid");
    size_t n = score_n_notes(s);
    score_destroy(s);
    return n;
}

/* A song of three notes, and the welcome of the first time over. */
FIXTURE(begin_with_a_song)
{
    if (make_own_folder(state))
        return -1;
    begin("exec");
    draw_three(0);
    type("\023"); /* Ctrl-S */
    wait_to_see("saved song.mid, 3 notes");
    leave("ZQ");
    return 0;
}

static int end(void **state)
{
    term_close(state);
    chmod(folder, 0755);
    return remove_own_folder(state);
}

static void assert_goes_on_unwritten(const char *surroundings)
{
    begin(surroundings);
    draw_three(1);
    wait_to_see("not kept");
    type("\023");
    wait_to_see("song.mid cannot be written");
    leave(":q!\r");
    assert_int_equal(n_notes(), 3);
}

/* Every byte to any file fails, in all folders at once. Not where TSan watches, which
 * writes a file of its own before the program begins. */
TEST_IN(everything_is_full, begin_with_a_song, end)
{
    const char *flavour = getenv("FLAVOUR");
    if (flavour && !strcmp(flavour, "tsan"))
        skip();
    assert_goes_on_unwritten("ulimit -f 0; exec");
}

/* Root may write everywhere, so it becomes somebody else. */
TEST_IN(folders_are_read_only, begin_with_a_song, end)
{
    assert_ok(chmod(in_folder("song.mid"), 0444));
    assert_ok(chmod(folder, 0555));
    assert_goes_on_unwritten(
        geteuid() ? "exec" : "exec setpriv --reuid=65534 --regid=65534 --clear-groups");
}

TEST_IN(without_a_home_music_is_edited_and_saved, begin_with_a_song, end)
{
    static const char *const HOMES[] = {
        "exec env -u HOME -u XDG_STATE_HOME -u XDG_CONFIG_HOME",
        "exec env HOME=/dev/null XDG_STATE_HOME=/dev/null/x "
        "XDG_CONFIG_HOME=/proc/self/mem"};
    for (int i = 0; i < 2; i++) {
        begin(HOMES[i]);
        draw_three(i + 1);
        type("\023");
        wait_to_see(formatted("saved song.mid, %d notes", 6 + 3 * i));
        leave("ZQ");
        assert_int_equal(n_notes(), 6 + 3 * i);
    }
}
