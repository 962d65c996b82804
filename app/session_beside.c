/* When what is beside the music is written while it is worked on: half a second after the
 * last change, at once when takes have come, been accepted or gone, and each second while
 * they are being written. The ui thread only copies what is to be kept; another thread
 * makes text of it and writes that (app/beside.h).
 *
 * What never had a file keeps it beside its journal, where it is found with it. */
#include "app/session.h"

#include "app/journal_file.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { QUIET_MS = 500, COMPOSING_MS = 1000 };

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static struct journal *journal_of(const struct session *s)
{
    return s->project.keep.journal;
}

char *session_beside_path(const struct session *s)
{
    const struct project *p = &s->project;
    if (p->path)
        return strdup(p->path);
    return p->keep.path ? journal_file_piece(p->keep.path) : NULL;
}

/* -- has it changed? Cheap, for it is asked at every frame -- */

static void mix(uint64_t *sum, uint64_t x)
{
    *sum = (*sum ^ x) * UINT64_C(0x9E3779B97F4A7C15);
    *sum ^= *sum >> 29;
}

/* Plain data as it lies in memory: what lies between its fields may tell of a change that
 * is none, which costs a comparison of texts. */
static void mix_bytes(uint64_t *sum, const void *bytes, size_t n)
{
    mix(sum, fingerprint_of(bytes, n).hash);
}

/* Which takes there are. */
static uint64_t shape_of(const struct session *s)
{
    uint64_t sum = s->has_take;
    mix(&sum, (uint64_t)s->takes.n);
    for (int i = 0; i < s->takes.n; i++) {
        const struct proposal *t = &s->takes.list[i];
        mix(&sum, (uint64_t)t->letter);
        mix(&sum, t->slot >= 0);
        mix(&sum, t->n_ghosts - t->n_waiting);
    }
    return sum;
}

static void mix_takes(uint64_t *sum, const struct session *s)
{
    mix(sum, s->has_take ? s->project.version : 0); /* told by where notes are */
    mix(sum, (uint64_t)s->takes.shown);
    mix(sum, (uint64_t)s->asked.bars);
    mix(sum, s->answer.played.n_events);
    for (int i = 0; i < s->takes.n; i++) {
        const struct proposal *t = &s->takes.list[i];
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
    uint64_t sum = shape_of(s);
    mix_takes(&sum, s);
    mix_tracks(&sum, s->project.score);
    mix_bytes(&sum, &s->steering, sizeof s->steering);
    mix_bytes(&sum, &s->grid, sizeof s->grid);
    mix_bytes(&sum, &s->groove, sizeof s->groove);
    mix_bytes(&sum, &s->humanise, sizeof s->humanise);
    mix(&sum, (uint64_t)(s->snaps | s->folds << 1 | s->loop.on << 2));
    mix(&sum, s->project.keep.has_begun); /* see is_worth_it */
    mix_taps(&sum, &s->project.score->taps);
    mix(&sum, (uint64_t)s->loop.from);
    mix(&sum, (uint64_t)s->loop.to);
    return sum;
}

/* Of music without a file, which nothing was read beside: as it begins. */
static void take_as_saved(struct session *s)
{
    struct sidecar side;
    if (session_gather_sidecar(s, &side)) {
        side.steering.seed = STEERING_DEFAULT.seed;
        s->beside.saved = sidecar_text(&side);
    }
    sidecar_fini(&side);
}

static void note_change(struct session *s)
{
    struct beside_watch *w = &s->beside_watch;
    uint64_t look = look_at(s), shape = shape_of(s);
    if (!w->is_known && !s->beside.saved)
        take_as_saved(s);
    if (w->is_known && look != w->look) {
        w->has_changed = true;
        w->is_urgent |= shape != w->shape;
        w->changed_ms = now_ms();
    }
    w->is_known = true;
    w->look = look;
    w->shape = shape;
}

/* 0: now. */
static int64_t wait_ms(const struct session *s)
{
    const struct beside_watch *w = &s->beside_watch;
    int64_t due =
        s->was_running ? w->written_ms + COMPOSING_MS : w->changed_ms + QUIET_MS;
    int64_t ms = w->is_urgent ? 0 : due - now_ms();
    return ms > 0 ? ms : 0;
}

int session_beside_patience_ms(const struct session *s)
{
    const struct beside_watch *w = &s->beside_watch;
    return w->has_changed && !w->is_lent ? (int)wait_ms(s) : -1;
}

/* -- writing -- */

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
    if (!k->journal || k->is_taken)
        return false;
    return session_has_music(s) ||
           (k->path && (k->has_begun || any_waits(s) || s->beside.is_over));
}

/* Of a piece that has another name now, what was put beside the old one goes. */
static bool take_path(struct session *s)
{
    struct beside *b = &s->beside;
    char *path = session_beside_path(s);
    if (path && b->path && strcmp(path, b->path) != 0)
        beside_give_back(b);
    free(b->path);
    b->path = path;
    return path != NULL;
}

static void lend(struct session *s)
{
    struct beside *b = &s->beside;
    struct beside_watch *w = &s->beside_watch;
    if (!take_path(s) || !session_gather_sidecar(s, &b->want)) {
        sidecar_fini(&b->want);
        return;
    }
    if (!session_has_music(s))
        keeping_hold(&s->project.keep, any_waits(s));
    w->is_lent = journal_lend(journal_of(s), beside_write, b);
    w->written_ms = now_ms();
}

static void say_what_came_of_it(struct session *s)
{
    struct beside_watch *w = &s->beside_watch;
    bool failed = s->beside.status == SIDECAR_FAILED;
    if (failed && !w->has_failed && !keeping_error(&s->project.keep))
        session_error(s, "a crash would lose takes that wait and what is set: %s",
                      s->beside.why);
    w->has_failed = failed;
}

void session_keep_beside(struct session *s)
{
    struct beside_watch *w = &s->beside_watch;
    if (!journal_of(s))
        return;
    note_change(s);
    if (w->is_lent && !journal_is_free(journal_of(s)))
        return;
    if (w->is_lent)
        say_what_came_of_it(s);
    w->is_lent = false;
    if (!w->has_changed || wait_ms(s) > 0)
        return;
    w->has_changed = w->is_urgent = false;
    if (is_worth_it(s))
        lend(s);
}

void session_settle_beside(struct session *s)
{
    if (s->beside_watch.is_lent)
        journal_wait_until_free(journal_of(s));
    s->beside_watch.is_lent = false;
}

void session_flush_beside(struct session *s)
{
    session_settle_beside(s);
    if (is_worth_it(s))
        lend(s);
    session_settle_beside(s);
}

void session_leave_beside(struct session *s)
{
    struct beside_watch *w = &s->beside_watch;
    session_settle_beside(s);
    beside_give_back(&s->beside);
    keeping_hold(&s->project.keep, false);
    w->has_changed = true; /* where the piece is not left after all */
    w->changed_ms = now_ms();
}
