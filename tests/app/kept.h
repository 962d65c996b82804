/* Sessions that are saved, in a folder of their own, and ways to look at their files. Include
 * cmocka.h before it. */
#ifndef TESTS_APP_KEPT_H
#define TESTS_APP_KEPT_H

#include "tests/app/driver.h"

static inline struct session *kept_session(void)
{
    return session_with((struct session_options){.model = "/nonexistent.safetensors",
                                                 .journals = true});
}

static inline struct session *kept_open(const char *name)
{
    struct session *s = kept_session();
    assert_true(session_open(s, in_folder(name)));
    return s;
}

static inline void kept_close(struct session *s)
{
    close_session((void **)&s);
}

/* That piece, which has so many notes; */
static inline struct session *kept_with(const char *name, size_t n)
{
    struct session *s = kept_open(name);
    assert_int_equal(n_notes(s), n);
    return s;
}

/* opened after this was closed; */
static inline struct session *kept_again(struct session *s, const char *name, size_t n)
{
    kept_close(s);
    return kept_with(name, n);
}

/* and closed again. */
static inline void kept_leaves(struct session *s, const char *name, size_t n)
{
    kept_close(kept_again(s, name, n));
}

/* A command line that ends with a file of the folder. */
static inline void line_with_file(struct session *s, const char *command,
                                  const char *name)
{
    char text[300];
    snprintf(text, sizeof text, "%s %s", command, in_folder(name));
    act_command_line(s, text);
}

/* Waits until the store has all edits. */
static inline void settle(struct session *s)
{
    assert_true(writer_wait(s->project.autosave.writer, 10000));
}

static inline void do_command(struct session *s, enum command_id id, int count)
{
    run_times(s, id, count);
}

/* Adds n notes in a row, after all others. */
static inline void draw(struct session *s, int n)
{
    s->cursor.tick = score_end_tick(s->project.score);
    do_command(s, CMD_DRAW, 0);
    for (int i = 0; i < n; i++)
        do_command(s, CMD_TOGGLE_NOTE, 0);
    do_command(s, CMD_ESCAPE, 0);
}

/* Opens a saved piece of n notes. */
static inline struct session *saved_piece(const char *name, int n)
{
    struct session *s = kept_open(name);
    draw(s, n);
    act_command_line(s, "w");
    assert_false(s->message.is_error);
    return s;
}

/* Leaves what the program leaves if it is killed with that many unsaved edits. */
static inline void leave_behind(const char *name, int n_saved, int n_more)
{
    struct session *s = saved_piece(name, n_saved);
    draw(s, n_more);
    settle(s);
    kept_close(s);
}

/* Changes a store as another program would. */
static inline void spoil(const char *name, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(in_folder(name), &db), SQLITE_OK);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL))
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

#endif
