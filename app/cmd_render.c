/* continuo render: a MIDI file as sound, as the workstation plays it: what is muted there,
 * or silent beside a solo, is silent here. Those marks are kept beside the file. */
#include "app/commands.h"

#include "app/render_file.h"
#include "app/say.h"
#include "app/sidecar.h"
#include "app/verb_score.h"

const struct verb VERB_RENDER = {
    .name = "render",
    .arguments =
        "IN.mid -o OUT.wav|flac|ogg [--rate HZ --bits N --soundfont FILE --all]",
    .about =
        "Renders a MIDI file through FluidSynth: to WAV, FLAC or Ogg Vorbis, as the\n"
        "name of OUT ends. Tracks that are muted in the workstation, and all others "
        "where\n"
        "one is solo, are left out. Ctrl-C stops it, and leaves what was there.",
    .n_files = 1,
    .takes = OPTION_OUTPUT | OPTION_SOUND | OPTION_SOUNDFONT | OPTION_ALL_TRACKS,
    .needs = OPTION_OUTPUT,
};

/* What cannot be read of them is told, and then all tracks are heard. */
static void take_marks(const char *file, struct score *s)
{
    struct sidecar side;
    char why[SIDECAR_WHY_BYTES], text[SIDECAR_WHY_BYTES + 80];
    if (sidecar_load(&side, file, why) == SIDECAR_FAILED) {
        snprintf(text, sizeof text, "what is kept beside it is not read: %s", why);
        say_error(file, text);
    }
    sidecar_tracks_give(&side.tracks, s);
    sidecar_fini(&side);
}

static int render(struct options *o, struct score *s)
{
    if (!o->all)
        take_marks(o->file, s);
    const struct render_wishes wishes = {.soundfont = o->soundfont,
                                         .format = o->sound_format,
                                         .sample_rate = o->sample_rate,
                                         .bits = o->sound_bits};
    return render_file(s, o->output, &wishes) ? 0 : 1;
}

int cmd_render(int argc, char **argv)
{
    return verb_on_score(&VERB_RENDER, argc, argv, render);
}
