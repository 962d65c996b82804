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
        .ascii = getenv("CONTINUO_ASCII") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
    };
    del_curterm(cur_term);
    look_set(l, requested ? requested : "auto",
             last && (!strcmp(last, ";7") || !strcmp(last, ";15")));
    return is_ansi;
}

bool look_set(struct look *l, const char *name, bool is_light)
{
    const char *known = theme_is_known(name) ? name : "auto";
    if (!strcmp(known, l->name) && is_light == l->is_light)
        return false;
    if (known != l->name)
        snprintf(l->name, sizeof l->name, "%s", known);
    l->is_light = is_light;
    l->theme = theme_by_name(l->name, l->depth, is_light, l->ascii);
    return true;
}
