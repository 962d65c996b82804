/* See eval_holes.h. The text is printed from the JSON. */
#include "app/evaluation/eval_holes.h"

#include "app/decoding/metadata.h"
#include "app/base/json_fields.h"
#include "app/base/report.h"

/* In text [64] for a kind of hole. */
static const char *name_of(char *text, const struct eval_holes_request *q,
                           enum eval_holes_by by, int which)
{
    if (by == HOLES_OF_CORPUS)
        return q->corpus->groups[which].name;
    if (by == HOLES_OF_STYLE)
        return style_name((enum style)which);
    const struct eval_hole_kind k = eval_hole_kind_at(which);
    snprintf(text, 64, "%d bar%s, %s", k.n_bars, k.n_bars > 1 ? "s" : "",
             k.is_one_track ? "one track" : "all tracks");
    return text;
}

/* Six decimals, so that the text does not depend on the last bit. */
static void add_costs(cJSON *j, const char *name, const double nats[HOLE_VIEWS],
                      int64_t n)
{
    json_nest(j, name, "both_sides %.6f before %.6f nothing %.6f",
              nats[HOLE_BOTH_SIDES] / (double)n, nats[HOLE_BEFORE] / (double)n,
              nats[HOLE_ALONE] / (double)n);
}

static void add_row(cJSON *j, const char *kind, const char *name,
                    const struct eval_hole_sums *s)
{
    static const char *const FILLINGS[EVAL_HOLE_FILLINGS] = {
        "model", "bars_before", "bars_after", "random_in_scale"};
    const double n = (double)s->n_holes;
    json_add(j, "%s %s holes %lld notes %lld tokens %lld", kind, name,
             (long long)s->n_holes, (long long)s->n_notes, (long long)s->n_tokens);
    add_costs(j, "nats_per_note", s->note_nats, s->n_notes);
    add_costs(j, "nats_per_token", s->nats, s->n_tokens);
    for (int by = 0; by < EVAL_HOLE_FILLINGS; by++) {
        const struct eval_hole_figures *f = &s->figures[by];
        json_nest(j, FILLINGS[by], "note_f1 %.6f pitch_classes %.6f groove %.6f",
                  f->note_f1 / n, f->pitch_classes / n, f->groove / n);
    }
}

/* The list `name` of those of n that have holes. */
static void add_rows(cJSON *to, const char *name, const char *kind, int n,
                     const struct eval_holes *e, const struct eval_holes_request *q,
                     enum eval_holes_by by)
{
    char text[64];
    cJSON *list = cJSON_AddArrayToObject(to, name);
    for (int i = 0; i < n; i++) {
        const struct eval_hole_sums sums = eval_holes_sum(e, by, i);
        if (sums.n_holes)
            add_row(json_append(list, " "), kind, name_of(text, q, by, i), &sums);
    }
}

static void add_control(cJSON *list, const struct eval_holes *e,
                        enum eval_hole_control control)
{
    const struct eval_hole_control_info *info = &eval_hole_controls[control];
    cJSON *j = json_append(list, "control %s rank_correlation %.6f", info->name,
                           eval_hole_obedience(e->answers, e->n_answers, control));
    cJSON *levels = cJSON_AddArrayToObject(j, "levels");
    for (int k = 0; k < EVAL_HOLE_LEVELS; k++) {
        size_t n;
        double got = eval_hole_mean_got(e->answers, e->n_answers, control, k, &n);
        json_append(levels, "level %d asked %.6f got %.6f answers %zu", info->levels[k],
                    eval_hole_asked(control, info->levels[k]), got, n);
    }
}

cJSON *eval_holes_json(const struct eval_holes *e, const struct eval_holes_request *q)
{
    const struct sampling *s = &q->how.sampling;
    cJSON *j = json_add(cJSON_CreateObject(),
                        "holes %zu too_full %d seed %llu temperature %.6f top_p %.6f "
                        "guidance %.6f interrupted %hhd",
                        e->n_results, e->n_too_full, (unsigned long long)s->seed,
                        (double)s->temperature, (double)s->top_p,
                        (double)q->how.guidance, e->is_cancelled);
    add_rows(j, "corpora", "corpus", q->corpus->n_groups, e, q, HOLES_OF_CORPUS);
    add_rows(j, "styles", "style", STYLE_COUNT, e, q, HOLES_OF_STYLE);
    add_rows(j, "kinds", "hole", EVAL_HOLE_KINDS, e, q, HOLES_OF_KIND);
    if (e->n_results) {
        const struct eval_hole_sums all = eval_holes_sum(e, HOLES_OF_ALL, 0);
        add_row(json_nest(j, "all", " "), "corpus", "all", &all);
        const struct eval_hole_margin m = eval_holes_margin(e);
        json_nest(j, "both_sides_over_before",
                  "nats_per_note %.6f standard_error %.6f holes_won %d", m.nats,
                  m.error, m.n_wins);
    }
    json_add(j, "steered_holes %zu", e->n_answers);
    cJSON *controls = cJSON_AddArrayToObject(j, "steering");
    for (int c = 0; c < EVAL_HOLE_CONTROLS; c++)
        add_control(controls, e, (enum eval_hole_control)c);
    return j;
}

