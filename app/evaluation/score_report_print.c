/* A score's surprise as lines, and as JSON. */
#include "app/evaluation/score_report.h"

#include "app/base/say.h"
#include "app/base/say_json.h"
#include "midi/tokens/grid.h"
#include "midi/tokens/tokens.h"

#include <cjson/cJSON.h>
#include <math.h>

enum { SHOWN_BARS = 5 };

static double mean_of(const struct score_sum *s)
{
    return s->n_notes ? s->nats / s->n_notes : 0;
}

static const char *notes(int n)
{
    return n == 1 ? "note" : "notes";
}

/* "F#4", or what else the token says. */
static const char *alternative_name(const struct attention_work *w, int32_t token,
                                    char *buf, size_t n)
{
    const bool is_grid = model_config(w->model)->vocab == GRID_COUNT;
    const int32_t pitch = token - (int32_t)(is_grid ? GRID_PITCH : TOKEN_PITCH);
    if (pitch >= 0 && pitch < 128)
        return attention_pitch_name(buf, n, pitch);
    return inspection_token_name(w->inspection, token, buf, n);
}

static void print_note(const struct scored_note *n, const struct attention_work *w)
{
    char name[32];
    printf("%6lld  %5lld:%-6.4g %4d  %-4s %7.2f %7.2f", (long long)n->name.number,
           (long long)n->name.bar, n->name.beat, n->note.track + 1, n->name.pitch,
           (double)n->note.surprise, (double)n->note.surprise_of[INSPECTED_PITCH]);
    for (int i = 0; i < n->n_alternatives; i++)
        printf("%s%s%s %.2f", i ? ", " : "   ", n->alternatives[i].is_chosen ? "*" : "",
               alternative_name(w, n->alternatives[i].token, name, sizeof name),
               (double)n->alternatives[i].probability);
    putchar('\n');
}

static void print_tracks(const struct score_report *r, const struct attention_work *w)
{
    for (size_t i = 0; i < w->score->n_tracks; i++) {
        if (!r->tracks[i].n_notes)
            continue;
        printf("  track %zu, ", i + 1);
        say_safe(stdout,
                 *w->score->tracks[i].name ? w->score->tracks[i].name : "no name");
        printf(": %.2f nats a note, %d %s\n", mean_of(&r->tracks[i]),
               r->tracks[i].n_notes, notes(r->tracks[i].n_notes));
    }
}

static void print_bars(const struct score_report *r)
{
    puts("the most surprising bars:");
    for (int i = 0; i < r->n_bars && i < SHOWN_BARS; i++) {
        const struct score_sum *bar = &r->bars[r->worst[i]];
        if (bar->n_notes)
            printf("  bar %d: %.2f nats a note, %d %s\n", r->worst[i] + 1, mean_of(bar),
                   bar->n_notes, notes(bar->n_notes));
    }
}

void score_report_print(const struct score_report *r, const struct attention_work *w)
{
    const int unheard = (int)w->n_order - r->n_notes;
    puts("  note  bar:beat   track  pitch   nats   of which its pitch");
    for (int i = 0; i < r->n_notes; i++)
        print_note(&r->notes[i], w);
    say_safe(stdout, w->o->file);
    printf("%s%s: %.3f nats a note, %.3f of its pitch; %d %s\n",
           *attention_style(w) ? ", read as " : "", attention_style(w),
           mean_of(&r->all), r->pitch_nats / r->n_notes, r->n_notes, notes(r->n_notes));
    if (unheard > 0)
        printf("  %d more have no place in what this model reads\n", unheard);
    print_tracks(r, w);
    print_bars(r);
}

static void add_sum(cJSON *to, const struct score_sum *s)
{
    cJSON_AddNumberToObject(to, "notes", s->n_notes);
    cJSON_AddNumberToObject(to, "nats", s->nats);
    cJSON_AddNumberToObject(to, "nats_a_note", mean_of(s));
}

