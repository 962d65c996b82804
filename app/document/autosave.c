/* See autosave.h. The store is locked when the piece is opened, and written with the first
 * edit: a file that is only viewed gets no store. */
#include "app/document/autosave.h"

#include "midi/edit/edit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SAVING_MS = 500, MOVING_MS = 3000 }; /* how long a write is waited for */

bool autosave_start(struct autosave *k, int wake_fd)
{
    k->writer = writer_create(wake_fd);
    return k->writer;
}

static void set_base(struct autosave *k, uint8_t *music, size_t n, bool has_file)
{
    free(k->base);
    k->base = music;
    k->n_base = n;
    k->has_file = has_file;
}

static void set_path(struct autosave *k, const char *midi_path)
{
    char *copy = midi_path ? strdup(midi_path) : NULL;
    free(k->midi_path);
    k->midi_path = copy;
}

void autosave_stop(struct autosave *k)
{
    writer_destroy(k->writer);
    free(k->base);
    free(k->midi_path);
    *k = (struct autosave){0};
}

static void see(struct autosave *k, const char *midi_path, const uint8_t *music,
                size_t n)
{
    writer_watch(k->writer, NULL, NULL);
    k->seen = midi_path ? file_look(midi_path) : (struct file_seen){.exists = false};
    k->seen.content = fingerprint_of(music, n);
}

static int run_check(struct store *s, struct job *j)
{
    (void)j;
    return store_check(s);
}

void autosave_enter(struct autosave *k, const char *midi_path, uint8_t *music, size_t n,
                    bool has_file, struct recovery *r)
{
    if (!k->writer) {
        free(music);
        return;
    }
    see(k, midi_path, music, n);
    k->seen.exists &= has_file; /* a copy of another file is not in its place yet */
    set_path(k, midi_path);
    k->is_unnamed = !midi_path;
    k->is_taken = r && r->kind == RECOVERY_TAKEN;
    k->has_begun = r && r->kind == RECOVERY_BACK;
    k->has_saved = false;
    if (k->has_begun) {
        free(music);
        set_base(k, r->base, r->n_base, r->has_file);
        r->base = NULL;
        k->has_saved = has_file;
        k->saved = (struct kept_save){r->saved_state, k->seen.content, true};
    } else {
        set_base(k, music, n, has_file);
    }
    errno = 0;
    struct store *s = r ? r->store : store_begin(NULL, true);
    k->no_store = s || k->is_taken ? 0 : (errno ? errno : ENOENT);
    writer_begin(k->writer, s);
    if (r && r->store && r->store->db) {
        /* The part that was read is valid. It does not wait for a check of the rest; if that
         * is damaged, everything is written again (autosave_mend). */
        struct job *j = malloc(sizeof *j);
        if (j)
            *j = (struct job){.kind = JOB_CHECK, .run = run_check};
        writer_push(k->writer, j);
    }
    if (r)
        r->store = NULL;
}

void autosave_leave(struct autosave *k, bool is_worthless, bool has_history)
{
    if (!k->writer)
        return;
    bool leaves_no_trace = k->is_unnamed || (!has_history && !k->seen.exists);
    writer_end(k->writer, is_worthless && !k->holds && leaves_no_trace);
    writer_watch(k->writer, NULL, NULL);
    set_base(k, NULL, 0, false);
    set_path(k, NULL);
    k->is_taken = k->has_begun = k->holds = k->has_saved = false;
    k->no_store = 0;
}

int autosave_error(const struct autosave *k)
{
    if (!k->writer || k->is_taken)
        return k->writer ? EWOULDBLOCK : 0;
    int error = writer_error(k->writer);
    return error ? error : k->no_store;
}

bool autosave_is_elsewhere(const struct autosave *k)
{
    return k->writer && k->midi_path && writer_is_in_state(k->writer);
}

/* The piece's own file, not a new one it will be saved in. */
static bool is_ours(const struct autosave *k, const char *midi_path)
{
    char *own = k->midi_path ? store_path_of(k->midi_path) : NULL;
    char *path = own ? store_path_of(midi_path) : NULL;
    bool is = path && !strcmp(path, own);
    free(own);
    free(path);
    return is;
}

struct store *autosave_release(struct autosave *k, const char *midi_path)
{
    return k->writer && midi_path && !k->is_taken && is_ours(k, midi_path)
               ? writer_release(k->writer)
               : NULL;
}

