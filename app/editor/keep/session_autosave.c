/* Writes the session of a piece (app/document/store_session.h) soon after it changes, but so
 * seldom that this takes little time of the ui thread. The ui thread only copies the session;
 * the writer thread makes rows of it. Also restores the session when the piece is opened. */
#include "app/editor/keep/keep.h"
#include "app/editor/perform/recorder.h"
#include "midi/base/hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The state of writing the session. Sessions are compared by their hashes (look_at). */
struct autosave_timer {
    bool is_known;  /* `look` is set */
    uint64_t look;  /* hash of the present session */
    uint64_t saved; /* hash of the saved session; 0: not known */
    bool is_there;  /* a session was saved; if not, the random seed does not count */
    bool has_changed;
    bool is_over;       /* an unsaved session is in the store */
    int64_t written_ms; /* time of the last write, monotonic */
    int64_t pause_ms;   /* the pause after it */
};

/* The pause is PAUSE_MS and SHARE times the time of a write. */
enum { PAUSE_MS = 50, SHARE = 20 };

/* Whether the piece has a file. */
static bool has_music(const struct session *s)
{
    return s->project.path && access(s->project.path, F_OK) == 0;
}

/* -- changes; every frame looks for them -- */

/* Hashes the session. Structs are hashed as bytes; a change of padding only costs a write. */
static uint64_t look_at(const struct session *s)
{
    const struct score *score = s->project.score;
    const struct taps *taps = &score->taps;
    struct steering steering = s->steering;
    if (!s->parts.autosave->is_there && !s->has_take)
        steering.seed = STEERING_DEFAULT.seed;
    uint64_t sum = HASH_START;
    const uint64_t of_all[] = {
        s->project.version, /* takes are stored by the places of notes */
        (uint64_t)s->takes.shown, (uint64_t)s->request.asked.bars};
    if (s->has_take)
        sum = hash_bytes(sum, of_all, sizeof of_all);
    for (int i = 0; s->has_take && i < s->takes.n; i++) {
        const struct proposal *t = &s->takes.list[i];
        const uint64_t of_one[] = {
            (uint64_t)t->letter, t->slot >= 0,        t->n_ghosts - t->n_waiting,
            t->n_ghosts,         (uint64_t)t->liking, (uint64_t)proposals_n_kept(t),
            t->n_gestures};
        sum = hash_bytes(sum, of_one, sizeof of_one);
    }
    for (size_t i = 0; i < score->n_tracks; i++) {
        const struct track *t = &score->tracks[i];
        const int of[] = {t->mute, t->solo, t->arm, t->hide, t->colour};
        sum = hash_bytes(sum, of, sizeof of);
    }
    const int64_t roll[] = {s->roll.snaps, s->roll.folds, s->loop.on, s->loop.from,
                            s->loop.to};
    sum = hash_bytes(sum, roll, sizeof roll);
    sum = hash_bytes(sum, &steering, sizeof steering);
    sum = hash_bytes(sum, &s->grid, sizeof s->grid);
    sum = hash_bytes(sum, &s->groove, sizeof s->groove);
    sum = hash_bytes(sum, &s->humanise, sizeof s->humanise);
    sum = hash_bytes(sum, taps->list, taps->n * sizeof *taps->list);
    return sum ? sum : 1;
}

/* Writes takes that do not fit apart from the session, until their music is back. Takes them, so
 * that *takes is empty. */
static void leave_out(struct session *s, struct kept_takes *takes)
{
    struct kept_session *b = takes->n ? malloc(sizeof *b) : NULL;
    if (b) {
        kept_session_init(b);
        b->takes = *takes;
        *takes = (struct kept_takes){0};
    }
    autosave_put_session(&s->project, b, KEPT_LEFT_OUT);
}

/* Writes the present session. false: out of memory. */
static bool put(struct session *s, enum kept_as as)
{
    const struct history *h = s->project.history;
    uint64_t from = s->loop.state, to = s->project.saved_state;
    struct kept_session *b = malloc(sizeof *b);
    if (!b)
        return false;
    kept_session_init(b);
    b->steering = s->steering;
    /* The loop in ticks of the saved music, with which it will be read. */
    b->loop =
        (struct kept_loop){history_follow(h, from, to, s->loop.from, false),
                           history_follow(h, from, to, s->loop.to, true), s->loop.on};
    b->roll = (struct kept_roll){s->grid, s->roll.snaps, s->roll.folds};
    b->groove = s->groove;
    b->humanise = s->humanise;
    if (!takes_pack(&b->takes, s) ||
        !kept_tracks_gather(&b->tracks, s->project.score) ||
        !taps_copy(&b->taps, &s->project.score->taps)) {
        kept_session_destroy(b);
        return false;
    }
    autosave_put_session(&s->project, b, as);
    s->parts.autosave->is_there |= as == KEPT_SAVED;
    return true;
}

