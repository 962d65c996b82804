#include "app/editor/shell/shell.h"

#include <stdio.h>
#include <string.h>

/* The state that a step waits for. */
enum goal {
    TO_MOVE,
    TO_PUT_A_NOTE,
    TO_DRAW_A_PHRASE,
    TO_PLAY,
    TO_STOP,
    TO_SELECT,
    TO_CHANGE,
    TO_UNDO,
    TO_GET_TAKES,
    TO_LISTEN,
    TO_READ,
};

static bool is_reached(const struct session *s, enum goal goal)
{
    const struct tutor *t = s->parts.tutor;
    const struct proposal *take = proposals_shown(&s->takes);
    switch (goal) {
    case TO_MOVE:
        return s->view.cursor.tick != t->cursor.tick &&
               s->view.cursor.pitch != t->cursor.pitch;
    case TO_PUT_A_NOTE:
        return score_n_notes(s->project.score) > t->n_notes;
    case TO_DRAW_A_PHRASE:
        return score_n_notes(s->project.score) >= t->n_notes + 3;
    case TO_PLAY:
        return player_is_playing(s->player);
    case TO_STOP:
        return !player_is_playing(s->player);
    case TO_SELECT:
        return s->view.mode == MODE_SELECT && s->selection.n >= 2;
    case TO_CHANGE:
        return s->project.version != t->version;
    case TO_UNDO:
        return t->has_undone;
    case TO_GET_TAKES:
        return s->has_take && take && take->n_waiting > 0;
    case TO_LISTEN:
        return player_is_playing(s->player) || !s->has_take;
    default:
        return false;
    }
}

static const struct step {
    const char *lines[BANNER_MAX_LINES];
    enum goal goal;
} STEPS[] = {
    {{"This is the roll: time goes right, pitch goes up. h j k l or the",
      "arrows move the cursor. Move some steps right (l) and up (k)."},
     TO_MOVE},
    {{"Enter puts a note under the cursor; a count makes it longer: 4, Enter.",
      "Put one now. On a note, Enter removes it."},
     TO_PUT_A_NOTE},
    {{"Move past the note with l. i begins draw mode: Enter puts a note and",
      "moves on; j and k choose its pitch. Draw three notes or more.",
      "Escape goes back to NORMAL."},
     TO_DRAW_A_PHRASE},
    {{"gg goes to the start of the piece, 0 to the start of the bar, w and b",
      "to other notes. Space plays from the cursor; if it is after your",
      "notes, it goes back to them here. Listen to your notes."},
     TO_PLAY},
    {{"Space again stops. Without a sound device only the line moves."}, TO_STOP},
    {{"First select, then act. v begins a box, and moving makes it larger.",
      "The notes in it are selected. Select two notes or more."},
     TO_SELECT},
    {{"} raises the selection by a semitone, { lowers it; < > move it,",
      "[ ] make it shorter and longer, - + softer and louder. Try one."},
     TO_CHANGE},
    {{"u undoes, Ctrl-R redoes; nothing is lost. Undo that change."}, TO_UNDO},
    {{"Now the machine. C continues the music at its end; 2C by two bars.",
      "The view moves there. The new notes are hatched: they are proposals,",
      "not part of your music yet."},
     TO_GET_TAKES},
    {{"These are the takes: 1 2 3 4 show them, n the next, 0 the original.",
      "Space plays the bars of the shown take."},
     TO_LISTEN},
    {{"a accepts the shown take, x rejects it, r makes more.",
      "Accept the one you like best: the view goes back to where you were."},
     TO_PUT_A_NOTE},
    {{"That is all. cc rewrites a bar, c rewrites a selection. Ctrl-S",
      "saves, ? shows the keys, Ctrl-P finds any command by its words.",
      "Escape ends the tutor; :tutor starts it again."},
     TO_READ},
};
enum { N_STEPS = sizeof STEPS / sizeof STEPS[0] };

static void begin_step(struct session *s, int step)
{
    struct tutor *t = s->parts.tutor;
    int n = 0;
    t->step = step;
    t->n_notes = score_n_notes(s->project.score);
    t->cursor = s->view.cursor;
    t->version = s->project.version;
    t->has_undone = false;
    while (n < BANNER_MAX_LINES && STEPS[step].lines[n])
        n++;
    s->roll.rows_covered = n + BANNER_BORDERS;
}

void tutor_start(struct session *s)
{
    s->parts.tutor->is_on = true;
    s->parts.tutor->state = history_state(s->project.history);
    s->parts.tutor->first_id = s->project.score->next_id;
    s->view.message.text[0] = '\0';
    begin_step(s, 0);
}

static void tutor_stop(struct session *s)
{
    s->parts.tutor->is_on = false;
    s->roll.rows_covered = 0;
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

/* If the cursor is after all notes that were put since the tutor began, nothing would sound, so
 * playing begins at the first of them. */
static void play_drawn(struct session *s)
{
    const struct score *score = s->project.score;
    int64_t first = INT64_MAX, last = -1;
    for (size_t t = 0; t < score->n_tracks; t++)
        for (size_t i = 0; i < score->tracks[t].n_notes; i++) {
            const struct note *n = &score->tracks[t].notes[i];
            if (n->id < s->parts.tutor->first_id)
                continue;
            first = n->start < first ? n->start : first;
            last = n->start > last ? n->start : last;
        }
    if (last < 0 || s->view.cursor.tick <= last)
        return;
    session_go_to(s, first);
    player_seek(s->player, first);
}

void act_tutor_line(struct session *s, const char *word)
{
    if (!s->parts.tutor->is_on)
        tutor_start(s);
    else if (!strcmp(word, "next"))
        tutor_skip(s);
    else
        tutor_stop(s);
}

static void tutor_watch(struct session *s)
{
    struct tutor *t = s->parts.tutor;
    uint64_t state = history_state(s->project.history);
    if (!t->is_on)
        return;
    t->has_undone |= state < t->state; /* a newer state has a larger number */
    t->state = state;
    while (t->is_on && is_reached(s, STEPS[t->step].goal)) {
        if (STEPS[t->step].goal == TO_PLAY)
            play_drawn(s);
        begin_step(s, t->step + 1);
    }
}

static void tutor_show(struct session *s, struct view *v)
{
    struct tutor *t = s->parts.tutor;
    if (!t->is_on || s->view.mode == MODE_INSPECT)
        return;
    snprintf(t->title, sizeof t->title, "tutor, %d of %d%s", t->step + 1, N_STEPS,
             tutor_at_end(s) ? "" : "; :tutor ends it");
    v->banner.title = t->title;
    memcpy(v->banner.lines, STEPS[t->step].lines, sizeof v->banner.lines);
    v->banner.n = s->roll.rows_covered - BANNER_BORDERS;
}

static bool escape(struct session *s)
{
    const bool ends = tutor_at_end(s) && !s->selection.n && s->view.mode == MODE_NORMAL;
    if (ends)
        tutor_stop(s);
    return ends;
}

const struct editor_part TUTOR_PART = {PART_STATE(tutor), .tick = tutor_watch,
                                       .view = tutor_show, .escape = escape};
