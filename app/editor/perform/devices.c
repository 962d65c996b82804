/* `:input`, `:output` and `:monitor`: the MIDI keyboard and the external instrument.
 * They tell the user when a device comes or goes, and what was lost. */
#include "app/editor/takes/takes.h"
#include "app/editor/perform/complete.h"
#include "app/editor/perform/devices.h"
#include "app/editor/perform/recorder.h"
#include "app/editor/session/session.h"

#include "app/base/paths.h"
#include "app/base/values.h"

#include <stdio.h>
#include <string.h>

struct devices {
    struct device {
        unsigned n_changes, n_lost; /* reported to the user */
        bool was_lost, was_chosen;  /* the user is told the outcome */
    } of[PORT_SIDES];
    double told_ms;  /* when news of the keyboard was last shown; 0: long ago */
    bool is_unheard; /* the keyboard is recorded but not heard */
};

/* Cuts that last word off a text, and spaces; false: it has another. */
static bool take_word(char *text, const char *word)
{
    size_t n = strlen(text), n_word = strlen(word);
    while (n && text[n - 1] == ' ')
        text[--n] = '\0';
    if (n < n_word || strcmp(text + n - n_word, word) != 0 ||
        (n > n_word && text[n - n_word - 1] != ' '))
        return false;
    text[n - n_word] = '\0';
    return true;
}

void output_request_parse(struct output_request *r, const char *text)
{
    char rest[OUTPUT_REQUEST_BYTES];
    bool takes = true;
    *r = (struct output_request){0};
    snprintf(rest, sizeof rest, "%s", text);
    while (takes) {
        bool only = take_word(rest, "only"), click = take_word(rest, "click");
        r->is_only |= only;
        r->has_clicks |= click;
        takes = only || click;
    }
    bool any = !strcmp(rest, "any");
    snprintf(r->name, sizeof r->name, "%.*s", PORT_NAME_BYTES - 1, any ? "" : rest);
}

void output_begin(struct session *s, const struct output_request *r)
{
    output_set_only(player_output(s->player), r->is_only);
    output_set_clicks(player_output(s->player), r->has_clicks);
}

static const struct words {
    const char *it, *one, *is_open, *is_off;
} WORDS[PORT_SIDES] = {
    [PORT_IN] = {"the keyboard", "a keyboard", "the keyboard is",
                 "no MIDI keyboard is used"},
    [PORT_OUT] = {"the instrument", "an instrument", "the piece is played on",
                  "no instrument is used"},
};

static const char *alone(const struct session *s, enum port_side side)
{
    bool is_only = side == PORT_OUT && output_is_only(player_output(s->player));
    return is_only ? ", without the synth" : "";
}

static void say_state(struct session *s, enum port_side side)
{
    char list[160];
    struct port_status news;
    const struct words *w = &WORDS[side];
    ports_status(recorder_ports(s), side, &news);
    size_t n = (size_t)snprintf(list, sizeof list,
                                news.n_devices ? "available: " : "none is connected");
    for (int i = 0; i < news.n_devices && n < sizeof list; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "",
                              news.devices[i]);
    if (news.state == PORT_OPEN)
        session_say(s, "%s %s%s; %s", w->is_open, news.name, alone(s, side), list);
    else if (news.state == PORT_OFF && side == PORT_IN)
        session_say(s, "%s; :input NAME chooses one", w->is_off);
    else if (news.state == PORT_OFF)
        session_say(s, "%s; :output NAME chooses one; %s", w->is_off, list);
    else if (news.state == PORT_LOST && side == PORT_IN)
        session_say(s, "the keyboard %s was disconnected; %s", news.name, list);
    else
        session_say(s, "waiting for %s%s%s; %s", w->one, *news.wanted ? " named " : "",
                    news.wanted, list);
}

/* The first device found at the start is not reported. */
static void tell_change(struct session *s, enum port_side side,
                        const struct port_status *news)
{
    struct device *d = &s->parts.devices->of[side];
    const struct words *w = &WORDS[side];
    if (news->state == PORT_LOST)
        session_error(s, "%s %s was disconnected", w->it, news->name);
    else if (news->state == PORT_OPEN && (d->was_lost || d->was_chosen))
        session_say(s, "%s %s%s", w->is_open, news->name, alone(s, side));
    else if (news->state == PORT_MISSING && d->was_chosen)
        return;
    if (side == PORT_IN)
        s->parts.devices->told_ms = clock_now_ms();
    else if (news->state == PORT_OPEN)
        session_publish(s); /* the instrument is put into its state */
    d->was_lost = news->state == PORT_LOST;
    d->was_chosen = d->was_chosen && news->state != PORT_OPEN;
}

