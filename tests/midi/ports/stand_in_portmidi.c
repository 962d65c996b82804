/* A libportmidi.so.0 with a keyboard that plays from a script, and an instrument that writes
 * down what it is sent, for tests of the whole program: put first with LD_LIBRARY_PATH.
 *
 * CONTINUO_KEYBOARD names the script, in any order:
 *
 *   name NAME            a line of its own, before all else: there is such a keyboard
 *   MS on KEY VELOCITY   MS from when it was opened; also: off KEY, cc NUMBER VALUE,
 *   MS bend VALUE        0..16383, press VALUE, program VALUE
 *   MS flood N PER_MS    N pitch bends, one after another, so many a millisecond
 *   MS unplug            it is gone, with the time that goes on, until
 *   MS plug              it is there again
 *   MS sys STATUS A B    any message, in decimal: a clock is 248
 *
 *   output NAME          a line of its own: there is such an instrument
 *   MS away MS           it is pulled out, from the one to the other
 *
 * CONTINUO_INSTRUMENT names the file that the instrument writes: "MS STATUS A B" for each
 * message, in decimal, with the moment of CLOCK_MONOTONIC, and "MS go" when time begins.
 *
 * Time begins when the keyboard is first opened, or, where CONTINUO_KEYBOARD_GO names a
 * file, when that file appears (that moment of CLOCK_MONOTONIC, in milliseconds, is then
 * written into GO.began), and goes on while the keyboard is away. What was due is
 * handed out at the next Pm_Read, as from a driver's queue, stamped with the time at
 * which it was due. */
#include "tests/midi/fake_portmidi.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { KEYBOARD, INSTRUMENT, UNPLUG = -1, PLUG = -2 };

struct due {
    double ms;
    long message; /* or UNPLUG, PLUG */
    int line;
};

static struct due script[FAKE_EVENTS];
static int n_script, next;
static bool is_started;
static double start_ms;
static double away_from, away_to; /* empty: never */
static FILE *written;

static void add(double ms, long message)
{
    if (n_script < FAKE_EVENTS) {
        script[n_script] = (struct due){ms, message, n_script};
        n_script++;
    }
}

static void add_flood(double ms, int n, int per_ms)
{
    for (int i = 0; i < n; i++)
        add(ms + (double)i / (per_ms > 0 ? per_ms : 1),
            Pm_Message(0xe0, i & 127, i >> 7 & 127));
}

/* The message of a word of the script; 0: it has none. */
static long message_of(const char *what, int a, int b)
{
    static const struct {
        const char *word;
        int status;
    } WORDS[] = {{"on", 0x90}, {"cc", 0xb0}, {"press", 0xd0}, {"program", 0xc0}};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (!strcmp(what, WORDS[i].word))
            return Pm_Message(WORDS[i].status, a, WORDS[i].status < 0xc0 ? b : 0);
    return !strcmp(what, "off")      ? Pm_Message(0x80, a, 64)
           : !strcmp(what, "bend")   ? Pm_Message(0xe0, a & 127, a >> 7)
           : !strcmp(what, "unplug") ? UNPLUG
           : !strcmp(what, "plug")   ? PLUG
                                     : 0;
}

static void read_line(const char *line)
{
    double ms;
    char what[16];
    int a = 0, b = 0, c = 0;
    if (sscanf(line, "%lf %15s %d %d %d", &ms, what, &a, &b, &c) < 2)
        return;
    long message = message_of(what, a, b);
    if (message)
        add(ms, message);
    else if (!strcmp(what, "flood"))
        add_flood(ms, a, b);
    else if (!strcmp(what, "sys"))
        add(ms, Pm_Message(a, b, c));
    else if (!strcmp(what, "away")) {
        away_from = ms;
        away_to = a;
    }
}

static int by_time(const void *a, const void *b)
{
    const struct due *x = a, *y = b;
    return x->ms < y->ms ? -1 : x->ms > y->ms ? 1 : x->line - y->line;
}

static void read_script(const char *path)
{
    char line[128], name[64];
    FILE *f = path ? fopen(path, "r") : NULL;
    if (!f)
        return;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "name %63[^\n]", name) == 1)
            fake_plug(KEYBOARD, name, true);
        else if (sscanf(line, "output %63[^\n]", name) == 1)
            fake_plug(INSTRUMENT, name, false);
        else
            read_line(line);
    fclose(f);
    qsort(script, (size_t)n_script, sizeof script[0], by_time);
}

static void tell_start(const char *go)
{
    char path[512];
    snprintf(path, sizeof path, "%s.began", go);
    FILE *f = fopen(path, "w");
    if (!f)
        return;
    fprintf(f, "%.6f\n", start_ms);
    fclose(f);
}

static void begin_time(void)
{
    const char *go = getenv("CONTINUO_KEYBOARD_GO");
    if (!fake_devices[KEYBOARD].is_open || (go && access(go, F_OK) != 0))
        return;
    is_started = true;
    start_ms = fake_now_ms();
    if (go)
        tell_start(go);
    if (written)
        fprintf(written, "%.3f go\n", start_ms);
}

/* While the keyboard is away what is due is played to nobody. It is pulled out when what was
 * played before is read. */
static void play_due(double now)
{
    for (; next < n_script && script[next].ms <= now; next++) {
        const struct due *d = &script[next];
        if (d->message == PLUG || d->message == UNPLUG) {
            if (d->message == UNPLUG && fake_n_read < fake_n_played)
                return;
            fake_set_there(KEYBOARD, d->message == PLUG);
        } else if (fake_devices[KEYBOARD].is_there) {
            const double ago = floor(start_ms + now) - floor(start_ms + d->ms);
            fake_put(
                (PmEvent){(PmMessage)d->message, fake_clock(NULL) - (PmTimestamp)ago});
        }
    }
}

static void follow_script(void)
{
    if (!is_started)
        begin_time();
    const double now = fake_now_ms() - start_ms;
    if (!is_started)
        return;
    play_due(now);
    if (away_to > away_from)
        fake_set_there(INSTRUMENT, now < away_from || now >= away_to);
}

static void write_down(const struct fake_sent *s)
{
    if (written)
        fprintf(written, "%.3f %d %d %d\n", s->ms, (int)(s->message & 0xff),
                (int)(s->message >> 8 & 0xff), (int)(s->message >> 16 & 0xff));
}

__attribute__((constructor)) static void set_up(void)
{
    const char *path = getenv("CONTINUO_INSTRUMENT");
    read_script(getenv("CONTINUO_KEYBOARD"));
    fake_before = follow_script;
    fake_after = write_down;
    written = path && fake_devices[INSTRUMENT].is_there ? fopen(path, "w") : NULL;
    if (written)
        setvbuf(written, NULL, _IOLBF, 0);
}
