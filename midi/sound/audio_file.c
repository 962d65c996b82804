/* Writes sound files. Samples are rounded here, so that every version of libsndfile
 * writes the same. */
#include "midi/sound/audio_file.h"

#include "midi/base/file.h"

#include <errno.h>
#include <math.h>
#include <sndfile.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { SLICE = 1024 }; /* frames that are rounded at a time */

struct audio_file {
    SNDFILE *sound;
    struct file_draft draft;
    struct audio_spec spec;
    bool failed;
    int why; /* errno at the failure */
};

static const char *const NAMES[AUDIO_FORMATS] = {"wav", "flac", "ogg"};

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

enum midi_status audio_file_open(struct audio_file **out, const char *path,
                                 const struct audio_spec *spec)
{
    static const int formats[AUDIO_FORMATS] = {SF_FORMAT_WAV, SF_FORMAT_FLAC,
                                               SF_FORMAT_OGG};
    const int depth = spec->format == AUDIO_OGG ? SF_FORMAT_VORBIS
                      : spec->bits == 32        ? SF_FORMAT_FLOAT
                      : spec->bits == 24        ? SF_FORMAT_PCM_24
                                                : SF_FORMAT_PCM_16;
    SF_INFO info = {.samplerate = spec->sample_rate,
                    .channels = 2,
                    .format = formats[spec->format] | depth};
    struct audio_file *f = calloc(1, sizeof *f);
    if (!f)
        return MIDI_NO_MEMORY;
    f->spec = *spec;
    enum midi_status st = file_draft_open(&f->draft, path);
    if (!st)
        f->sound = sf_open_fd(f->draft.fd, SFM_WRITE, &info, SF_FALSE);
    if (!st && !f->sound)
        st = MIDI_NO_MEMORY;
    if (st) {
        audio_file_abandon(f);
        return st;
    }
    /* This chunk of float files would hold the time of day. */
    sf_command(f->sound, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
    *out = f;
    return MIDI_OK;
}

static sf_count_t write_slice(struct audio_file *f, const float *frames, size_t n)
{
    int whole[2 * SLICE], bits = f->spec.bits;
    if (f->spec.format == AUDIO_OGG || bits == 32)
        return sf_writef_float(f->sound, frames, (sf_count_t)n);
    float full = (float)((1 << (bits - 1)) - 1);
    for (size_t i = 0; i < 2 * n; i++) {
        float at = fminf(fmaxf(frames[i] * full, -full - 1), full);
        /* left-justified in 32 bits, as libsndfile expects */
        whole[i] = (int)(uint32_t)((uint32_t)lrintf(at) << (32 - bits));
    }
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

enum midi_status audio_file_commit(struct audio_file *f)
{
    errno = f->failed ? f->why : 0;
    bool ok = !f->failed;
    if (ok) {
        ok = !sf_close(f->sound);
        f->sound = NULL;
    }
    if (!ok && !errno)
        errno = EIO;
    if (ok)
        ok = file_draft_commit(&f->draft) == MIDI_OK;
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
    file_draft_discard(&f->draft);
    free(f);
    errno = error;
}

FILE *audio_file_scratch(const struct audio_file *f)
{
    char *name;
    int fd = file_create_beside(f->draft.target, 0600, &name);
    if (fd < 0)
        return NULL;
    unlink(name);
    free(name);
    FILE *file = fdopen(fd, "w+b");
    if (!file)
        close(fd);
    return file;
}
