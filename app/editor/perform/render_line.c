/* `:render NAME.flac`: renders the audible music to a file while the user works, on its
 * own thread, one at a time. The ui thread waits for it only at its end, briefly. */
#include "app/editor/takes/takes.h"
#include "app/base/paths.h"
#include "app/editor/perform/render_file.h"
#include "app/editor/session/session.h"
#include "midi/base/clock.h"
#include "midi/base/thread.h"

#include <errno.h>
#include <glib.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct rendering {
    pthread_t thread;
    struct score *score; /* constant while the thread runs, as the next three */
    char *path, *soundfont;
    struct render_options options;
    struct render_level level; /* the thread writes it before is_over */

    atomic_bool stop; /* the ui writes, the thread reads; the thread writes all below */
    _Atomic double share;
    enum midi_status status; /* written before is_over, with `why` (errno) */
    int why;
    double took;
    atomic_bool is_over;
};

static bool go_on(void *context, double share)
{
    struct rendering *r = context;
    atomic_store(&r->share, share);
    return !atomic_load(&r->stop);
}

static void *run(void *context)
{
    struct rendering *r = context;
    double from = clock_now_seconds();
    errno = 0;
    r->status = render_to_file(r->score, r->path, &r->options);
    r->why = errno;
    r->took = clock_now_seconds() - from;
    atomic_store(&r->is_over, true);
    return NULL;
}

static void destroy(struct rendering *r)
{
    if (!r)
        return;
    score_destroy(r->score);
    free(r->path);
    free(r->soundfont);
    free(r);
}

/* Stops the rendering, and waits for its end. */
static void finish(struct session *s)
{
    struct rendering *r = s->parts.rendering;
    s->parts.rendering = NULL;
    if (!r)
        return;
    atomic_store(&r->stop, true);
    pthread_join(r->thread, NULL);
    destroy(r);
}

bool render_choose(struct render_options *o, const char *path, const char *format,
                   char why[RENDER_WHY_BYTES])
{
    bool is_known = format ? audio_format_find(format, &o->format)
                           : audio_format_of_file(path, &o->format);
    o->sample_rate = o->sample_rate ? o->sample_rate : 44100;
    o->bits = o->bits ? o->bits : 16;
    struct audio_spec spec = {o->format, o->bits, o->sample_rate};
    const bool is_possible = is_known && audio_spec_is_possible(&spec);
    if (!is_known)
        snprintf(why, RENDER_WHY_BYTES, "sound is written as wav, flac or ogg");
    else if (!is_possible && o->format == AUDIO_FLAC)
        snprintf(why, RENDER_WHY_BYTES, "a FLAC file must have 16 or 24 bits");
    else if (!is_possible)
        snprintf(why, RENDER_WHY_BYTES,
                 "samples must have 16 or 24 bits, or 32 in a WAV file, and %d to %d "
                 "per second",
                 AUDIO_LEAST_RATE, AUDIO_MOST_RATE);
    return is_possible;
}

/* Sets what the word says, "96000", "24" or "-3dB", which may follow the name. false: it is none of
 * them. */
static bool take_number(const char *word, struct render_options *o)
{
    char *end;
    double db = strtod(word, &end);
    if (end != word && !strcasecmp(end, "dB") && db >= RENDER_LEAST_DB &&
        db <= RENDER_MOST_DB) {
        o->has_gain = true;
        o->gain_db = db;
        return true;
    }
    long n = strtol(word, &end, 10);
    bool is_whole = end != word && !*end && n > 0 && n <= AUDIO_MOST_RATE;
    if (is_whole)
        *(n <= 32 ? &o->bits : &o->sample_rate) = (int)n;
    return is_whole;
}

void act_render_line(struct session *s, const char *line, int forced)
{
    char path[sizeof s->view.prompt.text], font[4096], why[RENDER_WHY_BYTES];
    struct render_options o = {0};
    if (!file_expand(path, sizeof path, line)) {
        session_error(s, "that name is too long");
        return;
    }
    /* Options may follow the name, which may have spaces. */
    for (char *space = path; space;) {
        space = strrchr(g_strchomp(path), ' ');
        space = space && take_number(space + 1, &o) ? space : NULL;
        if (space)
            *space = '\0';
    }
    if (!*path)
        session_error(s, "render to what? :render NAME.flac, or .wav, .ogg; "
                         ":render NAME.wav 24 96000 -3dB");
    else if (s->parts.rendering)
        session_error(s, "another file is being rendered; Ctrl-C stops it");
    else if (!render_choose(&o, path, NULL, why))
        session_error(s, "%s", why);
    else if (!forced && access(path, F_OK) == 0)
        session_error(s, "%s already exists: :render! overwrites it", path);
    else if (!soundfont_find(font, sizeof font, player_soundfont(s->player)))
        session_error(s, "no soundfont was found; :soundfont chooses one");
    else {
        struct rendering *r = calloc(1, sizeof *r);
        if (r) {
            r->score = session_heard(s);
            r->path = strdup(path);
            r->soundfont = strdup(font);
            r->options = o;
            r->options.soundfont = r->soundfont;
            r->options.go_on = go_on;
            r->options.context = r;
            r->options.level = &r->level;
        }
        if (r && r->score && r->path && r->soundfont &&
            thread_start(&r->thread, run, r)) {
            s->parts.rendering = r;
            session_say(s, "rendering %s; Ctrl-C stops it", file_base_name(path));
            return;
        }
        destroy(r);
        session_error(s, "out of memory: nothing is rendered");
    }
}

static double share(const struct session *s)
{
    return s->parts.rendering ? atomic_load(&s->parts.rendering->share) : -1;
}

static void stop(struct session *s)
{
    atomic_store(&s->parts.rendering->stop, true);
}

static void poll(struct session *s)
{
    const struct rendering *r = s->parts.rendering;
    char level[80] = "silent";
    if (!atomic_load(&r->is_over))
        return;
    const struct render_level *l = &r->level;
    const double end = (double)score_end_tick(r->score);
    if (!l->is_silent)
        snprintf(level, sizeof level, "gain %.1fdB, peak %.1f dB%s", l->gain_db,
                 l->peak_db,
                 l->peak_db > 0 && r->options.bits != 32 ? ": too loud" : "");
    errno = r->why;
    if (r->status == MIDI_STOPPED)
        session_say(s, "rendering was stopped; nothing was written");
    else if (r->status)
        session_file_error(s, r->path, r->status, "");
    else
        session_say(s, "wrote %s: %.0f s in %.1f s, %s", r->path,
                    timeline_seconds(&r->score->timeline, end), r->took, level);
    finish(s);
}

static const struct editor_job RENDER_JOB = {
    .text = "rendering",
    .quit = "a file is being rendered: Ctrl-C stops it, :q! quits",
    .look_ms = BUSY_MS,
    .share = share,
    .poll = poll,
    .stop = stop,
};

const struct editor_part RENDER_PART = {.fini = finish, .job = &RENDER_JOB};
