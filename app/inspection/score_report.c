/* How surprising the notes of a score are to a model. Each note counts in the window that has
 * most music before it. Figures are nats, summed over a note's tokens. See attention_work.h. */
#include "app/inspection/attention_work.h"

#include "app/base/say.h"
#include "app/base/json_fields.h"
#include "midi/base/array.h"
#include "midi/tokens/grid.h"
#include "midi/tokens/tokens.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

enum { MOST_ALTERNATIVES = 16, SHOWN_BARS = 5 };

struct sum {
    double nats;
    int n_notes;
};

struct report {
    struct attention_work *work;
    cJSON *notes;     /* in the order they are read in */
    struct sum *bars; /* [n_bars] */
    size_t n_bars, cap;
    struct sum *tracks; /* [n_tracks of the score] */
    struct sum all;
    double pitch_nats; /* of the pitches alone */
};

static void add_nats(struct sum *s, double nats)
{
    s->nats += nats;
    s->n_notes++;
}

/* Adds a note that was read, and the likeliest alternatives to its pitch. false: no memory. */
static bool add_note(struct report *r, int note, int n_alternatives)
{
    const struct attention_work *w = r->work;
    const struct inspect_note *n = &w->now->notes[note];
    const struct note_name name = attention_name(w, note);
    const double nats = (double)n->surprise;
    struct inspect_guess list[MOST_ALTERNATIVES + 1];
    char text[32];
    cJSON *j =
        json_add(json_item(r->notes),
                 "number %lld bar %lld beat %g track %d name %s pitch %d "
                 "tick %lld nats %g",
                 (long long)name.number, (long long)name.bar, name.beat, n->track + 1,
                 name.pitch, n->note.pitch, (long long)n->note.start, nats);
    cJSON *parts = cJSON_AddObjectToObject(j, "of");
    for (int k = 0; k < INSPECTED_NOTE_PARTS; k++)
        cJSON_AddNumberToObject(parts, inspected_part_name((enum inspected_part)k),
                                (double)n->surprise_of[k]);
    n_alternatives = n_alternatives > 0
                         ? inspection_alternatives(w->inspection, note, INSPECTED_PITCH,
                                                   list, n_alternatives)
                         : 0;
    cJSON *others = n_alternatives ? cJSON_AddArrayToObject(j, "alternatives") : NULL;
    const bool is_grid = w->model->config.vocab == GRID_COUNT;
    for (int i = 0; i < n_alternatives; i++) {
        const int pitch = list[i].token - (int)(is_grid ? GRID_PITCH : TOKEN_PITCH);
        if (pitch >= 0 && pitch < 128)
            inspected_pitch_name(text, sizeof text, pitch);
        else
            inspection_token_name(w->inspection, list[i].token, text, sizeof text);
        json_add(json_item(others), "token %s probability %g chosen %hhd", text,
                 (double)list[i].probability, list[i].is_written);
    }
    while ((int64_t)r->n_bars < name.bar)
        if (!array_add(&r->bars, &r->n_bars, &r->cap, &(struct sum){0},
                       sizeof *r->bars))
            return false;
    add_nats(&r->all, nats);
    add_nats(&r->bars[name.bar - 1], nats);
    if (n->track >= 0 && n->track < (int)w->score->n_tracks)
        add_nats(&r->tracks[n->track], nats);
    r->pitch_nats += (double)n->surprise_of[INSPECTED_PITCH];
    return j != NULL;
}

/* -- printing -- */

static void add_sum(cJSON *to, const struct sum *s)
{
    json_add(to, "notes %d nats %g nats_a_note %g", s->n_notes, s->nats,
             s->n_notes ? s->nats / s->n_notes : 0);
}

/* All but the notes. */
static cJSON *summary_json(const struct report *r)
{
    const struct attention_work *w = r->work;
    cJSON *j =
        json_add(cJSON_CreateObject(), "file %s model %s model_hash %016llx style %s",
                 w->o->file, w->model_path, (unsigned long long)model_hash(w->model),
                 attention_style(w));
    add_sum(j, &r->all);
    json_add(j, "pitch_nats %g pitch_nats_a_note %g unheard %d", r->pitch_nats,
             r->pitch_nats / r->all.n_notes, (int)w->n_order - r->all.n_notes);
    cJSON *tracks = cJSON_AddArrayToObject(j, "tracks");
    for (size_t i = 0; i < w->score->n_tracks; i++)
        add_sum(json_add(json_item(tracks), "track %zu name %s", i + 1,
                         w->score->tracks[i].name),
                &r->tracks[i]);
    cJSON *bars = cJSON_AddArrayToObject(j, "bars");
    for (size_t i = 0; i < r->n_bars; i++)
        add_sum(json_add(json_item(bars), "bar %zu", i + 1), &r->bars[i]);
    /* The bars of most nats a note, the highest first. */
    cJSON *list = cJSON_AddArrayToObject(j, "most_surprising_bars");
    size_t worst[SHOWN_BARS] = {0};
    double most = 0;
    for (int n = 0; most >= 0 && n < SHOWN_BARS; n++) {
        most = -1;
        for (size_t i = 0; i < r->n_bars; i++) {
            bool is_new = r->bars[i].n_notes > 0;
            for (int k = 0; k < n; k++)
                is_new &= worst[k] != i;
            if (is_new && r->bars[i].nats / r->bars[i].n_notes > most) {
                most = r->bars[i].nats / r->bars[i].n_notes;
                worst[n] = i;
            }
        }
        if (most >= 0)
            cJSON_AddItemToArray(list, cJSON_CreateNumber((double)worst[n] + 1));
    }
    return j;
}

