/* continuo render: a MIDI file as sound, as the workstation plays it: tracks that are
 * silent there by mute or solo are silent here. Those marks are in the piece's store. */
#include "app/editor/perform/render_file.h"
#include "app/base/say.h"
#include "app/document/store_session.h"
#include "app/cli/verbs.h"

#include <stdlib.h>

/* If they cannot be read, this is reported, and all tracks are rendered. */
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

/* A given gain keeps separate files of a piece's tracks in balance. */
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

static int render(struct options *o, struct score *s)
{
    struct render_level level;
    if (!o->all)
        take_marks(o->file, s);
    const struct render_request request = {.soundfont = o->soundfont,
                                           .format = o->sound_format,
                                           .sample_rate = o->sample_rate,
                                           .bits = o->sound_bits,
                                           .has_gain = o->has_gain,
                                           .gain_db = o->gain_db};
    if (!render_file(s, o->output, &request, &level))
        return 1;
    say_level(o, &level);
    return 0;
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
