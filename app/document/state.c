/* See state.h. */
#include "app/document/state.h"

#include "app/document/store_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIVISION = 1 << 15, MOST_PROMPT = 1000 };

/* What is of no piece. */
static const struct row_key NO_PIECE = {0, 0};

/* -- what was copied -- */

struct kept_register {
    int i; /* its place; not a column */
    int ticks_per_quarter, at_track;
    int64_t span;
    bool is_last;
};
struct kept_note {
    int i;
    struct passage_note note;
};
struct kept_point {
    int i;
    struct passage_point point;
};

#define AT(field) offsetof(STRUCT, field)
#define FAR       -(double)PASSAGE_FURTHEST, (double)PASSAGE_FURTHEST
#define TABLE(name, type, list)                                                        \
    {                                                                                  \
        name, sizeof(type), list, sizeof(list) / sizeof(list)[0]                       \
    }

#define STRUCT struct kept_register
static const struct row_field REGISTER_FIELDS[] = {
    {"n", ROW_INT, AT(i), 0, N_REGISTERS - 1},
    {"ticks_per_quarter", ROW_INT, AT(ticks_per_quarter), 1, MOST_DIVISION},
    {"span", ROW_TICK, AT(span), 0, (double)PASSAGE_FURTHEST / 2},
    {"at_track", ROW_INT, AT(at_track), 0, PASSAGE_TRACKS - 1},
    {"is_last", ROW_YES, AT(is_last), 0, 1},
};
#undef STRUCT
#define STRUCT struct kept_note
static const struct row_field NOTE_FIELDS[] = {
    {"register", ROW_INT, AT(i), 0, N_REGISTERS - 1},
    {"offset", ROW_TICK, AT(note.offset), FAR},
    {"length", ROW_TICK, AT(note.length), 0, (double)PASSAGE_FURTHEST},
    {"track", ROW_INT, AT(note.track), 0, PASSAGE_TRACKS - 1},
    {"pitch", ROW_INT, AT(note.pitch), 0, 127},
    {"velocity", ROW_INT, AT(note.velocity), 1, 127},
    {"off_velocity", ROW_INT, AT(note.off_velocity), 0, 127},
};
#undef STRUCT
#define STRUCT struct kept_point
static const struct row_field POINT_FIELDS[] = {
    {"register", ROW_INT, AT(i), 0, N_REGISTERS - 1},
    {"offset", ROW_TICK, AT(point.offset), 0, (double)PASSAGE_FURTHEST},
    {"track", ROW_INT, AT(point.track), 0, 16383},
    {"kind", ROW_INT, AT(point.kind), 0, 16383},
    {"number", ROW_INT, AT(point.number), 0, 16383},
    {"value", ROW_INT, AT(point.value), 0, 16383},
};
#undef STRUCT

/* The number of a register is its key when it is written. */
static const struct row_table
    REGISTER = TABLE("register", struct kept_register, REGISTER_FIELDS),
    REGISTER_PUT = {"register", sizeof(struct kept_register), REGISTER_FIELDS + 1,
                    sizeof REGISTER_FIELDS / sizeof REGISTER_FIELDS[0] - 1},
    NOTE = TABLE("register_note", struct kept_note, NOTE_FIELDS),
    POINT = TABLE("register_point", struct kept_point, POINT_FIELDS);

struct register_job {
    struct job job;
    struct kept_register list[N_REGISTERS];
    struct kept_note *notes;
    struct kept_point *points;
    size_t n, n_notes, n_points;
};

static int run_registers(struct store *s, struct job *j)
{
    const struct register_job *r = (const struct register_job *)j;
    int code = rows_delete(s, &REGISTER, NO_PIECE);
    if (!code)
        code = rows_delete(s, &NOTE, NO_PIECE);
    if (!code)
        code = rows_delete(s, &POINT, NO_PIECE);
    for (size_t i = 0; !code && i < r->n; i++)
        code =
            rows_put(s, &REGISTER_PUT, NO_PIECE, (size_t)r->list[i].i, &r->list[i], 1);
    if (!code)
        code = rows_put(s, &NOTE, NO_PIECE, 0, r->notes, r->n_notes);
    return code ? code : rows_put(s, &POINT, NO_PIECE, 0, r->points, r->n_points);
}

static void free_registers(struct job *j)
{
    struct register_job *r = (struct register_job *)j;
    free(r->notes);
    free(r->points);
    free(r);
}

/* Those that are kept: the newest first, as far as there is room for them. */
static bool is_kept(const struct registers *r, int i, size_t *room)
{
    const struct passage *p = &r->at[i];
    size_t n = p->n + p->n_points;
    bool is = p->n && n <= *room;
    *room -= is ? n : 0;
    return is;
}

