/* The open document: new, read from a file, or recovered from a store; saving it, and going about in
 * its history. See project.h. */
#include "app/document/project.h"

#include "app/base/paths.h"
#include "midi/base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The project that will replace the open one. */
struct loaded {
    struct recovery found; /* the music as read, or what an earlier run left */
    uint8_t *music;        /* as read */
    size_t n_music;
    bool has_file;
    bool is_looked_for; /* what an earlier run left: it is */
};

static void leave(struct project *p)
{
    if (p->history)
        autosave_leave(&p->autosave, !project_modified(p),
                       history_n_states(p->history) > 1);
    score_destroy(p->score);
    history_destroy(p->history);
    free(p->path);
    recovery_fini(&p->found);
}

/* Takes all of it, also on failure; st: it could be loaded. */
static enum midi_status replace(struct project *p, struct loaded *l, const char *path,
                                enum midi_status st)
{
    char *copy = path ? strdup(path) : NULL;
    if (!st && (!l->found.history || (path && !copy)))
        st = MIDI_NO_MEMORY;
    if (st) {
        free(copy);
        recovery_fini(&l->found);
        free(l->music);
        return st;
    }
    leave(p);
    p->score = l->found.score;
    p->history = l->found.history;
    p->path = copy;
    p->report = l->found.report;
    p->saved_state = l->found.saved_state;
    p->version++;
    autosave_enter(&p->autosave, path, l->music, l->n_music, l->has_file,
                   l->is_looked_for ? &l->found : NULL);
    p->found = l->found;
    p->found.score = NULL;
    p->found.history = NULL;
    return MIDI_OK;
}

/* The score is read from the bytes, even if they have just been written, because the
 * store's changes apply to the score as read. */
static enum midi_status read_music(struct loaded *l)
{
    struct recovery *r = &l->found;
    r->history = history_create();
    return r->history ? smf_read(&r->score, l->music, l->n_music, &r->report)
                      : MIDI_NO_MEMORY;
}

static enum midi_status write_empty(struct loaded *l)
{
    struct score *score = score_create(480);
    enum midi_status st = score && score_add_track(score, "Piano", 0, 0) >= 0
                              ? smf_write(score, &l->music, &l->n_music)
                              : MIDI_NO_MEMORY;
    score_destroy(score);
    return st;
}

/* The music in `from` is the document; a file that does not exist is a new score. Music
 * from a store has no file yet: it must not be saved as the store. */
enum midi_status project_open(struct project *p, const char *from, const char *path)
{
    struct loaded l = {0};
    enum midi_status st = file_read(from, &l.music, &l.n_music);
    int why = errno;
    bool is_new = st == MIDI_NO_FILE && why == ENOENT;
    l.has_file = !st;
    if (is_new)
        st = write_empty(&l);
    if (l.has_file && store_music_is_there(l.music, l.n_music)) {
        st = store_music_take(from, &l.music, &l.n_music);
        path = NULL;
        l.has_file = false;
    }
    if (!st)
        st = read_music(&l);
    if (!st && p->autosave.writer && path) { /* only now is the open store closed */
        recovery_look(&l.found, path, autosave_release(&p->autosave, path), l.music,
                      l.n_music, l.has_file);
        l.is_looked_for = true;
        if (l.found.kind != RECOVERY_BACK)
            l.found.saved_state = 0; /* of the history that begins */
    }
    if (!st)
        file_umask_within(from); /* what is made of private music is private */
    st = replace(p, &l, path, st);
    errno = why;
    return !st && is_new ? MIDI_NO_FILE : st;
}

enum midi_status project_init(struct project *p)
{
    memset(p, 0, sizeof *p);
    struct loaded l = {0};
    enum midi_status st = write_empty(&l);
    if (!st)
        st = read_music(&l);
    return replace(p, &l, NULL, st);
}

bool project_keep(struct project *p, int wake_fd)
{
    uint8_t *music;
    size_t n;
    if (smf_write(p->score, &music, &n))
        return false;
    if (!autosave_start(&p->autosave, wake_fd)) {
        free(music);
        return false;
    }
    autosave_enter(&p->autosave, NULL, music, n, false, NULL);
    return true;
}

void project_fini(struct project *p)
{
    leave(p);
    autosave_stop(&p->autosave);
    memset(p, 0, sizeof *p);
}

bool project_open_unnamed(struct project *p)
{
    struct loaded l = {0};
    if (!p->autosave.writer || !recovery_look_unnamed(&l.found))
        return false;
    l.is_looked_for = true;
    return replace(p, &l, NULL, MIDI_OK) == MIDI_OK;
}

/* -- saving, and what was done -- */

enum file_news project_file_news(struct project *p)
{
    return p->path && p->autosave.writer ? file_compare(&p->autosave.seen, p->path)
                                         : FILE_SAME;
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
    if (copy)
        autosave_saving(&p->autosave, target, p->history, music, n);
    st = copy ? file_write(target, p->path, music, n) : MIDI_NO_MEMORY;
    int why = errno;
    if (st) {
        free(copy);
    } else {
        autosave_saved(&p->autosave, copy, p->saved_state, p->history, music, n);
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
    return p->autosave.writer && autosave_error(&p->autosave) == 0;
}

void project_settle(struct project *p)
{
    if (!p->autosave.writer)
        return;
    writer_settle(p->autosave.writer);
    if (autosave_mend(&p->autosave, p->history))
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
    autosave_moved(&p->autosave, p->history, true);
    return MIDI_OK;
}

enum midi_status project_go(struct project *p, uint64_t state)
{
    uint64_t before = history_state(p->history);
    enum midi_status st = history_go(p->history, p->score, state);
    if (history_state(p->history) != before) {
        p->version++;
        autosave_moved(&p->autosave, p->history, false);
    }
    return st;
}

int project_back(struct project *p, int times, const char **label)
{
    const struct change *last = NULL;
    uint64_t state = history_state(p->history);
    int n = 0;
    for (; n < times && state != 0; n++) {
        last = history_at(p->history, state)->change;
        state = history_at(p->history, state)->parent;
    }
    if (n == 0 || project_go(p, state))
        return 0;
    if (label)
        *label = last->label;
    return n;
}

int project_forward(struct project *p, int times, const char **label)
{
    uint64_t state = history_state(p->history), next;
    int n = 0;
    for (; n < times && (next = history_at(p->history, state)->newest_child); n++)
        state = next;
    if (n == 0 || project_go(p, state))
        return 0;
    if (label)
        *label = history_at(p->history, state)->change->label;
    return n;
}
