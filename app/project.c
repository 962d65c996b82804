/* The open document. See project.h. */
#include "app/project.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

enum midi_status project_open(struct project *p, const char *path)
{
    struct score *score = NULL;
    struct smf_report report;
    memset(&report, 0, sizeof report);
    enum midi_status st = smf_load(&score, path, &report);
    if (st == MIDI_NO_FILE && errno == ENOENT) {
        enum midi_status empty = replace_with_empty(p, path);
        errno = ENOENT;
        return empty ? empty : MIDI_NO_FILE;
    }
    if (st)
        return st;
    p->report = report;
    return replace(p, score, path);
}

enum midi_status project_save(struct project *p, const char *path)
{
    const char *target = path ? path : p->path;
    if (!target)
        return MIDI_NO_FILE;
    enum midi_status st = smf_save(p->score, target);
    if (st)
        return st;
    if (target != p->path) {
        char *copy = strdup(target);
        if (!copy)
            return MIDI_NO_MEMORY;
        free(p->path);
        p->path = copy;
    }
    p->saved_state = history_state(p->history);
    return MIDI_OK;
}

enum midi_status project_rescue(const struct project *p, char *where, size_t n_where)
{
    const char *home = getenv("HOME");
    int n = p->path ? snprintf(where, n_where, "%s.rescued.mid", p->path)
                    : snprintf(where, n_where, "%s/continuo.rescued.mid",
                               home ? home : ".");
    if (n < 0 || (size_t)n >= n_where)
        return MIDI_CANNOT_WRITE;
    return smf_save(p->score, where);
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