static void add_register(struct register_job *j, const struct registers *r, int i)
{
    const struct passage *p = &r->at[i];
    j->list[j->n++] = (struct kept_register){i, p->ticks_per_quarter, p->at_track,
                                             p->span, i == r->last};
    for (size_t k = 0; k < p->n; k++)
        j->notes[j->n_notes++] = (struct kept_note){i, p->notes[k]};
    for (size_t k = 0; k < p->n_points; k++)
        j->points[j->n_points++] = (struct kept_point){i, p->points[k]};
}

void registers_remember(struct writer *w, struct registers *r)
{
    struct register_job *j = calloc(1, sizeof *j);
    size_t room = REGISTERS_KEPT_NOTES, n = 0;
    r->changed = false;
    for (int i = 0; i < N_REGISTERS; i++)
        n += r->at[i].n + r->at[i].n_points;
    n = n < room ? n : room;
    if (j) {
        j->job = (struct job){
            .is_state = true, .run = run_registers, .free = free_registers};
        j->notes = calloc(n + 1, sizeof *j->notes);
        j->points = calloc(n + 1, sizeof *j->points);
    }
    if (!j || !j->notes || !j->points) {
        if (j)
            free_registers(&j->job);
        return;
    }
    if (is_kept(r, r->last, &room))
        add_register(j, r, r->last);
    for (int i = 0; i < N_REGISTERS; i++)
        if (i != r->last && is_kept(r, i, &room))
            add_register(j, r, i);
    writer_push(w, &j->job);
}

static bool is_in_order(const struct passage_note *a, const struct passage_note *b)
{
    return a->track < b->track || (a->track == b->track && a->offset <= b->offset);
}

/* The notes of register i, whose rows lie together. */
static bool take_notes(struct passage *p, int i, const struct kept_note *list, size_t n)
{
    p->notes = calloc(n + 1, sizeof *p->notes);
    for (size_t k = 0; p->notes && k < n; k++) {
        if (list[k].i != i)
            continue;
        p->notes[p->n] = list[k].note;
        if (p->n && !is_in_order(&p->notes[p->n - 1], &p->notes[p->n]))
            return false;
        p->n++;
    }
    return p->notes && p->n && p->notes[0].track == 0;
}

static bool take_points(struct passage *p, int i, const struct kept_point *list,
                        size_t n)
{
    p->points = calloc(n + 1, sizeof *p->points);
    for (size_t k = 0; p->points && k < n; k++)
        if (list[k].i == i)
            p->points[p->n_points++] = list[k].point;
    return p->points && passage_is_sane(p);
}

static bool take_register(struct registers *r, const struct kept_register *k,
                          const struct kept_note *notes, size_t n_notes,
                          const struct kept_point *points, size_t n_points)
{
    struct passage *p = &r->at[k->i];
    if (p->n)
        return false;
    p->ticks_per_quarter = k->ticks_per_quarter;
    p->span = k->span;
    p->at_track = k->at_track;
    if (k->is_last)
        r->last = k->i;
    return take_notes(p, k->i, notes, n_notes) &&
           take_points(p, k->i, points, n_points);
}

static const char *read_registers(struct registers *r, struct store *s)
{
    void *list, *notes, *points;
    size_t n, n_notes, n_points;
    const char *wrong = rows_get(s, &REGISTER, NO_PIECE, &list, &n, N_REGISTERS);
    const char *wrong_notes =
        rows_get(s, &NOTE, NO_PIECE, &notes, &n_notes, REGISTERS_KEPT_NOTES);
    const char *wrong_points =
        rows_get(s, &POINT, NO_PIECE, &points, &n_points, REGISTERS_KEPT_NOTES);
    wrong = wrong ? wrong : wrong_notes ? wrong_notes : wrong_points;
    for (size_t i = 0; !wrong && i < n; i++)
        if (!take_register(r, (const struct kept_register *)list + i, notes, n_notes,
                           points, n_points))
            wrong = "register";
    free(list);
    free(notes);
    free(points);
    return wrong;
}

/* The database, for a moment. NULL: there is none yet (*why is empty), or why not; what is
 * damaged is put aside. */
static struct store *open_state(char why[STORE_WHY_BYTES])
{
    char aside[256];
    struct store *s = store_for_state(NULL);
    why[0] = '\0';
    enum store_status st = s ? store_open(s, why) : STORE_EMPTY;
    if (st == STORE_DAMAGED)
        store_put_aside(s->path, aside, sizeof aside);
    if (!st)
        return s;
    store_close(s, false);
    return NULL;
}

bool registers_recall(struct registers *r, char why[STORE_WHY_BYTES])
{
    char aside[256];
    struct store *s = open_state(why);
    const char *wrong = !s ? NULL : store_check(s) ? "file" : read_registers(r, s);
    if (s && wrong && !strcmp(wrong, "file"))
        store_put_aside(s->path, aside, sizeof aside);
    store_close(s, false);
    if (wrong) {
        registers_fini(r);
        *r = (struct registers){0};
        snprintf(why, STORE_WHY_BYTES, "its %s cannot be right", wrong);
    }
    return !*why;
}

