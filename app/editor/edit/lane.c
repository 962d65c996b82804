/* Reads and writes the lane's values: velocities of notes and events of a controller
 * are both points in time. */
#include "app/editor/edit/lane.h"
#include "midi/base/array.h"

#include "app/editor/session/edit.h"
#include "tui/base/names.h"

#include <stdlib.h>

struct control lane_shown(const struct session *s)
{
    return s->parts.lane->shown;
}

bool lane_is_of_notes(const struct session *s)
{
    return lane_shown(s).kind == CONTROL_VELOCITY;
}

struct edit_span lane_time(const struct session *s, bool *is_span)
{
    int64_t a = s->parts.lane->anchor, b = s->view.cursor.tick;
    *is_span = s->view.mode == MODE_LANE && s->parts.lane->has_anchor;
    if (!*is_span)
        a = b;
    return (struct edit_span){a < b ? a : b, grid_next(s, a < b ? b : a)};
}

const struct control_point *lane_own(const struct session *s, size_t *n)
{
    *n = 0;
    if (!lane_points_update(s->parts.lane->points, s->project.score, s->project.version,
                            s->view.track, lane_shown(s)))
        return NULL;
    return lane_points_own(s->parts.lane->points, n);
}

/* Notes of the active track that begin in that time: [*first, *end). */
static void notes_in(const struct session *s, struct edit_span t, size_t *first,
                     size_t *end)
{
    *first = score_first_note_at(s->project.score, s->view.track, t.from);
    *end = score_first_note_at(s->project.score, s->view.track, t.to);
}

/* Whether only selected notes count: some are selected and, for a longer span, more than
 * the one that a click selects. */
static bool means_selected(const struct session *s, struct edit_span time, size_t first,
                           size_t end)
{
    const struct track *t = session_track(s);
    size_t least = time.to - time.from > session_grid_ticks(s) ? 2 : 1;
    if (s->selection.n < least)
        return false;
    for (size_t i = first; i < end; i++)
        if (select_has(s, t->notes[i].id))
            return true;
    return false;
}

bool lane_read(struct session *s, struct edit_span time, struct control_point **out,
               size_t *n)
{
    const struct track *t = session_track(s);
    const struct control_point *own = NULL;
    size_t first = 0, end = 0, n_own;
    bool some = false;
    if (t && lane_is_of_notes(s)) {
        notes_in(s, time, &first, &end);
        some = means_selected(s, time, first, end);
    } else if (t && (own = lane_own(s, &n_own))) {
        first = ARRAY_FIRST_AT(own, n_own, time.from);
        end = ARRAY_FIRST_AT(own, n_own, time.to);
    }
    *n = 0;
    *out = calloc(end > first ? end - first + 1 : 1, sizeof **out);
    if (!*out)
        return session_no_memory(s);
    for (size_t i = first; i < end; i++)
        if (own)
            (*out)[(*n)++] = own[i];
        else if (!some || select_has(s, t->notes[i].id))
            (*out)[(*n)++] =
                (struct control_point){t->notes[i].start, t->notes[i].velocity};
    return true;
}

bool lane_write(struct session *s, struct edit_span t, struct control_point *points,
                size_t n)
{
    char name[CONTROL_NAME_BYTES];
    if (!session_need_track(s))
        return false;
    int least = control_least(lane_shown(s)), most = control_most(lane_shown(s));
    for (size_t i = 0; i < n; i++)
        points[i].value = points[i].value < least  ? least
                          : points[i].value > most ? most
                                                   : points[i].value;
    struct change *c = change_create(control_name(lane_shown(s), name));
    if (!lane_is_of_notes(s))
        change_control(c, s->project.score, s->view.track, lane_shown(s), t.from, t.to,
                       points, n);
    size_t first = 0, end = 0, at = 0;
    if (lane_is_of_notes(s))
        notes_in(s, t, &first, &end);
    const bool some = first < end && means_selected(s, t, first, end);
    for (size_t i = first; i < end && at < n; i++) {
        const struct note *note = &session_track(s)->notes[i];
        struct note after = *note;
        if (some && !select_has(s, note->id))
            continue;
        after.velocity = (uint8_t)points[at++].value;
        if (after.velocity != note->velocity)
            change_replace_note(c, s->view.track, note, after);
    }
    if (!change_status(c) && c->n_edits == 0) { /* it is so already */
        change_destroy(c);
        return true;
    }
    return edit_do(s, c);
}

int lane_held(const struct session *s, int64_t tick)
{
    size_t n, first, end;
    int loudest = -1;
    if (!lane_is_of_notes(s)) {
        const struct control_point *own = lane_own(s, &n);
        return control_held(own, n, tick, lane_shown(s));
    }
    const struct track *t = session_track(s);
    if (!t)
        return -1;
    notes_in(s, (struct edit_span){tick, grid_next(s, tick)}, &first, &end);
    for (size_t i = first; i < end; i++)
        if (t->notes[i].velocity > loudest)
            loudest = t->notes[i].velocity;
    return loudest;
}

/* Whether the lane's values can be changed; if not, tells the user. */
bool lane_is_editable(struct session *s)
{
    char name[CONTROL_NAME_BYTES];
    bool is_editable = control_is_editable(lane_shown(s));
    if (!is_editable)
        session_say(s, "%s can only be shown; gE shows another lane",
                    control_name(lane_shown(s), name));
    return is_editable;
}
