/* Creates the session, opens files, follows edits and fills frames. */
#include "app/editor/session/list.h"

#include "app/document/state.h"
#include "app/base/paths.h"
#include "app/base/values.h"
#include "midi/base/file.h"
#include "midi/score/general_midi.h"
#include "midi/score/score.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { IDLE_MS = 1000 };

void session_show_message(struct session *s, bool is_error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(s->view.message.text, sizeof s->view.message.text, format, args);
    va_end(args);
    s->view.message.is_error = is_error;
}

void session_say_more(struct session *s, const char *format, ...)
{
    char *text = s->view.message.text;
    const size_t n = strlen(text);
    s->view.message.is_error &= n > 0;
    va_list args;
    va_start(args, format);
    vsnprintf(text + n, sizeof s->view.message.text - n, format, args);
    va_end(args);
}

bool session_no_memory(struct session *s)
{
    session_error(s, "out of memory: nothing was done");
    return false;
}

const struct track *session_track(const struct session *s)
{
    const struct score *score = s->project.score;
    return s->view.track >= 0 && (size_t)s->view.track < score->n_tracks
               ? &score->tracks[s->view.track]
               : NULL;
}

bool need_track(struct session *s)
{
    if (s->view.track < 0)
        session_say(s, "this score has no tracks; A adds one");
    return s->view.track >= 0;
}

static void look_at_structure(struct session *s)
{
    const struct history_state *now = history_now(s->project.history);
    s->seen = (struct seen_structure){
        .inserted_ticks = now->inserted_ticks,
        .arrangement = now->arrangement,
        .time_moved = now->inserted_ticks != s->seen.inserted_ticks,
        .tracks_moved = now->arrangement != s->seen.arrangement,
    };
}

static void **state_of(struct session *s, const struct editor_part *p)
{
    return (void **)((char *)&s->parts + p->state);
}

/* Resets all that belongs to another score, and moves the cursor to the first note. */
static void start_afresh(struct session *s)
{
    const struct score *score = s->project.score;
    player_stop(s->player);
    EACH_PART (p)
        if ((*p)->is_of_piece)
            memset(*state_of(s, *p), 0, (*p)->state_bytes);
    CALL_PARTS(reset, s);
    memset(&s->repeated.command, 0, sizeof s->repeated.command);
    look_at_structure(s);
    s->open = 0;
    s->view.mode = MODE_NORMAL;
    s->view.cursor.tick = 0;
    s->view.cursor.pitch = 60;
    s->view.track = score->n_tracks ? 0 : -1;
    const struct track *t = session_track(s);
    if (t && track_is_drums(t))
        s->view.cursor.pitch = GM_KICK;
    else if (t && t->n_notes)
        s->view.cursor.pitch = t->notes[0].pitch;
    viewport_fit(&s->view.port, &s->layout, score);
    session_show_cursor(s);
}

void session_file_error(struct session *s, const char *path, enum midi_status st,
                        const char *advice)
{
    bool speaks = st == MIDI_NO_FILE || st == MIDI_CANNOT_WRITE;
    int why = speaks ? errno : 0;
    session_error(s, "%s %s%s%s%s", file_base_name(path), midi_strerror(st),
                  why ? ": " : "", why ? strerror(why) : "", advice);
}

bool session_open(struct session *s, const char *path)
{
    return session_open_copy(s, path, path);
}

