/* continuo render: a MIDI file as sound, as the workstation plays it: what is muted there,
 * or silent beside a solo, is silent here. Those marks are kept beside the file. */
#include "app/editor/perform/render_file.h"
#include "app/base/say.h"
#include "app/document/store_session.h"
#include "app/cli/verbs.h"

#include <stdlib.h>

/* What cannot be read of them is told, and then all tracks are heard. */
static void take_marks(const char *file, struct score *s)
{
    struct kept_session b;
    struct store *store = NULL;
    char why[STORE_WHY_BYTES] = "", text[STORE_WHY_BYTES + 80];
    char *path = store_path_of(file);
    enum store_status st = path ? store_open_copy(&store, path, why) : STORE_EMPTY;
    free(path);
    const char *wrong = st ? NULL : kept_session_read(&b, store, STORE_PIECE);
    if (!st && !wrong) {
        kept_tracks_give(&b.tracks, s);
        kept_session_fini(&b);
    }
    if (!st)
        store_close(store, true);
    if (!wrong && (!st || st == STORE_EMPTY))
        return;
    snprintf(text, sizeof text, "what is kept beside it is not read: %s%s",
             wrong ? "wrong is its " : why, wrong ? wrong : "");
    say_error(file, text);
}

static int render(struct options *o, struct score *s)
{
    if (!o->all)
        take_marks(o->file, s);
    const struct render_request request = {.soundfont = o->soundfont,
                                           .format = o->sound_format,
                                           .sample_rate = o->sample_rate,
                                           .bits = o->sound_bits};
    return render_file(s, o->output, &request) ? 0 : 1;
}

const struct verb VERB_RENDER = {
    .name = "render",
    .summary = "render a MIDI file to WAV, FLAC or Ogg",
    .run_score = render,
    .arguments =
        "IN.mid -o OUT.wav|flac|ogg [--rate HZ --bits N --soundfont FILE --all]",
    .about = "Renders a MIDI file through FluidSynth, to WAV, FLAC or Ogg Vorbis: the\n"
             "ending of OUT says which. Tracks that are muted in the workstation are\n"
             "left out; where one is solo, so are all others. Ctrl-C stops and leaves\n"
             "an older OUT as it was.",
    .n_files = 1,
    .takes = OPTION_OUTPUT | OPTION_SOUND | OPTION_SOUNDFONT | OPTION_ALL_TRACKS,
    .needs = OPTION_OUTPUT,
};
