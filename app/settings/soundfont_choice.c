#include "app/settings/soundfont_choice.h"

#include "app/base/paths.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PATH = 4096 };

bool soundfont_recall(char *path, size_t n_path)
{
    char file[MAX_PATH];
    FILE *f =
        paths_state(file, sizeof file, "soundfont") ? regular_file_open(file) : NULL;
    bool ok = f && fgets(path, (int)n_path, f);
    if (f)
        fclose(f);
    if (ok)
        path[strcspn(path, "\n")] = '\0';
    return ok && *path == '/';
}

/* Whole or not at all. */
void soundfont_remember(const char *path)
{
    char file[MAX_PATH], fresh[MAX_PATH + 16];
    if (!paths_state(file, sizeof file, "soundfont"))
        return;
    if (!path || strchr(path, '\n')) {
        unlink(file);
        return;
    }
    snprintf(fresh, sizeof fresh, "%s.%d", file, (int)getpid() % 1000000);
    FILE *f = fopen(fresh, "w");
    bool ok = f && fprintf(f, "%s\n", path) > 0;
    if (f && fclose(f))
        ok = false;
    if (f && !(ok && rename(fresh, file) == 0))
        unlink(fresh);
}
