/* `:clock`: who sends the MIDI clock. */
#include "app/editor/takes/takes.h"
#include "app/editor/perform/recorder.h"
#include "app/editor/session/session.h"

#include "app/base/values.h"
#include "midi/transport/sync.h"
#include "tui/base/text.h"

#include <stdio.h>
#include <string.h>

struct clock_label {
    unsigned n_lost; /* clocks reported to the user */
    char text[64];
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

/* "♩=126.0 Keystation": as fast as it is, and whose it is. */
static void label_clock(struct session *s, const struct sync_status *news)
{
    enum { NAME_COLUMNS = 12 };
    struct clock_label *label = s->parts.clock;
    struct port_status port = {0};
    if (recorder_ports(s))
        ports_status(recorder_ports(s), PORT_IN, &port);
    if (news->state == SYNC_SILENT) {
        snprintf(label->text, sizeof label->text, "waits for a clock");
        return;
    }
    const char *end = port.name, *next = end;
    for (int used = 0; *end; end = next) {
        used += text_width(text_next(&next));
        if (used > NAME_COLUMNS)
            break;
    }
    snprintf(label->text, sizeof label->text, "%s♩=%.1f %.*s",
             news->state == SYNC_RUNS ? "" : "ready ", news->bpm,
             (int)(end - port.name), port.name);
}

static void view(struct session *s, struct view *v)
{
    struct sync_status news = sync_status(player_sync(s->player));
    enum sync_mode mode = sync_mode(player_sync(s->player));
    if (mode == SYNC_OFF)
        return;
    if (mode == SYNC_SEND)
        snprintf(s->parts.clock->text, sizeof s->parts.clock->text, "%s",
                 output_is_open(player_output(s->player)) ? "sends clock"
                                                          : "clock: no instrument");
    else
        label_clock(s, &news);
    v->transport.clock = s->parts.clock->text;
    v->transport.clock_bpm = news.state == SYNC_RUNS ? news.bpm : 0;
}

const struct editor_part CLOCK_PART = {
    PART_STATE(clock),
    .tick = watch,
    .timeout_ms = timeout_ms,
    .view = view,
};
