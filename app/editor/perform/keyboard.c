/* Chooses the MIDI keyboard (`:input NAME`), and tells the user what becomes of it. */
#include "app/editor/perform/external_output.h"
#include "app/editor/perform/recorder.h"
#include "app/editor/session/session.h"
#include "midi/transport/live.h"

#include <stdio.h>
#include <string.h>

struct keyboard {
    bool is_unheard; /* it is recorded, and not heard */
    unsigned n_changes, n_lost;
    bool was_lost, was_chosen; /* what comes of it is told, */
    double told_ms;            /* and when it was; 0: long ago */
};

static void say_state(struct session *s, const struct port_status *news)
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
    s->parts.keyboard->was_chosen = true;
    ports_choose(recorder_ports(s), PORT_IN, wanted);
    session_say(s,
                !strcmp(name, "none") ? "no MIDI keyboard is listened to"
                                      : "looking for the keyboard %s",
                name);
}

static void act_input_line(struct session *s, const char *text)
{
    struct port_status news;
    char name[PORT_NAME_BYTES];
    size_t n = strlen(text);
    while (n && text[n - 1] == ' ') /* Tab has put one after it */
        n--;
    snprintf(name, sizeof name, "%.*s", (int)n, text);
    if (!recorder_ports(s)) {
        session_say(s, "MIDI keyboards are not looked for here");
    } else if (*name) {
        choose(s, name);
    } else {
        ports_status(recorder_ports(s), PORT_IN, &news);
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
        s->parts.keyboard->is_unheard = strcmp(word, "on") != 0;
    live_set_monitor(player_live(s->player), !s->parts.keyboard->is_unheard);
    session_say(s, s->parts.keyboard->is_unheard
                       ? "what is played is recorded, and not heard"
                       : "what is played is heard");
}

/* The first one that is found when the program starts is no news. */
static void tell_change(struct session *s, const struct port_status *news)
{
    struct keyboard *k = s->parts.keyboard;
    if (news->state == PORT_LOST)
        session_error(s, "the keyboard %s is gone; it is looked for", news->name);
    else if (news->state == PORT_OPEN && (k->was_lost || k->was_chosen))
        session_say(s, "the keyboard is %s", news->name);
    else if (news->state == PORT_MISSING && k->was_chosen)
        return;
    k->told_ms = clock_now_ms();
    k->was_lost = news->state == PORT_LOST;
    k->was_chosen = k->was_chosen && news->state != PORT_OPEN;
}

/* What is recorded is to be seen again after a moment. */
static void fade(struct session *s)
{
    enum { TOLD_MS = 3000 };
    struct keyboard *k = s->parts.keyboard;
    if (!k->told_ms || clock_now_ms() - k->told_ms < TOLD_MS)
        return;
    k->told_ms = 0;
    if (recorder_is_on(s))
        s->message.text[0] = '\0';
}

void keyboard_watch(struct session *s)
{
    struct keyboard *k = s->parts.keyboard;
    struct port_status news;
    fade(s);
    if (!recorder_ports(s))
        return;
    ports_status(recorder_ports(s), PORT_IN, &news);
    unsigned n_lost = news.n_overflows + live_n_lost(player_live(s->player));
    if (news.n_changes != k->n_changes) {
        k->n_changes = news.n_changes;
        tell_change(s, &news);
    }
    if (n_lost != k->n_lost)
        session_error(s, "what was played came too fast: %u time%s some of it was lost",
                      n_lost, plural(n_lost));
    k->n_lost = n_lost;
}

const struct editor_part KEYBOARD_PART = {
    PART_STATE(keyboard),
    ON_LINES({"input", .run = act_input_line}, {"monitor", .run = act_monitor_line}),
};