/* -- lines and files -- */

struct text_job {
    struct job job;
    int prompt;
    char text[];
};

static void free_text(struct job *j)
{
    free(j);
}

static struct text_job *text_job(int prompt, const char *text,
                                 int (*run)(struct store *, struct job *))
{
    size_t n = strlen(text) + 1;
    struct text_job *t = malloc(sizeof *t + n);
    if (!t)
        return NULL;
    t->job = (struct job){.is_state = true, .run = run, .free = free_text};
    t->prompt = prompt;
    memcpy(t->text, text, n);
    return t;
}

static int run_line(struct store *s, struct job *j)
{
    const struct text_job *t = (const struct text_job *)j;
    sqlite3_stmt *st =
        store_statement(s, "INSERT INTO line(prompt, text) VALUES(?, ?)");
    if (st) {
        sqlite3_bind_int(st, 1, t->prompt);
        sqlite3_bind_text(st, 2, t->text, -1, SQLITE_STATIC);
    }
    int code = store_run(s, st);
    if (code)
        return code;
    st = store_statement(s,
                         "DELETE FROM line WHERE n <= (SELECT max(n) FROM line) - ?1");
    if (st)
        sqlite3_bind_int(st, 1, STATE_LINES);
    return store_run(s, st);
}

void line_remember(struct writer *w, int prompt, const char *text)
{
    struct text_job *t = text_job(prompt, text, run_line);
    if (t)
        writer_push(w, &t->job);
}

void lines_recall(void (*with)(void *context, int prompt, const char *text),
                  void *context)
{
    char why[STORE_WHY_BYTES];
    struct store *s = open_state(why);
    sqlite3_stmt *st =
        s ? store_statement(s, "SELECT prompt, text FROM line ORDER BY n") : NULL;
    for (int i = 0; st && i < STATE_LINES && sqlite3_step(st) == SQLITE_ROW; i++) {
        int prompt = sqlite3_column_int(st, 0);
        const char *text = (const char *)sqlite3_column_text(st, 1);
        if (text && prompt >= 0 && prompt < MOST_PROMPT)
            with(context, prompt, text);
    }
    store_close(s, false);
}

static int run_recent(struct store *s, struct job *j)
{
    const struct text_job *t = (const struct text_job *)j;
    sqlite3_stmt *st = store_statement(
        s,
        "INSERT OR REPLACE INTO recent(n, path) VALUES((SELECT ifnull(max(n), 0) + 1 "
        "FROM recent), ?1)");
    if (st)
        sqlite3_bind_blob(st, 1, t->text, (int)strlen(t->text), SQLITE_STATIC);
    int code = store_run(s, st);
    if (code)
        return code;
    st = store_statement(s, "DELETE FROM recent WHERE n NOT IN (SELECT n FROM recent "
                            "ORDER BY n DESC LIMIT ?1)");
    if (st)
        sqlite3_bind_int(st, 1, RECENT_MAX);
    return store_run(s, st);
}

void recent_add(struct writer *w, const char *path)
{
    char *full = realpath(path, NULL);
    struct text_job *t = full ? text_job(0, full, run_recent) : NULL;
    free(full);
    if (t && w) {
        writer_push(w, &t->job);
        return;
    }
    struct store *s = t ? store_for_state(NULL) : NULL;
    if (s && !store_prepare_database(s))
        run_recent(s, &t->job);
    store_close(s, false);
    free(t);
}

/* Paths are bytes: the terminal is sent nothing of them that it would act on. */
static char *copy_path(sqlite3_stmt *st)
{
    const char *path = sqlite3_column_blob(st, 0);
    size_t n = (size_t)sqlite3_column_bytes(st, 0);
    return path && n && *path == '/' && !memchr(path, '\n', n) ? strndup(path, n)
                                                               : NULL;
}

void recent_read(struct recent *r)
{
    char why[STORE_WHY_BYTES];
    *r = (struct recent){0};
    struct store *s = open_state(why);
    sqlite3_stmt *st =
        s ? store_statement(s, "SELECT path FROM recent ORDER BY n DESC") : NULL;
    for (int i = 0; st && i < 4 * RECENT_MAX && r->n < RECENT_MAX &&
                    sqlite3_step(st) == SQLITE_ROW;
         i++)
        if ((r->paths[r->n] = copy_path(st)))
            r->n++;
    store_close(s, false);
}

void recent_forget(struct recent *r)
{
    for (int i = 0; i < r->n; i++)
        free(r->paths[i]);
    *r = (struct recent){0};
}
