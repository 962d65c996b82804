#include "app/base/say.h"

#include "midi/base/clock.h"
#include "midi/base/file.h"
#include "tui/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void say_safe(FILE *to, const char *text)
{
    uint32_t code;
    while ((code = text_next(&text)) != 0) {
        char bytes[4] = {0};
        size_t n = text_encode(code, bytes);
        fwrite(bytes, 1, n, to);
    }
}

const char *say_copy(char *buf, size_t n_buf, const char *text)
{
    size_t n = 0;
    uint32_t code;
    while ((code = text_next(&text)) != 0 && n + 4 < n_buf)
        n += text_encode(code, buf + n);
    buf[n] = '\0';
    return buf;
}

static void say_subject(const char *subject)
{
    fputs("continuo: ", stderr);
    say_safe(stderr, subject);
    fputs(": ", stderr);
}

int say_error(const char *subject, const char *what)
{
    say_subject(subject);
    say_safe(stderr, what);
    fputc('\n', stderr);
    return 1;
}

int say_wrong(const char *subject, const char *what)
{
    say_error(subject, what);
    return 2;
}

int say_midi_error(const char *file, enum midi_status st)
{
    bool is_systems = errno && (st == MIDI_NO_FILE || st == MIDI_CANNOT_WRITE);
    return say_error(file, is_systems ? strerror(errno) : midi_strerror(st));
}

int say_model_error(const char *file, enum model_status st, const char *detail)
{
    bool is_systems = errno && (st == MODEL_NO_FILE || st == MODEL_CANNOT_WRITE);
    const char *what = is_systems ? strerror(errno) : model_strerror(st);
    say_subject(file);
    fputs(what, stderr);
    if (detail && *detail) {
        fputs(": ", stderr);
        say_safe(stderr, detail);
    }
    fputc('\n', stderr);
    return 1;
}

void say_warnings(const char *file, const struct smf_report *r)
{
    int n_kept = (int)(sizeof r->warnings / sizeof r->warnings[0]);
    for (int i = 0; i < r->n_warnings && i <= n_kept; i++) {
        say_subject(file);
        if (i < n_kept)
            fprintf(stderr, "warning: %s\n", r->warnings[i]);
        else
            fprintf(stderr, "and %d more warnings\n", r->n_warnings - n_kept);
    }
}

/* When the work began, and when its line was shown last, in milliseconds; 0: there is none. */
static struct {
    double began, shown;
} progress;
static const char WIPE[] = "\r\033[K";

void say_progress(const char *what, int n_done, int n_all)
{
    enum { PATIENCE_MS = 500, REDRAW_MS = 100 };
    const double now = clock_now_ms();
    const int error = errno;
    const bool is_seen = isatty(STDERR_FILENO) == 1;
    errno = error; /* the caller may still report it */
    if (!is_seen)
        return;
    if (n_all && n_done >= n_all) {
        fputs(progress.shown > 0 ? WIPE : "", stderr);
        progress.began = progress.shown = 0;
        return;
    }
    if (progress.began <= 0)
        progress.began = now;
    if (now - progress.began < PATIENCE_MS || now - progress.shown < REDRAW_MS)
        return;
    progress.shown = now;
    fprintf(stderr,
            n_all == 100 ? "\r%s %d%%"
            : n_all      ? "\r%s %d of %d"
                         : "\r%s %d",
            what, n_done, n_all);
}

static void end_cleanly(int number)
{
    file_drafts_remove();
    if (progress.shown > 0 && write(STDERR_FILENO, WIPE, sizeof WIPE - 1) < 0)
        errno = 0; /* the program ends anyway */
    raise(number); /* SA_RESETHAND: this ends the program */
}

void say_end_cleanly(void)
{
    static const int ENDS[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = end_cleanly, .sa_flags = SA_RESETHAND},
                     before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ENDS / sizeof ENDS[0]; i++)
        if (!sigaction(ENDS[i], NULL, &before) && before.sa_handler == SIG_DFL)
            sigaction(ENDS[i], &action, NULL);
}

struct score *say_load(const char *file, bool *is_partial)
{
    struct score *s = NULL;
    struct smf_report report = {0};
    errno = 0;
    enum midi_status st = smf_load(&s, file, &report);
    if (st) {
        say_midi_error(file, st);
        return NULL;
    }
    say_warnings(file, &report);
    if (is_partial)
        *is_partial = report.is_partial;
    return s;
}

/* -- standard descriptors -- */

/* open returns the lowest closed descriptor. */
void streams_fill(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int streams_finish(int status)
{
    errno = 0;
    if (!fflush(stdout) && !ferror(stdout))
        return status;
    if (!errno &&
        putchar('\n') != EOF) /* an earlier write failed; another one finds out why */
        fflush(stdout);
    fprintf(stderr, "continuo: the output could not be written completely%s%s\n",
            errno ? ": " : "", errno ? strerror(errno) : "");
    return status ? status : 1;
}