bool autosave_is_open_elsewhere(const struct autosave *k, const char *midi_path)
{
    return k->writer && !is_ours(k, midi_path) &&
           store_try(store_path_of(midi_path)) == STORE_TAKEN;
}

static bool is_off(const struct autosave *k)
{
    return !k->writer || k->is_taken || k->no_store;
}

static void push_base(struct autosave *k)
{
    k->has_begun = true;
    writer_push(k->writer, job_do(JOB_EDIT, sqlite3_mprintf(HISTORY_BASE, k->has_file),
                                  k->base, k->n_base));
}

/* After the base, if that is not written yet. */
static void push(struct autosave *k, struct job *j)
{
    if (!k->has_begun)
        push_base(k);
    writer_push(k->writer, j);
}

static void push_edit(struct autosave *k, const struct history *h, uint64_t state)
{
    const struct change *c = history_at(h, state)->change;
    struct bytes_out out = {0};
    change_write(c, &out);
    char *sql = sqlite3_mprintf(HISTORY_EDIT, state, history_at(h, state)->parent,
                                history_at(h, state)->time, c->label);
    push(k, job_do(JOB_EDIT, out.failed ? NULL : sql, out.bytes, out.n));
    free(out.bytes);
}

static void push_state(struct autosave *k, uint64_t state)
{
    push(k, job_do(JOB_EDIT, sqlite3_mprintf(HISTORY_STATE, state), NULL, 0));
}

static void push_save(struct autosave *k, const char *sql)
{
    const struct kept_save *s = &k->saved;
    push(k, job_do(JOB_EDIT, sqlite3_mprintf(sql, s->state, s->as.n_bytes, s->as.hash),
                   NULL, 0));
}

void autosave_hold(struct autosave *k, bool holds)
{
    if (is_off(k))
        return;
    k->holds = holds;
    if (holds && !k->has_begun)
        push_base(k);
}

void autosave_moved(struct autosave *k, const struct history *h, bool is_new)
{
    const uint64_t state = history_state(h);
    if (is_off(k))
        return;
    if (is_new)
        push_edit(k, h, state);
    else
        push_state(k, state);
}

/* -- the session -- */

struct session_job {
    struct job job;
    struct kept_session *session; /* NULL: it goes */
    enum kept_as as;
};

/* What is saved is all there is. */
static int run_session(struct store *s, struct job *j)
{
    const struct session_job *b = (const struct session_job *)j;
    int code = b->as == KEPT_SAVED ? kept_session_delete(s, KEPT_NOW) : SQLITE_OK;
    return code         ? code
           : b->session ? kept_session_write(s, b->as, b->session)
                        : kept_session_delete(s, b->as);
}

static void free_session(struct job *j)
{
    struct session_job *b = (struct session_job *)j;
    kept_session_destroy(b->session);
    free(b);
}

void autosave_put_session(struct autosave *k, struct kept_session *session,
                          enum kept_as as)
{
    struct session_job *b = malloc(sizeof *b);
    if (b)
        *b = (struct session_job){
            {.kind = as == KEPT_RECORDING ? JOB_RECORDING : JOB_SESSION,
             .is_latest = as == KEPT_NOW,
             .run = run_session,
             .free = free_session},
            session,
            as};
    else
        kept_session_destroy(session);
    if (is_off(k)) {
        if (b)
            free_session(&b->job);
        return;
    }
    /* A recording is of no use without the music the piece began with. */
    if (as == KEPT_RECORDING && !k->has_begun)
        push_base(k);
    writer_push(k->writer, b ? &b->job : NULL);
}

static void say_saved(struct autosave *k, const struct history *h, const uint8_t *music,
                      size_t n)
{
    bool is_base = !k->has_begun && k->has_file && k->n_base == n &&
                   (n == 0 || !memcmp(k->base, music, n));
    if (k->has_said_saving || is_off(k) || is_base)
        return;
    k->has_said_saving = k->has_saved = true;
    k->saved = (struct kept_save){history_state(h), fingerprint_of(music, n), false};
    writer_retry(k->writer);
    push_save(k, HISTORY_SAVING);
    writer_wait(k->writer, SAVING_MS);
}

void autosave_saving(struct autosave *k, const char *midi_path, const struct history *h,
                     const uint8_t *music, size_t n)
{
    k->has_said_saving = false;
    if (k->writer && is_ours(k, midi_path))
        say_saved(k, h, music, n);
}

/* -- to another place -- */

