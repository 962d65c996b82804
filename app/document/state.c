#include "app/document/state.h"

#include "app/document/store_rows.h"
#include "midi/score/chunk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIVISION = 1 << 15, MOST_PROMPT = 1000 };

/* What is of no piece. */
static const struct row_key NO_PIECE = {0, 0};

struct kept_register {
    int i; /* its place */
    int ticks_per_quarter, at_track;
    int64_t span;
    bool is_last;
};
struct kept_note {
    int i;
    struct clipboard_note note;
};
struct kept_lyric {
    int i, note;                     /* the note's index in the register */
    char event[CLIPBOARD_LYRIC + 1]; /* the meta event's bytes, none of them 0 */
};
struct kept_point {
    int i;
    struct clipboard_point point;
};

#define FAR -(double)CLIPBOARD_FURTHEST, (double)CLIPBOARD_FURTHEST

static const struct row_field REGISTER_FIELDS[] = {
    ROW_WHOLE(kept_register, "register", i, 0, N_REGISTERS - 1),
    ROW_WHOLE(kept_register, "ticks_per_quarter", ticks_per_quarter, 1, MOST_DIVISION),
    ROW_WHOLE(kept_register, "span", span, 0, (double)CLIPBOARD_FURTHEST / 2),
    ROW_WHOLE(kept_register, "at_track", at_track, 0, CLIPBOARD_TRACKS - 1),
    ROW_YES(kept_register, "is_last", is_last),
};
static const struct row_field NOTE_FIELDS[] = {
    ROW_WHOLE(kept_note, "register", i, 0, N_REGISTERS - 1),
    ROW_WHOLE(kept_note, "offset", note.offset, FAR),
    ROW_WHOLE(kept_note, "length", note.length, 0, (double)CLIPBOARD_FURTHEST),
    ROW_WHOLE(kept_note, "track", note.track, 0, CLIPBOARD_TRACKS - 1),
    ROW_WHOLE(kept_note, "pitch", note.pitch, 0, 127),
    ROW_WHOLE(kept_note, "velocity", note.velocity, 1, 127),
    ROW_WHOLE(kept_note, "off_velocity", note.off_velocity, 0, 127),
};
static const struct row_field LYRIC_FIELDS[] = {
    ROW_WHOLE(kept_lyric, "register", i, 0, N_REGISTERS - 1),
    ROW_WHOLE(kept_lyric, "note", note, 0, REGISTERS_KEPT_NOTES - 1),
    ROW_NAME(kept_lyric, "event", event),
};
static const struct row_field POINT_FIELDS[] = {
    ROW_WHOLE(kept_point, "register", i, 0, N_REGISTERS - 1),
    ROW_WHOLE(kept_point, "offset", point.offset, 0, (double)CLIPBOARD_FURTHEST),
    ROW_WHOLE(kept_point, "track", point.track, 0, 16383),
    ROW_WHOLE(kept_point, "kind", point.kind, 0, 16383),
    ROW_WHOLE(kept_point, "number", point.number, 0, 16383),
    ROW_WHOLE(kept_point, "value", point.value, 0, 16383),
};

static const struct row_table REGISTER =
                                  ROW_TABLE(kept_register, "register", REGISTER_FIELDS),
                              NOTE = ROW_TABLE(kept_note, "register_note", NOTE_FIELDS),
                              POINT =
                                  ROW_TABLE(kept_point, "register_point", POINT_FIELDS),
                              LYRIC =
                                  ROW_TABLE(kept_lyric, "register_lyric", LYRIC_FIELDS);

struct kept_registers {
    struct kept_register *list;
    struct kept_note *notes; /* sorted by register */
    struct kept_point *points;
    struct kept_lyric *lyrics;
    size_t n, n_notes, n_points, n_lyrics;
};

static const struct row_list LISTS[] = {
    ROW_LIST(kept_registers, REGISTER, list, n, N_REGISTERS),
    ROW_LIST(kept_registers, NOTE, notes, n_notes, REGISTERS_KEPT_NOTES),
    ROW_LIST(kept_registers, POINT, points, n_points, REGISTERS_KEPT_NOTES),
    ROW_LIST(kept_registers, LYRIC, lyrics, n_lyrics, REGISTERS_KEPT_NOTES),
};
enum { N_LISTS = sizeof LISTS / sizeof LISTS[0] };

