/* Private music stays private: its store, its log, what is saved from it under another name,
 * and what the verbs make of it, whatever the umask, also when its mode changes meanwhile. */
#include "tests/check.h"
#include "tests/app/kept.h"
#include "tests/app/program_home.h"
#include "midi/base/file.h"

enum { SOME_GROUP = 54321 };

static void assert_mode(const char *name, mode_t mode)
{
    if (mode_of(name) != mode)
        fail_msg("%s: %o, not %o", name, (unsigned)mode_of(name), (unsigned)mode);
}

static gid_t group_of(const char *name)
{
    struct stat st;
    assert_ok(stat(in_folder(name), &st));
    return st.st_gid;
}

static int umask_zero(void **state)
{
    umask(0);
    return make_own_folder(state);
}

/* A store from when everybody could read the music. */
TEST_WITH(a_store_follows_when_it_is_opened, empty_session)
{
    keys(s, "‹saved2 a.mid›‹leave›");
    assert_mode("a.mid.continuo", 0666);
    assert_ok(chmod(in_folder("a.mid"), 0600));
    keys(s, "‹open a.mid›");
    assert_mode("a.mid.continuo", 0600);
    keys(s, "‹draw 1›‹settle›");
    assert_mode("a.mid.continuo-wal", 0600);
    keys(s, "‹leave›");
    assert_ok(chmod(in_folder("a.mid"), 0640));
    keys(s, "‹open a.mid›‹leave›");
    assert_mode("a.mid.continuo", 0640);
}

/* Before the next edit is written, and without one. */
TEST_WITH(it_follows_while_it_is_open, empty_session)
{
    keys(s, "‹saved2 b.mid›‹settle›");
    assert_mode("b.mid.continuo", 0666);
    assert_ok(chmod(in_folder("b.mid"), 0600));
    keys(s, "‹draw 1›‹settle›");
    assert_mode("b.mid.continuo", 0600);
    assert_mode("b.mid.continuo-wal", 0600);
    assert_ok(chmod(in_folder("b.mid"), 0604));
    obeyed(s, "w");
    settle(s);
    assert_mode("b.mid.continuo", 0604);
    assert_mode("b.mid.continuo-wal", 0604);
    assert_mode("b.mid", 0604);
    assert_ok(chmod(in_folder("b.mid"), 0400));
    writer_look(s->project.autosave.writer); /* as once a second */
    writer_settle(s->project.autosave.writer);
    assert_mode("b.mid.continuo", 0600);
    assert_mode("b.mid.continuo-wal", 0600);
}

TEST_WITH(a_copy_is_as_private, empty_session)
{
    keys(s, "‹saved2 c.mid›‹saved1 there.mid›");
    assert_ok(chmod(in_folder("c.mid"), 0600));
    keys(s, "‹open c.mid›‹draw 1›‹file w copy.mid›‹settle›");
    assert_mode("copy.mid", 0600);
    assert_mode("copy.mid.continuo", 0600);
    keys(s, "‹open c.mid›‹file w! there.mid›‹settle›"); /* which everybody could read */
    assert_mode("there.mid", 0600);
    assert_mode("there.mid.continuo", 0600);
    keys(s, "‹open d.mid›‹draw 1›‹file w d.mid›‹settle›"); /* music of its own */
    assert_mode("d.mid", 0666);
    assert_mode("d.mid.continuo", 0666);
}

/* A store that was put aside is opened as music without a name. */
TEST_WITH(so_is_what_was_put_aside, empty_session)
{
    keys(s, "‹saved2 aside.mid›‹draw 1›‹settle›‹leave›");
    assert_ok(chmod(in_folder("aside.mid"), 0600));
    keys(s, "‹open aside.mid›‹leave›");
    assert_ok(
        rename(in_folder("aside.mid.continuo"), in_folder("aside.mid.continuo.1")));
    keys(s, "‹open aside.mid.continuo.1›‹file w out-of-aside.mid›");
    assert_mode("out-of-aside.mid", 0600);
}

/* A group that the user is not of is given by root alone; others get what it and all others
 * may both do. */
TEST_WITH(the_group_follows, empty_session)
{
    if (geteuid())
        skip();
    keys(s, "‹saved2 g.mid›‹leave›");
    assert_ok(chown(in_folder("g.mid"), (uid_t)-1, SOME_GROUP));
    assert_ok(chmod(in_folder("g.mid"), 0640));
    keys(s, "‹open g.mid›‹draw 1›‹settle›");
    assert_int_equal(group_of("g.mid.continuo"), SOME_GROUP);
    assert_int_equal(group_of("g.mid.continuo-wal"), SOME_GROUP);
    assert_mode("g.mid.continuo", 0640);
    keys(s, "‹file w! g2.mid›");
    assert_mode("g2.mid", 0600); /* its group is another */
    assert_ok(chown(in_folder("g2.mid"), (uid_t)-1, SOME_GROUP));
    assert_ok(chmod(in_folder("g2.mid"), 0604)); /* that group is kept out */
    keys(s, "‹draw 1›‹settle›");
    assert_int_equal(group_of("g2.mid.continuo"), SOME_GROUP);
    assert_mode("g2.mid.continuo", 0604);
}

TEST(a_mode_within_another)
{
    const struct stat of = {.st_mode = S_IFREG | 0640, .st_gid = 7},
                      kept_out = {.st_mode = S_IFREG | 0604, .st_gid = 7},
                      shared = {.st_mode = S_IFREG | 0664, .st_gid = 7};
    assert_int_equal(file_mode_within("/none", &of, 7), 0640);
    assert_int_equal(file_mode_within("/none", &of, 8), 0600);
    assert_int_equal(file_mode_within("/none", &kept_out, 8), 0600);
    assert_int_equal(file_mode_within("/none", &shared, 8), 0644);
}

TEST_WITH(what_verbs_make_of_it_is_private, empty_session)
{
    keys(s, "‹saved2 v.mid›‹saved2 open.mid›‹leave›");
    assert_ok(chmod(in_folder("v.mid"), 0600));
    home_of_program = getenv("CONTINUO_HOME");
    assert_done("copy v.mid -o w.mid");
    assert_done("copy open.mid -o x.mid");
    assert_done("render v.mid -o v.wav");
    assert_mode("w.mid", 0600);
    assert_mode("v.wav", 0600);
    assert_mode("x.mid", 0666);
}

GROUP(umask_zero, remove_own_folder)
