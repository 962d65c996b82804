/* What the journal and the file's watch have to say to the user, each thing once. */
#include "app/journal_file.h"
#include "app/session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LOOK_MS = 1000 }; /* between looks at the file */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* -- opening -- */

static void say_back(struct session *s, const struct recovery *r)
{
    size_t n = score_n_notes(s->project.score), k = r->n_unsaved;
    bool is_one = k == 1;
    char takes[40] = "";
    if (s->takes.n)
        snprintf(takes, sizeof takes, "; %d take%s: T", s->takes.n,
                 s->takes.n == 1 ? " waits" : "s wait");
    session_say(s, "%zu note%s; %zu unsaved edit%s back: %s %s%s", n, n == 1 ? "" : "s",
                k, is_one ? " is" : "s are",
                s->project.path ? ":revert drops" : ":w NAME keeps",
                is_one ? "it" : "them", takes);
}

static void say_other(struct session *s, const struct recovery *r)
{
    if (*r->aside)
        session_error(s, "%s: %s",
                      s->project.keep.has_file
                          ? "changed elsewhere; :e opens what was not saved"
                          : "the file was gone; :e opens what was in it",
                      r->aside);
}

static void say_damaged(struct session *s, const struct recovery *r)
{
    if (!*r->aside)
        session_error(s, "its journal is damaged; this is as it was saved");
    else if (r->has_music)
        session_error(s, "its journal is damaged; :e opens what it holds: %s",
                      r->aside);
    else
        session_error(s, "its journal cannot be read, and is now %s", r->aside);
}

void session_say_found(struct session *s)
{
    const struct recovery *r = &s->project.found;
    s->kept.error = 0;
    if (r->kind == RECOVERY_BACK && r->n_unsaved)
        say_back(s, r);
    else if (r->kind == RECOVERY_TAKEN)
        session_error(s, "another continuo has it open: :w NAME saves elsewhere");
    else if (r->kind == RECOVERY_OTHER)
        say_other(s, r);
    else if (r->kind == RECOVERY_UNREAD)
        session_error(s, "edits may wait in its journal, which cannot be read: %s",
                      strerror(r->why));
    else if (r->kind == RECOVERY_DAMAGED)
        say_damaged(s, r);
    else if (r->kind == RECOVERY_FULL)
        session_say(s,
                    "its history had grown large, and begins anew from what is saved");
}

/* -- while it is open -- */

static void say_not_kept(struct session *s, int error)
{
    const char *name = project_base_name(&s->project);
    if (error == EWOULDBLOCK)
        session_error(s, "another continuo has it open: :w NAME saves elsewhere");
    else if (error != ENOENT && journal_file_is_none(error) && name)
        session_error(
            s, "a crash would lose your edits: %s.continuo-journal is no plain file",
            name);
    else
        session_error(s, "a crash would lose your edits, the journal fails: %s",
                      strerror(error));
}

static void mind_journal(struct session *s)
{
    int error = keeping_error(&s->project.keep);
    if (error && error != s->kept.error)
        say_not_kept(s, error);
    s->kept.error = error;
}

static void mind_file(struct session *s)
{
    struct project *p = &s->project;
    enum file_news news = watch_take(p->keep.watch, &p->keep.seen);
    if (news != FILE_SAME && news != s->kept.news) {
        s->kept.news = news;
        session_error(s, news == FILE_GONE
                             ? "the file is gone: :w writes it anew"
                             : "another program changed the file: :e! reads it, :w! "
                               "overwrites it");
    }
    if (!p->path || !p->keep.seen.exists || now_ms() - s->kept.looked_ms < LOOK_MS)
        return;
    s->kept.looked_ms = now_ms();
    watch_ask(p->keep.watch, p->path, &p->keep.seen);
}

void session_mind_what_is_kept(struct session *s)
{
    if (!s->project.keep.journal)
        return;
    mind_journal(s);
    mind_file(s);
}

bool session_may_write(struct session *s, bool forced)
{
    enum file_news news = project_file_news(&s->project);
    if (!forced && s->project.keep.is_taken)
        session_error(s, "another continuo has it open: :w NAME saves elsewhere");
    else if (!forced && news == FILE_CHANGED)
        session_error(s,
                      "another program changed the file: :w! overwrites it, :e! reads "
                      "it");
    else {
        s->kept.news = FILE_SAME; /* another change is news again */
        return true;
    }
    return false;
}
