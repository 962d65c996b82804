/* See overwrite.h. A store is read as a copy, since another program may have it open; one
 * that cannot be read says nothing, and stays as it is. */
#include "app/document/overwrite.h"

#include "app/base/say.h"
#include "app/document/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Of the newest piece with that path (NULL: the one beside its music): the present state
 * differs from the last saved one, or a recording has not become an edit. */
static const char UNSAVED[] =
    "SELECT iif(state < 0, (SELECT ifnull(max(id), 0) FROM edit WHERE piece = p.id), "
    "state) <> ifnull((SELECT state FROM save WHERE piece = p.id AND is_done "
    "ORDER BY n DESC LIMIT 1), 0) "
    "OR EXISTS(SELECT 1 FROM session WHERE piece = p.id AND as_saved = 3 "
    "AND json_array_length(data, '$.notes')) "
    "FROM piece AS p WHERE id = (SELECT max(id) FROM piece WHERE path IS ?1 AND id > "
    "0)";

/* Closes the store. NULL is fine. */
static bool has_unsaved(struct store *s, const char *path)
{
    sqlite3_stmt *st = NULL;
    bool has = s && sqlite3_prepare_v2(s->db, UNSAVED, -1, &st, NULL) == SQLITE_OK &&
               (!path || !sqlite3_bind_text(st, 1, path, -1, SQLITE_STATIC)) &&
               sqlite3_step(st) == SQLITE_ROW && sqlite3_column_int(st, 0);
    sqlite3_finalize(st);
    store_close(s, false);
    return has;
}

const char *overwrite_refusal(const char *path)
{
    struct stat st;
    if (stat(path, &st) || !S_ISREG(st.st_mode))
        return NULL;
    if (st.st_nlink > 1)
        return "it has a second name (a hard link), which writing would separate";
    struct store *s = NULL;
    char reason[STORE_WHY_BYTES], *store_path = store_path_of(path);
    const bool is_there = store_path && !lstat(store_path, &st),
               is_open = is_there && store_try(path) == STORE_TAKEN;
    if (is_there && !is_open && store_open_copy(&s, store_path, reason))
        s = NULL;
    const bool has_any =
        has_unsaved(s, NULL) ||
        (store_path && !is_open && has_unsaved(store_open_state(reason), store_path));
    free(store_path);
    return is_open   ? "another continuo has it open"
           : has_any ? "its store has unsaved edits"
                     : NULL;
}

/* Also by another name, or through a link; not a device. */
bool file_is_same(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return a && b && !stat(a, &of_a) && !stat(b, &of_b) && S_ISREG(of_a.st_mode) &&
           of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

int overwrite_check(const char *output, bool is_forced, const char *const *inputs,
                    int n)
{
    char said[256];
    for (int i = 0; i < n; i++)
        if (file_is_same(output, inputs[i]))
            return say_error(output, "is an input; write to another file");
    const char *why = is_forced ? NULL : overwrite_refusal(output);
    if (!why)
        return 0;
    snprintf(said, sizeof said, "is not written: %s; --force writes it anyway", why);
    return say_error(output, said);
}
