/* Loading and saving in real folders: links, permissions, pipes, a full disk. */
#include "tests/check.h"
#include "tests/midi/edit/smf_bytes.h"
#include "tests/midi/own_folder.h"
#include "tests/midi/score_equal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

BYTES(SONG, HEADER(0, 1, 96), TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, END));

/* Every test runs in a new folder, the current one. */
static int enter_folder(void **state)
{
    return make_folder(state) || chdir(folder);
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

TEST_IN(loads_what_it_saves, enter_folder, leave_folder)
{
    struct score *s = read_bytes(SONG, sizeof SONG, NULL), *again;
    assert_ok(smf_save(s, "a.mid"));
    assert_file("a.mid", SONG, sizeof SONG);
    assert_ok(smf_load(&again, "a.mid", NULL));
    assert_true(score_equal(s, again));
    assert_int_equal(count_files(), 1);
    score_destroy(again);
    score_destroy(s);
}

TEST_IN(keeps_permissions, enter_folder, leave_folder)
{
    struct stat about;
    auto_score *s = read_bytes(SONG, sizeof SONG, NULL);
    mode_t mask = umask(027);
    assert_ok(smf_save(s, "b.mid"));
    umask(mask);
    stat("b.mid", &about);
    assert_int_equal(about.st_mode & 07777, 0640);

    put_file("a.mid", "old", 3);
    chmod("a.mid", 0604);
    assert_ok(smf_save(s, "a.mid"));
    stat("a.mid", &about);
    assert_int_equal(about.st_mode & 07777, 0604);
    assert_file("a.mid", SONG, sizeof SONG);
}

TEST_IN(saves_through_links, enter_folder, leave_folder)
{
    struct stat about;
    auto_score *s = read_bytes(SONG, sizeof SONG, NULL);
    mkdir("dir", 0755);
    assert_int_equal(symlink("dir/a.mid", "link"), 0);
    for (int i = 0; i < 2; i++) { /* to a file that is missing, then exists */
        assert_ok(smf_save(s, "link"));
        lstat("link", &about);
        assert_true(S_ISLNK(about.st_mode));
        assert_file("dir/a.mid", SONG, sizeof SONG);
    }
    unlink("link");
    assert_int_equal(symlink("link", "link"), 0);
    assert_int_equal(smf_save(s, "link"), MIDI_CANNOT_WRITE);
    assert_int_equal(errno, ELOOP);
}

TEST_IN(refuses_what_is_no_file, enter_folder, leave_folder)
{
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

TEST_IN(refuses_huge_files_unread, enter_folder, leave_folder)
{
    struct score *s;
    put_file("a.mid", SONG, sizeof SONG);
    assert_int_equal(truncate("a.mid", ((off_t)256 << 20) + 1), 0); /* sparse */
    assert_int_equal(smf_load(&s, "a.mid", NULL), MIDI_TOO_BIG);
}

TEST_IN(leaves_the_old_file_when_the_disk_is_full, enter_folder, leave_folder)
{
    struct rlimit old, full;
    auto_score *s = read_bytes(SONG, sizeof SONG, NULL);
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
}
