/* Renders a piece to a file. Synthesis is one pass over the piece. Its blocks go to a
 * scratch file without a name until the peak is known. So memory does not grow with the
 * piece, and FluidSynth, which takes nearly all the time, runs once. */
#include "midi/sound/render.h"
#include "midi/base/larger.h"
#include "midi/sound/chase.h"
#include "midi/sound/double_rate.h"
#include "midi/sound/schedule.h"
#include "midi/sound/sound.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 64,       /* FluidSynth's block; events take effect between blocks */
    MOST_BLOCKS = 32, /* blocks that are requested at once */
    MOST_SYNTH_RATE = 96000,
};

#define SYNTH_GAIN  0.4
#define PEAK_DB     (-1.0)
#define PEAK_SILENT 1e-4f /* below this there is only the reverb's noise */

struct pass {
    const struct score *score;
    struct render_options options; /* with defaults filled in */
    double rate;                   /* of the synth; half the file's if is_doubled */
    bool is_doubled;
    size_t n_frames; /* of the whole piece, at that rate */
    double share;    /* of the work that the synth does */
    fluid_settings_t *settings;
    fluid_synth_t *synth;
    struct schedule *schedule;
    struct voices voices;
    struct message next; /* the next message, if has_next */
    bool has_next;
    FILE *scratch; /* receives the blocks in turn; remembers errors */
    float peak;
    struct audio_file *file;
    struct double_rate doubled;
    size_t n_late; /* frames of the doubling's delay to drop */
};

static void fetch_next(struct pass *p)
{
    p->has_next = schedule_next(p->schedule, &p->voices, INT64_MAX, &p->next);
}

static enum midi_status begin_pass(struct pass *p)
{
    struct chase chase;
    struct message messages[MAX_CHASED];
    p->schedule = schedule_create(p->score);
    p->settings = new_fluid_settings();
    if (!p->schedule || !p->settings)
        return MIDI_NO_MEMORY;
    sound_set_defaults(p->settings, SYNTH_GAIN);
    fluid_settings_setint(p->settings, "synth.reverb.active", !p->options.dry);
    fluid_settings_setint(p->settings, "synth.chorus.active", !p->options.dry);
    fluid_settings_setnum(p->settings, "synth.sample-rate", p->rate);
    p->synth = new_fluid_synth(p->settings);
    if (!p->synth || fluid_synth_sfload(p->synth, p->options.soundfont, 1) < 0)
        return MIDI_NO_SOUND;
    sound_begin_ports(p->synth);
    chase_init(&chase, p->score);
    for (int channel = 0; channel < SOUND_CHANNELS; channel++) {
        int n = chase_messages(&chase, channel, messages);
        for (int i = 0; i < n; i++)
            sound_apply(p->synth, &messages[i], 0);
    }
    fetch_next(p);
    return MIDI_OK;
}

static double next_frame(const struct pass *p)
{
    return timeline_seconds(&p->score->timeline, (double)p->next.tick) * p->rate;
}

static bool may_go_on(const struct render_options *o, double share)
{
    return !o->go_on || o->go_on(o->context, share);
}

static enum midi_status run_pass(struct pass *p)
{
    float frames[2 * BLOCK * MOST_BLOCKS];
    enum midi_status st = begin_pass(p);
    for (size_t at = 0, n; !st && at < p->n_frames; at += n) {
        for (; p->has_next && next_frame(p) < (double)at + BLOCK / 2.0; fetch_next(p))
            sound_apply(p->synth, &p->next, 0);
        /* The frames to the next message, at most what is requested at once or left. */
        const double free =
            p->has_next ? (next_frame(p) - (double)at - BLOCK / 2.0) / BLOCK : 1e9;
        n = free >= MOST_BLOCKS ? MOST_BLOCKS : free < 0 ? 1 : (size_t)free + 1;
        n = (size_t)smaller((int64_t)n * BLOCK, (int64_t)(p->n_frames - at));
        int whole = (int)((n + BLOCK - 1) / BLOCK * BLOCK);
        fluid_synth_write_float(p->synth, whole, frames, 0, 2, frames, 1, 2);
        for (size_t i = 0; i < 2 * n; i++)
            p->peak = fmaxf(p->peak, fabsf(frames[i]));
        fwrite(frames, 2 * sizeof *frames, n, p->scratch);
        if (!may_go_on(&p->options, p->share * (double)(at + n) / (double)p->n_frames))
            st = MIDI_STOPPED;
    }
    delete_fluid_synth(p->synth);
    delete_fluid_settings(p->settings);
    schedule_destroy(p->schedule);
    return st;
}

