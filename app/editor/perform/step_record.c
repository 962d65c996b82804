/* Step recording: the keys struck until all are released become a chord at the cursor,
 * a step of the grid long, in one change. Then the cursor moves on. */
#include "app/editor/perform/recorder.h"
#include "app/editor/session/edit.h"

#include <string.h>

enum {
    STEPS_KEPT = 256, /* that Backspace takes back one after another */
    DUE = 64,
    LOST_MS = 1000, /* a chord that has not come by then does not come */
};

struct stepping {
    uint8_t velocity[128]; /* of the chord; 0: it is not in it */
    bool held[128];
    int n_held, n_chord;
    struct put_step {
        uint64_t state; /* of the history, after it */
        int64_t tick, after;
    } put[STEPS_KEPT];
    int n_put;
    int64_t due[DUE]; /* where chords of the computer's keys belong that come yet */
    int n_due;
    double due_ms; /* when the last of them was struck */
};

void step_forget(struct session *s)
{
    struct stepping *t = s->parts.step;
    memset(t->velocity, 0, sizeof t->velocity);
    memset(t->held, 0, sizeof t->held);
    t->n_held = t->n_chord = 0;
}

static int64_t step_end(const struct session *s)
{
    return grid_next(s, s->view.cursor.tick);
}

/* -- keys on their way: they come back from the player, and meanwhile others are pressed -- */

bool step_waits(const struct session *s)
{
    const struct stepping *t = s->parts.step;
    return t->n_due && clock_now_ms() - t->due_ms < LOST_MS;
}

/* What is pressed next is after the last chord, wherever that is by now. */
static void pass_due(struct session *s)
{
    const struct stepping *t = s->parts.step;
    if (step_waits(s) && s->view.cursor.tick == t->due[t->n_due - 1])
        session_go_to(s, step_end(s));
}

void step_begin(struct session *s)
{
    struct stepping *t = s->parts.step;
    if (!step_waits(s))
        t->n_due = 0;
    pass_due(s);
    if (t->n_due == DUE)
        memmove(t->due, t->due + 1, (size_t)--t->n_due * sizeof *t->due);
    t->due[t->n_due++] = s->view.cursor.tick;
    t->due_ms = clock_now_ms();
}

/* Any other command ends the chord. */
static void before(struct session *s, enum command_id id)
{
    if (s->view.mode != MODE_STEP || commands[id].flags & PLAYS || !step_waits(s))
        return;
    piano_release(s);
    pass_due(s);
}

static void put_chord(struct session *s)
{
    struct stepping *t = s->parts.step;
    struct recording r = {0};
    int track = recorder_target(s, 0);
    int64_t from = s->view.cursor.tick;
    if (!step_waits(s))
        t->n_due = 0;
    if (t->n_due) { /* where it belongs */
        from = t->due[0];
        memmove(t->due, t->due + 1, (size_t)--t->n_due * sizeof *t->due);
    }
    const int64_t to = grid_next(s, from);
    if (track < 0)
        return;
    /* The chord as if it had been played in time. */
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
    const char *label = t->n_chord > 1 ? "step in a chord" : "step in a note";
    struct change *c = r.is_short_of_memory
                           ? NULL
                           : record_change(s->project.score, &r, 0, &span, label);
    recording_fini(&r);
    if (!edit_do(s, c))
        return;
    if (t->n_put == STEPS_KEPT)
        memmove(t->put, t->put + 1, (size_t)--t->n_put * sizeof *t->put);
    t->put[t->n_put++] = (struct put_step){history_state(s->project.history), from, to};
    if (s->view.cursor.tick == from)
        session_go_to(s, to);
}

void step_follow(struct session *s, const struct live_event *e)
{
    struct stepping *t = s->parts.step;
    int kind = e->status & 0xf0, pitch = e->data1 & 127;
    bool strikes = kind == 0x90 && e->data2;
    if (!strikes && kind != 0x80 && kind != 0x90)
        return;
    t->n_held += (int)strikes - (int)t->held[pitch];
    t->held[pitch] = strikes;
}

void step_take(struct session *s, const struct live_event *e)
{
    struct stepping *t = s->parts.step;
    int pitch = e->data1 & 127;
    step_follow(s, e);
    if ((e->status & 0xf0) == 0x90 && e->data2) {
        t->n_chord += !t->velocity[pitch];
        t->velocity[pitch] = e->data2;
        s->view.cursor.pitch = pitch;
        session_show_cursor(s);
    } else if (t->n_chord && !t->n_held) {
        put_chord(s);
        step_forget(s);
    }
}

bool step_holds(const struct session *s, int pitch)
{
    return s->parts.step->held[pitch];
}

void step_draw(struct session *s)
{
    const struct stepping *t = s->parts.step;
    for (int pitch = 0; pitch < 128; pitch++) {
        struct ghost *g =
            t->velocity[pitch] ? recorder_next_draft(s->parts.recorder) : NULL;
        if (g)
            *g = (struct ghost){.track = recorder_target(s, 0),
                                .note = edit_new_note(s->view.cursor.tick,
                                                      step_end(s) - s->view.cursor.tick,
                                                      pitch, t->velocity[pitch]),
                                .probability = -1};
    }
}

void act_step_rest(struct session *s, const struct command *c)
{
    for (int i = 0; i < command_times(c); i++)
        session_go_to(s, step_end(s));
}

/* The last steps, if nothing else was done since; of a rest there is only the time. */
void act_step_back(struct session *s, const struct command *c)
{
    struct stepping *t = s->parts.step;
    for (int i = 0; i < command_times(c); i++) {
        const struct put_step *last = t->n_put ? &t->put[t->n_put - 1] : NULL;
        int64_t tick = grid_previous(s, s->view.cursor.tick);
        if (last && last->after == s->view.cursor.tick &&
            last->state == history_state(s->project.history)) {
            tick = last->tick;
            t->n_put--;
            project_back(&s->project, 1, NULL);
            session_revalidate(s);
        }
        session_go_to(s, tick);
    }
}

static void reset(struct session *s)
{
    s->parts.step->n_put = s->parts.step->n_due = 0;
}

const struct editor_part STEP_RECORD_PART = {
    PART_STATE(step),
    .before = before,
    .reset = reset,
};
