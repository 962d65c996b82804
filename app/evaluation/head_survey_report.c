/* A survey as JSON, and as a table for people. */
#include "app/evaluation/head_survey.h"

#include "app/decoding/metadata.h"
#include "app/base/json_fields.h"
#include "app/base/paths.h"
#include "app/base/say.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char RULES[] =
    "Shares are of the attention of the rows that choose the tokens of notes; "
    "chance is the share that an even spread over all that is seen would give. The "
    "name is that of the relation furthest above chance, by relative entropy in "
    "bits a row, of those with a share of 0.25 and 0.05 bits or more; else broad "
    "with an evenness (entropy over its most) of 0.75 or more; else mixed. A bar "
    "back and the same place are to within a sixteenth; octaves are not unisons; "
    "the bass is the lowest of two or more notes that begin together; the voice is "
    "the track, and its last note any of its last onset; after the same pitch: told "
    "after such a note as the one told before.";

/* A list with three decimals each. */
static void add_figures(cJSON *to, const char *name, const double *x, int n)
{
    char text[32];
    cJSON *list = cJSON_AddArrayToObject(to, name);
    for (int i = 0; i < n; i++) {
        snprintf(text, sizeof text, "%.3f", x[i]);
        cJSON_AddItemToArray(list, cJSON_CreateRaw(text));
    }
}

static double of_no_note(const struct head_profile *p)
{
    double sum = 0;
    for (int k = INSPECTED_NOTE_PARTS; k < INSPECTED_PARTS; k++)
        sum += p->parts[k];
    return sum;
}

/* Four digits after the point say all that the windows can. */
static void add_profile(cJSON *to, const struct head_profile *p)
{
    cJSON *relations = cJSON_AddObjectToObject(to, "relations");
    for (int r = 0; r < N_HEAD_RELATIONS; r++)
        json_add(relations, "%s %#.4f", head_relations[r].name, p->relation[r]);
    cJSON *parts = cJSON_AddObjectToObject(to, "parts");
    for (int k = 0; k < INSPECTED_PARTS; k++)
        if (p->parts[k] > 0)
            json_add(parts, "%s %#.4f", inspected_part_name((enum inspected_part)k),
                     p->parts[k]);
    json_add(to, "of_no_note %#.4f same_track %#.4f entropy_bits %#.4f evenness %#.4f",
             of_no_note(p), p->same_track, p->entropy, p->evenness);
    add_figures(to, "half_quarters_back", p->beats, HEAD_BEATS);
    add_figures(to, "semitones_from_minus_25", p->intervals, HEAD_INTERVALS);
}

static void add_loss(cJSON *to, const char *name, const struct window_sums *sums)
{
    if (sums->n)
        json_nest(to, name, "nats_a_token %#.4f standard_error %#.4f windows %d",
                  window_sums_mean(sums), window_sums_error(sums), sums->n);
}

static void add_losses(cJSON *to, const char *name,
                       const struct window_sums by_style[STYLE_COUNT + 1],
                       const struct window_sums by_part[INSPECTED_PARTS])
{
    cJSON *list = cJSON_AddObjectToObject(to, name);
    add_loss(list, "all", &by_style[STYLE_COUNT]);
    for (int style = 0; style < STYLE_COUNT; style++)
        add_loss(list, style_name((enum style)style), &by_style[style]);
    cJSON *parts = cJSON_AddObjectToObject(list, "tokens");
    for (int k = 0; k < INSPECTED_PARTS; k++)
        add_loss(parts, inspected_part_name((enum inspected_part)k), &by_part[k]);
}

static void add_head(cJSON *list, const struct surveyed_head *h,
                     const struct head_profile *chance)
{
    int r = head_profile_relation(&h->profile, chance);
    cJSON *j = json_append(list, "layer %d head %d of %s name %s", h->head.layer + 1,
                           h->head.head + 1,
                           h->head.kind == ATTENTION_SELF ? "past" : "source",
                           head_profile_name(&h->profile, chance));
    if (r >= 0)
        json_add(j, "share %#.4f by_chance %#.4f bits %#.4f", h->profile.relation[r],
                 chance->relation[r],
                 head_profile_bits(&h->profile, chance, (enum head_relation)r));
    add_losses(j, "lost_when_muted", h->lost, h->lost_on);
    add_profile(j, &h->profile);
}

static void add_about(cJSON *j, const struct head_survey *s)
{
    const struct model_config *c = &s->model->config;
    json_nest(j, "model", "file %s hash %016llx layers %d heads %d",
              file_base_name(s->model_path), (unsigned long long)model_hash(s->model),
              c->n_layers, c->n_heads);
    cJSON *survey = json_nest(j, "survey", "split %s windows %d rows %d", s->o->split,
                              s->n_windows, s->n_rows);
    cJSON *corpora = cJSON_AddArrayToObject(survey, "corpora");
    for (int g = 0; g < s->corpus->n_groups; g++)
        if (s->corpus->groups[g].n_pieces[s->split] > 0)
            json_append_text(corpora, s->corpus->groups[g].name);
    cJSON_AddStringToObject(survey, "rules", RULES);
    add_losses(survey, "loss", s->plain, s->plain_on);
}

