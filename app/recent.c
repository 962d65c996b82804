#include "app/recent.h"

#include "app/paths.h"
#include "app/regular_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PATH = 4096 };

/* Takes the path; one that is there already, or has no room, is dropped. */
static void append(struct recent *r, char *path)
{
    bool is_there = !path || r->n == RECENT_MAX;
    for (int i = 0; !is_there && i < r->n; i++)
        is_there = !strcmp(r->paths[i], path);
    if (is_there)
        free(path);
    else
        r->paths[r->n++] = path;
}

static void append_file(struct recent *r, const char *list)
{
    char line[MAX_PATH];
    FILE *f = regular_file_open(list);
    for (int i = 0; f && i < 4 * RECENT_MAX && fgets(line, sizeof line, f); i++) {
        line[strcspn(line, "\n")] = '\0';
        if (*line == '/')
            append(r, strdup(line));
    }
    if (f)
        fclose(f);
}

void recent_read(struct recent *r)
{
    char list[MAX_PATH];
    *r = (struct recent){0};
    if (paths_state(list, sizeof list, "recent"))
        append_file(r, list);
}

void recent_forget(struct recent *r)
{
    for (int i = 0; i < r->n; i++)
        free(r->paths[i]);
    *r = (struct recent){0};
}

/* Whole or not at all: another program may be reading it. */
static void write_list(const struct recent *r, const char *list)
{
    char fresh[MAX_PATH + 8];
    snprintf(fresh, sizeof fresh, "%s.%d", list, (int)getpid() % 1000000);
    FILE *f = fopen(fresh, "w");
    bool ok = f != NULL;
    for (int i = 0; ok && i < r->n; i++)
        ok = fprintf(f, "%s\n", r->paths[i]) > 0;
    if (f && fclose(f))
        ok = false;
    if (!f || (ok && rename(fresh, list) == 0))
        return;
    unlink(fresh);
}

void recent_add(const char *path)
{
    char list[MAX_PATH], *full = realpath(path, NULL);
    struct recent r = {0};
    if (full && !strchr(full, '\n') && paths_state(list, sizeof list, "recent")) {
        append(&r, strdup(full));
        append_file(&r, list);
        write_list(&r, list);
    }
    recent_forget(&r);
    free(full);
}
