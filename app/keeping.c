/* See keeping.h. A journal is begun with the first thing there is to write, so that
 * looking at a file makes none beside it. */
#include "app/keeping.h"

#include "app/journal_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SAVING_MS = 500 }; /* that the record of a save is waited for */

bool keeping_start(struct keeping *k, int wake_fd)
{
    k->journal = journal_create(wake_fd);
    k->watch = watch_create(wake_fd);
    if (k->journal && k->watch)
        return true;
    keeping_stop(k);
    return false;
}

void keeping_stop(struct keeping *k)
{
    journal_destroy(k->journal);
    watch_destroy(k->watch);
    free(k->base);
    free(k->path);
    *k = (struct keeping){0};
}

/* As open to others as the music is. */
static mode_t mode_for(const char *midi_path)
{
    struct stat st;
    return midi_path && stat(midi_path, &st) == 0 ? st.st_mode & 0666 : 0666;
}

static void see(struct keeping *k, const char *midi_path, const uint8_t *music,
                size_t n)
{
    watch_drop(k->watch);
    k->seen = (struct file_seen){.exists = false};
    if (!midi_path)
        return;
    k->seen = file_look(midi_path);
    k->seen.content = fingerprint_of(music, n);
}

static void set_base(struct keeping *k, uint8_t *music, size_t n, bool has_file)
{
    free(k->base);
    k->base = music;
    k->n_base = n;
    k->has_file = has_file;
}

/* Nothing is written until the piece is saved elsewhere; keeping_error tells of it. */
static void do_without(struct keeping *k)
{
    k->move_error = errno ? errno : ENOENT;
    free(k->path);
    k->path = NULL;
}

static void begin(struct keeping *k, const char *midi_path)
{
    mode_t mode = midi_path ? mode_for(midi_path) : 0600;
    errno = 0;
    k->path = midi_path ? journal_file_of(midi_path) : journal_file_unnamed();
    if (!k->path || !journal_begin(k->journal, k->path, mode))
        do_without(k);
}

/* Goes on where an earlier run stopped. */
static void resume(struct keeping *k, char *path, struct recovery *r)
{
    errno = path ? 0 : ENOMEM;
    k->path = path;
    if (!path)
        close(r->fd);
    if (!path || !journal_resume(k->journal, path, r->fd, r->n))
        do_without(k);
    r->fd = -1;
}

void keeping_enter(struct keeping *k, const char *midi_path, uint8_t *music, size_t n,
                   bool has_file, struct recovery *r)
{
    if (!k->journal) {
        free(music);
        return;
    }
    see(k, midi_path, music, n);
    k->seen.exists &= has_file; /* a copy of another file is not in its place yet */
    free(k->path);
    k->path = NULL;
    k->is_unnamed = !midi_path;
    k->is_taken = r && r->kind == RECOVERY_TAKEN;
    k->has_begun = r && r->kind == RECOVERY_BACK;
    set_base(k, music, n, has_file);
    if (k->has_begun) {
        resume(k, journal_file_of(midi_path), r);
    } else if (!k->is_taken) {
        begin(k, midi_path);
    }
}

void keeping_enter_unnamed(struct keeping *k, const char *path, struct recovery *r)
{
    see(k, NULL, NULL, 0);
    set_base(k, NULL, 0, false);
    k->is_unnamed = k->has_begun = true;
    k->is_taken = false;
    resume(k, strdup(path), r);
}

void keeping_leave(struct keeping *k, bool is_worthless, bool has_history)
{
    if (!k->journal)
        return;
    bool leaves_no_trace = k->is_unnamed || (!has_history && !k->seen.exists);
    journal_end(k->journal, is_worthless && !k->holds && leaves_no_trace);
    watch_drop(k->watch);
    set_base(k, NULL, 0, false);
    free(k->path);
    k->path = NULL;
    k->is_taken = k->has_begun = k->holds = false;
    k->move_error = 0;
}

int keeping_error(const struct keeping *k)
{
    if (!k->journal || k->is_taken)
        return k->journal ? EWOULDBLOCK : 0;
    int error = journal_error(k->journal);
    return error ? error : k->move_error;
}

/* The piece's own file, not one it is to be saved in from now on. */
static bool is_ours(const struct keeping *k, const char *midi_path)
{
    char *path = k->path ? journal_file_of(midi_path) : NULL;
    bool is = path && !strcmp(path, k->path);
    free(path);
    return is;
}

int keeping_release(struct keeping *k, const char *midi_path)
{
    size_t n;
    return k->journal && midi_path && is_ours(k, midi_path)
               ? journal_release(k->journal, &n)
               : -1;
}

