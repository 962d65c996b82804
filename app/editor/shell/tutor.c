#include "app/editor/shell/tutor.h"

#include "app/editor/session/session.h"

#include <stdio.h>

static size_t n_notes(const struct session *s)
{
    return score_n_notes(s->project.score);
}

static bool has_moved(const struct session *s)
{
    const struct tutor *t = s->parts.tutor;
    return s->cursor.tick != t->cursor_tick && s->cursor.pitch != t->cursor_pitch;
}

static bool has_a_note(const struct session *s)
{
    return n_notes(s) > s->parts.tutor->n_notes;
}

static bool has_a_phrase(const struct session *s)
{
    return n_notes(s) >= s->parts.tutor->n_notes + 3;
}

static bool is_playing(const struct session *s)
{
    return player_is_playing(s->player);
}

static bool has_stopped(const struct session *s)
{
    return !player_is_playing(s->player);
}

static bool has_box(const struct session *s)
{
    return s->mode == MODE_SELECT && s->selection.n >= 2;
}

static bool has_changed(const struct session *s)
{
    return s->project.version != s->parts.tutor->version;
}

static bool has_undone(const struct session *s)
{
    return s->parts.tutor->has_undone;
}

static bool has_takes(const struct session *s)
{
    return s->has_take && proposals_shown(&s->takes) &&
           proposals_shown(&s->takes)->n_waiting > 0;
}

static bool has_listened(const struct session *s)
{
    return is_playing(s) || !s->has_take;
}

static bool has_accepted(const struct session *s)
{
    return has_a_note(s);
}

static const struct step {
    const char *lines[BANNER_MAX_LINES];
    bool (*is_done)(const struct session *s); /* NULL: when it has been read */
} STEPS[] = {
    {{"This is the roll: time goes right, pitch goes up. h j k l move the",
      "cursor, or the arrows. Go some steps right (l) and some up (k)."},
     has_moved},
    {{"Enter puts a note under the cursor; a count makes it longer: 4, Enter.",
      "Put one now. On a note, Enter takes it away again."},
     has_a_note},
    {{"Go past the note with l. i is draw mode: there Enter puts a note and",
      "moves on; j and k choose its pitch. Draw three notes or more.",
      "Escape leads back to NORMAL."},
     has_a_phrase},
    {{"0 leads to the start of the bar, gg of the piece, w and b from note",
      "to note. Space plays from the cursor: listen to what you have."},
     is_playing},
    {{"Space again stops. Without a sound device the line moves all the same."},
     has_stopped},
    {{"First choose, then do. v begins a box here, and moving makes it wider;",
      "what is in it is chosen. Choose two notes or more."},
     has_box},
    {{"} raises what is chosen by a semitone, { lowers it; < > shift it,",
      "[ ] make it shorter and longer, - + softer and louder. Try one."},
     has_changed},
    {{"u undoes, and Ctrl-R does again; nothing is lost. Undo that change."},
     has_undone},
    {{"Now the machine. C goes on from where the music ends; 2C by two bars.",
      "The view goes there. What it writes is hatched: proposals, not notes",
      "of yours yet."},
     has_takes},
    {{"These are the takes: 1 2 3 4 show them, n the next, 0 the original.",
      "Space plays the bars of the one that is shown."},
     has_listened},
    {{"a accepts the take that is shown, x rejects it, r asks for more.",
      "Accept the one you like best: the view goes back to where you were."},
     has_accepted},
    {{"That is the whole of it. cc rewrites a bar, c what v chose. Ctrl-S",
      "saves, ? tells the keys, Ctrl-P finds whatever you can name.",
      "Escape ends the tutor; :tutor begins it again."},
     NULL},
};
enum { N_STEPS = sizeof STEPS / sizeof STEPS[0] };

int tutor_n_steps(void)
{
    return N_STEPS;
}

/* Of the roll, at its foot, that it covers. */
static int n_rows(const struct session *s)
{
    const struct tutor *t = s->parts.tutor;
    int n = 0;
    while (t->is_on && n < BANNER_MAX_LINES && STEPS[t->step].lines[n])
        n++;
    return n ? n + BANNER_BORDERS : 0;
}

static void begin_step(struct session *s, int step)
{
    struct tutor *t = s->parts.tutor;
    t->step = step;
    t->n_notes = n_notes(s);
    t->cursor_tick = s->cursor.tick;
    t->cursor_pitch = s->cursor.pitch;
    t->version = s->project.version;
    t->has_undone = false;
    s->roll.rows_covered = n_rows(s);
}

/* Of the states a newer one has a larger number. */
static void watch_history(struct session *s)
{
    struct tutor *t = s->parts.tutor;
    uint64_t state = history_state(s->project.history);
    t->has_undone |= state < t->state;
    t->state = state;
}

void tutor_start(struct session *s)
{
    s->parts.tutor->is_on = true;
    s->parts.tutor->state = history_state(s->project.history);
    s->message.text[0] = '\0';
    begin_step(s, 0);
}

void tutor_stop(struct session *s)
{
    s->parts.tutor->is_on = false;
    s->roll.rows_covered = 0;
}

bool tutor_is_on(const struct session *s)
{
    return s->parts.tutor->is_on;
}

bool tutor_at_end(const struct session *s)
{
    return s->parts.tutor->is_on && s->parts.tutor->step == N_STEPS - 1;
}

void tutor_skip(struct session *s)
{
    int next = s->parts.tutor->step + 1;
    if (next < N_STEPS)
        begin_step(s, next);
    else
        tutor_stop(s);
}

static void tutor_watch(struct session *s)
{
    const struct tutor *t = s->parts.tutor;
    if (!t->is_on)
        return;
    watch_history(s);
    while (t->is_on && STEPS[t->step].is_done && STEPS[t->step].is_done(s))
        begin_step(s, t->step + 1);
}

static void tutor_show(struct session *s, struct view *v)
{
    struct tutor *t = s->parts.tutor;
    if (!t->is_on)
        return;
    snprintf(t->title, sizeof t->title, "tutor, %d of %d%s", t->step + 1, N_STEPS,
             tutor_at_end(s) ? "" : "; :tutor leaves");
    v->banner.title = t->title;
    while (v->banner.n < BANNER_MAX_LINES && STEPS[t->step].lines[v->banner.n]) {
        v->banner.lines[v->banner.n] = STEPS[t->step].lines[v->banner.n];
        v->banner.n++;
    }
}

const struct editor_part TUTOR_PART = {PART_STATE(tutor), .tick = tutor_watch,
                                       .view = tutor_show};
