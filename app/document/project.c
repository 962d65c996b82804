/* The open document: new, read from a file, or recovered from a store; saving it, and going about in
 * its history. See project.h. */
#include "app/document/project.h"

#include "app/base/paths.h"
#include "midi/base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SAVING_MS = 500, MOVING_MS = 3000 }; /* how long a write is waited for */

/* -- what is written to the store -- */

/* Whether `midi_path` is the piece's own file, also by another name, and no new one. */
static bool is_ours(const struct project *p, const char *midi_path)
{
    char *own = p->path ? store_path_of(p->path) : NULL;
    char *path = own && midi_path ? store_path_of(midi_path) : NULL;
    const bool is = path && !strcmp(path, own);
    free(own);
    free(path);
    return is;
}

static bool is_off(const struct project *p)
{
    return !p->autosave.writer || p->autosave.no_store;
}

/* Writes the base, unless the store has it. */
static void begin_history(struct project *p)
{
    struct autosave *k = &p->autosave;
    if (!k->has_begun)
        writer_do(k->writer, JOB_EDIT, sqlite3_mprintf(HISTORY_BASE, k->has_file),
                  k->base, k->n_base);
    k->has_begun = true;
}

/* Takes the text. */
static void push(struct project *p, char *sql, const void *bytes, size_t n)
{
    begin_history(p);
    writer_do(p->autosave.writer, JOB_EDIT, sql, bytes, n);
}

static void push_edit(struct project *p, uint64_t state)
{
    const struct history_state *at = history_at(p->history, state);
    struct bytes_out out = {0};
    change_write(at->change, &out);
    char *sql = out.failed ? NULL
                           : sqlite3_mprintf(HISTORY_EDIT, state, (int64_t)at->parent,
                                             at->time, at->change->label);
    push(p, sql, out.bytes, out.n);
    free(out.bytes);
}

static void push_state(struct project *p)
{
    push(p, sqlite3_mprintf(HISTORY_STATE, history_state(p->history)), NULL, 0);
}

static void push_save(struct project *p, const char *sql, const struct kept_save *s)
{
    push(p, sqlite3_mprintf(sql, s->state, s->as.n_bytes, s->as.hash), NULL, 0);
}

void autosave_hold(struct project *p, bool holds)
{
    if (is_off(p))
        return;
    p->autosave.holds = holds;
    if (holds)
        begin_history(p);
}

static int run_session(struct store *s, const struct job *j)
{
    return kept_session_write(s, (enum kept_as)j->as, j->of);
}

void autosave_put_session(struct project *p, struct kept_session *session,
                          enum kept_as as)
{
    const bool is_recording = as == KEPT_RECORDING;
    if (is_off(p)) {
        kept_session_destroy(session);
        return;
    }
    if (is_recording) /* which is of no use without the music the piece began with */
        begin_history(p);
    writer_push(p->autosave.writer,
                &(struct job){.kind = is_recording ? JOB_RECORDING : JOB_SESSION,
                              .is_latest = as == KEPT_NOW,
                              .run = run_session,
                              .of = session,
                              .as = as,
                              .free = kept_session_destroy});
}

/* -- the store -- */

static void see_file(struct project *p, const char *midi_path, const uint8_t *music,
                     size_t n)
{
    if (p->autosave.writer)
        writer_watch(p->autosave.writer, NULL, NULL);
    p->autosave.seen =
        midi_path ? file_look(midi_path) : (struct file_seen){.exists = false};
    p->autosave.seen.content = fingerprint_of(music, n);
}

static int run_check(struct store *s, const struct job *j)
{
    (void)j;
    return store_check(s);
}

/* Has the piece's store, which p->found has, written from now on. error: why there is none. */
static void enter_store(struct project *p, int error)
{
    struct store *s = p->found.store;
    const bool is_taken = p->found.kind == RECOVERY_TAKEN;
    p->autosave.no_store = s ? 0 : is_taken ? EWOULDBLOCK : error ? error : ENOENT;
    p->found.store = NULL;
    writer_begin(p->autosave.writer, s);
    if (!s || !s->db)
        return;
    /* The part that was read is valid. It does not wait for a check of the rest; if that is
     * damaged, everything is written again (autosave_mend). */
    writer_push(p->autosave.writer, &(struct job){.kind = JOB_CHECK, .run = run_check});
}

