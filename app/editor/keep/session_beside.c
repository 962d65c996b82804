/* Between the session and what is kept beside the music: gathered, given back, and written
 * while it is worked on. It is written as soon as it changes, but no oftener than that
 * looking for it takes a small part of the ui thread's time; the ui thread only copies what
 * is to be kept, and another makes rows of it. */
#include "app/editor/keep/keep.h"
#include "app/editor/takes/played_take.h"
#include "app/editor/perform/recorder.h"
#include "app/editor/session/session.h"
#include "app/editor/keep/takes_pack.h"
#include "app/editor/keep/session_settings.h"
#include "midi/edit/follow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* When what is beside the music is to be written (session_beside.c). */
struct beside_watch {
    bool is_known;  /* the piece was looked at: */
    uint64_t look;  /* at what would be in it */
    uint64_t saved; /* as it was when it was saved; 0: not known */
    bool is_there;  /* something was saved. Else the dice do not count */
    bool has_changed;
    bool is_over;                 /* something is written that was not saved */
    int64_t written_ms, pause_ms; /* monotonic; until the next, at least */
};

enum { PAUSE_MS = 50, SHARE = 20 }; /* between two: so many times what one takes */

static int64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

bool session_has_music(const struct session *s)
{
    return s->project.path && access(s->project.path, F_OK) == 0;
}

/* Where it is in the music that is saved, which it is read with. */
static struct kept_loop saved_loop(const struct session *s)
{
    const struct history *h = s->project.history;
    uint64_t from = s->loop.state, to = s->project.saved_state;
    return (struct kept_loop){history_follow(h, from, to, s->loop.from, false),
                              history_follow(h, from, to, s->loop.to, true),
                              s->loop.on};
}

bool session_gather_beside(const struct session *s, struct beside *b)
{
    beside_init(b);
    b->steering = s->steering;
    b->loop = saved_loop(s);
    b->roll = (struct kept_roll){s->grid, s->snaps, s->folds};
    b->groove = s->groove;
    b->humanise = s->humanise;
    return takes_pack(&b->takes, s) &&
           kept_tracks_gather(&b->tracks, s->project.score) &&
           taps_copy(&b->taps, &s->project.score->taps);
}

/* -- has it changed? Cheap, for it is asked at every frame -- */

static void mix(uint64_t *sum, uint64_t x)
{
    *sum = (*sum ^ x) * UINT64_C(0x9E3779B97F4A7C15);
    *sum ^= *sum >> 29;
}

/* Plain data as it lies in memory: what lies between its fields may tell of a change that
 * is none, which costs some writing. */
static void mix_bytes(uint64_t *sum, const void *bytes, size_t n)
{
    mix(sum, fingerprint_of(bytes, n).hash);
}

static void mix_takes(uint64_t *sum, const struct session *s)
{
    if (!s->has_take)
        return;
    mix(sum, s->project.version); /* they are told by where notes are */
    mix(sum, (uint64_t)s->takes.shown);
    mix(sum, (uint64_t)s->asked.bars);
    mix(sum, s->parts.played->music.n_events);
    for (int i = 0; i < s->takes.n; i++) {
        const struct proposal *t = &s->takes.list[i];
        mix(sum, (uint64_t)t->letter);
        mix(sum, t->slot >= 0);
        mix(sum, t->n_ghosts - t->n_waiting);
        mix(sum, t->n_ghosts);
        mix(sum, (uint64_t)t->liking);
        mix(sum, (uint64_t)proposals_n_kept(t));
    }
}

static void mix_tracks(uint64_t *sum, const struct score *s)
{
    for (size_t i = 0; i < s->n_tracks; i++) {
        const struct track *t = &s->tracks[i];
        mix(sum, (uint64_t)(t->mute | t->solo << 1 | t->arm << 2 | t->hide << 3 |
                            t->colour << 4));
    }
}

static void mix_taps(uint64_t *sum, const struct taps *t)
{
    for (size_t i = 0; i < t->n; i++)
        mix(sum, (uint64_t)t->list[i].tick << 1 | t->list[i].kind);
}

