/* Playing on the computer's keyboard, and step recording: the keys struck until all are released
 * become a chord at the cursor, a step of the grid long, in one change. Then the cursor moves on. */
#include "app/editor/perform/answer.h"
#include "app/editor/perform/recorder.h"
#include "app/editor/session/edit.h"
#include "midi/score/general_midi.h"
#include "tui/base/names.h"

#include <math.h>
#include <string.h>

#define STEP_IN "step in " /* the history knows a step by its label */

struct stepping {
    uint8_t velocity[128]; /* of the chord's notes; 0: the pitch is not in the chord */
    bool held[128];        /* keys of the MIDI keyboard, and of the chord */
    int n_held, n_chord;
};

enum { PIANO_KEYS = 16 /* that sound at once */ };
enum {
    LEAST_MS = 150,
    MOST_MS = 4000,
    REPEAT_MS = 100,
    CHORD_MS = 60,
    MOST_OCTAVE = 8
};

struct piano {
    int octave; /* of the lower row, which begins at C4 if it is 0 */
    struct piano_key {
        bool is_on;
        bool is_stepped; /* its note belongs to the chord of STEP */
        uint8_t pitch;
        double struck_ms, heard_ms; /* the first and the last time its key came */
        double end_ms;
    } keys[PIANO_KEYS];
    struct stepping step;
    struct ghost chord[128]; /* as a frame shows it */
};

void step_forget(struct session *s)
{
    s->parts.piano->step = (struct stepping){0};
}

static int octave_of(const struct session *s)
{
    return 4 + s->parts.piano->octave;
}

static void put_chord(struct session *s)
{
    struct stepping *t = &s->parts.piano->step;
    struct recording r = {0};
    int track = recorder_target(s, 0);
    const int64_t from = s->view.cursor.tick, to = grid_next(s, s->view.cursor.tick);
    if (track < 0)
        return;
    /* The chord is recorded as if it had been played in time. */
    recording_begin(&r, from, 0);
    for (int pitch = 0; pitch < 128; pitch++)
        if (t->velocity[pitch])
            recording_feed(&r,
                           &(struct live_event){.has_tick = true,
                                                .tick = (double)from,
                                                .status = 0x90,
                                                .data1 = (uint8_t)pitch,
                                                .data2 = t->velocity[pitch]},
                           track, 0);
    recording_end(&r, to, 0);
    struct record_span span = {.mode = RECORD_MERGE, .from = from, .to = to};
    const char *label = t->n_chord > 1 ? STEP_IN "a chord" : STEP_IN "a note";
    struct change *c = r.is_short_of_memory
                           ? NULL
                           : record_change(s->project.score, &r, 0, &span, label);
    recording_fini(&r);
    if (edit_do(s, c))
        session_go_to(s, to);
}

void step_take(struct session *s, const struct live_event *e)
{
    struct stepping *t = &s->parts.piano->step;
    int kind = e->status & 0xf0, pitch = e->data1 & 127;
    bool strikes = kind == 0x90 && e->data2;
    if (strikes || kind == 0x80 || kind == 0x90) {
        t->n_held += (int)strikes - (int)t->held[pitch];
        t->held[pitch] = strikes;
    }
    if (s->view.mode != MODE_STEP)
        return;
    if (strikes) {
        t->n_chord += !t->velocity[pitch];
        t->velocity[pitch] = e->data2;
        s->view.cursor.pitch = pitch;
        session_show_cursor(s);
    } else if (t->n_chord && !t->n_held) {
        put_chord(s);
        step_forget(s);
    }
}

void act_step_rest(struct session *s, const struct command *c)
{
    for (int i = 0; i < command_times(c); i++)
        session_go_to(s, grid_next(s, s->view.cursor.tick));
}

/* Takes back the step that ends at the cursor, if nothing else was done since; of a rest there is
 * only the time. */