bool session_open_copy(struct session *s, const char *from, const char *path)
{
    if (access(path, F_OK) == 0)
        from = path;
    /* A new file needs a folder, to be saved in. A chain of links has one at its end. */
    struct stat folder;
    char *file = file_resolve(path), *slash = file ? strrchr(file, '/') : NULL;
    if (slash > file)
        *slash = '\0';
    const bool has_folder = !slash || slash == file ||
                            (stat(file, &folder) == 0 && S_ISDIR(folder.st_mode));
    free(file);
    if (!has_folder) {
        session_error(s, "%.60s cannot be opened: its folder does not exist", path);
        return false;
    }
    errno = 0;
    enum midi_status st = project_open(&s->project, from, path);
    const bool is_own = !strcmp(from, path),
               is_new = st == MIDI_NO_FILE && errno == ENOENT && is_own;
    if (st && !is_new) {
        session_file_error(s, from, st, "");
        return false;
    }
    start_afresh(s);
    if (!s->project.path) {
        session_say(s, "the music of that store: :w NAME keeps it");
        return true;
    }
    if (s->preferences.remembers_files && is_own && !is_new)
        recent_add(s->project.autosave.writer, path);
    const struct smf_report *r = &s->project.report;
    const size_t n = score_n_notes(s->project.score),
                 n_tracks = s->project.score->n_tracks;
    if (is_new)
        session_say(s, "a new file: saving writes %s", project_base_name(&s->project));
    else if (r->n_warnings)
        session_error(s, "opened, but %s%s", r->warnings[0],
                      r->n_warnings > 1 ? " (continuo info lists the rest)" : "");
    else
        session_say(s, "%zu note%s on %zu track%s%s; C continues it, ? helps", n,
                    plural((long long)n), n_tracks, plural((long long)n_tracks),
                    score_is_off_grid(s->project.score)
                        ? ", off the grid: gL lays them on it"
                        : "");
    CALL_PARTS(opened, s);
    return true;
}

void session_open_unnamed(struct session *s)
{
    if (!project_open_unnamed(&s->project))
        return;
    start_afresh(s);
    CALL_PARTS(opened, s);
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
    settings_init(&s->preferences.settings);
    s->grid = GRID_STEP_DEFAULT;
    s->new_note.velocity = 80;
    s->groove = GROOVE_DEFAULT;
    s->humanise = HUMANISE_DEFAULT;
    s->roll.follow = true;
    s->sound.count_in = 1;
    s->sound.click_volume = CLICK_VOLUME_DEFAULT;
    s->request.asked.options = CONTINUATION_DEFAULT;
    s->steering = STEERING_DEFAULT;
    s->steering.seed = o->seed;
    s->layout = layout_of(&(const struct view){0}, 80, 24);
    s->survey = survey_create();
    s->player = player_create(&(struct player_config){
        .soundfont = o->soundfont, .driver = o->driver, .gain = o->gain});
    s->generator = generator_create(o->model, o->precision, o->n_threads, o->wake_fd);
    bool ok = s->survey && s->player && s->generator;
    EACH_PART (p)
        if ((*p)->state_bytes)
            ok &= (*state_of(s, *p) = calloc(1, (*p)->state_bytes)) != NULL;
    EACH_PART (p)
        ok = ok && (!(*p)->init || (*p)->init(s, o));
    if (!ok) {
        session_fini(s);
        return MIDI_NO_MEMORY;
    }
    s->wake_fd = o->wake_fd;
    player_set_wake(s->player, o->wake_fd);
    start_afresh(s);
    session_say(s,
                "an empty score: Enter puts a note, C lets the machine begin, ? helps");
    return MIDI_OK;
}

void session_fini(struct session *s)
{
    EACH_PART (p)
        if ((*p)->fini && !((*p)->state_bytes && !*state_of(s, *p)))
            (*p)->fini(s);
    EACH_PART (p)
        if ((*p)->state_bytes)
            free(*state_of(s, *p));
    free(s->selection.ids);
    free(s->selection.before.ids);
    registers_fini(&s->registers);
    free(s->preferences.keymap);
    generator_destroy(s->generator);
    player_destroy(s->player);
    project_fini(&s->project);
    survey_destroy(s->survey);
    memset(s, 0, sizeof *s);
}

void session_tick(struct session *s)
{
    EACH_PART (p) {
        if ((*p)->tick)
            (*p)->tick(s);
        if (job_runs((*p)->job, s))
            (*p)->job->poll(s);
    }
}

