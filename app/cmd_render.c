/* continuo render: a MIDI file as sound. */
#include "app/commands.h"

#include "app/render_file.h"
#include "app/verb_score.h"

const struct verb VERB_RENDER = {
    .name = "render",
    .arguments = "IN.mid -o OUT.wav|flac|ogg [--rate HZ --bits N --soundfont FILE]",
    .about =
        "Renders a MIDI file through FluidSynth: to WAV, FLAC or Ogg Vorbis, as the\n"
        "name of OUT ends. Ctrl-C stops it, and leaves what was there.",
    .n_files = 1,
    .takes = OPTION_OUTPUT | OPTION_SOUND | OPTION_SOUNDFONT,
    .needs = OPTION_OUTPUT,
};

static int render(struct options *o, struct score *s)
{
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
