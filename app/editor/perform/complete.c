#include "app/editor/perform/complete.h"

#include "app/base/paths.h"
#include "app/editor/session/act.h"
#include "app/settings/settings.h"
#include "tui/keys/bindings.h"

#include <dirent.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void complete_add(struct completions *c, const char *word, const char *typed)
{
    const bool fits = c->n < COMPLETE_MAX && g_str_has_prefix(word, typed);
    char *copy = fits ? strdup(word) : NULL;
    if (copy)
        c->words[c->n++] = copy;
}

void complete_forget(struct completions *c)
{
    for (int i = 0; i < c->n; i++)
        free(c->words[i]);
    *c = (struct completions){0};
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts the words, removes repeated ones, and counts the bytes that all begin with. */
void complete_finish(struct completions *c)
{
    int kept = 0;
    if (c->n == 0)
        return;
    qsort(c->words, (size_t)c->n, sizeof *c->words, by_name);
    for (int i = 0; i < c->n; i++)
        if (kept && !strcmp(c->words[i], c->words[kept - 1]))
            free(c->words[i]);
        else
            c->words[kept++] = c->words[i];
    c->n = kept;
    const char *first = c->words[0], *last = c->words[kept - 1];
    while (first[c->n_common] && first[c->n_common] == last[c->n_common])
        c->n_common++;
}

/* Returns where the name of a file or folder begins in a line that takes one; NULL: the line
 * takes none. */
static const char *find_file(const char *line)
{
    const struct act_line_row *row = act_line_of(line);
    const char *at = line + strcspn(line, " ");
    if (*at && row && row->flags & NAMES_FILE) /* the name may have spaces */
        return at + strspn(at, " ");
    if (!g_str_has_prefix(line, "learn "))
        return NULL;
    const char *next = strchr(++at, ' '); /* a time may come before the folder */
    return next && *at >= '0' && *at <= '9' ? next + 1 : at;
}

void complete_line(struct completions *c, const char *line, size_t *start)
{
    const char *space = strrchr(line, ' '), *first = strchr(line, ' ');
    const char *file = find_file(line), *word = space ? space + 1 : line;
    *c = (struct completions){0};
    *start = (size_t)((file ? file : word) - line);
    if (file) {
        complete_file(c, file);
        return;
    }
    if (!space) {
        char verb[COMPLETE_BYTES]; /* "tempo" of ":tempo 96" */
        for (size_t i = 0; i < n_typed_lines; i++) {
            const char *typed = typed_lines[i].line + 1;
            snprintf(verb, sizeof verb, "%.*s", (int)strcspn(typed, " "), typed);
            complete_add(c, verb, line);
        }
        for (int i = 0; i < steer_n_rows(); i++)
            complete_add(c, steer_row(i)->name, line);
    } else if (g_str_has_prefix(line, "set ") && space == first)
        for (int i = 0; settings_field(i); i++)
            complete_add(c, settings_field(i)->name, word);
    else if (g_str_has_prefix(line, "model ")) {
        /* Models by their names, as paths_model takes them; without those in folders,
         * which are for comparison. */
        static const char FOLDER[] = "/models/";
        char name[COMPLETE_BYTES];
        glob_t models;
        complete_add(c, "forget", word);
        paths_list_models(&models);
        for (size_t k = 0; k < models.gl_pathc; k++) {
            const char *base = file_base_name(models.gl_pathv[k]);
            if (!g_str_has_prefix(base - strlen(FOLDER), FOLDER))
                continue;
            const size_t n_suffix = strlen(".safetensors");
            snprintf(name, sizeof name, "%.*s", (int)(strlen(base) - n_suffix), base);
            complete_add(c, name, word);
        }
        globfree(&models);
    } else if (g_str_has_prefix(line, "map ") && space != first)
        for (int id = CMD_NONE; id < CMD_COUNT; id++) {
            const char *name = id ? commands[id].name : "none";
            if (*name)
                complete_add(c, name, word);
        }
    complete_finish(c);
}

void complete_file(struct completions *c, const char *path)
{
    char folder[4096], typed[4096];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n_path = (size_t)(name - path), n_name = strlen(name);
    *c = (struct completions){0};
    snprintf(typed, sizeof typed, "%.*s", n_path ? (int)n_path : 1,
             n_path ? path : ".");
    bool fits = n_path < sizeof typed && file_expand(folder, sizeof folder, typed);
    DIR *d = fits ? opendir(folder) : NULL;
    for (struct dirent *e; d && (e = readdir(d));) {
        bool is_dots = !strcmp(e->d_name, ".") || !strcmp(e->d_name, "..");
        bool is_hidden = e->d_name[0] == '.' && *name != '.';
        /* A piece's store cannot be opened as a piece (app/document/store.h). */
        const char *end = strstr(e->d_name, ".continuo");
        bool is_store =
            end && (!end[9] || !strcmp(end + 9, "-wal") || !strcmp(end + 9, "-shm") ||
                    !strcmp(end + 9, "-journal"));
        if (!is_dots && !is_hidden && !is_store && !strncmp(e->d_name, name, n_name)) {
            char full[4096 + 300], word[4096 + 300];
            struct stat st;
            snprintf(full, sizeof full, "%s/%s", folder, e->d_name);
            bool is_folder = stat(full, &st) == 0 && S_ISDIR(st.st_mode);
            int n = snprintf(word, sizeof word, "%.*s%s%s", (int)n_path, path,
                             e->d_name, is_folder ? "/" : "");
            if (n > 0 && (size_t)n < sizeof word)
                complete_add(c, word, "");
        }
    }
    if (d)
        closedir(d);
    complete_finish(c);
}
