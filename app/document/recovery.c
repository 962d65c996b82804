/* What an earlier run left in a store. See project.h. A store belongs to a file if the file is one of its
 * saved states, of which the last counts, or the state it began with. An earlier version of the file
 * may have been copied back. */
#include "app/document/project.h"

#include "app/base/paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Begins a store in the state folder. */
static void keep_elsewhere(struct project *p)
{
    p->found.store = p->path ? store_begin(p->path, true) : NULL;
    if (p->path && !p->found.store && errno == EWOULDBLOCK)
        p->found.kind = RECOVERY_TAKEN;
}

/* Renames the store aside and begins another. A closed store is one file without a lock. */
static void put_aside(struct project *p)
{
    struct recovery *r = &p->found;
    const bool is_elsewhere = r->store->is_elsewhere;
    char *path = strdup(r->store->path);
    store_close(r->store, false);
    if (path)
        store_put_aside(path, is_elsewhere ? NULL : r->aside);
    free(path);
    r->store = p->path && !is_elsewhere ? store_begin(p->path, false) : NULL;
    if (!r->store)
        keep_elsewhere(p);
}

/* Returns whether the history is that of the file that was read; without a file, whether it never had
 * one. Sets p->saved_state to the state that was saved as the file; 0: none was. */
static bool belongs(struct project *p, const struct kept_history *h)
{
    const struct autosave *k = &p->autosave;
    const struct fingerprint is = fingerprint_of(k->base, k->n_base);
    bool had_file = h->has_file;
    for (size_t i = h->n_saved; i > 0; i--) { /* the last first */
        had_file |= h->saved[i - 1].is_done;
        if (k->has_file && fingerprint_equal(h->saved[i - 1].as, is)) {
            p->saved_state = h->saved[i - 1].state;
            return true;
        }
    }
    if (!k->has_file)
        return !had_file;
    return h->has_file && h->n_base == k->n_base &&
           (k->n_base == 0 || memcmp(h->base, k->base, k->n_base) == 0);
}

/* Decides what becomes of the history that was read, and brings it back if it is of this file. */
static int use_history(struct project *p, struct kept_history *h)
{
    struct recovery *r = &p->found;
    struct autosave *k = &p->autosave;
    struct score *score = NULL;
    struct smf_report report = {0};
    const bool is_full = h->n_bytes > RECOVERY_FULL_BYTES &&
                         h->n_bytes / RECOVERY_FULL_TIMES > k->n_base;
    if (!belongs(p, h)) {
        uint64_t last_saved = 0;
        for (size_t i = 0; i < h->n_saved; i++)
            if (h->saved[i].is_done)
                last_saved = h->saved[i].state;
        r->kind = RECOVERY_OTHER;
        /* If the file was deleted, its content is only in the store. */
        if (k->has_file && last_saved == h->state)
            store_exec(r->store, HISTORY_CLEAR); /* the settings still apply */
        else
            put_aside(p);
        return STORE_OK;
    }
    if (is_full && p->saved_state == h->state) {
        r->kind = RECOVERY_FULL;
        p->saved_state = 0; /* of the history that begins */
        store_exec(r->store, HISTORY_CLEAR);
        return STORE_OK;
    }
    const int st = kept_history_replay(h, &score, &report);
    if (st) {
        p->saved_state = 0;
        return st;
    }
    r->kind = RECOVERY_BACK;
    r->n_unsaved = history_distance(h->history, p->saved_state, h->state);
    score_destroy(p->score);
    history_destroy(p->history);
    free(k->base);
    p->score = score;
    p->report = report;
    p->history = h->history;
    k->has_begun = true;
    k->saved = (struct kept_save){p->saved_state, k->seen.content, k->has_file};
    k->has_file = h->has_file;
    k->base = h->base;
    k->n_base = h->n_base;
    h->history = NULL;
    h->base = NULL;
    return STORE_OK;
}

