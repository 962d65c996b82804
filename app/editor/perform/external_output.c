/* `:output` and `:clock`: an external instrument, and who sends the clock. */
#include "app/editor/perform/recorder.h"
#include "app/editor/perform/complete.h"
#include "app/editor/perform/external_output.h"
#include "app/editor/session/session.h"

#include "app/base/paths.h"
#include "midi/transport/output.h"
#include "midi/transport/sync.h"
#include "tui/base/text.h"

#include <stdio.h>
#include <string.h>

/* -- what is wanted -- */

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

void output_request_parse(struct output_request *wish, const char *text)
{
    char rest[OUTPUT_REQUEST_BYTES];
    bool takes = true;
    *wish = (struct output_request){0};
    snprintf(rest, sizeof rest, "%s", text);
    while (takes) {
        bool only = take_word(rest, "only"), click = take_word(rest, "click");
        wish->is_only |= only;
        wish->has_clicks |= click;
        takes = only || click;
    }
    bool any = !strcmp(rest, "any");
    snprintf(wish->name, sizeof wish->name, "%.*s", PORT_NAME_BYTES - 1,
             any ? "" : rest);
}

static void apply(struct session *s, const struct output_request *wish)
{
    output_set_only(player_output(s->player), wish->is_only);
    output_set_clicks(player_output(s->player), wish->has_clicks);
}

void output_begin(struct session *s, const struct output_request *wish)
{
    apply(s, wish);
}

const char *port_remembered(const char *what, char *buf, size_t n)
{
    char path[4096];
    buf[0] = '\0';
    FILE *f = paths_state(path, sizeof path, what) ? regular_file_open(path) : NULL;
    if (f && !fgets(buf, (int)n, f))
        buf[0] = '\0';
    if (f)
        fclose(f);
    buf[strcspn(buf, "\n")] = '\0';
    return buf;
}

/* What cannot be remembered is chosen all the same. */
void port_remember(const char *what, const char *text)
{
    char path[4096];
    struct output_file out;
    if (paths_state(path, sizeof path, what) && output_file_open(&out, path))
        output_file_close(&out, fprintf(out.stream, "%s\n", text) > 0);
}

static void remember(const struct output_request *wish)
{
    char text[OUTPUT_REQUEST_BYTES];
    snprintf(text, sizeof text, "%s%s%s", *wish->name ? wish->name : "any",
             wish->is_only ? " only" : "", wish->has_clicks ? " click" : "");
    port_remember("output", text);
}

/* -- lines -- */

const char *port_list(const struct port_status *news, char *buf, size_t n)
{
    size_t used =
        (size_t)snprintf(buf, n, news->n_devices ? "there are: " : "none is there");
    for (int i = 0; i < news->n_devices && used < n; i++)
        used += (size_t)snprintf(buf + used, n - used, "%s%s", i ? ", " : "",
                                 news->devices[i]);
    return buf;
}

static void say_state(struct session *s, const struct port_status *news)
{
    char list[120];
    port_list(news, list, sizeof list);
    const char *alone =
        output_is_only(player_output(s->player)) ? ", without the synth" : "";
    switch (news->state) {
    case PORT_OPEN:
        session_say(s, "the piece is played on %s%s; %s", news->name, alone, list);
        break;
    case PORT_LOST:
    case PORT_MISSING:
        session_say(s, "an instrument%s%s is looked for; %s",
                    *news->wanted ? " named " : "", news->wanted, list);
        break;
    case PORT_OFF:
        session_say(s, "no instrument is played on; :output NAME chooses one; %s",
                    list);
        break;
    }
}

static void act_output_line(struct session *s, const char *text)
{
    struct port_status news;
    struct output_request wish;
    if (!recorder_ports(s)) {
        session_say(s, "instruments are not looked for here");
        return;
    }
    if (!*text) {
        ports_status(recorder_ports(s), PORT_OUT, &news);
        say_state(s, &news);
        return;
    }
    output_request_parse(&wish, text);
    if (!*wish.name && strncmp(text, "any", 3) != 0) { /* the one there is */
        ports_status(recorder_ports(s), PORT_OUT, &news);
        memcpy(wish.name, news.wanted, sizeof wish.name);
    }
    remember(&wish);
    apply(s, &wish);
    s->parts.output->was_chosen = true;
    ports_choose(recorder_ports(s), PORT_OUT, wish.name);
    if (!strcmp(wish.name, "none"))
        session_say(s, "no instrument is played on");
    else
        session_say(s, "looking for %s %s",
                    *wish.name ? "the instrument" : "an instrument", wish.name);
}

static void say_clock(struct session *s)
{
    struct sync_status news = sync_status(player_sync(s->player));
    switch (sync_mode(player_sync(s->player))) {
    case SYNC_SEND:
        session_say(s,
                    output_is_open(player_output(s->player))
                        ? "the instrument is sent a clock, and starts and stops with us"
                        : "a clock would be sent, but there is no instrument: :output "
                          "NAME");
        break;
    case SYNC_FOLLOW:
        if (news.state == SYNC_SILENT)
            session_say(s, "a clock of the keyboard's is waited for; nothing comes");
        else
            session_say(s, "the keyboard's clock is followed, at %.1f a minute",
                        news.bpm);
        break;
    case SYNC_OFF:
        session_say(s, "no clock is sent or followed");
        break;
    }
}

