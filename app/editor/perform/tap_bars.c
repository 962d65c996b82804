/* Bar lines of freely played music: `|` marks one at the cursor or removes it; during playback
 * it taps one. Each is one change of the piece. */
#include "app/editor/perform/recorder.h"
#include "app/editor/session/edit.h"
#include "app/base/values.h"

#include <math.h>

static const struct taps *taps(const struct session *s)
{
    return &s->project.score->taps;
}

static size_t count_bars(const struct session *s)
{
    size_t n = 0;
    for (size_t i = 0; i < taps(s)->n; i++)
        n += taps(s)->list[i].kind == TAP_BAR;
    return n;
}

/* What is heard at this moment, or was so much earlier as what is played comes late. */
static int64_t heard_tick(const struct session *s)
{
    const struct timeline *t = session_timeline(s);
    double seconds = timeline_seconds(t, player_tick(s->player));
    seconds -= s->sound.latency_ms / 1e3;
    return seconds > 0 ? llround(timeline_tick(t, seconds)) : 0;
}

/* The first bar line that is marked in the cursor's step of the grid; -1: none is. */
static int64_t marked_here(const struct session *s)
{
    int64_t end = grid_next(s, s->cursor.tick);
    for (size_t i = taps_first_at(taps(s), s->cursor.tick);
         i < taps(s)->n && taps(s)->list[i].tick < end; i++)
        if (taps(s)->list[i].kind == TAP_BAR)
            return taps(s)->list[i].tick;
    return -1;
}

static void mark(struct session *s, int64_t tick, bool puts)
{
    char place[PLACE_BYTES];
    struct change *c = change_create(puts ? "mark a bar line" : "unmark a bar line");
    enum midi_status st =
        c ? change_tap(c, (struct tap){tick, TAP_BAR}, puts) : MIDI_NO_MEMORY;
    if (!edit_do(s, c, st))
        return;
    size_t n = count_bars(s);
    place_name(session_timeline(s), tick, place);
    if (!puts)
        session_say(s, "no bar line marked at %s any more", place);
    else if (n < 2)
        session_say(s, "a bar line is marked at %s; | marks the next", place);
    else
        session_say(s, "%zu bar lines are marked; :lay puts the music onto them", n);
}

static void act_tap(struct session *s)
{
    if (taps(s)->n >= TAPS_MOST) {
        session_error(s, "there are as many bar lines marked as can be");
    } else if (free_take_has_begun(s)) {
        mark(s, free_take_tick(s), true);
    } else if (player_is_playing(s->player)) {
        mark(s, heard_tick(s), true);
    } else {
        int64_t here = marked_here(s);
        mark(s, here < 0 ? s->cursor.tick : here, here < 0);
    }
}

const struct editor_part TAP_BARS_PART = {
    ON_COMMANDS({{CMD_TAP}, .plain = act_tap}),
};