/* Applies the settings of a piece without a saved session; the random seed continues. */
static void settings_apply_to_piece(const struct settings *settings, struct session *s)
{
    uint64_t seed = s->steering.seed;
    s->steering = settings->steering;
    s->steering.seed = seed;
    s->grid = settings->grid;
    s->groove = settings->groove;
}

static void session_autosave_load(struct session *s)
{
    struct autosave_timer *w = s->parts.autosave;
    struct kept_session nothing, *kept = s->project.found.session, *b = kept;
    kept_session_init(&nothing);
    if (!b)
        b = &nothing;
    bool is_there = kept && (kept->is_saved || kept->is_unsaved);
    const uint64_t seed = s->steering.seed; /* stays if the store has none */
    s->steering = b->steering;
    s->grid = b->roll.grid.division ? b->roll.grid : GRID_STEP_DEFAULT;
    s->roll.snaps = b->roll.snaps;
    s->roll.folds = b->roll.folds;
    s->groove = b->groove;
    s->humanise.ms = b->humanise.ms;
    s->humanise.velocity = b->humanise.velocity;
    if (!is_there) {
        s->steering.seed = seed;
        settings_apply_to_piece(&s->preferences.settings, s);
    }
    kept_tracks_give(&b->tracks, s->project.score);
    /* Adds taps to those that the history has restored. */
    for (size_t i = 0; i < b->taps.n; i++)
        if (!taps_put(&s->project.score->taps, b->taps.list[i]))
            session_error(s, "opened, but not all marked bar lines were restored");
    s->loop.from = b->loop.from;
    s->loop.to = b->loop.to;
    s->loop.on = b->loop.on;
    session_send_loop(s);
    s->loop.state = s->project.saved_state; /* when it was kept */
    if (s->loop.state < history_n_states(s->project.history))
        session_follow_loop(s);
    else
        s->loop.state = history_state(s->project.history);
    /* Takes of a deleted file are neither saved nor restored. */
    const bool has_takes = has_music(s) || s->project.found.kind == RECOVERY_BACK;
    const size_t n_before = b->left_out.n;
    bool ok = !has_takes || takes_unpack(s, &b->takes);
    const int n_left_out = has_takes ? (int)b->takes.n : 0;
    if (ok && n_left_out)
        leave_out(s, &b->takes);
    else if (ok && has_takes && !s->has_take && n_before) {
        ok = takes_unpack(s, &b->left_out);
        if (ok && b->left_out.n < n_before && put(s, KEPT_NOW))
            leave_out(s, &b->left_out); /* they are in the session now */
    }
    if (!ok)
        session_error(s, "opened, but there is no memory for the waiting takes");
    else if (n_left_out)
        session_error(
            s, "opened, but the music has changed: %d of %d takes no longer fit%s",
            n_left_out, n_left_out + s->takes.n, n_left_out == 1 ? "s" : "");
    else if (s->has_take && !s->view.message.is_error) {
        size_t n = score_n_notes(s->project.score);
        bool is_one = s->takes.n == 1;
        session_say(s, "%zu note%s, and %d take%s: T shows %s", n, plural((long long)n),
                    s->takes.n, is_one ? " waits" : "s wait", is_one ? "it" : "them");
    }
    *s->parts.autosave = (struct autosave_timer){.is_there = is_there};
    w->has_changed = ok && (n_left_out || b->left_out.n != n_before);
    if (*s->project.found.aside)
        w->has_changed |= is_there; /* the session goes into a new store */
    w->look = look_at(s);
    w->is_known = true;
    w->is_over = kept && kept->is_unsaved;
    if (!w->is_over && !w->has_changed)
        w->saved = w->look;
    if (kept && kept->recording.is_there)
        record_bring_back(s, &kept->recording);
    kept_session_destroy(kept);
    s->project.found.session = NULL;
}

/* -- writing while the user works -- */

static bool any_waits(const struct session *s)
{
    return s->has_take && proposals_best(&s->takes) >= 0;
}

bool session_has_homeless_takes(const struct session *s)
{
    return any_waits(s) && !has_music(s);
}

/* Whether the session is to be written. Settings alone are not, while there is no music. */
static bool is_worth_it(const struct session *s)
{
    const struct autosave *k = &s->project.autosave;
    if (!k->writer || autosave_is_taken(&s->project))
        return false;
    return has_music(s) || k->has_begun || any_waits(s) || s->parts.autosave->is_over;
}

static void write_now(struct session *s)
{
    struct autosave_timer *w = s->parts.autosave;
    const double began = clock_now_ms();
    if (!has_music(s))
        autosave_hold(&s->project, any_waits(s));
    if (w->look != w->saved) {
        w->is_over = true;
        if (!put(s, KEPT_NOW))
            session_error(
                s, "a crash would lose waiting takes and settings: out of memory");
    } else if (w->is_over) {
        autosave_put_session(&s->project, NULL, KEPT_NOW);
        w->is_over = false;
    }
    const double ended = clock_now_ms();
    w->has_changed = false;
    w->written_ms = (int64_t)ended;
    w->pause_ms = PAUSE_MS + (int64_t)((ended - began) * SHARE);
}

