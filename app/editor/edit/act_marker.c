/* Markers: names for places of the piece, set at the cursor and gone to. */
#include "app/editor/session/edit.h"
#include "app/base/place.h"
#include "midi/edit/signs.h"

#include <string.h>

/* The last that begins under the cursor; false: none does. */
static bool marker_here(const struct session *s, struct sign *out)
{
    struct signs all;
    bool found = false;
    int64_t end = grid_next(s, s->cursor_tick);
    if (signs_collect(&all, s->project.score, SIGN(SIGN_MARKER)))
        return false;
    for (size_t i = signs_first_at(&all, s->cursor_tick);
         i < all.n && all.list[i].tick < end; i++) {
        *out = all.list[i];
        found = true;
    }
    signs_fini(&all);
    return found;
}

static const char *marker_text_here(struct session *s, char *buf, size_t n)
{
    struct sign g;
    buf[0] = '\0';
    return marker_here(s, &g) ? sign_copy(s->project.score, &g, buf, n) : buf;
}

/* A text of its own stays as the file has it when it was only looked at. */
static void act_marker_line(struct session *s, const char *text)
{
    struct sign g;
    char before[sizeof s->input], place[PLACE_BYTES];
    bool is_there = marker_here(s, &g);
    if (!strcmp(text, marker_text_here(s, before, sizeof before))) {
        if (!is_there)
            session_say(s, "no marker: it wants a text");
        return;
    }
    int64_t tick = is_there ? g.tick : s->cursor_tick;
    struct change *c = change_create(*text ? "marker" : "remove a marker");
    enum midi_status st =
        c ? change_set_text(c, s->project.score, SIGN_MARKER, tick, text)
          : MIDI_NO_MEMORY;
    if (edit_do(s, c, st))
        session_say(s, *text ? "marker at %s" : "no marker at %s any more",
                    place_name(&s->project.score->timeline, tick, place));
}

/* The next marker's index, or the one before's; -1: there is none. */
static int neighbour(const struct signs *all, int64_t tick, bool forwards)
{
    size_t after = signs_first_at(all, forwards ? tick + 1 : tick);
    if (forwards)
        return after < all->n ? (int)after : -1;
    return (int)after - 1;
}

static bool step(struct session *s, const struct signs *all, bool forwards)
{
    char text[96];
    int i = neighbour(all, s->cursor_tick, forwards);
    if (i < 0)
        return false;
    s->cursor_tick = all->list[i].tick;
    session_say(s, "%s", sign_copy(s->project.score, &all->list[i], text, sizeof text));
    return true;
}

static void act_marker_step(struct session *s, const struct command *c)
{
    struct signs all;
    int n = 0, times = command_times(c);
    bool forwards = c->id == CMD_MARKER_NEXT;
    if (signs_collect(&all, s->project.score, SIGN(SIGN_MARKER)))
        return;
    while (n < times && step(s, &all, forwards))
        n++;
    if (!all.n)
        session_say(s, "no markers yet: m sets one");
    else if (!n)
        session_say(s, forwards ? "no marker after this" : "no marker before this");
    signs_fini(&all);
    session_show_cursor(s);
}

static const struct prompt_row PROMPTS[] = {
    {PROMPT_MARKER, CMD_MARKER, "marker: ", NULL, marker_text_here, act_marker_line},
    {0},
};

static const struct act_row COMMANDS[] = {
    {CMD_MARKER_NEXT, act_marker_step},
    {CMD_MARKER_PREVIOUS, act_marker_step},
    {0},
};

const struct editor_part MARKER_PART = {.commands = COMMANDS, .prompts = PROMPTS};
