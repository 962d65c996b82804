#include "app/document/state.h"

#include "app/document/store_fields.h"
#include "midi/base/array.h"
#include "midi/score/chunk.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIVISION = 1 << 15, MOST_PROMPT = 1000 };

/* -- registers -- */

struct kept_register {
    struct clipboard of;
    bool is_last;
};

#define FAR -(double)CLIPBOARD_FURTHEST, (double)CLIPBOARD_FURTHEST

static const struct field NOTE[] = {
    STORE_WHOLE(clipboard_note, "offset", offset, FAR),
    STORE_WHOLE(clipboard_note, "length", length, 0, (double)CLIPBOARD_FURTHEST),
    STORE_WHOLE(clipboard_note, "track", track, 0, CLIPBOARD_TRACKS - 1),
    STORE_WHOLE(clipboard_note, "pitch", pitch, 0, 127),
    STORE_WHOLE(clipboard_note, "velocity", velocity, 1, 127),
    STORE_WHOLE(clipboard_note, "off_velocity", off_velocity, 0, 127),
    {.name = "lyric",
     .kind = &STORED_BLOCK,
     .offset = offsetof(struct clipboard_note, n_lyric),
     .size = 1 + CLIPBOARD_LYRIC},
};
static_assert(offsetof(struct clipboard_note, lyric) ==
                  offsetof(struct clipboard_note, n_lyric) + 1,
              "a block follows its count");
static const struct field POINT[] = {
    STORE_WHOLE(clipboard_point, "offset", offset, 0, (double)CLIPBOARD_FURTHEST),
    STORE_WHOLE(clipboard_point, "track", track, 0, 16383),
    STORE_WHOLE(clipboard_point, "kind", kind, 0, 16383),
    STORE_WHOLE(clipboard_point, "number", number, 0, 16383),
    STORE_WHOLE(clipboard_point, "value", value, 0, 16383),
};
static const struct field REGISTER[] = {
    STORE_WHOLE(kept_register, "ticks_per_quarter", of.ticks_per_quarter, 1,
                MOST_DIVISION),
    STORE_WHOLE(kept_register, "span", of.span, 0, (double)CLIPBOARD_FURTHEST / 2),
    STORE_WHOLE(kept_register, "at_track", of.at_track, 0, CLIPBOARD_TRACKS - 1),
    STORE_YES(kept_register, "is_last", is_last),
    STORE_LIST(kept_register, "notes", of.notes, of.n, REGISTERS_KEPT_NOTES, false,
               NOTE),
    STORE_LIST(kept_register, "points", of.points, of.n_points, REGISTERS_KEPT_NOTES,
               false, POINT),
};
enum { N_FIELDS = sizeof REGISTER / sizeof REGISTER[0] };

static const char PUT_REGISTER[] =
    "INSERT INTO clipboard(n, data) VALUES(%d, CAST(?1 AS TEXT))";

static int run_registers(struct store *s, const struct job *j)
{
    const struct registers *r = j->of;
    int code = store_exec(s, "DELETE FROM clipboard");
    for (int i = 0; !code && i < N_REGISTERS; i++) {
        const struct kept_register kept = {r->at[i], i == r->last};
        if (kept.of.n)
            code = fields_write(REGISTER, N_FIELDS, &kept, NULL, s,
                                sqlite3_mprintf(PUT_REGISTER, i));
    }
    return code;
}

static void free_registers(void *registers)
{
    registers_fini(registers);
    free(registers);
}

/* If there is no room for all registers, the one that was filled last comes first. */
void registers_remember(struct writer *w, struct registers *r)
{
    struct registers *copy = calloc(1, sizeof *copy);
    size_t room = REGISTERS_KEPT_NOTES;
    r->changed = false;
    if (!copy)
        return;
    copy->last = r->last;
    bool ok = true;
    for (int k = -1; ok && k < N_REGISTERS; k++) {
        const int i = k < 0 ? r->last : k;
        const size_t n = r->at[i].n + r->at[i].n_points;
        if (!r->at[i].n || copy->at[i].n || n > room)
            continue;
        room -= n;
        ok = clipboard_copy(&copy->at[i], &r->at[i]);
    }
    if (ok)
        writer_push(w, &(struct job){.kind = JOB_STATE,
                                     .run = run_registers,
                                     .of = copy,
                                     .free = free_registers});
    else
        free_registers(copy);
}

