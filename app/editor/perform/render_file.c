#include "app/editor/perform/render_file.h"

#include "app/base/say.h"
#include "midi/transport/player.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PATH = 4096 };

static volatile sig_atomic_t stop_asked;

static void ask_stop(int number)
{
    (void)number;
    stop_asked = 1;
}

/* A soundfont that was named is not replaced in silence by another. */
static bool choose_soundfont(char *path, const char *wanted)
{
    char damaged[MAX_PATH];
    bool found = soundfont_find(path, MAX_PATH, wanted);
    if (wanted && (!found || strcmp(path, wanted) != 0)) {
        say_error(wanted, access(wanted, R_OK) ? "cannot be read"
                                               : "is damaged or not a soundfont");
        return false;
    }
    if (soundfont_find_damaged(damaged, sizeof damaged, NULL))
        say_error(damaged, "warning: is damaged, and not used");
    if (!found)
        say_error("no soundfont was found", "name one with --soundfont FILE");
    return found;
}

bool render_choose(struct render_options *o, const char *path,
                   const struct render_request *request, char why[RENDER_WHY_BYTES])
{
    *o = (struct render_options){
        .sample_rate = request->sample_rate ? request->sample_rate : 44100,
        .bits = request->bits ? request->bits : 16,
        .has_gain = request->has_gain,
        .gain_db = request->gain_db};
    bool is_known = request->format ? audio_format_find(request->format, &o->format)
                                    : audio_format_of_file(path, &o->format);
    struct audio_spec spec = {o->format, o->bits, o->sample_rate};
    if (!is_known)
        snprintf(why, RENDER_WHY_BYTES, "sound is written as wav, flac or ogg");
    else if (!audio_spec_is_possible(&spec) && o->format == AUDIO_FLAC)
        snprintf(why, RENDER_WHY_BYTES, "a FLAC file must have 16 or 24 bits");
    else if (!audio_spec_is_possible(&spec))
        snprintf(why, RENDER_WHY_BYTES,
                 "samples must have 16 or 24 bits, or 32 in a WAV file, and %d to %d "
                 "per second",
                 AUDIO_LEAST_RATE, AUDIO_MOST_RATE);
    else
        return true;
    return false;
}

static bool show_share(void *context, double share)
{
    (void)context;
    say_progress("rendering", (int)(99 * share), 100);
    return !stop_asked;
}

static enum midi_status render(const struct score *s, const char *path,
                               struct render_options o)
{
    struct sigaction action = {.sa_handler = ask_stop}, interrupt, terminate;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &interrupt);
    sigaction(SIGTERM, &action, &terminate);
    stop_asked = 0;
    o.go_on = show_share;
    enum midi_status st = render_to_file(s, path, &o);
    int error = errno;
    say_progress("", 100, 100);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGTERM, &terminate, NULL);
    errno = error;
    return st;
}

bool render_file(const struct score *s, const char *path,
                 const struct render_request *request, struct render_level *level)
{
    char font[MAX_PATH], why[RENDER_WHY_BYTES];
    struct render_options o;
    if (!render_choose(&o, path, request, why)) {
        say_error(path, why);
        return false;
    }
    if (!choose_soundfont(font, request->soundfont))
        return false;
    o.soundfont = font;
    o.level = level;
    errno = 0;
    enum midi_status st = render(s, path, o);
    if (st)
        say_midi_error(st == MIDI_NO_SOUND ? font : path, st);
    return st == MIDI_OK;
}
