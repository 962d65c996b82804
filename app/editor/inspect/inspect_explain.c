/* The box of `i`: the name of the shown head, the meaning of colours and numbers on the
 * roll, and what a nat is. */
#include "app/editor/inspect/inspect.h"
#include "app/editor/session/session.h"
#include "app/inspection/head_profile.h"

#include <stdio.h>

enum { LINE_BYTES = 128 };

static const char *head_line(const struct inspect_view *v, char buf[LINE_BYTES])
{
    const char *name = v->head_name ? v->head_name : "";
    const char *meaning = head_name_meaning(name);
    if (v->layer < 0 || v->head < 0)
        snprintf(buf, LINE_BYTES, "%s of several heads; ] } choose a layer and a head.",
                 v->is_strongest ? "The strongest" : "The mean");
    else if (*meaning)
        snprintf(buf, LINE_BYTES, "“%s” looks at %s.", name, meaning);
    else
        snprintf(buf, LINE_BYTES,
                 "This head has no known name: nobody has surveyed the model.");
    return buf;
}

static const char *colours_line(const struct inspect_view *v)
{
    return v->shows_surprise
               ? "Colours say how surprising each note was. 1 to 5: the most, in sight."
           : v->is_looked_at
               ? "White is the note asked about. 1 to 5: those that looked at it most."
               : "White is the note asked about. 1 to 5: those it looked at most.";
}

static void explain(struct session *s, struct view *v)
{
    static char head[LINE_BYTES]; /* UI thread only */
    const struct inspecting *i = s->parts.inspect;
    if (!i->explains || s->mode != MODE_INSPECT)
        return;
    v->banner.title = "what is shown; i closes";
    v->banner.lines[0] = head_line(&i->view, head);
    v->banner.lines[1] = colours_line(&i->view);
    v->banner.lines[2] =
        "Surprise is in nats: 0 is certain, 1 is a chance of 37 %, 2 of 14 %.";
    v->banner.n = 3;
}

static void act_explain(struct session *s)
{
    s->parts.inspect->explains = !s->parts.inspect->explains;
}

const struct editor_part INSPECT_EXPLAIN_PART = {
    ON_COMMANDS({{CMD_INSPECT_EXPLAIN}, .plain = act_explain}),
    .view = explain,
};