static uint64_t look_at(const struct session *s)
{
    uint64_t sum = 1;
    struct steering steering = s->steering;
    if (!s->parts.beside->is_there && !s->has_take)
        steering.seed = STEERING_DEFAULT.seed;
    mix_takes(&sum, s);
    mix_tracks(&sum, s->project.score);
    mix_bytes(&sum, &steering, sizeof steering);
    mix_bytes(&sum, &s->grid, sizeof s->grid);
    mix_bytes(&sum, &s->groove, sizeof s->groove);
    mix_bytes(&sum, &s->humanise, sizeof s->humanise);
    mix(&sum, (uint64_t)(s->snaps | s->folds << 1 | s->loop.on << 2));
    mix_taps(&sum, &s->project.score->taps);
    mix(&sum, (uint64_t)s->loop.from);
    mix(&sum, (uint64_t)s->loop.to);
    return sum ? sum : 1;
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
static void bring_takes_back(struct session *s, struct kept_takes *takes)
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

/* Beside those that the history has brought back. */
static void give_taps(struct session *s, const struct taps *kept)
{
    for (size_t i = 0; i < kept->n; i++)
        if (!taps_put(&s->project.score->taps, kept->list[i]))
            session_error(s, "opened, but not all bar lines that were marked");
}

static void give_loop(struct session *s, const struct kept_loop *kept)
{
    s->loop.from = kept->from;
    s->loop.to = kept->to;
    s->loop.on = kept->on;
    session_send_loop(s);
    s->loop.state = s->project.saved_state; /* when it was kept */
    if (s->loop.state < history_n_states(s->project.history))
        session_follow_loop(s);
    else
        s->loop.state = history_state(s->project.history);
}

static void give_settings(struct session *s, const struct beside *b, bool is_there)
{
    uint64_t seed = s->steering.seed; /* goes on counting where none is kept */
    s->steering = b->steering;
    s->grid = b->roll.grid.division ? b->roll.grid : GRID_STEP_DEFAULT;
    s->snaps = b->roll.snaps;
    s->folds = b->roll.folds;
    s->groove = b->groove;
    s->humanise.ms = b->humanise.ms;
    s->humanise.velocity = b->humanise.velocity;
    if (is_there)
        return;
    s->steering.seed = seed;
    settings_apply_to_piece(&s->settings, s);
}

static void session_load_beside(struct session *s)
{
    struct beside nothing, *kept = s->project.found.beside, *b = kept;
    beside_init(&nothing);
    if (!b)
        b = &nothing;
    bool is_there = kept && (kept->is_saved || kept->is_unsaved);
    give_settings(s, b, is_there);
    kept_tracks_give(&b->tracks, s->project.score);
    give_taps(s, &b->taps);
    give_loop(s, &b->loop);
    bring_takes_back(s, &b->takes);
    *s->parts.beside = (struct beside_watch){.is_there = is_there};
    if (*s->project.found.aside)
        s->parts.beside->has_changed = is_there; /* its store is another one now */
    s->parts.beside->look = look_at(s);
    s->parts.beside->is_known = true;
    s->parts.beside->is_over = kept && kept->is_unsaved;
    if (!s->parts.beside->is_over && !s->parts.beside->has_changed)
        s->parts.beside->saved = s->parts.beside->look;
    if (kept && kept->recording.is_there)
        record_bring_back(s, &kept->recording);
    if (kept)
        beside_fini(kept);
    free(kept);
    s->project.found.beside = NULL;
}

/* -- while it is worked on -- */

static bool any_waits(const struct session *s)
{
    return s->has_take && proposals_best(&s->takes) >= 0;
}

bool session_has_homeless_takes(const struct session *s)
{
    return any_waits(s) && !session_has_music(s);
}

/* Settings alone are nothing to keep of music that is not there yet. */
static bool is_worth_it(const struct session *s)
{
    const struct keeping *k = &s->project.keep;
    if (!k->writer || k->is_taken)
        return false;
    return session_has_music(s) || k->has_begun || any_waits(s) ||
           s->parts.beside->is_over;
}

/* false: out of memory. */
static bool put(struct session *s, bool as_saved)
{
    struct beside *b = malloc(sizeof *b);
    if (!b || !session_gather_beside(s, b)) {
        if (b)
            beside_fini(b);
        free(b);
        return false;
    }
    keeping_put_beside(&s->project.keep, b, as_saved);
    s->parts.beside->is_there |= as_saved;
    return true;
}

static void write_now(struct session *s)
{
    struct beside_watch *w = s->parts.beside;
    const int64_t began = now_us();
    if (!session_has_music(s))
        keeping_hold(&s->project.keep, any_waits(s));
    if (w->look != w->saved) {
        w->is_over = true;
        if (!put(s, false))
            session_error(s, "a crash would lose takes that wait and what is set: "
                             "out of memory");
    } else if (w->is_over) {
        keeping_drop_beside(&s->project.keep);
        w->is_over = false;
    }
    const int64_t ended = now_us();
    w->has_changed = false;
    w->written_ms = ended / 1000;
    w->pause_ms = PAUSE_MS + (ended - began) * SHARE / 1000;
}

static void note_change(struct session *s)
{
    struct beside_watch *w = s->parts.beside;
    uint64_t look = look_at(s);
    if (!w->is_known)
        w->saved = w->look = look; /* of music without a file: as it begins */
    w->has_changed |= look != w->look;
    w->is_known = true;
    w->look = look;
}

static int64_t wait_ms(const struct session *s)
{
    const struct beside_watch *w = s->parts.beside;
    int64_t ms = w->written_ms + w->pause_ms - now_us() / 1000;
    return ms > 0 ? ms : 0;
}

int session_beside_timeout_ms(const struct session *s)
{
    return s->parts.beside->has_changed && is_worth_it(s) ? (int)wait_ms(s) : -1;
}

static void session_keep_beside(struct session *s)
{
    if (!s->project.keep.writer)
        return;
    note_change(s);
    if (s->parts.beside->has_changed && wait_ms(s) == 0 && is_worth_it(s))
        write_now(s);
}

void session_flush_beside(struct session *s)
{
    if (!s->project.keep.writer)
        return;
    note_change(s);
    if (s->parts.beside->has_changed && is_worth_it(s))
        write_now(s);
    project_settle(&s->project);
}

void session_leave_beside(struct session *s)
{
    struct beside_watch *w = s->parts.beside;
    if (w->is_over)
        keeping_drop_beside(&s->project.keep);
    keeping_hold(&s->project.keep, false);
    w->is_over = false;
    w->has_changed = w->is_known && w->look != w->saved; /* where it is not left */
}

/* -- saving -- */

/* What there is has been saved with the music. */
static void remember(struct session *s)
{
    struct beside_watch *w = s->parts.beside;
    w->look = w->saved = look_at(s);
    w->is_known = true;
    w->has_changed = w->is_over = false;
    keeping_hold(&s->project.keep, false);
}

/* What was saved is not known any more: what is now is so from now on. */
void session_write_beside_anew(struct session *s)
{
    if ((s->parts.beside->is_there || s->parts.beside->is_over) && put(s, true))
        remember(s);
}

/* Nothing is put where nothing has ever been set. */
static bool save_beside(struct session *s)
{
    struct beside_watch *w = s->parts.beside;
    bool was_known = w->is_known;
    note_change(s);
    bool is_new = !was_known || w->look != w->saved || w->is_there || w->is_over;
    if (is_new && !put(s, true))
        return false;
    remember(s);
    return true;
}

bool session_save_beside(struct session *s)
{
    if (save_beside(s))
        return true;
    session_error(s, "saved, but not all that belongs beside %s: out of memory",
                  project_base_name(&s->project));
    return false;
}

bool session_keep_settings(struct session *s, const char *advice)
{
    if (!session_has_music(s) || !s->project.keep.writer)
        return true;
    note_change(s);
    if (s->parts.beside->look == s->parts.beside->saved) {
        session_leave_beside(s);
        return true;
    }
    bool is_put = save_beside(s);
    project_settle(&s->project);
    int error = is_put ? keeping_error(&s->project.keep) : ENOMEM;
    if (!error || s->project.keep.is_taken)
        return true;
    s->parts.beside->saved = 0;
    session_error(s, "not all that belongs beside %s could be kept: %s%s",
                  project_base_name(&s->project), strerror(error), advice);
    return false;
}

const struct editor_part BESIDE_PART = {
    PART_STATE(beside), .opened = session_load_beside, .tick = session_keep_beside,
    .timeout_ms = session_beside_timeout_ms};
