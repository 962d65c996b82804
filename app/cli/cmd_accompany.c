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

struct work {
    struct options *o;
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
    while (!wanted && w->melody < (int)s->n_tracks &&
           (!s->tracks[w->melody].n_notes || track_is_drums(&s->tracks[w->melody])))
        w->melody++;
    if (score_n_notes(s) &&
        (w->melody >= (int)s->n_tracks || track_is_drums(&s->tracks[w->melody])))
        return say_error(w->o->file, wanted ? "has drums on that track, no melody"
                                            : "has drums alone: a band needs a melody");
    if (w->melody >= (int)s->n_tracks || !s->tracks[w->melody].n_notes)
        return say_error(w->o->file, wanted ? "has no notes on that track"
                                            : "has no notes to accompany");
    return 0;
}

/* -- a band -- */

static int write_band(struct work *w)
{
    struct continuation_options *o = &w->o->continuation;
    struct band band;
    char wrong[BAND_WORDS], what[96];
    if (!band_read(&band, w->o->with, wrong)) {
        snprintf(what, sizeof what,
                 *wrong ? "has no instrument that is called %s"
                        : "must name one to eight instruments",
                 wrong);
        return say_wrong("--with", what);
    }
    band_bars(w->score, w->melody, &o->hole.from_tick, &o->hole.to_tick);
    o->is_band = true;
    struct change *c = change_create("band");
    enum midi_status st = change_add_band(c, w->score, &band, &o->tracks);
    if (!st)
        st = change_apply(c, w->score, true);
    change_destroy(c);
    return st ? say_midi_error(w->o->file, st) : takes_write(w->o, w->score);
}

/* -- voices, of a model that has learnt chorales -- */

static int open_model(struct work *w)
{
    char path[4096];
    const char *wanted = w->o->model ? w->o->model : "accompany";
    int status = verb_model_open(&w->model, wanted, path, sizeof path);
    if (status)
        return status;
    if (!metadata_grid_lesson(w->model, &w->request.lesson) ||
        !w->request.lesson.heard.n)
        return say_error(path, "is not a model that accompanies a melody");
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

static bool add_voice(struct work *w, int voice)
{
    struct score *s = w->score;
    const struct track *melody = &s->tracks[w->melody];
    const int64_t n = (int64_t)melody->n_notes;
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += melody->notes[i].velocity;
    const uint8_t velocity =
        (uint8_t)(n ? sum / n : 0); /* the melody's, on the whole */
    int track = score_add_track(s, grid_voice_names[voice], score_free_channel(s, 0),
                                melody->program);
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

static int write_voices(struct work *w)
{
    const struct grid_fill_result *r = &w->result;
    takes_warn_off_grid(w->o->file, w->score);
    enum midi_status st = grid_from_track(&w->grid, 0, w->score, w->melody);
    if (st)
        return say_midi_error(w->o->file, st);
    if (open_model(w) || tell(w) || save(w))
        return 1;
    say_safe(stdout, w->o->output);
    printf(": %d voices below %d sixteenths, seed %llu; %.2f nats per cell, %.0f cells "
           "per second\n",
           w->request.lesson.told.n, w->grid.n_steps,
           (unsigned long long)w->request.sampling.seed, -r->log_prob / r->n_tokens,
           r->n_tokens / w->seconds);
    return 0;
}

static int accompany(struct options *o, struct score *s)
{
    struct work w = {.o = o, .score = s};
    if (!o->with && o->takes > 1)
        return say_wrong("--takes", "is only for a band, with --with");
    int status = find_melody(&w);
    if (!status)
        status = o->with ? write_band(&w) : write_voices(&w);
    grid_fini(&w.grid);
    pool_destroy(w.pool);
    model_close(w.model);
    return status;
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
