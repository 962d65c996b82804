/* What a take changes beside its notes: after C the fades, bends and short bars that end the
 * music do not rule the take, and one undo removes all of it; c takes the gestures of its
 * hole along. The same is heard before it is accepted. */
#include "app/editor/takes/takes.h"
#include "tests/check.h"
#include "tests/app/editor/events.h"
#include "tests/app/heard.h"
#include "tests/app/quarters.h"

static int heard_value(const struct session *s, int number, int64_t tick)
{
    auto_score *heard = session_heard(s);
    return value_at(heard, number, tick);
}

NUMBER_FACT(volume_at_end, value_at(s->project.score, 7, 4 * BAR))
NUMBER_FACT(volume_before, value_at(s->project.score, 7, 4 * BAR - 1))
NUMBER_FACT(heard_volume, heard_value(s, 7, 4 * BAR))
NUMBER_FACT(bend, value_at(s->project.score, 200, of *BEAT))
NUMBER_FACT(pedal, value_at(s->project.score, 64, of *BEAT))
NUMBER_FACT(heard_pedal, heard_value(s, 64, of *BEAT))
NUMBER_FACT(numerator, timeline_bar(&s->project.score->timeline, of - 1).numerator)

#define FADE "‹set 7 0 96 7 6720 60 7 7200 20 7 7679 0 200 7200 16000›"

SCRIPT(a_fade_and_a_bend_end_with_the_music, two_tracks) = {
    {FADE "‹remember›", "volume_at_end 0; bend16 16000"},
    {"C‹wait›", "volume_at_end 0; heard_volume 96; as_remembered"},
    {"a", "volume_at_end 96; volume_before 0; bend16 8192; bend15 16000",
     "~, and restored the volume and bend; u undoes this"},
    {"u", "as_remembered; volume_at_end 0"},
};

SCRIPT(a_short_last_bar, two_tracks) = {
    {"‹at 0›:meter 3/4\r‹at 7200›:meter 1/4\r‹remember›", "numerator6 1"},
    {"2C‹wait›", "from 7680; to 10560"},
    {"a", "numerator6 1; numerator7 3", "~the meter"},
    {"u", "as_remembered"},
};

SCRIPT(a_hole_takes_its_pedal_along, two_tracks) = {
    {"‹set 64 1920 127 64 2300 0 64 2400 127 64 3900 0›‹track 0›‹at 1b›‹remember›"},
    {"cc‹wait›", "pedal5 127; heard_pedal5 0; as_remembered"},
    {"a", "pedal4 0; pedal5 0; pedal7 0; pedal8 127"},
    {"u", "as_remembered; pedal5 127"},
};

GROUP(make_model, remove_own_folder)