/* Reads the store. One that cannot be read now stays; a damaged one is renamed aside. */
static void look(struct project *p)
{
    struct recovery *r = &p->found;
    struct kept_history h = {0};
    int st = store_open(r->store, false, r->why);
    if (!st) {
        r->why[0] = '\0';
        st = store_read_history(&h, r->store);
        r->has_music = h.base != NULL;
        if (!st)
            st = (r->session = malloc(sizeof *r->session)) ? STORE_OK : ENOMEM;
        const char *wrong = st ? NULL : kept_session_read(r->session, r->store);
        if (wrong) {
            snprintf(r->why, sizeof r->why, "its %s is invalid", wrong);
            st = STORE_DAMAGED;
        }
        const struct kept_session *b = r->session;
        /* An invalid session is of no use, and a store may have none. */
        if (wrong ||
            (!st && !b->is_saved && !b->is_unsaved && !b->recording.is_there)) {
            kept_session_destroy(r->session);
            r->session = NULL;
        }
        if (!st && h.base)
            st = use_history(p, &h);
    }
    if (st && st != STORE_EMPTY) {
        const bool is_damaged = st == STORE_DAMAGED,
                   is_elsewhere = r->store->is_elsewhere;
        if (!*r->why)
            snprintf(r->why, sizeof r->why, "%s",
                     is_damaged ? "it is damaged" : strerror(st));
        r->kind = is_damaged ? RECOVERY_DAMAGED : RECOVERY_UNREAD;
        if (is_damaged) {
            put_aside(p);
        } else {
            store_close(r->store, false);
            r->store = NULL;
            if (!is_elsewhere) /* a new store there would rename this one aside */
                keep_elsewhere(p);
        }
    }
    kept_history_fini(&h);
}

/* Brings out the pieces that an older version kept in the state folder's own store. */
static void open_state(void)
{
    store_close(store_open_state(NULL), false);
}

void recovery_look(struct project *p, struct store *s)
{
    struct recovery *r = &p->found;
    open_state();
    char *path = store_path_of(p->path), *other = store_path_elsewhere(p->path);
    struct stat of;
    int st = STORE_OK;
    /* A store that the user deleted stays deleted. */
    if (!path || (s && !store_is_there(s))) {
        store_close(s, false);
        s = NULL;
    }
    r->store = s;
    /* The store is in the state folder if it could not be written beside the music. */
    if (!s && path && other && !lstat(other, &of)) {
        st = store_lock(&r->store, other, r->why);
        if (r->store && !r->store->n_bytes) { /* nothing was written there */
            store_close(r->store, false);
            r->store = NULL;
        }
        if (r->store)
            r->store->is_elsewhere = true;
    }
    if (path && !r->store && st != STORE_TAKEN)
        st = store_lock(&r->store, path, r->why);
    if (r->store)
        look(p);
    else if (st == STORE_TAKEN)
        r->kind = RECOVERY_TAKEN;
    else if (st == STORE_FOREIGN)
        r->kind = RECOVERY_FOREIGN;
    else if (path && (access(path, F_OK) == 0 ||
                      (st != EACCES && st != EROFS && st != ENOENT && st != ENOSPC)))
        r->kind = RECOVERY_UNREAD;
    if (path && !r->store && st && st != STORE_TAKEN)
        keep_elsewhere(p);
    free(path);
    free(other);
}

bool recovery_look_unnamed(struct project *p)
{
    glob_t stores = {0};
    struct recovery *r = &p->found;
    bool found = false;
    open_state();
    char *folder = store_path_elsewhere(NULL);
    if (folder) {
        *strrchr(folder, '/') = '\0';
        paths_glob(&stores, folder, STORE_UNNAMED "*.continuo");
    }
    for (size_t i = stores.gl_pathc; !found && i-- > 0;) { /* the newest first */
        if (store_lock(&r->store, stores.gl_pathv[i], NULL))
            continue;
        r->store->is_elsewhere = true;
        look(p);
        const struct kept_session *b = r->session;
        const bool is_back = r->kind == RECOVERY_BACK;
        found = is_back &&
                (r->n_unsaved > 0 || (b && (b->takes.n || b->recording.is_there)));
        if (!found) { /* nothing is in it, or all was undone or thrown away */
            store_close(r->store, is_back || r->kind == RECOVERY_NONE);
            r->store = NULL;
            project_drop(p);
        }
    }
    globfree(&stores);
    free(folder);
    return found;
}
