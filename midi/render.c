/* Synthesis is a pass over the piece with somebody listening to its blocks. A
 * file takes two passes, the first to find the peak: FluidSynth runs a hundred
 * times faster than real time, and memory does not grow with the piece. */
#include "midi/render.h"
#include "midi/chase.h"
#include "midi/schedule.h"
#include "midi/sound.h"
#include "midi/wav.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 }; /* FluidSynth's own; events take effect between blocks */

#define DEFAULT_GAIN 0.4
#define PEAK_WANTED  0.891f /* -1 dB */
#define PEAK_SILENT  1e-4f  /* nothing but the reverb's noise */

/* Hears every block of the piece in turn. */
struct listener {
    void (*hear)(struct listener *l, const float *frames, size_t n_frames);
    float peak;      /* for peak_hear */
    struct wav *wav; /* for wav_hear */
    float scale;
    float *frames; /* for memory_hear: where the next go */
};

static void peak_hear(struct listener *l, const float *frames, size_t n_frames)
{
    for (size_t i = 0; i < 2 * n_frames; i++)
        l->peak = fmaxf(l->peak, fabsf(frames[i]));
}

static void wav_hear(struct listener *l, const float *frames, size_t n_frames)
{
    wav_write(l->wav, frames, n_frames, l->scale);
}

static void memory_hear(struct listener *l, const float *frames, size_t n_frames)
{
    peak_hear(l, frames, n_frames);
    memcpy(l->frames, frames, 2 * n_frames * sizeof *frames);
    l->frames += 2 * n_frames;
}

struct pass {
    const struct score *score;
    struct render_options options; /* defaults filled in */
    size_t n_frames;               /* of the whole piece */
    fluid_settings_t *settings;
    fluid_synth_t *synth;
    struct schedule *schedule;
    struct voices voices;
    struct message next; /* waiting for its block */
    bool has_next;
};

static enum midi_status begin_pass(struct pass *p)
{
    p->voices.n = 0;
    p->schedule = schedule_create(p->score);
    p->settings = new_fluid_settings();
    if (!p->schedule || !p->settings)
        return MIDI_NO_MEMORY;
    double gain = p->options.gain > 0 ? p->options.gain : DEFAULT_GAIN;
    sound_set_defaults(p->settings, gain);
    fluid_settings_setint(p->settings, "synth.reverb.active", !p->options.dry);
    fluid_settings_setnum(p->settings, "synth.sample-rate", p->options.sample_rate);
    p->synth = new_fluid_synth(p->settings);
    if (!p->synth || fluid_synth_sfload(p->synth, p->options.soundfont, 1) < 0)
        return MIDI_NO_SOUND;
    return MIDI_OK;
}

static void end_pass(struct pass *p)
{
    delete_fluid_synth(p->synth);
    delete_fluid_settings(p->settings);
    schedule_destroy(p->schedule);
    p->synth = NULL;
    p->settings = NULL;
    p->schedule = NULL;
}

static void set_channels(struct pass *p)
{
    struct chase chase;
    struct message messages[MAX_CHASED];
    chase_init(&chase, p->score);
    for (int channel = 0; channel < N_CHANNELS; channel++) {
        int n = chase_messages(&chase, channel, messages);
        for (int i = 0; i < n; i++)
            sound_apply(p->synth, &messages[i], 0);
    }
}

static void fetch_next(struct pass *p)
{
    p->has_next = schedule_next(p->schedule, &p->voices, INT64_MAX, &p->next);
}

/* Sends all that is due before the frame `until`. */
static void send_due(struct pass *p, double until)
{
    while (p->has_next) {
        double seconds = timeline_seconds(&p->score->timeline, (double)p->next.tick);
        if (seconds * p->options.sample_rate >= until)
            return;
        sound_apply(p->synth, &p->next, 0);
        fetch_next(p);
    }
}

static enum midi_status run_pass(struct pass *p, struct listener *l)
{
    float block[2 * BLOCK];
    enum midi_status st = begin_pass(p);
    if (!st) {
        set_channels(p);
        fetch_next(p);
    }
    for (size_t at = 0; !st && at < p->n_frames; at += BLOCK) {
        size_t n = p->n_frames - at < BLOCK ? p->n_frames - at : BLOCK;
        send_due(p, (double)at + BLOCK / 2.0);
        fluid_synth_write_float(p->synth, BLOCK, block, 0, 2, block, 1, 2);
        l->hear(l, block, n);
    }
    end_pass(p);
    return st;
}

static enum midi_status init_pass(struct pass *p, const struct score *s,
                                  const struct render_options *options)
{
    *p = (struct pass){.score = s, .options = *options};
    if (!options->soundfont)
        return MIDI_NO_SOUND;
    sound_hush();
    if (options->sample_rate < 8000 || options->sample_rate > 96000)
        p->options.sample_rate = 44100; /* FluidSynth takes no other */
    if (options->tail_seconds <= 0)
        p->options.tail_seconds = 2;
    double seconds = timeline_seconds(&s->timeline, (double)score_end_tick(s));
    double frames = ceil((seconds + p->options.tail_seconds) * p->options.sample_rate);
    if (!(frames <= (double)WAV_MAX_FRAMES))
        return MIDI_TOO_LONG;
    p->n_frames = (size_t)frames;
    return MIDI_OK;
}

static float scale_for(const struct pass *p, float peak)
{
    if (peak < PEAK_SILENT)
        return 1;
    float full = PEAK_WANTED / peak;
    return p->options.gain > 0 ? fminf(full, 1) : full;
}

enum midi_status render_wav(const struct score *s, const char *path,
                            const struct render_options *options)
{
    struct pass p;
    struct listener peak = {.hear = peak_hear}, file = {.hear = wav_hear};
    enum midi_status st = init_pass(&p, s, options);
    if (!st)
        st = wav_open(&file.wav, path, p.options.sample_rate, p.n_frames);
    if (st)
        return st;
    st = run_pass(&p, &peak);
    file.scale = scale_for(&p, peak.peak);
    if (!st)
        st = run_pass(&p, &file);
    if (!st)
        return wav_commit(file.wav);
    wav_abandon(file.wav);
    return st;
}

enum midi_status render_samples(const struct score *s,
                                const struct render_options *options, float **frames,
                                size_t *n_frames)
{
    struct pass p;
    enum midi_status st = init_pass(&p, s, options);
    if (st)
        return st;
    float *memory = calloc(p.n_frames + 1, 2 * sizeof *memory);
    if (!memory)
        return MIDI_NO_MEMORY;
    struct listener l = {.hear = memory_hear, .frames = memory};
    st = run_pass(&p, &l);
    if (st) {
        free(memory);
        return st;
    }
    float scale = scale_for(&p, l.peak);
    for (size_t i = 0; i < 2 * p.n_frames; i++)
        memory[i] *= scale;
    *frames = memory;
    *n_frames = p.n_frames;
    return MIDI_OK;
}
