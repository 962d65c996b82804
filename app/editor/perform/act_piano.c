/* The computer's keyboard as a piano, two rows as trackers have them: z s x d c ... from
 * one octave, q 2 w 3 e ... from the next.
 *
 * No terminal tells that a key went up. A note lasts for a step of the grid, at least
 * 150 ms; one that comes again within 100 ms of the last time is a key that is held, whose
 * repeats keep it sounding until 150 ms after the last. Later, it is struck anew. In
 * STEP all last 150 ms: keys struck within that are a chord. */
#include "app/editor/perform/recorder.h"
#include "app/editor/session/act.h"
#include "app/editor/session/session.h"
#include "midi/transport/live.h"

#include <math.h>
#include <string.h>

enum { LEAST_MS = 150, REPEAT_MS = 100, MOST_OCTAVE = 8 };

/* Semitones above the lower row's first key; -1: it is no key of the piano. */
static int key_place(uint32_t letter)
{
    static const char LOWER[] = "zsxdcvgbhnjm", UPPER[] = "q2w3er5t6y7u";
    const char *lower = letter && letter < 128 ? strchr(LOWER, (int)letter) : NULL;
    const char *upper = letter && letter < 128 ? strchr(UPPER, (int)letter) : NULL;
    return lower ? (int)(lower - LOWER) : upper ? 12 + (int)(upper - UPPER) : -1;
}

/* As a keyboard on the first channel would. */
static void send(struct session *s, int status, int pitch, int velocity)
{
    const uint8_t message[3] = {(uint8_t)status, (uint8_t)pitch, (uint8_t)velocity};
    live_play(player_live(s->player), live_now(), message);
}

static void let_go(struct session *s, struct piano_key *key)
{
    if (key->is_on)
        send(s, 0x80, key->pitch, 64);
    key->is_on = false;
}

/* How long a key sounds that is not held. */
static double step_ms(const struct session *s)
{
    const struct score *score = s->project.score;
    if (s->mode == MODE_STEP)
        return LEAST_MS;
    double seconds =
        timeline_seconds(&score->timeline,
                         (double)(s->cursor_tick + session_grid_ticks(s))) -
        timeline_seconds(&score->timeline, (double)s->cursor_tick);
    return fmin(fmax(1000 * seconds, LEAST_MS), 4000);
}

/* The one that sounds this pitch, a free one, or the one that would end first. */
static struct piano_key *key_for(struct piano *p, int pitch)
{
    struct piano_key *first = &p->keys[0];
    for (int i = 0; i < PIANO_KEYS; i++)
        if (p->keys[i].is_on && p->keys[i].pitch == pitch)
            return &p->keys[i];
    for (int i = 0; i < PIANO_KEYS; i++) {
        if (!p->keys[i].is_on)
            return &p->keys[i];
        if (p->keys[i].end_ms < first->end_ms)
            first = &p->keys[i];
    }
    return first;
}

static void press(struct session *s, int pitch)
{
    struct piano_key *key = key_for(&s->parts.rec->piano, pitch);
    double now = live_now();
    bool is_held = key->is_on && key->pitch == pitch && now - key->heard_ms < REPEAT_MS;
    if (!is_held) {
        let_go(s, key);
        *key = (struct piano_key){true, (uint8_t)pitch, now, now + step_ms(s)};
        send(s, 0x90, pitch, s->last_velocity);
    }
    key->heard_ms = now;
    key->end_ms = fmax(key->end_ms, now + LEAST_MS);
}

static void act_piano(struct session *s, const struct command *c)
{
    int place = key_place(c->text),
        pitch = 12 * (s->parts.rec->piano.octave + 1) + place;
    if (place < 0)
        return;
    if (!session_track(s))
        session_say(s, "this score has no tracks; A adds one");
    else if (pitch > 127)
        session_say(s, "no note is that high: < goes an octave down");
    else
        press(s, pitch);
}

void piano_tick(struct session *s)
{
    double now = live_now();
    for (int i = 0; i < PIANO_KEYS; i++)
        if (s->parts.rec->piano.keys[i].is_on &&
            s->parts.rec->piano.keys[i].end_ms <= now)
            let_go(s, &s->parts.rec->piano.keys[i]);
}

void piano_release(struct session *s)
{
    for (int i = 0; i < PIANO_KEYS; i++)
        let_go(s, &s->parts.rec->piano.keys[i]);
}

static void act_piano_octave(struct session *s, const struct command *c)
{
    int by = command_times(c) * (c->id == CMD_PIANO_LOWER ? -1 : 1);
    int octave = s->parts.rec->piano.octave + by;
    s->parts.rec->piano.octave = octave < -1            ? -1
                                 : octave > MOST_OCTAVE ? MOST_OCTAVE
                                                        : octave;
}

static void act_piano_velocity(struct session *s, const struct command *c)
{
    int by = 8 * command_times(c) * (c->id == CMD_PIANO_SOFTER ? -1 : 1);
    int velocity = s->last_velocity + by;
    s->last_velocity = velocity < 1 ? 1 : velocity > 127 ? 127 : velocity;
}

/* q and Q, and the same again or Escape to leave. */
static void act_piano_mode(struct session *s, const struct command *c)
{
    enum mode wanted = c->id == CMD_PIANO_PLAY   ? MODE_PLAY
                       : c->id == CMD_PIANO_STEP ? MODE_STEP
                                                 : MODE_NORMAL;
    if (s->mode == MODE_SELECT)
        session_clear_selection(s);
    piano_release(s);
    s->mode = wanted == s->mode ? MODE_NORMAL : wanted;
}

static const struct act_row COMMANDS[] = {
    {CMD_PIANO_PLAY, act_piano_mode},
    {CMD_PIANO_STEP, act_piano_mode},
    {CMD_PIANO_LEAVE, act_piano_mode},
    {CMD_PIANO, act_piano},
    {CMD_PIANO_LOWER, act_piano_octave},
    {CMD_PIANO_HIGHER, act_piano_octave},
    {CMD_PIANO_SOFTER, act_piano_velocity},
    {CMD_PIANO_LOUDER, act_piano_velocity},
    {0},
};

const struct editor_part PIANO_PART = {.commands = COMMANDS};
