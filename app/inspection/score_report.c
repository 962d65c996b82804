/* See score_report.h: reading, and the sums. */
#include "app/inspection/score_report.h"

#include "app/base/draw.h"
#include "app/base/report.h"
#include "app/base/say.h"
#include "app/base/json_fields.h"
#include "midi/base/array.h"
#include "midi/tokens/grid.h"
#include "midi/tokens/tokens.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

/* Counts no notes of an earlier window and no notes of the source. */
static int add_window(struct score_report *r, struct attention_work *w, int own,
                      int most)
{
    for (int i = own; i < w->n_notes; i++) {
        struct scored_note n = {.note = w->notes[i], .name = attention_name(w, i)};
        if (n.note.is_source)
            continue;
        if (most > 0)
            n.n_alternatives = inspection_alternatives(
                w->inspection, i, INSPECTED_PITCH, n.alternatives, most);
        if (!array_add(&r->notes, &r->n_notes, &r->cap, &n, sizeof n))
            return say_midi_error(w->o->file, MIDI_NO_MEMORY);
    }
    return 0;
}

static int read_all(struct score_report *r, struct attention_work *w, int most)
{
    const struct inspection_request all = {.style = CONTINUATION_STYLE_GUESS};
    int status = 0, n_windows = 1;
    for (int index = 0; !status && index < n_windows; index++) {
        int own = 0;
        if (index > 0)
            say_progress("reading window", index, n_windows);
        if (inspection_read_window(w->inspection, w->score, &all, index, &own) !=
            INSPECTION_DONE)
            return attention_failed(w);
        n_windows = inspection_n_windows(w->inspection);
        w->notes = inspection_notes(w->inspection, &w->n_notes);
        status = add_window(r, w, own, most);
    }
    say_progress("", n_windows, n_windows);
    if (!status && !r->n_notes)
        return say_error(w->o->file, "has no notes that this model can read");
    return status;
}

static void add(struct score_sum *s, double nats)
{
    s->nats += nats;
    s->n_notes++;
}

static void sum_up(struct score_report *r, const struct attention_work *w)
{
    for (size_t i = 0; i < r->n_notes; i++) {
        const struct inspected_note *n = &r->notes[i].note;
        double nats = (double)n->surprise;
        add(&r->all, nats);
        add(&r->bars[r->notes[i].name.bar - 1], nats);
        if (n->track >= 0 && n->track < (int)w->score->n_tracks)
            add(&r->tracks[n->track], nats);
        r->pitch_nats += (double)n->surprise_of[INSPECTED_PITCH];
    }
}

static double worth_of(const struct score_sum *s)
{
    return s->n_notes ? s->nats / s->n_notes : -1;
}

static int higher_first(const void *a, const void *b, void *context)
{
    const struct score_sum *bars = context;
    int i = *(const int *)a, k = *(const int *)b;
    double x = worth_of(&bars[i]), y = worth_of(&bars[k]);
    return x != y ? (x < y ? 1 : -1) : i - k;
}

int score_report_make(struct score_report *r, struct attention_work *w,
                      int n_alternatives)
{
    *r = (struct score_report){0};
    int status = read_all(r, w, n_alternatives);
    if (status)
        return status;
    for (size_t i = 0; i < r->n_notes; i++)
        r->n_bars = at_least(r->n_bars, (int)r->notes[i].name.bar);
    r->bars = calloc((size_t)r->n_bars + 1, sizeof *r->bars);
    r->worst = calloc((size_t)r->n_bars + 1, sizeof *r->worst);
    r->tracks = calloc(w->score->n_tracks + 1, sizeof *r->tracks);
    if (!r->bars || !r->worst || !r->tracks)
        return say_midi_error(w->o->file, MIDI_NO_MEMORY);
    sum_up(r, w);
    for (int i = 0; i < r->n_bars; i++)
        r->worst[i] = i;
    qsort_r(r->worst, (size_t)r->n_bars, sizeof *r->worst, higher_first, r->bars);
    return 0;
}

void score_report_fini(struct score_report *r)
{
    free(r->notes);
    free(r->bars);
    free(r->tracks);
    free(r->worst);
    *r = (struct score_report){0};
}

/* -- printing -- */

enum { SHOWN_BARS = 5 };

/* "F#4", or the text of another token. */
static const char *alternative_name(const struct attention_work *w, int32_t token,
                                    char *buf, size_t n)
{
    const bool is_grid = w->model->config.vocab == GRID_COUNT;
    const int32_t pitch = token - (int32_t)(is_grid ? GRID_PITCH : TOKEN_PITCH);
    if (pitch >= 0 && pitch < 128)
        return attention_pitch_name(buf, n, pitch);
    return inspection_token_name(w->inspection, token, buf, n);
}

static void add_sum(cJSON *to, const struct score_sum *s)
{
    json_add(to, "notes %d nats %g nats_a_note %g", s->n_notes, s->nats,
             s->n_notes ? s->nats / s->n_notes : 0);
}

