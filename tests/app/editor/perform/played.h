/* A MIDI keyboard that scripts play: "‹on 60›" and "‹off 60›" a key, at velocity 90 or
 * "‹on 60 77›"; "‹play 60 30›" one for so many milliseconds; "‹control 64 127›" a controller.
 * A number that is joined to these words is the channel, from 0. "‹pass 40›" lets so many
 * milliseconds pass, with the looks that the loop of the ui would take. Include it after
 * tests/check.h. */
#ifndef TESTS_APP_PLAYED_H
#define TESTS_APP_PLAYED_H

#include "app/editor/perform/recorder.h"
#include "tests/app/script.h"

static inline void feed(struct session *s, int status, int data1, int data2)
{
    const uint8_t m[3] = {(uint8_t)status, (uint8_t)data1, (uint8_t)data2};
    live_feed(player_live(s->player), clock_now_ms(), m);
}

WORD(on)
{
    int pitch = (int)read_ticks(&arguments), velocity = (int)read_ticks(&arguments);
    feed(s, 0x90 | (on < 0 ? 0 : on), pitch, velocity ? velocity : 90);
}

DOES(off, feed(s, 0x80 | (on < 0 ? 0 : on), (int)read_ticks(&arguments), 64))

WORD(control)
{
    int number = (int)read_ticks(&arguments);
    feed(s, 0xb0, number, (int)read_ticks(&arguments));
}

WORD(play)
{
    int channel = on < 0 ? 0 : on, pitch = (int)read_ticks(&arguments);
    feed(s, 0x90 | channel, pitch, 90);
    pass_ms(s, (double)read_ticks(&arguments));
    feed(s, 0x80 | channel, pitch, 64);
    pass_ms(s, 20);
}

NUMBER_FACT(records, view_of(s)->record.is_on)
TEXT_FACT(label, view_of(s)->record.label)

#endif
