/* See paths.h. Nothing is kept: files may come and go while we run. */
#include "app/base/paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef CONTINUO_PREFIX
#define CONTINUO_PREFIX "/usr/local"
#endif

static const char SUFFIX[] = ".safetensors";
static const char BUNDLED[] = "continuo.safetensors";

enum { MAX_PATH = 4096 };

/* a/b; false when it does not fit. */
static bool join(char *path, size_t n_path, const char *a, const char *b)
{
    int n = snprintf(path, n_path, "%s/%s", a, b);
    return n >= 0 && (size_t)n < n_path;
}

static bool copy(char *path, size_t n_path, const char *from)
{
    int n = snprintf(path, n_path, "%s", from);
    return n >= 0 && (size_t)n < n_path;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* $XDG/continuo, or ~/USUAL/continuo where that is not set to an absolute path. */
static bool user_folder(char *path, size_t n_path, const char *xdg, const char *usual)
{
    const char *folder = getenv(xdg), *home = getenv("HOME");
    char parent[MAX_PATH];
    if (folder && *folder == '/')
        return join(path, n_path, folder, "continuo");
    return home && *home == '/' && join(parent, sizeof parent, home, usual) &&
           join(path, n_path, parent, "continuo");
}

bool paths_data_dir(int i, char *path, size_t n_path, bool *present)
{
    const char *home = getenv("CONTINUO_HOME");
    *present = false;
    switch (i) {
    case 0:
        *present = home && *home && copy(path, n_path, home);
        return true;
    case 1: /* build/FLAVOUR/continuo */
        *present = file_beside_program(path, n_path, "../..");
        return true;
    case 2: /* PREFIX/bin/continuo, wherever it was moved to */
        *present = file_beside_program(path, n_path, "../share/continuo");
        return true;
    case 3:
        *present = join(path, n_path, CONTINUO_PREFIX, "share/continuo");
        return true;
    case 4: /* the user's own models */
        *present = user_folder(path, n_path, "XDG_DATA_HOME", ".local/share");
        return true;
    default:
        return false;
    }
}

bool paths_find(char *path, size_t n_path, const char *name)
{
    char dir[MAX_PATH];
    bool present;
    for (int i = 0; paths_data_dir(i, dir, sizeof dir, &present); i++)
        if (present && join(path, n_path, dir, name) && exists(path))
            return true;
    return false;
}

static int is_model(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name), n_suffix = sizeof SUFFIX - 1;
    return n > n_suffix && entry->d_name[0] != '.' &&
           !strcmp(entry->d_name + n - n_suffix, SUFFIX);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Paths found so far; *names is grown as needed. */
struct list {
    char **names;
    size_t n;
};

static void add(struct list *l, char *name)
{
    char **grown = name ? realloc(l->names, (l->n + 1) * sizeof *grown) : NULL;
    if (!grown) {
        free(name);
        return;
    }
    l->names = grown;
    l->names[l->n++] = name;
}

/* Lists the wanted files of a folder, by name. A folder that cannot be read has none. */
static void add_entries(struct list *l, const char *dir,
                        int (*is_wanted)(const struct dirent *))
{
    struct dirent **entries = NULL;
    int n = scandir(dir, &entries, is_wanted, by_name);
    for (int i = 0; i < n; i++) {
        char path[MAX_PATH];
        add(l, join(path, sizeof path, dir, entries[i]->d_name) ? strdup(path) : NULL);
        free(entries[i]);
    }
    free(entries);
}

size_t paths_list_models(int i, char ***names)
{
    char dir[MAX_PATH], models[MAX_PATH];
    bool present;
    struct list l = {0}, folders = {0};
    if (paths_data_dir(i, dir, sizeof dir, &present) && present &&
        join(models, sizeof models, dir, "models")) {
        add_entries(&l, models, is_model);
        add_entries(&folders, models, file_is_shown);
        for (size_t k = 0; k < folders.n; k++)
            add_entries(&l, folders.names[k], is_model);
        paths_free_list(folders.names, folders.n);
    }
    *names = l.names;
    return l.n;
}

void paths_free_list(char **names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    free(names);
}

static bool first_model(char *path, size_t n_path)
{
    char dir[MAX_PATH];
    bool present, found = false;
    for (int i = 0; !found && paths_data_dir(i, dir, sizeof dir, &present); i++) {
        char **names;
        size_t n = paths_list_models(i, &names);
        found = n > 0 && copy(path, n_path, names[0]);
        paths_free_list(names, n);
    }
    return found;
}

static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISDIR(about.st_mode);
}