void act_step_back(struct session *s, const struct command *c)
{
    for (int i = 0; i < command_times(c); i++) {
        int64_t tick = grid_previous(s, s->view.cursor.tick), from = -1;
        const struct change *last = history_now(s->project.history)->change;
        const bool is_step = last && !strncmp(last->label, STEP_IN, strlen(STEP_IN));
        for (size_t k = 0; is_step && k < last->n_edits; k++) {
            const struct edit *e = &last->edits[k];
            /* A note that was cut ends before the step does. */
            if (e->kind == EDIT_NOTE && e->has_after && !e->has_before &&
                (note_end(&e->after) == s->view.cursor.tick ||
                 grid_next(s, e->after.start) == s->view.cursor.tick))
                from = e->after.start;
        }
        if (from >= 0) {
            tick = from;
            project_step(&s->project, -1, NULL);
            session_revalidate(s);
        }
        session_go_to(s, tick);
    }
}

/* -- the computer's keyboard as a piano, two rows as trackers have them: z s x d c ...
 * from one octave, q 2 w 3 e ... from the next. On a drum track each row is the kit
 * (app/editor/session/fold.c).
 *
 * A terminal does not report that a key went up. So a note lasts for a step of the
 * grid, at least 150 ms. If its key comes again within 100 ms, the key is held: it
 * sounds until 150 ms after the last repeat. Later it is a new note. In STEP all notes
 * last 150 ms; keys that came within 60 ms are a chord, and the
 * next one ends it -- */

static const char LOWER[] = "zsxdcvgbhnjm";

/* Plays a key as a keyboard on the first channel would. A chord of STEP gets the key here and at
 * once: the event that comes back from the player may find the cursor elsewhere. */
static void send_key(struct session *s, double ms, int status,
                     const struct piano_key *key, int velocity)
{
    const uint8_t message[3] = {(uint8_t)status, key->pitch, (uint8_t)velocity};
    live_play(player_live(s->player), ms, message);
    if (key->is_stepped)
        step_take(s, &(struct live_event){.status = message[0],
                                          .data1 = message[1],
                                          .data2 = message[2]});
}

static void release_key(struct session *s, double ms, struct piano_key *key)
{
    if (!key->is_on)
        return;
    key->is_on = false;
    send_key(s, ms, 0x80, key, 64);
}

static void release_all(struct session *s, double ms)
{
    for (int i = 0; i < PIANO_KEYS; i++)
        release_key(s, ms, &s->parts.piano->keys[i]);
}

/* Plays a pitch. now: when its key came, which may be a while ago. */
static void press_key(struct session *s, int pitch, double now)
{
    struct piano *p = s->parts.piano;
    /* The voice that sounds this pitch, or a free one, or the one that would end first. */
    struct piano_key *key = &p->keys[0], *behind = p->keys + PIANO_KEYS;
    for (struct piano_key *k = key; k < behind && !(key->is_on && key->pitch == pitch);
         k++)
        if (k->is_on && k->pitch == pitch)
            key = k;
        else if (key->is_on && (!k->is_on || k->end_ms < key->end_ms))
            key = k;
    bool is_held = key->is_on && key->pitch == pitch && now - key->heard_ms < REPEAT_MS;
    if (!is_held) {
        /* In STEP a key that comes too late for the sounding chord begins another. */
        double first = now;
        for (int i = 0; i < PIANO_KEYS; i++)
            if (p->keys[i].is_on)
                first = fmin(first, p->keys[i].struck_ms);
        const bool is_step = s->view.mode == MODE_STEP;
        s->open |= is_step ? PLAYS : 0;
        if (is_step && now - first >= CHORD_MS)
            release_all(s, now);
        release_key(s, now, key);
        /* A key that is not held sounds for a step of the grid. */
        const struct timeline *t = session_timeline(s);
        const int64_t tick = s->view.cursor.tick, end = tick + session_grid_ticks(s);
        const double ms = 1000 * (timeline_seconds(t, (double)end) -
                                  timeline_seconds(t, (double)tick));
        *key = (struct piano_key){
            .is_on = true,
            .is_stepped = is_step && !recorder_is_on(s) && !answer_is_on(s),
            .pitch = (uint8_t)pitch,
            .struck_ms = now,
            .end_ms = now + (is_step ? LEAST_MS : fmin(fmax(ms, LEAST_MS), MOST_MS))};
        send_key(s, now, 0x90, key, s->new_note.velocity);
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
    if ((!lower && !upper) || !need_track(s))
        return;
    const int place = lower ? (int)(lower - LOWER) : 12 + (int)(upper - UPPER);
    int pitch = 12 * (octave_of(s) + 1) + place;
    if (s->view.kit.is_shown) /* both rows have the same sounds, for rolls */
        pitch = session_kit_key(s, (uint32_t)LOWER[place % 12]);
    if (pitch < 0 || pitch > 127)
        session_say(s, "no note is so high: < goes an octave down");
    else
        press_key(s, pitch, c->ms > 0 ? c->ms : clock_now_ms());
}

void piano_tick(struct session *s)
{
    struct piano *p = s->parts.piano;
    double now = clock_now_ms();
    for (int i = 0; i < PIANO_KEYS; i++)
        if (p->keys[i].end_ms <= now)
            release_key(s, now, &p->keys[i]);
}

/* The next tick is due when a key ends. */
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
    release_all(s, clock_now_ms());
}

