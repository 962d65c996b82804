/* Finds soundfonts. A file must begin like a SoundFont and be as long as it says, so
 * that an empty, wrong or damaged file does not hide the next one. */
#include "midi/transport/player.h"

#include "midi/base/file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Whether the file is a soundfont; `damaged` says whether it must be cut short or
 * whole. The second word of a RIFF file is its length without the first two words. */
static bool is_soundfont(const char *path, bool damaged)
{
    struct stat st;
    uint8_t head[12] = {0};
    if (stat(path, &st) || !S_ISREG(st.st_mode))
        return false;
    FILE *f = fopen(path, "rb");
    if (!f)
        return false;
    bool ok = fread(head, 1, sizeof head, f) == sizeof head &&
              !memcmp(head, "RIFF", 4) && !memcmp(head + 8, "sfbk", 4);
    fclose(f);
    const int64_t length =
        head[4] | head[5] << 8 | head[6] << 16 | (int64_t)head[7] << 24;
    return ok && (st.st_size < length + 8) == damaged;
}

/* Writes `folder` and `name` to path, and returns whether that is such a soundfont. */
static bool take(char *path, size_t n_path, const char *folder, const char *name,
                 bool damaged)
{
    if (!folder || !*folder)
        return false;
    int n = snprintf(path, n_path, "%s%s", folder, name);
    return n > 0 && (size_t)n < n_path && is_soundfont(path, damaged);
}

bool soundfont_is_small(const char *path)
{
    char *full = realpath(path, NULL);
    const char *slash = full ? strrchr(full, '/') : NULL;
    bool is_small = slash && !strcmp(slash, "/TimGM6mb.sf2");
    free(full);
    return is_small;
}

bool soundfont_find_system(char *path, size_t n_path, const char *root, bool damaged)
{
    static const char *const BANKS[] = {
        "usr/share/sounds/sf2/default-GM.sf2",
        "usr/share/soundfonts/default.sf2",
        "usr/local/share/soundfonts/default.sf2",
        "usr/share/sounds/sf2/FluidR3_GM.sf2",
        "usr/share/soundfonts/FluidR3_GM.sf2",
        "usr/share/sounds/sf3/MuseScore_General.sf3",
        "usr/share/sounds/sf2/TimGM6mb.sf2",
    };
    enum { N = sizeof BANKS / sizeof BANKS[0] };
    for (int small = 0; small <= 1; small++)
        for (int i = 0; i < N; i++)
            if (take(path, n_path, root, BANKS[i], damaged) &&
                soundfont_is_small(path) == small)
                return true;
    return false;
}

/* Our own soundfont: in the build tree beside the program, when installed in its share
 * folder. */
static bool take_own(char *path, size_t n_path, bool damaged)
{
    static const char OWN[] = "soundfonts/continuo.sf2";
    char folder[4096];
    return take(path, n_path, getenv("CONTINUO_HOME"), "/soundfonts/continuo.sf2",
                damaged) ||
           (file_beside_program(folder, sizeof folder, "") &&
            take(path, n_path, folder, OWN, damaged)) ||
           (file_beside_program(folder, sizeof folder, "../share/continuo/") &&
            take(path, n_path, folder, OWN, damaged));
}

static bool find(char *path, size_t n_path, const char *configured, bool damaged)
{
    return take(path, n_path, configured, "", damaged) ||
           take(path, n_path, getenv("CONTINUO_SOUNDFONT"), "", damaged) ||
           soundfont_find_system(path, n_path, "/", damaged) ||
           take_own(path, n_path, damaged);
}

bool soundfont_find(char *path, size_t n_path, const char *configured)
{
    return find(path, n_path, configured, false);
}

bool soundfont_find_damaged(char *path, size_t n_path, const char *configured)
{
    return find(path, n_path, configured, true);
}