/* A record, after the base if that is not written yet. */
static void push(struct keeping *k, struct bytes_out *record)
{
    struct bytes_out all = {0};
    if (k->has_begun) {
        journal_push(k->journal, record);
        return;
    }
    journal_put_base(&all, k->has_file, k->base, k->n_base);
    bytes_put(&all, record->bytes, record->n);
    all.failed |= record->failed;
    free(record->bytes);
    set_base(k, NULL, 0, false);
    k->has_begun = true;
    journal_push(k->journal, &all);
}

static bool is_off(const struct keeping *k)
{
    return !k->journal || k->is_taken || !k->path;
}

void keeping_hold(struct keeping *k, bool holds)
{
    struct bytes_out nothing = {0};
    if (is_off(k))
        return;
    k->holds = holds;
    if (holds && !k->has_begun)
        push(k, &nothing);
}

void keeping_did(struct keeping *k, const struct history *h)
{
    struct bytes_out record = {0};
    uint64_t state = history_state(h);
    if (is_off(k))
        return;
    journal_put_did(&record, history_parent(h, state), history_time(h, state),
                    history_change(h, state));
    push(k, &record);
}

void keeping_went(struct keeping *k, const struct history *h)
{
    struct bytes_out record = {0};
    if (is_off(k))
        return;
    journal_put_went(&record, history_state(h));
    push(k, &record);
}

static bool is_base(const struct keeping *k, const uint8_t *music, size_t n)
{
    return !k->has_begun && k->has_file && k->n_base == n &&
           (n == 0 || !memcmp(k->base, music, n));
}

static void say_saved(struct keeping *k, const struct history *h, const uint8_t *music,
                      size_t n)
{
    struct bytes_out record = {0};
    if (k->has_said_saving || is_off(k) || is_base(k, music, n))
        return;
    k->has_said_saving = true;
    journal_retry(k->journal);
    journal_put_saved(&record, history_state(h), fingerprint_of(music, n));
    push(k, &record);
    journal_wait(k->journal, SAVING_MS);
}

void keeping_saving(struct keeping *k, const char *midi_path, const struct history *h,
                    const uint8_t *music, size_t n)
{
    k->has_said_saving = false;
    if (k->journal && is_ours(k, midi_path))
        say_saved(k, h, music, n);
}

/* The file of before holds what was saved in it, and its journal ends there. */
static bool move(struct keeping *k, const char *path, const char *midi_path,
                 uint64_t saved_before)
{
    struct bytes_out farewell = {0};
    journal_put_went(&farewell, saved_before);
    bool ok = !farewell.failed && journal_move(k->journal, path, mode_for(midi_path),
                                               &farewell, k->is_unnamed);
    free(farewell.bytes);
    return ok;
}

/* What another program's journal was in the way of is written down after all. Not what
 * came back of a journal that could not be gone on with: only that knows what music it
 * began with. */
static bool begin_late(struct keeping *k, const char *path, const char *midi_path,
                       const struct history *h)
{
    struct bytes_out all = {0};
    if (k->has_begun) {
        errno = k->move_error;
        return false;
    }
    if (!journal_begin(k->journal, path, mode_for(midi_path)))
        return false;
    for (uint64_t i = 1; i < history_n_states(h); i++)
        journal_put_did(&all, history_parent(h, i), history_time(h, i),
                        history_change(h, i));
    journal_put_went(&all, history_state(h));
    push(k, &all);
    k->is_taken = false;
    return true;
}

/* What say_saved told of is done: a save that failed, or a kill in the middle of one, is
 * not taken for it. */
static void say_done(struct keeping *k, const struct history *h)
{
    if (k->has_begun)
        keeping_went(k, h);
    k->has_said_saving = false;
}

bool keeping_saved(struct keeping *k, const char *midi_path, uint64_t saved_before,
                   const struct history *h, const uint8_t *music, size_t n)
{
    if (!k->journal)
        return true;
    see(k, midi_path, music, n);
    char *path = journal_file_of(midi_path);
    if (path && k->path && !strcmp(path, k->path)) {
        free(path);
        say_saved(k, h, music, n); /* if there was no memory to say so before */
        say_done(k, h);
        return true;
    }
    bool is_late = k->is_taken || !k->path;
    if (!path || !(is_late ? begin_late(k, path, midi_path, h)
                           : move(k, path, midi_path, saved_before))) {
        k->move_error = errno ? errno : ENOMEM;
        free(path);
        return false;
    }
    free(k->path);
    k->path = path;
    k->is_unnamed = false;
    k->move_error = 0;
    say_saved(k, h, music, n);
    say_done(k, h);
    return true;
}
