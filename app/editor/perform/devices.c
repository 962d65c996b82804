/* `:input`, `:output`, `:monitor` and `:clock`: the MIDI keyboard, the external instrument, and who
 * sends the MIDI clock. The user is told when a device comes or goes, and what was lost. */
#include "app/editor/takes/takes.h"
#include "app/editor/perform/complete.h"
#include "app/editor/perform/devices.h"
#include "app/editor/perform/recorder.h"
#include "app/editor/session/session.h"

#include "app/base/paths.h"
#include "app/base/values.h"
#include "midi/transport/sync.h"
#include "tui/base/text.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

struct devices {
    struct ports *ports; /* NULL: no MIDI devices are looked for */
    struct device {
        unsigned n_changes, n_lost; /* reported to the user */
        bool was_lost;
        bool was_chosen; /* the user is told whether the chosen one is there */
    } of[PORT_SIDES];
    double told_ms;         /* when news of the keyboard was last shown; 0: long ago */
    bool is_unheard;        /* the keyboard is recorded but not heard */
    unsigned n_clocks_lost; /* clocks reported to the user */
};

/* Cuts spaces and then the word off the end of a text. false: the text ends with another word. */
static bool take_word(char *text, const char *word)
{
    const size_t n = strlen(g_strchomp(text)), n_word = strlen(word);
    if (!g_str_has_suffix(text, word) || (n > n_word && text[n - n_word - 1] != ' '))
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

/* Applies all of a request but the name. */
static void set_output(struct session *s, const struct output_request *r)
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
    struct port_status news;
    const struct words *w = &WORDS[side];
    ports_status(s->parts.devices->ports, side, &news);
    if (news.state == PORT_OPEN)
        session_say(s, "%s %s%s", w->is_open, news.name, alone(s, side));
    else if (news.state == PORT_OFF)
        session_say(s, "%s; :%s NAME chooses one", w->is_off,
                    side == PORT_IN ? "input" : "output");
    else if (news.state == PORT_LOST && side == PORT_IN)
        session_say(s, "the keyboard %s was disconnected", news.name);
    else
        session_say(s, "waiting for %s%s%s", w->one, *news.wanted ? " named " : "",
                    news.wanted);
    if (news.state == PORT_OFF && side == PORT_IN)
        return;
    session_say_more(s, "; %s", news.n_devices ? "available: " : "none is connected");
    for (int i = 0; i < news.n_devices; i++)
        session_say_more(s, "%s%s", i ? ", " : "", news.devices[i]);
}

/* Tells the user what has changed. The device that is found at the start is not reported. */
static void watch(struct session *s, enum port_side side)
{
    struct device *d = &s->parts.devices->of[side];
    const struct words *w = &WORDS[side];
    struct port_status news;
    if (!s->parts.devices->ports)
        return;
    ports_status(s->parts.devices->ports, side, &news);
    const unsigned n_lost = side == PORT_IN
                                ? news.n_overflows + live_n_lost(player_live(s->player))
                                : output_n_lost(player_output(s->player));
    const bool is_open = news.state == PORT_OPEN;
    const bool has_changed = news.n_changes != d->n_changes;
    d->n_changes = news.n_changes;
    if (has_changed && news.state == PORT_LOST)
        session_error(s, "%s %s was disconnected", w->it, news.name);
    else if (has_changed && is_open && (d->was_lost || d->was_chosen))
        session_say(s, "%s %s%s", w->is_open, news.name, alone(s, side));
    if (has_changed && !(news.state == PORT_MISSING && d->was_chosen)) {
        if (side == PORT_IN)
            s->parts.devices->told_ms = clock_now_ms();
        else if (is_open)
            session_publish(s); /* the instrument is put into its state */
        d->was_lost = news.state == PORT_LOST;
        d->was_chosen = d->was_chosen && !is_open;
    }
    if (n_lost != d->n_lost && side == PORT_IN)
        session_error(s, "the input was too fast: some was lost %u time%s", n_lost,
                      plural(n_lost));
    else if (n_lost != d->n_lost)
        session_error(s, "the instrument got too much: %u messages were lost", n_lost);
    d->n_lost = n_lost;
}

static void choose(struct session *s, enum port_side side, const char *name)
{
    s->parts.devices->of[side].was_chosen = true;
    ports_choose(s->parts.devices->ports, side, name);
}

