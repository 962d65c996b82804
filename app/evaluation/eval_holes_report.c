/* See eval_holes.h. Both forms walk the same list of rows. */
#include "app/evaluation/eval_holes.h"

#include "app/decoding/metadata.h"
#include "app/base/json_fields.h"
#include "app/base/say.h"

#include <inttypes.h>

enum { NAME_WIDTH = 22 };

struct row {
    enum eval_holes_by by;
    char name[64]; /* safe to print */
    struct eval_hole_sums sums;
};

static void name_kind(char *name, size_t n_name, int which)
{
    const struct eval_hole_kind k = eval_hole_kind_at(which);
    snprintf(name, n_name, "%d bar%s, %s", k.n_bars, k.n_bars > 1 ? "s" : "",
             k.is_one_track ? "one track" : "all tracks");
}

static struct row row_of(const struct eval_holes *e, const struct eval_holes_request *q,
                         enum eval_holes_by by, int which)
{
    struct row row = {.by = by, .name = "all", .sums = eval_holes_sum(e, by, which)};
    if (by == HOLES_OF_CORPUS)
        say_copy(row.name, sizeof row.name, q->corpus->groups[which].name);
    else if (by == HOLES_OF_STYLE)
        say_copy(row.name, sizeof row.name, style_name((enum style)which));
    else if (by == HOLES_OF_KIND)
        name_kind(row.name, sizeof row.name, which);
    return row;
}

static int count_rows(const struct eval_holes_request *q, enum eval_holes_by by)
{
    const int counts[] = {[HOLES_OF_ALL] = 1,
                          [HOLES_OF_CORPUS] = q->corpus->n_groups,
                          [HOLES_OF_STYLE] = STYLE_COUNT,
                          [HOLES_OF_KIND] = EVAL_HOLE_KINDS};
    return counts[by];
}

/* Calls f for each row that has holes. */
static void each_row(const struct eval_holes *e, const struct eval_holes_request *q,
                     enum eval_holes_by by, void (*f)(const struct row *row, void *to),
                     void *to)
{
    for (int i = 0; i < count_rows(q, by); i++) {
        const struct row row = row_of(e, q, by, i);
        if (row.sums.n_holes)
            f(&row, to);
    }
}

static void print_cost(const struct row *row, void *to)
{
    const struct eval_hole_sums *s = &row->sums;
    (void)to;
    printf("%-*.*s %5lld %6lld  ", NAME_WIDTH, NAME_WIDTH, row->name,
           (long long)s->n_holes, (long long)s->n_notes);
    for (int v = 0; v < HOLE_VIEWS; v++)
        printf(" %7.3f", s->note_nats[v] / (double)s->n_notes);
    printf("  ");
    for (int v = 0; v < HOLE_VIEWS; v++)
        printf(" %7.4f", s->nats[v] / (double)s->n_tokens);
    putchar('\n');
}

/* The mean over the holes. */
static struct eval_hole_figures mean_of(const struct eval_hole_sums *s, int by)
{
    const struct eval_hole_figures *f = &s->figures[by];
    const double n = (double)s->n_holes;
    return (struct eval_hole_figures){f->note_f1 / n, f->pitch_classes / n,
                                      f->groove / n};
}

static void print_figures(const struct row *row, void *to)
{
    (void)to;
    printf("%-*.*s  ", NAME_WIDTH, NAME_WIDTH, row->name);
    for (int by = 0; by < EVAL_HOLE_FILLINGS; by++)
        printf(" %6.3f", mean_of(&row->sums, by).note_f1);
    printf("  ");
    for (int by = 0; by < EVAL_HOLE_FILLINGS; by++)
        printf(" %6.3f", mean_of(&row->sums, by).pitch_classes);
    printf("  ");
    for (int by = 0; by < EVAL_HOLE_FILLINGS; by++)
        printf(" %6.3f", mean_of(&row->sums, by).groove);
    putchar('\n');
}

static void print_rows(const struct eval_holes *e, const struct eval_holes_request *q,
                       void (*print)(const struct row *row, void *to))
{
    each_row(e, q, HOLES_OF_CORPUS, print, NULL);
    puts("style");
    each_row(e, q, HOLES_OF_STYLE, print, NULL);
    puts("hole");
    each_row(e, q, HOLES_OF_KIND, print, NULL);
    each_row(e, q, HOLES_OF_ALL, print, NULL);
}

static void print_heading(const struct eval_holes *e,
                          const struct eval_holes_request *q)
{
    const struct sampling *s = &q->how.sampling;
    printf("\nholes: %zu, of whole bars in the middle of pieces; seed %" PRIu64
           ", temperature %g, top-p %g\n",
           e->n_results, s->seed, (double)s->temperature, (double)s->top_p);
    if (e->n_too_full)
        printf("%d more were too full for the model's context\n", e->n_too_full);
}

static void print_margin(const struct eval_holes *e)
{
    const struct eval_hole_margin m = eval_holes_margin(e, HOLE_BEFORE);
    printf("both sides save %.3f nats a note of what is before alone (standard error "
           "%.3f),\nin %d of %zu holes\n",
           m.nats, m.error, m.n_wins, e->n_results);
}

