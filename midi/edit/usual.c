/* Sorts the values and adds up for how long each holds. See usual.h. */
#include "midi/edit/usual.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"

#include <math.h>
#include <stdlib.h>

bool weights_add(struct weights *w, double value, int64_t from, int64_t to)
{
    const struct weighted one = {value, to - from, from, to};
    return array_add(&w->list, &w->n, &w->cap, &one, sizeof one);
}

static int by_value(const void *a, const void *b)
{
    const struct weighted *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* Returns the value below which `share` of the time lies. */
static double quantile(const struct weights *w, double share, double total)
{
    double sum = 0;
    size_t i = 0;
    for (; i + 1 < w->n; i++) {
        sum += (double)w->list[i].ticks;
        if (sum >= share * total)
            break;
    }
    return w->list[i].value;
}

static bool is_chosen(const struct weighted *a, const struct weighted *than,
                      enum usual_choice choice)
{
    return choice == THE_FIRST  ? a->from < than->from
           : choice == THE_LAST ? a->to > than->to
                                : a->ticks > than->ticks;
}

struct usual usual_of(struct weights *w, double least, double otherwise,
                      enum usual_choice choice)
{
    double total = 0;
    size_t n = 0;
    const struct weighted *chosen = NULL;
    if (!w->n)
        return (struct usual){0};
    qsort(w->list, w->n, sizeof *w->list, by_value);
    for (size_t i = 0; i < w->n; i++) {
        total += (double)w->list[i].ticks;
        struct weighted *last = n ? &w->list[n - 1] : NULL;
        if (last && last->value == w->list[i].value) {
            last->ticks += w->list[i].ticks;
            last->from = smaller(last->from, w->list[i].from);
            last->to = larger(last->to, w->list[i].to);
        } else {
            w->list[n++] = w->list[i];
        }
    }
    w->n = n;
    if (total <= 0)
        return (struct usual){0};
    for (size_t i = 0; i < n; i++)
        if ((double)w->list[i].ticks >= least * total &&
            (!chosen || is_chosen(&w->list[i], chosen, choice)))
            chosen = &w->list[i];
    return (struct usual){.is_known = true,
                          .value = chosen             ? chosen->value
                                   : isnan(otherwise) ? quantile(w, 0.5, total)
                                                      : otherwise,
                          .low = quantile(w, 0.2, total),
                          .high = quantile(w, 0.8, total)};
}

bool is_usual(const struct usual *u, double value)
{
    return !u->is_known || value == u->value || (value >= u->low && value <= u->high);
}