static char *text_of(const struct head_survey *s)
{
    cJSON *j = cJSON_CreateObject();
    add_about(j, s);
    cJSON *chance = cJSON_AddArrayToObject(j, "chance");
    cJSON *heads = cJSON_AddArrayToObject(j, "heads");
    for (int of = 0; of < 2; of++)
        if (s->chance[of].n_rows > 0)
            add_profile(json_append(chance, "of %s", of ? "source" : "past"),
                        &s->chance[of]);
    for (int i = 0; i < s->n_heads; i++)
        add_head(heads, &s->heads[i], &s->chance[s->heads[i].head.kind]);
    char *text = cJSON_PrintUnformatted(j);
    cJSON_Delete(j);
    return text;
}

int head_survey_write(const struct head_survey *s, const char *path)
{
    static const char head[] = "{\"layer\":"; /* a line each, for readable diffs */
    char *text = text_of(s);
    if (!text)
        return say_midi_error(path, MIDI_NO_MEMORY);
    errno = 0;
    struct output_file out;
    bool ok = output_file_open(&out, path);
    for (const char *at = text; ok && *at; at++) {
        if (strncmp(at, head, sizeof head - 1) == 0)
            putc('\n', out.stream);
        putc(*at, out.stream);
    }
    if (ok) {
        putc('\n', out.stream);
        ok = output_file_close(&out, !ferror(out.stream));
    }
    cJSON_free(text);
    return ok ? 0 : say_midi_error(path, MIDI_CANNOT_WRITE);
}

static bool has_style(const struct head_survey *s, int style)
{
    return s->plain[style].n > 0;
}

static void print_loss(const struct window_sums *sums)
{
    double error = window_sums_error(sums);
    if (isfinite(error))
        printf(" %.4f ± %.4f |", window_sums_mean(sums), error);
    else
        printf(" %.4f |", window_sums_mean(sums));
}

static void print_losses(const struct head_survey *s,
                         const struct window_sums sums[STYLE_COUNT + 1])
{
    print_loss(&sums[STYLE_COUNT]);
    for (int style = 0; style < STYLE_COUNT; style++)
        if (has_style(s, style))
            print_loss(&sums[style]);
    putchar('\n');
}

static void print_heading(const struct head_survey *s)
{
    fputs("| head | name | share | by chance | of no note | entropy, bits | most of it "
          "lost on | muted: all |",
          stdout);
    for (int style = 0; style < STYLE_COUNT; style++)
        if (has_style(s, style))
            printf(" %s |", style_name((enum style)style));
    fputs("\n|---|---|--:|--:|--:|--:|---|--:|", stdout);
    for (int style = 0; style < STYLE_COUNT; style++)
        if (has_style(s, style))
            fputs("--:|", stdout);
    fputs("\n| *none muted* | | | | | | |", stdout);
    print_losses(s, s->plain);
}

/* The tokens that most of the loss is on, and their share of it; of a loss that is not
 * well above nothing, none. */
static void print_largest_loss(const struct surveyed_head *h)
{
    const struct window_sums *all = &h->lost[STYLE_COUNT];
    int most = 0;
    for (int k = 1; k < INSPECTED_PARTS; k++)
        if (h->lost_on[k].nats > h->lost_on[most].nats)
            most = k;
    if (window_sums_mean(all) > 2 * window_sums_error(all))
        printf(" %s %.0f %% |", inspected_part_name((enum inspected_part)most),
               100 * h->lost_on[most].nats / all->nats);
    else
        fputs(" |", stdout);
}

static void print_head(const struct head_survey *s, const struct surveyed_head *h)
{
    const struct head_profile *chance = &s->chance[h->head.kind];
    int r = head_profile_relation(&h->profile, chance);
    printf("| %d.%d%s | %s |", h->head.layer + 1, h->head.head + 1,
           h->head.kind == ATTENTION_CROSS ? " of the melody" : "",
           head_profile_name(&h->profile, chance));
    if (r >= 0)
        printf(" %.2f | %.2f |", h->profile.relation[r], chance->relation[r]);
    else
        fputs(" | |", stdout);
    printf(" %.2f | %.1f |", of_no_note(&h->profile), h->profile.entropy);
    print_largest_loss(h);
    print_losses(s, h->lost);
}

void head_survey_print(const struct head_survey *s)
{
    print_heading(s);
    for (int i = 0; i < s->n_heads; i++)
        print_head(s, &s->heads[i]);
}
