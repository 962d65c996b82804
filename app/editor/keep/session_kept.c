/* Tells the user once what has happened to the store and to the file. */
#include "app/editor/keep/keep.h"
#include "app/editor/perform/recorder.h"
#include "midi/base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What the user was told about the store and the file. */
struct kept {
    int error;           /* last reported error of the store; 0: none */
    enum file_news news; /* last reported news of the file */
    int64_t looked_ms;   /* when it was last checked */
};

enum { LOOK_MS = 1000 }; /* between looks at the file */

/* Writes the name of the store. Returns buf. */
static const char *store_name(const struct session *s, char buf[300])
{
    snprintf(buf, 300, "%.280s.continuo", project_base_name(&s->project));
    return buf;
}

static const char ANOTHER[] =
    "another continuo has it open: read-only till it quits, :w NAME saves elsewhere";

static void session_say_found(struct session *s)
{
    const struct recovery *r = &s->project.found;
    const struct autosave *saving = &s->project.autosave;
    char name[300];
    s->parts.kept->error = 0;
    if (r->kind == RECOVERY_BACK && r->n_unsaved) {
        size_t n = score_n_notes(s->project.score), k = r->n_unsaved;
        bool is_one = k == 1;
        session_say(s, "%zu note%s; %zu unsaved edit%s restored: %s %s", n, plural(n),
                    k, is_one ? " is" : "s are",
                    s->project.path ? ":revert drops" : ":w NAME keeps",
                    is_one ? "it" : "them");
        if (s->takes.n)
            session_say_more(s, "; %d take%s: T", s->takes.n,
                             s->takes.n == 1 ? " waits" : "s wait");
    } else if (r->kind == RECOVERY_TAKEN)
        session_error(s, ANOTHER);
    else if (r->kind == RECOVERY_OTHER && *r->aside)
        session_error(s, "%s: %s",
                      saving->has_file
                          ? "changed elsewhere; :e opens the unsaved version"
                          : "the file was deleted; :e opens what was in it",
                      r->aside);
    else if (r->kind == RECOVERY_UNREAD || r->kind == RECOVERY_FOREIGN)
        session_error(s, "%s is not used: %s%s", store_name(s, name), r->why,
                      autosave_is_elsewhere(&s->project)
                          ? "; edits are kept in the state folder"
                          : "");
    else if (r->kind == RECOVERY_DAMAGED && !*r->aside)
        session_error(s, "%s was not read: %s", store_name(s, name), r->why);
    else if (r->kind == RECOVERY_DAMAGED)
        session_error(s, "its old store: %s; %s %s", r->why,
                      r->has_music ? ":e opens" : "it is now", r->aside);
    else if (r->kind == RECOVERY_FULL)
        session_say(s,
                    "its history was too large and starts again from the saved file");
}

/* Takes the piece over when the other program has left it: with what was done here or, if
 * nothing was, as the other program has left it. */
static void take_over(struct session *s)
{
    struct project *p = &s->project;
    if (!p->path || !autosave_is_left(p))
        return;
    /* Something was done here that the store of the piece does not have. */
    if (history_n_states(p->history) > 1 || s->has_take || recorder_is_on(s)) {
        if (!autosave_take_over(p))
            return;
        session_autosave_anew(s);
        session_say(s, "the other continuo has closed it: :w saves what you did");
        return;
    }
    char *path = strdup(p->path);
    const int64_t tick = s->view.cursor.tick;
    if (path && session_open(s, path)) {
        session_go_to(s, tick);
        if (!s->view.message.is_error && !p->found.n_unsaved)
            session_say(s, "the other continuo has closed it: you may edit it");
    }
    free(path);
}

static void session_mind_what_is_kept(struct session *s)
{
    struct project *p = &s->project;
    if (!p->autosave.writer)
        return;
    int error = autosave_error(&s->project);
    bool is_new = error && error != s->parts.kept->error;
    bool is_mended = is_new && autosave_mend(p);
    s->parts.kept->error = is_mended ? 0 : error;
    if (is_mended)
        session_autosave_anew(s);
    if (is_mended && error == EBADMSG)
        session_error(
            s,
            "the store of the piece was damaged: it was renamed and is written again");
    else if (is_mended && error == ESTALE)
        session_error(
            s, "the store of the piece was deleted or cut short: it is written again");
    else if (is_mended)
        session_error(s, "edits are now kept in the state folder: %s", strerror(error));
    else if (is_new)
        session_error(s,
                      error == EWOULDBLOCK
                          ? ANOTHER
                          : "a crash would lose your edits: they cannot be kept: %s",
                      strerror(error));
    enum file_news news = writer_news(p->autosave.writer, &p->autosave.seen);
    if (news != FILE_SAME && news != s->parts.kept->news) {
        s->parts.kept->news = news;
        session_error(s, news == FILE_GONE
                             ? "the file was deleted: :w writes it again"
                             : "another program changed the file: :e! reads it, :w! "
                               "overwrites it");
    }
    if (!p->path || clock_whole_ms() - s->parts.kept->looked_ms < LOOK_MS)
        return;
    s->parts.kept->looked_ms = clock_whole_ms();
    take_over(s);
    writer_look(p->autosave.writer);
    if (p->autosave.seen.exists)
        writer_watch(p->autosave.writer, p->path, &p->autosave.seen);
}

bool session_may_write(struct session *s, bool forced)
{
    take_over(s);
    enum file_news news = project_file_news(&s->project);
    const char *path = s->project.path;
    struct stat st;
    /* Renaming over a hard link would leave the other name with the old file. */
    bool is_linked =
        path && stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink > 1;
    if (autosave_is_taken(&s->project))
        session_error(s, ANOTHER);
    else if (!forced && is_linked)
        session_error(s, "it has a second name (a hard link), which saving would "
                         "separate: :w! saves anyway, :w NAME elsewhere");
    else if (!forced && news == FILE_CHANGED)
        session_error(s,
                      "another program changed the file: :w! overwrites it, :e! reads "
                      "it");
    else if (!forced && s->project.report.is_partial)
        session_error(s, "the file was not read completely: :w! loses the rest, :w "
                         "NAME saves elsewhere");
    else {
        s->parts.kept->news = FILE_SAME; /* another change is news again */
        return true;
    }
    return false;
}

static void reset(struct session *s)
{
    s->parts.kept->news = FILE_SAME;
}

const struct editor_part KEPT_PART = {PART_STATE(kept), .reset = reset,
                                      .opened = session_say_found,
                                      .tick = session_mind_what_is_kept};
