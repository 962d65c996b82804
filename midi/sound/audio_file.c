/* Samples are rounded here, so that what is written is the same with any libsndfile. */
#include "midi/sound/audio_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sndfile.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLICE = 1024 }; /* frames that are rounded at a time */

struct audio_file {
    SNDFILE *sound;
    int fd; /* that libsndfile writes to */
    struct audio_spec spec;
    char *path;      /* the target */
    char *temporary; /* beside it; NULL: not made */
    bool failed;
    int why; /* errno then */
};

static const char *const NAMES[AUDIO_FORMATS] = {"wav", "flac", "ogg"};

const char *audio_format_name(enum audio_format format)
{
    return (unsigned)format < AUDIO_FORMATS ? NAMES[format] : "";
}

bool audio_format_find(const char *name, enum audio_format *format)
{
    for (int i = 0; i < AUDIO_FORMATS; i++)
        if (!strcasecmp(name, NAMES[i])) {
            *format = (enum audio_format)i;
            return true;
        }
    return false;
}

bool audio_format_of_file(const char *path, enum audio_format *format)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    *format = AUDIO_WAV;
    return !dot || dot == name || audio_format_find(dot + 1, format);
}

bool audio_spec_is_possible(const struct audio_spec *spec)
{
    bool is_rate =
        spec->sample_rate >= AUDIO_LEAST_RATE && spec->sample_rate <= AUDIO_MOST_RATE;
    bool is_16_or_24 = spec->bits == 16 || spec->bits == 24;
    bool is_float_wav = spec->format == AUDIO_WAV && spec->bits == 32;
    return is_rate && (spec->format == AUDIO_OGG || is_16_or_24 || is_float_wav);
}

size_t audio_max_frames(const struct audio_spec *spec)
{
    const size_t most_bytes = ((size_t)1 << 31) - 4096;
    int bits = spec->format == AUDIO_WAV ? spec->bits : 16;
    return most_bytes / (2 * (size_t)bits / 8);
}

static int format_bits(const struct audio_spec *spec)
{
    int depth = spec->bits == 32   ? SF_FORMAT_FLOAT
                : spec->bits == 24 ? SF_FORMAT_PCM_24
                                   : SF_FORMAT_PCM_16;
    switch (spec->format) {
    case AUDIO_FLAC:
        return SF_FORMAT_FLAC | depth;
    case AUDIO_OGG:
        return SF_FORMAT_OGG | SF_FORMAT_VORBIS;
    default:
        return SF_FORMAT_WAV | depth;
    }
}

/* A device or pipe would be replaced by the rename. */
static bool is_special(const char *path)
{
    struct stat st;
    return !stat(path, &st) && !S_ISREG(st.st_mode);
}

/* A new file beside the target, with the permissions the umask gives; leftovers
 * of a killed program are stepped over. -1: errno says why. */
static int create_beside(const char *path, char **name)
{
    int fd = -1;
    *name = NULL;
    for (int i = 0; i < 100 && fd < 0; i++) {
        free(*name);
        if (asprintf(name, "%s.%ld-%d", path, (long)getpid(), i) < 0) {
            *name = NULL;
            return -1;
        }
        fd = open(*name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd < 0) { /* not ours to remove */
        free(*name);
        *name = NULL;
    }
    return fd;
}

static enum midi_status open_temporary(struct audio_file *f)
{
    SF_INFO info = {.samplerate = f->spec.sample_rate,
                    .channels = 2,
                    .format = format_bits(&f->spec)};
    f->fd = create_beside(f->path, &f->temporary);
    if (f->fd < 0)
        return MIDI_CANNOT_WRITE;
    f->sound = sf_open_fd(f->fd, SFM_WRITE, &info, SF_FALSE);
    if (!f->sound)
        return MIDI_NO_MEMORY;
    /* The chunk of float files that holds the time of day. */
    sf_command(f->sound, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
    return MIDI_OK;
}

enum midi_status audio_file_open(struct audio_file **out, const char *path,
                                 const struct audio_spec *spec)
{
    if (is_special(path))
        return MIDI_NOT_REGULAR;
    struct audio_file *f = calloc(1, sizeof *f);
    if (!f)
        return MIDI_NO_MEMORY;
    f->fd = -1;
    f->spec = *spec;
    f->path = strdup(path);
    enum midi_status st = f->path ? open_temporary(f) : MIDI_NO_MEMORY;
    if (st) {
        audio_file_abandon(f);
        return st;
    }
    *out = f;
    return MIDI_OK;
}

/* Left-justified in 32 bits, as libsndfile has them. */
static int rounded(float x, int bits)
{
    float full = (float)((1 << (bits - 1)) - 1);
    float at = fminf(fmaxf(x * full, -full - 1), full);
    return (int)(uint32_t)((uint32_t)lrintf(at) << (32 - bits));
}

static sf_count_t write_slice(struct audio_file *f, const float *frames, size_t n)
{
    int whole[2 * SLICE];
    if (f->spec.format == AUDIO_OGG || f->spec.bits == 32)
        return sf_writef_float(f->sound, frames, (sf_count_t)n);
    for (size_t i = 0; i < 2 * n; i++)
        whole[i] = rounded(frames[i], f->spec.bits);
    return sf_writef_int(f->sound, whole, (sf_count_t)n);
}

void audio_file_write(struct audio_file *f, const float *frames, size_t n_frames)
{
    for (size_t at = 0, n; at < n_frames && !f->failed; at += n) {
        n = n_frames - at < SLICE ? n_frames - at : SLICE;
        errno = 0;
        f->failed = write_slice(f, frames + 2 * at, n) != (sf_count_t)n;
        f->why = errno ? errno : EIO;
    }
}

/* false: errno says why. */
static bool finish(struct audio_file *f)
{
    errno = 0;
    bool ok = !sf_close(f->sound);
    f->sound = NULL;
    if (!ok && !errno)
        errno = EIO;
    return ok && !fsync(f->fd) && !rename(f->temporary, f->path);
}

enum midi_status audio_file_commit(struct audio_file *f)
{
    bool ok = !f->failed && finish(f);
    if (f->failed)
        errno = f->why;
    if (ok) {
        free(f->temporary);
        f->temporary = NULL;
    }
    audio_file_abandon(f);
    return ok ? MIDI_OK : MIDI_CANNOT_WRITE;
}

void audio_file_abandon(struct audio_file *f)
{
    if (!f)
        return;
    int error = errno;
    if (f->sound)
        sf_close(f->sound);
    if (f->fd >= 0)
        close(f->fd);
    if (f->temporary)
        unlink(f->temporary);
    free(f->temporary);
    free(f->path);
    free(f);
    errno = error;
}

FILE *audio_file_scratch(const struct audio_file *f)
{
    char *name;
    int fd = create_beside(f->path, &name);
    if (fd < 0)
        return NULL;
    unlink(name);
    free(name);
    FILE *file = fdopen(fd, "w+b");
    if (!file)
        close(fd);
    return file;
}
