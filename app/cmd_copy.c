/* continuo copy: load and save, nothing else. */
#include "app/commands.h"

#include "app/options.h"
#include "app/say.h"

static const struct verb VERB = {
    .name = "copy",
    .arguments = "IN.mid -o OUT.mid",
    .about = "Loads a MIDI file and saves it again. Every event is kept.",
    .n_files = 1,
    .takes = OPTION_OUTPUT,
    .needs = OPTION_OUTPUT,
};

int cmd_copy(int argc, char **argv)
{
    struct options o;
    int status = options_parse(&o, &VERB, argc, argv);
    if (status >= 0)
        return status;
    struct score *s = say_load(o.file);
    if (!s)
        return 1;
    enum midi_status st = smf_save(s, o.output);
    score_destroy(s);
    return st ? say_midi_error(o.output, st) : 0;
}
