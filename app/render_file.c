#include "app/render_file.h"

#include "app/say.h"
#include "midi/player.h"
#include "midi/render.h"

#include <errno.h>
#include <string.h>

enum { MAX_PATH = 4096 };

/* A soundfont that was named is not replaced in silence by another. */
static bool choose_soundfont(char *path, const char *wanted)
{
    bool found = soundfont_find(path, MAX_PATH, wanted);
    if (wanted && (!found || strcmp(path, wanted) != 0)) {
        say_error(wanted, "is not a soundfont that can be read");
        return false;
    }
    if (!found)
        say_error("no soundfont was found", "name one with --soundfont FILE");
    return found;
}

bool render_file(const struct score *s, const char *path, const char *soundfont)
{
    char chosen[MAX_PATH];
    if (!choose_soundfont(chosen, soundfont))
        return false;
    errno = 0;
    enum midi_status st =
        render_wav(s, path, &(struct render_options){.soundfont = chosen});
    if (st)
        say_midi_error(st == MIDI_NO_SOUND ? chosen : path, st);
    return st == MIDI_OK;
}
