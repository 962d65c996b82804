/* The one file that uses ncurses: we write the cells ourselves, because ncurses cannot send
 * an RGB colour to a terminal whose terminfo lacks it. */
#include "tui/terminal/look.h"

#include <curses.h>
#include <term.h>

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Copies a capability without its padding, $<5>. One that is too long becomes "". */
static void copy_string(char out[TERMINFO_BYTES], const char *name)
{
    const char *from = tigetstr(name);
    size_t n = 0;
    out[0] = '\0';
    if (!from || (intptr_t)from == -1)
        return;
    while (*from) {
        const char *end = from[0] == '$' && from[1] == '<' ? strchr(from, '>') : NULL;
        if (end) {
            from = end + 1;
            continue;
        }
        if (n + 1 == TERMINFO_BYTES) {
            out[0] = '\0';
            return;
        }
        out[n++] = *from++;
    }
    out[n] = '\0';
}

bool terminfo_read(struct terminfo *t, int output_fd)
{
    char place[TERMINFO_BYTES];
    int problem;
    memset(t, 0, sizeof *t);
    if (setupterm(NULL, output_fd, &problem) != OK)
        return false;
    t->n_colours = tigetnum("colors");
    t->direct = tigetflag("RGB") > 0 || tigetnum("RGB") > 0;
    copy_string(place, "cup");
    t->ansi = !strncmp(place, "\033[", 2);
    copy_string(t->enter, "smcup");
    copy_string(t->leave, "rmcup");
    copy_string(t->show, "cnorm");
    copy_string(t->hide, "civis");
    del_curterm(cur_term);
    return true;
}

static bool choose(struct look *l)
{
    l->theme = theme_by_name(l->name, l->depth, l->is_light, l->ascii);
    return true;
}

void look_init(struct look *l, const struct terminfo *t)
{
    const char *wish = getenv("CONTINUO_THEME"), *ground = getenv("COLORFGBG");
    /* "foreground;background" (rxvt); backgrounds 7 and 15 are light. */
    const char *last = ground ? strrchr(ground, ';') : NULL;
    *l = (struct look){
        .depth = theme_depth(getenv("TERM"), getenv("COLORTERM"), getenv("NO_COLOR"),
                             t->direct ? 1 << 24 : t->n_colours),
        .is_light = last && (!strcmp(last, ";7") || !strcmp(last, ";15")),
        .ascii = getenv("CONTINUO_ASCII") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
    };
    look_choose_theme(l, wish ? wish : "auto");
}

bool look_choose_theme(struct look *l, const char *name)
{
    const char *known = theme_is_known(name) ? name : "auto";
    if (!strcmp(known, l->name))
        return false;
    snprintf(l->name, sizeof l->name, "%s", known);
    return choose(l);
}

bool look_set_background(struct look *l, int luminance)
{
    if ((luminance > 127) == l->is_light)
        return false;
    l->is_light = luminance > 127;
    return choose(l);
}
