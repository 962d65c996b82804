#include "tui/terminal/terminfo.h"

#include <curses.h>
#include <term.h>

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
