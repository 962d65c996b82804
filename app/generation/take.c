/* See take.h. Seeds count up from draw to draw. */
#include "app/generation/take.h"

#include "app/decoding/context.h"
#include "app/decoding/metadata.h"
#include "app/base/say.h"
#include "app/base/values.h"
#include "app/base/json_fields.h"
#include "midi/base/larger.h"
#include "midi/edit/apply.h"
#include "midi/edit/timeline_events.h"
#include "midi/score/score.h"

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
        e->pool ? continuation_create(&e->continuation, e->model, e->pool, NULL)
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

static bool show_progress(void *n_all, const struct take *takes, int n_before,
                          double drawn)
{
    (void)takes;
    (void)n_before;
    say_progress("drawing", (int)(99 * drawn / *(int *)n_all), 100);
    return true;
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

/* Returns the take's own tokens per second, after reading the music; other takes may run at the same
 * time. */
static double take_speed(const struct take *t)
{
    double drawing = t->seconds - t->seconds_to_read;
    return drawing > 0 ? t->stats.n_tokens / drawing : 0;
}

/* Describes the model and the settings that the takes came from. NULL: out of memory. */
static cJSON *engine_json(const struct engine *e, const struct options *o)
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
    const struct continuation_options *q = &o->continuation;
    if (q->hole.to_tick > 0) {
        cJSON *hole = json_add(cJSON_AddObjectToObject(j, "hole"),
                               "from_tick %lld to_tick %lld pitch_low %d pitch_high %d",
                               (long long)q->hole.from_tick, (long long)q->hole.to_tick,
                               q->hole.pitch_lo, q->hole.pitch_hi);
        cJSON *tracks = cJSON_AddArrayToObject(hole, "tracks");
        for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
            if (q->tracks >> t & 1)
                cJSON_AddItemToArray(tracks, cJSON_CreateNumber(t + 1));
    } else {
        json_add(settings, "bars %d", q->bars);
    }
    return j;
}

/* JSON has no infinities. */
static double or_zero(double x)
{
    return isfinite(x) ? x : 0;
}

static cJSON *take_json(const struct take *t, const char *file)
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
    json_add(j, "rank %d", t->rank);
    char restored[80];
    if (*held_say(&t->restored, restored, sizeof restored))
        json_add(j, "restores %s", restored);
    if (s->motif.kind)
        json_add(cJSON_AddObjectToObject(j, "motif"), "kind %s tick %lld steps %d",
                 MOTIF_KINDS[s->motif.kind], (long long)s->motif.tick, s->motif.steps);
    if (s->verdict.is_judged) {
        json_add(j, "merit %.4f faults %d", (double)s->verdict.merit,
                 s->verdict.n_faults);
        cJSON *why = cJSON_AddArrayToObject(j, "why");
        for (int i = 0; i < CRITIC_WORDS && critic_word(s->verdict.words[i]); i++)
            cJSON_AddItemToArray(why,
                                 cJSON_CreateString(critic_word(s->verdict.words[i])));
    }
    cJSON *chords = s->n_chords ? cJSON_AddArrayToObject(j, "chords") : NULL;
    for (int i = 0; i < s->n_chords; i++) {
        char name[CHORD_TEXT];
        json_add(json_item(chords), "tick %lld symbol %s",
                 (long long)larger(s->chords[i].tick, s->from_tick),
                 planned_chord_name(&s->chords[i], name));
    }
    cJSON *notes = cJSON_AddArrayToObject(j, "notes");
    for (size_t i = 0; i < t->n_notes; i++) {
        const struct continued_note *n = &t->notes[i];
        json_add(json_item(notes),
                 "track %d start %lld length %lld pitch %d velocity %d tokens %d "
                 "log_prob %.4f masked %.4f",
                 n->track + 1, (long long)n->note.start, (long long)n->note.length,
                 n->note.pitch, n->note.velocity, n->n_tokens,
                 or_zero((double)n->log_prob), or_zero((double)n->masked));
    }
    return j;
}

bool takes_path(char *path, size_t n_path, const struct options *o, int take)
{
    const char *dot = strrchr(o->output, '.'), *slash = strrchr(o->output, '/');
    size_t stem =
        dot && (!slash || dot > slash) ? (size_t)(dot - o->output) : strlen(o->output);
    int n = o->takes == 1 ? snprintf(path, n_path, "%s", o->output)
                          : snprintf(path, n_path, "%.*s-%d%s", (int)stem, o->output,
                                     take + 1, o->output + stem);
    return n >= 0 && (size_t)n < n_path;
}

/* The chords of --harmony, one a bar, over again until the takes end. */
static int put_harmony(const struct options *o, struct score *s)
{
    enum { MOST = 256 };
    char *words[MOST], *rest = NULL, *text = strdup(o->harmony);
    struct chord_symbol symbol;
    struct context music;
    int n = 0;
    bool ok = text != NULL;
    for (char *w = text ? strtok_r(text, " |", &rest) : NULL; ok && w;
         w = strtok_r(NULL, " |", &rest)) {
        ok = n < MOST && (!strcmp(w, "%") || chord_symbol_read(w, &symbol));
        if (ok)
            words[n++] = w;
    }
    if (!ok || !n) {
        free(text);
        return say_wrong("--harmony",
                         "must be chord symbols, one a bar: \"C Am7 F G7/B\"");
    }
    struct change *c = change_create("harmony");
    enum midi_status st = context_init(&music, s, &o->continuation);
    if (!st) {
        int64_t tick = tick_from_step(music.hole.from, s->ticks_per_quarter);
        const int64_t to = tick_from_step(music.hole.to, s->ticks_per_quarter);
        context_fini(&music);
        st = change_remove_timeline(c, s, TIMELINE_CHORD, tick, to);
        for (int i = 0; !st && tick < to; i++) {
            const struct bar bar = timeline_bar_at(&s->timeline, tick);
            if (strcmp(words[i % n], "%") != 0)
                st = change_add_chord(c, s, tick, words[i % n]);
            tick = bar.start + bar.length;
        }
    }
    if (!st)
        st = change_apply(c, s, true);
    change_destroy(c);
    free(text);
    return st ? say_midi_error(o->file, st) : 0;
}

