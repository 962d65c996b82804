#include "app/settings/config.h"

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

void soundfont_remember(const char *path)
{
    char file[MAX_PATH];
    if (!paths_state(file, sizeof file, "soundfont"))
        return;
    if (!path || strchr(path, '\n')) {
        unlink(file);
        return;
    }
    struct output_file out;
    if (output_file_open(&out, file))
        output_file_close(&out, fprintf(out.stream, "%s\n", path) > 0);
}