int autosave_error(const struct project *p)
{
    const struct autosave *k = &p->autosave;
    return !k->writer || k->no_store ? k->no_store : writer_status(k->writer).error;
}

bool autosave_is_elsewhere(const struct project *p)
{
    return p->autosave.writer && p->path &&
           writer_status(p->autosave.writer).is_elsewhere;
}

bool autosave_is_open_elsewhere(const struct project *p, const char *midi_path)
{
    return p->autosave.writer && !is_ours(p, midi_path) &&
           store_try(store_path_of(midi_path)) == STORE_TAKEN;
}

/* Writes everything into the store `to`, which it takes. false: errno says why, and there is no
 * store. */
static bool go_on_in(struct project *p, struct store *to)
{
    struct autosave *k = &p->autosave;
    if (!to)
        return false;
    k->n_moves++;
    writer_begin(k->writer, to);
    k->has_begun = false;
    for (uint64_t i = 1; i < history_n_states(p->history); i++)
        push_edit(p, i);
    push_state(p);
    if (k->saved.is_done) {
        push_save(p, HISTORY_SAVING, &k->saved);
        push_save(p, HISTORY_SAVED, &k->saved);
    }
    if (k->has_said_saving) /* a save that failed may have written the file */
        push_save(p, HISTORY_SAVING, &k->saving);
    if (writer_wait(k->writer, MOVING_MS) && !writer_status(k->writer).error)
        return true;
    const int why = writer_status(k->writer).error;
    store_close(writer_release(k->writer, false), true);
    errno = why ? why : EIO;
    return false;
}

/* Writes everything into a new store beside that file or else in the state folder, unless another
 * program has the file open. false: nothing is written until the piece is saved elsewhere. */
static bool go_on_at(struct project *p, const char *midi_path, bool beside)
{
    struct store *to = beside ? store_begin(midi_path, false) : NULL;
    const bool is_taken = beside && !to && errno == EWOULDBLOCK;
    const bool ok =
        go_on_in(p, to) || (!is_taken && go_on_in(p, store_begin(midi_path, true)));
    p->autosave.no_store = ok ? 0 : errno ? errno : EIO;
    return ok;
}

bool autosave_mend(struct project *p)
{
    struct writer *w = p->autosave.writer;
    const int error = autosave_error(p);
    if (!error || error == EWOULDBLOCK || error == ENOMEM || p->autosave.no_store ||
        !p->path || writer_status(w).is_elsewhere)
        return false;
    const bool is_lost = error == ESTALE || error == EBADMSG;
    struct store *from = writer_release(w, !is_lost);
    if (is_lost) {
        store_close(from, false);
        from = NULL;
    }
    const bool ok = go_on_at(p, p->path, is_lost);
    store_close(from, ok); /* all that is in it was written again */
    return ok;
}

bool autosave_is_left(const struct project *p)
{
    return p->autosave.writer && autosave_is_taken(p) && p->path &&
           store_try(store_path_of(p->path)) == STORE_OK;
}

bool autosave_take_over(struct project *p)
{
    go_on_at(p, p->path, true);
    return !autosave_is_taken(p);
}

/* -- opening -- */

/* Leaves the open piece. Its store is deleted if all is saved and the piece has no file, or nothing was
 * ever done in it. Blocks until all is written. */
static void leave(struct project *p)
{
    struct autosave *k = &p->autosave;
    if (k->writer && p->history) {
        const bool has_history = history_n_states(p->history) > 1,
                   leaves_no_trace = !p->path || (!has_history && !k->seen.exists);
        store_close(writer_release(k->writer, true),
                    !project_modified(p) && !k->holds && leaves_no_trace);
        writer_watch(k->writer, NULL, NULL);
    }
    project_drop(p);
}

void project_drop(struct project *p)
{
    score_destroy(p->score);
    history_destroy(p->history);
    kept_session_destroy(p->found.session);
    store_close(p->found.store, false);
    free(p->autosave.base);
    free(p->path);
    *p = (struct project){0};
}

/* Takes all of `next`, also on failure; st: it could be loaded. error: why it has no store. */
static enum midi_status replace(struct project *p, struct project *next,
                                enum midi_status st, int error)
{
    if (st) {
        project_drop(next);
        return st;
    }
    next->version = p->version + 1;
    next->autosave.writer = p->autosave.writer;
    next->autosave.n_moves = p->autosave.n_moves;
    leave(p);
    *p = *next;
    if (p->autosave.writer)
        enter_store(p, error);
    return MIDI_OK;
}