static void watch(struct session *s, enum port_side side)
{
    struct device *d = &s->parts.devices->of[side];
    struct port_status news;
    if (!recorder_ports(s))
        return;
    ports_status(recorder_ports(s), side, &news);
    unsigned n_lost = side == PORT_IN
                          ? news.n_overflows + live_n_lost(player_live(s->player))
                          : output_n_lost(player_output(s->player));
    if (news.n_changes != d->n_changes) {
        d->n_changes = news.n_changes;
        tell_change(s, side, &news);
    }
    if (n_lost != d->n_lost && side == PORT_IN)
        session_error(s, "the input was too fast: some was lost %u time%s", n_lost,
                      plural(n_lost));
    else if (n_lost != d->n_lost)
        session_error(s, "the instrument got too much: %u messages were lost", n_lost);
    d->n_lost = n_lost;
}

void keyboard_watch(struct session *s)
{
    enum { TOLD_MS = 3000 };
    double *told_ms = &s->parts.devices->told_ms;
    if (*told_ms && clock_now_ms() - *told_ms >= TOLD_MS) {
        *told_ms = 0;
        if (recorder_is_on(s)) /* its status is shown again */
            s->view.message.text[0] = '\0';
    }
    watch(s, PORT_IN);
}

static void output_watch(struct session *s)
{
    watch(s, PORT_OUT);
}

static void choose(struct session *s, enum port_side side, const char *name)
{
    s->parts.devices->of[side].was_chosen = true;
    ports_choose(recorder_ports(s), side, name);
}

void act_input_line(struct session *s, const char *text)
{
    char name[PORT_NAME_BYTES];
    size_t n = strlen(text);
    while (n && text[n - 1] == ' ') /* Tab has put one after it */
        n--;
    snprintf(name, sizeof name, "%.*s", (int)n, text);
    if (!recorder_ports(s)) {
        session_say(s, "MIDI input is not available here");
    } else if (!*name) {
        say_state(s, PORT_IN);
    } else {
        const char *wanted = strcmp(name, "any") != 0 ? name : "";
        paths_remember("input", wanted);
        choose(s, PORT_IN, wanted);
        session_say(s,
                    !strcmp(name, "none") ? "no MIDI keyboard is used"
                                          : "waiting for the keyboard %s",
                    name);
    }
}

void act_output_line(struct session *s, const char *text)
{
    struct output_request r;
    struct port_status news;
    char all[OUTPUT_REQUEST_BYTES];
    if (!recorder_ports(s)) {
        session_say(s, "MIDI output is not available here");
        return;
    }
    if (!*text) {
        say_state(s, PORT_OUT);
        return;
    }
    output_request_parse(&r, text);
    if (!*r.name && strncmp(text, "any", 3) != 0) { /* the only one */
        ports_status(recorder_ports(s), PORT_OUT, &news);
        memcpy(r.name, news.wanted, sizeof r.name);
    }
    snprintf(all, sizeof all, "%s%s%s", *r.name ? r.name : "any",
             r.is_only ? " only" : "", r.has_clicks ? " click" : "");
    paths_remember("output", all);
    output_begin(s, &r);
    choose(s, PORT_OUT, r.name);
    if (!strcmp(r.name, "none"))
        session_say(s, "no instrument is used");
    else
        session_say(s, "waiting for %s %s",
                    *r.name ? "the instrument" : "an instrument", r.name);
}

void act_monitor_line(struct session *s, const char *word)
{
    static const char *const ON_OFF[] = {"on", "off", NULL};
    int is_unheard = s->parts.devices->is_unheard;
    if (*word && !value_word(word, ON_OFF, &is_unheard)) {
        session_error(s, "monitor: use on or off, not %s", word);
        return;
    }
    s->parts.devices->is_unheard = is_unheard;
    live_set_monitor(player_live(s->player), !is_unheard);
    session_say(s, is_unheard ? "the keyboard is recorded but not heard"
                              : "the keyboard is heard");
}

bool output_complete(const struct session *s, struct completions *c, const char *line,
                     size_t *start)
{
    static const char *const VERBS[] = {"input ", "output ", "clock "};
    static const char *const WORDS_OF[3][4] = {
        {"any", "none"}, {"any", "none"}, {"send", "follow", "off"}};
    struct port_status news = {0};
    int i = 0;
    while (i < 3 && strncmp(line, VERBS[i], strlen(VERBS[i])) != 0)
        i++;
    if (i == 3)
        return false;
    *start = strlen(VERBS[i]);
    if (i < 2 && recorder_ports(s))
        ports_status(recorder_ports(s), i ? PORT_OUT : PORT_IN, &news);
    for (int j = 0; j < news.n_devices; j++)
        complete_add(c, news.devices[j], line + *start);
    for (int j = 0; WORDS_OF[i][j]; j++)
        complete_add(c, WORDS_OF[i][j], line + *start);
    complete_finish(c);
    return true;
}

const struct editor_part DEVICES_PART = {
    PART_STATE(devices),
    .tick = output_watch,
};
