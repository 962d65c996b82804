/* continuo render: a MIDI file as sound. */
#include "app/commands.h"

#include "app/options.h"
#include "app/render_file.h"
#include "app/say.h"

static const struct verb VERB = {
    .name = "render",
    .arguments = "IN.mid -o OUT.wav [--soundfont FILE]",
    .about = "Renders a MIDI file to a WAV file through FluidSynth.",
    .n_files = 1,
    .takes = OPTION_OUTPUT | OPTION_SOUNDFONT,
    .needs = OPTION_OUTPUT,
};

int cmd_render(int argc, char **argv)
{
    struct options o;
    int status = options_parse(&o, &VERB, argc, argv);
    if (status >= 0)
        return status;
    struct score *s = say_load(o.file);
    if (!s)
        return 1;
    bool ok = render_file(s, o.output, o.soundfont);
    score_destroy(s);
    return ok ? 0 : 1;
}
