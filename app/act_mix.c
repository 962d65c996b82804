/* How loud a track is, where it stands and how much of the effects it has: controllers 7,
 * 10, 91 and 93 (MIDI 1.0; General MIDI 2 for the last two) at its start. */
#include "app/act.h"
#include "app/edit.h"
#include "app/values.h"
#include "midi/controllers.h"

#include <stdio.h>
#include <string.h>

enum { CC_REVERB = 91, CC_CHORUS = 93, PAN_CENTRE = 64 };

static const struct knob {
    const char *name, *label;
    uint8_t number;
    int centre, low, high; /* as people say it, from its centre */
} VOLUME = {"volume", "set the volume", CC_VOLUME, 0, 0, 127},
  PAN = {"pan", "set the pan", CC_PAN, PAN_CENTRE, -64, 63},
  REVERB = {"reverb", "set the reverb", CC_REVERB, 0, 0, 127},
  CHORUS = {"chorus", "set the chorus", CC_CHORUS, 0, 0, 127};

static struct control control_of(const struct knob *k)
{
    return (struct control){CONTROL_CHANGE, k->number};
}

/* What is said before this is of the track's start: before and with its first note. */
static int64_t start_ends(const struct track *t)
{
    return t->n_notes ? t->notes[0].start + 1 : 1;
}

struct knob_now {
    int value;         /* at the track's start */
    int64_t next_tick; /* where another is said; -1: nowhere */
};

static struct knob_now look(const struct session *s, const struct knob *k)
{
    const struct track *t = session_track(s);
    const struct chunk *c = &s->project.score->chunks[t->chunk];
    struct knob_now now = {control_rest(control_of(k)), -1};
    for (size_t i = 0; i < c->n_events && now.next_tick < 0; i++) {
        int value = control_value(&c->events[i], t->channel, control_of(k));
        if (value >= 0 && c->events[i].tick < start_ends(t))
            now.value = value;
        else if (value >= 0)
            now.next_tick = c->events[i].tick;
    }
    return now;
}

/* "track 2: pan -20, as all 2 tracks of channel 1; another from bar 9 on: :lane pan". */
static void say_knob(struct session *s, const struct knob *k)
{
    const struct score *score = s->project.score;
    const struct track *t = session_track(s);
    struct knob_now now = look(s, k);
    char others[48] = "", later[64] = "";
    int n = 0;
    for (size_t i = 0; i < score->n_tracks; i++)
        n += score->tracks[i].channel == t->channel;
    if (n > 1)
        snprintf(others, sizeof others, ", as all %d tracks of channel %d", n,
                 t->channel + 1);
    if (now.next_tick >= 0)
        snprintf(later, sizeof later, "; another from bar %lld on: :lane %d",
                 (long long)timeline_bar_at(&score->timeline, now.next_tick).index + 1,
                 k->number);
    session_say(s, "track %d: %s %d%s%s", s->track + 1, k->name, now.value - k->centre,
                others, later);
}

static void turn(struct session *s, const struct knob *k, const char *word)
{
    int value;
    const struct track *t = session_track(s);
    if (!t) {
        session_say(s, "this score has no tracks; A adds one");
    } else if (!*word) {
        say_knob(s, k);
    } else if (!value_count(word, k->low, k->high, &value)) {
        session_error(s, "%s is a whole number from %d to %d", k->name, k->low,
                      k->high);
    } else {
        const struct control_point point = {0, value + k->centre};
        struct change *c = change_create(k->label);
        if (edit_do(s, c,
                    c ? change_control(c, s->project.score, s->track, control_of(k), 0,
                                       start_ends(t), &point, 1)
                      : MIDI_NO_MEMORY))
            say_knob(s, k);
    }
}

void act_volume_line(struct session *s, const char *word)
{
    turn(s, &VOLUME, word);
}

void act_pan_line(struct session *s, const char *word)
{
    turn(s, &PAN, word);
}

void act_reverb_line(struct session *s, const char *word)
{
    turn(s, &REVERB, word);
}

void act_chorus_line(struct session *s, const char *word)
{
    turn(s, &CHORUS, word);
}
