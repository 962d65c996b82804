/* The workstation's state: making it and keeping it true. */
#include "app/editor/session/session.h"

#include "app/editor/takes/machine.h"
#include "app/editor/perform/rendering.h"
#include "app/document/state.h"
#include "tui/view/lane.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    BUSY_MS = 33,   /* between looks at what plays or is generated */
    PAUSE_MS = 200, /* without an edit, before the machine reads */
    IDLE_MS = 1000,
};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void say(struct session *s, bool is_error, const char *format, va_list args)
{
    vsnprintf(s->message, sizeof s->message, format, args);
    s->message_is_error = is_error;
}

void session_say(struct session *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(s, false, format, args);
    va_end(args);
}

void session_error(struct session *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(s, true, format, args);
    va_end(args);
}

const struct track *session_track(const struct session *s)
{
    const struct score *score = s->project.score;
    return s->track >= 0 && (size_t)s->track < score->n_tracks
               ? &score->tracks[s->track]
               : NULL;
}

/* The cursor on the first note, everything forgotten that spoke of another score. */
static void start_afresh(struct session *s)
{
    const struct score *score = s->project.score;
    player_stop(s->player);
    recorder_start_afresh(s);
    session_clear_selection(s);
    s->selected_before.n = 0;
    session_drop_take(s);
    framing_forget(s);
    mouse_cancel(s);
    s->lane.has_anchor = false;
    memset(&s->last_edit, 0, sizeof s->last_edit);
    s->humanised_state = 0;
    s->asked.bars = 0;
    s->time_put_in = history_time_put_in(s->project.history);
    s->kept.news = FILE_SAME;
    s->loop.from = s->loop.to = 0;
    s->loop.state = history_state(s->project.history);
    s->loop.on = s->find.is_typing = false;
    session_send_loop(s);
    s->arrangement = history_arrangement(s->project.history);
    s->mode = MODE_NORMAL;
    s->read_ahead = 0;
    s->seen = s->project.version;
    s->seen_ms = now_ms() - PAUSE_MS; /* what was opened is read at once */
    s->cursor_tick = 0;
    s->cursor_pitch = 60;
    s->track = score->n_tracks ? 0 : -1;
    const struct track *t = session_track(s);
    if (t && t->n_notes)
        s->cursor_pitch = t->notes[0].pitch;
    viewport_fit(&s->port, &s->layout, score);
    session_show_cursor(s);
}

void session_file_error(struct session *s, const char *path, enum midi_status st,
                        const char *advice)
{
    bool speaks = st == MIDI_NO_FILE || st == MIDI_CANNOT_WRITE;
    int why = speaks ? errno : 0;
    const char *slash = strrchr(path, '/');
    session_error(s, "%s %s%s%s%s", slash && slash[1] ? slash + 1 : path,
                  midi_strerror(st), why ? ": " : "", why ? strerror(why) : "", advice);
}

static void say_what_was_opened(struct session *s)
{
    const struct score *score = s->project.score;
    const struct smf_report *r = &s->project.report;
    size_t n = score_n_notes(score);
    if (r->n_warnings)
        session_error(s, "opened, but %s%s", r->warnings[0],
                      r->n_warnings > 1 ? " (continuo info tells the rest)" : "");
    else
        session_say(s, "%zu note%s on %zu track%s; C continues it, ? helps", n,
                    n == 1 ? "" : "s", score->n_tracks,
                    score->n_tracks == 1 ? "" : "s");
}

bool session_open(struct session *s, const char *path)
{
    errno = 0;
    enum midi_status st = project_open(&s->project, path);
    bool is_new = st == MIDI_NO_FILE && errno == ENOENT;
    if (st && !is_new) {
        session_file_error(s, path, st, "");
        return false;
    }
    start_afresh(s);
    if (!s->project.path) {
        session_say(s, "the music that store held: :w NAME keeps it");
        return true;
    }
    if (s->ways.remembers_files && !is_new)
        recent_add(s->project.keep.writer, path);
    if (is_new)
        session_say(s, "a new file: %s will be written when you save",
                    project_base_name(&s->project));
    else
        say_what_was_opened(s);
    session_load_beside(s);
    session_say_found(s);
    return true;
}

void session_open_copy(struct session *s, const char *from, const char *path)
{
    if (access(path, F_OK) == 0) {
        session_open(s, path);
        return;
    }
    errno = 0;
    enum midi_status st = project_open_copy(&s->project, from, path);
    if (st) {
        session_file_error(s, from, st, "");
        return;
    }
    start_afresh(s);
    say_what_was_opened(s);
    session_load_beside(s);
    session_say_found(s);
}

void session_open_unnamed(struct session *s)
{
    if (!project_open_unnamed(&s->project))
        return;
    start_afresh(s);
    session_load_beside(s);
    session_say_found(s);
}

