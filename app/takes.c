/* See takes.h. Seeds count up from take to take. */
#include "app/takes.h"

#include "app/say.h"
#include "app/take.h"

#include <string.h>

/* "out.mid" for a single take, else "out-K.mid". */
static bool take_path(char *path, size_t n_path, const struct options *o, int take)
{
    const char *dot = strrchr(o->output, '.'), *slash = strrchr(o->output, '/');
    size_t stem =
        dot && (!slash || dot > slash) ? (size_t)(dot - o->output) : strlen(o->output);
    int n = o->takes == 1 ? snprintf(path, n_path, "%s", o->output)
                          : snprintf(path, n_path, "%.*s-%d%s", (int)stem, o->output,
                                     take + 1, o->output + stem);
    return n >= 0 && (size_t)n < n_path;
}

/* Saves the score with the take's notes, and leaves it as it was. */
static bool save_take(const struct take *t, const struct score *s, const char *path)
{
    struct score *with = score_clone(s);
    enum midi_status st =
        with && take_apply(t, with) ? smf_save(with, path) : MIDI_NO_MEMORY;
    score_destroy(with);
    if (st)
        say_midi_error(path, st);
    return st == MIDI_OK;
}

static void print_take(const struct take *t, const char *path,
                       const struct continuation_options *o)
{
    say_safe(stdout, path);
    if (o->hole.to_tick > 0)
        printf(": %zu notes in the hole", t->n_notes);
    else
        printf(": %zu notes in %d bars", t->n_notes, o->bars);
    printf(", seed %llu; %d tokens, %.0f a second, the first note after %.2f s\n",
           (unsigned long long)o->sampling.seed, t->n_tokens, take_speed(t),
           t->seconds_to_first);
}

static bool make_take(struct engine *e, const struct options *o, const struct score *s,
                      int take, cJSON *list)
{
    char path[4096];
    struct take t;
    struct continuation_options wanted = o->continuation;
    wanted.sampling.seed += (uint64_t)take;
    if (!take_path(path, sizeof path, o, take)) {
        say_error(o->output, "the name is too long");
        return false;
    }
    if (!take_make(&t, e, o->file, s, &wanted))
        return false;
    bool ok = save_take(&t, s, path);
    if (ok && o->json)
        cJSON_AddItemToArray(list, take_json(&t, path, wanted.sampling.seed));
    else if (ok)
        print_take(&t, path, &wanted);
    take_fini(&t);
    return ok;
}

static bool make_takes(struct engine *e, const struct options *o, const struct score *s)
{
    cJSON *report = engine_json(e, &o->continuation);
    cJSON *list = cJSON_AddArrayToObject(report, "takes");
    bool ok = true;
    for (int take = 0; ok && take < o->takes; take++)
        ok = make_take(e, o, s, take, list);
    char *text = ok && o->json ? cJSON_Print(report) : NULL;
    if (text)
        puts(text);
    cJSON_free(text);
    cJSON_Delete(report);
    return ok;
}

int takes_write(const struct options *o, const struct score *s)
{
    struct engine e;
    if (!engine_open(&e, o->model, o->threads))
        return 1;
    bool ok = make_takes(&e, o, s);
    engine_close(&e);
    return ok ? 0 : 1;
}
