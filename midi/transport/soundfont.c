/* Finds soundfonts. A file must begin like a SoundFont and be as long as it says, so that an
 * empty, wrong or damaged one does not hide the next. */
#include "midi/transport/player.h"

#include "midi/base/file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum soundfont_state { NO_SOUNDFONT, DAMAGED, WHOLE };

/* A RIFF file has its length in its second word, without that and the first one. */
static enum soundfont_state state_of(const char *path)
{
    struct stat st;
    uint8_t head[12];
    if (stat(path, &st) || !S_ISREG(st.st_mode))
        return NO_SOUNDFONT;
    FILE *f = fopen(path, "rb");
    if (!f)
        return NO_SOUNDFONT;
    bool ok = fread(head, 1, sizeof head, f) == sizeof head &&
              !memcmp(head, "RIFF", 4) && !memcmp(head + 8, "sfbk", 4);
    fclose(f);
    if (!ok)
        return NO_SOUNDFONT;
    const int64_t length =
        head[4] | head[5] << 8 | head[6] << 16 | (int64_t)head[7] << 24;
    return st.st_size < length + 8 ? DAMAGED : WHOLE;
}

/* Writes `folder`/`name` to path if it is a soundfont in that state. */
static bool take(char *path, size_t n_path, const char *folder, const char *name,
                 enum soundfont_state state)
{
    if (!folder || !*folder)
        return false;
    int n = snprintf(path, n_path, "%s%s", folder, name);
    return n > 0 && (size_t)n < n_path && state_of(path) == state;
}

bool soundfont_is_small(const char *path)
{
    char *full = realpath(path, NULL);
    const char *slash = full ? strrchr(full, '/') : NULL;
    bool is_small = slash && !strcmp(slash, "/TimGM6mb.sf2");
    free(full);
    return is_small;
}

/* The system's choice, unless it is the small bank and a larger one is installed. */
static bool find_system(char *path, size_t n_path, const char *root,
                        enum soundfont_state state)
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
            if (take(path, n_path, root, BANKS[i], state) &&
                soundfont_is_small(path) == small)
                return true;
    return false;
}

/* In the build tree beside the program; installed, in its share folder. */
static bool take_own(char *path, size_t n_path, enum soundfont_state state)
{
    static const char OWN[] = "soundfonts/continuo.sf2";
    char folder[4096];
    return take(path, n_path, getenv("CONTINUO_HOME"), "/soundfonts/continuo.sf2",
                state) ||
           (file_beside_program(folder, sizeof folder, "") &&
            take(path, n_path, folder, OWN, state)) ||
           (file_beside_program(folder, sizeof folder, "../share/continuo/") &&
            take(path, n_path, folder, OWN, state));
}

static bool find(char *path, size_t n_path, const char *configured,
                 enum soundfont_state state)
{
    return take(path, n_path, configured, "", state) ||
           take(path, n_path, getenv("CONTINUO_SOUNDFONT"), "", state) ||
           find_system(path, n_path, "/", state) || take_own(path, n_path, state);
}

bool soundfont_find_system(char *path, size_t n_path, const char *root)
{
    return find_system(path, n_path, root, WHOLE);
}

bool soundfont_find(char *path, size_t n_path, const char *configured)
{
    return find(path, n_path, configured, WHOLE);
}

bool soundfont_find_damaged(char *path, size_t n_path, const char *configured)
{
    return find(path, n_path, configured, DAMAGED);
}