static void print_cost_table(const struct eval_holes *e,
                             const struct eval_holes_request *q)
{
    puts("their notes cost, with what stands on both sides, before, and with nothing:");
    printf("%-*s %5s %6s   %-23s   %s\n", NAME_WIDTH, "", "", "", "nats a note",
           "nats a token");
    printf("%-*s %5s %6s  ", NAME_WIDTH, "corpus", "holes", "notes");
    printf(" %7s %7s %7s   %7s %7s %7s\n", "both", "before", "nothing", "both",
           "before", "nothing");
    print_rows(e, q, print_cost);
    print_margin(e);
}

static void print_figure_table(const struct eval_holes *e,
                               const struct eval_holes_request *q)
{
    puts("\nfilled by the model; by the bars before, or after, once more; with random "
         "notes\nof the scale; set beside what was there:");
    printf("%-*s   %-27s   %-27s   %s\n", NAME_WIDTH, "", "exact note F1",
           "pitch classes apart (L1/2)", "groove similarity");
    printf("%-*s", NAME_WIDTH, "corpus");
    for (int figure = 0; figure < 3; figure++)
        printf("   %6s %6s %6s %6s", "model", "before", "after", "random");
    putchar('\n');
    print_rows(e, q, print_figures);
}

static void print_control(const struct eval_holes *e, enum eval_hole_control control)
{
    const struct eval_hole_control_info *info = &eval_hole_controls[control];
    size_t n;
    printf("%-*s", NAME_WIDTH, info->label);
    for (int k = 0; k < EVAL_HOLE_LEVELS; k++)
        printf("   %6.4g %6.4g", eval_hole_asked(control, info->levels[k]),
               eval_hole_mean_got(e->answers, e->n_answers, control, k, &n));
    printf("   %6.3f\n", eval_hole_obedience(e->answers, e->n_answers, control));
}

static void print_steering(const struct eval_holes *e)
{
    printf("\nconstraints: %zu holes of four bars of one track, and the mean of the "
           "notes\n",
           e->n_answers);
    printf("%-*s", NAME_WIDTH, "control");
    for (int k = 0; k < EVAL_HOLE_LEVELS; k++)
        printf("   %6s %6s", "asked", "got");
    puts("   rank correlation");
    for (int c = 0; c < EVAL_HOLE_CONTROLS; c++)
        print_control(e, (enum eval_hole_control)c);
}

void eval_holes_print(const struct eval_holes *e, const struct eval_holes_request *q)
{
    print_heading(e, q);
    if (e->n_results) {
        print_cost_table(e, q);
        print_figure_table(e, q);
    } else {
        puts("no held-out piece has room for one");
    }
    if (e->n_answers)
        print_steering(e);
}

/* Six decimals, so that what is printed does not depend on the last bit. */
static void add_costs(cJSON *j, const char *name, const double nats[HOLE_VIEWS],
                      int64_t n)
{
    json_nest(j, name, "both_sides %.6f before %.6f nothing %.6f",
              nats[HOLE_BOTH_SIDES] / (double)n, nats[HOLE_BEFORE] / (double)n,
              nats[HOLE_ALONE] / (double)n);
}

static void add_row(const struct row *row, void *to)
{
    static const char *const KINDS[] = {[HOLES_OF_ALL] = "corpus",
                                        [HOLES_OF_CORPUS] = "corpus",
                                        [HOLES_OF_STYLE] = "style",
                                        [HOLES_OF_KIND] = "hole"};
    static const char *const FILLINGS[EVAL_HOLE_FILLINGS] = {
        "model", "bars_before", "bars_after", "random_in_scale"};
    const struct eval_hole_sums *s = &row->sums;
    cJSON *j = cJSON_IsArray(to) ? json_append(to, " ") : json_nest(to, "all", " ");
    json_add(j, "%s %s holes %lld notes %lld tokens %lld", KINDS[row->by], row->name,
             (long long)s->n_holes, (long long)s->n_notes, (long long)s->n_tokens);
    add_costs(j, "nats_per_note", s->note_nats, s->n_notes);
    add_costs(j, "nats_per_token", s->nats, s->n_tokens);
    for (int by = 0; by < EVAL_HOLE_FILLINGS; by++) {
        const struct eval_hole_figures f = mean_of(s, by);
        json_nest(j, FILLINGS[by], "note_f1 %.6f pitch_classes %.6f groove %.6f",
                  f.note_f1, f.pitch_classes, f.groove);
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

static void add_margin(cJSON *to, const struct eval_holes *e)
{
    const struct eval_hole_margin m = eval_holes_margin(e, HOLE_BEFORE);
    json_nest(to, "both_sides_over_before",
              "nats_per_note %.6f standard_error %.6f holes_won %d", m.nats, m.error,
              m.n_wins);
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
    each_row(e, q, HOLES_OF_CORPUS, add_row, cJSON_AddArrayToObject(j, "corpora"));
    each_row(e, q, HOLES_OF_STYLE, add_row, cJSON_AddArrayToObject(j, "styles"));
    each_row(e, q, HOLES_OF_KIND, add_row, cJSON_AddArrayToObject(j, "kinds"));
    each_row(e, q, HOLES_OF_ALL, add_row, j);
    if (e->n_results)
        add_margin(j, e);
    json_add(j, "steered_holes %zu", e->n_answers);
    cJSON *controls = cJSON_AddArrayToObject(j, "steering");
    for (int c = 0; c < EVAL_HOLE_CONTROLS; c++)
        add_control(controls, e, (enum eval_hole_control)c);
    return j;
}
