/* Moves notes to another track without moving them in time. Notes keep their ids, so they stay
 * selected. */
#include "app/base/say.h"
#include "app/base/values.h"
#include "app/editor/edit/reshape.h"
#include "app/editor/edit/tracks.h"
#include "midi/score/notes.h"

#include <string.h>

/* Moves the targets to track `to` or, if `by` is not 0, by that many tracks. */
static void move_notes(struct session *s, int to, int by)
{
    char name[4 * sizeof((struct track *)0)->name];
    struct reshape r;
    if (!reshape_begin(&r, s))
        return;
    const int first = r.before[0].track, last = r.before[r.n - 1].track;
    int from = first; /* or the active track, if notes of it move */
    for (size_t i = 0; i < r.n; i++)
        if (r.before[i].track == s->view.track)
            from = s->view.track;
    const int active = by ? from + by : to;
    if (by && (first + by < 0 || last + by >= tracks_count(s))) {
        session_say(s, by < 0 ? "no track before this one"
                              : "no track after this one: A adds one");
        reshape_forget(&r);
        return;
    }
    for (size_t i = 0; i < r.n; i++) {
        const int goal = by ? r.before[i].track + by : to;
        struct note moved = r.before[i].note;
        if (goal == r.before[i].track)
            continue;
        note_lose_order(&moved);
        r.after[i].pitch = PITCH_GONE;
        change_add_note(r.added, goal, moved);
    }
    if (!change_status(r.added) && !r.added->n_edits) {
        session_say(s, "%s already on that track", r.n == 1 ? "it is" : "they are");
        reshape_forget(&r);
        return;
    }
    say_copy(name, sizeof name, s->project.score->tracks[active].name);
    if (!reshape_do(&r, OVERLAP_REFUSE, "move", " to track %d%s%s", active + 1,
                    *name ? " " : "", name))
        return;
    s->view.track = active;
    if (s->selection.n)
        select_with_new(s, UINT64_MAX);
}

void act_to_track(struct session *s, const struct command *c)
{
    move_notes(s, 0, command_steps(c));
}

/* The word is the number of a track, or a part of its name. */
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
