/* The canonical 44-byte header of Microsoft and IBM's RIFF WAVE, PCM. */
#include "midi/wav.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER_SIZE = 44, FRAME_SIZE = 4 };

struct wav {
    FILE *file;
    char *path;      /* the target */
    char *temporary; /* beside it; NULL: not made */
};

static void put_u32(uint8_t *at, size_t v)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(v >> 8 * i);
}

static void put_tag(uint8_t *at, const char *tag)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)tag[i];
}

static void make_header(uint8_t h[HEADER_SIZE], size_t sample_rate, size_t n_frames)
{
    static const uint8_t pcm_stereo[4] = {1, 0, 2, 0};
    static const uint8_t block_and_bits[4] = {FRAME_SIZE, 0, 16, 0};
    put_tag(h, "RIFF");
    put_u32(h + 4, HEADER_SIZE - 8 + n_frames * FRAME_SIZE);
    put_tag(h + 8, "WAVE");
    put_tag(h + 12, "fmt ");
    put_u32(h + 16, 16);
    memcpy(h + 20, pcm_stereo, 4);
    put_u32(h + 24, sample_rate);
    put_u32(h + 28, sample_rate * FRAME_SIZE);
    memcpy(h + 32, block_and_bits, 4);
    put_tag(h + 36, "data");
    put_u32(h + 40, n_frames * FRAME_SIZE);
}

/* A device or pipe would be replaced by the rename. */
static bool is_special(const char *path)
{
    struct stat st;
    return !stat(path, &st) && !S_ISREG(st.st_mode);
}

/* A new file beside the target, with the permissions the umask gives; leftovers
 * of a killed program are stepped over. -1: errno says why. */
static int create_beside(struct wav *w)
{
    int fd = -1;
    for (int i = 0; i < 100 && fd < 0; i++) {
        free(w->temporary);
        w->temporary = NULL;
        if (asprintf(&w->temporary, "%s.%ld-%d", w->path, (long)getpid(), i) < 0) {
            w->temporary = NULL;
            return -1;
        }
        fd = open(w->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd < 0) { /* not ours to remove */
        free(w->temporary);
        w->temporary = NULL;
    }
    return fd;
}

static enum midi_status open_temporary(struct wav *w)
{
    int fd = create_beside(w);
    if (fd < 0)
        return MIDI_CANNOT_WRITE;
    w->file = fdopen(fd, "wb");
    if (w->file)
        return MIDI_OK;
    close(fd);
    return MIDI_NO_MEMORY;
}

enum midi_status wav_open(struct wav **out, const char *path, int sample_rate,
                          size_t n_frames)
{
    if (n_frames > WAV_MAX_FRAMES)
        return MIDI_TOO_LONG;
    if (is_special(path))
        return MIDI_NOT_REGULAR;
    struct wav *w = calloc(1, sizeof *w);
    if (!w)
        return MIDI_NO_MEMORY;
    w->path = strdup(path);
    enum midi_status st = w->path ? open_temporary(w) : MIDI_NO_MEMORY;
    if (st) {
        wav_abandon(w);
        return st;
    }
    uint8_t header[HEADER_SIZE];
    make_header(header, (size_t)sample_rate, n_frames);
    fwrite(header, 1, sizeof header, w->file);
    *out = w;
    return MIDI_OK;
}

static int to_int16(float x)
{
    return (int)lrintf(fminf(fmaxf(x * 32767, -32768), 32767));
}

void wav_write(struct wav *w, const float *frames, size_t n_frames, float scale)
{
    for (size_t i = 0; i < 2 * n_frames; i++) {
        unsigned v = (unsigned)to_int16(frames[i] * scale);
        putc((int)(v & 255), w->file);
        putc((int)(v >> 8 & 255), w->file);
    }
}

enum midi_status wav_commit(struct wav *w)
{
    bool ok = !ferror(w->file) && !fflush(w->file) && !fsync(fileno(w->file));
    ok = !fclose(w->file) && ok;
    w->file = NULL;
    if (ok && !rename(w->temporary, w->path)) {
        free(w->temporary);
        w->temporary = NULL;
        wav_abandon(w);
        return MIDI_OK;
    }
    wav_abandon(w);
    return MIDI_CANNOT_WRITE;
}

void wav_abandon(struct wav *w)
{
    if (!w)
        return;
    int error = errno;
    if (w->file)
        fclose(w->file);
    if (w->temporary)
        unlink(w->temporary);
    free(w->temporary);
    free(w->path);
    free(w);
    errno = error;
}
