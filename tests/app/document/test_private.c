/* Private music stays private: its store, its log, what is saved from it under another name,
 * and what the verbs make of it, whatever the umask, also when its mode changes meanwhile. */
#include "tests/check.h"
#include "tests/app/kept.h"

static int umask_zero(void **state)
{
    umask(0);
    return make_own_folder(state);
}

/* "‹mode 600 a.mid ...›" */
WORD(mode)
{
    char name[100];
    const mode_t mode = (mode_t)strtoul(arguments, (char **)&arguments, 8);
    for (int n; sscanf(arguments, "%99s%n", name, &n) == 1; arguments += n)
        if (mode_of(name) != mode)
            WRONG("%s: %o, not %o", name, (unsigned)mode_of(name), (unsigned)mode);
}

/* As once a second. */
WORD(look)
{
    writer_look(s->project.autosave.writer);
    writer_settle(s->project.autosave.writer);
}

/* A store from when everybody could read the music. */
SCRIPT(a_store_follows_when_it_is_opened, empty_session) = {
    {"‹saved2 a.mid›‹leave›‹mode 666 a.mid.continuo›‹sh chmod 600 a.mid›"},
    {"‹open a.mid›‹mode 600 a.mid.continuo›‹draw 1›‹settle›‹mode 600 "
     "a.mid.continuo-wal›"},
    {"‹leave›‹sh chmod 640 a.mid›‹open a.mid›‹leave›‹mode 640 a.mid.continuo›"},
};

/* Before the next edit is written, and without one. */
SCRIPT(it_follows_while_it_is_open, empty_session) = {
    {"‹saved2 b.mid›‹settle›‹mode 666 b.mid.continuo›‹sh chmod 600 b.mid›‹draw 1›"
     "‹settle›‹mode 600 b.mid.continuo b.mid.continuo-wal›"},
    {"‹sh chmod 604 b.mid›:w\r‹settle›‹mode 604 b.mid b.mid.continuo "
     "b.mid.continuo-wal›"},
    {"‹sh chmod 400 b.mid›‹look›‹mode 600 b.mid.continuo b.mid.continuo-wal›"},
};

SCRIPT(a_copy_is_as_private, empty_session) = {
    {"‹saved2 c.mid›‹saved1 there.mid›‹sh chmod 600 c.mid›‹open c.mid›‹draw 1›"
     "‹file w copy.mid›‹settle›‹mode 600 copy.mid copy.mid.continuo›"},
    {"‹open c.mid›‹file w! there.mid›‹settle›" /* which everybody could read */
     "‹mode 600 there.mid there.mid.continuo›"},
    {"‹open d.mid›‹draw 1›‹file w d.mid›‹settle›" /* music of its own */
     "‹mode 666 d.mid d.mid.continuo›"},
};

/* A store that was put aside is opened as music without a name. */
SCRIPT(so_is_what_was_put_aside, empty_session) = {
    {"‹saved2 aside.mid›‹draw 1›‹settle›‹leave›‹sh chmod 600 aside.mid›"},
    {"‹open aside.mid›‹leave›‹sh mv aside.mid.continuo aside.mid.continuo.1›"},
    {"‹open aside.mid.continuo.1›‹file w out-of-aside.mid›‹mode 600 out-of-aside.mid›"},
};

/* A group that the user is not of is given by root alone; others get what it and all others
 * may both do. */
TEST_WITH(the_group_follows, empty_session)
{
    if (geteuid())
        skip();
    play(s,
         "‹saved2 g.mid›‹leave›‹sh chgrp 54321 g.mid && chmod 640 g.mid›‹open g.mid›"
         "‹draw 1›‹settle›‹mode 640 g.mid.continuo›"
         "‹sh stat -c %g g.mid.continuo* | sort -u | grep -x 54321›",
         NULL, NULL);
    play(
        s,
        "‹file w! g2.mid›‹mode 600 g2.mid›" /* its group is another; that is kept out */
        "‹sh chgrp 54321 g2.mid && chmod 604 g2.mid›‹draw 1›‹settle›"
        "‹mode 604 g2.mid.continuo›‹sh stat -c %g g2.mid.continuo | grep -x 54321›",
        NULL, NULL);
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

SCRIPT(what_verbs_make_of_it_is_private, empty_session) = {
    {"‹saved2 v.mid›‹saved2 open.mid›‹leave›‹sh chmod 600 v.mid && C=$CONTINUO_BIN && "
     "$C copy v.mid -o w.mid && $C copy open.mid -o x.mid && $C render v.mid -o "
     "v.wav›"},
    {"‹mode 600 w.mid v.wav›‹mode 666 x.mid›"},
};

/* Whether its file is there yet or not; a circle of links is refused. A new file is as the
 * umask has it. */
SCRIPT(links_are_written_through, empty_session) = {
    {"‹sh mkdir to && ln -s to/far.mid link.mid && ln -s circle.mid circle.mid›"},
    {"‹draw 1›‹file w! link.mid›", "kept", "~saved"},
    {"‹sh test -L link.mid && cp to/far.mid was.mid›‹draw 1›:w\r", "", "~saved"},
    {"‹sh test -L link.mid && ! cmp to/far.mid was.mid›‹file w! circle.mid›", "", "!"},
    {"‹sh test -L circle.mid && umask 027 && $CONTINUO_BIN copy link.mid -o new.mid›"
     "‹mode 640 new.mid›"},
};

GROUP(umask_zero, remove_own_folder)
