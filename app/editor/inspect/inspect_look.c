/* The inspector's view: the layer and head, the direction, the tokens of a note, the
 * scale and the page; and the box of `i`, which explains it. */
#include "app/editor/inspect/inspect.h"
#include "app/editor/session/session.h"
#include "app/inspection/head_names.h"

#include <stdio.h>

bool need_heads(struct session *s)
{
    if (s->parts.inspect->n_layers > 0 && s->parts.inspect->n_heads > 0)
        return true;
    session_say(s, "the heads are not known yet: loading the model");
    return false;
}

/* Steps through -1, which is all of them, and 0 .. n - 1. */
static int step_of(int now, int by, int n)
{
    int at = (now + 1 + by) % (n + 1);
    return (at < 0 ? at + n + 1 : at) - 1;
}

void act_inspect_layer(struct session *s, const struct command *c)
{
    struct inspecting *i = s->parts.inspect;
    int by = command_steps(c);
    i->look.layer = step_of(i->look.layer, by, i->n_layers);
    if (i->look.layer < 0)
        i->look.head = -1;
    else
        i->one_layer = i->look.layer;
    inspect_change(s);
}

/* With all layers, the first head belongs to the layer shown last. */
void act_inspect_head(struct session *s, const struct command *c)
{
    struct inspecting *i = s->parts.inspect;
    int by = command_steps(c);
    if (i->look.layer < 0)
        i->look.layer = i->one_layer;
    i->look.head = step_of(i->look.head, by, i->n_heads);
    if (i->look.head >= 0)
        i->one_head = i->look.head;
    inspect_change(s);
}

/* One head, the mean of all, the strongest of them, and one head again. */
void act_inspect_many(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    if (i->look.layer >= 0 && i->look.head >= 0) {
        i->look.layer = i->look.head = -1;
        i->look.many = LOOK_MEAN;
    } else if (i->look.many == LOOK_MEAN) {
        i->look.many = LOOK_STRONGEST;
    } else {
        i->look.layer = i->one_layer;
        i->look.head = i->one_head;
        i->look.many = LOOK_MEAN;
    }
    inspect_change(s);
}

void act_inspect_way(struct session *s)
{
    struct inspected_look *look = &s->parts.inspect->look;
    look->way = look->way == LOOKS_AT ? IS_LOOKED_AT_BY : LOOKS_AT;
    session_say(s, look->way == LOOKS_AT ? "what this note attended to"
                                         : "what attended to this note");
    inspect_change(s);
}

void act_inspect_scale(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    i->scale = (i->scale + 1) % SHADE_SCALES;
    i->is_new = true;
    session_say(s, "shades are %s%s", shade_scale_name(i->scale),
                i->scale == SHADE_LOG ? ", over three decades" : "");
}

void act_inspect_part(struct session *s, const struct command *c)
{
    struct inspecting *i = s->parts.inspect;
    int n = c->count > 0 ? c->count : 1;
    i->part = step_of(i->part, n, INSPECTED_NOTE_PARTS);
    i->look.parts = i->part < 0 ? 0 : 1u << i->part;
    if (i->part < 0)
        session_say(s, "all tokens of the note");
    else
        session_say(s, "only its %s",
                    inspected_part_name((enum inspected_part)i->part));
    inspect_change(s);
}

void act_inspect_row(struct session *s)
{
    struct inspected_look *look = &s->parts.inspect->look;
    look->row = look->row == LOOK_CHOOSING ? LOOK_OWN : LOOK_CHOOSING;
    session_say(s, look->row == LOOK_CHOOSING ? "rows that chose the note"
                                              : "rows of the note itself");
    inspect_change(s);
}

void act_inspect_page(struct session *s, const struct command *c)
{
    struct inspecting *i = s->parts.inspect;
    i->page = (i->page + INSPECT_PAGES + c->by) % INSPECT_PAGES;
    inspect_change(s);
}

void act_inspect_matters(struct session *s)
{
    act_toggle(s, &s->parts.inspect->asks_who_matters,
               "leaving out the strongest notes one by one", "what it attended to");
    inspect_change(s);
}

void act_inspect_live(struct session *s)
{
    act_toggle(s, &s->parts.inspect->is_live, "follows the note being written",
               "stays at this note");
}

/* -- the box of `i`: the name of the shown head, the meaning of colours and numbers on the
 * roll, and what a nat is -- */

enum { LINE_BYTES = 128 };

void inspect_explain(struct session *s, struct view *v)
{
    static char head[LINE_BYTES]; /* UI thread only */
    const struct inspecting *i = s->parts.inspect;
    if (!i->explains || s->view.mode != MODE_INSPECT)
        return;
    const char *colours =
        i->view.shows_surprise
            ? "Colours show how surprising each note was. 1 to 5: the most surprising "
              "here."
        : i->view.is_looked_at
            ? "Black or white: the inspected note. 1 to 5: what attended to it most."
            : "Black or white: the inspected note. 1 to 5: what it attended to most.";
    v->banner.title = "explanation; i closes it";
    const char *name = i->view.head_name ? i->view.head_name : "";
    const char *meaning = head_name_meaning(name);
    if (i->view.layer < 0 || i->view.head < 0)
        snprintf(head, LINE_BYTES,
                 "%s of several heads; ] } choose a layer and a head.",
                 i->view.is_strongest ? "The strongest" : "The mean");
    else if (*meaning)
        snprintf(head, LINE_BYTES, "“%s” attends to %s.", name, meaning);
    else
        snprintf(head, LINE_BYTES,
                 "This head has no name: the model was not surveyed.");
    v->banner.lines[0] = head;
    v->banner.lines[1] = colours;
    v->banner.lines[2] =
        "Surprise is in nats: 0 is certain, 1 is a chance of 37 %, 2 of 14 %.";
    v->banner.n = 3;
}

void act_inspect_explain(struct session *s)
{
    s->parts.inspect->explains = !s->parts.inspect->explains;
}
