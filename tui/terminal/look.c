/* See look.h. */
#include "tui/terminal/look.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool choose(struct look *l)
{
    l->theme = theme_by_name(l->name, l->depth, l->is_light, l->ascii);
    return true;
}

/* rxvt's "foreground;background": 7 and 15 are light. */
static bool is_light_ground(const char *colorfgbg)
{
    const char *last = colorfgbg ? strrchr(colorfgbg, ';') : NULL;
    return last && (!strcmp(last, ";7") || !strcmp(last, ";15"));
}

void look_init(struct look *l, const struct terminfo *t)
{
    const char *wish = getenv("CONTINUO_THEME");
    *l = (struct look){
        .depth = theme_depth(getenv("TERM"), getenv("COLORTERM"), getenv("NO_COLOR"),
                             t->direct ? 1 << 24 : t->n_colours),
        .is_light = is_light_ground(getenv("COLORFGBG")),
        .ascii = getenv("CONTINUO_ASCII") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
    };
    look_wish(l, wish ? wish : "auto");
}

bool look_wish(struct look *l, const char *name)
{
    const char *known = theme_is_known(name) ? name : "auto";
    if (!strcmp(known, l->name))
        return false;
    snprintf(l->name, sizeof l->name, "%s", known);
    return choose(l);
}

bool look_learn(struct look *l, int luminance)
{
    if ((luminance > 127) == l->is_light)
        return false;
    l->is_light = luminance > 127;
    return choose(l);
}
