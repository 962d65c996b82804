/* Moves notes to another track at the same time: to a track by number or name, or by so
 * many tracks. They keep their ids, so that they stay selected. */
#include "app/base/say.h"
#include "app/base/values.h"
#include "app/editor/edit/tracks.h"
#include "app/editor/session/edit.h"
#include "midi/score/notes.h"

#include <stdlib.h>
#include <string.h>

struct moving {
    struct target *notes; /* [n] */
    size_t n;
    int to, by; /* a track; or, if by is not 0, how many on */
};

static int goal(const struct moving *m, int track)
{
    return m->by ? track + m->by : m->to;
}

static void do_move(struct session *s, const struct moving *m)
{
    size_t n = 0;
    struct change *c = change_create("move to another track");
    for (size_t i = 0; i < m->n; i++) {
        int from = m->notes[i].track;
        if (from == goal(m, from))
            continue;
        struct note moved = m->notes[i].note;
        note_lose_order(&moved);
        n++;
        change_remove_note(c, from, &m->notes[i].note);
        change_add_note(c, goal(m, from), moved);
    }
    change_settle(c, s->project.score, OVERLAP_REFUSE);
    if (edit_do_some(s, c, "they are already on that track")) {
        char name[4 * sizeof((struct track *)0)->name];
        int from = m->notes[0].track; /* or the active track, if notes of it moved */
        for (size_t i = 1; i < m->n; i++)
            if (m->notes[i].track == s->view.track)
                from = s->view.track;
        s->view.track = goal(m, from);
        if (s->selection.n)
            select_with_new(s, UINT64_MAX);
        say_copy(name, sizeof name, session_track(s)->name);
        session_say(s, "%zu note%s moved to track %d%s%s", n, plural((long long)n),
                    s->view.track + 1, *name ? " " : "", name);
    }
}

/* to: used where `by` is 0. */
static void move_notes(struct session *s, int to, int by)
{
    struct moving m = {.to = to, .by = by};
    m.n = edit_targets(s, &m.notes);
    if (m.n) {
        int first = m.notes[0].track, last = m.notes[m.n - 1].track;
        if (by && (first + by < 0 || last + by >= tracks_count(s)))
            session_say(s, by < 0 ? "no track before this one"
                                  : "no track after this one: A adds one");
        else
            do_move(s, &m);
    }
    free(m.notes);
}

void act_to_track(struct session *s, const struct command *c)
{
    move_notes(s, 0, command_steps(c));
}

/* By number, or to the first with that in its name. */
void act_move_line(struct session *s, const char *word)
{
    const struct score *score = s->project.score;
    int track, n_tracks = (int)score->n_tracks;
    if (n_tracks && value_count(word, 1, n_tracks, &track))
        track--;
    else
        for (track = 0; track < n_tracks && *word; track++)
            if (strcasestr(score->tracks[track].name, word))
                break;
    if (!*word || track == n_tracks)
        session_error(s, "move: use a track's number or a part of its name");
    else
        move_notes(s, track, 0);
}
