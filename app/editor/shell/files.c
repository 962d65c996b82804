/* Opens files, saves and quits. Another file is overwritten, and unsaved music is left, only if
 * the user asks for that. */
#include "app/editor/keep/keep.h"
#include "app/base/paths.h"
#include "app/editor/perform/recorder.h"
#include "app/editor/shell/shell.h"
#include "app/document/state.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool save(struct session *s, const char *path)
{
    errno = 0;
    enum midi_status st = project_save(&s->project, path);
    if (st) {
        session_file_error(s, path ? path : s->project.path, st,
                           "; :w NAME saves elsewhere");
        return false;
    }
    if (s->preferences.remembers_files)
        recent_add(s->project.autosave.writer, s->project.path);
    if (!session_autosave_saved(s))
        return true; /* the music is safe */
    size_t n = score_n_notes(s->project.score);
    session_say(s, "saved %s, %zu note%s%s", project_base_name(&s->project), n,
                plural(n), s->has_take ? ", and its store with the waiting takes" : "");
    return true;
}

bool act_save_as(struct session *s, const char *path, bool forced)
{
    char full[4096];
    struct stat there, own;
    record_stop(s);
    if (!path && !s->project.path) {
        act_call(s, CMD_SAVE_AS);
        return false;
    }
    if (!path)
        return session_may_write(s, forced) && save(s, NULL);
    bool fits = file_expand(full, sizeof full, path);
    const size_t n = fits ? strlen(full) : 0;
    /* A name without an ending is that of a MIDI file. */
    if (fits && !strchr(file_base_name(full), '.') && access(full, F_OK) != 0)
        fits = snprintf(full + n, sizeof full - n, ".mid") < (int)(sizeof full - n);
    const bool is_own = fits && s->project.path && !stat(full, &there) &&
                        !stat(s->project.path, &own) && there.st_dev == own.st_dev &&
                        there.st_ino == own.st_ino,
               is_taken = fits && !is_own && lstat(full, &there) == 0;
    if (!fits)
        session_error(s, "that name is too long");
    else if (stat(full, &there) == 0 && S_ISDIR(there.st_mode))
        session_error(s, "%s is a folder: use :w NAME.mid", path);
    else if (is_taken && !forced)
        session_error(s, "%s already exists: :w! %s overwrites it", path, path);
    else if (is_taken && autosave_is_open_elsewhere(&s->project, full))
        session_error(s, "another continuo has %s open: :w NAME saves elsewhere", path);
    else if (!is_own || session_may_write(s, forced))
        return save(s, full);
    return false;
}

/* Whether the piece may be left; if not, tells the user, with the advice at the end. */
static bool may_leave(struct session *s, const char *advice)
{
    if (project_modified(&s->project))
        session_error(s, "there are unsaved changes: :w saves%s", advice);
    else if (session_has_homeless_takes(s))
        session_error(s, "unsaved takes wait: :w NAME saves%s", advice);
    else
        return session_keep_settings(s, advice);
    return false;
}

/* Unsaved changes stay in the history, but must not come back by themselves. */
static void leave_unsaved(struct session *s)
{
    session_autosave_forget(s);
    project_go(&s->project, s->project.saved_state);
}

void act_quit(struct session *s, const struct command *c)
{
    bool is_forced = c->by;
    record_stop(s);
    const struct editor_job *job = NULL;
    EACH_PART (p)
        job = !job && job_runs((*p)->job, s) ? (*p)->job : job;
    if (job && !is_forced)
        session_error(s, "%s", job->quit);
    else
        s->quit = is_forced || may_leave(s, "; :q! quits without saving");
    if (s->quit)
        leave_unsaved(s);
}

void act_open_line(struct session *s, const char *path, int forced)
{
    char full[4096];
    record_stop(s);
    if (!*path && forced && s->project.path)
        path = s->project.path;
    if (!*path)
        session_error(s, "open which file? :e NAME.mid");
    else if (!file_expand(full, sizeof full, path))
        session_error(s, "that name is too long");
    else if (forced || may_leave(s, "; :e! NAME opens without saving")) {
        const uint64_t state = history_state(s->project.history);
        leave_unsaved(s);
        if (!session_open(s, full))
            project_go(&s->project, state);
    }
}

/* -- lines as in vi; `!` forces -- */

void act_write_line(struct session *s, const char *rest, int how)
{
    bool is_saved = act_save_as(s, *rest ? rest : NULL, how & FORCED);
    if (how & QUITS)
        s->quit = is_saved;
}

void act_save(struct session *s, const struct command *c)
{
    act_write_line(s, "", c->by);
}

const char *save_as_path(struct session *s, char *buf, size_t n)
{
    snprintf(buf, n, "%s", s->project.path ? s->project.path : "");
    return buf;
}

void act_open_prompt(struct session *s, const char *line)
{
    act_open_line(s, line, false);
}

void act_save_as_prompt(struct session *s, const char *line)
{
    if (*line)
        act_save_as(s, line, false);
}