static void print_mean(const cJSON *j)
{
    const double n = json_number(j, "notes");
    printf(": %.2f nats per note, %.0f note%s\n", json_number(j, "nats_a_note"), n,
           n == 1 ? "" : "s");
}

static void print_text(const cJSON *j, const cJSON *notes)
{
    const double n = json_number(j, "notes"), unheard = json_number(j, "unheard");
    const char *style = json_text(j, "style");
    const cJSON *item, *a;
    puts("  note  bar:beat   track  pitch   nats   of which its pitch");
    cJSON_ArrayForEach(item, notes)
    {
        const char *before = "   ";
        printf("%6.0f  %5.0f:%-6.4g %4.0f  %-4s %7.2f %7.2f",
               json_number(item, "number"), json_number(item, "bar"),
               json_number(item, "beat"), json_number(item, "track"),
               json_text(item, "name"), json_number(item, "nats"),
               json_number(json_get(item, "of"), "pitch"));
        cJSON_ArrayForEach(a, json_get(item, "alternatives"))
        {
            printf("%s%s%s %.2f", before,
                   cJSON_IsTrue(json_get(a, "chosen")) ? "*" : "",
                   json_text(a, "token"), json_number(a, "probability"));
            before = ", ";
        }
        putchar('\n');
    }
    printf("%s%s%s: ", json_text(j, "file"), style && *style ? ", read as " : "",
           style ? style : "");
    printf("%.3f nats per note, %.3f for its pitch; %.0f note%s\n",
           json_number(j, "nats_a_note"), json_number(j, "pitch_nats_a_note"), n,
           n == 1 ? "" : "s");
    if (unheard > 0)
        printf("  %.0f more cannot be read by this model\n", unheard);
    cJSON_ArrayForEach(item, json_get(j, "tracks"))
    {
        const char *name = json_text(item, "name");
        if (json_number(item, "notes") <= 0)
            continue;
        printf("  track %.0f, %s", json_number(item, "track"),
               name && *name ? name : "no name");
        print_mean(item);
    }
    puts("the most surprising bars:");
    cJSON_ArrayForEach(item, json_get(j, "most_surprising_bars"))
    {
        const cJSON *bar = cJSON_GetArrayItem(json_get(j, "bars"), item->valueint - 1);
        printf("  bar %.0f", json_number(bar, "bar"));
        print_mean(bar);
    }
}

int score_report(struct attention_work *w)
{
    struct report r = {.work = w,
                       .notes = cJSON_CreateArray(),
                       .tracks = calloc(w->score->n_tracks + 1, sizeof *r.tracks)};
    const struct inspection_request all = {.style = CONTINUATION_STYLE_GUESS};
    int n_windows = 1,
        status = r.notes && r.tracks ? 0 : say_midi_error(w->o->file, MIDI_NO_MEMORY);
    /* The score is read once, in as many windows as needed. Notes of an earlier window and of the source do
     * not count. */
    for (int index = 0, own; !status && index < n_windows; index++) {
        say_progress("windows read:", index, n_windows);
        if (inspection_read_window(w->inspection, w->score, &all, index, &own) !=
            INSPECTION_DONE) {
            status = attention_failed(w);
            break;
        }
        n_windows = (int)w->inspection->windows.n;
        for (int i = own; !status && i < w->now->n_notes; i++)
            if (!w->now->notes[i].is_source && !add_note(&r, i, w->o->alternatives))
                status = say_midi_error(w->o->file, MIDI_NO_MEMORY);
    }
    if (!status)
        say_progress("", n_windows, n_windows);
    if (!status && !r.all.n_notes)
        status = say_error(w->o->file, "has no notes that this model can read");
    if (!status) {
        cJSON *j = summary_json(&r);
        if (!w->o->json)
            print_text(j, r.notes);
        else if (cJSON_AddItemToObject(j, "note_list", r.notes))
            r.notes = NULL;
        if (w->o->json && !say_json(stdout, j))
            status = say_midi_error(w->o->file, MIDI_NO_MEMORY);
        cJSON_Delete(j);
    }
    cJSON_Delete(r.notes);
    free(r.bars);
    free(r.tracks);
    return status;
}
