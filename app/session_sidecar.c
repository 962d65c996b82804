/* Between the session and what is kept beside the music. */
#include "app/session.h"
#include "app/sidecar.h"
#include "app/takes_pack.h"
#include "midi/follow.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool session_has_music(const struct session *s)
{
    return s->project.path && access(s->project.path, F_OK) == 0;
}

/* Where it is in the music that is saved, which it is read with. */
static struct sidecar_loop saved_loop(const struct session *s)
{
    const struct history *h = s->project.history;
    uint64_t from = s->loop.state, to = s->project.saved_state;
    return (struct sidecar_loop){history_follow(h, from, to, s->loop.from, false),
                                 history_follow(h, from, to, s->loop.to, true),
                                 s->loop.on};
}

bool session_gather_sidecar(const struct session *s, struct sidecar *side)
{
    sidecar_init(side);
    side->steering = s->steering;
    side->loop = saved_loop(s);
    side->roll = (struct sidecar_roll){s->grid, s->snaps, s->folds};
    side->groove = s->groove;
    side->humanise = s->humanise;
    return takes_pack(&side->takes, s) &&
           sidecar_tracks_gather(&side->tracks, s->project.score) &&
           taps_copy(&side->taps, &s->project.score->taps);
}

/* What there is to keep, to see whether it changes. Without a file the dice do not
 * count: asking alone throws them. NULL: out of memory. */
static char *what_to_keep(const struct session *s)
{
    struct sidecar side;
    bool ok = session_gather_sidecar(s, &side);
    if (!s->beside.is_there)
        side.steering.seed = STEERING_DEFAULT.seed;
    char *text = ok ? sidecar_text(&side) : NULL;
    sidecar_fini(&side);
    return text;
}

/* It is as it was saved. */
static void remember(struct session *s, bool has_beside)
{
    beside_forget(&s->beside);
    s->beside.is_there = has_beside;
    s->beside.saved = what_to_keep(s);
    s->beside_watch = (struct beside_watch){0};
}

/* That of music which was never saved was not saved either. */
static void remember_unsaved(struct session *s, char *path)
{
    struct sidecar nothing;
    sidecar_init(&nothing);
    beside_forget(&s->beside);
    s->beside.saved = sidecar_text(&nothing);
    s->beside.path = path;
    s->beside.is_over = true;
    s->beside_watch = (struct beside_watch){0};
    sidecar_fini(&nothing);
}

/* -- opening -- */

static void say_left_out(struct session *s, int n)
{
    if (!s->has_take)
        session_error(s, "opened, but the music was changed since: the takes that "
                         "waited no longer fit");
    else
        session_error(s,
                      "opened, but the music was changed since: %d of %d takes no "
                      "longer fit%s",
                      n, n + s->takes.n, n == 1 ? "s" : "");
}

static void say_that_they_wait(struct session *s)
{
    size_t n = score_n_notes(s->project.score);
    session_say(s, "%zu note%s, and %d take%s wait%s: T shows %s", n, n == 1 ? "" : "s",
                s->takes.n, s->takes.n == 1 ? "" : "s", s->takes.n == 1 ? "s" : "",
                s->takes.n == 1 ? "it" : "them");
}

/* Music that was never saved, with what was put beside it. */
static bool has_come_back(const struct session *s)
{
    return !session_has_music(s) && s->project.found.kind == RECOVERY_BACK;
}

/* None waits. Those of a file that is gone would wait for nothing. */
static void bring_takes_back(struct session *s, struct sidecar_takes *takes)
{
    int n_left_out = 0;
    if (!session_has_music(s) && !has_come_back(s))
        return;
    if (!takes_unpack(s, takes, &n_left_out))
        session_error(s, "opened, but there is no memory for the takes that waited");
    else if (n_left_out)
        say_left_out(s, n_left_out);
    else if (s->has_take && !s->message_is_error)
        say_that_they_wait(s);
}

static const char *name_of(const struct session *s)
{
    const char *name = project_base_name(&s->project);
    return name ? name : "the piece";
}

/* Beside those that the journal has brought back. */
static void give_taps(struct session *s, const struct taps *kept)
{
    for (size_t i = 0; i < kept->n; i++)
        if (!taps_put(&s->project.score->taps, kept->list[i]))
            session_error(s, "opened, but not all bar lines that were marked");
}