/* -- as text -- */

#define NAME "-22.22s"
#define COSTS(of, format)                                                              \
    " {" of ".both_sides:" format "} {" of ".before:" format "} {" of                  \
    ".nothing:" format "}"
#define FILLINGS(of)                                                                   \
    "   {model." of ":6.3f} {bars_before." of ":6.3f} {bars_after." of ":6.3f}"        \
    " {random_in_scale." of ":6.3f}"
#define COST                                                                           \
    " {holes:5d} {notes:6d}  " COSTS("nats_per_note",                                  \
                                     "7.3f") "  " COSTS("nats_per_token", "7.4f") "\n"
#define FIGURES FILLINGS("note_f1") FILLINGS("pitch_classes") FILLINGS("groove") "\n"

static void print_rows(const cJSON *j, const char *columns)
{
    static const char *const LISTS[][2] = {{"corpora", "{corpus:" NAME "}"},
                                           {"styles", "{style:" NAME "}"},
                                           {"kinds", "{hole:" NAME "}"}};
    char layout[512];
    for (size_t i = 0; i < sizeof LISTS / sizeof LISTS[0]; i++) {
        fputs(i == 1 ? "style\n" : i == 2 ? "hole\n" : "", stdout);
        snprintf(layout, sizeof layout, "%s%s", LISTS[i][1], columns);
        report_print_each(json_get(j, LISTS[i][0]), layout);
    }
    snprintf(layout, sizeof layout, "%s%s", LISTS[0][1], columns);
    report_print(json_get(j, "all"), layout);
}

static void print_cost_table(const cJSON *j)
{
    printf("loss of their notes, given the music on both sides, before, and none:\n"
           "%-22s %5s %6s   %-23s   %s\n"
           "%-22s %5s %6s   %7s %7s %7s   %7s %7s %7s\n",
           "", "", "", "nats per note", "nats per token", "corpus", "holes", "notes",
           "both", "before", "nothing", "both", "before", "nothing");
    print_rows(j, COST);
    report_print(j, "both sides save {both_sides_over_before.nats_per_note:.3f} nats "
                    "per note against the music before alone (standard error\n"
                    "{both_sides_over_before.standard_error:.3f}), and are better in "
                    "{both_sides_over_before.holes_won:d} of {holes:d} holes\n");
}

static void print_figure_table(const cJSON *j)
{
    printf("\n"
           "filled by the model, by a copy of the bars before or after, or with random "
           "notes\n"
           "of the scale; compared with the original notes:\n"
           "%-22s   %-27s   %-27s   %s\n"
           "%-22s",
           "", "exact note F1", "pitch-class distance (L1/2)", "groove similarity",
           "corpus");
    for (int figure = 0; figure < 3; figure++)
        printf("   %6s %6s %6s %6s", "model", "before", "after", "random");
    putchar('\n');
    print_rows(j, FIGURES);
}

static void print_steering(const cJSON *j)
{
    report_print(j, "\n"
                    "constraints: {steered_holes:d} holes of four bars of one track; "
                    "the mean of the new notes\n");
    printf("%-22s", "control");
    for (int k = 0; k < EVAL_HOLE_LEVELS; k++)
        printf("   %6s %6s", "asked", "got");
    puts("   rank correlation");
    for (int c = 0; c < EVAL_HOLE_CONTROLS; c++) {
        const cJSON *control = cJSON_GetArrayItem(json_get(j, "steering"), c);
        printf("%-22s", eval_hole_controls[c].label);
        report_print_each(json_get(control, "levels"), "   {asked:6.4g} {got:6.4g}");
        report_print(control, "   {rank_correlation:6.3f}\n");
    }
}

void eval_holes_print(const cJSON *j)
{
    report_print(j, "\nholes: {holes:d}, of whole bars in the middle of pieces; seed "
                    "{seed:s}, temperature {temperature:g}, top-p {top_p:g}\n");
    if (json_number(j, "too_full") > 0)
        report_print(j,
                     "{too_full:d} more have too many notes for the model's context\n");
    if (json_number(j, "holes") > 0) {
        print_cost_table(j);
        print_figure_table(j);
    } else {
        puts("no held-out piece is long enough");
    }
    if (json_number(j, "steered_holes") > 0)
        print_steering(j);
}
