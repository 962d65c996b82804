/* Markers name places of the piece: sets them at the cursor, and goes to them. */
#include "app/editor/session/edit.h"
#include "midi/base/array.h"
#include "app/base/values.h"
#include "midi/edit/timeline_events.h"

#include <string.h>

/* The last that begins under the cursor; false: none does. */
static bool marker_here(const struct session *s, struct timeline_event *out)
{
    struct timeline_events all;
    bool found = false;
    int64_t end = grid_next(s, s->cursor.tick);
    if (timeline_events_collect(&all, s->project.score, TIMELINE_BIT(TIMELINE_MARKER)))
        return false;
    for (size_t i = ARRAY_FIRST_AT(all.list, all.n, s->cursor.tick);
         i < all.n && all.list[i].tick < end; i++) {
        *out = all.list[i];
        found = true;
    }
    timeline_events_fini(&all);
    return found;
}

static const char *marker_text_here(struct session *s, char *buf, size_t n)
{
    struct timeline_event g;
    buf[0] = '\0';
    return marker_here(s, &g) ? timeline_event_copy_text(s->project.score, &g, buf, n)
                              : buf;
}

/* A text of its own stays as the file has it when it was only looked at. */
static void act_marker_line(struct session *s, const char *text)
{
    struct timeline_event g;
    char before[sizeof s->prompt.text], place[PLACE_BYTES];
    bool is_there = marker_here(s, &g);
    if (!strcmp(text, marker_text_here(s, before, sizeof before))) {
        if (!is_there)
            session_say(s, "no marker: it wants a text");
        return;
    }
    int64_t tick = is_there ? g.tick : s->cursor.tick;
    struct change *c = change_create(*text ? "marker" : "remove a marker");
    enum midi_status st =
        c ? change_set_text(c, s->project.score, TIMELINE_MARKER, tick, text)
          : MIDI_NO_MEMORY;
    if (edit_do(s, c, st))
        session_say(s, *text ? "marker at %s" : "no marker at %s any more",
                    place_name(session_timeline(s), tick, place));
}

/* The next marker's index, or the one before's; -1: there is none. */
static int neighbour(const struct timeline_events *all, int64_t tick, bool forwards)
{
    size_t after = ARRAY_FIRST_AT(all->list, all->n, forwards ? tick + 1 : tick);
    if (forwards)
        return after < all->n ? (int)after : -1;
    return (int)after - 1;
}

static bool step(struct session *s, const struct timeline_events *all, bool forwards)
{
    char text[96];
    int i = neighbour(all, s->cursor.tick, forwards);
    if (i < 0)
        return false;
    s->cursor.tick = all->list[i].tick;
    session_say(
        s, "%s",
        timeline_event_copy_text(s->project.score, &all->list[i], text, sizeof text));
    return true;
}

static void act_marker_step(struct session *s, const struct command *c)
{
    struct timeline_events all;
    int n = 0, times = command_times(c);
    bool forwards = c->id == CMD_MARKER_NEXT;
    if (timeline_events_collect(&all, s->project.score, TIMELINE_BIT(TIMELINE_MARKER)))
        return;
    while (n < times && step(s, &all, forwards))
        n++;
    if (!all.n)
        session_say(s, "no markers yet: m sets one");
    else if (!n)
        session_say(s, forwards ? "no marker after this" : "no marker before this");
    timeline_events_fini(&all);
    session_show_cursor(s);
}

const struct editor_part MARKERS_PART = {
    ON_COMMANDS({{CMD_MARKER_NEXT, CMD_MARKER_PREVIOUS}, .run = act_marker_step}),
    ON_PROMPTS({PROMPT_MARKER, CMD_MARKER, "marker: ", NULL, marker_text_here,
                act_marker_line}),
};
