/* What verbs ask a store: whether it has unsaved edits (overwrite.h), and what is in it: all values
 * that are set, and the numbers of edits, takes and other rows (store.h). A copy is read, since another
 * program may have the store open. A store that cannot be read refuses nothing and stays as it is. */
#include "app/document/overwrite.h"

#include "app/base/say.h"
#include "app/document/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Selects whether the present state differs from the last saved one, or a recording has not become an
 * edit. */
static const char UNSAVED[] =
    "SELECT iif(state < 0, (SELECT ifnull(max(id), 0) FROM edit), state) <> "
    "ifnull((SELECT state FROM save WHERE is_done ORDER BY n DESC LIMIT 1), 0) "
    "OR EXISTS(SELECT 1 FROM session WHERE as_saved = 3 "
    "AND json_array_length(data, '$.notes')) FROM piece";

const char *overwrite_refusal(const char *path)
{
    struct stat st;
    if (stat(path, &st) || !S_ISREG(st.st_mode))
        return NULL;
    if (st.st_nlink > 1)
        return "it has a second name (a hard link), which writing would separate";
    bool is_open = false, has_any = false;
    /* Opening it brings out pieces that an older version kept in the state folder's store. */
    store_close(store_open_state(NULL), false);
    for (int i = 0; i < 2; i++) { /* beside it, and in the state folder */
        struct store *s = NULL;
        int64_t has = 0;
        char *of = i ? store_path_elsewhere(path) : store_path_of(path);
        const bool is_there = of && !lstat(of, &st);
        is_open |= is_there && store_try(strdup(of)) == STORE_TAKEN;
        if (is_there && !is_open && store_open_copy(&s, of, NULL) == STORE_OK)
            has_any |= store_number(s->db, UNSAVED, &has) && has;
        store_close(s, false);
        free(of);
    }
    return is_open   ? "another continuo has it open"
           : has_any ? "its store has unsaved edits"
                     : NULL;
}

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

/* -- for continuo info -- */

extern const char DESCRIBE_STORE[]; /* app/document/describe_store.sql */

cJSON *describe_store(const char *path, char *why, size_t n_why)
{
    struct store *s;
    char reason[STORE_WHY_BYTES] = "it is empty";
    sqlite3_stmt *st = NULL;
    cJSON *j = NULL;
    const int status = store_open_copy(&s, path, reason);
    snprintf(why, n_why, "%s", status ? reason : "what is in it cannot be listed");
    if (status)
        return NULL;
    if (!sqlite3_prepare_v2(s->db, DESCRIBE_STORE, -1, &st, NULL) &&
        !sqlite3_bind_text(st, 1, path, -1, SQLITE_STATIC) &&
        sqlite3_step(st) == SQLITE_ROW)
        j = cJSON_Parse((const char *)sqlite3_column_text(st, 0));
    sqlite3_finalize(st);
    store_close(s, true);
    return j;
}

void describe_store_print(const cJSON *j)
{
    const cJSON *item;
    say_safe(stdout, cJSON_GetStringValue(cJSON_GetObjectItem(j, "file")));
    printf(": a store of continuo");
    cJSON_ArrayForEach(item, j)
    {
        const double n = cJSON_GetNumberValue(item);
        if (!strcmp(item->string, "version") || !strcmp(item->string, "state"))
            printf(", %s %.0f", item->string, n);
        else if (n > 0)
            printf(", %.0f %s", n, item->string);
    }
    putchar('\n');
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(j, "settings"))
    {
        printf("  ");
        say_safe(stdout, item->string);
        printf(" ");
        say_safe(stdout, item->valuestring);
        putchar('\n');
    }
}
