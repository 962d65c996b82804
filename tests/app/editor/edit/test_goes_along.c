/* What goes along with notes that are moved, copied, stretched or removed: lyrics, and the
 * gestures of selected bars. */
#include "tests/check.h"
#include "midi/edit/lyrics.h"
#include "midi/score/chunk.h"
#include "tests/app/editor/events.h"

/* "tick ...": a syllable at each. */
WORD(sing)
{
    int at, n;
    for (; sscanf(arguments, "%d%n", &at, &n) == 1; arguments += n) {
        uint8_t data[16];
        struct lyrics l;
        assert_true(lyrics_init(&l, s->project.score));
        const size_t length = event_meta_write(data, META_LYRIC, "la", 2);
        struct change *c = change_create("sing");
        assert_ok(change_add_lyric(c, &l, 0, at, data, length));
        lyrics_fini(&l);
        assert_true(session_do(s, c));
    }
}

/* "number:tick=value ..." of the first track. */
static const char *controls_of(const struct session *s)
{
    static char text[512];
    const struct track *t = &s->project.score->tracks[0];
    const struct chunk *c = &s->project.score->chunks[t->chunk];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < c->n_events; i++)
        if (c->events[i].n_data == 3 && c->events[i].data[0] == 0xB0)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%s%d:%lld=%d",
                                 used ? " " : "", c->events[i].data[1],
                                 (long long)c->events[i].tick, c->events[i].data[2]);
    return text;
}

TEXT_FACT(controls, controls_of(s))

#define SONG "‹put 0+1q 60, 1q+1q 62, 2q+1q 64, 3q+1q 65›‹sing 0 480 960 1440›"

SCRIPT(lyrics_go_with_their_notes, empty_session) = {
    {SONG, "lyrics 0:la 480:la 960:la 1440:la"},
    {"ggV>", "lyrics 120:la 600:la 1080:la 1560:la"},
    {"u", "lyrics 0:la 480:la 960:la 1440:la"},
    {"\033ggVy5Gp",
     "lyrics 0:la 480:la 960:la 1440:la 7680:la 8160:la 8640:la 9120:la"},
    {"u", "lyrics 0:la 480:la 960:la 1440:la"},
    {"\033gt:stretch 200%\r", "lyrics 0:la 960:la 1920:la 2880:la"},
    {"u", "lyrics 0:la 480:la 960:la 1440:la"},
    {"\033ggVx", "lyrics "},
    {"p", "lyrics 0:la 480:la 960:la 1440:la"},
};

#define PEDALS                                                                               \
    "‹put 0+1b 60, 1b+1b 62, 2b+1b 64›‹set 64 0 127 64 1800 0 64 1920 127 11 2000 70 " \
    "11 3500 110 64 3720 0 64 3840 127 64 5700 0 11 0 110›"
#define AS_SET                                                                         \
    "controls 64:0=127 11:0=110 64:1800=0 64:1920=127 11:2000=70 11:3500=110 "         \
    "64:3720=0 64:3840=127 64:5700=0"

SCRIPT(gestures_go_with_selected_bars, empty_session) = {
    {PEDALS, AS_SET},
    {"2GV>", "controls 64:0=127 11:0=110 64:1800=0 64:2040=127 11:2120=70 "
             "11:3620=110 64:3840=127 64:3840=0 64:3840=127 64:5700=0"},
    {"u\0332GVx", "controls 64:0=127 11:0=110 64:1800=0 64:3840=127 64:5700=0"},
    {"u", AS_SET},
    {"\0332G‹pitch 62›x", AS_SET}, /* a note alone */
};