/* The score is read from the bytes, even if they have just been written, because the
 * store's changes apply to the score as read. */
static enum midi_status read_music(struct project *p)
{
    p->history = history_create();
    return p->history
               ? smf_read(&p->score, p->autosave.base, p->autosave.n_base, &p->report)
               : MIDI_NO_MEMORY;
}

static enum midi_status write_empty(struct project *p)
{
    struct score *score = score_create(480);
    enum midi_status st = score && score_add_track(score, "Piano", 0, 0) >= 0
                              ? smf_write(score, &p->autosave.base, &p->autosave.n_base)
                              : MIDI_NO_MEMORY;
    score_destroy(score);
    return st;
}

/* The music in `from` is the document; a file that does not exist is a new score. Music
 * from a store has no file yet: it must not be saved as the store. */
enum midi_status project_open(struct project *p, const char *from, const char *path)
{
    struct project next = {0};
    struct autosave *k = &next.autosave;
    enum midi_status st = file_read(from, FILE_MAX_BYTES, &k->base, &k->n_base);
    const int why = errno;
    const bool is_new = st == MIDI_NO_FILE && why == ENOENT;
    k->has_file = !st;
    if (is_new)
        st = write_empty(&next);
    if (k->has_file && store_music_is_there(k->base, k->n_base)) {
        st = store_music_take(from, &k->base, &k->n_base);
        path = NULL;
        k->has_file = false;
    }
    if (!st)
        st = read_music(&next);
    if (!st && path && !(next.path = strdup(path)))
        st = MIDI_NO_MEMORY;
    errno = 0;
    if (!st) {
        see_file(&next, path, k->base, k->n_base);
        k->seen.exists &= k->has_file; /* a copy of another file is not there yet */
    }
    if (!st && p->autosave.writer && path) { /* only now is the open store closed */
        const bool is_open = !autosave_is_taken(p) && is_ours(p, path);
        recovery_look(&next, is_open ? writer_release(p->autosave.writer, true) : NULL);
        errno = 0;
    } else if (!st && p->autosave.writer) {
        next.found.store = store_begin(NULL, true);
    }
    const int error = errno;
    if (!st)
        file_umask_within(from); /* what is made of private music is private */
    st = replace(p, &next, st, error);
    errno = why;
    return !st && is_new ? MIDI_NO_FILE : st;
}

enum midi_status project_init(struct project *p)
{
    struct project next = {0};
    *p = (struct project){0};
    enum midi_status st = write_empty(&next);
    if (!st)
        st = read_music(&next);
    return replace(p, &next, st, 0);
}

bool project_keep(struct project *p, int wake_fd)
{
    p->autosave.writer = writer_create(wake_fd);
    if (!p->autosave.writer)
        return false;
    errno = 0;
    p->found.store = store_begin(NULL, true);
    enter_store(p, errno);
    return true;
}

void project_fini(struct project *p)
{
    struct writer *w = p->autosave.writer;
    leave(p);
    writer_destroy(w);
}

bool project_open_unnamed(struct project *p)
{
    struct project next = {0};
    return p->autosave.writer && recovery_look_unnamed(&next) &&
           replace(p, &next, MIDI_OK, 0) == MIDI_OK;
}

/* -- saving, and what was done -- */

enum file_news project_file_news(struct project *p)
{
    return p->path && p->autosave.writer ? file_compare(&p->autosave.seen, p->path)
                                         : FILE_SAME;
}

/* Tells the store that these bytes are about to be saved as the file, unless it knows. */
static void say_saving(struct project *p, const uint8_t *music, size_t n)
{
    struct autosave *k = &p->autosave;
    const bool is_base = !k->has_begun && k->has_file && k->n_base == n &&
                         (n == 0 || !memcmp(k->base, music, n));
    if (k->has_said_saving || is_off(p) || is_base)
        return;
    k->has_said_saving = true;
    k->saving =
        (struct kept_save){history_state(p->history), fingerprint_of(music, n), false};
    writer_retry(k->writer);
    push_save(p, HISTORY_SAVING, &k->saving);
    writer_wait(k->writer, SAVING_MS);
}

