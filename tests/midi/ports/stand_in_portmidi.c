/* A libportmidi.so.0 with a keyboard that plays from a script, and an instrument that writes
 * down what it is sent, for tests of the whole program: put first with LD_LIBRARY_PATH. Only
 * what the program calls is here, with the meanings of portmidi.h (PortMidi 217).
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
 * which it was due; the queue is as long as was asked for, and overflows as PortMidi's. */
#include <portmidi.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

enum { MOST_EVENTS = 65536, UNPLUG = -1, PLUG = -2 };

struct due {
    double ms;
    long message; /* or UNPLUG, PLUG */
    int line;
};

static struct due script[MOST_EVENTS];
static int n_script, next;
static char name[64];
static bool is_started, is_gone, is_open;
static double start_ms;
static int32_t n_buffer;
static PmTimeProcPtr time_proc;
static PmDeviceInfo info = {1, "stand-in", name, 1, 0, 0};

static char output_name[64];
static double away_from, away_to; /* empty: never */
static FILE *written;
static PmDeviceInfo output_info = {1, "stand-in", output_name, 0, 1, 0};

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void add(double ms, long message)
{
    if (n_script < MOST_EVENTS) {
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

static void read_script(void)
{
    const char *path = getenv("CONTINUO_KEYBOARD");
    char line[128];
    FILE *f = path && !n_script ? fopen(path, "r") : NULL;
    if (!f)
        return;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "name %63[^\n]", name) != 1 &&
            sscanf(line, "output %63[^\n]", output_name) != 1)
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

static bool may_go(void)
{
    const char *go = getenv("CONTINUO_KEYBOARD_GO");
    if (!is_started && (!go || access(go, F_OK) == 0)) {
        is_started = true;
        start_ms = now_ms();
        if (go)
            tell_start(go);
        if (written)
            fprintf(written, "%.3f go\n", start_ms);
    }
    return is_started;
}

static bool is_away(void)
{
    double now = now_ms() - start_ms;
    return is_started && now >= away_from && now < away_to;
}

/* While it is away what is due is played to nobody. */
static void pass_while_away(void)
{
    double now = now_ms() - start_ms;
    for (; is_started && is_gone && next < n_script && script[next].ms <= now; next++)
        if (script[next].message == PLUG)
            is_gone = false;
}

PmError Pm_Initialize(void)
{
    read_script();
    pass_while_away();
    return pmNoError;
}

PmError Pm_Terminate(void)
{
    is_open = false;
    return pmNoError;
}

int Pm_CountDevices(void)
{
    return *output_name ? 2 : *name && !is_gone ? 1 : 0;
}

const PmDeviceInfo *Pm_GetDeviceInfo(PmDeviceID id)
{
    if (id == 1)
        return *output_name && !is_away() ? &output_info : NULL;
    return id == 0 && *name && !is_gone ? &info : NULL;
}

PmError Pm_OpenInput(PortMidiStream **stream, PmDeviceID id, void *driver,
                     int32_t buffer_size, PmTimeProcPtr proc, void *time_info)
{
    if (id != 0 || !Pm_GetDeviceInfo(id))
        return pmInvalidDeviceId;
    *stream = &info;
    time_proc = proc;
    n_buffer = buffer_size;
    is_open = true;
    may_go();
    return pmNoError;
}

PmError Pm_SetFilter(PortMidiStream *stream, int32_t filters)
{
    return pmNoError;
}

PmError Pm_OpenOutput(PortMidiStream **stream, PmDeviceID id, void *driver,
                      int32_t buffer_size, PmTimeProcPtr proc, void *proc_info,
                      int32_t latency)
{
    const char *path = getenv("CONTINUO_INSTRUMENT");
    if (id != 1 || latency != 0 || !Pm_GetDeviceInfo(id))
        return pmInvalidDeviceId;
    if (!written)
        written = path ? fopen(path, "w") : NULL;
    if (written)
        setvbuf(written, NULL, _IOLBF, 0);
    *stream = &output_info;
    return pmNoError;
}

PmError Pm_WriteShort(PortMidiStream *stream, PmTimestamp when, PmMessage message)
{
    if (stream != &output_info || is_away())
        return pmHostError;
    if (written)
        fprintf(written, "%.3f %d %d %d\n", now_ms(), Pm_MessageStatus(message),
                Pm_MessageData1(message), Pm_MessageData2(message));
    return pmNoError;
}

PmError Pm_Close(PortMidiStream *stream)
{
    if (stream == &info)
        is_open = false;
    return pmNoError;
}

int Pm_HasHostError(PortMidiStream *stream)
{
    return stream == &info ? is_gone : is_away();
}

static int n_due(double now)
{
    int n = 0;
    while (next + n < n_script && script[next + n].ms <= now)
        n++;
    return n;
}

int Pm_Read(PortMidiStream *stream, PmEvent *buffer, int32_t length)
{
    if (!is_open || !may_go())
        return is_open ? 0 : pmBadPtr;
    double now = now_ms() - start_ms;
    if (n_due(now) > n_buffer) { /* they are flushed, and that is told once */
        next += n_due(now);
        return pmBufferOverflow;
    }
    int n = 0;
    for (; n < length && next < n_script && script[next].ms <= now; next++) {
        if (script[next].message == UNPLUG) {
            next++;
            is_gone = true;
            return n ? n : pmHostError;
        }
        PmTimestamp ago =
            (PmTimestamp)(floor(start_ms + now) - floor(start_ms + script[next].ms));
        buffer[n].message = (PmMessage)script[next].message;
        buffer[n++].timestamp = time_proc(NULL) - ago;
    }
    return n;
}
