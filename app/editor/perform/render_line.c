/* `:render NAME.flac`: renders the audible music to a file while the user works. */
#include "app/base/paths.h"
#include "app/editor/perform/render_file.h"
#include "app/editor/perform/rendering.h"
#include "app/editor/session/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "96000", "24" or "24bit" after the name, in either order. */
static bool take_number(const char *word, struct render_request *wishes)
{
    char *end;
    long n = strtol(word, &end, 10);
    bool is_whole = end != word && !*end && n > 0 && n <= AUDIO_MOST_RATE;
    if (is_whole && n <= 32)
        wishes->bits = (int)n;
    else if (is_whole)
        wishes->sample_rate = (int)n;
    return is_whole;
}

/* Cuts the numbers off the line's end; what is left is the name, which may have spaces. */
static void take_numbers(char *line, struct render_request *wishes)
{
    for (;;) {
        size_t n = strlen(line);
        while (n > 0 && line[n - 1] == ' ')
            line[--n] = '\0';
        char *space = strrchr(line, ' ');
        if (!space || !take_number(space + 1, wishes))
            return;
        *space = '\0';
    }
}

static void begin(struct session *s, const char *path, struct render_options *o)
{
    struct score *heard = session_heard(s);
    s->parts.rendering = heard ? rendering_start(heard, path, o) : NULL;
    if (!s->parts.rendering)
        session_error(s, "there is no memory left to render with");
    else
        session_say(s, "rendering %s; Ctrl-C stops it", file_base_name(path));
}

static void act_render_line(struct session *s, const char *line, int forced)
{
    char path[sizeof s->prompt.text], font[4096], why[RENDER_WHY_BYTES];
    struct render_request wishes = {0};
    struct render_options o;
    if (!file_expand(path, sizeof path, line)) {
        session_error(s, "that name is too long");
        return;
    }
    take_numbers(path, &wishes);
    if (!*path)
        session_error(s, "render to what? :render NAME.flac, or .wav, .ogg; "
                         ":render NAME.wav 24 96000");
    else if (s->parts.rendering)
        session_error(s, "one is being rendered; Ctrl-C stops that");
    else if (!render_choose(&o, path, &wishes, why))
        session_error(s, "%s", why);
    else if (!forced && access(path, F_OK) == 0)
        session_error(s, "%s is there already: :render! writes over it", path);
    else if (!soundfont_find(font, sizeof font, player_soundfont(s->player)))
        session_error(s, "no soundfont was found; :soundfont chooses one");
    else {
        o.soundfont = font;
        begin(s, path, &o);
    }
}

bool render_is_at_work(const struct session *s)
{
    return s->parts.rendering;
}

static bool stop(struct session *s)
{
    if (s->parts.rendering)
        rendering_stop(s->parts.rendering);
    return s->parts.rendering;
}

static void say_end(struct session *s, enum midi_status st)
{
    const char *path = rendering_path(s->parts.rendering);
    if (st == MIDI_STOPPED)
        session_say(s, "rendering was stopped, and nothing is written");
    else if (st)
        session_file_error(s, path, st, "");
    else
        session_say(s, "%s is written: %.0f s of music in %.1f s", path,
                    rendering_seconds(s->parts.rendering),
                    rendering_took(s->parts.rendering));
}

static void render_watch(struct session *s)
{
    enum midi_status st;
    if (!s->parts.rendering || !rendering_is_over(s->parts.rendering, &st))
        return;
    say_end(s, st);
    rendering_destroy(s->parts.rendering);
    s->parts.rendering = NULL;
}

static void fini(struct session *s)
{
    rendering_destroy(s->parts.rendering);
}

static int timeout_ms(const struct session *s)
{
    return s->parts.rendering ? BUSY_MS : -1;
}

static void render_view(struct session *s, struct view *v)
{
    v->transport.is_rendering = s->parts.rendering;
    v->transport.rendered_share =
        s->parts.rendering ? rendering_share(s->parts.rendering) : 0;
}

const struct editor_part RENDER_PART = {
    ON_LINES({"render", .run_with = act_render_line, .value = false},
             {"render!", .run_with = act_render_line, .value = true}),
    .fini = fini,
    .stop = stop,
    .tick = render_watch,
    .timeout_ms = timeout_ms,
    .view = render_view,
};
