/* `:learn 5m FOLDER`: trains the model in use on the user's music, in the background, into a
 * model of the user's own (app/editor/takes/learner.h). Without a folder: on the open piece. */
#include "app/editor/takes/machine.h"

#include "app/base/paths.h"
#include "app/editor/takes/learner.h"
#include "midi/base/file.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOOK_MS = 200, USUAL_MINUTES = 5, MOST_OF_A_NAME = 99 };
static const double MOST_MINUTES = 24 * 60;
static const char SNAPSHOT[] =
    "learnt/%s.mid"; /* the open piece, in the state folder */

const char *learn_program;

struct learning {
    struct learner *learner; /* NULL: none is running */
    struct learnt news;
    char name[64], out[4096];
    char snapshot[4096]; /* "": a folder is learnt */
    char said[240];      /* of its progress, last */
};

/* "5m", "90s", "1h" at the line's start, which *line then is behind. */
static double take_minutes(const char **line)
{
    static const struct {
        char unit;
        double minutes;
    } UNITS[] = {{'s', 1.0 / 60}, {'m', 1}, {'h', 60}};
    char *end;
    double n = strtod(*line, &end);
    for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++)
        if (end != *line && *end == UNITS[i].unit && (!end[1] || end[1] == ' ')) {
            *line = end + 1 + strspn(end + 1, " ");
            return n * UNITS[i].minutes;
        }
    return USUAL_MINUTES;
}

/* A name that no model has: "joplin", "joplin-2". false: there is none, or no folder. */
static bool choose_name(struct learning *l, const char *path)
{
    char whole[4096], base[48], is_there[4096];
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    /* The last part of the path, without its ending. */
    snprintf(whole, sizeof whole, "%.*s", (int)n, path);
    const char *last = file_base_name(whole), *dot = strrchr(last, '.');
    snprintf(base, sizeof base, "%.*s", (int)(dot && dot != last ? dot - last : 40),
             last);
    for (char *at = base; *at; at++)
        if (*at == ' ' || (unsigned char)*at < ' ' || *at == 127)
            *at = '-';
    for (int i = 1; i <= MOST_OF_A_NAME; i++) {
        if (i == 1)
            snprintf(l->name, sizeof l->name, "%s", base);
        else
            snprintf(l->name, sizeof l->name, "%s-%d", base, i);
        paths_model(is_there, sizeof is_there, l->name);
        if (access(is_there, F_OK))
            return paths_own_model(l->out, sizeof l->out, l->name);
    }
    return false;
}

/* The open piece, as it is now. */
static bool take_snapshot(struct session *s, struct learning *l)
{
    char file[80];
    snprintf(file, sizeof file, SNAPSHOT, l->name);
    if (!paths_state(l->snapshot, sizeof l->snapshot, file))
        l->snapshot[0] = '\0';
    errno = 0;
    enum midi_status st =
        *l->snapshot ? smf_save(s->project.score, l->snapshot) : MIDI_CANNOT_WRITE;
    if (st)
        session_file_error(s, l->snapshot, st, "");
    return !st;
}

/* "1.58 to 1.54 nats a note"; "": not known yet, or nothing is held back. */
static const char *say_losses(const struct learnt *n, char *buf, size_t n_buf)
{
    buf[0] = '\0';
    if (n->own_before > 0)
        snprintf(buf, n_buf, "%.2f to %.2f nats per note, other music %.2f to %.2f",
                 n->own_before, n->own_now, n->other_before, n->other_now);
    return buf;
}

static void say_progress(struct session *s, struct learning *l)
{
    char losses[80];
    say_losses(&l->news, losses, sizeof losses);
    session_say(s, "learning %s %d%%%s%s", l->name, (int)(100 * l->news.share),
                *losses ? ": " : "; Ctrl-C ends it and keeps the best", losses);
    snprintf(l->said, sizeof l->said, "%s", s->view.message.text);
}

static void begin(struct session *s, const char *data, double minutes)
{
    struct learning *l = s->parts.learning;
    char from[4096];
    struct lesson lesson = {.program = learn_program ? learn_program : file_program(),
                            .from = from,
                            .data = data,
                            .out = l->out,
                            .minutes = minutes};
    l->news = (struct learnt){0};
    if (!model_in_use(s, from, sizeof from))
        session_error(s, "there is no model to train");
    else if (!(l->learner = learner_start(&lesson)))
        session_error(s, "learning cannot start: %s", strerror(errno));
    else
        say_progress(s, l);
}

static const char NOWHERE[] = "no model can be written: there is no folder for it";

void act_learn_line(struct session *s, const char *line)
{
    double minutes = take_minutes(&line);
    if (learn_is_at_work(s))
        session_error(s, "already learning %s; Ctrl-C ends it",
                      s->parts.learning->name);
    else if (!(minutes > 0 && minutes <= MOST_MINUTES))
        session_error(s, "how long? use :learn 5m FOLDER, or 30s, 2h");
    else if (*line) {
        struct learning *l = s->parts.learning;
        char typed[4096], full[PATH_MAX];
        l->snapshot[0] = '\0';
        if (!file_expand(typed, sizeof typed, line) || !realpath(typed, full))
            session_error(s, "there is no folder %s", line);
        else if (!choose_name(l, full))
            session_error(s, NOWHERE);
        else
            begin(s, full, minutes);
    } else {
        struct learning *l = s->parts.learning;
        if (!score_n_notes(s->project.score))
            session_error(
                s, "there is no music yet: :learn 5m FOLDER learns from a folder");
        else if (!choose_name(l, s->project.path ? s->project.path : "untitled"))
            session_error(s, NOWHERE);
        else if (take_snapshot(s, l))
            begin(s, l->snapshot, minutes);
    }
}

bool learn_is_at_work(const struct session *s)
{
    return s->parts.learning->learner;
}

static bool stop(struct session *s)
{
    struct learning *l = s->parts.learning;
    if (!l->learner)
        return false;
    learner_stop(l->learner, true);
    session_say(s, "measuring once more; the model is kept if it is better");
    return true;
}

static void end(struct session *s)
{
    struct learning *l = s->parts.learning;
    learner_destroy(l->learner);
    l->learner = NULL;
    if (*l->snapshot)
        unlink(l->snapshot);
}

static void learn_watch(struct session *s)
{
    struct learning *l = s->parts.learning;
    if (!l->learner)
        return;
    if (!learner_has_ended(l->learner, &l->news)) {
        if (!strcmp(s->view.message.text, l->said)) /* no other message since */
            say_progress(s, l);
        return;
    }
    const char *why = learner_why(l->learner);
    char losses[80];
    if (access(l->out, F_OK))
        session_error(s, "nothing was learnt: %s",
                      *why ? why : "it ended before the model improved");
    else if (isnan(l->news.own_now))
        session_say(s, ":model %s uses it; too few bars to measure progress", l->name);
    else
        session_say(s, ":model %s uses it: %s", l->name,
                    say_losses(&l->news, losses, sizeof losses));
    end(s);
}

static int timeout_ms(const struct session *s)
{
    return learn_is_at_work(s) ? LOOK_MS : -1;
}

static void learn_view(struct session *s, struct view *v)
{
    if (learn_is_at_work(s))
        session_show_work(v, "learning %d%%",
                          (int)(100 * s->parts.learning->news.share));
}

const struct editor_part LEARN_PART = {
    PART_STATE(learning),     .fini = end,        .stop = stop, .tick = learn_watch,
    .timeout_ms = timeout_ms, .view = learn_view,
};