static void act_clock_line(struct session *s, const char *text)
{
    static const char *const WORDS[] = {"off", "send", "follow"};
    char word[16];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " "), text);
    for (int i = 0; i < 3 && *word; i++)
        if (!strcmp(word, WORDS[i])) {
            sync_set_mode(player_sync(s->player), (enum sync_mode)i);
            *word = '\0';
        }
    if (*word)
        session_error(s, ":clock is send, follow or off, not %s", word);
    else
        say_clock(s);
}

/* -- what becomes of it -- */

static void tell_change(struct session *s, const struct port_status *news)
{
    struct external_output *o = s->parts.output;
    if (news->state == PORT_LOST)
        session_error(s, "the instrument %s is gone; it is looked for", news->name);
    else if (news->state == PORT_OPEN && (o->was_lost || o->was_chosen))
        session_say(s, "the piece is played on %s%s", news->name,
                    output_is_only(player_output(s->player)) ? ", without the synth"
                                                             : "");
    else if (news->state == PORT_MISSING && o->was_chosen)
        return;
    if (news->state == PORT_OPEN)
        session_publish(s); /* the instrument is put into its state */
    o->was_lost = news->state == PORT_LOST;
    o->was_chosen = o->was_chosen && news->state != PORT_OPEN;
}

static void watch_port(struct session *s)
{
    struct external_output *o = s->parts.output;
    struct port_status news;
    if (!recorder_ports(s))
        return;
    ports_status(recorder_ports(s), PORT_OUT, &news);
    if (news.n_changes != o->n_changes) {
        o->n_changes = news.n_changes;
        tell_change(s, &news);
    }
    unsigned n_lost = output_n_lost(player_output(s->player));
    if (n_lost != o->n_lost)
        session_error(s, "the instrument was sent too much: %u messages were lost",
                      n_lost);
    o->n_lost = n_lost;
}

/* What the clock may begin to play has to be there. */
static void watch_clock(struct session *s)
{
    struct sync_status news = sync_status(player_sync(s->player));
    if (sync_mode(player_sync(s->player)) == SYNC_FOLLOW)
        session_publish(s);
    if (news.n_lost != s->parts.output->n_clocks_lost)
        session_error(s, "the clock that was followed is gone, and the transport has "
                         "stopped; it goes on with the clock");
    s->parts.output->n_clocks_lost = news.n_lost;
}

static void output_watch(struct session *s)
{
    watch_port(s);
    watch_clock(s);
}

/* A clock may begin to play any time. */
static int timeout_ms(const struct session *s)
{
    return sync_mode(player_sync(s->player)) == SYNC_FOLLOW ? BUSY_MS : -1;
}

/* -- what is shown -- */

/* Bytes of a name that fit. */
static int first_columns(const char *name, int columns)
{
    const char *at = name, *next = name;
    for (int used = 0; *at; at = next) {
        used += text_width(text_next(&next));
        if (used > columns)
            break;
    }
    return (int)(at - name);
}

/* "♩=126.0 Keystation": as fast as it is, and whose it is. */
static void label_clock(struct session *s, const struct sync_status *news)
{
    enum { NAME_COLUMNS = 12 };
    struct external_output *o = s->parts.output;
    struct port_status port = {0};
    if (recorder_ports(s))
        ports_status(recorder_ports(s), PORT_IN, &port);
    if (news->state == SYNC_SILENT) {
        snprintf(o->label, sizeof o->label, "waits for a clock");
        return;
    }
    char name[PORT_NAME_BYTES];
    snprintf(name, sizeof name, "%.*s", first_columns(port.name, NAME_COLUMNS),
             port.name);
    snprintf(o->label, sizeof o->label, "%s♩=%.1f %.40s",
             news->state == SYNC_RUNS ? "" : "ready ", news->bpm, name);
}

static void output_view(struct session *s, struct view *v)
{
    struct sync_status news = sync_status(player_sync(s->player));
    enum sync_mode mode = sync_mode(player_sync(s->player));
    if (mode == SYNC_OFF)
        return;
    if (mode == SYNC_SEND)
        snprintf(s->parts.output->label, sizeof s->parts.output->label, "%s",
                 output_is_open(player_output(s->player)) ? "sends clock"
                                                          : "clock: no instrument");
    else
        label_clock(s, &news);
    v->transport.clock = s->parts.output->label;
    v->transport.clock_bpm = news.state == SYNC_RUNS ? news.bpm : 0;
}

/* -- what can be typed -- */

static void complete_ports(const struct session *s, struct completions *c,
                           enum port_side side, const char *typed)
{
    struct port_status news;
    if (recorder_ports(s)) {
        ports_status(recorder_ports(s), side, &news);
        for (int i = 0; i < news.n_devices; i++)
            complete_add(c, news.devices[i], typed);
    }
    complete_add(c, "any", typed);
    complete_add(c, "none", typed);
}

bool output_complete(const struct session *s, struct completions *c, const char *line,
                     size_t *start)
{
    static const char *const VERBS[] = {"input ", "output ", "clock "};
    for (int i = 0; i < 3; i++) {
        size_t n = strlen(VERBS[i]);
        if (strncmp(line, VERBS[i], n) != 0)
            continue;
        *start = n;
        if (i < 2)
            complete_ports(s, c, i ? PORT_OUT : PORT_IN, line + n);
        else
            for (int j = 0; j < 3; j++)
                complete_add(c, (const char *const[]){"send", "follow", "off"}[j],
                             line + n);
        complete_finish(c);
        return true;
    }
    return false;
}

const struct editor_part OUTPUT_PART = {
    PART_STATE(output),
    ON_LINES({"output", .run = act_output_line}, {"clock", .run = act_clock_line}),
    .tick = output_watch,
    .timeout_ms = timeout_ms,
    .view = output_view,
};
