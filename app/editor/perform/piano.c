/* The computer's keyboard as a piano, two rows as trackers have them: z s x d c ...
 * from one octave, q 2 w 3 e ... from the next. On a drum track each row is the kit
 * (app/editor/session/fold.c).
 *
 * A terminal does not report that a key went up. So a note lasts for a step of the
 * grid, at least 150 ms. If its key comes again within 100 ms, the key is held: it
 * sounds until 150 ms after the last repeat. Later it is a new note. In STEP all notes
 * last 150 ms; keys that came within 60 ms (tui/terminal/arrivals.h) are a chord, and the
 * next one ends it. */
#include "app/editor/perform/recorder.h"
#include "app/editor/session/session.h"

#include <math.h>
#include <string.h>

enum { PIANO_KEYS = 16 /* that sound at once */ };
enum { LEAST_MS = 150, REPEAT_MS = 100, CHORD_MS = 60, MOST_OCTAVE = 8 };

struct piano {
    int octave; /* of the lower row; 0: it begins at C4 */
    struct piano_key {
        bool is_on;
        uint8_t pitch;
        double struck_ms, heard_ms, end_ms; /* first and last time it came; its end */
    } keys[PIANO_KEYS];
};

static const char LOWER[] = "zsxdcvgbhnjm";

/* As a keyboard on the first channel would. */
static void send(struct session *s, double ms, int status, int pitch, int velocity)
{
    const uint8_t message[3] = {(uint8_t)status, (uint8_t)pitch, (uint8_t)velocity};
    live_play(player_live(s->player), ms, message);
}

static void let_go(struct session *s, double ms, struct piano_key *key)
{
    if (key->is_on)
        send(s, ms, 0x80, key->pitch, 64);
    key->is_on = false;
}

static void let_all_go(struct session *s, double ms)
{
    for (int i = 0; i < PIANO_KEYS; i++)
        let_go(s, ms, &s->parts.piano->keys[i]);
}

/* How long a key sounds that is not held. */
static double step_ms(const struct session *s)
{
    const struct score *score = s->project.score;
    if (s->view.mode == MODE_STEP)
        return LEAST_MS;
    double seconds =
        timeline_seconds(&score->timeline,
                         (double)(s->view.cursor.tick + session_grid_ticks(s))) -
        timeline_seconds(&score->timeline, (double)s->view.cursor.tick);
    return fmin(fmax(1000 * seconds, LEAST_MS), 4000);
}

/* The voice that sounds this pitch, a free one, or the one that would end first. */
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

/* now: when its key came, which may be a while ago. */
static void press(struct session *s, int pitch, double now)
{
    struct piano_key *key = key_for(s->parts.piano, pitch);
    bool is_held = key->is_on && key->pitch == pitch && now - key->heard_ms < REPEAT_MS;
    if (!is_held) {
        /* In STEP a key that comes too late for the chord of those that sound begins
         * another. */
        const struct piano *p = s->parts.piano;
        double first = now;
        for (int i = 0; i < PIANO_KEYS; i++)
            if (p->keys[i].is_on)
                first = fmin(first, p->keys[i].struck_ms);
        if (s->view.mode == MODE_STEP && now - first >= CHORD_MS)
            let_all_go(s, now);
        let_go(s, now, key);
        bool is_any_on = false;
        for (int i = 0; i < PIANO_KEYS; i++)
            is_any_on |= p->keys[i].is_on;
        if (s->view.mode == MODE_STEP && !is_any_on && !recorder_is_on(s))
            step_begin(s);
        *key = (struct piano_key){true, (uint8_t)pitch, now, now, now + step_ms(s)};
        send(s, now, 0x90, pitch, s->new_note.velocity);
    }
    key->heard_ms = now;
    key->end_ms = fmax(key->end_ms, now + LEAST_MS);
}

void act_piano(struct session *s, const struct command *c)
{
    static const char UPPER[] = "q2w3er5t6y7u";
    const int letter = c->text < 128 ? (int)c->text : 0;
    const char *lower = letter ? strchr(LOWER, letter) : NULL;
    const char *upper = letter ? strchr(UPPER, letter) : NULL;
    if ((!lower && !upper) || !session_need_track(s))
        return;
    const int place = lower ? (int)(lower - LOWER) : 12 + (int)(upper - UPPER);
    int pitch = 12 * (piano_octave(s) + 1) + place;
    if (session_shows_kit(s)) /* both rows are the same sounds, for rolls */
        pitch = session_kit_key(s, (uint32_t)LOWER[place % 12]);
    if (pitch < 0 || pitch > 127)
        session_say(s, "no note is so high: < goes an octave down");
    else
        press(s, pitch, c->ms > 0 ? c->ms : clock_now_ms());
}

void piano_tick(struct session *s)
{
    struct piano *p = s->parts.piano;
    double now = clock_now_ms();
    for (int i = 0; i < PIANO_KEYS; i++)
        if (p->keys[i].end_ms <= now)
            let_go(s, now, &p->keys[i]);
}

/* Until the next key ends. */
static int timeout_ms(const struct session *s)
{
    const struct piano *p = s->parts.piano;
    double next = INFINITY, now = clock_now_ms();
    for (int i = 0; i < PIANO_KEYS; i++)
        if (p->keys[i].is_on)
            next = fmin(next, p->keys[i].end_ms);
    if (!isfinite(next))
        return -1;
    return next > now ? (int)ceil(next - now) : 0;
}

void piano_release(struct session *s)
{
    let_all_go(s, clock_now_ms());
}

int piano_octave(const struct session *s)
{
    return 4 + s->parts.piano->octave;
}

void piano_held(const struct session *s, struct pitch_set *held)
{
    const struct piano *p = s->parts.piano;
    for (int i = 0; i < PIANO_KEYS; i++)
        if (p->keys[i].is_on)
            pitch_set_add(held, p->keys[i].pitch);
}

void act_piano_octave(struct session *s, const struct command *c)
{
    int octave = piano_octave(s) + command_steps(c);
    octave = octave < -1 ? -1 : octave > MOST_OCTAVE ? MOST_OCTAVE : octave;
    s->parts.piano->octave = octave - 4;
}

void act_piano_velocity(struct session *s, const struct command *c)
{
    int velocity = s->new_note.velocity + command_steps(c);
    s->new_note.velocity = velocity < 1 ? 1 : velocity > 127 ? 127 : velocity;
}

/* q and Q, and the same again or Escape to leave. */
void act_piano_mode(struct session *s, const struct command *c)
{
    enum mode wanted = (enum mode)c->by;
    if (s->view.mode == MODE_SELECT)
        session_clear_selection(s);
    piano_release(s);
    s->view.mode = wanted == s->view.mode ? MODE_NORMAL : wanted;
    recorder_follow_mode(s);
}

const struct editor_part PIANO_PART = {
    PART_STATE(piano),
    .timeout_ms = timeout_ms,
};
