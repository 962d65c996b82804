/* The open document. See project.h. */
#include "app/project.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Puts a loaded or fresh score in the place of what was open. */
static enum midi_status replace(struct project *p, struct score *score,
                                const char *path)
{
    struct history *history = history_create();
    char *copy = path ? strdup(path) : NULL;
    if (!history || (path && !copy)) {
        history_destroy(history);
        free(copy);
        score_destroy(score);
        return MIDI_NO_MEMORY;
    }
    uint64_t version = p->version;
    struct smf_report report = p->report;
    project_fini(p);
    p->score = score;
    p->history = history;
    p->path = copy;
    p->report = report;
    p->version = version + 1;
    p->saved_state = history_state(history);
    return MIDI_OK;
}

static enum midi_status replace_with_empty(struct project *p, const char *path)
{
    struct score *score = score_create(480);
    if (!score || score_add_track(score, "Piano", 0, 0) < 0) {
        score_destroy(score);
        return MIDI_NO_MEMORY;
    }
    memset(&p->report, 0, sizeof p->report);
    return replace(p, score, path);
}

enum midi_status project_init(struct project *p)
{
    memset(p, 0, sizeof *p);
    return replace_with_empty(p, NULL);
}

void project_fini(struct project *p)
{
    score_destroy(p->score);
    history_destroy(p->history);
    free(p->path);
    memset(p, 0, sizeof *p);
}

/* Puts the music in `from` in the place of what was open, to be saved in `path`. */
static enum midi_status load_as(struct project *p, const char *from, const char *path)
{
    struct score *score = NULL;
    struct smf_report report;
    memset(&report, 0, sizeof report);
    enum midi_status st = smf_load(&score, from, &report);
    if (st)
        return st;
    p->report = report;
    return replace(p, score, path);
}

enum midi_status project_open(struct project *p, const char *path)
{
    enum midi_status st = load_as(p, path, path);
    if (st == MIDI_NO_FILE && errno == ENOENT) {
        enum midi_status empty = replace_with_empty(p, path);
        errno = ENOENT;
        return empty ? empty : MIDI_NO_FILE;
    }
    return st;
}

enum midi_status project_open_copy(struct project *p, const char *from,
                                   const char *path)
{
    return load_as(p, from, path);
}

enum midi_status project_save(struct project *p, const char *path)
{
    const char *target = path ? path : p->path;
    if (!target)
        return MIDI_NO_FILE;
    char *copy = strdup(target);
    enum midi_status st = copy ? smf_save(p->score, target) : MIDI_NO_MEMORY;
    if (st) {
        int why = errno;
        free(copy);
        errno = why;
        return st;
    }
    free(p->path);
    p->path = copy;
    p->saved_state = history_state(p->history);
    return MIDI_OK;
}

/* Where the music of a program that is being ended goes. false: too long. */
static bool rescue_path(const struct project *p, int attempt, char *out, size_t n_out)
{
    const char *home = getenv("HOME");
    char number[16] = "";
    if (attempt > 1)
        snprintf(number, sizeof number, "-%d", attempt);
    int n = p->path ? snprintf(out, n_out, "%s.rescued%s.mid", p->path, number)
                    : snprintf(out, n_out, "%s/continuo.rescued%s.mid",
                               home ? home : ".", number);
    return n >= 0 && (size_t)n < n_out;
}

enum midi_status project_rescue(const struct project *p, char *where, size_t n_where)
{
    struct stat st;
    for (int attempt = 1; attempt < 1000; attempt++) {
        if (!rescue_path(p, attempt, where, n_where))
            break;
        if (lstat(where, &st)) /* none of an earlier day is written over */
            return smf_save(p->score, where);
    }
    return MIDI_CANNOT_WRITE;
}

bool project_modified(const struct project *p)
{
    return history_state(p->history) != p->saved_state;
}

const char *project_base_name(const struct project *p)
{
    if (!p->path)
        return NULL;
    const char *slash = strrchr(p->path, '/');
    return slash ? slash + 1 : p->path;
}

enum midi_status project_do(struct project *p, struct change *c)
{
    enum midi_status st = history_do(p->history, p->score, c);
    if (!st)
        p->version++;
    return st;
}

bool project_undo(struct project *p, const char **label)
{
    bool done = history_undo(p->history, p->score, label);
    p->version += done;
    return done;
}

bool project_redo(struct project *p, const char **label)
{
    bool done = history_redo(p->history, p->score, label);
    p->version += done;
    return done;
}