void act_piano_octave(struct session *s, const struct command *c)
{
    int octave = octave_of(s) + command_steps(c);
    octave = octave < -1 ? -1 : octave > MOST_OCTAVE ? MOST_OCTAVE : octave;
    s->parts.piano->octave = octave - 4;
}

void act_piano_velocity(struct session *s, const struct command *c)
{
    int velocity = s->new_note.velocity + command_steps(c);
    s->new_note.velocity = velocity < 1 ? 1 : velocity > 127 ? 127 : velocity;
}

/* `q` and `Q`; the same key again, or Escape, leaves. */
void act_piano_mode(struct session *s, const struct command *c)
{
    enum mode wanted = (enum mode)c->by;
    if (s->view.mode == MODE_SELECT)
        session_clear_selection(s);
    piano_release(s);
    s->view.mode = wanted == s->view.mode ? MODE_NORMAL : wanted;
    recorder_follow_mode(s);
}

/* "keys from C4   velocity 80   C4   E4": what letters play, and the held notes. And the chord of
 * STEP, where it will be put. */
static void view(struct session *s, struct view *v)
{
    struct piano *p = s->parts.piano;
    const struct stepping *t = &p->step;
    const bool steps = s->view.mode == MODE_STEP, is_kit = s->view.kit.is_shown;
    char name[PITCH_NAME_BYTES] = "", grid[GRID_STEP_TEXT] = "",
         *label = v->record.label;
    const size_t n = sizeof v->record.label;
    const int64_t from = s->view.cursor.tick,
                  length = grid_next(s, s->view.cursor.tick) - from;
    size_t n_chord = 0;
    if ((!steps && s->view.mode != MODE_PLAY) || *label) /* it is being recorded */
        return;
    if (!is_kit)
        pitch_name_octave(12 * (octave_of(s) + 1), 0, name);
    size_t used = (size_t)snprintf(
        label, n, "%s%s%s%s%s   velocity %d", steps ? "steps of " : "",
        steps ? grid_step_format(&s->grid, grid) : "", steps ? "   " : "",
        is_kit ? "keys hit the kit" : "keys from ", name, s->new_note.velocity);
    for (int pitch = 0; pitch < 128; pitch++) {
        bool is_held = t->held[pitch];
        for (int i = 0; i < PIANO_KEYS; i++)
            is_held |= p->keys[i].is_on && p->keys[i].pitch == pitch;
        pitch_name_octave(pitch, 0, name);
        if (is_held && used + PITCH_NAME_BYTES < n)
            used += (size_t)snprintf(
                label + used, n - used, "   %s",
                is_kit && *gm_drum_name(pitch) ? gm_drum_name(pitch) : name);
        if (t->velocity[pitch])
            p->chord[n_chord++] = (struct ghost){
                .track = recorder_target(s, 0),
                .note = edit_new_note(from, length, pitch, t->velocity[pitch]),
                .probability = -1};
    }
    if (n_chord && !s->drag)
        v->drafts = (struct drafts_view){p->chord, n_chord};
}

const struct editor_part PIANO_PART = {
    PART_STATE(piano),    .ends_at = PLAYS, /* the chord of STEP, at the cursor */
    .end = piano_release, .timeout_ms = timeout_ms, .view = view,
};