/* Tells the store that the piece was saved as that file, which it belongs to now. */
static void say_saved(struct project *p, const char *midi_path, const uint8_t *music,
                      size_t n)
{
    struct autosave *k = &p->autosave;
    see_file(p, midi_path, music, n);
    const bool is_its_own = is_ours(p, midi_path), stays = !k->no_store && is_its_own,
               is_back_home = stays && writer_status(k->writer).is_elsewhere;
    if (!stays) { /* it moves to a new store */
        const bool leaves_nothing = !p->path || is_its_own;
        struct store *from = writer_release(k->writer, true);
        k->saved.is_done = false;
        const bool ok = go_on_at(p, midi_path, true);
        if (ok && from && from->db && !leaves_nothing) {
            /* The old file holds its saved state, and its store ends there. */
            store_do(from, sqlite3_mprintf(HISTORY_STATE, p->saved_state), NULL, 0);
            kept_session_write(from, KEPT_NOW, NULL);
            kept_session_write(from, KEPT_RECORDING, NULL);
        }
        store_close(from, ok && leaves_nothing);
        if (!ok)
            return;
    }
    say_saving(p, music, n); /* unless it was said before the file was written */
    if (k->has_said_saving) {
        k->saved = k->saving;
        k->saved.is_done = true;
        push_save(p, HISTORY_SAVED, &k->saved);
    }
    k->has_said_saving = false;
    /* From the state folder to the piece, if that can be written now. */
    struct store *to = is_back_home ? store_begin(midi_path, false) : NULL;
    struct store *from = to ? writer_release(k->writer, true) : NULL;
    if (to && go_on_in(p, to))
        store_close(from, true);
    else if (to)
        writer_begin(k->writer, from);
}

enum midi_status project_save(struct project *p, const char *path)
{
    const char *target = path ? path : p->path;
    uint8_t *music;
    size_t n;
    if (!target)
        return MIDI_NO_FILE;
    enum midi_status st = smf_write(p->score, &music, &n);
    if (st)
        return st;
    char *copy = strdup(target);
    p->autosave.has_said_saving = false;
    if (copy && p->autosave.writer && is_ours(p, target))
        say_saving(p, music, n);
    st = copy ? file_write(target, p->path, music, n) : MIDI_NO_MEMORY;
    const int why = errno;
    if (st) {
        free(copy);
    } else {
        if (p->autosave.writer)
            say_saved(p, copy, music, n);
        free(p->path);
        p->path = copy;
        p->saved_state = history_state(p->history);
        p->report.is_partial = false;
    }
    free(music);
    errno = why;
    return st;
}

bool project_modified(const struct project *p)
{
    return history_state(p->history) != p->saved_state;
}

const char *project_base_name(const struct project *p)
{
    return p->path ? file_base_name(p->path) : NULL;
}

bool project_is_kept(const struct project *p)
{
    return p->autosave.writer && autosave_error(p) == 0;
}

void project_settle(struct project *p)
{
    if (!p->autosave.writer)
        return;
    writer_settle(p->autosave.writer);
    if (autosave_mend(p))
        writer_settle(p->autosave.writer);
}

bool project_keeps_up(const struct project *p)
{
    return !p->autosave.writer || writer_keeps_up(p->autosave.writer);
}

enum midi_status project_do(struct project *p, struct change *c)
{
    enum midi_status st = history_do(p->history, p->score, c);
    if (st)
        return st;
    p->version++;
    if (!is_off(p))
        push_edit(p, history_state(p->history));
    return MIDI_OK;
}

enum midi_status project_go(struct project *p, uint64_t state)
{
    uint64_t before = history_state(p->history);
    enum midi_status st = history_go(p->history, p->score, state);
    if (history_state(p->history) == before)
        return st;
    p->version++;
    if (!is_off(p))
        push_state(p);
    return st;
}

int project_step(struct project *p, int by, const char **label)
{
    const struct change *last = NULL;
    uint64_t state = history_state(p->history);
    int n = 0;
    for (; n < (by < 0 ? -by : by); n++) {
        const struct history_state *at = history_at(p->history, state);
        const uint64_t next = by < 0 ? at->parent : at->newest_child;
        if (by < 0 ? !state : !next)
            break;
        last = by < 0 ? at->change : history_at(p->history, next)->change;
        state = next;
    }
    if (n == 0 || project_go(p, state))
        return 0;
    if (label)
        *label = last->label;
    return n;
}
