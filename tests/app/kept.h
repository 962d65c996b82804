/* Sessions that are saved, in a folder of their own, and ways to look at their files, also as
 * words of scripts. Include tests/check.h before it. */
#ifndef TESTS_APP_KEPT_H
#define TESTS_APP_KEPT_H

#include "tests/app/script.h"

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

/* Adds n notes in a row, after all others. */
static inline void draw(struct session *s, int n)
{
    s->view.cursor.tick = score_end_tick(s->project.score);
    run(s, CMD_DRAW);
    for (int i = 0; i < n; i++)
        run(s, CMD_TOGGLE_NOTE);
    run(s, CMD_ESCAPE);
}

/* Opens a saved piece of n notes. */
static inline struct session *saved_piece(const char *name, int n)
{
    struct session *s = kept_open(name);
    draw(s, n);
    act_command_line(s, "w");
    assert_false(s->view.message.is_error);
    return s;
}

/* What a score is as a file. false: out of memory. */
static inline bool fingerprint_score(const struct score *s, struct fingerprint *out)
{
    uint8_t *music;
    size_t n;
    if (smf_write(s, &music, &n))
        return false;
    *out = fingerprint_of(music, n);
    free(music);
    return true;
}

/* Returns the last of the list that is equal; -1: none. */
static inline int find_fingerprint(const struct fingerprint *list, int n,
                                   struct fingerprint is)
{
    while (--n >= 0 && !fingerprint_equal(list[n], is))
        continue;
    return n;
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

/* What a query of one number finds in a store. */
static inline int number_in(const char *name, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *st;
    assert_int_equal(sqlite3_open(in_folder(name), &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(st), SQLITE_ROW);
    const int n = sqlite3_column_int(st, 0);
    sqlite3_finalize(st);
    sqlite3_close(db);
    return n;
}

/* -- words and facts of scripts -- */

/* The first name of two, which is good until the next. */
static inline const char *first_of(const char *names, const char **second)
{
    static char first[100];
    size_t n = strcspn(names, " ");
    assert_true(n < sizeof first && names[n]);
    snprintf(first, sizeof first, "%.*s", (int)n, names);
    *second = names + n + 1;
    return first;
}

/* As if ended from outside, and started again. */
WORD(leave)
{
    session_fini(s);
    session_begin(s, last_options);
}

/* That piece, or music without a name: "unnamed". */
static inline void open_kept(struct session *s, const char *name)
{
    if (!strcmp(name, "unnamed"))
        session_open_unnamed(s);
    else
        assert_true(session_open(s, in_folder(name)));
}

/* After leaving. */
WORD(open)
{
    word_leave(s, -1, "");
    open_kept(s, arguments);
}

/* In the place of what is open. */
DOES(open_here, open_kept(s, arguments))

DOES(draw, draw(s, atoi(arguments)))

/* A new piece of so many notes, saved: "‹saved2 a.mid›". */
WORD(saved)
{
    word_open(s, -1, arguments);
    draw(s, on);
    obeyed(s, "w");
}

DOES(settle, settle(s))

/* A line that ends with a file of the folder: "‹file w a.mid›". */
WORD(file)
{
    const char *name;
    const char *command = first_of(arguments, &name);
    line_with_file(s, command, name);
}

/* A line of the shell in the folder, which succeeds. */
WORD(sh)
{
    const int status =
        system(formatted("{ cd '%s' && %s; } >/dev/null 2>&1", folder, arguments));
    if (status)
        WRONG("%s: it ends with %d", arguments, status >> 8);
}

/* "‹spoil NAME SQL›" */
WORD(spoil)
{
    const char *sql;
    const char *name = first_of(arguments, &sql);
    spoil(name, sql);
}

/* Until that is said. */
DOES(wait_for, WAIT_FOR(s, strstr(s->view.message.text, arguments)))

/* What another program shows of it, that then is left: "‹meanwhile a.mid n 2; clean›". */
WORD(meanwhile)
{
    const char *facts;
    struct session *other = session_with(last_options);
    open_kept(other, first_of(arguments, &facts));
    check_facts(other, facts);
    kept_close(other);
}

TEXT_FACT(says, s->view.message.text)
NUMBER_FACT(saved_state, s->project.saved_state)
NUMBER_FACT(kept, project_is_kept(&s->project))
NUMBER_FACT(elsewhere, autosave_is_elsewhere(&s->project))
NUMBER_FACT(unsaved, s->project.found.n_unsaved)
NUMBER_FACT(has_name, s->project.path != NULL)

#endif