static void note_change(struct session *s)
{
    struct autosave_timer *w = s->parts.autosave;
    uint64_t look = look_at(s);
    if (!w->is_known)
        w->saved = w->look = look; /* the first session of music without a file */
    w->has_changed |= look != w->look;
    w->is_known = true;
    w->look = look;
}

static int64_t wait_ms(const struct session *s)
{
    const struct autosave_timer *w = s->parts.autosave;
    int64_t ms = w->written_ms + w->pause_ms - clock_whole_ms();
    return ms > 0 ? ms : 0;
}

int session_autosave_timeout_ms(const struct session *s)
{
    return s->parts.autosave->has_changed && is_worth_it(s) ? (int)wait_ms(s) : -1;
}

static void session_autosave_look(struct session *s)
{
    if (!s->project.autosave.writer)
        return;
    note_change(s);
    if (s->parts.autosave->has_changed && wait_ms(s) == 0 && is_worth_it(s))
        write_now(s);
}

void session_autosave_flush(struct session *s)
{
    if (!s->project.autosave.writer)
        return;
    note_change(s);
    if (s->parts.autosave->has_changed && is_worth_it(s))
        write_now(s);
    project_settle(&s->project);
}

void session_autosave_forget(struct session *s)
{
    struct autosave_timer *w = s->parts.autosave;
    if (w->is_over)
        autosave_put_session(&s->project, NULL, KEPT_NOW);
    autosave_hold(&s->project, false);
    w->is_over = false;
    w->has_changed =
        w->is_known && w->look != w->saved; /* if the user stays in the piece */
}

/* Takes the present session as the saved one. */
static void remember(struct session *s)
{
    struct autosave_timer *w = s->parts.autosave;
    w->look = w->saved = look_at(s);
    w->is_known = true;
    w->has_changed = w->is_over = false;
    autosave_hold(&s->project, false);
}

/* Writes the present session as the saved one, which is no longer known. */
void session_autosave_anew(struct session *s)
{
    if ((s->parts.autosave->is_there || s->parts.autosave->is_over) &&
        put(s, KEPT_SAVED))
        remember(s);
}

/* Writes the session as saved, unless nothing was ever set. */
static bool save_session(struct session *s)
{
    struct autosave_timer *w = s->parts.autosave;
    bool was_known = w->is_known;
    note_change(s);
    bool is_new = !was_known || w->look != w->saved || w->is_there || w->is_over;
    if (is_new && !put(s, KEPT_SAVED))
        return false;
    remember(s);
    return true;
}

bool session_autosave_saved(struct session *s)
{
    if (save_session(s))
        return true;
    session_error(s, "saved, but the store of %s is incomplete: out of memory",
                  project_base_name(&s->project));
    return false;
}

bool session_keep_settings(struct session *s, const char *advice)
{
    struct autosave_timer *w = s->parts.autosave;
    if (!has_music(s) || !s->project.autosave.writer)
        return true;
    note_change(s);
    if (w->look == w->saved) {
        session_autosave_forget(s);
        return true;
    }
    bool is_put = save_session(s);
    project_settle(&s->project);
    int error = is_put ? autosave_error(&s->project) : ENOMEM;
    if (!error || autosave_is_taken(&s->project))
        return true;
    w->saved = 0;
    session_error(s, "the store of %s could not be kept completely: %s%s",
                  project_base_name(&s->project), strerror(error), advice);
    return false;
}

const struct editor_part AUTOSAVE_PART = {
    PART_STATE(autosave), .opened = session_autosave_load,
    .tick = session_autosave_look, .timeout_ms = session_autosave_timeout_ms};

/* -- settings of the configuration -- */

void settings_apply(const struct settings *settings, struct session *s)
{
    settings_apply_to_piece(settings, s);
    s->steering.seed = settings->steering.seed;
    s->roll.follow = settings->follow;
    s->new_note.velocity = settings->velocity;
    s->view.piece_map = settings->minimap;
    s->sound = settings->sound;
    session_send_clicks(s);
    /* Until a theme is chosen, the one of the terminal stays. */
    if (*s->preferences.theme || strcmp(settings->theme, "auto") != 0)
        snprintf(s->preferences.theme, sizeof s->preferences.theme, "%s",
                 settings->theme);
    session_resize(s, s->layout.columns, s->layout.rows);
}

void settings_take(struct settings *settings, const struct session *s)
{
    settings->steering = s->steering;
    settings->grid = s->grid;
    settings->groove = s->groove;
    settings->follow = s->roll.follow;
    settings->velocity = s->new_note.velocity;
    settings->minimap = s->view.piece_map;
    settings->sound = s->sound;
    if (*s->preferences.theme)
        snprintf(settings->theme, sizeof settings->theme, "%s", s->preferences.theme);
}
