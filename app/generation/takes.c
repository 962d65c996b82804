/* See take.h. Seeds count up from draw to draw. */
#include "app/generation/take.h"

#include "app/decoding/context.h"
#include "app/base/say.h"
#include "app/base/json_fields.h"
#include "midi/edit/apply.h"
#include "midi/edit/timeline_events.h"
#include "midi/score/off_grid.h"

#include <stdlib.h>
#include <string.h>

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

static enum midi_status add_take(struct take *t, const struct continuation_options *o,
                                 struct score *with)
{
    const bool is_hole = o->hole.to_tick > 0;
    struct surroundings u = {.is_hole = is_hole,
                             .from = is_hole ? o->hole.from_tick : t->stats.from_tick,
                             .to = o->hole.to_tick,
                             .tracks = is_hole ? o->tracks : 0};
    for (size_t i = 0; i < t->n_notes; i++)
        u.tracks |= UINT64_C(1) << (t->notes[i].track & 63);
    enum midi_status st = surroundings_apply(&u, with);
    t->restored = u.out;
    return !st && !take_apply(t, with) ? MIDI_NO_MEMORY : st;
}

/* The chords of --harmony, one a bar, over again until the new notes end. */
static enum midi_status put_chords(struct change *c, const struct score *s,
                                   char **words, int n, int64_t from, int64_t to)
{
    enum midi_status st = change_remove_timeline(c, s, TIMELINE_CHORD, from, to);
    int64_t tick = from;
    for (int i = 0; !st && tick < to; i++) {
        const struct bar bar = timeline_bar_at(&s->timeline, tick);
        if (strcmp(words[i % n], "%") != 0)
            st = change_add_chord(c, s, tick, words[i % n]);
        tick = bar.start + bar.length;
    }
    return st;
}

/* Where the takes begin and end. */
static enum midi_status find_span(const struct options *o, const struct score *s,
                                  int64_t *from, int64_t *to)
{
    struct context music;
    enum midi_status st = context_init(&music, s, &o->continuation);
    if (st)
        return st;
    *from = tick_from_step(music.hole.from, s->ticks_per_quarter);
    *to = tick_from_step(music.hole.to, s->ticks_per_quarter);
    context_fini(&music);
    return MIDI_OK;
}

static int put_harmony(const struct options *o, struct score *s)
{
    enum { MOST = 256 };
    char *words[MOST], *rest = NULL, *text = strdup(o->harmony);
    struct chord_symbol symbol;
    int n = 0;
    int64_t from = 0, to = 0;
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
    enum midi_status st = find_span(o, s, &from, &to);
    if (!st)
        st = put_chords(c, s, words, n, from, to);
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
    struct score *with = score_clone(s);
    enum midi_status st = with ? add_take(t, o, with) : MIDI_NO_MEMORY;
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

/* The takes are the best of n_drawn. */
static bool write_takes(struct take *takes, int n_drawn, struct engine *e,
                        const struct options *o, const struct score *s)
{
    cJSON *report = o->json ? engine_json(e, o) : NULL;
    cJSON *list = report ? cJSON_AddArrayToObject(report, "takes") : NULL;
    bool ok = true;
    for (int i = 0; ok && i < o->takes; i++) {
        char path[4096];
        ok = takes_path(path, sizeof path, o, i);
        if (!ok)
            say_error(o->output, "the name is too long");
        ok = ok && save_take(&takes[i], &o->continuation, s, path);
        if (ok && o->json)
            cJSON_AddItemToArray(list, take_json(&takes[i], path));
        else if (ok)
            print_take(&takes[i], path, &o->continuation, s, n_drawn);
    }
    if (ok && o->json)
        say_json(stdout, report);
    cJSON_Delete(report);
    return ok;
}

/* music: s, with the meter of the bars that follow. */
static bool make_takes(struct engine *e, const struct options *o, const struct score *s,
                       const struct score *music)
{
    struct critic found;
    const struct critic *critic = critic_find(&found) ? &found : NULL;
    struct continuation_options wanted = o->continuation;
    wanted.n_takes = o->takes;
    wanted.n_draws = o->steering.n_draws;
    const int n = draws_wanted(&wanted, critic);
    struct take *takes = calloc((size_t)n, sizeof *takes);
    if (!takes)
        return !say_error(o->file, midi_strerror(MIDI_NO_MEMORY));
    bool ok = take_make(takes, n, e, o->file, music, &wanted);
    if (ok && n > o->takes) {
        draws_judge(takes, n, &wanted, critic, music);
        draws_keep_best(takes, n, o->takes);
    } else if (ok)
        take_rank(takes, n, &wanted, o->takes > 1 ? critic : NULL, s);
    ok = ok && write_takes(takes, n, e, o, s);
    for (int i = 0; i < n; i++)
        draws_fini(&takes[i]);
    free(takes);
    return ok;
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
    takes_warn_off_grid(o->file, s);
    if (o->harmony && put_harmony(o, s))
        return 2;
    if (!engine_open(&e, o->model, o->precision, o->threads))
        return 1;
    struct score *music = score_clone(s);
    bool ok =
        music && (o->continuation.hole.to_tick > 0 || !surroundings_set_meter(music));
    ok = ok ? make_takes(&e, o, s, music)
            : !say_error(o->file, midi_strerror(MIDI_NO_MEMORY));
    score_destroy(music);
    engine_close(&e);
    return ok ? 0 : 1;
}
