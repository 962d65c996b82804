/* The one file that uses ncurses, and of it only terminfo: we write the cells ourselves,
 * because ncurses cannot send an RGB colour to a terminal whose terminfo lacks it. */
#include "tui/terminal/look.h"

#include <curses.h>
#include <term.h>

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool look_init(struct look *l, int output_fd)
{
    const char *requested = getenv("CONTINUO_THEME"), *ground = getenv("COLORFGBG");
    /* "foreground;background" (rxvt); backgrounds 7 and 15 are light. */
    const char *last = ground ? strrchr(ground, ';') : NULL;
    int problem;
    if (setupterm(NULL, output_fd, &problem) != OK)
        return false;
    const char *place = tigetstr("cup");
    const bool is_ansi = place && (intptr_t)place != -1 && !strncmp(place, "\033[", 2);
    const bool is_direct = tigetflag("RGB") > 0 || tigetnum("RGB") > 0;
    *l = (struct look){
        .depth = theme_depth(getenv("TERM"), getenv("COLORTERM"), getenv("NO_COLOR"),
                             is_direct ? 1 << 24 : tigetnum("colors")),
        .is_light = last && (!strcmp(last, ";7") || !strcmp(last, ";15")),
        .ascii = getenv("CONTINUO_ASCII") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
    };
    del_curterm(cur_term);
    look_choose_theme(l, requested ? requested : "auto");
    return is_ansi;
}

static bool apply_theme(struct look *l)
{
    l->theme = theme_by_name(l->name, l->depth, l->is_light, l->ascii);
    return true;
}

bool look_choose_theme(struct look *l, const char *name)
{
    const char *known = theme_is_known(name) ? name : "auto";
    if (!strcmp(known, l->name))
        return false;
    snprintf(l->name, sizeof l->name, "%s", known);
    return apply_theme(l);
}

bool look_set_background(struct look *l, int luminance)
{
    if ((luminance > 127) == l->is_light)
        return false;
    l->is_light = luminance > 127;
    return apply_theme(l);
}
