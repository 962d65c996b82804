/* See paths.h. Nothing is remembered, since files may come and go while the program runs. */
#include "app/base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
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

#define SUFFIX ".safetensors"
static const char BUNDLED[] = "models/continuo.safetensors";

enum { MAX_PATH = 4096, N_DATA_DIRS = 5 };

/* Writes a path, as snprintf does. false: it does not fit. */
__attribute__((format(printf, 3, 4))) static bool put(char *path, size_t n_path,
                                                      const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int n = vsnprintf(path, n_path, format, values);
    va_end(values);
    return n >= 0 && (size_t)n < n_path;
}

/* Writes $XDG/continuo, or ~/USUAL/continuo if the variable is not an absolute path. */
static bool user_folder(char *path, size_t n_path, const char *xdg, const char *usual)
{
    const char *folder = getenv(xdg), *home = getenv("HOME");
    if (folder && *folder == '/')
        return put(path, n_path, "%s/continuo", folder);
    return home && *home == '/' && put(path, n_path, "%s/%s/continuo", home, usual);
}

/* Gives the i-th folder that is searched; it need not exist. false: this run has no such folder. */
static bool data_dir(int i, char *path, size_t n_path)
{
    const char *home = getenv("CONTINUO_HOME");
    switch (i) {
    case 0:
        return home && *home && put(path, n_path, "%s", home);
    case 1: /* build/FLAVOUR/continuo */
        return file_beside_program(path, n_path, "../..");
    case 2: /* PREFIX/bin/continuo, wherever it was moved to */
        return file_beside_program(path, n_path, "../share/continuo");
    case 3:
        return put(path, n_path, "%s", CONTINUO_PREFIX "/share/continuo");
    default: /* the user's own models */
        return user_folder(path, n_path, "XDG_DATA_HOME", ".local/share");
    }
}

bool paths_find(char *path, size_t n_path, const char *name)
{
    char dir[MAX_PATH];
    for (int i = 0; i < N_DATA_DIRS; i++)
        if (data_dir(i, dir, sizeof dir) && put(path, n_path, "%s/%s", dir, name) &&
            !access(path, F_OK))
            return true;
    return false;
}

void paths_glob(glob_t *found, const char *folder, const char *pattern)
{
    char all[2 * MAX_PATH + 64];
    size_t n = 0;
    for (const char *c = folder; *c && n < 2 * MAX_PATH; c++) {
        if (strchr("*?[\\", *c))
            all[n++] = '\\';
        all[n++] = *c;
    }
    if (put(all + n, sizeof all - n, "/%s", pattern))
        glob(all, GLOB_APPEND, NULL, found);
}

void paths_list_models(glob_t *found)
{
    char dir[MAX_PATH], real[N_DATA_DIRS][MAX_PATH];
    int n = 0;
    *found = (glob_t){0};
    for (int i = 0; i < N_DATA_DIRS; i++) {
        bool is_new = data_dir(i, dir, sizeof dir) && realpath(dir, real[n]);
        for (int k = 0; is_new && k < n; k++)
            is_new = strcmp(real[k], real[n]) != 0;
        if (!is_new)
            continue;
        n++;
        paths_glob(found, dir, "models/*" SUFFIX);
        paths_glob(found, dir, "models/*/*" SUFFIX);
    }
}

bool paths_model(char *path, size_t n_path, const char *wanted)
{
    char name[MAX_PATH];
    struct stat about;
    if (!wanted) {
        glob_t models;
        if (paths_find(path, n_path, BUNDLED))
            return true;
        paths_list_models(&models);
        const bool found =
            models.gl_pathc && put(path, n_path, "%s", models.gl_pathv[0]);
        globfree(&models);
        return found;
    }
    bool is_file = stat(wanted, &about) == 0 && !S_ISDIR(about.st_mode);
    if (!is_file && *wanted != '/' &&
        ((put(name, sizeof name, "models/%s", wanted) &&
          paths_find(path, n_path, name)) ||
         (put(name, sizeof name, "models/%s" SUFFIX, wanted) &&
          paths_find(path, n_path, name))))
        return true;
    return put(path, n_path, "%s", wanted);
}

/* Makes the missing folders of a path, for this user alone. */
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
           put(path, n_path, "%s/%s", folder, name) && make_folders(path);
}

bool paths_own_model(char *path, size_t n_path, const char *name)
{
    char folder[MAX_PATH];
    return *name && *name != '.' && !strchr(name, '/') &&
           user_folder(folder, sizeof folder, "XDG_DATA_HOME", ".local/share") &&
           put(path, n_path, "%s/models/%s" SUFFIX, folder, name) && make_folders(path);
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
    return put(out, n_out, "%s%s", at_home ? home : "", at_home ? path + 1 : path);
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

bool user_config_file(char *path, size_t n_path)
{
    char folder[MAX_PATH];
    return user_folder(folder, sizeof folder, "XDG_CONFIG_HOME", ".config") &&
           put(path, n_path, "%s/continuo.conf", folder);
}

bool user_is_new(void)
{
    char path[MAX_PATH];
    if (!paths_state(path, sizeof path, "welcomed"))
        return false;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

FILE *regular_file_open(const char *path)
{
    struct stat about;
    FILE *f = NULL;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && !fstat(fd, &about)) {
        errno = EINVAL;
        f = S_ISREG(about.st_mode) ? fdopen(fd, "rb") : NULL;
    }
    int why = errno;
    if (fd >= 0 && !f)
        close(fd);
    errno = why;
    return f;
}

bool output_file_open(struct output_file *o, const char *path)
{
    *o = (struct output_file){.draft = {.fd = -1}};
    enum midi_status st = file_draft_open(&o->draft, path);
    if (st) {
        o->stream = st == MIDI_NOT_REGULAR ? fopen(path, "wb") : NULL;
        return o->stream;
    }
    int fd = dup(o->draft.fd); /* the draft's must outlive the stream's */
    o->stream = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!o->stream && fd >= 0)
        close(fd);
    if (!o->stream)
        file_draft_discard(&o->draft);
    return o->stream;
}

bool output_file_close(struct output_file *o, bool is_whole)
{
    if (!o->stream)
        return false;
    bool ok = is_whole && !ferror(o->stream);
    ok = fclose(o->stream) == 0 && ok;
    o->stream = NULL;
    if (o->draft.fd < 0)
        return ok;
    if (ok)
        return file_draft_commit(&o->draft) == MIDI_OK;
    file_draft_discard(&o->draft);
    return false;
}