/* Writes everything into `to`, which it takes. false: errno says why, and there is no
 * store. */
static bool go_on_in(struct autosave *k, struct store *to, const struct history *h)
{
    if (!to)
        return false;
    k->n_moves++;
    writer_begin(k->writer, to);
    push_base(k);
    for (uint64_t i = 1; i < history_n_states(h); i++)
        push_edit(k, h, i);
    push_state(k, history_state(h));
    if (k->has_saved)
        push_save(k, HISTORY_SAVING);
    if (k->has_saved && k->saved.is_done)
        push_save(k, HISTORY_SAVED);
    if (writer_wait(k->writer, MOVING_MS) && !writer_error(k->writer))
        return true;
    int why = writer_error(k->writer);
    writer_abandon(k->writer, false);
    errno = why ? why : EIO;
    return false;
}

/* Beside that file, or else in the state folder, but not where another program has it. */
static bool go_on_at(struct autosave *k, const char *midi_path, bool beside,
                     const struct history *h)
{
    struct store *to = beside ? store_begin(midi_path, false) : NULL;
    k->is_taken = beside && !to && errno == EWOULDBLOCK;
    k->no_store = 0;
    bool ok = go_on_in(k, to, h) ||
              (!k->is_taken && go_on_in(k, store_begin(midi_path, true), h));
    if (!ok)
        k->no_store = errno ? errno : EIO;
    return ok;
}

/* false: errno says why, and nothing is written until the piece is saved elsewhere. */
static bool move(struct autosave *k, const char *midi_path, uint64_t saved_before,
                 const struct history *h)
{
    bool leaves_nothing = k->is_unnamed || is_ours(k, midi_path);
    bool was_taken = k->is_taken;
    struct store *from = writer_release(k->writer);
    k->has_saved = false;
    bool ok = go_on_at(k, midi_path, true, h);
    k->is_taken = was_taken;
    if (ok && from && from->db && !leaves_nothing) {
        /* The old file holds its saved state, and its store ends there. */
        store_do(from, sqlite3_mprintf(HISTORY_STATE, saved_before), NULL, 0);
        kept_session_delete(from, KEPT_NOW);
        kept_session_delete(from, KEPT_RECORDING);
    }
    store_close(from, ok && leaves_nothing);
    return ok;
}

bool autosave_mend(struct autosave *k, const struct history *h)
{
    int error = autosave_error(k);
    if (!error || error == EWOULDBLOCK || error == ENOMEM || k->no_store ||
        !k->midi_path || writer_is_in_state(k->writer))
        return false;
    const bool is_lost = error == ESTALE || error == EBADMSG;
    struct store *from = is_lost ? NULL : writer_release(k->writer);
    if (is_lost)
        writer_abandon(k->writer, error != ESTALE);
    bool ok = go_on_at(k, k->midi_path, is_lost, h);
    store_close(from, ok); /* all that is in it was written again */
    return ok;
}

bool autosave_is_left(const struct autosave *k)
{
    return k->writer && k->is_taken && k->midi_path &&
           store_try(store_path_of(k->midi_path)) == STORE_OK;
}

bool autosave_take_over(struct autosave *k, const struct history *h)
{
    k->is_taken = false;
    go_on_at(k, k->midi_path, true, h);
    return !k->is_taken;
}

bool autosave_saved(struct autosave *k, const char *midi_path, uint64_t saved_before,
                    const struct history *h, const uint8_t *music, size_t n)
{
    if (!k->writer)
        return true;
    see(k, midi_path, music, n);
    bool stays = !k->is_taken && !k->no_store && is_ours(k, midi_path);
    bool is_back_home = stays && writer_is_in_state(k->writer);
    if (!stays && !move(k, midi_path, saved_before, h))
        return false;
    k->is_taken = k->is_unnamed = false;
    if (!stays)
        set_path(k, midi_path);
    say_saved(k, h, music, n); /* or if there was no memory to say so before */
    if (k->has_said_saving) {  /* a save that failed or was killed does not get here */
        k->saved.is_done = true;
        push_save(k, HISTORY_SAVED);
    }
    k->has_said_saving = false;
    /* From the state folder to the piece, if that can be written now. */
    struct store *to = is_back_home ? store_begin(k->midi_path, false) : NULL;
    struct store *from = to ? writer_release(k->writer) : NULL;
    if (to && go_on_in(k, to, h))
        store_close(from, true);
    else if (to)
        writer_begin(k->writer, from);
    return true;
}
