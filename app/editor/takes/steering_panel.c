/* The steering panel: the values of app/generation/steer.h, changed one at a time. They
 * hold from the next request on; waiting takes do not change. */
#include "app/editor/takes/machine.h"
#include "app/decoding/styles.h"
#include "app/editor/session/list.h"
#include "tui/panels/panels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct steering_panel {
    struct steering before;                  /* the values when the panel was opened */
    struct steer_line lines[STEER_MAX_ROWS]; /* the view points at */
};

void act_steer(struct session *s)
{
    char told[160];
    if (list_toggle(s, MODE_STEER))
        s->parts.steer->before = s->steering;
    steer_tell(&s->steering, &s->parts.steer->before, told, sizeof told);
    if (*told)
        session_say(s, "from the next take on: %s", told);
}

/* The field of the chosen line. */
static const struct field *chosen_field(const struct session *s)
{
    return steer_row(s->view.lists[LIST_STEER].point);
}

bool steer_is_offered(const struct session *s, const struct steering *wanted)
{
    struct generator_progress p;
    generator_progress(s->generator, &p);
    return learnt_has(p.styles, wanted->style);
}

/* A style from a configuration, or of another model, that this one has not learnt
 * becomes a guess. */
static void follow_model(struct session *s)
{
    const int style = s->steering.style, guess = CONTINUATION_STYLE_GUESS;
    if (style == guess || steer_is_offered(s, &s->steering))
        return;
    s->steering.style = s->preferences.settings.steering.style = guess;
    session_error(s, "the model does not know the style %s: it guesses",
                  style_name((enum style)style));
}

/* Changes the chosen value by so many steps. Styles that the model has not learnt are passed
 * over. */
static void step_value(struct session *s, int by)
{
    const struct field *f = chosen_field(s);
    if (!steer_is_style(f))
        field_step(f, &s->steering, by);
    for (int i = 0; steer_is_style(f) && i < abs(by) && i < STYLE_COUNT; i++) {
        struct steering next = s->steering;
        int style;
        do {
            style = next.style;
            field_step(f, &next, by < 0 ? -1 : 1);
        } while (next.style != style && !steer_is_offered(s, &next));
        if (steer_is_offered(s, &next))
            s->steering = next;
    }
}

void act_steer_change(struct session *s, const struct command *c)
{
    step_value(s, command_steps(c));
}

void act_steer_reset(struct session *s)
{
    field_copy(chosen_field(s), &s->steering, &STEERING_DEFAULT);
}

static void fill_list(struct session *s, struct list_view *l)
{
    (void)s;
    l->n = steer_n_rows();
}

/* The wheel changes the value under the pointer. Only the chosen line has arrows. */
static bool touch(struct session *s, const struct list_box *b, int line,
                  const struct command *c)
{
    const struct steer_columns at = steer_columns_of(b);
    const int by = c->by                  ? -c->by
                   : line != b->point     ? 0
                   : c->column == at.more ? 1
                   : c->column == at.less ? -1
                                          : 0;
    if (line < 0 || !by)
        return false;
    s->view.lists[LIST_STEER].point = line;
    step_value(s, by);
    return true;
}

/* Opens the command line with the name of the chosen value, for the user to continue. */
void act_steer_type(struct session *s)
{
    char line[STEER_TEXT_BYTES];
    snprintf(line, sizeof line, "%s ", chosen_field(s)->name);
    act_open_command_line(s, line);
}

/* The valid styles are those that the model has learnt. */
const char *steer_line_wants(const struct session *s, const struct field *f,
                             char buf[FIELD_WANTS_BYTES])
{
    struct generator_progress p;
    generator_progress(s->generator, &p);
    return steer_is_style(f) ? learnt_list(p.styles, buf) : field_wants(f, NULL, buf);
}

static bool act_steer_line(struct session *s, const char *name, const char *value)
{
    char text[STEER_TEXT_BYTES], wants[FIELD_WANTS_BYTES];
    const struct field *f = steer_find(name);
    struct steering wanted = s->steering;
    if (!f)
        return false;
    field_write(f, &wanted, text, sizeof text);
    if (!*value && steer_is_flag(f)) /* the name alone toggles it */
        value = strcmp(text, "on") != 0 ? "on" : "off";
    if (field_read(f, &wanted, value) &&
        (!steer_is_style(f) || steer_is_offered(s, &wanted))) {
        s->steering = wanted;
        session_say(s, "%s %s", name, field_write(f, &wanted, text, sizeof text));
    } else {
        session_error(s, "%s must be %s; it is %s", name, steer_line_wants(s, f, wants),
                      text);
    }
    return true;
}

static void steer_view(struct session *s, struct view *v)
{
    struct steering_panel *p = s->parts.steer;
    char text[STEER_TEXT_BYTES];
    /* Each request increments the seed, so another seed is no change. */
    struct steering learnt = STEERING_DEFAULT;
    learnt.seed = s->steering.seed;
    steer_tell(&s->steering, &learnt, v->steer.summary, sizeof v->steer.summary);
    if (session_mode_behind(s) != MODE_STEER)
        return;
    struct generator_progress progress;
    generator_progress(s->generator, &progress);
    for (int i = 0; i < steer_n_rows(); i++) {
        const struct field *f = steer_row(i);
        struct steer_line *line = &p->lines[i];
        line->name = f->name;
        line->help = f->help;
        line->share = field_share(f, &s->steering);
        line->is_set = !field_is_equal(f, &s->steering, &STEERING_DEFAULT);
        const bool is_guess = steer_is_style(f) && !line->is_set && progress.style;
        snprintf(line->value, sizeof line->value, "%s%s%s",
                 field_write(f, &s->steering, text, sizeof text), is_guess ? ": " : "",
                 is_guess ? style_name(progress.style) : "");
    }
    v->steer.lines = p->lines;
}

const struct editor_part STEERING_PANEL_PART = {
    PART_STATE(steer),
    .other_line = act_steer_line,
    .view = steer_view,
    .tick = follow_model,
    .list = &(const struct list_owner){.id = LIST_STEER,
                                       .mode = MODE_STEER,
                                       .enter = CMD_STEER_TYPE,
                                       .close = CMD_STEER,
                                       .is_ring = true,
                                       .fill = fill_list,
                                       .touch = touch},
};
