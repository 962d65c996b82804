/* Where soundfonts are. A file counts when it begins as a SoundFont does, so
 * that an empty or wrong one does not hide the next. */
#include "midi/transport/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_soundfont(const char *path)
{
    struct stat st;
    if (stat(path, &st) || !S_ISREG(st.st_mode))
        return false;
    FILE *f = fopen(path, "rb");
    if (!f)
        return false;
    char head[12];
    bool ok = fread(head, 1, sizeof head, f) == sizeof head &&
              !memcmp(head, "RIFF", 4) && !memcmp(head + 8, "sfbk", 4);
    fclose(f);
    return ok;
}

/* `folder`/`name` into path, if a soundfont is there. */
static bool take(char *path, size_t n_path, const char *folder, const char *name)
{
    if (!folder || !*folder)
        return false;
    int n = snprintf(path, n_path, "%s%s", folder, name);
    return n > 0 && (size_t)n < n_path && is_soundfont(path);
}

/* Debian's alternative first, then the names other systems use. */
static bool take_general_midi(char *path, size_t n_path)
{
    static const char *const banks[] = {
        "/usr/share/sounds/sf2/default-GM.sf2",
        "/usr/share/sounds/sf2/TimGM6mb.sf2",
        "/usr/share/sounds/sf2/FluidR3_GM.sf2",
        "/usr/share/soundfonts/default.sf2",
        "/usr/share/soundfonts/FluidR3_GM.sf2",
        "/usr/local/share/soundfonts/default.sf2",
    };
    for (size_t i = 0; i < sizeof banks / sizeof banks[0]; i++)
        if (take(path, n_path, banks[i], ""))
            return true;
    return false;
}

/* Where the running program lies, without a slash at the end. */
static bool find_program_folder(char *folder, size_t n_folder)
{
    ssize_t n = readlink("/proc/self/exe", folder, n_folder - 1);
    if (n <= 0)
        return false;
    folder[n] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    return slash;
}

/* In the build tree beside the program; installed, in its share folder. */
static bool take_own(char *path, size_t n_path)
{
    char folder[4096];
    if (take(path, n_path, getenv("CONTINUO_HOME"), "/soundfonts/continuo.sf2"))
        return true;
    if (!find_program_folder(folder, sizeof folder))
        return false;
    return take(path, n_path, folder, "/soundfonts/continuo.sf2") ||
           take(path, n_path, folder, "/../share/continuo/soundfonts/continuo.sf2");
}

bool soundfont_find(char *path, size_t n_path, const char *configured)
{
    return take(path, n_path, configured, "") ||
           take(path, n_path, getenv("CONTINUO_SOUNDFONT"), "") ||
           take_general_midi(path, n_path) || take_own(path, n_path);
}
