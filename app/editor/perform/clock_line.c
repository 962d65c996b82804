/* `:clock`: who sends the MIDI clock. */
#include "app/editor/takes/takes.h"
#include "app/editor/perform/recorder.h"
#include "app/editor/session/session.h"

#include "app/base/values.h"
#include "midi/transport/sync.h"
#include "tui/base/text.h"

#include <stdio.h>
#include <string.h>

struct clock_watch {
    unsigned n_lost; /* clocks reported to the user */
};

void act_clock_line(struct session *s, const char *text)
{
    static const char *const WORDS[] = {"off", "send", "follow", NULL};
    struct sync *clock = player_sync(s->player);
    char word[16];
    int mode = (int)sync_mode(clock);
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " "), text);
    if (*word && !value_word(word, WORDS, &mode)) {
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

/* The music must be ready before the clock starts it. */
static void watch(struct session *s)
{
    struct sync_status news = sync_status(player_sync(s->player));
    if (sync_mode(player_sync(s->player)) == SYNC_FOLLOW)
        session_publish(s);
    if (news.n_lost != s->parts.clock->n_lost)
        session_error(s, "the keyboard's clock stopped, and so did the transport; it "
                         "continues with the clock");
    s->parts.clock->n_lost = news.n_lost;
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
    if (recorder_ports(s))
        ports_status(recorder_ports(s), PORT_IN, &port);
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

const struct editor_part CLOCK_PART = {
    PART_STATE(clock),
    .tick = watch,
    .timeout_ms = timeout_ms,
    .view = view,
};
