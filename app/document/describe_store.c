/* Describes a store (app/document/store.sql) for continuo info: each piece with its edits
 * and settings, and the number of rows in each table. Reads a copy, so that another program
 * may have it open. */
#include "app/document/store.h"

#include "app/base/say.h"

#include <stdio.h>
#include <string.h>

static const struct figure {
    const char *name, *sql;
} FIGURES[] = {
    {"version", "PRAGMA user_version"},
    {"pieces", "SELECT count(*) FROM piece"},
    {"edits", "SELECT count(*) FROM edit"},
    {"state", "SELECT ifnull(max(iif(state < 0, (SELECT max(id) FROM edit "
              "WHERE piece = piece.id), state)), 0) FROM piece"},
    {"saves", "SELECT count(*) FROM save WHERE is_done"},
    {"base bytes", "SELECT ifnull(sum(length(music)), 0) FROM base"},
    {"takes", "SELECT count(*) FROM session WHERE part GLOB '[A-Z]'"},
    {"notes of takes", "SELECT sum(json_array_length(data, '$.ghosts')) FROM session"},
    {"notes being recorded", "SELECT max((data ->> 'notes_before') + "
                             "json_array_length(data, '$.notes')) FROM session "
                             "WHERE as_saved = 3"},
    {"registers", "SELECT count(*) FROM clipboard"},
    {"lines", "SELECT count(*) FROM line"},
    {"recent files", "SELECT count(*) FROM recent"},
};
enum { N_FIGURES = sizeof FIGURES / sizeof FIGURES[0] };

/* As it is, where that is something else than as it was saved. */
static const char SETTINGS[] =
    "WITH now AS (SELECT piece, as_saved, data FROM session AS b WHERE part = "
    "'session' "
    "AND as_saved = (SELECT min(as_saved) FROM session AS c WHERE c.piece = b.piece "
    "AND part = 'session')) "
    "SELECT value ->> 0, value ->> 1 FROM now JOIN session AS s USING(piece, "
    "as_saved), "
    "json_each(s.data, '$.list') WHERE s.part = 'steering' UNION ALL "
    "SELECT 'grid', '1/' || (data ->> 'grid_division') FROM now "
    "WHERE data ->> 'grid_division' UNION ALL "
    "SELECT 'swing', data ->> 'swing' FROM now WHERE data ->> 'swing' > 50 UNION ALL "
    "SELECT 'loop', (data ->> 'loop_from') || ' ' || (data ->> 'loop_to') FROM now "
    "WHERE data ->> 'loop_from' < data ->> 'loop_to'";

/* false: out of memory. */
static bool add_settings(cJSON *to, struct store *s)
{
    sqlite3_stmt *st = NULL;
    bool ok = sqlite3_prepare_v2(s->db, SETTINGS, -1, &st, NULL) == SQLITE_OK;
    while (ok && sqlite3_step(st) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(st, 0);
        const char *value = (const char *)sqlite3_column_text(st, 1);
        ok = name && value && cJSON_AddStringToObject(to, name, value);
    }
    sqlite3_finalize(st);
    return ok;
}

cJSON *describe_store(const char *path, char *why, size_t n_why)
{
    struct store *s;
    char reason[STORE_WHY_BYTES] = "it is empty";
    enum store_status st = store_open_copy(&s, path, reason);
    snprintf(why, n_why, "%s", reason);
    if (st)
        return NULL;
    cJSON *j = cJSON_CreateObject();
    bool ok = j && cJSON_AddStringToObject(j, "file", path);
    for (int i = 0; ok && i < N_FIGURES; i++) {
        int64_t n;
        store_number(s->db, FIGURES[i].sql, &n);
        ok = cJSON_AddNumberToObject(j, FIGURES[i].name, (double)n);
    }
    ok = ok && add_settings(cJSON_AddObjectToObject(j, "settings"), s);
    store_close(s, true);
    if (ok)
        return j;
    cJSON_Delete(j);
    snprintf(why, n_why, "out of memory");
    return NULL;
}

void describe_store_print(const cJSON *j)
{
    const cJSON *item;
    say_safe(stdout, cJSON_GetStringValue(cJSON_GetObjectItem(j, "file")));
    printf(": a store of continuo");
    for (int i = 0; i < N_FIGURES; i++) {
        double n = cJSON_GetNumberValue(cJSON_GetObjectItem(j, FIGURES[i].name));
        bool is_place =
            !strcmp(FIGURES[i].name, "version") || !strcmp(FIGURES[i].name, "state");
        if (is_place)
            printf(", %s %.0f", FIGURES[i].name, n);
        else if (n > 0)
            printf(", %.0f %s", n, FIGURES[i].name);
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
