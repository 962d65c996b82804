/* Opening and leaving the project: new, read from a file, or recovered from a store; it
 * then replaces the old one. See project.h. */
#include "app/document/project.h"
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

static void loaded_fini(struct loaded *l)
{
    recovery_fini(&l->found);
    free(l->music);
}

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

/* Takes all of it, also on failure. */
static enum midi_status replace(struct project *p, struct loaded *l, const char *path)
{
    char *copy = path ? strdup(path) : NULL;
    if (!l->found.history || (path && !copy)) {
        free(copy);
        loaded_fini(l);
        return MIDI_NO_MEMORY;
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

/* Reads the music before it closes the open store. */
static enum midi_status load(struct loaded *l, struct project *p, const char *path)
{
    enum midi_status st = read_music(l);
    if (st || !p->autosave.writer || !path)
        return st;
    recovery_look(&l->found, path, autosave_release(&p->autosave, path), l->music,
                  l->n_music, l->has_file);
    l->is_looked_for = true;
    if (l->found.kind != RECOVERY_BACK)
        l->found.saved_state = 0; /* of the history that begins */
    return MIDI_OK;
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
        st = load(&l, p, path);
    if (!st)
        file_umask_within(from); /* what is made of private music is private */
    if (st)
        loaded_fini(&l);
    else
        st = replace(p, &l, path);
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
    if (!st)
        return replace(p, &l, NULL);
    loaded_fini(&l);
    return st;
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
    return replace(p, &l, NULL) == MIDI_OK;
}