static void add_alternatives(cJSON *to, const struct scored_note *n,
                             const struct attention_work *w)
{
    char name[32];
    cJSON *list = n->n_alternatives ? cJSON_AddArrayToObject(to, "alternatives") : NULL;
    for (int i = 0; i < n->n_alternatives; i++) {
        cJSON *item = cJSON_CreateObject();
        const struct inspected_alternative *a = &n->alternatives[i];
        cJSON_AddStringToObject(item, "token",
                                alternative_name(w, a->token, name, sizeof name));
        cJSON_AddNumberToObject(item, "probability", (double)a->probability);
        cJSON_AddBoolToObject(item, "chosen", a->is_chosen);
        cJSON_AddItemToArray(list, item);
    }
}

static void add_parts(cJSON *to, const struct inspected_note *n)
{
    cJSON *parts = cJSON_AddObjectToObject(to, "of");
    for (int k = 0; k < INSPECTED_NOTE_PARTS; k++)
        cJSON_AddNumberToObject(parts, inspected_part_name((enum inspected_part)k),
                                (double)n->surprise_of[k]);
}

static cJSON *note_json(const struct scored_note *n, const struct attention_work *w)
{
    cJSON *j = cJSON_CreateObject();
    cJSON_AddNumberToObject(j, "number", (double)n->name.number);
    cJSON_AddNumberToObject(j, "bar", (double)n->name.bar);
    cJSON_AddNumberToObject(j, "beat", n->name.beat);
    cJSON_AddNumberToObject(j, "track", n->note.track + 1);
    cJSON_AddStringToObject(j, "name", n->name.pitch);
    cJSON_AddNumberToObject(j, "pitch", n->note.pitch);
    cJSON_AddNumberToObject(j, "tick", (double)n->note.tick);
    cJSON_AddNumberToObject(j, "nats", (double)n->note.surprise);
    add_parts(j, &n->note);
    add_alternatives(j, n, w);
    return j;
}

static void add_bars(cJSON *to, const struct score_report *r)
{
    cJSON *bars = cJSON_AddArrayToObject(to, "bars");
    cJSON *worst = cJSON_AddArrayToObject(to, "most_surprising_bars");
    for (int i = 0; i < r->n_bars; i++) {
        cJSON *bar = cJSON_CreateObject();
        cJSON_AddNumberToObject(bar, "bar", i + 1);
        add_sum(bar, &r->bars[i]);
        cJSON_AddItemToArray(bars, bar);
        if (i < SHOWN_BARS && r->bars[r->worst[i]].n_notes)
            cJSON_AddItemToArray(worst, cJSON_CreateNumber(r->worst[i] + 1));
    }
}

static void add_tracks(cJSON *to, const struct score_report *r,
                       const struct attention_work *w)
{
    char safe[128];
    cJSON *tracks = cJSON_AddArrayToObject(to, "tracks");
    for (size_t i = 0; i < w->score->n_tracks; i++) {
        cJSON *track = cJSON_CreateObject();
        cJSON_AddNumberToObject(track, "track", (double)i + 1);
        cJSON_AddStringToObject(track, "name",
                                say_copy(safe, sizeof safe, w->score->tracks[i].name));
        add_sum(track, &r->tracks[i]);
        cJSON_AddItemToArray(tracks, track);
    }
}

bool score_report_print_json(const struct score_report *r,
                             const struct attention_work *w)
{
    char safe[4096], hash[24];
    cJSON *j = cJSON_CreateObject();
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)model_hash(w->model));
    cJSON_AddStringToObject(j, "file", say_copy(safe, sizeof safe, w->o->file));
    cJSON_AddStringToObject(j, "model", say_copy(safe, sizeof safe, w->model_path));
    cJSON_AddStringToObject(j, "model_hash", hash);
    cJSON_AddStringToObject(j, "style", attention_style(w));
    add_sum(j, &r->all);
    cJSON_AddNumberToObject(j, "pitch_nats", r->pitch_nats);
    cJSON_AddNumberToObject(j, "unheard", (double)w->n_order - r->n_notes);
    add_tracks(j, r, w);
    add_bars(j, r);
    cJSON *notes = cJSON_AddArrayToObject(j, "note_list");
    for (int i = 0; i < r->n_notes; i++)
        cJSON_AddItemToArray(notes, note_json(&r->notes[i], w));
    bool ok = say_json(stdout, j);
    cJSON_Delete(j);
    return ok;
}
