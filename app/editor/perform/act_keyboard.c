/* Which MIDI keyboard is played: `:input NAME`, and what becomes of it. */
#include "app/editor/perform/outward.h"
#include "app/editor/perform/recorder.h"
#include "app/editor/session/act.h"
#include "app/editor/session/session.h"
#include "midi/transport/live.h"

#include <stdio.h>
#include <string.h>

static void say_state(struct session *s, const struct port_news *news)
{
    char list[160];
    port_list(news, list, sizeof list);
    switch (news->state) {
    case PORT_OPEN:
        session_say(s, "the keyboard is %s; %s", news->name, list);
        break;
    case PORT_LOST:
        session_say(s, "the keyboard %s is gone, and looked for; %s", news->name, list);
        break;
    case PORT_MISSING:
        session_say(s, "a keyboard%s%s is looked for; %s",
                    *news->wanted ? " named " : "", news->wanted, list);
        break;
    case PORT_OFF:
        session_say(s, "no MIDI keyboard is listened to; :input NAME chooses one");
        break;
    }
}

static void choose(struct session *s, const char *name)
{
    const char *wanted = strcmp(name, "any") != 0 ? name : "";
    port_remember("input", wanted);
    s->parts.rec->was_chosen = true;
    ports_choose(s->parts.rec->ports, PORT_IN, wanted);
    session_say(s,
                !strcmp(name, "none") ? "no MIDI keyboard is listened to"
                                      : "looking for the keyboard %s",
                name);
}

static void act_input_line(struct session *s, const char *text)
{
    struct port_news news;
    char name[PORT_NAME_BYTES];
    size_t n = strlen(text);
    while (n && text[n - 1] == ' ') /* Tab has put one after it */
        n--;
    snprintf(name, sizeof name, "%.*s", (int)n, text);
    if (!s->parts.rec->ports) {
        session_say(s, "MIDI keyboards are not looked for here");
    } else if (*name) {
        choose(s, name);
    } else {
        ports_news(s->parts.rec->ports, PORT_IN, &news);
        say_state(s, &news);
    }
}

static void act_monitor_line(struct session *s, const char *word)
{
    if (*word && strcmp(word, "on") != 0 && strcmp(word, "off") != 0) {
        session_error(s, ":monitor is on or off, not %s", word);
        return;
    }
    if (*word)
        s->parts.rec->monitors = !strcmp(word, "on");
    live_set_monitor(player_live(s->player), s->parts.rec->monitors);
    session_say(s, s->parts.rec->monitors
                       ? "what is played is heard"
                       : "what is played is recorded, and not heard");
}

/* The first one that is found when the program starts is no news. */
static void tell_change(struct session *s, const struct port_news *news)
{
    struct recorder *r = s->parts.rec;
    if (news->state == PORT_LOST)
        session_error(s, "the keyboard %s is gone; it is looked for", news->name);
    else if (news->state == PORT_OPEN && (r->was_lost || r->was_chosen))
        session_say(s, "the keyboard is %s", news->name);
    else if (news->state == PORT_MISSING && r->was_chosen)
        return;
    r->told_ms = live_now();
    r->was_lost = news->state == PORT_LOST;
    r->was_chosen = r->was_chosen && news->state != PORT_OPEN;
}

/* What is recorded is to be seen again after a moment. */
static void fade(struct session *s)
{
    enum { TOLD_MS = 3000 };
    struct recorder *r = s->parts.rec;
    if (!r->told_ms || live_now() - r->told_ms < TOLD_MS)
        return;
    r->told_ms = 0;
    if (r->is_on)
        s->message[0] = '\0';
}

void keyboard_watch(struct session *s)
{
    struct recorder *r = s->parts.rec;
    struct port_news news;
    fade(s);
    if (!r->ports)
        return;
    ports_news(r->ports, PORT_IN, &news);
    unsigned n_lost = news.n_overflows + live_n_lost(player_live(s->player));
    if (news.n_changes != r->n_input_changes) {
        r->n_input_changes = news.n_changes;
        tell_change(s, &news);
    }
    if (n_lost != r->n_lost)
        session_error(s, "what was played came too fast: %u time%s some of it was lost",
                      n_lost, n_lost == 1 ? "" : "s");
    r->n_lost = n_lost;
}

static const struct act_line_row LINES[] = {
    {"input", act_input_line},
    {"monitor", act_monitor_line},
    {0},
};

const struct editor_part KEYBOARD_PART = {.lines = LINES};
