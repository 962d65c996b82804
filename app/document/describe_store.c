/* Describes a store (app/document/store.sql) for continuo info: what is set, and how many
 * pieces, edits, takes and other rows there are, in all pieces together. Reads a copy, so that
 * another program may have it open. */
#include "app/document/store.h"

#include "app/base/say.h"

#include <stdio.h>
#include <string.h>

extern const char DESCRIBE_STORE[]; /* app/document/describe_store.sql */

cJSON *describe_store(const char *path, char *why, size_t n_why)
{
    struct store *s;
    char reason[STORE_WHY_BYTES] = "it is empty";
    sqlite3_stmt *st = NULL;
    cJSON *j = NULL;
    enum store_status status = store_open_copy(&s, path, reason);
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
