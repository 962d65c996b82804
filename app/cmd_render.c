/* continuo render: a MIDI file as sound. */
#include "app/commands.h"

#include "app/render_file.h"
#include "app/verb_score.h"

const struct verb VERB_RENDER = {
    .name = "render",
    .arguments = "IN.mid -o OUT.wav [--soundfont FILE]",
    .about = "Renders a MIDI file to a WAV file through FluidSynth.",
    .n_files = 1,
    .takes = OPTION_OUTPUT | OPTION_SOUNDFONT,
    .needs = OPTION_OUTPUT,
};

static int render(struct options *o, struct score *s)
{
    return render_file(s, o->output, o->soundfont) ? 0 : 1;
}

int cmd_render(int argc, char **argv)
{
    return verb_on_score(&VERB_RENDER, argc, argv, render);
}