/* Saves the score with the take's notes, and leaves it as it was. */
static bool save_take(struct take *t, const struct continuation_options *o,
                      const struct score *s, const char *path)
{
    const bool is_hole = o->hole.to_tick > 0;
    struct surroundings u = {.is_hole = is_hole,
                             .from = is_hole ? o->hole.from_tick : t->stats.from_tick,
                             .to = o->hole.to_tick,
                             .tracks = is_hole ? o->tracks : 0};
    struct score *with = score_clone(s);
    for (size_t i = 0; i < t->n_notes; i++)
        u.tracks |= UINT64_C(1) << (t->notes[i].track & 63);
    enum midi_status st = with ? surroundings_apply(&u, with) : MIDI_NO_MEMORY;
    t->restored = u.out;
    if (!st && !take_apply(t, with))
        st = MIDI_NO_MEMORY;
    if (!st)
        st = smf_save(with, path);
    score_destroy(with);
    if (st)
        say_midi_error(path, st);
    return st == MIDI_OK;
}

static void print_take(const struct take *t, const char *path,
                       const struct continuation_options *o, const struct score *s,
                       int n_drawn)
{
    char why[160], motif[MOTIF_TEXT], restored[80], read[CONTINUATION_READ_TEXT];
    say_safe(stdout, path);
    if (o->hole.to_tick > 0)
        printf(": %zu notes in the hole", t->n_notes);
    else
        printf(": %zu notes in %d bars", t->n_notes, o->bars);
    printf(", seed %llu, rank %d of %d drawn; %d tokens, %.0f per second, the first "
           "note after "
           "%.2f s%s\n",
           (unsigned long long)t->seed, t->rank, n_drawn, t->stats.n_tokens,
           take_speed(t), t->seconds_to_first,
           continuation_say_read(&t->stats, o, read));
    if (*held_say(&t->restored, restored, sizeof restored))
        printf("    restores %s after the end of the music\n", restored);
    if (*motif_say(&t->stats.motif, &s->timeline, motif))
        printf("    %s\n", motif);
    if (*critic_say(&t->stats.verdict, why, sizeof why))
        printf("    %s\n", why);
    for (int i = 0; i < t->stats.n_chords; i++) {
        char name[CHORD_TEXT];
        printf("%s %s%s",
               i ? "" : "    chords:", planned_chord_name(&t->stats.chords[i], name),
               i + 1 == t->stats.n_chords ? "\n" : "");
    }
}

void takes_warn_off_grid(const char *file, const struct score *s)
{
    if (score_is_off_grid(s))
        say_error(file, "warning: the notes do not lie on the grid of their beats; in "
                        "the workstation gL lays them on it");
}

int takes_write(struct options *o, struct score *s)
{
    struct engine e;
    struct critic found;
    takes_warn_off_grid(o->file, s);
    if (o->harmony && put_harmony(o, s))
        return 2;
    if (!engine_open(&e, o->model, o->precision, o->threads))
        return 1;
    const struct critic *critic = critic_find(&found) ? &found : NULL;
    struct continuation_options wanted = o->continuation;
    wanted.n_takes = o->takes;
    wanted.n_draws = o->steering.n_draws;
    int n = draws_wanted(&wanted, critic), n_drawn;
    struct take *takes = calloc((size_t)n, sizeof *takes);
    /* The music that is read has the meter of the bars that follow. */
    struct score *music = score_clone(s);
    const bool has_room =
        takes && music && (wanted.hole.to_tick > 0 || !surroundings_set_meter(music));
    const struct draws_listener l = {show_progress, &n, false};
    bool ok = has_room && draws_make(takes, n, e.continuation, music, &wanted, &l,
                                     &n_drawn) == CONTINUATION_DONE;
    say_progress("", 1, 1);
    const bool chooses = n > o->takes;
    ok = ok && draws_judge(takes, n, &wanted, chooses || o->takes > 1 ? critic : NULL,
                           chooses ? music : s);
    const char *why = has_room ? continuation_error(e.continuation) : "";
    if (!ok)
        say_error(o->file, *why ? why : midi_strerror(MIDI_NO_MEMORY));
    if (ok && chooses) {
        draws_sort(takes, n, o->takes);
    } else if (ok) { /* they stay in their order */
        for (int i = 0; i < n * n; i++) {
            const int a = i / n, b = i % n,
                      better = continuation_compare(&takes[b].stats, &takes[a].stats);
            takes[a].rank += (a == b) + (better > 0 || (b < a && better == 0));
        }
    }
    cJSON *report = ok && o->json ? engine_json(&e, o) : NULL;
    cJSON *list = report ? cJSON_AddArrayToObject(report, "takes") : NULL;
    for (int i = 0; ok && i < o->takes; i++) {
        char path[4096];
        ok = takes_path(path, sizeof path, o, i);
        if (!ok)
            say_error(o->output, "the name is too long");
        ok = ok && save_take(&takes[i], &o->continuation, s, path);
        if (ok && o->json)
            cJSON_AddItemToArray(list, take_json(&takes[i], path));
        else if (ok)
            print_take(&takes[i], path, &o->continuation, s, n);
    }
    if (ok && o->json)
        say_json(stdout, report);
    cJSON_Delete(report);
    takes_free(takes, n);
    score_destroy(music);
    engine_close(&e);
    return ok ? 0 : 1;
}
