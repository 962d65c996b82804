/* continuo accompany: a melody, and the voices below it, or a band. */
#include "midi/base/clock.h"
#include "app/cli/verbs.h"

#include "app/base/say.h"
#include "app/decoding/grid_fill.h"
#include "app/decoding/metadata.h"
#include "app/document/chord_texts.h"
#include "app/generation/take.h"
#include "midi/edit/apply.h"

#include <stdio.h>

/* Finds the track of the melody. Returns 0, or 1 after an error message. */
static int find_melody(const struct options *o, const struct score *s, int *melody)
{
    const int wanted = o->track, n = (int)s->n_tracks;
    if (wanted > n)
        return say_error(o->file, "has no such track");
    int i = wanted ? wanted - 1 : 0;
    while (!wanted && i < n && (!s->tracks[i].n_notes || track_is_drums(&s->tracks[i])))
        i++;
    if (score_n_notes(s) && (i >= n || track_is_drums(&s->tracks[i])))
        return say_error(o->file, wanted ? "has drums on that track, no melody"
                                         : "has drums alone: a band needs a melody");
    if (i >= n || !s->tracks[i].n_notes)
        return say_error(o->file, wanted ? "has no notes on that track"
                                         : "has no notes to accompany");
    *melody = i;
    return 0;
}

/* -- a band -- */

static int write_band(struct options *o, struct score *s, int melody)
{
    struct continuation_options *c = &o->continuation;
    struct band band;
    char wrong[BAND_WORDS], what[96];
    if (!band_read(&band, o->with, wrong)) {
        snprintf(what, sizeof what,
                 *wrong ? "has no instrument that is called %s"
                        : "must name one to eight instruments",
                 wrong);
        return say_wrong("--with", what);
    }
    band_bars(s, melody, &c->hole.from_tick, &c->hole.to_tick);
    c->is_band = true;
    struct change *change = change_create("band");
    enum midi_status st = change_add_band(change, s, &band, &c->tracks);
    if (!st)
        st = change_apply(change, s, true);
    change_destroy(change);
    return st ? say_midi_error(o->file, st) : takes_write(o, s);
}

/* -- voices, of a model that has learnt chorales -- */

static bool add_voice(const struct grid *g, int voice, struct score *s, int melody)
{
    const struct track *from = &s->tracks[melody];
    const int64_t n = (int64_t)from->n_notes;
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += from->notes[i].velocity;
    const uint8_t velocity = (uint8_t)(n ? sum / n : 0); /* the mean of the melody's */
    int track = score_add_track(s, grid_voice_names[voice], score_free_channel(s, 0),
                                from->program);
    return track >= 0 && grid_voice_to_track(g, voice, s, track, velocity);
}

/* Adds the voices by the model of the request, and saves the score. */
static int fill_voices(const struct options *o, struct score *s, int melody,
                       struct grid *g, struct grid_fill_request *request)
{
    struct grid_fill_result result;
    const struct grid_form told = request->lesson.told;
    const double start = clock_now_seconds();
    request->sampling = o->continuation.sampling;
    enum model_status filled = grid_fill(g, request, &result);
    const double seconds = clock_now_seconds() - start;
    enum midi_status st = MIDI_OK;
    if (filled)
        return say_model_error(o->file, filled, NULL);
    for (int v = told.first; !st && v < told.first + told.n; v++)
        if (!add_voice(g, v, s, melody))
            st = MIDI_NO_MEMORY;
    if (!st)
        st = smf_save(s, o->output);
    if (st)
        return say_midi_error(o->output, st);
    say_safe(stdout, o->output);
    printf(": %d voices below %d sixteenths, seed %llu; %.2f nats per cell, %.0f cells "
           "per second\n",
           told.n, g->n_steps, (unsigned long long)request->sampling.seed,
           -result.log_prob / result.n_tokens, result.n_tokens / seconds);
    return 0;
}

static int write_voices(struct options *o, struct score *s, int melody)
{
    char path[4096];
    struct grid grid = {0};
    struct grid_fill_request request = {0};
    struct model *model = NULL;
    struct pool *pool = NULL;
    takes_warn_off_grid(o->file, s);
    enum midi_status st = grid_from_track(&grid, 0, s, melody);
    if (st)
        return say_midi_error(o->file, st);
    int status =
        verb_model_open(&model, o->model ? o->model : "accompany", path, sizeof path);
    if (!status &&
        (!metadata_grid_lesson(model, &request.lesson) || !request.lesson.heard.n))
        status = say_error(path, "is not a model that accompanies a melody");
    if (!status && !(pool = pool_create(o->threads)))
        status = say_model_error(path, MODEL_NO_THREAD, NULL);
    if (!status) {
        model->precision = o->precision;
        request.model = model;
        request.pool = pool;
        status = fill_voices(o, s, melody, &grid, &request);
    }
    grid_fini(&grid);
    pool_destroy(pool);
    model_close(model);
    return status ? 1 : 0;
}

static int accompany(struct options *o, struct score *s)
{
    int melody = 0;
    if (!o->with && o->takes > 1)
        return say_wrong("--takes", "is only for a band, with --with");
    const int status = find_melody(o, s, &melody);
    return status    ? status
           : o->with ? write_band(o, s, melody)
                     : write_voices(o, s, melody);
}

const struct verb VERB_ACCOMPANY = {
    .name = "accompany",
    .summary = "add a band or voices to a melody",
    .run_score = accompany,
    .arguments = "IN.mid -o OUT.mid [--track N] [options]",
    .about =
        "Writes IN.mid to OUT.mid and adds a track for each instrument of --with. "
        "They\n"
        "play over the chords written in IN.mid. If there are none, the chords are\n"
        "guessed from the notes and written too. Without --with the verb adds voices\n"
        "below the melody, as in a chorale, in sixteenths. Every event of IN.mid is\n"
        "kept. The melody is the first track with notes, unless --track names another.",
    .n_files = 1,
    .rewrites = true,
    .takes = OPTION_OUTPUT | OPTION_MODEL | OPTION_TRACK | OPTION_WITH |
             OPTION_SAMPLING | OPTION_MUSIC | OPTION_TAKES | OPTION_THREADS |
             OPTION_PRECISION | OPTION_JSON,
    .needs = OPTION_OUTPUT,
};
