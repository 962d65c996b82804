/* See recovery.h. A journal belongs to a file if the file is what it began with or what it
 * says was saved; whichever was last, for a copy of an earlier version may have been put
 * back. */
#include "app/recovery.h"

#include "app/journal_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put_aside(struct recovery *r, const char *path, enum recovery_kind kind)
{
    char aside[4096];
    r->kind = kind;
    if (!journal_file_put_aside(path, aside, sizeof aside))
        return;
    const char *slash = strrchr(aside, '/');
    snprintf(r->aside, sizeof r->aside, "%.255s", slash ? slash + 1 : aside);
}

/* That a file is gone is no reason to lose what was in it. */
static void leave_other(struct recovery *r, const struct journal_contents *c,
                        const char *path, bool has_file)
{
    if (has_file && journal_contents_last_saved(c) == c->state) {
        r->kind = RECOVERY_OTHER;
        unlink(path);
    } else {
        put_aside(r, path, RECOVERY_OTHER);
    }
}

static bool belongs(const struct journal_contents *c, const uint8_t *music,
                    size_t n_music, bool has_file, uint64_t *saved)
{
    *saved = 0;
    if (!has_file)
        return !journal_contents_had_file(c);
    return journal_contents_find(c, music, n_music, saved);
}

static bool is_full(const struct journal_contents *c, size_t n_music)
{
    return c->n_whole > RECOVERY_FULL_BYTES &&
           c->n_whole / RECOVERY_FULL_TIMES > n_music;
}

static void leave_unread(struct recovery *r, int why)
{
    r->kind = RECOVERY_UNREAD;
    r->why = why;
    score_destroy(r->score);
    r->score = NULL;
}

/* The torn end is cut off, if there is one. */
static bool cut_off(int fd, off_t n)
{
    int failed;
    do {
        failed = ftruncate(fd, n);
    } while (failed && errno == EINTR);
    return !failed;
}

/* Takes the history; goes on in the file where the last whole record ends. */
static enum journal_status bring_back(struct recovery *r, struct journal_contents *c)
{
    enum journal_status st = journal_contents_replay(c, &r->score, &r->report);
    if (st)
        return st;
    if (!cut_off(r->fd, (off_t)c->n_whole)) {
        leave_unread(r, errno);
        return JOURNAL_OK;
    }
    r->kind = RECOVERY_BACK;
    r->was_torn = c->is_torn;
    r->n_unsaved = history_distance(c->history, r->saved_state, c->state);
    r->n = c->n_whole;
    r->history = c->history;
    c->history = NULL;
    return JOURNAL_OK;
}

static void look_into(struct recovery *r, const char *path, const uint8_t *bytes,
                      size_t n, const uint8_t *music, size_t n_music, bool has_file)
{
    struct journal_contents c;
    enum journal_status st = journal_contents_read(&c, bytes, n);
    if (st == JOURNAL_OK && !belongs(&c, music, n_music, has_file, &r->saved_state))
        leave_other(r, &c, path, has_file);
    else if (st == JOURNAL_OK && is_full(&c, n_music) && r->saved_state == c.state) {
        r->kind = RECOVERY_FULL;
        unlink(path);
    } else if (st == JOURNAL_OK)
        st = bring_back(r, &c);
    r->has_music = c.base != NULL;
    if (st == JOURNAL_DAMAGED)
        put_aside(r, path, RECOVERY_DAMAGED);
    else if (st == JOURNAL_NO_MEMORY)
        leave_unread(r, ENOMEM);
    else if (st == JOURNAL_EMPTY)
        unlink(path);
    journal_contents_fini(&c);
}

static void forget_file(struct recovery *r)
{
    if (r->fd >= 0)
        close(r->fd);
    r->fd = -1;
}

static void look(struct recovery *r, const char *path, const uint8_t *music,
                 size_t n_music, bool has_file)
{
    uint8_t *bytes;
    size_t n;
    if (journal_file_read(r->fd, &bytes, &n))
        look_into(r, path, bytes, n, music, n_music, has_file);
    else
        leave_unread(r, errno);
    free(bytes);
    if (r->kind != RECOVERY_BACK)
        forget_file(r);
}

void recovery_look(struct recovery *r, const char *path, int fd, const uint8_t *music,
                   size_t n_music, bool has_file)
{
    *r = (struct recovery){.kind = RECOVERY_NONE};
    r->fd = fd >= 0 ? fd : journal_file_open(path);
    if (r->fd >= 0)
        look(r, path, music, n_music, has_file);
    else if (errno == EWOULDBLOCK)
        r->kind = RECOVERY_TAKEN;
    else if (!journal_file_is_none(errno))
        leave_unread(r, errno);
}

/* Takes that wait are, which are put away with what they wait for. */
static bool has_anything_beside(const char *journal_path)
{
    char *piece = journal_file_piece(journal_path), *path = NULL;
    bool has =
        piece && asprintf(&path, "%s.continuo", piece) > 0 && !access(path, F_OK);
    free(piece);
    free(path);
    return has;
}

/* At state 0 there was nothing, or all of it was undone or thrown away. */
static bool is_worth_it(const struct recovery *r, const char *path)
{
    return r->kind == RECOVERY_BACK && (r->n_unsaved > 0 || has_anything_beside(path));
}

char *recovery_look_unnamed(struct recovery *r)
{
    char *path;
    int fd;
    while ((fd = journal_file_find_unnamed(&path)) >= 0) {
        recovery_look(r, path, fd, NULL, 0, false);
        if (is_worth_it(r, path))
            return path;
        if (r->kind == RECOVERY_BACK)
            unlink(path);
        recovery_fini(r);
        bool is_there = access(path, F_OK) == 0; /* it would be found without end */
        free(path);
        if (is_there)
            break;
    }
    *r = (struct recovery){.kind = RECOVERY_NONE, .fd = -1};
    return NULL;
}

void recovery_fini(struct recovery *r)
{
    score_destroy(r->score);
    history_destroy(r->history);
    forget_file(r);
    r->score = NULL;
    r->history = NULL;
}