struct register_job {
    struct job job;
    struct kept_registers kept;
};

static int run_registers(struct store *s, struct job *j)
{
    const struct register_job *r = (const struct register_job *)j;
    int code = lists_delete(s, LISTS, N_LISTS, NO_PIECE);
    return code ? code : lists_put(s, LISTS, N_LISTS, NO_PIECE, &r->kept);
}

static void free_registers(struct job *j)
{
    lists_free(LISTS, N_LISTS, &((struct register_job *)j)->kept);
    free(j);
}

/* Those that are kept: the newest first, as far as there is room for them. */
static bool is_kept(const struct registers *r, int i, size_t *room)
{
    const struct clipboard *p = &r->at[i];
    size_t n = p->n + p->n_points;
    bool is = p->n && n <= *room;
    *room -= is ? n : 0;
    return is;
}

static void add_lyric(struct kept_registers *k, int i, const struct clipboard *p,
                      size_t note)
{
    const struct clipboard_note *n = &p->notes[note];
    if (!n->n_lyric || memchr(n->lyric, 0, n->n_lyric))
        return;
    struct kept_lyric *l = &k->lyrics[k->n_lyrics++];
    *l = (struct kept_lyric){i, (int)note, ""};
    memcpy(l->event, n->lyric, n->n_lyric);
}

static void add_register(struct kept_registers *k, const struct registers *r, int i)
{
    const struct clipboard *p = &r->at[i];
    k->list[k->n++] = (struct kept_register){i, p->ticks_per_quarter, p->at_track,
                                             p->span, i == r->last};
    for (size_t j = 0; j < p->n; j++) {
        k->notes[k->n_notes++] = (struct kept_note){i, p->notes[j]};
        add_lyric(k, i, p, j);
    }
    for (size_t j = 0; j < p->n_points; j++)
        k->points[k->n_points++] = (struct kept_point){i, p->points[j]};
}

void registers_remember(struct writer *w, struct registers *r)
{
    struct register_job *j = calloc(1, sizeof *j);
    struct kept_registers *k = j ? &j->kept : NULL;
    size_t room = REGISTERS_KEPT_NOTES, n = 0;
    r->changed = false;
    for (int i = 0; i < N_REGISTERS; i++)
        n += r->at[i].n + r->at[i].n_points;
    n = n < room ? n : room;
    if (!k)
        return;
    j->job =
        (struct job){.kind = JOB_STATE, .run = run_registers, .free = free_registers};
    k->list = calloc(N_REGISTERS, sizeof *k->list);
    k->notes = calloc(n + 1, sizeof *k->notes);
    k->points = calloc(n + 1, sizeof *k->points);
    k->lyrics = calloc(n + 1, sizeof *k->lyrics);
    if (!k->list || !k->notes || !k->points || !k->lyrics) {
        free_registers(&j->job);
        return;
    }
    if (is_kept(r, r->last, &room))
        add_register(k, r, r->last);
    for (int i = 0; i < N_REGISTERS; i++)
        if (i != r->last && is_kept(r, i, &room))
            add_register(k, r, i);
    writer_push(w, &j->job);
}

/* false: it is no lyric of one of its notes. */
static bool take_lyric(struct clipboard *p, const struct kept_lyric *l)
{
    const uint8_t *event = (const uint8_t *)l->event;
    const size_t n = strlen(l->event);
    const bool is_lyric = n > 3 && event[0] == 0xff && event[2] == n - 3 &&
                          (event[1] == META_LYRIC || event[1] == META_TEXT);
    if (!is_lyric || (size_t)l->note >= p->n)
        return false;
    p->notes[l->note].n_lyric = (uint8_t)n;
    memcpy(p->notes[l->note].lyric, event, n);
    return true;
}

