/* What goes along with notes that are moved, copied, stretched or removed: lyrics, and the
 * gestures of selected bars. */
#include "tests/check.h"
#include "tests/app/editor/events.h"

#define SONG "‹put 0+1q 60, 1q+1q 62, 2q+1q 64, 3q+1q 65›‹sing 0 480 960 1440›"

SCRIPT(lyrics_go_with_their_notes, empty_session) = {
    {SONG, "lyrics 0:l\xE1 480:l\xE1 960:l\xE1 1440:l\xE1"},
    {"ggV>", "lyrics 120:l\xE1 600:l\xE1 1080:l\xE1 1560:l\xE1"},
    {"u", "lyrics 0:l\xE1 480:l\xE1 960:l\xE1 1440:l\xE1"},
    {"\033ggVy5Gp", "lyrics 0:l\xE1 480:l\xE1 960:l\xE1 1440:l\xE1 7680:l\xE1 "
                    "8160:l\xE1 8640:l\xE1 9120:l\xE1"},
    {"u", "lyrics 0:l\xE1 480:l\xE1 960:l\xE1 1440:l\xE1"},
    {"\033gt:stretch 200%\r", "lyrics 0:l\xE1 960:l\xE1 1920:l\xE1 2880:l\xE1"},
    {"u", "lyrics 0:l\xE1 480:l\xE1 960:l\xE1 1440:l\xE1"},
    {"\033ggVx", "lyrics "},
    {"p", "lyrics 0:l\xE1 480:l\xE1 960:l\xE1 1440:l\xE1"},
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
