/* Loading and saving in real folders: links and permissions. Other kinds of files
 * are refused in tests/app/document/test_odd_files, and a full disk leaves the old file in
 * tests/app/cli/test_surroundings. */
#include "tests/check.h"
#include "tests/midi/edit/smf_bytes.h"
#include "tests/midi/own_folder.h"

#include <errno.h>
#include <sys/stat.h>

BYTES(SONG, HEADER(0, 1, 96), TRACK(0, 0x90, 60, 80, 9, 0x80, 60, 0, 0, END));

/* Every test runs in a new folder, the current one. */
static int enter_folder(void **state)
{
    return make_folder(state) || chdir(folder);
}

static int leave_folder(void **state)
{
    static const char *const NAMES[] = {"a.mid", "b.mid", "link", "dir/a.mid"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        unlink(NAMES[i]);
    rmdir("dir");
    return chdir("/") || rmdir(folder) ? -1 : 0;
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

TEST_IN(keeps_permissions, enter_folder, leave_folder)
{
    struct stat about;
    auto_score *s = read_bytes(SONG, sizeof SONG, NULL);
    mode_t mask = umask(027);
    assert_ok(smf_save(s, "b.mid"));
    umask(mask);
    assert_file("b.mid", SONG, sizeof SONG);
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
