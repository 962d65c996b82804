#include "app/generation/take.h"

#include "app/decoding/metadata.h"
#include "app/decoding/model_file.h"
#include "app/base/say.h"
#include "app/base/values.h"
#include "app/base/json_fields.h"
#include "midi/base/larger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool engine_open(struct engine *e, const char *wanted_model,
                 struct model_precision precision, int n_threads)
{
    *e = (struct engine){0};
    if (verb_model_open(&e->model, wanted_model, e->path, sizeof e->path))
        return false;
    e->model->precision = precision;
    e->pool = pool_create(n_threads);
    enum model_status st =
        e->pool ? continuation_create(&e->continuation, e->model, e->pool)
                : MODEL_NO_THREAD;
    if (st) {
        say_model_error(e->path, st, NULL);
        engine_close(e);
    }
    return st == MODEL_OK;
}

void engine_close(struct engine *e)
{
    continuation_destroy(e->continuation);
    pool_destroy(e->pool);
    model_close(e->model);
    *e = (struct engine){0};
}

static bool show_progress(void *n_all, int n_before, const struct continued_note *n,
                          double drawn)
{
    (void)n_before;
    if (n)
        say_progress("drawing", (int)(99 * drawn / *(int *)n_all), 100);
    return true;
}

bool take_make(struct take *takes, int n, struct engine *e, const char *file,
               const struct score *s, const struct continuation_options *o)
{
    const struct draws_listener l = {show_progress, &n, false};
    int n_drawn;
    enum continuation_state state =
        draws_make(takes, n, e->continuation, s, o, &l, &n_drawn);
    say_progress("", 1, 1);
    if (state == CONTINUATION_DONE)
        return true;
    const char *why = continuation_error(e->continuation);
    say_error(file, *why ? why : midi_strerror(MIDI_NO_MEMORY));
    return false;
}

void take_rank(struct take *takes, int n, const struct continuation_options *o,
               const struct critic *c, const struct score *s)
{
    draws_judge(takes, n, o, c, s);
    for (int i = 0; i < n; i++) {
        takes[i].rank = 1;
        for (int k = 0; k < n; k++) {
            int better = continuation_compare(&takes[k].stats, &takes[i].stats);
            takes[i].rank += better > 0 || (k < i && better == 0);
        }
    }
}

bool take_apply(const struct take *t, struct score *s)
{
    if (s->n_tracks == 0 && score_add_track(s, "Piano", 0, 0) < 0)
        return false;
    for (size_t i = 0; i < t->n_notes; i++)
        if (!score_add_note(s, t->notes[i].track, t->notes[i].note))
            return false;
    return true;
}

double take_speed(const struct take *t)
{
    double drawing = t->seconds - t->seconds_to_read;
    return drawing > 0 ? t->stats.n_tokens / drawing : 0;
}

static void add_hole(cJSON *j, const struct continuation_options *o)
{
    cJSON *hole =
        json_nest(j, "hole", "from_tick %lld to_tick %lld pitch_low %d pitch_high %d",
                  (long long)o->hole.from_tick, (long long)o->hole.to_tick,
                  o->hole.pitch_lo, o->hole.pitch_hi);
    cJSON *tracks = cJSON_AddArrayToObject(hole, "tracks");
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (o->tracks >> t & 1)
            cJSON_AddItemToArray(tracks, cJSON_CreateNumber(t + 1));
}

cJSON *engine_json(const struct engine *e, const struct options *o)
{
    cJSON *j = json_add(
        cJSON_CreateObject(), "model %s model_hash %016llx precision %s threads %d",
        e->path, (unsigned long long)model_hash(e->model),
        value_precision_name(e->model->precision.weights), pool_n_threads(e->pool));
    cJSON *settings = cJSON_AddObjectToObject(j, "settings");
    struct steering used = o->steering;
    used.n_takes = o->takes;
    for (int i = 0; i < steer_n_rows(); i++) {
        const struct field *f = steer_row(i);
        char text[STEER_TEXT_BYTES];
        field_write(f, &used, text, sizeof text);
        if (field_is_number(f, &used))
            cJSON_AddRawToObject(settings, f->name, text);
        else
            cJSON_AddStringToObject(settings, f->name, text);
    }
    json_add(settings, "top-k %d", o->continuation.sampling.top_k);
    if (o->harmony)
        json_add(settings, "harmony %s", o->harmony);
    if (o->continuation.hole.to_tick > 0)
        add_hole(j, &o->continuation);
    else
        json_add(settings, "bars %d", o->continuation.bars);
    return j;
}

/* JSON has no infinities. */
static double or_zero(double x)
{
    return isfinite(x) ? x : 0;
}

static void add_notes(cJSON *j, const struct take *t)
{
    cJSON *notes = cJSON_AddArrayToObject(j, "notes");
    for (size_t i = 0; i < t->n_notes; i++) {
        const struct continued_note *n = &t->notes[i];
        json_append(notes,
                    "track %d start %lld length %lld pitch %d velocity %d tokens %d "
                    "log_prob %.4f masked %.4f",
                    n->track + 1, (long long)n->note.start, (long long)n->note.length,
                    n->note.pitch, n->note.velocity, n->n_tokens,
                    or_zero((double)n->log_prob), or_zero((double)n->masked));
    }
}

static void add_chords(cJSON *j, const struct take *t)
{
    cJSON *chords = t->stats.n_chords ? cJSON_AddArrayToObject(j, "chords") : NULL;
    for (int i = 0; i < t->stats.n_chords; i++) {
        const struct planned_chord *p = &t->stats.chords[i];
        char name[CHORD_TEXT];
        json_append(chords, "tick %lld symbol %s",
                    (long long)larger(p->tick, t->stats.from_tick),
                    planned_chord_name(p, name));
    }
}

cJSON *take_json(const struct take *t, const char *file)
{
    const struct continuation_stats *s = &t->stats;
    cJSON *j = json_add(
        cJSON_CreateObject(),
        "file %s seed %llu style %s from_tick %lld to_tick %lld tokens %d "
        "seconds %.4f seconds_to_read %.4f tokens_per_second %.1f "
        "seconds_to_first_note %.4f log_prob %.4f own_log_prob %.4f masked %.4f",
        file, (unsigned long long)t->seed, style_name(t->style),
        (long long)s->from_tick, (long long)s->to_tick, s->n_tokens, t->seconds,
        t->seconds_to_read, or_zero(take_speed(t)), t->seconds_to_first,
        or_zero(s->log_prob), or_zero(s->own_log_prob), or_zero(s->masked));
    json_add(j, "bars_before %d bars_read %d", (int)s->n_bars, (int)s->n_bars_read);
    if (s->closes > 0)
        json_add(j, "closes %.4f", s->closes);
    json_add(j, "rank %d", t->rank);
    char restored[80];
    if (*held_say(&t->restored, restored, sizeof restored))
        json_add(j, "restores %s", restored);
    if (s->motif.kind)
        json_nest(j, "motif", "kind %s tick %lld steps %d", MOTIF_KINDS[s->motif.kind],
                  (long long)s->motif.tick, s->motif.steps);
    if (s->verdict.is_judged) {
        json_add(j, "merit %.4f faults %d", (double)s->verdict.merit,
                 s->verdict.n_faults);
        cJSON *why = cJSON_AddArrayToObject(j, "why");
        for (int i = 0; i < CRITIC_WORDS && critic_word(s->verdict.words[i]); i++)
            cJSON_AddItemToArray(why,
                                 cJSON_CreateString(critic_word(s->verdict.words[i])));
    }
    add_chords(j, t);
    add_notes(j, t);
    return j;
}