int session_timeout_ms(const struct session *s)
{
    int ms = player_is_playing(s->player) || player_is_loading(s->player) ? BUSY_MS
                                                                          : IDLE_MS;
    EACH_PART (p) {
        int part = (*p)->timeout_ms ? (*p)->timeout_ms(s) : -1;
        ms = part >= 0 && part < ms ? part : ms;
        if (job_runs((*p)->job, s) && (*p)->job->look_ms < ms)
            ms = (*p)->job->look_ms;
    }
    return ms;
}

void session_open_mode(struct session *s, enum mode mode)
{
    if (s->view.mode != mode)
        s->below[mode] = s->view.mode;
    s->view.mode = mode;
}

void session_close_mode(struct session *s)
{
    enum mode to = s->below[s->view.mode];
    bool is_gone = (to == MODE_TAKES && !s->has_take) ||
                   (to == MODE_SELECT && !s->selection.has_box);
    s->view.mode = is_gone ? MODE_NORMAL : to;
}

/* Whether the mode is open over another mode, to which it returns. */
static bool covers(const struct session *s)
{
    return s->view.mode == MODE_PROMPT || s->view.mode == MODE_HELP ||
           s->view.mode == MODE_PALETTE;
}

enum mode session_mode_behind(const struct session *s)
{
    return covers(s) ? s->below[s->view.mode] : s->view.mode;
}

void session_set_mode(struct session *s, enum mode mode)
{
    *(covers(s) ? &s->below[s->view.mode] : &s->view.mode) = mode;
}

bool session_is_inspecting(const struct session *s)
{
    return session_mode_behind(s) == MODE_INSPECT;
}

void session_lay_out(struct session *s, int columns, int rows)
{
    struct view view = s->view;
    view.lists[LIST_TAKES].is_open = list_is_open(s, LIST_TAKES);
    s->layout = layout_of(&view, columns, rows);
}

void session_resize(struct session *s, int columns, int rows)
{
    s->drag = DRAG_NONE;
    session_lay_out(s, columns, rows);
    if (s->view.cursor.tick == 0 && s->view.port.left_tick == 0)
        viewport_fit(&s->view.port, &s->layout, s->project.score);
    session_show_cursor(s);
    CALL_PARTS(resized, s);
}

void session_revalidate(struct session *s)
{
    int n_tracks = (int)s->project.score->n_tracks;
    look_at_structure(s);
    if (s->view.track >= n_tracks)
        s->view.track = n_tracks - 1;
    if (s->view.track < 0 && n_tracks > 0) /* a score with tracks has an active one */
        s->view.track = 0;
    CALL_PARTS(edited, s);
}

void session_view(struct session *s, struct view *v, int count)
{
    session_fold(s);
    list_update_all(s);
    *v = s->view;
    v->score = s->project.score;
    v->survey = s->survey;
    v->version = s->project.version;
    v->help.mode = s->below[MODE_HELP];
    v->keys.count = count;
    v->keys.map = s->preferences.keymap;
    v->selection.has_box =
        s->selection.has_box &&
        (s->view.mode == MODE_SELECT ||
         (s->view.mode == MODE_STEER && s->below[MODE_STEER] == MODE_SELECT));
    v->selection.box = s->selection.box;
    v->selection.ids = s->selection.ids;
    v->selection.n = s->selection.n;
    v->selection.n_tracks = s->selection.n_tracks;
    v->transport.has_loop = session_has_loop(s);
    v->transport.loop_on = s->loop.on;
    v->transport.loop_from = s->loop.from;
    v->transport.loop_to = s->loop.to;
    v->transport.is_playing = player_is_playing(s->player);
    v->transport.tick = player_tick(s->player);
    v->transport.has_sound = player_has_sound(s->player);
    v->transport.clicks = s->sound.clicks == CLICKS_ALWAYS;
    v->file.name = project_base_name(&s->project);
    v->file.is_modified = project_modified(&s->project);
    v->file.is_unkept = s->project.autosave.writer && autosave_error(&s->project);
    EACH_PART (p) {
        if ((*p)->view)
            (*p)->view(s, v);
        if (job_runs((*p)->job, s))
            text_append(v->work, sizeof v->work, "%s %d%%   ", (*p)->job->text,
                        (int)(100 * (*p)->job->share(s)));
    }
}
