/* The open document: saving it, and going about in its history. See project.h. */
#include "app/document/project.h"

#include "app/base/paths.h"
#include "midi/base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum file_news project_file_news(struct project *p)
{
    return p->path && p->autosave.writer ? file_compare(&p->autosave.seen, p->path)
                                         : FILE_SAME;
}

/* Takes the copy of the path. */
static void remember_saved(struct project *p, char *path, const uint8_t *music,
                           size_t n)
{
    int why = errno;
    autosave_saved(&p->autosave, path, p->saved_state, p->history, music, n);
    free(p->path);
    p->path = path;
    p->saved_state = history_state(p->history);
    p->report.is_partial = false;
    errno = why;
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
    if (st)
        free(copy);
    else
        remember_saved(p, copy, music, n);
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
    autosave_did(&p->autosave, p->history);
    return MIDI_OK;
}

enum midi_status project_go(struct project *p, uint64_t state)
{
    uint64_t before = history_state(p->history);
    enum midi_status st = history_go(p->history, p->score, state);
    if (history_state(p->history) != before) {
        p->version++;
        autosave_went(&p->autosave, p->history);
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
