/* continuo render: a MIDI file as sound, as the workstation plays it: tracks that are
 * silent there by mute or solo are silent here. Those marks are in the piece's store. */
#include "app/editor/perform/render_file.h"
#include "app/base/say.h"
#include "app/document/store_session.h"
#include "app/cli/verbs.h"
#include "midi/transport/player.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t stop_asked;

static void ask_stop(int number)
{
    (void)number;
    stop_asked = 1;
}

static bool show_share(void *context, double share)
{
    (void)context;
    say_progress("rendering", (int)(99 * share), 100);
    return !stop_asked;
}

/* Takes the marks of tracks from the store. If they cannot be read, this is reported, and all tracks
 * are rendered. */
static void take_marks(const char *file, struct score *s)
{
    struct kept_session b;
    struct store *store = NULL;
    char why[STORE_WHY_BYTES] = "", text[STORE_WHY_BYTES + 80];
    char *path = store_path_of(file);
    const int st = path ? store_open_copy(&store, path, why) : STORE_EMPTY;
    free(path);
    const char *wrong = st ? NULL : kept_session_read(&b, store);
    if (!st && !wrong) {
        kept_tracks_give(&b.tracks, s);
        kept_session_fini(&b);
    }
    if (!st)
        store_close(store, true);
    if (!wrong && (!st || st == STORE_EMPTY))
        return;
    snprintf(text, sizeof text, "its store is not read: %s%s",
             wrong ? "wrong is its " : why, wrong ? wrong : "");
    say_error(file, text);
}

/* Prints the level. A given gain keeps separate files of a piece's tracks in balance. */
static void say_level(const struct options *o, const struct render_level *l)
{
    say_safe(stdout, o->output);
    if (l->is_silent)
        puts(": silent");
    else if (!o->has_gain)
        printf(": normalised, the peak is at -1 dB; use --gain %.1f for other files in "
               "balance with it\n",
               l->gain_db);
    else
        printf(": gain %g dB, the peak is at %.1f dB\n", l->gain_db, l->peak_db);
    if (!l->is_silent && l->peak_db > 0 && o->sound_bits != 32)
        say_error(o->output, "warning: it is too loud and clipped at 0 dB");
}

/* Finds a soundfont; prints why there is none. One that was named is not replaced in silence by
 * another. */
static bool choose_soundfont(const char *wanted, char *path, size_t n)
{
    char damaged[4096];
    bool found = soundfont_find(path, n, wanted);
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

static int render(struct options *o, struct score *s)
{
    char font[4096], why[RENDER_WHY_BYTES];
    struct render_level level;
    struct render_options r = {.soundfont = font,
                               .sample_rate = o->sample_rate,
                               .bits = o->sound_bits,
                               .has_gain = o->has_gain,
                               .gain_db = o->gain_db,
                               .level = &level,
                               .go_on = show_share};
    if (!o->all)
        take_marks(o->file, s);
    if (!render_choose(&r, o->output, o->sound_format, why)) {
        say_error(o->output, why);
        return 1;
    }
    if (!choose_soundfont(o->soundfont, font, sizeof font))
        return 1;
    struct sigaction action = {.sa_handler = ask_stop}, interrupt, terminate;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &interrupt);
    sigaction(SIGTERM, &action, &terminate);
    stop_asked = 0;
    errno = 0;
    enum midi_status st = render_to_file(s, o->output, &r);
    const int error = errno;
    say_progress("", 100, 100);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGTERM, &terminate, NULL);
    errno = error;
    if (st)
        say_midi_error(st == MIDI_NO_SOUND ? font : o->output, st);
    else
        say_level(o, &level);
    return st != MIDI_OK;
}

const struct verb VERB_RENDER = {
    .name = "render",
    .summary = "render a MIDI file to WAV, FLAC or Ogg",
    .run_score = render,
    .arguments =
        "IN.mid -o OUT.wav|flac|ogg [--rate HZ --bits N --gain DB --soundfont FILE "
        "--all]",
    .about =
        "Renders a MIDI file through FluidSynth to WAV, FLAC or Ogg Vorbis, by the\n"
        "ending of OUT. Tracks that are muted in the workstation are left out; if a\n"
        "track is solo, only solo tracks are rendered. Ctrl-C stops and keeps an\n"
        "older OUT.\n"
        "\n"
        "The gain is set so that the peak is -1 dB, and is printed. To render tracks\n"
        "separately (stems), give all of them the same --gain: they then keep their\n"
        "balance and add up to the whole.",
    .n_files = 1,
    .takes = OPTION_OUTPUT | OPTION_SOUND | OPTION_SOUNDFONT | OPTION_ALL_TRACKS,
    .needs = OPTION_OUTPUT,
};