void session_load_sidecar(struct session *s)
{
    struct sidecar side;
    char why[SIDECAR_WHY_BYTES];
    uint64_t seed = s->steering.seed; /* goes on counting where none is kept */
    session_settle_beside(s);
    char *path = session_beside_path(s);
    enum sidecar_status st = path ? sidecar_load(&side, path, why) : SIDECAR_NONE;
    if (!path)
        sidecar_init(&side);
    s->steering = side.steering;
    s->grid = side.roll.grid.division ? side.roll.grid : GRID_STEP_DEFAULT;
    s->snaps = side.roll.snaps;
    s->folds = side.roll.folds;
    s->groove = side.groove;
    s->humanise.ms = side.humanise.ms;
    s->humanise.velocity = side.humanise.velocity;
    if (st != SIDECAR_OK) {
        s->steering.seed = seed;
        settings_apply_to_piece(&s->ways.settings, s);
    }
    if (st == SIDECAR_FAILED)
        session_error(s, "opened, but not what is in %s.continuo: %s", name_of(s), why);
    sidecar_tracks_give(&side.tracks, s->project.score);
    give_taps(s, &side.taps);
    s->loop.from = side.loop.from;
    s->loop.to = side.loop.to;
    s->loop.on = side.loop.on;
    session_send_loop(s);
    s->loop.state = s->project.saved_state; /* when it was kept */
    if (s->loop.state < history_n_states(s->project.history))
        session_follow_loop(s);
    else
        s->loop.state = history_state(s->project.history);
    bring_takes_back(s, &side.takes);
    bool left_out = side.takes.takes.n > s->takes.n;
    sidecar_fini(&side);
    if (st == SIDECAR_OK && path && has_come_back(s)) {
        remember_unsaved(s, path);
        path = NULL;
    } else
        remember(s, st == SIDECAR_OK);
    s->beside.left_out = left_out;
    free(path);
}

/* -- saving -- */

/* A file with takes that did not fit is kept. */
static enum sidecar_status write_beside(const struct session *s,
                                        const struct sidecar *side,
                                        char why[SIDECAR_WHY_BYTES])
{
    const char *path = s->project.path;
    if (s->beside.left_out && sidecar_put_aside(path, why) == SIDECAR_FAILED)
        return SIDECAR_FAILED;
    return sidecar_save(side, path, why);
}

/* The file of before, or none, goes back to what was saved with it. */
static void leave_old(struct session *s)
{
    struct beside *b = &s->beside;
    if (b->path && strcmp(b->path, s->project.path) != 0)
        beside_give_back(b);
    keeping_hold(&s->project.keep, false);
}

static enum sidecar_status save_beside(struct session *s, char why[SIDECAR_WHY_BYTES])
{
    struct sidecar side;
    enum sidecar_status st = SIDECAR_FAILED;
    session_settle_beside(s);
    if (session_gather_sidecar(s, &side))
        st = write_beside(s, &side, why);
    else
        strcpy(why, "out of memory");
    sidecar_fini(&side);
    if (st == SIDECAR_FAILED)
        return st;
    leave_old(s);
    remember(s, st == SIDECAR_OK);
    return st;
}

bool session_save_sidecar(struct session *s)
{
    char why[SIDECAR_WHY_BYTES];
    if (save_beside(s, why) != SIDECAR_FAILED)
        return true;
    session_error(s, "saved, but not all that belongs in %s.continuo: %s",
                  project_base_name(&s->project), why);
    return false;
}

bool session_keep_sidecar(struct session *s, const char *advice)
{
    char why[SIDECAR_WHY_BYTES];
    if (!session_has_music(s))
        return true;
    session_settle_beside(s);
    char *now = what_to_keep(s);
    bool is_same = now && s->beside.saved && !strcmp(now, s->beside.saved);
    free(now);
    if (is_same)
        session_leave_beside(s);
    if (is_same || save_beside(s, why) != SIDECAR_FAILED)
        return true;
    session_error(s, "not all that belongs in %s.continuo could be kept: %s%s",
                  project_base_name(&s->project), why, advice);
    return false;
}
