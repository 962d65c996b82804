/* continuo render: a MIDI file as sound. */
#include "app/commands.h"

#include "app/options.h"
#include "app/say.h"
#include "midi/player.h"
#include "midi/render.h"

static const struct verb VERB = {
    .name = "render",
    .arguments = "IN.mid -o OUT.wav [--soundfont FILE]",
    .about = "Renders a MIDI file to a WAV file through FluidSynth.",
    .n_files = 1,
    .takes = OPTION_OUTPUT | OPTION_SOUNDFONT,
    .needs = OPTION_OUTPUT,
};

static int render(const struct score *s, const struct options *o)
{
    char soundfont[4096];
    if (!soundfont_find(soundfont, sizeof soundfont, o->soundfont))
        return say_error(o->soundfont ? o->soundfont : "no soundfont was found",
                         o->soundfont ? "is not a soundfont that can be read"
                                      : "name one with --soundfont FILE");
    enum midi_status st =
        render_wav(s, o->output, &(struct render_options){.soundfont = soundfont});
    if (st == MIDI_NO_SOUND)
        return say_error(soundfont, "is not a soundfont that FluidSynth can play");
    return st ? say_midi_error(o->output, st) : 0;
}

int cmd_render(int argc, char **argv)
{
    struct options o;
    int status = options_parse(&o, &VERB, argc, argv);
    if (status >= 0)
        return status;
    struct score *s = say_load(o.file);
    if (!s)
        return 1;
    status = render(s, &o);
    score_destroy(s);
    return status;
}