void act_input_line(struct session *s, const char *text)
{
    char name[PORT_NAME_BYTES];
    snprintf(name, sizeof name, "%s", text);
    g_strchomp(name); /* Tab puts a space after a name */
    if (!s->parts.devices->ports) {
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
    if (!s->parts.devices->ports) {
        session_say(s, "MIDI output is not available here");
        return;
    }
    if (!*text) {
        say_state(s, PORT_OUT);
        return;
    }
    output_request_parse(&r, text);
    /* "only" or "click" alone: the present instrument. */
    if (!*r.name && !g_str_has_prefix(text, "any")) {
        ports_status(s->parts.devices->ports, PORT_OUT, &news);
        memcpy(r.name, news.wanted, sizeof r.name);
    }
    snprintf(all, sizeof all, "%s%s%s", *r.name ? r.name : "any",
             r.is_only ? " only" : "", r.has_clicks ? " click" : "");
    paths_remember("output", all);
    set_output(s, &r);
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
    if (i < 2 && s->parts.devices->ports)
        ports_status(s->parts.devices->ports, i ? PORT_OUT : PORT_IN, &news);
    for (int j = 0; j < news.n_devices; j++)
        complete_add(c, news.devices[j], line + *start);
    for (int j = 0; WORDS_OF[i][j]; j++)
        complete_add(c, WORDS_OF[i][j], line + *start);
    complete_finish(c);
    return true;
}

/* -- the MIDI clock -- */

void act_clock_line(struct session *s, const char *text)
{
    static const char *const MODES[] = {"off", "send", "follow", NULL};
    struct sync *clock = player_sync(s->player);
    char word[16];
    int mode = (int)sync_mode(clock);
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " "), text);
    if (*word && !value_word(word, MODES, &mode)) {
        session_error(s, "clock: use send, follow or off, not %s", word);
        return;
    }
    if (*word)
        sync_set_mode(clock, (enum sync_mode)mode);
    const struct sync_status news = sync_status(clock);
    if (mode == SYNC_OFF)
        session_say(s, "MIDI clock is off");
    else if (mode == SYNC_SEND)
        session_say(
            s,
            output_is_open(player_output(s->player))
                ? "the instrument gets a clock, and starts and stops with this program"
                : "no instrument to send a clock to: :output NAME chooses one");
    else if (news.state == SYNC_SILENT)
        session_say(s, "waiting for the keyboard's clock");
    else
        session_say(s, "following the keyboard's clock, at %.1f per minute", news.bpm);
}

static void tick(struct session *s)
{
    enum { TOLD_MS = 3000 };
    struct devices *d = s->parts.devices;
    const struct sync *clock = player_sync(s->player);
    const unsigned n_lost = sync_status(clock).n_lost;
    if (d->told_ms && clock_now_ms() - d->told_ms >= TOLD_MS) {
        d->told_ms = 0;
        if (recorder_is_on(s)) /* the status of the recording is shown again */
            s->view.message.text[0] = '\0';
    }
    watch(s, PORT_IN);
    watch(s, PORT_OUT);
    if (sync_mode(clock) == SYNC_FOLLOW)
        session_publish(s); /* the music is ready before the clock starts it */
    if (n_lost != d->n_clocks_lost)
        session_error(s, "the keyboard's clock stopped, and so did the transport; it "
                         "continues with the clock");
    d->n_clocks_lost = n_lost;
}

/* A clock may begin to play any time. */
static int timeout_ms(const struct session *s)
{
    return sync_mode(player_sync(s->player)) == SYNC_FOLLOW ? BUSY_MS : -1;
}

static void view(struct session *s, struct view *v)
{
    enum { NAME_COLUMNS = 12 };
    struct sync_status news = sync_status(player_sync(s->player));
    enum sync_mode mode = sync_mode(player_sync(s->player));
    struct port_status port = {0};
    char *text = v->transport.clock;
    const size_t n = sizeof v->transport.clock;
    if (mode == SYNC_OFF)
        return;
    v->transport.clock_bpm = news.state == SYNC_RUNS ? news.bpm : 0;
    if (s->parts.devices->ports)
        ports_status(s->parts.devices->ports, PORT_IN, &port);
    const char *end = port.name, *next = end;
    for (int used = 0; *end; end = next) {
        used += text_width(text_next(&next));
        if (used > NAME_COLUMNS)
            break;
    }
    if (mode == SYNC_SEND)
        snprintf(text, n, "%s",
                 output_is_open(player_output(s->player)) ? "sends clock"
                                                          : "clock: no instrument");
    else if (news.state == SYNC_SILENT)
        snprintf(text, n, "waits for a clock");
    else /* "♩=126.0 Keystation" */
        snprintf(text, n, "%s♩=%.1f %.*s", news.state == SYNC_RUNS ? "" : "ready ",
                 news.bpm, (int)(end - port.name), port.name);
}

static bool init(struct session *s, const struct session_options *o)
{
    struct devices *d = s->parts.devices;
    struct output_request output;
    output_request_parse(&output, o->output ? o->output : "none");
    if (o->input)
        d->ports = ports_create(s->player, o->input, output.name);
    set_output(s, &output);
    return !o->input || d->ports;
}

static void fini(struct session *s)
{
    ports_destroy(s->parts.devices->ports);
}

const struct editor_part DEVICES_PART = {
    PART_STATE(devices),      .init = init, .fini = fini, .tick = tick,
    .timeout_ms = timeout_ms, .view = view,
};