bool registers_recall(struct registers *r, char why[STORE_WHY_BYTES])
{
    char row[64];
    *why = '\0';
    struct store *s = store_open_state(why);
    const bool is_damaged = s && store_check(s);
    const char *wrong = is_damaged ? "file" : NULL;
    for (int i = 0; s && !wrong && i < N_REGISTERS; i++) {
        struct kept_register kept = {0};
        bool is_there;
        snprintf(row, sizeof row, "clipboard WHERE n = %d", i);
        wrong = fields_read(REGISTER, N_FIELDS, &kept, s, row, &is_there);
        const struct clipboard *p = &r->at[i];
        r->at[i] = kept.of;
        r->last = kept.is_last ? i : r->last;
        bool ok = !wrong &&
                  (!is_there || (p->n && !p->notes[0].track && clipboard_is_sane(p)));
        /* Notes are sorted, and their lyrics are meta events. */
        for (size_t k = 0; ok && k < p->n; k++) {
            const struct clipboard_note *a = &p->notes[k ? k - 1 : 0],
                                        *b = &p->notes[k];
            const uint8_t *event = b->lyric, n = b->n_lyric;
            const bool is_lyric = n > 3 && event[0] == 0xff && event[2] == n - 3 &&
                                  (event[1] == META_LYRIC || event[1] == META_TEXT);
            ok = (a->track < b->track ||
                  (a->track == b->track && a->offset <= b->offset)) &&
                 (!n || is_lyric);
        }
        wrong = ok ? NULL : "register";
    }
    if (is_damaged)
        store_put_aside(s->path, NULL);
    if (wrong) {
        registers_fini(r);
        snprintf(why, STORE_WHY_BYTES, "its %s is invalid", wrong);
    }
    const bool ok = s ? !wrong : !*why;
    store_close(s, false);
    return ok;
}

/* -- lines and recent files -- */

static const char PUT_LINE[] =
    "INSERT INTO line(prompt, text) VALUES(%d, %Q); "
    "DELETE FROM line WHERE n <= (SELECT max(n) FROM line) - %d";
static const char PUT_RECENT[] =
    "INSERT OR REPLACE INTO recent(n, path) "
    "VALUES((SELECT ifnull(max(n), 0) + 1 FROM recent), ?1); "
    "DELETE FROM recent WHERE n NOT IN (SELECT n FROM recent ORDER BY n DESC LIMIT %d)";

void line_remember(struct writer *w, int prompt, const char *text)
{
    writer_do(w, JOB_STATE, sqlite3_mprintf(PUT_LINE, prompt, text, STATE_LINES), NULL,
              0);
}

void lines_recall(void (*with)(void *context, int prompt, const char *text),
                  void *context)
{
    static const char SQL[] = "SELECT prompt, text FROM line ORDER BY n";
    struct store *s = store_open_state(NULL);
    sqlite3_stmt *st = NULL;
    for (int i = 0; s && i < STATE_LINES && store_next(s->db, &st, SQL) == SQLITE_ROW;
         i++) {
        int prompt = sqlite3_column_int(st, 0);
        const char *text = (const char *)sqlite3_column_text(st, 1);
        if (text && prompt >= 0 && prompt < MOST_PROMPT)
            with(context, prompt, text);
    }
    sqlite3_finalize(st);
    store_close(s, false);
}

void recent_add(struct writer *w, const char *path)
{
    char *full = realpath(path, NULL);
    struct store *s = full && !w ? store_of_state() : NULL;
    if (full && w)
        writer_do(w, JOB_STATE, sqlite3_mprintf(PUT_RECENT, RECENT_MAX), full,
                  strlen(full));
    if (s && !store_open(s, true, NULL))
        store_do(s, sqlite3_mprintf(PUT_RECENT, RECENT_MAX), full, strlen(full));
    store_close(s, false);
    free(full);
}

void recent_read(struct recent *r)
{
    static const char SQL[] = "SELECT path FROM recent ORDER BY n DESC";
    struct store *s = store_open_state(NULL);
    sqlite3_stmt *st = NULL;
    *r = (struct recent){0};
    for (int i = 0; s && i < 4 * RECENT_MAX && r->n < RECENT_MAX &&
                    store_next(s->db, &st, SQL) == SQLITE_ROW;
         i++) { /* the paths are bytes that are not trusted */
        const char *path = sqlite3_column_blob(st, 0);
        size_t n = (size_t)sqlite3_column_bytes(st, 0);
        if (path && n && *path == '/' && !memchr(path, '\n', n) &&
            (r->paths[r->n] = strndup(path, n)))
            r->n++;
    }
    sqlite3_finalize(st);
    store_close(s, false);
}

void recent_forget(struct recent *r)
{
    for (int i = 0; i < r->n; i++)
        free(r->paths[i]);
    *r = (struct recent){0};
}