bool paths_model(char *path, size_t n_path, const char *wanted)
{
    char name[MAX_PATH];
    if (!wanted)
        return (join(name, sizeof name, "models", BUNDLED) &&
                paths_find(path, n_path, name)) ||
               first_model(path, n_path);
    if (!is_file(wanted) && *wanted != '/') {
        if (join(name, sizeof name, "models", wanted) && paths_find(path, n_path, name))
            return true;
        int n = snprintf(name, sizeof name, "models/%s%s", wanted, SUFFIX);
        if (n > 0 && (size_t)n < sizeof name && paths_find(path, n_path, name))
            return true;
    }
    return copy(path, n_path, wanted);
}

/* Every folder on the way that is missing is made, for this user alone. */
static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool ok = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!ok)
            return false;
    }
    return true;
}

bool paths_state(char *path, size_t n_path, const char *name)
{
    char folder[MAX_PATH];
    return user_folder(folder, sizeof folder, "XDG_STATE_HOME", ".local/state") &&
           join(path, n_path, folder, name) && make_folders(path);
}

bool paths_own_model(char *path, size_t n_path, const char *name)
{
    char folder[MAX_PATH];
    if (!*name || *name == '.' || strchr(name, '/') ||
        !user_folder(folder, sizeof folder, "XDG_DATA_HOME", ".local/share"))
        return false;
    int n = snprintf(path, n_path, "%s/models/%s%s", folder, name, SUFFIX);
    return n > 0 && (size_t)n < n_path && make_folders(path);
}

void paths_remember(const char *what, const char *text)
{
    char file[MAX_PATH];
    struct output_file out;
    if (!paths_state(file, sizeof file, what))
        return;
    if (!text || strchr(text, '\n'))
        unlink(file);
    else if (output_file_open(&out, file))
        output_file_close(&out, fprintf(out.stream, "%s\n", text) > 0);
}

const char *paths_recall(const char *what, char *text, size_t n_text)
{
    char file[MAX_PATH];
    FILE *f = paths_state(file, sizeof file, what) ? regular_file_open(file) : NULL;
    if (!f || !fgets(text, (int)n_text, f))
        text[0] = '\0';
    if (f)
        fclose(f);
    text[strcspn(text, "\n")] = '\0';
    return text;
}

bool file_expand(char *out, size_t n_out, const char *path)
{
    const char *home = getenv("HOME");
    bool at_home = path[0] == '~' && path[1] == '/' && home;
    int n =
        snprintf(out, n_out, "%s%s", at_home ? home : "", at_home ? path + 1 : path);
    return n >= 0 && (size_t)n < n_out;
}

int file_is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

const char *file_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

bool file_ends_with(const char *path, const char *ending)
{
    const size_t n = strlen(path), k = strlen(ending);
    return n > k && !strcasecmp(path + n - k, ending);
}

/* -- of the user -- */

bool user_config_file(char *path, size_t n_path)
{
    char folder[MAX_PATH];
    return user_folder(folder, sizeof folder, "XDG_CONFIG_HOME", ".config") &&
           join(path, n_path, folder, "continuo.conf");
}

bool user_is_new(void)
{
    char path[4096];
    if (!paths_state(path, sizeof path, "welcomed"))
        return false;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* -- opening -- */

static bool is_regular(int fd)
{
    struct stat about;
    if (fstat(fd, &about))
        return false;
    errno = EINVAL;
    return S_ISREG(about.st_mode);
}

FILE *regular_file_open(const char *path)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *f = fd >= 0 && is_regular(fd) ? fdopen(fd, "rb") : NULL;
    int why = errno;
    if (fd >= 0 && !f)
        close(fd);
    errno = why;
    return f;
}
