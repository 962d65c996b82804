/* Sessions that are kept, in a folder of their own, and ways to look at what they leave.
 * Include cmocka.h before it. */
#ifndef TESTS_APP_KEPT_H
#define TESTS_APP_KEPT_H

#include "app/editor/session/session.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char kept_folder[] = "/tmp/continuo-kept-XXXXXX";

static inline int make_kept_folder(void **state)
{
    (void)state;
    return mkdtemp(kept_folder) && !setenv("XDG_STATE_HOME", kept_folder, 1) ? 0 : -1;
}

static inline int remove_one(const char *path, const struct stat *about, int kind,
                             struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

static inline int remove_kept_folder(void **state)
{
    (void)state;
    return nftw(kept_folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* One of eight names is good at a time. */
static inline const char *in_kept(const char *name)
{
    static char paths[8][256];
    static int at;
    char *path = paths[at++ % 8];
    snprintf(path, sizeof paths[0], "%s/%.200s", kept_folder, name);
    return path;
}

static inline bool is_there(const char *name)
{
    return access(in_kept(name), F_OK) == 0;
}

/* malloc'd; NULL: there is no such file. */
static inline uint8_t *get_bytes(const char *name, size_t *n)
{
    FILE *f = fopen(in_kept(name), "rb");
    uint8_t *bytes = malloc(1 << 24);
    *n = f && bytes ? fread(bytes, 1, 1 << 24, f) : 0;
    if (!f) {
        free(bytes);
        return NULL;
    }
    fclose(f);
    return bytes;
}

static inline void put_bytes(const char *name, const uint8_t *bytes, size_t n)
{
    FILE *f = fopen(in_kept(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

static inline void copy_file(const char *to, const char *from)
{
    size_t n;
    uint8_t *bytes = get_bytes(from, &n);
    assert_non_null(bytes);
    put_bytes(to, bytes, n);
    free(bytes);
}

static inline struct session *kept_session(void)
{
    struct session *s = malloc(sizeof *s);
    struct session_options o = {.driver = "none",
                                .model = "/nonexistent.safetensors",
                                .n_threads = 1,
                                .wake_fd = -1,
                                .journals = true};
    assert_non_null(s);
    assert_int_equal(session_init(s, &o), MIDI_OK);
    session_resize(s, 80, 24);
    return s;
}

static inline struct session *kept_open(const char *name)
{
    struct session *s = kept_session();
    assert_true(session_open(s, in_kept(name)));
    return s;
}

static inline void kept_close(struct session *s)
{
    session_fini(s);
    free(s);
}

/* Until the store has all that was done. */
static inline void settle(struct session *s)
{
    assert_true(writer_wait(s->project.keep.writer, 10000));
}

static inline void do_command(struct session *s, enum command_id id, int count)
{
    act_run(s, &(struct command){.id = id, .count = count});
}

/* n notes in a row, after all there are. */
static inline void draw(struct session *s, int n)
{
    s->cursor_tick = score_end_tick(s->project.score);
    do_command(s, CMD_DRAW, 0);
    for (int i = 0; i < n; i++)
        do_command(s, CMD_TOGGLE_NOTE, 0);
    do_command(s, CMD_ESCAPE, 0);
}

/* A saved piece of n notes that is open. */
static inline struct session *saved_piece(const char *name, int n)
{
    struct session *s = kept_open(name);
    draw(s, n);
    act_command_line(s, "w");
    assert_false(s->message_is_error);
    return s;
}

/* What the program leaves, with so many edits of it not saved, when it is ended from
 * outside. */
static inline void leave_behind(const char *name, int n_saved, int n_more)
{
    struct session *s = saved_piece(name, n_saved);
    draw(s, n_more);
    settle(s);
    kept_close(s);
}

/* As another program would change a store. */
static inline void spoil(const char *name, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(in_kept(name), &db), SQLITE_OK);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL))
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static inline size_t n_notes(const struct session *s)
{
    return score_n_notes(s->project.score);
}

#endif
