/* The workstation's state: making it and keeping it true. */
#include "app/editor/session/session.h"

#include "app/document/state.h"
#include "tui/view/lane.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { IDLE_MS = 1000 };

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

/* Runs a hook of every part that has it. */
#define EACH_PART(hook, ...)                                                           \
    for (const struct editor_part *const *p = EDITOR_PARTS; *p; p++)                   \
        if ((*p)->hook)                                                                \
    (*p)->hook(__VA_ARGS__)

/* The cursor on the first note, everything forgotten that spoke of another score. */
static void start_afresh(struct session *s)
{
    const struct score *score = s->project.score;
    player_stop(s->player);
    EACH_PART(reset, s);
    memset(&s->last_edit, 0, sizeof s->last_edit);
    s->time_put_in = history_time_put_in(s->project.history);
    s->arrangement = history_arrangement(s->project.history);
    s->mode = MODE_NORMAL;
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
    if (s->remembers_files && !is_new)
        recent_add(s->project.keep.writer, path);
    if (is_new)
        session_say(s, "a new file: %s will be written when you save",
                    project_base_name(&s->project));
    else
        say_what_was_opened(s);
    EACH_PART(opened, s);
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
    EACH_PART(opened, s);
}

void session_open_unnamed(struct session *s)
{
    if (!project_open_unnamed(&s->project))
        return;
    start_afresh(s);
    EACH_PART(opened, s);
}

static void **state_of(struct session *s, const struct editor_part *p)
{
    return (void **)((char *)&s->parts + p->state);
}

static bool init_parts(struct session *s, const struct session_options *o)
{
    for (const struct editor_part *const *p = EDITOR_PARTS; *p; p++)
        if ((*p)->state_bytes && !(*state_of(s, *p) = calloc(1, (*p)->state_bytes)))
            return false;
    for (const struct editor_part *const *p = EDITOR_PARTS; *p; p++)
        if ((*p)->init && !(*p)->init(s, o))
            return false;
    return true;
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
    s->grid = GRID_STEP_DEFAULT;
    s->last_velocity = 80;
    s->groove = GROOVE_DEFAULT;
    s->humanise = HUMANISE_DEFAULT;
    s->follow = true;
    s->count_in = 1;
    s->click_volume = CLICK_VOLUME_DEFAULT;
    s->asked.options = CONTINUATION_DEFAULT;
    s->steering = STEERING_DEFAULT;
    s->steering.seed = o->seed;
    s->layout = layout_for(80, 24);
    s->survey = survey_create();
    s->player = player_create(&(struct player_config){
        .soundfont = o->soundfont, .driver = o->driver, .gain = o->gain});
    s->generator = generator_create(o->model, o->precision, o->n_threads, o->wake_fd);
    if (!s->survey || !s->player || !s->generator || !init_parts(s, o)) {
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
    for (const struct editor_part *const *p = EDITOR_PARTS; *p; p++)
        if ((*p)->fini && !((*p)->state_bytes && !*state_of(s, *p)))
            (*p)->fini(s);
    for (const struct editor_part *const *p = EDITOR_PARTS; *p; p++)
        if ((*p)->state_bytes)
            free(*state_of(s, *p));
    generator_destroy(s->generator);
    player_destroy(s->player);
    project_fini(&s->project);
    survey_destroy(s->survey);
    memset(s, 0, sizeof *s);
}

void session_tick(struct session *s)
{
    EACH_PART(tick, s);
}

int session_timeout_ms(const struct session *s)
{
    int ms = player_is_playing(s->player) || player_is_loading(s->player) ? BUSY_MS
                                                                          : IDLE_MS;
    for (const struct editor_part *const *p = EDITOR_PARTS; *p; p++) {
        int part = (*p)->timeout_ms ? (*p)->timeout_ms(s) : -1;
        ms = part >= 0 && part < ms ? part : ms;
    }
    return ms;
}

bool session_is_inspecting(const struct session *s)
{
    bool is_covered =
        s->mode == MODE_PROMPT || s->mode == MODE_HELP || s->mode == MODE_PALETTE;
    return (is_covered ? s->mode_before : s->mode) == MODE_INSPECT;
}

void session_lay_out(struct session *s, int columns, int rows)
{
    s->layout = layout_with_map(columns, rows, s->map);
    EACH_PART(lay_out, s, &s->layout);
}

void session_resize(struct session *s, int columns, int rows)
{
    EACH_PART(resizing, s);
    session_lay_out(s, columns, rows);
    if (s->cursor_tick == 0 && s->port.left_tick == 0)
        viewport_fit(&s->port, &s->layout, s->project.score);
    session_show_cursor(s);
    EACH_PART(resized, s);
}