static void add_alternatives(cJSON *to, const struct scored_note *n,
                             const struct attention_work *w)
{
    char name[32];
    cJSON *list = n->n_alternatives ? cJSON_AddArrayToObject(to, "alternatives") : NULL;
    for (int i = 0; i < n->n_alternatives; i++) {
        const struct inspected_alternative *a = &n->alternatives[i];
        json_append(list, "token %s probability %g chosen %hhd",
                    alternative_name(w, a->token, name, sizeof name),
                    (double)a->probability, a->is_chosen);
    }
}

static cJSON *note_json(const struct scored_note *n, const struct attention_work *w)
{
    cJSON *j = json_add(cJSON_CreateObject(),
                        "number %lld bar %lld beat %g track %d name %s pitch %d "
                        "tick %lld nats %g",
                        (long long)n->name.number, (long long)n->name.bar, n->name.beat,
                        n->note.track + 1, n->name.pitch, n->note.pitch,
                        (long long)n->note.tick, (double)n->note.surprise);
    cJSON *parts = json_nest(j, "of", " ");
    for (int k = 0; k < INSPECTED_NOTE_PARTS; k++)
        cJSON_AddNumberToObject(parts, inspected_part_name((enum inspected_part)k),
                                (double)n->note.surprise_of[k]);
    add_alternatives(j, n, w);
    return j;
}

/* All but the notes. */
static cJSON *summary_json(const struct score_report *r, const struct attention_work *w)
{
    cJSON *j =
        json_add(cJSON_CreateObject(), "file %s model %s model_hash %016llx style %s",
                 w->o->file, w->model_path, (unsigned long long)model_hash(w->model),
                 attention_style(w));
    add_sum(j, &r->all);
    json_add(j, "pitch_nats %g pitch_nats_a_note %g unheard %d", r->pitch_nats,
             r->pitch_nats / r->all.n_notes, (int)(w->n_order - r->n_notes));
    cJSON *tracks = cJSON_AddArrayToObject(j, "tracks");
    for (size_t i = 0; i < w->score->n_tracks; i++)
        add_sum(
            json_append(tracks, "track %zu name %s", i + 1, w->score->tracks[i].name),
            &r->tracks[i]);
    cJSON *bars = cJSON_AddArrayToObject(j, "bars");
    cJSON *worst = cJSON_AddArrayToObject(j, "most_surprising_bars");
    for (int i = 0; i < r->n_bars; i++) {
        add_sum(json_append(bars, "bar %d", i + 1), &r->bars[i]);
        if (i < SHOWN_BARS && r->bars[r->worst[i]].n_notes)
            cJSON_AddItemToArray(worst, cJSON_CreateNumber(r->worst[i] + 1));
    }
    return j;
}

bool score_report_print_json(const struct score_report *r,
                             const struct attention_work *w)
{
    cJSON *j = summary_json(r, w);
    cJSON *notes = cJSON_AddArrayToObject(j, "note_list");
    for (size_t i = 0; i < r->n_notes; i++)
        cJSON_AddItemToArray(notes, note_json(&r->notes[i], w));
    return say_json_once(stdout, j);
}

/* -- as text -- */

static void print_note(const struct scored_note *n, const struct attention_work *w)
{
    const cJSON *a;
    cJSON *j = note_json(n, w);
    const char *before = "   ";
    report_print(j, "{number:6d}  {bar:5d}:{beat:-6.4g} {track:4d}  {name:-4s} "
                    "{nats:7.2f} {of.pitch:7.2f}");
    cJSON_ArrayForEach(a, json_get(j, "alternatives"))
    {
        printf("%s%s", before, cJSON_IsTrue(json_get(a, "chosen")) ? "*" : "");
        report_print(a, "{token:s} {probability:.2f}");
        before = ", ";
    }
    putchar('\n');
    cJSON_Delete(j);
}

#define MEAN ": {nats_a_note:.2f} nats per note, {notes:d} note{notes:p}\n"

static void print_summary(const cJSON *j)
{
    const cJSON *item;
    report_print(j, *json_text(j, "style") ? "{file:s}, read as {style:s}: "
                                           : "{file:s}: ");
    report_print(j, "{nats_a_note:.3f} nats per note, {pitch_nats_a_note:.3f} for its "
                    "pitch; {notes:d} note{notes:p}\n");
    if (json_number(j, "unheard") > 0)
        report_print(j, "  {unheard:d} more cannot be read by this model\n");
    cJSON_ArrayForEach(item, json_get(j, "tracks"))
    {
        if (json_number(item, "notes") > 0)
            report_print(item, "  track {track:d}, {name:s|no name}" MEAN);
    }
    puts("the most surprising bars:");
    cJSON_ArrayForEach(item, json_get(j, "most_surprising_bars"))
    {
        const cJSON *bar = cJSON_GetArrayItem(json_get(j, "bars"), item->valueint - 1);
        report_print(bar, "  bar {bar:d}" MEAN);
    }
}

void score_report_print(const struct score_report *r, const struct attention_work *w)
{
    cJSON *j = summary_json(r, w);
    puts("  note  bar:beat   track  pitch   nats   of which its pitch");
    for (size_t i = 0; i < r->n_notes; i++)
        print_note(&r->notes[i], w);
    print_summary(j);
    cJSON_Delete(j);
}
