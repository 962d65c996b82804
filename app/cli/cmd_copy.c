/* continuo copy: load and save, nothing else. */
#include "app/cli/verbs.h"

#include "app/base/say.h"

static int copy(struct options *o, struct score *s)
{
    enum midi_status st = smf_save(s, o->output);
    return st ? say_midi_error(o->output, st) : 0;
}

const struct verb VERB_COPY = {
    .name = "copy",
    .summary = "load and save a MIDI file",
    .run_score = copy,
    .arguments = "IN.mid -o OUT.mid",
    .about = "Loads a MIDI file and saves it again. Every event is kept.",
    .n_files = 1,
    .rewrites = true,
    .takes = OPTION_OUTPUT,
    .needs = OPTION_OUTPUT,
};