enum midi_status session_init(struct session *s, const struct session_options *o)
{
    memset(s, 0, sizeof *s);
    enum midi_status st = project_init(&s->project);
    if (!st && o->journals && !project_keep(&s->project, o->wake_fd))
        st = MIDI_NO_MEMORY;
    if (st) {
        project_fini(&s->project);
        return st;
    }
    ways_init(&s->ways);
    inspect_init(&s->inspect, o->wake_fd);
    s->grid = GRID_STEP_DEFAULT;
    s->last_velocity = 80;
    s->groove = GROOVE_DEFAULT;
    s->humanise = HUMANISE_DEFAULT;
    s->follow = true;
    s->count_in = 1;
    s->answer.wish = ANSWER_WISH_DEFAULT;
    s->click_volume = CLICK_VOLUME_DEFAULT;
    s->asked.options = CONTINUATION_DEFAULT;
    s->steering = STEERING_DEFAULT;
    s->steering.seed = o->seed;
    s->layout = layout_for(80, 24);
    s->survey = survey_create();
    s->lane.points = lane_points_create();
    s->player = player_create(&(struct player_config){
        .soundfont = o->soundfont, .driver = o->driver, .gain = o->gain});
    s->generator = generator_create(o->model, o->precision, o->n_threads, o->wake_fd);
    if (!s->survey || !s->lane.points || !s->player || !s->generator ||
        !recorder_init(s, o)) {
        session_fini(s);
        return MIDI_NO_MEMORY;
    }
    player_set_wake(s->player, o->wake_fd);
    start_afresh(s);
    session_say(s,
                "an empty score: Enter puts a note, C lets the machine begin, ? helps");
    return MIDI_OK;
}

void session_fini(struct session *s)
{
    recorder_fini(s);
    answer_fini(s);
    rendering_destroy(s->rendering);
    inspect_fini(&s->inspect);
    generator_destroy(s->generator);
    player_destroy(s->player);
    project_fini(&s->project);
    survey_destroy(s->survey);
    lane_points_destroy(s->lane.points);
    mouse_fini(&s->mouse);
    free(s->selected);
    free(s->selected_before.ids);
    registers_fini(&s->registers);
    proposals_clear(&s->takes);
    rewritten_forget(&s->rewritten);
    displaced_fini(&s->displaced);
    signs_fini(&s->signs.all);
    ways_fini(&s->ways);
    history_rows_fini(&s->history);
    memset(s, 0, sizeof *s);
}

/* -- what other threads have for us -- */

/* The inspector's note stays in sight. */
static void follow_playhead(struct session *s)
{
    if (!s->follow || !player_is_playing(s->player) || s->drag || inspect_is_over(s))
        return;
    viewport_follow(&s->port, &s->layout, player_tick(s->player));
}

static bool is_busy(const struct session *s)
{
    return player_is_playing(s->player) || s->was_running || s->rendering ||
           player_is_loading(s->player) || outward_is_busy(s);
}

static bool may_read_ahead(const struct session *s)
{
    return !s->has_take && s->read_ahead != s->project.version;
}

/* Where the music has been let alone for a moment the machine reads it, so that it need
 * not when it is asked. */
static void read_ahead(struct session *s)
{
    if (s->seen != s->project.version) {
        s->seen = s->project.version;
        s->seen_ms = now_ms();
    }
    if (!may_read_ahead(s) || now_ms() - s->seen_ms < PAUSE_MS)
        return;
    s->read_ahead = s->seen;
    machine_read_ahead(s);
}

void session_tick(struct session *s)
{
    recorder_tick(s);
    answer_tick(s);
    session_collect(s);
    session_watch_take(s);
    render_watch(s);
    sound_watch(s);
    outward_watch(s);
    tutor_watch(s);
    if (player_is_playing(s->player))
        session_publish(s);
    player_collect(s->player);
    soundfont_watch(s);
    follow_playhead(s);
    framing_follow(s);
    mouse_tick(s);
    read_ahead(s);
    record_keep(s);
    session_keep_beside(s);
    if (s->registers.changed && s->ways.remembers_files && s->project.keep.writer)
        registers_remember(s->project.keep.writer, &s->registers);
    session_mind_what_is_kept(s);
    inspect_tick(s);
}

int session_patience_ms(const struct session *s)
{
    int ms = is_busy(s) ? BUSY_MS : may_read_ahead(s) ? PAUSE_MS : IDLE_MS;
    int drag = mouse_patience_ms(s), played = recorder_patience_ms(s);
    int answer = answer_patience_ms(s);
    ms = answer >= 0 && answer < ms ? answer : ms;
    int beside = session_beside_patience_ms(s);
    ms = played >= 0 && played < ms ? played : ms;
    ms = beside >= 0 && beside < ms ? beside : ms;
    return drag >= 0 && drag < ms ? drag : ms;
}

void session_lay_out(struct session *s, int columns, int rows)
{
    s->layout = layout_with_map(columns, rows, s->map);
    layout_grow_lane(&s->layout, s->lane.is_tall);
    if (s->inspect.is_open)
        layout_inspect(&s->layout);
    else if (session_lists_takes(s))
        layout_list_takes(&s->layout);
}

void session_resize(struct session *s, int columns, int rows)
{
    mouse_cancel(s); /* what it holds was taken at columns that are elsewhere now */
    session_lay_out(s, columns, rows);
    inspect_change(s);
    if (s->cursor_tick == 0 && s->port.left_tick == 0)
        viewport_fit(&s->port, &s->layout, s->project.score);
    session_show_cursor(s);
    framing_follow(s);
    tracks_show_chosen(s);
}
