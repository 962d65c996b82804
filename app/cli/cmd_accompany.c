/* continuo accompany: a melody, and the voices below it. */
#include "midi/base/clock.h"
#include "app/cli/verbs.h"

#include "app/dataset/grid_corpus.h"
#include "app/decoding/metadata.h"
#include "app/decoding/model_file.h"
#include "app/base/say.h"

#include <stdio.h>

struct work {
    const struct options *o;
    struct score *score;
    int melody; /* a track */
    struct model *model;
    struct pool *pool;
    struct grid grid;
    struct grid_fill_request request;
    struct grid_fill_result result;
    double seconds;
};

static int find_melody(struct work *w)
{
    const struct score *s = w->score;
    const int wanted = w->o->track;
    if (wanted > (int)s->n_tracks)
        return say_error(w->o->file, "has no such track");
    w->melody = wanted ? wanted - 1 : 0;
    while (!wanted && w->melody < (int)s->n_tracks && !s->tracks[w->melody].n_notes)
        w->melody++;
    if (w->melody >= (int)s->n_tracks || !s->tracks[w->melody].n_notes)
        return say_error(w->o->file, wanted ? "has no notes on that track"
                                            : "has no notes to accompany");
    enum midi_status st = grid_from_track(&w->grid, 0, s, w->melody);
    return st ? say_midi_error(w->o->file, st) : 0;
}

static int open_model(struct work *w)
{
    char path[4096];
    const char *wanted = w->o->model ? w->o->model : "accompany";
    int status = verb_model_open(&w->model, wanted, path, sizeof path);
    if (status)
        return status;
    if (!metadata_grid_lesson(w->model, &w->request.lesson) ||
        !w->request.lesson.heard.n)
        return say_error(path, "is not a model that hears a melody and accompanies it");
    w->model->precision = w->o->precision;
    w->pool = pool_create(w->o->threads);
    return w->pool ? 0 : say_model_error(path, MODEL_NO_THREAD, NULL);
}

static int tell(struct work *w)
{
    double start = clock_now_seconds();
    w->request.model = w->model;
    w->request.pool = w->pool;
    w->request.sampling = w->o->continuation.sampling;
    enum model_status st = grid_fill(&w->grid, &w->request, &w->result);
    w->seconds = clock_now_seconds() - start;
    return st ? say_model_error(w->o->file, st, NULL) : 0;
}

/* The melody's, on the whole. */
static uint8_t mean_velocity(const struct track *t)
{
    int64_t sum = 0;
    for (size_t i = 0; i < t->n_notes; i++)
        sum += t->notes[i].velocity;
    return (uint8_t)(t->n_notes ? sum / (int64_t)t->n_notes : sum);
}

/* A channel that no track has and drums have not, else the melody's. */
static uint8_t free_channel(const struct score *s, uint8_t otherwise)
{
    enum { CHANNELS = 16, DRUMS = 9 };
    for (int channel = 0; channel < CHANNELS; channel++) {
        bool taken = channel == DRUMS;
        for (size_t t = 0; !taken && t < s->n_tracks; t++)
            taken = s->tracks[t].channel == channel;
        if (!taken)
            return (uint8_t)channel;
    }
    return otherwise;
}

static bool add_voice(struct work *w, int voice)
{
    struct score *s = w->score;
    const struct track *melody = &s->tracks[w->melody];
    uint8_t velocity = mean_velocity(melody);
    int track = score_add_track(s, grid_voice_names[voice],
                                free_channel(s, melody->channel), melody->program);
    return track >= 0 && grid_voice_to_track(&w->grid, voice, s, track, velocity);
}

static int save(struct work *w)
{
    const struct grid_form told = w->request.lesson.told;
    enum midi_status st = MIDI_OK;
    for (int v = told.first; !st && v < told.first + told.n; v++)
        if (!add_voice(w, v))
            st = MIDI_NO_MEMORY;
    if (!st)
        st = smf_save(w->score, w->o->output);
    return st ? say_midi_error(w->o->output, st) : 0;
}

static void report(const struct work *w)
{
    const struct grid_fill_result *r = &w->result;
    say_safe(stdout, w->o->output);
    printf(": %d voices below %d sixteenths, seed %llu; %.2f nats a cell, %.0f cells a "
           "second\n",
           w->request.lesson.told.n, w->grid.n_steps,
           (unsigned long long)w->request.sampling.seed, -r->log_prob / r->n_tokens,
           r->n_tokens / w->seconds);
}

static int run(struct work *w)
{
    w->score = say_load(w->o->file);
    if (!w->score || find_melody(w) || open_model(w) || tell(w) || save(w))
        return 1;
    report(w);
    return 0;
}

static int cmd_accompany(struct options *o)
{
    struct work w = {.o = o};
    int status = run(&w);
    grid_fini(&w.grid);
    pool_destroy(w.pool);
    model_close(w.model);
    score_destroy(w.score);
    return status;
}

const struct verb VERB_ACCOMPANY = {
    .name = "accompany",
    .summary = "write the voices below a melody",
    .run = cmd_accompany,
    .arguments = "IN.mid -o OUT.mid [--track N] [options]",
    .about =
        "Writes IN.mid to OUT.mid and adds voices below its melody, on new tracks,\n"
        "in sixteenths. Every event of IN.mid is kept. The melody is the first\n"
        "track that has notes, unless --track names another.",
    .n_files = 1,
    .takes = OPTION_OUTPUT | OPTION_MODEL | OPTION_TRACK | OPTION_SAMPLING |
             OPTION_THREADS | OPTION_PRECISION,
    .needs = OPTION_OUTPUT,
};