static enum midi_status init_pass(struct pass *p, const struct score *s,
                                  const struct render_options *options)
{
    *p = (struct pass){.score = s, .options = *options};
    struct render_options *o = &p->options;
    if (!o->soundfont)
        return MIDI_NO_SOUND;
    sound_hush();
    if (o->sample_rate < AUDIO_LEAST_RATE || o->sample_rate > AUDIO_MOST_RATE)
        o->sample_rate = 44100;
    if (!o->bits)
        o->bits = 16;
    if (o->tail_seconds <= 0)
        o->tail_seconds = 2;
    p->is_doubled = o->sample_rate > MOST_SYNTH_RATE;
    p->rate = p->is_doubled ? o->sample_rate / 2.0 : o->sample_rate;
    double seconds = timeline_seconds(&s->timeline, (double)score_end_tick(s));
    double frames = ceil((seconds + o->tail_seconds) * p->rate);
    struct audio_spec spec = {o->format, o->bits, o->sample_rate};
    if (!(frames * (1 + p->is_doubled) <= (double)audio_max_frames(&spec)))
        return MIDI_TOO_LONG;
    p->n_frames = (size_t)frames;
    return MIDI_OK;
}

/* -- from the scratch file to the real one -- */

static void encode_doubled(struct pass *p, const float *frames, size_t n_frames)
{
    float out[2][2];
    for (size_t i = 0; i < n_frames; i++) {
        double_rate_next(&p->doubled, frames + 2 * i, out);
        if (p->n_late > 0)
            p->n_late--;
        else
            audio_file_write(p->file, out[0], 2);
    }
}

/* Reads the rendered samples back, scales them and writes them to the file. */
static enum midi_status encode_all(struct pass *p, float scale)
{
    float frames[2 * BLOCK * MOST_BLOCKS] = {0};
    if (fflush(p->scratch) || ferror(p->scratch) || fseek(p->scratch, 0, SEEK_SET))
        return MIDI_CANNOT_WRITE;
    for (size_t at = 0, n; at < p->n_frames; at += n) {
        n = fread(frames, 2 * sizeof *frames, BLOCK * MOST_BLOCKS, p->scratch);
        if (n == 0)
            return MIDI_CANNOT_WRITE;
        for (size_t i = 0; i < 2 * n; i++)
            frames[i] *= scale;
        if (p->is_doubled)
            encode_doubled(p, frames, n);
        else
            audio_file_write(p->file, frames, n);
        double share = (double)(at + n) / (double)p->n_frames;
        if (!may_go_on(&p->options, p->share + (1 - p->share) * share))
            return MIDI_STOPPED;
    }
    if (p->is_doubled) {
        memset(frames, 0, sizeof frames);
        encode_doubled(p, frames, DOUBLE_RATE_HALF);
    }
    return MIDI_OK;
}

/* The file is open, and stays open. */
static enum midi_status render_into_file(struct pass *p)
{
    p->scratch = audio_file_scratch(p->file);
    if (!p->scratch)
        return MIDI_CANNOT_WRITE;
    p->n_late = DOUBLE_RATE_HALF;
    double_rate_init(&p->doubled);
    p->share = p->is_doubled ? 0.5 : 0.9;
    const struct render_options *o = &p->options;
    enum midi_status st = run_pass(p);
    /* The gain is rounded down to tenths of a decibel, so that a printed gain can be
     * given again. */
    struct render_level level = {.is_silent = p->peak < PEAK_SILENT};
    const double peak_db = level.is_silent ? 0 : 20 * log10((double)p->peak);
    if (o->has_gain)
        level.gain_db = o->gain_db;
    else if (!level.is_silent)
        level.gain_db = floor(10 * (PEAK_DB - peak_db)) / 10;
    level.peak_db = peak_db + level.gain_db;
    if (!st)
        st = encode_all(p, (float)pow(10, level.gain_db / 20));
    if (o->level)
        *o->level = level;
    int error = errno;
    fclose(p->scratch);
    errno = error;
    return st;
}

enum midi_status render_to_file(const struct score *s, const char *path,
                                const struct render_options *options)
{
    struct pass p;
    enum midi_status st = init_pass(&p, s, options);
    if (st)
        return st;
    struct audio_spec spec = {p.options.format, p.options.bits, p.options.sample_rate};
    st = audio_file_open(&p.file, path, &spec);
    if (st)
        return st;
    st = render_into_file(&p);
    if (!st)
        return audio_file_commit(p.file);
    audio_file_abandon(p.file);
    return st;
}