static bool take_register(struct registers *r, const struct kept_register *of,
                          const struct kept_registers *k)
{
    struct clipboard *p = &r->at[of->i];
    p->ticks_per_quarter = of->ticks_per_quarter;
    p->span = of->span;
    p->at_track = of->at_track;
    if (of->is_last)
        r->last = of->i;
    p->notes = calloc(k->n_notes + 1, sizeof *p->notes);
    p->points = calloc(k->n_points + 1, sizeof *p->points);
    if (!p->notes || !p->points)
        return false;
    for (size_t i = 0; i < k->n_notes; i++)
        if (k->notes[i].i == of->i)
            p->notes[p->n++] = k->notes[i].note;
    for (size_t i = 0; i < k->n_points; i++)
        if (k->points[i].i == of->i)
            p->points[p->n_points++] = k->points[i].point;
    for (size_t i = 0; i < k->n_lyrics; i++)
        if (k->lyrics[i].i == of->i && !take_lyric(p, &k->lyrics[i]))
            return false;
    for (size_t i = 1; i < p->n; i++) {
        const struct clipboard_note *a = &p->notes[i - 1], *b = &p->notes[i];
        if (a->track > b->track || (a->track == b->track && a->offset > b->offset))
            return false;
    }
    return p->n && p->notes[0].track == 0 && clipboard_is_sane(p);
}

static const char *read_registers(struct registers *r, struct store *s)
{
    struct kept_registers k = {0};
    bool has[N_REGISTERS] = {false};
    const char *wrong = lists_get(s, LISTS, N_LISTS, NO_PIECE, &k);
    for (size_t i = 0; !wrong && i < k.n; i++) {
        if (has[k.list[i].i] || !take_register(r, &k.list[i], &k))
            wrong = "register";
        has[k.list[i].i] = true;
    }
    lists_free(LISTS, N_LISTS, &k);
    return wrong;
}

bool registers_recall(struct registers *r, char why[STORE_WHY_BYTES])
{
    char aside[256];
    struct store *s = store_open_state(why);
    const char *wrong = !s ? NULL : store_check(s) ? "file" : read_registers(r, s);
    if (s && wrong && !strcmp(wrong, "file"))
        store_put_aside(s->path, aside, sizeof aside);
    store_close(s, false);
    if (wrong) {
        registers_fini(r);
        snprintf(why, STORE_WHY_BYTES, "its %s is invalid", wrong);
    }
    return !*why;
}

static const char PUT_LINE[] =
    "INSERT INTO line(prompt, text) VALUES(?2, ?3); "
    "DELETE FROM line WHERE n <= (SELECT max(n) FROM line) - ?4";
static const char PUT_RECENT[] =
    "INSERT OR REPLACE INTO recent(n, path) "
    "VALUES((SELECT ifnull(max(n), 0) + 1 FROM recent), ?2); "
    "DELETE FROM recent WHERE n NOT IN (SELECT n FROM recent ORDER BY n DESC LIMIT ?3)";

static void push(struct writer *w, struct job *j)
{
    if (!j)
        return;
    j->kind = JOB_STATE;
    writer_push(w, j);
}

void line_remember(struct writer *w, int prompt, const char *text)
{
    push(w, job_do(PUT_LINE, "iti", (int64_t)prompt, text, (int64_t)STATE_LINES));
}

void lines_recall(void (*with)(void *context, int prompt, const char *text),
                  void *context)
{
    char why[STORE_WHY_BYTES];
    struct store *s = store_open_state(why);
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

void recent_add(struct writer *w, const char *path)
{
    char *full = realpath(path, NULL);
    struct store *s = full && !w ? store_for_state(NULL) : NULL;
    if (full && w)
        push(w, job_do(PUT_RECENT, "bi", full, strlen(full), (int64_t)RECENT_MAX));
    if (s && !store_prepare_database(s))
        store_do(s, PUT_RECENT, "bi", full, strlen(full), (int64_t)RECENT_MAX);
    store_close(s, false);
    free(full);
}

void recent_read(struct recent *r)
{
    char why[STORE_WHY_BYTES];
    *r = (struct recent){0};
    struct store *s = store_open_state(why);
    sqlite3_stmt *st =
        s ? store_statement(s, "SELECT path FROM recent ORDER BY n DESC") : NULL;
    for (int i = 0; st && i < 4 * RECENT_MAX && r->n < RECENT_MAX &&
                    sqlite3_step(st) == SQLITE_ROW;
         i++) { /* paths are bytes, and not trusted */
        const char *path = sqlite3_column_blob(st, 0);
        size_t n = (size_t)sqlite3_column_bytes(st, 0);
        if (path && n && *path == '/' && !memchr(path, '\n', n) &&
            (r->paths[r->n] = strndup(path, n)))
            r->n++;
    }
    store_close(s, false);
}

void recent_forget(struct recent *r)
{
    for (int i = 0; i < r->n; i++)
        free(r->paths[i]);
    *r = (struct recent){0};
}
