/* Loading from and saving to real folders: links, permissions, pipes, a disk
 * that fills up. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/midi/edit/smf_bytes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

BYTES(SONG, HEADER(0, 1, 96), TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, END));

/* Every test runs in a fresh folder, which is the current one. */
static char folder[64];

static int enter_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/continuo-smf-XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int count_files(void)
{
    int n = 0;
    DIR *d = opendir(".");
    for (struct dirent *e; d && (e = readdir(d));)
        n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    if (d)
        closedir(d);
    return n;
}

static int leave_folder(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"a.mid", "b.mid", "link", "dir/a.mid", "pipe"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        unlink(NAMES[i]);
    rmdir("dir");
    int left = count_files();
    return chdir("/") || rmdir(folder) || left ? -1 : 0;
}

static void put_file(const char *name, const void *bytes, size_t n)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

static void assert_file(const char *name, const void *bytes, size_t n)
{
    char found[4096];
    FILE *f = fopen(name, "rb");
    assert_non_null(f);
    assert_int_equal(fread(found, 1, sizeof found, f), n);
    assert_memory_equal(found, bytes, n);
    fclose(f);
}

static void loads_what_it_saves(void **state)
{
    (void)state;
    struct score *s = read_bytes(SONG, sizeof SONG, NULL), *again;
    assert_int_equal(smf_save(s, "a.mid"), MIDI_OK);
    assert_file("a.mid", SONG, sizeof SONG);
    assert_int_equal(smf_load(&again, "a.mid", NULL), MIDI_OK);
    assert_true(score_equal(s, again));
    assert_int_equal(count_files(), 1);
    score_destroy(again);
    score_destroy(s);
}

static void keeps_permissions(void **state)
{
    (void)state;
    struct stat about;
    struct score *s = read_bytes(SONG, sizeof SONG, NULL);
    mode_t mask = umask(027);
    assert_int_equal(smf_save(s, "b.mid"), MIDI_OK);
    umask(mask);
    stat("b.mid", &about);
    assert_int_equal(about.st_mode & 07777, 0640);

    put_file("a.mid", "old", 3);
    chmod("a.mid", 0604);
    assert_int_equal(smf_save(s, "a.mid"), MIDI_OK);
    stat("a.mid", &about);
    assert_int_equal(about.st_mode & 07777, 0604);
    assert_file("a.mid", SONG, sizeof SONG);
    score_destroy(s);
}

static void saves_through_links(void **state)
{
    (void)state;
    struct stat about;
    struct score *s = read_bytes(SONG, sizeof SONG, NULL);
    mkdir("dir", 0755);
    assert_int_equal(symlink("dir/a.mid", "link"), 0);
    for (int i = 0; i < 2; i++) { /* to a file that is not there, then is */
        assert_int_equal(smf_save(s, "link"), MIDI_OK);
        lstat("link", &about);
        assert_true(S_ISLNK(about.st_mode));
        assert_file("dir/a.mid", SONG, sizeof SONG);
    }
    unlink("link");
    assert_int_equal(symlink("link", "link"), 0);
    assert_int_equal(smf_save(s, "link"), MIDI_CANNOT_WRITE);
    assert_int_equal(errno, ELOOP);
    score_destroy(s);
}

static void refuses_what_is_no_file(void **state)
{
    (void)state;
    struct score *s, *song = read_bytes(SONG, sizeof SONG, NULL);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    mkdir("dir", 0755);
    assert_int_equal(smf_load(&s, "pipe", NULL), MIDI_NOT_REGULAR);
    assert_int_equal(smf_load(&s, "dir", NULL), MIDI_NOT_REGULAR);
    assert_int_equal(smf_load(&s, "/dev/null", NULL), MIDI_NOT_REGULAR);
    assert_int_equal(smf_load(&s, "nothing", NULL), MIDI_NO_FILE);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(smf_save(song, "pipe"), MIDI_NOT_REGULAR);
    assert_int_equal(smf_save(song, "dir"), MIDI_NOT_REGULAR);
    assert_int_equal(smf_save(song, "nowhere/a.mid"), MIDI_CANNOT_WRITE);
    assert_int_equal(errno, ENOENT);
    score_destroy(song);
}

static void refuses_huge_files_unread(void **state)
{
    (void)state;
    struct score *s;
    put_file("a.mid", SONG, sizeof SONG);
    assert_int_equal(truncate("a.mid", ((off_t)256 << 20) + 1), 0); /* sparse */
    assert_int_equal(smf_load(&s, "a.mid", NULL), MIDI_TOO_BIG);
}

static void leaves_the_old_file_when_the_disk_is_full(void **state)
{
    (void)state;
    struct rlimit old, full;
    struct score *s = read_bytes(SONG, sizeof SONG, NULL);
    put_file("a.mid", "old", 3);
    getrlimit(RLIMIT_FSIZE, &old);
    full = (struct rlimit){10, old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &full);
    enum midi_status st = smf_save(s, "a.mid");
    int reason = errno;
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(st, MIDI_CANNOT_WRITE);
    assert_int_equal(reason, EFBIG);
    assert_file("a.mid", "old", 3);
    assert_int_equal(count_files(), 1);
    score_destroy(s);
}

#define IN_FOLDER(test)                                                                \
    cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(loads_what_it_saves),
        IN_FOLDER(keeps_permissions),
        IN_FOLDER(saves_through_links),
        IN_FOLDER(refuses_what_is_no_file),
        IN_FOLDER(refuses_huge_files_unread),
        IN_FOLDER(leaves_the_old_file_when_the_disk_is_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
